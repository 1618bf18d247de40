"""Tools in every form that providers use."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from leaderboard.files.tool_records import TOOLS, tool_from_record
from leaderboard.types import Parameter

SCHEMA = {
    "type": "object",
    "properties": {"value": {"type": "number", "description": "The length."}},
    "required": ["value"],
}
FLAT = [{"name": "value", "type": "number", "description": "The length."}]
WORDS = {"name": "convert", "description": "Converts."}


@pytest.mark.parametrize(
    "record",
    [
        {**WORDS, "parameters": FLAT},
        {**WORDS, "parameters": SCHEMA},
        {"type": "function", "function": {**WORDS, "parameters": SCHEMA}},
        {"type": "function", **WORDS, "parameters": SCHEMA, "strict": True},
        {**WORDS, "input_schema": SCHEMA},
    ],
    ids=["flat", "JSON Schema", "OpenAI chat", "OpenAI responses", "Anthropic"],
)
def test_every_form_gives_the_same_tool(record: dict[str, Any]) -> None:
    """Before and after validation: cases keep the record as it is."""
    (validated,) = TOOLS.validate_python([record])
    tools = [tool_from_record(given) for given in (record, validated)]

    assert tools[0] == tools[1]
    assert (tools[0].name, tools[0].description) == ("convert", "Converts.")
    assert tools[0].parameters == (
        Parameter("value", "number", "The length.", True, SCHEMA["properties"]["value"]),  # type: ignore[index]
    )


@pytest.mark.parametrize("record", [{"function": {}}, {"function": "x"}, "x", {**WORDS}])
def test_what_is_no_tool_is_refused(record: Any) -> None:
    """A tool has a name, a description and parameters."""
    with pytest.raises(ValidationError):
        TOOLS.validate_python([record])


def test_a_parameter_without_one_type_has_any() -> None:
    """The forms of pydantic: an optional value, a model of its own, and a choice of types."""
    place = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    optional = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
    properties = {
        "days": optional,
        "place": {"$ref": "#/$defs/Place"},
        "size": {"type": ["integer", "string"]},
    }
    parameters = {"$defs": {"Place": place}, "type": "object", "properties": properties}
    tool = tool_from_record({**WORDS, "parameters": parameters})
    assert [(p.name, p.type, p.schema) for p in tool.parameters] == [
        ("days", "any", optional),
        ("place", "object", place),
        ("size", "any", properties["size"]),
    ]


def test_a_reference_that_leads_nowhere_is_refused() -> None:
    """The message names it."""
    parameters = {"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}}
    with pytest.raises(ValidationError, match="refers to '#/\\$defs/Gone'"):
        TOOLS.validate_python([{**WORDS, "parameters": parameters}])
