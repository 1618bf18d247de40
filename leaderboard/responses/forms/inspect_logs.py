"""Logs of Inspect (UK AI Security Institute): samples of an `.eval` archive or a `.json` log.

Source: inspect.aisi.org.uk/eval-logs.html, log version 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from leaderboard.responses.forms.foreign_records import (
    ForeignRecord,
    Row,
    error_text,
    trial_of,
    usage_fields,
)
from leaderboard.responses.forms.model_reply import (
    Turn,
    ending_of,
    first,
    member,
    text_of,
    total_tokens,
)
from leaderboard.responses.forms.provider_replies import ProviderReply, read_provider_reply
from leaderboard.types import Json

_ATTACHED: Final = "attachment://"


def inspect_form(row: Row) -> str | None:
    """The form's name for a sample of a log; None for other records."""
    is_sample = "messages" in row and "output" in row and ("epoch" in row or "target" in row)
    return "Inspect log" if is_sample else None


def read_sample(row: Row) -> ForeignRecord:
    """Reads one sample: its conversation, or its output alone if the log has no messages."""
    attachments = row.get("attachments")
    texts = attachments if isinstance(attachments, Mapping) else {}
    messages = _resolved(row.get("messages"), texts)
    answer: ProviderReply | str | None = read_provider_reply(messages)
    if isinstance(answer, ProviderReply):
        completion = _resolved(member(row.get("output"), "completion"), texts)
        if turns := _submitted(answer.turns, completion):
            answer = answer._replace(turns=turns, submits=True)
    else:
        output = _resolved(row.get("output"), texts)
        message = member(first(member(output, "choices")), "message")
        answer = read_provider_reply(message)
        answer = answer or text_of(member(output, "completion")) or ""
    error = error_text(member(row.get("output"), "error"))
    usages = _usages(row)
    extra = usage_fields(
        total_tokens(member(usage, "input_tokens") for usage in usages),
        total_tokens(member(usage, "output_tokens") for usage in usages),
        seconds=member(row, "working_time", "total_time"),
    )
    resolved = {**row, "input": _resolved(row.get("input"), texts)}
    trial = trial_of(row.get("epoch"))
    reason = member(first(member(row.get("output"), "choices")), "stop_reason")
    return ForeignRecord(
        resolved,
        answer,
        error,
        trial,
        extra,
        ending=ending_of(reason),
        late_error=error_text(row.get("error")),
    )


def _submitted(turns: tuple[Turn, ...], completion: Json) -> tuple[Turn, ...]:
    """The turns of an agent up to its first call of `submit`, Inspect's way to give the answer.

    Those after it are further attempts, which the user asked for. Returns () without such a call.
    """
    for number, turn in enumerate(turns, 1):
        calls = turn.reply.calls
        is_last = number == len(turns)
        if calls and calls[-1].name == "submit" and (is_last or turns[number].asked != turn.asked):
            text = text_of(completion) if is_last else None
            text = text or text_of(member(calls[-1].arguments, "answer")) or turn.reply.text
            reply = replace(turn.reply, text=text, calls=calls[:-1])
            answer = replace(turn, reply=reply, observations=turn.observations[:-1])
            return (*turns[: number - 1], answer)
    return ()


def _usages(row: Row) -> Sequence[Json]:
    """What the requests of a sample used: in total by model, else in its last reply.

    Graders are left out, if the name of the model that answered says which of them it is.
    """
    output = row.get("output")
    totals = row.get("model_usage")
    if not isinstance(totals, Mapping) or not totals:
        return [member(output, "usage")]
    name = member(output, "model")
    own = [used for model, used in totals.items() if name and model.split("/")[-1] == name]
    return own or list(totals.values())


def _resolved(value: Json, texts: Mapping[str, Json]) -> Json:
    """The value with the texts that the log keeps apart, by their digest, in their places."""
    if not texts:
        return value
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return texts.get(value.removeprefix(_ATTACHED), value)
    if isinstance(value, list):
        return [_resolved(item, texts) for item in value]
    if isinstance(value, Mapping):
        return {key: _resolved(item, texts) for key, item in value.items()}
    return value
