"""Numbers with their nouns, as messages and pages write them."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 case", "1,240 cases"."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
