"""The JSON Schemas of the site's data, made from the models of `site_templates.formats`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from site_templates import formats
from site_templates.data import SCHEMA, encode

INDEX: Final = "data/schemas/index.json"

# By the name of the schema: the files that follow it, and their model.
FORMATS: Final[Mapping[str, tuple[str, type[BaseModel]]]] = MappingProxyType(
    {
        "scores": ("data/scores.json", formats.ScoresFile),
        "usage": ("data/usage.json", formats.UsageFile),
        "manifest": ("data/manifest.json", formats.ManifestFile),
        "suites": ("data/suites.json", formats.SuitesFile),
        "suite": ("data/suites/*.json", formats.SuiteFile),
        "category": ("data/categories/*.json", formats.CategoryFile),
        "all": ("data/all.json", formats.AllFile),
        "case": ("data/cases/*.json", formats.CaseFile),
        "submission": ("data/submissions/*.json", formats.SubmissionFile),
        "compare": ("data/compare.json", formats.CompareFile),
        "pair": ("data/compare/*.json", formats.PairFile),
        "judges": ("data/judges.json", formats.JudgesFile),
        "board-health": ("data/health.json", formats.BoardHealthFile),
        "health": ("data/health/*.json", formats.HealthFile),
        "snapshot": ("data/history/*.json", formats.SnapshotFile),
        "badge": ("badges/*.json", formats.ShieldFile),
        "index": (INDEX, formats.SchemasFile),
    }
)


def files() -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every schema, and of the list of them."""
    yield from _files()


@cache
def _files() -> tuple[tuple[str, bytes], ...]:
    found = [(f"data/schemas/{name}.json", _schema(name, model)) for name, (_, model) in FORMATS.items() if name != "index"]
    rows = [
        {"file": file, "schema": f"data/schemas/{name}.json", "says": _first_line(model)}
        for name, (file, model) in FORMATS.items()
        if name != "index"
    ]
    return (*found, (INDEX, encode({"schema": SCHEMA, "formats": rows})))


def _schema(name: str, model: type[BaseModel]) -> bytes:
    """A schema (draft 2020-12), indented, because people read it."""
    made = model.model_json_schema(by_alias=True)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Toolboard: {name}"}
    return (json.dumps(head | {key: value for key, value in made.items() if key != "title"}, indent=2) + "\n").encode()


def _first_line(model: type[BaseModel]) -> str:
    return (model.__doc__ or "").strip().partition("\n")[0]
