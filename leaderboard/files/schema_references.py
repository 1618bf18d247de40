"""JSON Schemas without references: each `$ref` is replaced by the definition that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from leaderboard.limits import JSON_DEPTH
from leaderboard.types import Json

# Where schemas keep their definitions.
_DEFINITIONS: Final = ("$defs", "definitions")
# Definitions that refer to others twice each would double with every step.
_MOST_REFERENCES: Final = 1000


def resolve_references(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Returns a schema in which each `$ref` into it is replaced by what it names.

    A definition inside itself becomes `{}`, which accepts anything. Raises ValueError for a
    reference that leads nowhere, and for a result that is too large or too deep.
    """
    followed: list[str] = []

    def resolve(value: Json, around: tuple[str, ...], depth: int) -> Any:
        if depth > JSON_DEPTH:
            raise ValueError(f"the schema is nested more than {JSON_DEPTH} levels deep")
        if isinstance(value, list):
            return [resolve(item, around, depth + 1) for item in value]
        if not isinstance(value, Mapping):
            return value
        reference = value.get("$ref")
        if not isinstance(reference, str):  # a property may have this name
            return {key: resolve(item, around, depth + 1) for key, item in value.items()}
        others = {key: item for key, item in value.items() if key != "$ref"}
        beside = resolve(others, around, depth)
        if reference in around:
            return beside
        followed.append(reference)
        if len(followed) > _MOST_REFERENCES:
            raise ValueError(f"the schema has more than {_MOST_REFERENCES:,} references")
        definition = resolve(_find(schema, reference), (*around, reference), depth + 1)
        return {**definition, **beside}

    return {key: resolve(value, (), 1) for key, value in schema.items() if key not in _DEFINITIONS}


def _find(schema: Mapping[str, Json], reference: str) -> Mapping[str, Json]:
    """The part of a schema that a reference such as `#/$defs/Place` names."""
    found: Json = schema if reference.startswith("#/") else None
    for part in reference.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, Mapping) else None
    if isinstance(found, Mapping):
        return found
    raise ValueError(f"the schema refers to {reference!r}, which it does not define")
