"""References of JSON Schemas, replaced by what they name."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.files.schema_references import resolve_references


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


@pytest.mark.parametrize("reference", ["#/$defs/Gone", "#", "https://example.org/x", "#/$defs/n/x"])
def test_a_reference_that_leads_nowhere_is_an_error(reference: str) -> None:
    """The error names it."""
    with pytest.raises(ValueError, match=r"the schema refers to '.*', which it does not define"):
        resolve_references({"$defs": {"n": 1}, "items": {"$ref": reference}})


def test_definitions_that_double_are_an_error() -> None:
    """Thirty definitions that refer to the next one twice would become a billion schemas."""
    definitions: dict[str, Any] = {"30": {}}
    for number in range(30):
        definitions[str(number)] = {"anyOf": [{"$ref": f"#/$defs/{number + 1}"}] * 2}
    with pytest.raises(ValueError, match="more than 1,000 references"):
        resolve_references({"$defs": definitions, "items": {"$ref": "#/$defs/0"}})


def test_definitions_that_nest_without_end_are_an_error() -> None:
    """A chain of definitions makes a schema that is deeper than any file may be."""
    definitions: dict[str, Any] = {"900": {}}
    for number in range(900):
        definitions[str(number)] = {"items": {"$ref": f"#/$defs/{number + 1}"}}
    with pytest.raises(ValueError, match="nested more than"):
        resolve_references({"$defs": definitions, "items": {"$ref": "#/$defs/0"}})
