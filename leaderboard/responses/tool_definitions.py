"""Tools as files give them: the tool-selection tester's flat form, or a JSON Schema as function-calling APIs take it."""

from __future__ import annotations

from collections.abc import Mapping

from leaderboard.types import Json, Parameter, Tool


def tool_from_record(record: Mapping[str, Json]) -> Tool:
    """A Tool from a validated record (`leaderboard.files.file_shapes.ToolRecord`)."""
    parameters = record["parameters"]
    read = _flat_parameters if isinstance(parameters, list) else _schema_parameters
    return Tool(record["name"], record["description"], read(parameters))


def _flat_parameters(records: list[Mapping[str, Json]]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            name=record["name"],
            type=record["type"],
            description=record["description"],
            required=record.get("required", True),
            schema={"type": record["type"], "description": record["description"]},
        )
        for record in records
    )


def _schema_parameters(schema: Mapping[str, Json]) -> tuple[Parameter, ...]:
    required = schema.get("required") or ()
    properties = schema.get("properties") or {}
    return tuple(
        Parameter(
            name=name,
            type=str(inner.get("type", "string")),
            description=str(inner.get("description", "")),
            required=name in required,
            schema=inner,
        )
        for name, inner in properties.items()
        if isinstance(inner, Mapping)
    )
