"""Samples of Inspect logs. `perfect_answers.py` has a whole log."""

from __future__ import annotations

from typing import Any

from leaderboard.responses.forms.inspect_logs import read_sample
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.types import Json
from tests.each_row import each_row

ASKED = {"role": "user", "content": "How far?"}


def sample(*messages: Json, output: Json = None, **more: Json) -> dict[str, Any]:
    return {"id": "1", "epoch": 1, "messages": [ASKED, *messages], "output": output or {}, **more}


def used(tokens: int) -> dict[str, int]:
    return {"input_tokens": tokens, "output_tokens": 1}


def calling(name: str, **arguments: Json) -> Json:
    call = {"id": "c", "function": name, "arguments": arguments}
    return {"role": "assistant", "content": "", "tool_calls": [call]}


def test_the_submitted_answer_is_the_text() -> None:
    """Agents of Inspect call `submit`, which is no tool of an environment."""
    messages = [calling("look"), {"role": "tool", "content": "3"}, calling("submit", answer="3 m")]
    for output in ({"completion": "3 m"}, {}):
        answer = read_sample(sample(*messages, output=output)).answer
        assert isinstance(answer, ProviderReply)
        looking, submitting = answer.turns
        assert [call.name for call in looking.reply.calls] == ["look"]
        assert (submitting.reply.text, submitting.reply.calls) == ("3 m", ())


def test_arguments_that_inspect_could_not_read_stay_unreadable() -> None:
    """Inspect writes {} in their place, which would pass for a tool that needs no arguments."""
    call = {"id": "c", "function": "look", "arguments": {}}
    for error, is_readable in (("Error parsing arguments: {oops", False), (None, True), ("", True)):
        said = {"role": "assistant", "content": "", "tool_calls": [{**call, "parse_error": error}]}
        answer = read_sample(sample(said)).answer
        assert isinstance(answer, ProviderReply)
        (read,) = answer.turns[0].reply.calls
        assert (read.arguments, read.problem is None) == ({} if is_readable else error, is_readable)


@each_row(
    ("row", "tokens"),
    [
        (sample(output={"usage": used(5)}), 5),
        (sample(output={"usage": used(5)}, model_usage={"openai/m": used(20)}), 20),
        (sample(output={"model": "m"}, model_usage={"a/m": used(20), "a/grader": used(7)}), 20),
        (sample(output={"model": "x"}, model_usage={"a/m": used(20), "b/m": used(7)}), 27),
        (sample(), None),
    ],
)
def test_tokens_of_all_replies_are_counted(row: Json, tokens: int | None) -> None:
    """The output has those of the last reply only. Graders are left out where they are known."""
    usage = read_sample(row).extra.get("usage", {})

    assert usage.get("input_tokens") == tokens
