"""Sums of floats that are the same in any order: sums of integers."""

from __future__ import annotations

from typing import Final

import polars as pl

# Sums are taken in units of 2^-70, in 128-bit integers. They are exact for scores above 2^-17 and
# within 2^-71 below. They can reach 2^57.
_UNIT: Final = 2.0**70


def exact_sum(values: pl.Expr) -> pl.Expr:
    """The sum of floats, the same in any order. Nulls count nothing."""
    return from_units(in_units(values).sum())


def in_units(values: pl.Expr) -> pl.Expr:
    """Floats as integers, in units of 2^-70."""
    return (values * _UNIT).round(0).cast(pl.Int128)


def from_units(units: pl.Expr) -> pl.Expr:
    """What `in_units` made of floats, as floats."""
    return units.cast(pl.Float64) / _UNIT
