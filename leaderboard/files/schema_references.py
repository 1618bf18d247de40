"""JSON Schemas without references: each `$ref` is replaced by the definition that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from leaderboard.limits import JSON_DEPTH, SCHEMA_VALUES
from leaderboard.types import Json

# What a part of a schema is: a schema, schemas by name, or a value that has no schemas inside.
_Part: TypeAlias = Literal["schema", "names", "value"]

# Where schemas keep their definitions.
_DEFINITIONS: Final = ("$defs", "definitions")
_NAMES: Final = (*_DEFINITIONS, "properties", "patternProperties", "dependentSchemas")
_VALUES: Final = ("const", "default", "enum", "example", "examples")
_PLACE: Final = re.compile("0|[1-9][0-9]{0,8}")  # of an item of a list


def resolve_references(schema: Mapping[str, Json]) -> dict[str, Json]:
    """A schema in which each `$ref` into it is replaced by what it names.

    A definition inside itself becomes `{}`, which accepts anything, and so does the whole schema
    inside itself. Raises ValueError for a reference that leads nowhere, and for a result that is
    too large or too deep.
    """
    definition_of = cache(lambda reference: _find(schema, reference))
    values = 0

    def resolve(value: Json, part: _Part, around: tuple[str, ...], depth: int) -> Any:
        nonlocal values
        values += 1
        if values > SCHEMA_VALUES:
            what = f"the schema has more than {SCHEMA_VALUES:,} values"
            raise ValueError(f"{what} once its references are replaced")
        if depth > JSON_DEPTH:
            raise ValueError(f"the schema is nested more than {JSON_DEPTH} levels deep")
        if isinstance(value, list):
            return [resolve(item, part, around, depth + 1) for item in value]
        if not isinstance(value, Mapping):
            return value
        reference = None if part == "value" else value.get("$ref")
        if not isinstance(reference, str):  # a property may have this name
            return {
                key: resolve(item, _part_at(key, part), around, depth + 1)
                for key, item in value.items()
            }
        others = {key: item for key, item in value.items() if key != "$ref"}
        beside = resolve(others, part, around, depth)
        if reference in around:
            return beside
        inside = (*around, reference)
        return {**resolve(definition_of(reference), part, inside, depth + 1), **beside}

    whole = {key: value for key, value in schema.items() if key not in _DEFINITIONS}
    resolved: dict[str, Json] = resolve(whole, "schema", ("#",), 0)
    return resolved


def _part_at(key: str, part: _Part) -> _Part:
    """What the value of a key is."""
    if part == "value":
        return "value"
    if part == "names":
        return "schema"
    if key in _NAMES:
        return "names"
    return "value" if key in _VALUES else "schema"


def _find(schema: Mapping[str, Json], reference: str) -> Mapping[str, Json]:
    """The part of a schema that a reference such as `#/$defs/Place` names."""
    found: Json = schema if reference.startswith("#/") else None
    for part in unquote(reference).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping):
            found = found.get(name)
        elif isinstance(found, list) and _PLACE.fullmatch(name) and int(name) < len(found):
            found = found[int(name)]
        else:
            found = None
    if isinstance(found, Mapping):
        return found
    raise ValueError(f"the schema refers to {reference!r}, which it does not define")
