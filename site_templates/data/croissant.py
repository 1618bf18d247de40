"""The description of the site's tables for dataset search engines: Croissant 1.0, JSON-LD.

Source: MLCommons Croissant format specification, version 1.0,
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

import polars as pl

from leaderboard.types import Json
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import encode
from site_templates.links import CROISSANT_PATH, web

_CONFORMS: Final = "http://mlcommons.org/croissant/1.0"
_FORMATS: Final = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".parquet": "application/x-parquet",
}
# The words of Croissant that are used; every other word is one of schema.org.
_WORDS: Final = ("citeAs", "column", "extract", "field", "fileObject", "recordSet", "source")
_CONTEXT: Final[dict[str, Json]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{word: f"cr:{word}" for word in _WORDS},
}


def with_description(
    index: BoardIndex, base: str | None, files: Iterable[tuple[str, bytes]]
) -> Iterator[tuple[str, bytes]]:
    """Yields path and bytes of each file, and then of the description of those below `data/`.

    `base` is the address of the published site. Without it, files are named relatively to the
    description. The fields are the columns of the Parquet files.
    """
    distribution: list[Json] = []
    record_sets: list[Json] = []
    for path, content in files:
        yield path, content
        place = PurePosixPath(path)
        if place.parent == PurePosixPath("data"):
            distribution.append(_file(place.name, content, base))
            if place.suffix == ".parquet":
                record_sets.append(_record_set(place, content))
    yield CROISSANT_PATH, encode(_dataset(index, base, distribution, record_sets))


def _dataset(
    index: BoardIndex, base: str | None, distribution: list[Json], record_sets: list[Json]
) -> dict[str, Json]:
    """The description. What the board does not know is left out, such as a creator."""
    board = index.board
    facts = {
        "url": base or web(board.repository),
        "license": board.look.licence,
        "citeAs": board.look.citation.strip(),
    }
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS,
        "name": board.title,
        "description": board.description.strip() or board.title,
        **{name: value for name, value in facts.items() if value},
        "distribution": distribution,
        "recordSet": record_sets,
    }


def _file(name: str, content: bytes, base: str | None) -> dict[str, Json]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": f"{base}data/{name}" if base else name,
        "contentSize": f"{len(content)} B",
        "encodingFormat": _FORMATS[PurePosixPath(name).suffix],
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _record_set(place: PurePosixPath, content: bytes) -> dict[str, Json]:
    """The rows of a Parquet file. Each column is a field."""
    schema = pl.read_parquet_schema(io.BytesIO(content))
    fields: list[Json] = [
        {
            "@type": "cr:Field",
            "@id": f"{place.stem}/{column}",
            "name": column,
            "dataType": _data_type(kind),
            "source": {"fileObject": {"@id": place.name}, "extract": {"column": column}},
        }
        for column, kind in schema.items()
    ]
    return {"@type": "cr:RecordSet", "@id": place.stem, "name": place.stem, "field": fields}


def _data_type(kind: pl.DataType) -> str:
    if kind.is_integer():
        return "sc:Integer"
    if kind.is_float():
        return "sc:Float"
    return "sc:Boolean" if kind == pl.Boolean else "sc:Text"
