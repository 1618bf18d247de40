"""Builds Polars series from the columns of many files at once: a frame per file costs more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import polars as pl

from leaderboard.types import Json


def repeated(name: str, values: Sequence[str], lengths: Sequence[int]) -> pl.Series:
    """Repeats each text `lengths` times."""
    places = (
        pl.Series(range(len(values)), dtype=pl.UInt32)
        .repeat_by(pl.Series(lengths, dtype=pl.UInt32))
        .explode()
    )
    return pl.Series(name, values, pl.String).gather(places.drop_nulls())


def chained(
    name: str, columns: Iterable[Sequence[Json]], dtype: pl.DataType | type[pl.DataType]
) -> pl.Series:
    """Concatenates a column of several files. Raises TypeError if a value has another type."""
    return pl.Series(name, list(chain.from_iterable(columns)), dtype, strict=True)
