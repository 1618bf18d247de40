"""Mappings without the values that are not set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Value = TypeVar("Value")


def without_none(values: Mapping[str, Value | None]) -> dict[str, Value]:
    """The values that are set."""
    return {name: value for name, value in values.items() if value is not None}
