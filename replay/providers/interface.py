"""What a provider's module has to hold, and what these modules share.

An SDK is imported only where a module opens a client: a board that is all recorded needs none.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qsl, quote, urlsplit

from leaderboard.judge_providers import NO_TEXT, PERSONAL_FIELDS
from leaderboard.network.endpoints import ADDRESSES, connection_options
from leaderboard.network.retries import (
    FATAL_STATUSES,
    RETRYABLE_STATUSES,
    CallError,
    RetryPolicy,
    call_with_retries,
    read_retry_after,
)
from leaderboard.network.secret_keys import redact_live
from leaderboard.responses.forms.model_reply import ending_of, member, one_line
from leaderboard.types import Json, JudgeSettings

if TYPE_CHECKING:
    import httpx2
    from pydantic import BaseModel

# What the SDKs raise for a body of another shape than they expect, or one nested too deep.
UNREADABLE: Final = (AttributeError, RecursionError, TypeError, ValueError)


class Closable(Protocol):
    def close(self) -> None: ...


class Connection(NamedTuple):
    """An open SDK, for many threads.

    `send` sends a prompt once, and returns the body of the reply. It raises CallError without a
    reply, and one of `UNREADABLE` for one that the SDK cannot parse. `opened` are the SDK and its
    connections, or a server.
    """

    send: Callable[[str], Json]
    opened: tuple[Closable, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """A judge that can be asked, from many threads."""

    judge: JudgeSettings
    provider: ProviderModule
    connection: Connection
    policy: RetryPolicy

    def close(self) -> None:
        for part in self.connection.opened:
            part.close()

    def ask(self, prompt: str, pause: Callable[[float], None] = time.sleep) -> str:
        """The judge's reply to a prompt. Raises the last CallError if all attempts fail.

        `pause` waits some seconds before the next attempt, or raises an error instead.
        """
        return redact_live(call_with_retries(lambda: self._ask_once(prompt), self.policy, pause))

    def _ask_once(self, prompt: str) -> str:
        """The judge's reply. Raises CallError for none, and for a body that is no reply."""
        try:
            body = self.connection.send(prompt)
        except UNREADABLE as error:
            what = f"judge {self.judge.name!r} sent a reply that its SDK cannot read"
            fix = "Check its base_url in leaderboard.toml"
            raise CallError(f"{what}: {one_line(str(error))}. {fix}") from error
        why = self.provider.failure(body)
        if why:  # although its status says success
            raise CallError(f"judge {self.judge.name!r} sent no reply: {why}", retryable=True)
        return self.provider.reply_text(body)


class ProviderModule(Protocol):
    """Everything that replay knows about one provider: the interface of its module."""

    @property
    def CALL_FIELDS(self) -> frozenset[str]:  # noqa: N802 - a constant of the module
        """The request fields that every call fills in, so that no setting may."""

    def path(self, judge: JudgeSettings) -> str:
        """The path of a judge's requests, `/v1/chat/completions` for example."""

    def owns_path(self, path: str) -> bool:
        """Whether a recorded request with this path uses the provider's protocol."""

    def body(self, judge: JudgeSettings, prompt: str) -> dict[str, Json]:
        """The JSON body of a call as the SDK sends it, without `PERSONAL_FIELDS`."""

    def connect(self, judge: JudgeSettings, api_key: str, policy: RetryPolicy) -> Connection:
        """Opens the SDK for a judge. Raises JudgeError for settings that it cannot use."""

    def reply_text(self, reply: Json) -> str:
        """The text of a response body without a `failure`, or `no_text(reason)`."""

    def failure(self, reply: Json) -> str | None:
        """Why a response body with a status of success is no reply; None if it is one."""

    def clean_reply(self, reply: Json) -> dict[str, Json]:
        """What a cassette keeps of a response body without a `failure`."""


def http_client(address: str | None, policy: RetryPolicy) -> httpx2.Client:
    """Opens the connections for an SDK."""
    import httpx2

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
    return httpx2.Client(**connection_options(address, policy.timeout), limits=limits)


def address_of(judge: JudgeSettings) -> str:
    """Where a judge is asked."""
    return judge.base_url or ADDRESSES[judge.provider]


def path_of(judge: JudgeSettings, rest: str) -> str:
    """The path of a request as the SDKs send it: percent-encoded, with one slash less."""
    return quote(urlsplit(address_of(judge)).path.removesuffix("/") + rest, safe="/%:@!$&'()*+,;=~")


def sdk_options(judge: JudgeSettings, api_key: str, policy: RetryPolicy) -> dict[str, Any]:
    """What the SDKs of OpenAI and Anthropic are opened with. They do not retry."""
    address = address_of(judge)
    base_url, _, query = address.partition("?")
    return {
        "api_key": api_key,
        "base_url": base_url,
        "default_query": dict(parse_qsl(query)),
        "max_retries": 0,
        "timeout": policy.timeout,  # without one, Anthropic's refuses replies that are not streamed
        "http_client": http_client(address, policy),
    }


def status_error(
    judge: JudgeSettings,
    status: int,
    message: str,
    headers: Mapping[str, str],
    *,
    hopeless: bool = False,
) -> CallError:
    """Describes a reply with an error status. `hopeless` means that no later call succeeds."""
    return CallError(
        f"judge {judge.name!r} answered {status}: {one_line(message)}",
        retryable=status in RETRYABLE_STATUSES and not hopeless,
        fatal=status in FATAL_STATUSES or hopeless,
        retry_after=read_retry_after(headers),
    )


def connection_error(judge: JudgeSettings, error: Exception) -> CallError:
    """Describes a request that got no reply at all. The cause says more than the SDK's error."""
    reason = one_line(str(error.__cause__ or error)) or type(error).__name__
    return CallError(f"judge {judge.name!r} could not be reached: {reason}", retryable=True)


def body_of(reply: BaseModel | Json, **options: Any) -> Json:
    """The body of a reply.

    Raises ValueError for a web page and for JSON that is no object. SDKs return both as they are.
    """
    if isinstance(reply, str):
        raise ValueError(f"it is text, not JSON: {reply[:80]!r}")  # noqa: TRY004
    if not hasattr(reply, "model_dump"):
        raise ValueError(f"it is not a JSON object: {str(reply)[:80]!r}")
    return reply.model_dump(mode="json", **options)


def impersonal(settings: Mapping[str, Json]) -> dict[str, Json]:
    """A judge's settings without those that say who asks."""
    return {name: value for name, value in settings.items() if name not in PERSONAL_FIELDS}


def camel_case(name: str) -> str:
    """A name in camel case: `max_output_tokens` as `maxOutputTokens`."""
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


# ---------------------------------------------------------------- reading replies


def no_text(reason: str) -> str:
    """What replaces the text of a reply without any. No parser takes it for a verdict."""
    return f"{NO_TEXT}{reason}]"


def text_in(reply: Json, provider: ProviderModule) -> str:
    """The text of a parsed response body, or `no_text(reason)`."""
    why = provider.failure(reply)
    return no_text(why) if why else provider.reply_text(reply)


def is_partial(ending: Json) -> bool:
    """Whether a reply that ended so lacks a part, which may have said something else."""
    return ending_of(ending) is not None


def how_it_ended(ending: Json) -> str:
    """Says why a reply has no text, or only a part of it."""
    if ending_of(ending) == "cut off":
        return f"it ended with {ending}, the token limit"
    return f"it ended with {one_line(ending)}" if isinstance(ending, str) else "it is empty"


def error_in(*places: Json) -> str | None:
    """Says which error a body, or a part of it, holds as its member `error`; None without any."""
    for place in places:
        error = member(place, "error")
        if error:
            return f"it holds an error: {one_line(str(member(error, 'message') or error))}"
    return None


# ---------------------------------------------------------------- redaction


def texts_of(value: Json, *names: str) -> dict[str, Json]:
    """Keeps the members of these names that are texts."""
    found = {name: member(value, name) for name in names}
    return {name: item for name, item in found.items() if isinstance(item, str)}


def counts_of(reply: Json, usage: str, *names: str) -> dict[str, Json]:
    """Keeps the token counts of these names, as the member `usage`; nothing if there are none."""
    found = {name: member(member(reply, usage), name) for name in names}
    counts = {name: count for name, count in found.items() if type(count) is int}
    return {usage: counts} if counts else {}
