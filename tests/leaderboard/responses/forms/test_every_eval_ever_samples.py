"""Samples of Every Eval Ever: texts, calls as texts, and messages."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.responses.forms.every_eval_ever_samples import eee_form, read_eee
from leaderboard.responses.forms.foreign_records import ForeignRecord
from leaderboard.responses.forms.model_reply import UnreadableRecordError
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.types import Json
from tests.each_row import each_row

CALL = '{"name": "add", "arguments": {"a": 1}}'


def read(*texts: Json, count: Json = None, **more: Json) -> ForeignRecord:
    evaluation = {} if count is None else {"tool_calls_count": count}
    sample = {"sample_id": "c1", "evaluation": evaluation, "output": {"raw": list(texts)}}
    return read_eee({**sample, **more})


def said(record: ForeignRecord) -> tuple[str | None, list[tuple[str, Json]]]:
    """The text and the calls of a record with one turn."""
    assert isinstance(record.answer, ProviderReply)
    (turn,) = record.answer.turns
    return turn.reply.text, [(call.name, call.arguments) for call in turn.reply.calls]


def test_a_sample_is_recognised_by_its_fields() -> None:
    """Other records with an id are not samples."""
    row = {"schema_version": "0.3.0", "sample_id": "1", "interaction_type": "x", "evaluation": {}}

    assert eee_form(row) == "Every Eval Ever samples"
    assert eee_form({"sample_id": "1"}) is None


@each_row("count", [None, True, -1, 3, 1])
def test_without_a_count_that_fits_a_call_is_a_text(count: Json) -> None:
    """What looks like a call may be the answer. With a count of 1 the first text is no call."""
    assert read("No.", CALL, count=count).answer == f"No.\n\n{CALL}"


def test_counted_calls_come_first() -> None:
    """The texts after them are the answer."""
    assert said(read(CALL, "Done.", count=1)) == ("Done.", [("add", {"a": 1})])
    assert said(read(CALL, CALL, count=2)) == (None, [("add", {"a": 1})] * 2)


def test_messages_are_read_with_the_values_of_their_arguments() -> None:
    """Arguments are texts of JSON there. One that is not JSON stays a text."""
    arguments = {"n": "3", "word": "two words", "given": 4}
    calls = [{"id": "x", "name": "add", "arguments": arguments}, "odd"]
    called = {"role": "assistant", "content": None, "tool_calls": calls[:1]}
    messages: list[Any] = [
        {"role": "user", "content": "Add."},
        called,
        {"role": "tool", "tool_call_id": ["x"], "content": "7"},
        {"role": "tool", "tool_call_id": [], "content": "?"},
        {"role": "assistant", "content": "It is 7."},
    ]
    record = read(output=None, messages=messages)

    assert isinstance(record.answer, ProviderReply)
    first, last = record.answer.turns
    assert [call.arguments for call in first.reply.calls] == [{**arguments, "n": 3}]
    assert (first.observations, last.reply.text) == (("7",), "It is 7.")


def test_odd_messages_do_not_end_the_reading() -> None:
    """They are no answer, and that is said."""
    with pytest.raises(UnreadableRecordError, match="neither texts in"):
        read(output=None, messages=["x", {"role": "assistant", "tool_calls": ["odd"]}])


def test_the_question_is_the_input_alone() -> None:
    """A prompt around it is another text. An id may also be in the metadata."""
    record = read(
        "4",
        input={"raw": "Why?"},
        prompt="Answer: Why?",
        question="Which?",
        metadata={"case_id": "c2", "prompt": "Answer briefly.", "query": "Who?"},
    )

    assert (record.questions, record.ids) == (("Why?",), ("c1", "c2"))


def test_all_other_fields() -> None:
    """Trial, question, tokens, seconds, and an error in place of an answer."""
    record = read(
        error="lost",
        output=None,
        metadata={"trial": "2"},
        input={"raw": " Why? "},
        token_usage={"input_tokens": 3, "output_tokens": 4},
        performance={"latency_ms": 1500},
    )

    assert (record.ids, record.questions, record.trial) == (("c1",), ("Why?",), 2)
    assert (record.answer, record.error) == (None, "lost")
    assert record.extra == {"usage": {"input_tokens": 3, "output_tokens": 4}, "latency_s": 1.5}
