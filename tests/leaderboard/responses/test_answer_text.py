"""Final answers, however they are written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from leaderboard.responses.answer_text import answer_text
from tests.each_row import each_row
from tests.leaderboard.responses.any_json import JSON

OUTPUTS = {
    "text": ("Lima", "Lima"),
    "null": (None, None),
    "no block": ([], ""),
    "text blocks": ([{"type": "text", "text": "Li"}, {"type": "text", "text": "ma"}], "Lima"),
    "other blocks beside": (
        [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Lima"},
            {"type": "tool_use"},
        ],
        "Lima",
    ),
    "reasoning with text": ([{"type": "reasoning", "text": "hm"}, "Lima"], "Lima"),
    "one block": ({"type": "text", "text": "Lima"}, "Lima"),
    "number": (6.2, "6.2"),
    "truth": (True, "true"),
    "list of numbers": ([1, 2], "[1,2]"),
    "object": ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
    "long integer": (10**30, "1" + "0" * 30),
}


@each_row(("output", "text"), OUTPUTS.values())
def test_an_answer_is_text(output: Any, text: str | None) -> None:
    """Text stays, content blocks are joined, other values become JSON, null is no answer."""
    assert text == answer_text(output)


@pytest.mark.large
@given(JSON)
def test_no_answer_raises(output: Any) -> None:
    """Any JSON is text or no answer."""
    assert isinstance(answer_text(output), str | None)
