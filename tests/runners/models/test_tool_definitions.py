"""Definitions of tools: both SDKs accept them, even where a suite has its own names of types."""

from __future__ import annotations

import warnings
from typing import Any

from openai.types.chat import ChatCompletionFunctionToolParam
from pydantic import TypeAdapter

from leaderboard.files.tool_records import tool_from_record
from leaderboard.types import Tool
from runners.models.tool_definitions import (
    anthropic_definitions,
    gemini_definitions,
    json_schema,
    openai_definitions,
)

FLAT = {
    "name": "book_table",
    "description": "Books a table.",
    "parameters": [
        {"name": "place", "type": "string", "description": "Where.", "required": True},
        {"name": "seats", "type": "integer", "description": "How many.", "required": False},
    ],
}
FOREIGN = {
    "name": "mean.of",
    "description": "The mean.",
    "parameters": {
        "type": "dict",
        "properties": {
            "numbers": {"type": "array", "items": {"type": "float"}, "description": "The numbers."},
            "corner": {
                "type": "tuple",
                "items": {"type": "float"},
                "description": "A point.",
                "optional": True,
            },
            "options": {
                "type": "dict",
                "properties": {"exact": {"type": "boolean"}, "enum": {"type": "string"}},
                "required": ["exact", "gone"],
            },
            "level": {"type": "integer", "enum": [1, 2]},
            "mode": {"type": "string", "enum": ["fast", "slow"]},
            "extra": {"type": "any", "description": "Whatever."},
        },
        "required": ["numbers"],
    },
}

# What pydantic writes for a model with an optional and a nested member, and what others add.
RICH = {
    "name": "travel",
    "description": "Plans a journey.",
    "parameters": {
        "$defs": {
            "Place": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "zip": {"type": ["string", "null"]}},
                "required": ["city"],
                "additionalProperties": False,
            }
        },
        "type": "object",
        "properties": {
            "to": {"$ref": "#/$defs/Place"},
            "days": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
            "unit": {"const": "km", "vendor": 1},
            "prices": {"type": "dict", "additionalProperties": {"type": "float"}},
            "either": {"oneOf": [{"required": ["a"]}, {"properties": {"b": {"type": "tuple"}}}]},
        },
        "required": ["to"],
    },
}
PLACE = RICH["parameters"]["$defs"]["Place"]  # type: ignore[index]
RICH_SCHEMA = {
    "type": "object",
    "properties": {
        "to": PLACE,
        "days": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "unit": {"const": "km"},
        "prices": {"type": "object", "additionalProperties": {"type": "number"}},
        "either": {
            "oneOf": [{"required": ["a"]}, {"properties": {"b": {"type": "array", "items": {}}}}]
        },
    },
    "required": ["to"],
}


def tools(*records: dict[str, Any]) -> list[Tool]:
    return [tool_from_record(record) for record in records]


def test_openai_form_is_a_list_of_functions() -> None:
    """The OpenAI form wraps every tool as a function; optional parameters are not `required`."""
    expected = [
        {
            "type": "function",
            "function": {
                "name": "book_table",
                "description": "Books a table.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "place": {"type": "string", "description": "Where."},
                        "seats": {"type": "integer", "description": "How many."},
                    },
                    "required": ["place"],
                },
            },
        }
    ]
    assert openai_definitions(tools(FLAT)) == expected


def test_gemini_form_is_one_tool_with_declarations() -> None:
    """The Gemini form holds one declaration per tool, with the same schema as the OpenAI form."""
    functions = [definition["function"] for definition in openai_definitions(tools(FLAT))]
    assert gemini_definitions(tools(FLAT)) == {"function_declarations": functions}


def test_openai_types_accept_the_definitions() -> None:
    """The openai SDK's own type accepts the definitions, also those of foreign type names."""
    definitions = openai_definitions(tools(FLAT, FOREIGN))
    accepted = TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(
        definitions, strict=True
    )
    assert [tool["function"]["name"] for tool in accepted] == ["book_table", "mean.of"]


def test_gemini_types_accept_the_definitions() -> None:
    """The google-genai SDK's own type, which refuses unknown keywords, accepts the definitions."""
    with warnings.catch_warnings():
        # Python warns of an escape in that package's source when it compiles it.
        warnings.simplefilter("ignore", DeprecationWarning)
        from google.genai import types
    tool = types.Tool.model_validate(gemini_definitions(tools(FLAT, FOREIGN)))
    declarations = tool.function_declarations or []
    assert [declaration.name for declaration in declarations] == ["book_table", "mean.of"]
    schema = declarations[1].parameters
    assert schema is not None
    assert schema.properties is not None
    numbers = schema.properties["numbers"]
    assert (numbers.type, numbers.items and numbers.items.type) == (
        types.Type.ARRAY,
        types.Type.NUMBER,
    )
    assert schema.required == ["numbers"]


def test_foreign_schemas_are_translated() -> None:
    """Python's type names become JSON Schema's, and unknown keywords go."""
    properties = FOREIGN["parameters"]["properties"]  # type: ignore[index]
    assert {name: json_schema(schema) for name, schema in properties.items()} == {
        "numbers": {"type": "array", "description": "The numbers.", "items": {"type": "number"}},
        "corner": {"type": "array", "description": "A point.", "items": {"type": "number"}},
        "options": {
            "type": "object",
            "properties": {"exact": {"type": "boolean"}, "enum": {"type": "string"}},
            "required": ["exact"],
        },
        "level": {"type": "integer", "enum": [1, 2]},
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "extra": {"description": "Whatever."},
    }


def test_gemini_keeps_enums_of_words_only() -> None:
    """An enum of numbers is left out for Gemini; a parameter that is named enum stays."""
    properties = gemini_definitions(tools(FOREIGN))["function_declarations"][0]["parameters"][
        "properties"
    ]
    assert properties["level"] == {"type": "integer"}
    assert properties["mode"]["enum"] == ["fast", "slow"]
    assert properties["options"]["properties"]["enum"] == {"type": "string"}


def test_the_keywords_of_json_schema_are_kept() -> None:
    """Combinators, constants and nested models go out whole, in JSON Schema's names of types."""
    assert openai_definitions(tools(RICH))[0]["function"]["parameters"] == RICH_SCHEMA
    assert anthropic_definitions(tools(RICH))[0]["input_schema"] == RICH_SCHEMA


def test_gemini_gets_json_schema_where_its_own_schema_lacks_a_keyword() -> None:
    """A tool has one of the two forms, and the SDK's own type accepts both."""
    definitions = gemini_definitions(tools(RICH, FLAT))
    rich, flat = definitions["function_declarations"]
    assert (rich["parameters_json_schema"], "parameters" in rich) == (RICH_SCHEMA, False)
    assert "parameters_json_schema" not in flat
    with warnings.catch_warnings():
        # Python warns of an escape in that package's source when it compiles it.
        warnings.simplefilter("ignore", DeprecationWarning)
        from google.genai import types
    (accepted, _) = types.Tool.model_validate(definitions).function_declarations or []
    assert accepted.parameters_json_schema == RICH_SCHEMA
