"""How close two numbers must be, and which numbers say little.

Plain answers are compared with the number of a fact in `stated/quantities.py`, which wants it as it
is. Answers over replies are compared in `api_answers/value_closeness.py`, which also accepts a
rounded number, because replies give more digits than people write.
"""

from __future__ import annotations

from typing import Final

# Words that make the number after them a rough one.
ROUGHLY: Final = frozenset(
    ("about", "around", "roughly", "approximately", "approx", "almost", "nearly", "circa")
)
SMALL_NUMBER: Final = 12  # numbers up to this one count something, and are met by chance


def is_within(value: float, number: float, tolerance: float) -> bool:
    """Whether a value differs from a number by at most a share of the number."""
    return abs(value - number) <= tolerance * abs(number) + 1e-9
