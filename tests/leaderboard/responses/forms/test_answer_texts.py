"""Texts with thoughts and with calls."""

from __future__ import annotations

import json
import time

import pytest

from leaderboard.responses.forms.answer_texts import calls_in_text, without_thoughts
from leaderboard.types import Json, Tool
from tests.each_row import each_row

CALL = {"name": "add", "arguments": {"a": 1}}
ADD = json.dumps(CALL)
OTHER = {"name": "add", "arguments": {"a": 2}}
TAGGED = '<function=add>{"a": 1}</function>'
CODE = "Before:\n\n```python\n1 + 1\n```"


@each_row(
    ("text", "answer"),
    [
        ("<think>Hm.</think>It is 3.", "It is 3."),
        ("\n<think>\nHm.\n</think>\n\nIt is 3.\n", "It is 3."),
        ("<think>Hm.</think>", None),
        ("<think>Hm. It is", "<think>Hm. It is"),
        ("Hm.\n</think>\n\nIt is 3.", "It is 3."),
        ("Is </think> the end? Hm.\n</think>\n\nIt is 3.", "It is 3."),
        ("Hm.\n</think>", None),
        ("It is <think>3</think>.", "It is <think>3</think>."),
        (" It is 3. ", " It is 3. "),
        (None, None),
    ],
)
def test_thoughts_at_the_start_are_no_part_of_an_answer(
    text: str | None, answer: str | None
) -> None:
    """Without their end, all of the text may be thoughts, and stays.

    Their opening tag is not there if the chat template put it into the prompt.
    """
    assert without_thoughts(text) == answer


@each_row(
    ("text", "calls", "rest"),
    [
        (ADD, [CALL], None),
        (f"```json\n{json.dumps([CALL, CALL])}\n```", [CALL, CALL], None),
        (f"I add.\n\n{ADD}", [CALL], "I add."),
        (f"{ADD}\n{ADD}", [CALL, CALL], None),
        (f"I add.\n\n{ADD}\n{ADD}\n", [CALL, CALL], "I add."),
        (f"I add.\n\n```json\n{ADD}\n```\n\n{ADD}", [CALL, CALL], "I add."),
        (f"I add:\n```json\n{ADD}```", [CALL], "I add:"),
        (f"Before:\n```python\n1 + 1\n```\n```\n{ADD}\n```", [CALL], CODE),
        (f"For example:\n\n{ADD}\n\nYes?", [], f"For example:\n\n{ADD}\n\nYes?"),
        (f"```\n{ADD}\n```\nYes?", [], f"```\n{ADD}\n```\nYes?"),
        (f"{ADD}\n\nNo:\n\n{ADD}", [CALL], f"{ADD}\n\nNo:"),
        (f"{ADD}\n\n<tool_call>{json.dumps(OTHER)}</tool_call>\n\nYes?", [OTHER], f"{ADD}\n\nYes?"),
        (json.dumps({"tool_calls": [CALL, OTHER]}), [CALL, OTHER], None),
        (json.dumps({"name": "add", "parameters": {"a": 1}}), [CALL], None),
        (f"[TOOL_CALLS][{ADD}]", [CALL], None),
        (f"I add.\n\n<|python_tag|>{ADD}", [CALL], "I add."),
        (f"<tool_call>\n{ADD}\n</tool_call>", [CALL], None),
        (f"I add. <tool_call>{ADD}</tool_call>\n<tool_call>{ADD}", [CALL, CALL], "I add."),
        ("A <tool_call> is a tag.", [], "A <tool_call> is a tag."),
        ("I add.\n\n[add(a=1), add(a=2)]", [CALL, OTHER], "I add."),
        (f"I add. {TAGGED}", [CALL], "I add."),
        (f"I add. {TAGGED}\n{TAGGED} Yes?", [CALL, CALL], "I add.\n\nYes?"),
        (f"<tool_call>\n{TAGGED}\n</tool_call>", [CALL], None),
        ("See <function=add> here.", [], "See <function=add> here."),
        (f"I add:\n{ADD}", [], f"I add:\n{ADD}"),
        (json.dumps({**CALL, "name": "other"}), [], json.dumps({**CALL, "name": "other"})),
        (None, [], None),
    ],
)
def test_calls_of_offered_tools_are_read_from_texts(
    text: str | None, calls: list[Json], rest: str | None
) -> None:
    """As a whole, in a fence, in tags, as a paragraph or lines.

    Calls of other tools stay text, and so do calls before other words: these may be examples.
    """
    found, others = calls_in_text(text, (Tool("add", "", ()),))

    assert [{"name": call.name, "arguments": call.arguments} for call in found] == calls
    assert others == rest


@each_row(
    "text",
    ["```" + "\n" * 50_000 + "x", "```json\n" * 50_000, " ```" * 50_000, "<function=" * 20_000],
)
@pytest.mark.large
def test_what_never_ends_takes_linear_time(text: str) -> None:
    """A text that opens a block ten thousand times is read once."""
    start = time.process_time()

    assert calls_in_text(text, (Tool("add", "", ()),)) == ((), text)
    assert time.process_time() - start < 2
