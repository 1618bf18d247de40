"""Answers in several fields of a record that are the same, or not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leaderboard.responses.forms.call_syntax import listed_calls
from leaderboard.responses.forms.model_reply import Reply, UnreadableRecordError
from leaderboard.responses.forms.provider_replies import single_reply
from leaderboard.responses.forms.same_answers import refuse_different
from leaderboard.types import Json
from tests.each_row import each_row

ADD = {"name": "add", "arguments": {"a": 1}}
HALVE = {"name": "math_halve", "arguments": {}}
TAGGED = f"<tool_call>{json.dumps(ADD)}</tool_call>"
CHANNELS = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"


def compare(text: str | None, calls: Json, others: dict[str, Any]) -> None:
    """Compares a reply with the text and the calls of other fields."""
    reply = single_reply("replies", Reply(text, listed_calls(calls) or ()))
    beside = {place: listed_calls(others[place]) or () for place in ["calls"] if place in others}
    texts = {place: others[place] for place in ["text"] if place in others}
    refuse_different({"reply": reply}, texts, beside)


@each_row(
    ("text", "calls", "others"),
    [
        ("<think>hm</think>Paris", [], {"text": "Paris"}),
        ("Paris", [], {"text": "hm</think> Paris"}),
        ("Paris is nice<|im_end|>", [], {"text": "Paris is nice"}),
        (f"{CHANNELS}Paris<|return|>", [], {"text": "Paris"}),
        (TAGGED, [], {"calls": ADD}),
        (f"<think>hm</think>{TAGGED}<|im_end|>", [], {"calls": ADD, "text": TAGGED}),
        (f"Let me see.\n{TAGGED}", [], {"calls": ADD, "text": "Let me see."}),
        (None, [ADD, HALVE], {"calls": ADD}),
        (None, [ADD, HALVE], {"calls": [ADD, HALVE]}),
        (None, HALVE, {"calls": {"name": "math.halve", "arguments": {}}}),
        (None, {"name": "add", "arguments": "{bad"}, {"calls": {"name": "add", "arguments": {}}}),
        (None, {"name": "add", "arguments": "{bad"}, {"calls": {"name": "add", "args": "{b"}}),
    ],
)
def test_one_answer_may_be_written_in_several_ways(
    text: str | None, calls: Json, others: dict[str, Any]
) -> None:
    """As the server sent it, and as a harness read it: without thoughts and tokens, as calls."""
    compare(text, calls, others)


@each_row(
    ("text", "calls", "others", "kind"),
    [
        ("<think>Paris</think>Rome", [], {"text": "Paris"}, "texts"),
        (f"{CHANNELS}Rome<|return|>", [], {"text": "hm"}, "texts"),
        ("Rome<|im_end|>", [], {"text": "Paris"}, "texts"),
        (TAGGED, [], {"calls": {"name": "add", "arguments": {"a": 2}}}, "calls"),
        (f"Let me see.\n{TAGGED}", [], {"calls": ADD, "text": "No."}, "texts"),
        (None, ADD, {"text": "Paris"}, "texts"),
        (None, ADD, {"calls": [ADD, HALVE]}, "calls"),
        ("Paris", [], {"calls": ADD}, "calls"),
        (None, {"name": "add", "arguments": "{bad"}, {"calls": ADD}, "calls"),
        (None, {"name": "add", "arguments": "{bad"}, {"calls": HALVE}, "calls"),
    ],
)
def test_another_answer_is_refused(
    text: str | None, calls: Json, others: dict[str, Any], kind: str
) -> None:
    """One of the two may be the expected answer."""
    with pytest.raises(UnreadableRecordError, match=f"has different {kind} in 'reply' and"):
        compare(text, calls, others)


def test_without_a_reply_one_of_several_calls_is_another_answer() -> None:
    """Any of two call fields may hold what is expected."""
    both, one = listed_calls([ADD, HALVE]) or (), listed_calls(ADD) or ()
    with pytest.raises(UnreadableRecordError, match="different calls in 'calls' and 'tool_calls'"):
        refuse_different({}, {}, {"calls": both, "tool_calls": one})
