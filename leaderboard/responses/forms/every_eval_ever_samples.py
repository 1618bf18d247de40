"""Samples of Every Eval Ever (`<uuid>_samples.jsonl`), schema version 0.3.0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from leaderboard.responses.forms.call_syntax import decoded, listed_calls
from leaderboard.responses.forms.foreign_records import (
    ID_KEYS,
    ForeignRecord,
    Row,
    error_text,
    in_seconds,
    trial_of,
    usage_fields,
)
from leaderboard.responses.forms.model_reply import Reply, ToolCall, UnreadableRecordError, member
from leaderboard.responses.forms.provider_replies import (
    ProviderReply,
    read_provider_reply,
    single_reply,
)
from leaderboard.types import Json

EVERY_EVAL_EVER: Final = "Every Eval Ever samples"


def eee_form(row: Row) -> str | None:
    """The form's name for a sample; None for other records."""
    is_sample = {"schema_version", "sample_id", "interaction_type", "evaluation"} <= row.keys()
    return EVERY_EVAL_EVER if is_sample else None


def read_eee(row: Row) -> ForeignRecord:
    """Reads one sample: its texts, or its messages. Raises UnreadableRecordError."""
    raw = member(row.get("output"), "raw")
    answer: ProviderReply | str | None = None
    if isinstance(raw, list):
        texts = [text for text in raw if isinstance(text, str)]
        answer = _counted(texts, member(row["evaluation"], "tool_calls_count"))
    elif isinstance(row.get("messages"), list):
        messages = [_message(item) for item in row["messages"]]
        answer = read_provider_reply(messages)
    error = error_text(row.get("error"))
    if answer is None and error is None:
        what = "has neither texts in output.raw nor messages of the model"
        raise UnreadableRecordError(what, "use the samples as they were exported")
    # The question is the input alone: no prompt, and no message of the user in a conversation.
    question = member(row.get("input"), "raw")
    about = {**_ids(row), "metadata": _ids(row.get("metadata")), "input": question}
    return ForeignRecord(about, answer, error, sample_trial(row), sample_costs(row), is_scored=True)


def _ids(place: Json) -> dict[str, Json]:
    return {key: member(place, key) for key in ID_KEYS}


def sample_trial(row: Row) -> int:
    """The number of a sample's trial."""
    return trial_of(member(row.get("metadata"), "trial"))


def sample_costs(row: Row) -> dict[str, Json]:
    """What a sample cost, as `usage` and `latency_s` of a record."""
    usage = row.get("token_usage")
    return usage_fields(
        member(usage, "input_tokens"),
        member(usage, "output_tokens"),
        member(row.get("metadata"), "cost_usd"),
        seconds=in_seconds(member(row.get("performance"), "latency_ms")),
    )


def _counted(texts: Sequence[str], count: Json) -> ProviderReply | str:
    """Texts of which the first are calls as JSON, if a sample says how many calls it has.

    Without that number, or if other texts come first, what looks like a call may be a text.
    """
    text = "\n\n".join(texts)
    if type(count) is not int or not 0 <= count <= len(texts):
        return text
    calls: list[ToolCall] = []
    for written in texts[:count]:
        value = decoded(written)
        calls += (None if isinstance(value, str) else listed_calls(value)) or ()
    if len(calls) != count:
        return text
    reply = Reply("\n\n".join(texts[count:]) or None, tuple(calls))
    return single_reply(EVERY_EVAL_EVER, reply)


def _message(item: Json) -> Json:
    """A message with each argument of its calls as the value that its text is JSON of."""
    if not isinstance(item, Mapping):
        return item
    message: dict[str, Any] = dict(item)
    calls = item.get("tool_calls")
    if isinstance(calls, list):
        message["tool_calls"] = [_call(call) for call in calls]
    ids = item.get("tool_call_id")
    if isinstance(ids, list):
        message["tool_call_id"] = ids[0] if ids else None
    return message


def _call(call: Json) -> Json:
    arguments = member(call, "arguments")
    if not isinstance(arguments, Mapping):
        return call
    return {**call, "arguments": {name: _value(text) for name, text in arguments.items()}}


def _value(text: Json) -> Json:
    """The value that a text is JSON of, or the text itself."""
    wrapped = decoded(f"[{text}]") if isinstance(text, str) else text
    return wrapped[0] if isinstance(wrapped, list) and len(wrapped) == 1 else text
