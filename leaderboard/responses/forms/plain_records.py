"""Records that no particular harness writes: an id beside a reply, a call or a text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from leaderboard.files.python_literals import read_literal
from leaderboard.responses.agent_steps import STEP_KEYS, read_steps, steps_given
from leaderboard.responses.answer_fields import CALL_KEYS, FOREIGN_CALL_KEYS
from leaderboard.responses.forms.call_syntax import decoded, listed_calls
from leaderboard.responses.forms.foreign_records import (
    CASE_FIELDS,
    ForeignRecord,
    Row,
    error_text,
    number_in,
    trial_of,
    usage_fields,
)
from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    Turn,
    UnreadableRecordError,
    ending_of,
    first,
    member,
    text_of,
    tool_call,
)
from leaderboard.responses.forms.provider_replies import (
    ProviderReply,
    read_provider_reply,
    single_reply,
)
from leaderboard.responses.forms.same_answers import RECORD, refuse_different
from leaderboard.types import Json

CALL_FIELDS: Final = (*CALL_KEYS, *FOREIGN_CALL_KEYS)
TEXT_FIELDS: Final = (
    *("answer", "output", "response", "text", "completion", "model_text", "content"),
    *("model_response", "full_model_response", "generation", "generated_text", "prediction"),
    *("result", "reply", "model_answer", "model_output", "output_text", "response_text"),
    *("pred", "predicted_answer", "model_prediction", "generated_answer", "llm_response"),
)
# Where a whole reply of a provider can be, and what may be around it there.
_REPLY_FIELDS: Final = (
    *("response", "message", "messages", "completion", "output", "outputs", "body"),
    *("model_response", "result", "reply", "answer", "generation"),
)
_WRAPPERS: Final = ("body", "message", "response", "output", "content")
_FIELDS: Final = frozenset({*CALL_FIELDS, *TEXT_FIELDS, *_REPLY_FIELDS})
_ENDED: Final = ("finish_reason", "stop_reason", "done_reason")
_GRADES: Final = frozenset(
    {"pass", "passed", "fail", "failed", "correct", "incorrect", "true", "false"}
)
READ_FIELDS: Final = (
    _FIELDS | CASE_FIELDS | {"error", "usage", "latency_s", "trial", "epoch", "model", *_ENDED}
)


def read_plain(row: Row) -> ForeignRecord:
    """Reads one record. Raises UnreadableRecordError."""
    row = _unpacked(row)
    error = error_text(row.get("error"))
    answer = find_answer(row)
    if not answer and error is None:
        error = next(filter(None, map(_nested_error, map(row.get, _REPLY_FIELDS))), None)
    if answer is None and error is None:
        _refuse_truth_value(row)
        keys = ", ".join(sorted(map(repr, row))[:20])
        fix = "put the answer into answer, output, response, text or completion, or calls into "
        fields = f"its fields are {keys}" if keys else "it is empty"
        what = f"has no known answer field; {fields}"
        raise UnreadableRecordError(what, f"{fix}tool_calls")
    used = (decoded(row.get("usage")), row)
    reasons = [member(place, *_ENDED) for place in (row, row.get("response"))]
    return ForeignRecord(
        row,
        answer,
        error,
        trial_of(row.get("trial"), row.get("epoch")),
        usage_fields(
            _first_of(used, "input_tokens", "prompt_tokens"),
            _first_of(used, "output_tokens", "completion_tokens"),
            _first_of(used, "cost_usd"),
            row.get("latency_s"),
        ),
        ending=ending_of(*reasons),
    )


def _first_of(places: Sequence[Json], *names: str) -> Json:
    values = (member(place, *names) for place in places)
    return next((value for value in values if value is not None), None)


def _refuse_truth_value(row: Row) -> None:
    key = next((key for key in TEXT_FIELDS if isinstance(row.get(key), bool)), None)
    if key:
        what = f"has {str(row[key]).lower()} in {key!r}, where the model's answer is expected"
        raise UnreadableRecordError(what, "write the text that the model wrote")


def unread_texts(row: Row) -> list[str]:
    """Fields of a plain record with texts that are not read. One of them may be the answer."""
    return [key for key, value in _unread(row).items() if text_of(value)]


def unread_lists(row: Row) -> list[str]:
    """Fields of a record with lists that are not read, of objects or of pairs as steps can be."""
    return [key for key, value in _unread(row).items() if isinstance(first(value), Mapping | list)]


def _unread(row: Row) -> Row:
    row = _unpacked(row)
    return {key: value for key, value in row.items() if key not in {*READ_FIELDS, *STEP_KEYS}}


def _unpacked(row: Row) -> Row:
    """The row itself, without what a page of the Hub's dataset viewer writes around it."""
    inner = row.get("row")
    return inner if isinstance(inner, Mapping) and "row_idx" in row else row


def find_answer(row: Row) -> ProviderReply | str | None:
    """What a record answers: "" if its answer fields are empty, None if it has none.

    Raises UnreadableRecordError for several different texts, of which one may be the expected one.
    """
    answer = _said(row)
    turns = answer.turns if isinstance(answer, ProviderReply) else ()
    steps = steps_given(row)
    if not steps or any(turn.reply.calls for turn in turns):
        return answer
    return _with_steps(steps, turns[-1].reply if turns else Reply(text_of(answer), ()))


def _said(row: Row) -> ProviderReply | str | None:
    """What a record answers without steps, as in `find_answer`."""
    all_replies = _replies(row)
    # A conversation that waits for the reply may have it elsewhere in the record.
    replies = {place: reply for place, reply in all_replies.items() if not reply.waits}
    texts = _texts(row, all_replies.keys(), beside_reply=bool(replies))
    calls = _calls(row, beside_reply=bool(replies))
    refuse_different(replies, texts, calls)
    if replies:
        return next(iter(replies.values()))
    text = next(iter(texts.values()), None)
    if calls:
        return single_reply("calls and texts", Reply(text, next(iter(calls.values()))))
    if text is not None or all_replies:
        return text or next(iter(all_replies.values()), text)
    return "" if any(_is_empty(row.get(key)) for key in _FIELDS & row.keys()) else None


def _with_steps(steps: Sequence[Json], last: Reply) -> ProviderReply:
    """An agent's answer, with each step as a turn before it. Raises UnreadableRecordError."""
    calls, problem = read_steps(steps)
    if problem:
        fix = 'write a step as {"tool": …, "tool_input": {…}, "observation": …}'
        raise UnreadableRecordError(f"has steps that are not of a known form: {problem}", fix)
    turns = [
        Turn(Reply(None, (ToolCall("", call.name, call.arguments),)), (call.result,))
        for call in calls
    ]
    return ProviderReply("agent steps", (*turns, Turn(last, ())))


def _replies(row: Row) -> dict[str, ProviderReply]:
    """The replies in a provider's form, by their places: the record, and fields of it."""
    replies = {}
    if reply := read_provider_reply(row):
        is_listed = reply.form == "conversations" and row.get("messages")
        replies["messages" if is_listed else RECORD] = reply
    for key in _REPLY_FIELDS:
        value = decoded(row.get(key))
        for candidate in (value, *(member(value, name) for name in _WRAPPERS)):
            if reply := read_provider_reply(candidate):
                replies[key] = reply
                break
    return replies


def _calls(row: Row, *, beside_reply: bool) -> dict[str, tuple[ToolCall, ...]]:
    """The calls of each filled call field, or of a record that is a call itself.

    Raises UnreadableRecordError for calls of an unknown form, unless they are beside a reply.
    """
    by_field = {}
    for key in CALL_FIELDS:
        value = _of_text(row.get(key))
        if _is_empty(value):
            continue
        calls = listed_calls(value)
        if calls is not None:
            by_field[key] = calls
        elif not beside_reply:
            fix = 'write a call as {"name": …, "arguments": {…}}, and several as a list'
            raise UnreadableRecordError(f"has calls in {key!r} that are not of a known form", fix)
    if by_field or beside_reply:
        return by_field
    name = member(row, "function_name", "tool_name", "name", "tool")
    arguments = decoded(member(row, "arguments", "args", "tool_input"))
    if isinstance(name, str) and isinstance(arguments, Mapping | str):
        return {RECORD: (tool_call("", name, arguments),)}
    return {}


def _of_text(value: Json) -> Json:
    """The value of a text that is JSON, or Python's spelling as pandas writes it into CSV."""
    value = decoded(value)
    if not isinstance(value, str):
        return value
    try:
        return read_literal(value)
    except ValueError:
        return value


def _texts(row: Row, read: Collection[str], *, beside_reply: bool) -> dict[str, str]:
    """The texts of a record by their fields, without the fields that are `read` already.

    Raises UnreadableRecordError for a value of an unknown form, unless it is beside a reply.
    """
    texts: dict[str, str] = {}
    for key in TEXT_FIELDS:
        value = row.get(key)
        if key in read or isinstance(value, bool) or _is_empty(value):
            continue
        if beside_reply and key == "result" and _is_grade(value):
            continue
        if isinstance(value, str | int | float):
            texts[key] = str(value)
        elif isinstance(value, Mapping | list):
            text = _nested_text(value)
            if text is not None:
                texts[key] = text
            elif not beside_reply and _nested_error(value) is None:
                what = f"has a value in {key!r} that is neither text nor a reply of a known form"
                fix = "write the reply as the provider sent it, or its text"
                raise UnreadableRecordError(what, fix)
    return texts


def _is_grade(value: Json) -> bool:
    """Whether a value is a harness's grade of an answer."""
    value = number_in(value)
    return isinstance(value, int | float) or str(value).strip().casefold() in _GRADES


def _nested_text(value: Json) -> str | None:
    """The text of `{"text": …}` and of `[{"generated_text": …}]`; None for any other value.

    Raises UnreadableRecordError for several texts in it.
    """
    item = value[0] if isinstance(value, list) and len(value) == 1 else value
    if isinstance(item, Mapping):
        texts = _texts(item, (), beside_reply=True)
        refuse_different({}, texts, {})
        return next(iter(texts.values()), None)
    return item if isinstance(item, str) else None


def _nested_error(value: Json) -> str | None:
    """The error that a provider sent in place of a reply; None for any other value."""
    return error_text(member(value, "error") or member(member(value, "body"), "error"))


def _is_empty(value: Json) -> bool:
    """Whether a field holds nothing. Tables write a missing object as one of nulls."""
    if isinstance(value, Mapping):
        return all(inner is None for inner in value.values())
    return value is None or value in ("", [])
