"""Calls in texts."""

from __future__ import annotations

import json
import time

import pytest

from leaderboard.responses.forms.texts_with_calls import (
    calls_in_answer,
    calls_in_text,
    looks_like_call,
)
from leaderboard.responses.model_texts import answer_in_text
from leaderboard.types import Json, Tool
from tests.each_row import each_row

CALL = {"name": "add", "arguments": {"a": 1}}
ADD = json.dumps(CALL)
OTHER = {"name": "add", "arguments": {"a": 2}}
TAGGED = '<function=add>{"a": 1}</function>'
NAMED = 'add[ARGS]{"a": 1}'
INVOKED = '<invoke name="add">\n<parameter name="a">1</parameter>\n</invoke>'
DEEPSEEK = '<｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>'
HARMONY = '<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 1}<|call|>'
UNREAD = "<tool_call>?</tool_call>"
CODE = "Before:\n\n```python\n1 + 1\n```"


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
        (f"I add. [TOOL_CALLS]{NAMED}[TOOL_CALLS]{NAMED}", [CALL, CALL], "I add."),
        (f"<|tool_call|>[{ADD}]<|/tool_call|>", [CALL], None),
        (f"I add.\n<function_calls>\n{INVOKED}\n</function_calls>", [CALL], "I add."),
        (f"<function_calls>{INVOKED}{INVOKED}</function_calls>", [CALL, CALL], None),
        (f"<｜tool▁calls▁begin｜>{DEEPSEEK}\n{DEEPSEEK}<｜tool▁calls▁end｜>", [CALL, CALL], None),
        (f"I add. {HARMONY}", [CALL], "I add."),
        (f"<|start|>assistant{HARMONY}<|start|>assistant{HARMONY}", [CALL, CALL], None),
        (f"I add.<|end|><|start|>assistant{HARMONY}", [CALL], "I add."),
        (f"{ADD}<|eom_id|>", [CALL], None),
        (f"I add.\n\n{ADD}<|im_end|>\n<|endoftext|>\n", [CALL], "I add."),
        ("It is 3.<|im_end|>", [], "It is 3.<|im_end|>"),
        (f"<tool_call>{NAMED}</tool_call> <tool_call>?</tool_call>", [CALL], UNREAD),
        (NAMED, [], NAMED),
        ("[TOOL_CALLS]other[ARGS]{}", [], "[TOOL_CALLS]other[ARGS]{}"),
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
    ("text", "calls", "rest"),
    [
        (f"<think>Hm.</think>I add.\n\n{ADD}<|im_end|>", [CALL], "I add."),
        (f"<think>I add.\n<tool_call>{ADD}</tool_call>", [CALL], None),
        (f"<think>I add.\n\n{ADD}", [CALL], None),
        ("<think>I could add, or", [], None),
        (f"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant{HARMONY}", [CALL], None),
    ],
)
def test_calls_are_read_beside_thoughts_and_in_those_that_never_end(
    text: str, calls: list[Json], rest: str | None
) -> None:
    """A model that calls a tool has ended its thoughts, with or without their tag."""
    found, others = calls_in_answer(answer_in_text(text), text, (Tool("add", "", ()),))

    assert [{"name": call.name, "arguments": call.arguments} for call in found] == calls
    assert others == rest


@each_row(
    ("text", "looks"),
    [
        ("Thought: a sum.\nAction: add\nAction Input: {}", True),
        ("```tool_code\nprint(default_api.add(a=b))\n```", True),
        ('functools[{"name": "x"}]', True),
        (f"{ADD}; {ADD}", True),
        ('{"action": "clock.now", "action_input": {}}', True),
        ('{"name": "functions.clock_now", "arguments": {}}', True),
        ("{'add': {'a': 1}}", True),
        ("{“add”: {“a”: 1}}", True),
        ("<tool_call>other</tool_call>", True),
        ("<|tool_call>call:other{}", True),
        ("to=functions.other", True),
        ("I can add (or not) with add, or 'add'.", False),
        ("Action: other", False),
        ("readd(1)", False),
        ("Use `add(1)`:\ndef add(a):\n    return a + 1", False),
        ("Here it is:\n```python\nadd(1)\n```\nThat adds 1.", True),
        ('{"other": {"a": 1}}', False),
    ],
)
def test_calls_that_are_left_in_texts_are_noticed(text: str, looks: bool) -> None:
    """By what models write around any call, or by the name of an offered tool in a call."""
    assert looks_like_call(text, (Tool("add", "", ()), Tool("clock.now", "", ()))) == looks


@each_row(
    "text",
    [
        *("```" + "\n" * 50_000 + "x", "```json\n" * 50_000, " ```" * 50_000),
        *("<function=" * 20_000, "<function_calls>\n" * 20_000, "<|channel|>a" * 20_000),
        *('<invoke name="' * 20_000, "[TOOL_CALLS]" * 20_000, "<|call|>" * 20_000 + "x"),
        *("to=functions." * 20_000, "<tool_call>" + "\n" * 100_000 + "x"),
    ],
)
@pytest.mark.large
def test_what_never_ends_takes_linear_time(text: str) -> None:
    """A text that opens a block ten thousand times is read once."""
    start = time.process_time()

    assert calls_in_text(text, (Tool("add", "", ()),)) == ((), text)
    looks_like_call(text, (Tool("add", "", ()),))
    assert time.process_time() - start < 2
