"""The day by the clock."""

from __future__ import annotations

import datetime

from leaderboard.machine.clock import today


def test_the_day_is_that_of_the_clock() -> None:
    """It is the day by UTC."""
    before = datetime.datetime.now(tz=datetime.UTC).date()
    found = today()

    assert before <= found <= datetime.datetime.now(tz=datetime.UTC).date()
