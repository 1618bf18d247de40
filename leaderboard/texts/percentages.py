"""Percentages as readers see them, on pages, in the terminal and in notes of exports."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def percentage(share: float, digits: int = 1) -> str:
    """A share of 1 in percent, without the sign: 0.8194 as "81.9", 0.8825 as "88.3".

    Halves are rounded away from 0. What a share has after its twelfth decimal is an error of
    adding floating-point numbers, and is left out first.
    """
    exact = Decimal(f"{share:.12f}").scaleb(2)
    return str(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
