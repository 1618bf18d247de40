"""JSON, CSV and Parquet as the data files of the site hold them, and links to such files."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from leaderboard.texts.spreadsheet_formulas import FORMULA
from leaderboard.types import Json
from site_templates.links import Link

SCHEMA: Final = 1  # of every JSON file of the site
_KEYS: Final = ("judge", "other", "submission", "suite", "category", "case_id", "trial", "metric")


# Tables by title, each with links to its files.
Downloads = tuple[tuple[str, tuple[Link, ...]], ...]


def links(stem: str, *formats: str) -> tuple[Link, ...]:
    """Links to the files of a table in these formats. `stem` is their path without the ending."""
    return tuple(Link(name, f"{stem}.{name.lower()}") for name in formats)


def beside(title: str, json_path: str) -> Downloads:
    """The table that is beside a JSON file, with links to its CSV and Parquet."""
    return ((title, links(stem_of(json_path), "CSV", "Parquet")),)


def encode(value: object) -> bytes:
    """JSON in one line. Dataclasses become objects.

    An escape would take three times the room of an emoji: only half a surrogate pair has one.
    """
    text = json.dumps(
        value, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_object
    )
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _object(value: Any) -> dict[str, Json]:
    """A mapping or a dataclass as a JSON object."""
    if isinstance(value, Mapping):
        return dict(value)
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def in_order(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows sorted by the columns that identify them."""
    return frame.sort([name for name in _KEYS if name in frame.columns])


def stem_of(path: str) -> str:
    """The path of a JSON file without its ending: its CSV and Parquet have the same stem."""
    return path.removesuffix(".json")


def written(stem: str, frame: pl.DataFrame, *, csv: bool = True) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of a table as CSV and as Parquet. `stem` is their path without the ending.

    In CSV, an apostrophe comes before whatever a spreadsheet would run as a formula.
    """
    if csv:
        harmless = frame.with_columns(pl.col(pl.String).str.replace_all(FORMULA, "${1}'${2}"))
        yield f"{stem}.csv", harmless.write_csv().encode()
    yield f"{stem}.parquet", parquet(frame)


def table_files(path: str, file: object, frame: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of a table as JSON at `path`, and as CSV and Parquet beside it."""
    yield path, encode(file)
    yield from written(stem_of(path), frame)


def parquet(frame: pl.DataFrame) -> bytes:
    """A table as Parquet."""
    sink = io.BytesIO()
    frame.write_parquet(sink, compression="zstd", statistics=True)
    return sink.getvalue()
