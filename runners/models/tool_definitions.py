"""Definitions of tools, as each provider's API takes them.

Tools of imported suites contain Python's type names (`dict`, `float`, `tuple`, `any`) and keywords
of their own. Definitions contain JSON Schema's types and the keywords that both providers know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.types import Json, Tool

# Other names of JSON Schema's types. "any" has no type, so the keyword is left out.
_TYPES: Final = MappingProxyType(
    {"dict": "object", "float": "number", "tuple": "array", "list": "array", "any": None}
)

# The keywords that Gemini's Schema and JSON Schema share, in a spelling that both accept.
_KEYWORDS: Final = frozenset(
    """
    description enum format default nullable pattern title minimum maximum minItems maxItems
    minLength maxLength
    """.split()  # noqa: SIM905 - a list of quoted words would fill the page
)


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

    Gemini refuses enums of numbers and objects without properties, so both are left out.
    """
    declarations = []
    for tool in tools:
        declaration: dict[str, Json] = {"name": tool.name, "description": tool.description}
        if tool.parameters:
            declaration["parameters"] = _parameters(tool, text_enums=True)
        declarations.append(declaration)
    return {"function_declarations": declarations}


def _parameters(tool: Tool, *, text_enums: bool = False) -> dict[str, Json]:
    schemas = {p.name: json_schema(p.schema, text_enums=text_enums) for p in tool.parameters}
    required = [p.name for p in tool.parameters if p.required]
    return {"type": "object", "properties": schemas, "required": required}


def json_schema(schema: Mapping[str, Json], *, text_enums: bool = False) -> dict[str, Json]:
    """Translates a parameter's schema, nested schemas included, into JSON Schema.

    `text_enums` leaves out enums that contain anything else than texts.
    """
    declared = schema.get("type")
    kind = _TYPES.get(declared, declared) if isinstance(declared, str) else None
    clean: dict[str, Json] = {} if kind is None else {"type": kind}
    clean |= {key: value for key, value in schema.items() if key in _KEYWORDS}
    enum = clean.get("enum")
    if text_enums and isinstance(enum, list) and not all(isinstance(value, str) for value in enum):
        del clean["enum"]
    # Both providers refuse an array that says nothing about its items.
    if kind == "array":
        items = schema.get("items")
        inner = items if isinstance(items, Mapping) else {}
        clean["items"] = json_schema(inner, text_enums=text_enums)
    properties = schema.get("properties")
    if kind == "object" and isinstance(properties, Mapping):
        clean["properties"] = {
            name: json_schema(inner, text_enums=text_enums)
            for name, inner in properties.items()
            if isinstance(inner, Mapping)
        }
        # Gemini refuses a required name without a property.
        required = schema.get("required")
        if isinstance(required, list):
            clean["required"] = [name for name in required if name in clean["properties"]]
    return clean
