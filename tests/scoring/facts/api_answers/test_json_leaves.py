"""The values at the ends of JSON."""

from __future__ import annotations

from scoring.facts.api_answers.json_leaves import leaves, objects


def test_values_come_in_order_without_keys_and_null() -> None:
    """However deep they are, and also one that is in no list."""
    assert [*leaves({"a": [1, {"b": "two"}, None], "c": (False, [])})] == [1, "two", False]
    assert [*leaves("one")] == ["one"]
    assert [*leaves(None)] == []


def test_objects_come_before_those_inside() -> None:
    """Also those in lists."""
    inner = {"b": 1}
    outer = {"a": [inner, 2], "c": None}
    assert [*objects([outer, "three"])] == [outer, inner]
