"""The day by the clock of this machine."""

from __future__ import annotations

import datetime


def today() -> datetime.date:
    """Today, by UTC."""
    return datetime.datetime.now(tz=datetime.UTC).date()
