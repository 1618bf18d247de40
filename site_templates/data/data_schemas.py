"""The JSON Schemas of the site's data, made from the models of `site_templates.data.data_shapes`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from site_templates.data import data_shapes
from site_templates.data.board_tables import SCHEMA, encode

INDEX: Final = "data/schemas/index.json"

# By the name of the schema: the files that follow it, and their model.
FORMATS: Final[Mapping[str, tuple[str, type[BaseModel]]]] = MappingProxyType(
    {
        "scores": ("data/scores.json", data_shapes.ScoresFile),
        "usage": ("data/usage.json", data_shapes.UsageFile),
        "manifest": ("data/manifest.json", data_shapes.ManifestFile),
        "suites": ("data/suites.json", data_shapes.SuitesFile),
        "suite": ("data/suites/*.json", data_shapes.SuiteFile),
        "category": ("data/categories/*.json", data_shapes.CategoryFile),
        "all": ("data/all.json", data_shapes.AllFile),
        "case": ("data/cases/*.json", data_shapes.CaseFile),
        "submission": ("data/submissions/*.json", data_shapes.SubmissionFile),
        "compare": ("data/compare.json", data_shapes.CompareFile),
        "pair": ("data/compare/*.json", data_shapes.PairFile),
        "judges": ("data/judges.json", data_shapes.JudgesFile),
        "board-health": ("data/health.json", data_shapes.BoardHealthFile),
        "health": ("data/health/*.json", data_shapes.HealthFile),
        "snapshot": ("data/history/*.json", data_shapes.SnapshotFile),
        "badge": ("badges/*.json", data_shapes.ShieldFile),
        "index": (INDEX, data_shapes.SchemasFile),
    }
)


def files() -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every schema, and of the list of them."""
    yield from _files()


@cache
def _files() -> tuple[tuple[str, bytes], ...]:
    found = [
        (f"data/schemas/{name}.json", _schema(name, model))
        for name, (_, model) in FORMATS.items()
        if name != "index"
    ]
    rows = [
        {"file": file, "schema": f"data/schemas/{name}.json", "says": _first_line(model)}
        for name, (file, model) in FORMATS.items()
        if name != "index"
    ]
    return (*found, (INDEX, encode({"schema": SCHEMA, "formats": rows})))


def _schema(name: str, model: type[BaseModel]) -> bytes:
    """A schema (draft 2020-12), indented, because people read it."""
    made = model.model_json_schema(by_alias=True)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Toolboard: {name}",
    }
    return (
        json.dumps(head | {key: value for key, value in made.items() if key != "title"}, indent=2)
        + "\n"
    ).encode()


def _first_line(model: type[BaseModel]) -> str:
    return (model.__doc__ or "").strip().partition("\n")[0]
