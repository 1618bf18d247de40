"""The JSON Schemas of the site's data, made from `site_templates.data.data_fields`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Final

from pydantic import TypeAdapter

from site_templates.data import data_fields as fields
from site_templates.data.download_formats import SCHEMA, encode
from site_templates.links import MANIFEST_PATH

INDEX: Final = "data/schemas/index.json"

# By the name of the schema: the files that follow it, and their type.
FORMATS: Final[Mapping[str, tuple[str, type]]] = {
    "submissions": ("data/submissions.json", fields.SubmissionsFile),
    "scores": ("data/scores.json", fields.ScoresFile),
    "ranks": ("data/ranks.json", fields.RanksFile),
    "usage": ("data/usage.json", fields.UsageFile),
    "manifest": (MANIFEST_PATH, fields.ManifestFile),
    "suites": ("data/suites.json", fields.SuitesFile),
    "suite": ("data/suites/*.json", fields.SuiteFile),
    "category": ("data/categories/*.json", fields.CategoryFile),
    "all": ("data/all.json", fields.AllFile),
    "case": ("data/cases/*.json", fields.CaseFile),
    "submission": ("data/submissions/*.json", fields.SubmissionDataFile),
    "compare": ("data/compare.json", fields.CompareFile),
    "pair": ("data/compare/*.json", fields.PairFile),
    "judges": ("data/judges.json", fields.JudgesFile),
    "board-health": ("data/health.json", fields.BoardHealthFile),
    "health": ("data/health/*.json", fields.HealthFile),
    "snapshot": ("data/history/*.json", fields.SnapshotFile),
    "index": (INDEX, fields.SchemasFile),
}


def files(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the schemas that the files of a site follow, and of the list of them."""
    index: fields.SchemasFile = {"schema": SCHEMA, "formats": []}
    for name, (pattern, shape) in FORMATS.items():
        if any(fnmatchcase(path, pattern) for path in paths):
            path = f"data/schemas/{name}.json"
            says = (shape.__doc__ or "").partition("\n")[0]
            index["formats"].append({"file": pattern, "schema": path, "says": says})
            yield path, _schema(name, shape)
    yield INDEX, encode(index)


@cache
def _schema(name: str, shape: type) -> bytes:
    """A schema (draft 2020-12), indented, because people read it."""
    made = TypeAdapter(shape).json_schema(mode="serialization")
    for part in (made, *made.get("$defs", {}).values()):
        if "properties" in part:
            part["additionalProperties"] = False
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = f"Toolboard: {name}"
    return (json.dumps(made, indent=2) + "\n").encode()
