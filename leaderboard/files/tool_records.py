"""Tools in files: the flat form of tools.json, or a JSON Schema as in function calling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BeforeValidator, TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.field_types import CLOSED, DEFERRED, OPEN
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.schema_references import resolve_references
from leaderboard.files.shaped_files import warn_of_misspelt
from leaderboard.texts.near_names import nearest
from leaderboard.types import Json, Parameter, Tool

ANY_TYPE: Final = "any"  # of a parameter that may have several types, as with `anyOf`
_SCHEMA_KEYS: Final = ("type", "properties", "required")


@with_config(CLOSED)
class ParameterRecord(TypedDict):
    """A parameter in the flat form.

    - `name`: its name.
    - `type`: the type of its values.
    - `description`: what it means, for models.
    - `required`: whether a call must have it (default: true).
    """

    name: str
    type: Literal["string", "integer", "number", "boolean", "array", "object"]
    description: str
    required: NotRequired[bool]


@with_config(OPEN)
class ToolRecord(TypedDict):
    """A tool with flat parameters, or with a JSON Schema object.

    - `name`: the name that calls have.
    - `description`: what it does, for models.
    - `parameters`: a list of parameters, or a JSON Schema as in function calling.
    """

    name: str
    description: str
    parameters: list[ParameterRecord] | dict[str, Any]


def _own_form(record: Any) -> Any:
    """OpenAI's and Anthropic's form of a tool as a ToolRecord, its `$ref`s resolved.

    Others stay as they are. Raises ValueError for a reference that leads nowhere.
    """
    if isinstance(record, Mapping) and isinstance(record.get("function"), Mapping):
        record = record["function"]
    if isinstance(record, Mapping) and "input_schema" in record and "parameters" not in record:
        record = {**record, "parameters": record["input_schema"]}
    if isinstance(record, Mapping) and isinstance(record.get("parameters"), Mapping):
        record = {**record, "parameters": resolve_references(record["parameters"])}
    return record


AnyTool = Annotated[ToolRecord, BeforeValidator(_own_form)]

TOOLS: Final = TypeAdapter(list[AnyTool], config=DEFERRED)


def tool_from_record(record: Mapping[str, Json]) -> Tool:
    """The Tool of a validated record, in any of the forms."""
    record = _own_form(record)
    parameters = record["parameters"]
    read = _flat_parameters if isinstance(parameters, list) else _schema_parameters
    return Tool(record["name"], record["description"], read(parameters))


def warn_of_tool_keys(record: Mapping[str, Json], findings: Findings, at: At) -> None:
    """Warns of keys in a valid record, in any of the forms, that are misspelt or have no effect."""
    if isinstance(record.get("function"), Mapping):
        record, at = record["function"], (*at, "function")
    warn_of_misspelt(record, ToolRecord.__annotations__, findings, at)
    key = "parameters" if "parameters" in record else "input_schema"
    if isinstance(record[key], Mapping):
        _warn_of_schema(record[key], findings, (*at, key))


def _warn_of_schema(schema: Mapping[str, Json], findings: Findings, at: At) -> None:
    warn_of_misspelt(schema, _SCHEMA_KEYS, findings, at)
    required, properties = schema.get("required"), schema.get("properties") or {}
    for place, name in enumerate(required if isinstance(required, list) else ()):
        if isinstance(name, str) and name not in properties:
            near = nearest(name, properties)
            fix = f"did you mean {near!r}?" if near else "add it to properties, or remove it"
            what = f"has no effect: {name!r} is not one of the properties"
            findings.add((*at, "required", place), what, fix, "warning")


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
            type=inner["type"] if isinstance(inner.get("type"), str) else ANY_TYPE,
            description=str(inner.get("description", "")),
            required=name in required,
            schema=inner,
        )
        for name, inner in properties.items()
        if isinstance(inner, Mapping)
    )
