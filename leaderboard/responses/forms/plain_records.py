"""Records that no particular harness writes: an id beside a reply, a call or a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.responses.agent_steps import read_steps, steps_given
from leaderboard.responses.answer_fields import CALL_KEYS, FOREIGN_CALL_KEYS
from leaderboard.responses.calls import ARGUMENT_KEYS, UnreadableCallError, read_call, unread_keys
from leaderboard.responses.forms.foreign_records import (
    CASE_FIELDS,
    ForeignRecord,
    Row,
    error_text,
    ids_of,
    questions_of,
    trial_of,
    usage_fields,
)
from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    Turn,
    UnreadableRecordError,
    is_cut_off,
    member,
    text_of,
    tool_call,
)
from leaderboard.responses.forms.provider_replies import (
    ProviderReply,
    read_provider_reply,
    single_reply,
)
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
# Llama writes arguments as `parameters`. A responses file does not.
_ARGUMENT_KEYS: Final = (*ARGUMENT_KEYS, "parameters")
_ENDED: Final = ("finish_reason", "stop_reason", "done_reason")
_READ: Final = _FIELDS | CASE_FIELDS | {"error", "usage", "latency_s", "trial", "epoch", *_ENDED}


def read_plain(row: Row) -> ForeignRecord:
    """Reads one record. Raises UnreadableRecordError."""
    row = _unpacked(row)
    error = error_text(row.get("error"))
    answer = find_answer(row)
    if answer is None and error is None:
        _refuse_truth_value(row)
        keys = ", ".join(sorted(map(repr, row))[:20])
        fix = "put the answer into answer, output, response, text or completion, or calls into "
        raise UnreadableRecordError(
            f"has no known answer field; its fields are {keys}", f"{fix}tool_calls"
        )
    usage = row["usage"] if isinstance(row.get("usage"), Mapping) else row
    return ForeignRecord(
        ids_of(row),
        questions_of(row),
        answer,
        error,
        trial_of(row.get("trial"), row.get("epoch")),
        usage_fields(
            member(usage, "input_tokens", "prompt_tokens"),
            member(usage, "output_tokens", "completion_tokens"),
            member(usage, "cost_usd"),
            row.get("latency_s"),
        ),
        cut_off=any(is_cut_off(member(place, *_ENDED)) for place in (row, row.get("response"))),
    )


def _refuse_truth_value(row: Row) -> None:
    key = next((key for key in TEXT_FIELDS if isinstance(row.get(key), bool)), None)
    if key:
        what = f"has {str(row[key]).lower()} in {key!r}, where the model's answer is expected"
        raise UnreadableRecordError(what, "write the text that the model wrote")


def unread_texts(row: Row) -> list[str]:
    """Fields of a plain record with texts that are not read. One of them may be the answer."""
    row = _unpacked(row)
    return [key for key, value in row.items() if key not in _READ and text_of(value)]


def _unpacked(row: Row) -> Row:
    """The row itself, without what a page of the Hub's dataset viewer writes around it."""
    inner = row.get("row")
    return inner if isinstance(inner, Mapping) and "row_idx" in row else row


def find_answer(row: Row) -> ProviderReply | str | None:
    """What a record answers: "" if its answer fields are empty, None if it has none.

    Raises UnreadableRecordError for several different texts, of which one may be the expected one.
    """
    said = _said(row)
    turns = said.turns if isinstance(said, ProviderReply) else ()
    steps = steps_given(row)
    if not steps or any(turn.reply.calls for turn in turns):
        return said
    return _with_steps(steps, turns[-1].reply if turns else Reply(text_of(said), ()))


def _said(row: Row) -> ProviderReply | str | None:
    """What a record answers without steps, as in `find_answer`."""
    request = None  # a conversation that waits for the reply may have it elsewhere in the record
    for candidate in _reply_candidates(row):
        reply = read_provider_reply(candidate)
        if reply is not None and not reply.waits:
            return reply
        request = request or reply
    text = _only_text(row)
    calls = _calls(row)
    if calls:
        return single_reply("calls and texts", Reply(text, calls))
    if text is not None or request is not None:
        return text or request
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


def _reply_candidates(row: Row) -> Iterator[Json]:
    """The values that may be a provider's reply: the record, its fields, and what is in them."""
    yield row
    for key in _REPLY_FIELDS:
        value = decoded(row.get(key))
        yield value
        yield from (member(value, name) for name in _WRAPPERS)


def decoded(value: Json) -> Json:
    """The value of a text that is JSON of an object or list, as tables keep them; else itself."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return parse(value.strip().encode("utf-8", "replace"), "")
    except FilesError:
        return value


def listed_calls(value: Json) -> tuple[ToolCall, ...] | None:
    """The calls in a value that is a call or a list of calls; None for any other value.

    A name without arguments beside other keys is no call: one of them may hold the arguments.
    """
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(item, Mapping) for item in items):
        return None
    calls = []
    for item in items:
        inner = item.get("functionCall") or item.get("function_call") or item
        try:
            call = read_call(inner, argument_keys=_ARGUMENT_KEYS)
            if unread_keys(inner, _ARGUMENT_KEYS):
                return None
            calls.append(ToolCall("", call.name, call.arguments))
        except UnreadableCallError:
            function = member(inner, "function") or inner
            name = member(function, "name", "toolName")
            arguments = member(function, *_ARGUMENT_KEYS)
            if not isinstance(name, str):
                return None
            calls.append(tool_call("", name, arguments))
    return tuple(calls)


def _calls(row: Row) -> tuple[ToolCall, ...]:
    """The calls of the first filled call field, or of a record that is a call itself."""
    for key in CALL_FIELDS:
        value = decoded(row.get(key))
        if _is_empty(value):
            continue
        calls = listed_calls(value)
        if calls is None:
            fix = 'write a call as {"name": …, "arguments": {…}}, and several as a list'
            raise UnreadableRecordError(f"has calls in {key!r} that are not of a known form", fix)
        return calls
    name = member(row, "function_name", "tool_name", "name", "tool")
    arguments = decoded(member(row, "arguments", "args", "tool_input"))
    if isinstance(name, str) and isinstance(arguments, Mapping | str):
        return (tool_call("", name, arguments),)
    return ()


def _only_text(row: Row) -> str | None:
    texts: dict[str, str] = {}
    for key in TEXT_FIELDS:
        value = row.get(key)
        if isinstance(value, bool) or _is_empty(value):
            continue
        if isinstance(value, str | int | float):
            texts.setdefault(str(value), key)
        elif isinstance(value, Mapping | list) and key not in CALL_FIELDS:
            return _nested_text(value, key)
    if len(texts) > 1:
        names = " and ".join(map(repr, texts.values()))
        fix = "keep the one that the model wrote: the others may hold the expected answer"
        raise UnreadableRecordError(f"has different texts in {names}", fix)
    return next(iter(texts), None)


def _nested_text(value: Json, key: str) -> str:
    """The text of `{"text": …}` and of `[{"generated_text": …}]`. Raises UnreadableRecordError."""
    inner: Sequence[Json] = value if isinstance(value, list) else [value]
    texts = [item if isinstance(item, str) else _text_in(item) for item in inner]
    if len(texts) == 1 and isinstance(texts[0], str):
        return texts[0]
    what = f"has a value in {key!r} that is neither text nor a reply of a known form"
    fix = "write the reply as the provider sent it, or its text"
    raise UnreadableRecordError(what, fix)


def _text_in(value: Json) -> Json:
    return _only_text(value) if isinstance(value, Mapping) else None


def _is_empty(value: Json) -> bool:
    return value is None or (isinstance(value, str | list | Mapping) and not value)
