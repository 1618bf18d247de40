"""Tools in every form that providers use."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from leaderboard.files.findings import Findings
from leaderboard.files.tool_records import TOOLS, tool_from_record, warn_of_tool_keys
from leaderboard.types import Parameter
from tests.conftest import Folder
from tests.leaderboard.workspaces import load

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


MISSPELT: list[tuple[dict[str, Any], str, str]] = [
    ({**WORDS, "parameters": FLAT, "descripton": "x"}, "$[0].descripton", "'description'"),
    (
        {"function": {**WORDS, "parameters": SCHEMA, "parametrs": SCHEMA}},
        "$[0].function.parametrs",
        "'parameters'",
    ),
    (
        {**WORDS, "input_schema": {**SCHEMA, "requierd": []}},
        "$[0].input_schema.requierd",
        "'required'",
    ),
    (
        {**WORDS, "parameters": {**SCHEMA, "required": ["value", "values"]}},
        "$[0].parameters.required[1]",
        "'value'",
    ),
]


@pytest.mark.parametrize(("record", "at", "near"), MISSPELT)
def test_keys_without_effect_are_warnings(
    folder: Folder, record: dict[str, Any], at: str, near: str
) -> None:
    """Models would never be told what they hold."""
    tools = json.loads((folder.root / "datasets/small/tools.json").read_text())
    folder.write("datasets/small/tools.json", [record, *tools])
    (problem,) = load(folder).problems
    assert (problem.file, problem.at) == ("datasets/small/tools.json", at)
    assert problem.fix == f"did you mean {near}?"
    assert problem.severity == "warning"


def test_a_required_name_without_a_property_is_a_warning() -> None:
    """Requests leave it out. Schemas of other forms are not looked at."""
    findings = Findings("tools.json", b"[]")
    others = ({"required": "value"}, {"required": [1]}, {"type": "object"}, SCHEMA)
    for schema in others:
        warn_of_tool_keys({**WORDS, "parameters": schema}, findings, (0,))
    assert not findings.found
    schema = {**SCHEMA, "required": ["zzz"]}
    warn_of_tool_keys({**WORDS, "parameters": schema}, findings, (0,))
    (found,) = findings.found
    assert found.what == "has no effect: 'zzz' is not one of the properties"
    assert (found.fix, found.severity) == ("add it to properties, or remove it", "warning")
