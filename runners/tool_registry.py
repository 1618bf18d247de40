"""The tool registry: tools by name, and the definitions each provider's API wants of them.

Tools of imported suites write Python's type names (`dict`, `float`, `tuple`, `any`) and further keys into their schemas;
definitions hold JSON Schema's own words and the keywords that both providers know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.types import Json, Tool

# How other systems call JSON Schema's types. "any" is no type at all: the keyword is left out.
_TYPES: Final = MappingProxyType(
    {"dict": "object", "float": "number", "tuple": "array", "list": "array", "any": None}
)

# What Gemini's Schema and JSON Schema have in common, spelled as both accept it.
_KEYWORDS: Final = frozenset(
    (
        *(
            "description",
            "enum",
            "format",
            "default",
            "nullable",
            "pattern",
            "title",
            "minimum",
            "maximum",
        ),
        *("minItems", "maxItems", "minLength", "maxLength"),
    )
)


class ToolRegistry:
    """Tools in the order they were registered, each name once."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> None:
        """Adds a tool. Raises ValueError when the name is taken: a silent replacement would change what models are shown."""
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is registered already")
        self._tools[tool.name] = tool

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def definitions(self, provider: str) -> Json:
        """The tools as a request carries them, in plain JSON.

        "openai": a list of `{"type": "function", "function": {name, description, parameters}}`;
        "gemini": one `{"function_declarations": [{name, description, parameters}, ...]}`.
        Raises ValueError for another provider.
        """
        try:
            define = _DEFINITIONS[provider]
        except KeyError:
            raise ValueError(
                f"no definitions for provider {provider!r}; there are: {', '.join(_DEFINITIONS)}"
            ) from None
        return define(tuple(self))


def openai_definitions(tools: Iterable[Tool]) -> list[Json]:
    """Tools in the form of OpenAI's chat completions."""
    return [{"type": "function", "function": _declaration(tool)} for tool in tools]


def gemini_definitions(tools: Iterable[Tool]) -> dict[str, Json]:
    """Tools in the form of Gemini's function declarations. Gemini's `enum` holds strings only; another enum is left out."""
    return {"function_declarations": [_strings_only(_declaration(tool)) for tool in tools]}


_DEFINITIONS: Final[Mapping[str, Callable[[Iterable[Tool]], Json]]] = MappingProxyType(
    {"openai": openai_definitions, "gemini": gemini_definitions}
)


def _declaration(tool: Tool) -> dict[str, Json]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": {
            "type": "object",
            "properties": {
                parameter.name: json_schema(parameter.schema) for parameter in tool.parameters
            },
            "required": [parameter.name for parameter in tool.parameters if parameter.required],
        },
    }


def json_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """A parameter's schema in JSON Schema's words: types translated, unknown keywords left out, nested schemas likewise."""
    clean: dict[str, Json] = {}
    declared = schema.get("type")
    kind = _TYPES.get(declared, declared) if isinstance(declared, str) else None
    if kind is not None:
        clean["type"] = kind
    clean |= {key: value for key, value in schema.items() if key in _KEYWORDS}
    if kind == "array":
        items = schema.get("items")
        clean["items"] = json_schema(items) if isinstance(items, Mapping) else {}
    properties = schema.get("properties")
    if kind == "object" and isinstance(properties, Mapping):
        clean["properties"] = {
            name: json_schema(inner)
            for name, inner in properties.items()
            if isinstance(inner, Mapping)
        }
        required = schema.get("required")
        if isinstance(required, list):
            clean["required"] = [name for name in required if name in clean["properties"]]
    return clean


def _strings_only(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_strings_only(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _strings_only(inner)
        for key, inner in schema.items()
        if key != "enum" or _is_words(inner)
    }


def _is_words(enum: Json) -> bool:
    return not isinstance(enum, list) or all(isinstance(value, str) for value in enum)
