"""Whether the answers in several fields of one record are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, Literal

from leaderboard.files.tool_names import sent_name
from leaderboard.responses.forms.model_reply import Reply, ToolCall, UnreadableRecordError
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.responses.forms.texts_with_calls import calls_in_answer
from leaderboard.responses.model_texts import answer_in_text
from leaderboard.types import Json, Tool

# The text of a reply, what is beside the calls in it, and the calls.
_Parts = tuple[str | None, str | None, Sequence[ToolCall]]
RECORD: Final = "the record itself"  # as the place of an answer, which others have in a field


def refuse_different(
    replies: Mapping[str, ProviderReply],
    texts: Mapping[str, str],
    calls: Mapping[str, Sequence[ToolCall]],
) -> None:
    """Raises UnreadableRecordError for two answers, of which one may be the expected one.

    A reply of several turns agrees with the answer of one of them, and of all, and one of several
    calls with the call that a harness kept. Calls in its texts are those that other fields have.
    """
    names = {call.name for call in chain.from_iterable(calls.values())}
    tools = [Tool(name, "", ()) for name in names]
    spoken, made = {}, {}
    for place, reply in replies.items():
        turns = [_split(turn.reply, tools) for turn in reply.turns]
        spoken[place] = _texts_in(turns)
        made[place] = _calls_in(turns)
    _refuse("texts", spoken | {place: [_words(text)] for place, text in texts.items()})
    _refuse("calls", made | {place: [_made(listed)] for place, listed in calls.items()})


def _refuse(kind: Literal["texts", "calls"], answers: Mapping[str, Sequence[Json]]) -> None:
    """Raises UnreadableRecordError for a place without any of the first place's answers."""
    first = next(iter(answers), "")
    for place, there in answers.items():
        if not any(answer in answers[first] for answer in there):
            names = [RECORD if name == RECORD else repr(name) for name in (first, place)]
            what = f"has different {kind} in {' and '.join(names)}"
            fix = "keep the one that the model wrote: the others may hold the expected answer"
            raise UnreadableRecordError(what, fix)


def _split(reply: Reply, tools: Sequence[Tool]) -> _Parts:
    """The text of a reply, what is beside the calls in it, and the calls."""
    found = answer_in_text(reply.text)
    calls, rest = calls_in_answer(found, reply.text, tools)
    return found.text, rest, reply.calls or calls


def _texts_in(turns: Sequence[_Parts]) -> list[Json]:
    texts = [_words(text) for text, _, _ in turns]
    return [*texts, "".join(texts), *(_words(rest) for _, rest, _ in turns)]


def _calls_in(turns: Sequence[_Parts]) -> list[Json]:
    calls = [_made(turn_calls) for _, _, turn_calls in turns]
    single = [*chain.from_iterable(calls)]
    return [*calls, single, *([call] for call in single)]


def _words(text: str | None) -> str:
    """What a text says, without blanks: the parts of a reply are joined in different ways."""
    return "".join((answer_in_text(text).text or "").split())


def _made(calls: Sequence[ToolCall]) -> list[Json]:
    """Calls by the names that providers accept. Harnesses write {} for unreadable arguments."""
    return [(sent_name(call.name), {} if call.problem else call.arguments) for call in calls]
