"""How close two numbers must be.

Plain answers are compared with the number of a fact in `stated/quantities.py`, which wants it as it
is. Answers over replies are compared in `api_answers/value_closeness.py`, which also accepts a
rounded number, because replies give more digits than people write.
"""

from __future__ import annotations


def is_within(value: float, number: float, tolerance: float) -> bool:
    """Whether a value differs from a number by at most a share of the number."""
    return abs(value - number) <= tolerance * abs(number) + 1e-9
