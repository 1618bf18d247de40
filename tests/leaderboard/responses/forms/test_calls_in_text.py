"""Tool calls in texts."""

from __future__ import annotations

import json

import pytest

from leaderboard.responses.forms.calls_in_text import calls_in_text
from leaderboard.types import Json, Tool

CALL = {"name": "add", "arguments": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "calls", "rest"),
    [
        (json.dumps(CALL), [CALL], None),
        (f"```json\n{json.dumps([CALL, CALL])}\n```", [CALL, CALL], None),
        (f"I add.\n\n{json.dumps(CALL)}", [CALL], "I add."),
        (json.dumps({**CALL, "name": "other"}), [], json.dumps({**CALL, "name": "other"})),
        (None, [], None),
    ],
)
def test_calls_of_offered_tools_are_read_from_texts(
    text: str | None, calls: list[Json], rest: str | None
) -> None:
    """As a whole, in a fence, or as a paragraph. A call of another tool stays text."""
    found, others = calls_in_text(text, (Tool("add", "", ()),))

    assert [{"name": call.name, "arguments": call.arguments} for call in found] == calls
    assert others == rest
