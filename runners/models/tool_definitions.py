"""Definitions of tools, as each provider's API takes them.

Tools of imported suites contain Python's type names (`dict`, `float`, `tuple`, `any`) and keywords
of their own. Definitions contain only JSON Schema's types and keywords.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from leaderboard.types import Json, Tool

# Other names of JSON Schema's types.
_TYPES: Final[Mapping[str, str]] = {
    "dict": "object",
    "float": "number",
    "tuple": "array",
    "list": "array",
}

# The keywords that Gemini's Schema and JSON Schema share, in a spelling that both accept.
_SHARED: Final = frozenset(
    """
    description enum format default nullable pattern title minimum maximum minItems maxItems
    minLength maxLength
    """.split()  # noqa: SIM905 - a list of quoted words would fill the page
)
# JSON Schema's other keywords, by what they hold: a value, a schema, a list of schemas, or schemas
# by name.
_VALUES: Final = frozenset(
    """
    const examples multipleOf exclusiveMinimum exclusiveMaximum uniqueItems minProperties
    maxProperties minContains maxContains dependentRequired
    """.split()  # noqa: SIM905 - as above
)
_ONE: Final = frozenset(
    {"additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"}
)
_SEVERAL: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED: Final = frozenset({"patternProperties", "dependentSchemas"})
# What Gemini's Schema has besides.
_STRUCTURE: Final = frozenset({"type", "items", "properties", "required"})


def openai_definitions(tools: Iterable[Tool]) -> list[Json]:
    """`[{"type": "function", "function": {name, description, parameters}}, …]`."""
    definitions = []
    for tool in tools:
        function: dict[str, Json] = {"name": tool.name, "description": tool.description}
        function["parameters"] = _parameters(tool)
        definitions.append({"type": "function", "function": function})
    return definitions


def anthropic_definitions(tools: Iterable[Tool]) -> list[Json]:
    """`[{name, description, input_schema}, …]`."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": _parameters(tool)}
        for tool in tools
    ]


def gemini_definitions(tools: Iterable[Tool]) -> dict[str, Json]:
    """`{"function_declarations": [{name, description, parameters}, …]}`.

    `parameters` has the form of Gemini's Schema. A tool that needs more of JSON Schema has
    `parameters_json_schema`. Gemini refuses objects without properties, so these are left out.
    """
    declarations = []
    for tool in tools:
        declaration: dict[str, Json] = {"name": tool.name, "description": tool.description}
        schema = _parameters(tool)
        if _needs_json_schema(schema):
            declaration["parameters_json_schema"] = schema
        elif tool.parameters:
            declaration["parameters"] = _with_text_enums(schema)
        declarations.append(declaration)
    return {"function_declarations": declarations}


def _needs_json_schema(schema: Mapping[str, Json]) -> bool:
    """Whether a clean schema has anything that Gemini's Schema lacks, or means otherwise."""
    if not schema.keys() <= _SHARED | _STRUCTURE or isinstance(schema.get("type"), list):
        return True
    if "type" not in schema and not schema.keys().isdisjoint(_STRUCTURE):
        return True
    if "required" in schema and "properties" not in schema:
        return True
    return any(map(_needs_json_schema, _inner_schemas(schema)))


def _inner_schemas(schema: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    items = [schema["items"]] if "items" in schema else []
    return [*schema.get("properties", {}).values(), *items]


def _with_text_enums(schema: Mapping[str, Json]) -> dict[str, Json]:
    """A clean schema without enums that have anything but texts, which Gemini's Schema refuses."""
    kept = dict(schema)
    enum = schema.get("enum")
    if isinstance(enum, list) and not all(isinstance(value, str) for value in enum):
        del kept["enum"]
    if "items" in schema:
        kept["items"] = _with_text_enums(schema["items"])
    if "properties" in schema:
        inner = schema["properties"].items()
        kept["properties"] = {name: _with_text_enums(declared) for name, declared in inner}
    return kept


def _parameters(tool: Tool) -> dict[str, Json]:
    schemas = {parameter.name: json_schema(parameter.schema) for parameter in tool.parameters}
    required = [parameter.name for parameter in tool.parameters if parameter.required]
    return {"type": "object", "properties": schemas, "required": required}


def json_schema(schema: Json) -> Any:
    """Translates a schema without references, nested ones included, into JSON Schema.

    Its keywords are kept, and others left out. A schema may be true or false.
    """
    if not isinstance(schema, Mapping):
        return schema
    kinds = _types(schema.get("type"))
    clean: dict[str, Json] = {}
    if kinds:
        clean["type"] = kinds if isinstance(schema["type"], list) else kinds[0]
    for key, value in schema.items():
        if key in _SHARED or key in _VALUES:
            clean[key] = value
        elif key in _ONE:
            clean[key] = json_schema(value)
        elif key in _NAMED and isinstance(value, Mapping):
            clean[key] = {name: json_schema(inner) for name, inner in value.items()}
        elif key in _SEVERAL and isinstance(value, list):
            clean[key] = list(map(json_schema, value))
    items = schema.get("items")
    # Providers refuse an array that says nothing about its items.
    if "array" in kinds or (not kinds and isinstance(items, Mapping)):
        clean["items"] = json_schema(items if isinstance(items, Mapping) else {})
    if not kinds or "object" in kinds:
        clean |= _members(schema)
    return clean


def _types(declared: Json) -> list[str]:
    """JSON Schema's names of these types; none for "any"."""
    given = declared if isinstance(declared, list) else [declared]
    names = [name for name in given if isinstance(name, str)]
    return [] if "any" in names else [_TYPES.get(name, name) for name in names]


def _members(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The `properties` and `required` of a schema."""
    properties, required = schema.get("properties"), schema.get("required")
    members: dict[str, Json] = {}
    if isinstance(properties, Mapping):
        declared = {name: inner for name, inner in properties.items() if isinstance(inner, Mapping)}
        members["properties"] = {name: json_schema(inner) for name, inner in declared.items()}
    if isinstance(required, list):
        # Gemini refuses a required name without a property.
        known = members.get("properties", required)
        members["required"] = [name for name in required if name in known]
    return members
