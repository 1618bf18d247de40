"""References of JSON Schemas, replaced by what they name."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.files.schema_references import resolve_references
from tests.each_row import each_row


def test_a_reference_becomes_its_definition() -> None:
    """Definitions are found by their path, also inside each other. Keys beside a reference win."""
    place = {"type": "object", "properties": {"city": {"$ref": "#/definitions/a~1b"}}}
    schema = {
        "$defs": {"Place": place},
        "definitions": {"a/b": {"type": "string", "description": "A city."}},
        "properties": {
            "from": {"$ref": "#/$defs/Place"},
            "stops": {"type": "array", "items": {"$ref": "#/$defs/Place", "description": "One."}},
            "$ref": {"type": "string"},
        },
    }
    city = {"type": "string", "description": "A city."}
    resolved = {"type": "object", "properties": {"city": city}}
    assert resolve_references(schema) == {
        "properties": {
            "from": resolved,
            "stops": {"type": "array", "items": {**resolved, "description": "One."}},
            "$ref": {"type": "string"},
        }
    }


def test_a_definition_inside_itself_accepts_anything() -> None:
    """A tree is shown to its first level."""
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}
    found = resolve_references({"$defs": {"Tree": tree}, "items": {"$ref": "#/$defs/Tree"}})
    assert found == {"items": {"type": "object", "properties": {"left": {}}}}
    schema = {"properties": {"next": {"$ref": "#", "description": "The next one."}}}
    assert resolve_references(schema) == {"properties": {"next": {"description": "The next one."}}}


@each_row(
    "reference",
    ["#/x/0", "#/$defs/My%20T", "#/$defs/My T", "#/%24defs/My%20T"],
)
def test_the_path_of_a_reference_may_have_places_and_escapes(reference: str) -> None:
    """Items of lists are counted from 0, and characters may be escaped as in addresses."""
    text = {"type": "string"}
    found = resolve_references({"x": [text], "$defs": {"My T": text}, "not": {"$ref": reference}})
    assert text == found["not"]


def test_a_schema_may_be_a_reference_itself() -> None:
    """As for a tool whose arguments refer to themselves."""
    node = {"properties": {"next": {"$ref": "#/$defs/Node"}}}
    found = resolve_references({"$ref": "#/$defs/Node", "$defs": {"Node": node}})
    assert found == {"properties": {"next": {}}}


@each_row("key", ["const", "default", "enum", "example", "examples"])
def test_a_value_has_no_references(key: str) -> None:
    """It may be an object with this key. A property with the name of such a key is a schema."""
    value = [{"$ref": "#/elsewhere", "properties": {"a": {"$ref": "b"}}}]
    text = {"type": "string"}
    schema = {"items": {key: value}, "properties": {key: {"$ref": "#/$defs/Text"}}}
    found = resolve_references({**schema, "$defs": {"Text": text}})
    assert found == {"items": {key: value}, "properties": {key: text}}


@each_row("reference", ["#/$defs/Gone", "#/x/2", "#/x/a", "https://example.org/x", "#/$defs/n/x"])
def test_a_reference_that_leads_nowhere_is_an_error(reference: str) -> None:
    """The error names it."""
    with pytest.raises(ValueError, match=r"the schema refers to '.*', which it does not define"):
        resolve_references({"$defs": {"n": 1}, "x": [{}, 1], "items": {"$ref": reference}})


@pytest.mark.large
def test_definitions_that_double_are_an_error() -> None:
    """Thirty definitions that refer to the next one twice would become a billion schemas."""
    definitions: dict[str, Any] = {"30": {}}
    for number in range(30):
        definitions[str(number)] = {"anyOf": [{"$ref": f"#/$defs/{number + 1}"}] * 2}
    with pytest.raises(
        ValueError, match="more than 100,000 values once its references are replaced"
    ):
        resolve_references({"$defs": definitions, "items": {"$ref": "#/$defs/0"}})


@pytest.mark.large
def test_a_large_definition_that_is_repeated_is_an_error() -> None:
    """Not the references are counted, but what they add up to."""
    few: dict[str, Any] = {"enum": list(range(10))}
    properties = {str(number): {"$ref": "#/$defs/Few"} for number in range(2000)}
    found = resolve_references({"$defs": {"Few": few}, "properties": properties})
    assert dict.fromkeys(properties, few) == found["properties"]
    many = {"enum": list(range(100))}
    with pytest.raises(ValueError, match="more than 100,000 values"):
        resolve_references({"$defs": {"Few": many}, "properties": properties})


def test_definitions_that_nest_without_end_are_an_error() -> None:
    """A chain of definitions makes a schema that is deeper than any file may be."""
    definitions: dict[str, Any] = {"900": {}}
    for number in range(900):
        definitions[str(number)] = {"items": {"$ref": f"#/$defs/{number + 1}"}}
    with pytest.raises(ValueError, match="nested more than"):
        resolve_references({"$defs": definitions, "items": {"$ref": "#/$defs/0"}})
