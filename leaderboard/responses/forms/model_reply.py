"""A model's reply in a form that no provider dictates, and helpers to read those of providers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from leaderboard.limits import MOST_TOKENS
from leaderboard.network.secret_keys import redact_live
from leaderboard.responses.calls import UnreadableCallError, read_arguments
from leaderboard.texts.short_text import cut, single_spaced
from leaderboard.types import Json

_CUT_OFF: Final = frozenset(
    {"length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"}
    | {"model_context_window_exceeded"}
)
# A filter ended the reply, or it is incomplete. In the words of OpenAI, Anthropic, Gemini
# (also over OpenAI's protocol), Bedrock and the AI SDK.
_UNFINISHED: Final = frozenset(
    {"content_filter", "content-filter", "content_filtered", "guardrail_intervened", "refusal"}
    | {"SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"}
    | {"pause_turn", "queued", "in_progress", "incomplete", "cancelled"}
)
# How a reply ended early: the token limit ended it; a filter did, or it is marked as incomplete.
Ending = Literal["cut off", "unfinished"]
# A reply that ended for one of these reasons has calls, unless its server lost them.
_CALLED: Final = frozenset({"tool_calls", "function_call", "tool_use"})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as a model wrote it. With a `problem`, `arguments` may be anything."""

    id: str
    name: str
    arguments: Json
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's turn: text, calls, or both.

    `message` is the turn in the provider's own form, for the next request. `body` is the whole
    reply. `failure` says why a reply contains no answer (blocked, withheld, cut off, call lost).
    Token counts are None if the reply reports none.
    """

    text: str | None
    calls: tuple[ToolCall, ...]
    message: Json = None
    body: Json = None
    failure: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    model: str | None = None
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply with calls, and the answer to each call in the same order: JSON, often text.

    `asked` is the user's last message before it, if it is known.
    """

    reply: Reply
    observations: tuple[Json, ...]
    asked: str = ""


class UnreadableRecordError(ValueError):
    """A record without an answer, or with several.

    The message completes "this record …", and `fix` says what to do. `example` tells records with
    the same problem apart.
    """

    def __init__(self, what: str, fix: str, example: str = "") -> None:
        super().__init__(what)
        self.fix = fix
        self.example = example


def tool_call(call_id: Any, name: Any, arguments: Json) -> ToolCall:
    """A call from a reply. Arguments that cannot be read are kept, with a problem."""
    problem = None
    try:
        arguments = read_arguments(arguments)
    except UnreadableCallError as error:
        problem = f"the arguments {error}"
    # A call without a name cannot be carried out, but it counts as one of the model's calls.
    if not isinstance(name, str) or not name:
        name, problem = "", "the call names no tool"
    return ToolCall(call_id if isinstance(call_id, str) else "", name, arguments, problem)


def member(value: Json, *names: str) -> Any:
    """The first member with one of these names; None if `value` has none or is no object."""
    if isinstance(value, dict):
        for name in names:
            if value.get(name) is not None:
                return value[name]
    return None


def first(value: Json) -> Any:
    """The first item of a list, else None."""
    return value[0] if isinstance(value, list) and value else None


def objects(value: Json) -> list[dict[str, Json]]:
    """The objects of a list; none if the value is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Json) -> str | None:
    """The value if it is a text with more than blanks, else None."""
    return value if isinstance(value, str) and value.strip() else None


def tokens(value: Json) -> int | None:
    """The value if it is a count of tokens, else None."""
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def total_tokens(counts: Iterable[Json]) -> int | None:
    """The sum of those that are counts of tokens; None without any, or if it is none itself."""
    numbers = [count for count in map(tokens, counts) if count is not None]
    return tokens(sum(numbers)) if numbers else None


def ending_of(*reasons: Json) -> Ending | None:
    """How a reply ended early, by its reasons and statuses in the words of any provider.

    None if it did not.
    """
    given = {reason for reason in reasons if isinstance(reason, str)}
    if given & _CUT_OFF:
        return "cut off"
    return "unfinished" if given & _UNFINISHED else None


def error_message(error: Json) -> str | None:
    """The message of an error in a reply; None without an error."""
    if not error:
        return None
    message = text_of(error) or text_of(member(error, "message")) or "the reply is an error"
    return one_line(message)


def lost_call(reason: str | None, calls: Sequence[ToolCall]) -> str | None:
    """Why a reply that ended with a call, but contains none, is no answer; None for any other."""
    if calls or reason not in _CALLED:
        return None
    return f"the reply ended with a call, but contains none: {reason}"


def one_line(text: str, limit: int = 300) -> str:
    """Text for a message: on one line, shortened, without keys."""
    return cut(redact_live(single_spaced(text)), limit)
