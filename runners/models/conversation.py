"""A conversation with a model, independent of any provider: what it was told, what it replied, what its calls came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from leaderboard.errors import FilesError
from leaderboard.files.document import parse
from leaderboard.types import Json, Tool


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as a model wrote it. `arguments` is an object, or whatever stood there; then `problem` says what is wrong."""

    id: str
    name: str
    arguments: Json
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said in one turn: text, calls, or both.

    `message` is its turn in the provider's own form, which the next request gives back; `failure` says why there is no answer
    although a reply came (blocked, withheld, cut off); `body` is the whole reply. Token counts are None where it tells none.
    """

    text: str | None
    calls: tuple[ToolCall, ...]
    message: Json
    body: Json
    failure: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A reply with calls, and what each call came to, in the order of the calls. An observation is JSON, often text."""

    reply: Reply
    observations: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a model is asked next: the system text (may be empty), the query, the tools, and all that went before."""

    system: str
    query: str
    tools: tuple[Tool, ...]
    exchanges: tuple[Exchange, ...] = ()

    def followed_by(self, exchange: Exchange) -> Conversation:
        """The same conversation, one exchange longer."""
        return Conversation(self.system, self.query, self.tools, (*self.exchanges, exchange))


class Model(Protocol):
    """A model that can be asked, many questions at a time."""

    async def ask(self, conversation: Conversation) -> Reply:
        """Its next turn. Raises CallError when there is none."""

    async def close(self) -> None:
        """Let go of the connections."""


# ---------------------------------------------------------------- reading replies

NO_CALL_ID = "call_{turn}_{position}"


def body_of(data: bytes) -> Json:
    """A reply's bytes as JSON. Raises ValueError, in words, for what is no JSON object, a cut-off one for example."""
    try:
        body = parse(data, "the reply")
    except FilesError as error:
        raise ValueError(f"its reply {error.problems[0].what}") from error
    if not isinstance(body, dict):
        raise ValueError("its reply is no JSON object")  # noqa: TRY004 - what came is wrong, not how this was called
    return body


def tool_call(call_id: Any, name: Any, arguments: Json) -> ToolCall:
    """A call out of a reply. Arguments may be an object, its JSON text, or nothing; anything else is kept, as a problem."""
    read, problem = read_arguments(arguments)
    named = name if isinstance(name, str) else ""
    return ToolCall(
        call_id if isinstance(call_id, str) else "",
        named,
        read,
        problem if named else "the call names no tool",
    )


def read_arguments(arguments: Json) -> tuple[Json, str | None]:
    """Arguments as an object, and None; or as they are, and what is wrong with them."""
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return {}, None
    read = arguments
    if isinstance(arguments, str):
        try:
            read = parse(arguments.encode("utf-8", "replace"), "")
        except FilesError as error:
            return arguments, f"the arguments are text that {error.problems[0].what}"
    return (
        (read, None) if isinstance(read, dict) else (arguments, "the arguments are not an object")
    )


def member(value: Json, *names: str) -> Any:
    """The first of these members that an object has; None where it has none, or is no object."""
    if isinstance(value, Mapping):
        for name in names:
            if value.get(name) is not None:
                return value[name]
    return None


def first(value: Json) -> Any:
    """The first item of a list, else None."""
    return value[0] if isinstance(value, list) and value else None


def tokens(value: Json) -> int | None:
    """A count of tokens, where it is one."""
    return value if type(value) is int and value >= 0 else None


def one_line(text: str, limit: int = 300) -> str:
    """Text for a message: on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
