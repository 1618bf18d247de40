"""Builds Polars series from the columns of many files at once: a frame per file costs more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import polars as pl

from leaderboard.types import Json


def repeated_numbers(lengths: pl.Series) -> pl.Series:
    """The numbers 0, 1, 2 …, each as often as `lengths` says."""
    numbers = pl.Series(range(len(lengths)), dtype=pl.UInt32)
    return numbers.repeat_by(lengths).explode().drop_nulls()


def repeated(name: str, values: Sequence[str], lengths: Sequence[int]) -> pl.Series:
    """Repeats each text `lengths` times."""
    places = repeated_numbers(pl.Series(lengths, dtype=pl.UInt32))
    return pl.Series(name, values, pl.String).gather(places)


def chained(
    name: str, columns: Iterable[Sequence[Json]], dtype: pl.DataType | type[pl.DataType]
) -> pl.Series:
    """Concatenates a column of several files. Raises TypeError if a value has another type."""
    return pl.Series(name, list(chain.from_iterable(columns)), dtype, strict=True)
