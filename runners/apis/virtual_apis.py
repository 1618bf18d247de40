"""Answers API calls from the cache, a service, the real API, or a model that plays it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.apis.api_names import change_name, standardise
from leaderboard.errors import Problem
from leaderboard.network.retries import CallError
from leaderboard.types import Json, Suite
from leaderboard.workspace import Workspace
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.catalogue import Catalogue, catalogue_of, load_catalogue
from runners.apis.played_by_model import MAX_EXAMPLES, Example
from runners.apis.real_apis import RealEndpoint
from runners.apis.reply_cache import ApiCache, CachedReply, CacheFileError, key_of
from runners.apis.reply_files import CachePlace, place_of
from runners.apis.table_services import FOLDER, Services, load_services

# replay: only the cache and the services answer. record: asks for what they lack, and keeps it.
# live: asks for what they lack, and keeps nothing.
Mode = Literal["replay", "record", "live"]
# The source of an answer, as the X-Source header names it.
ReplySource = Literal[
    "cache",
    "service",
    "real",
    "simulation",
    "miss",
    "failed",
    "chat_with_user",
    "input_error",
    "cache_error",
]

CHAT: Final = ApiReply("", "Chat with user.")
MAX_SHOWN_KEY: Final = 300  # characters


@dataclass(frozen=True, slots=True)
class SourcedReply:
    """A reply and its source. `key` is the canonical input; `note` is for the server's log.

    `problem` is what is wrong with the file of the cache, if it cannot be read.
    """

    reply: ApiReply
    source: ReplySource
    key: str
    note: str = ""
    problem: Problem | None = None


class ApiPlayer(Protocol):
    """A model that plays APIs. `model` is the name that kept replies carry."""

    @property
    def model(self) -> str: ...

    def answer(
        self,
        api: ToolDefinition | None,
        named: str,
        arguments: Mapping[str, Json],
        examples: Sequence[Example],
    ) -> ApiReply | None:
        """A reply to this input, or None if the model gives no usable one.

        `api` is the API in the catalogue. `named` is its name if the catalogue does not have it.
        `examples` are inputs with earlier replies. Raises CallError if the model does not reply.
        """


@dataclass(frozen=True, slots=True)
class VirtualApis:
    """Simulated APIs. `clock` gives the time of kept replies (ISO 8601, UTC)."""

    cache: ApiCache
    catalogue: Catalogue
    mode: Mode = "replay"
    endpoint: RealEndpoint | None = None
    simulator: ApiPlayer | None = None
    clock: Callable[[], str | None] = lambda: None
    services: Services = field(default_factory=lambda: Services({}))

    def answer(self, call: ApiCall) -> SourcedReply:
        """The reply to a call. Never raises: whatever goes wrong is an error in the reply."""
        key = key_of(call.arguments)
        if change_name(standardise(call.name.api)) == "chat_with_user":
            return SourcedReply(CHAT, "chat_with_user", key)
        place = place_of(call.name)
        try:
            found = self.cache.find(place, call.arguments)
        except CacheFileError as error:
            return self._unreadable(error, place, key)
        if found is not None:
            return SourcedReply(found, "cache", key)
        api = self.catalogue.documented(call.name)
        made = self.services.answer(api, call.arguments)
        if made is not None:
            return SourcedReply(made, "service", key)
        if self.mode == "replay":
            shown = key if len(key) <= MAX_SHOWN_KEY else f"{key[:MAX_SHOWN_KEY]}…"
            return SourcedReply(ApiReply(f"cache miss: {place} {shown}", ""), "miss", key)
        return self._ask(call, api, place, key)

    def _unreadable(self, error: CacheFileError, place: CachePlace, key: str) -> SourcedReply:
        problem, note = error.problems[0], ""
        if self.mode == "record":
            try:
                self.cache.set_aside(place)
            except OSError as failure:
                note = f"not set aside: {failure.strerror}"
        reply = ApiReply(f"cache file unreadable: {problem.file}: {problem.what}", "")
        return SourcedReply(reply, "cache_error", key, note, problem)

    def _ask(
        self, call: ApiCall, api: ToolDefinition | None, place: CachePlace, key: str
    ) -> SourcedReply:
        """Asks the real API, then the model that plays it."""
        real = self.endpoint.answer(call) if self.endpoint else None
        if real is not None:
            kept = CachedReply(real, "real", time=self.clock())
            return self._keep(call, place, key, kept)
        if self.simulator is None:
            what = f"no reply: {place} has none in the cache, and nothing else answers"
            return SourcedReply(ApiReply(what, ""), "failed", key)
        examples = self.cache.examples(place, MAX_EXAMPLES)
        named = f"{call.name.tool}: {call.name.api}"
        try:
            played = self.simulator.answer(api, named, call.arguments, examples)
        except CallError as error:
            what = f"no reply: the model that plays {place} did not answer"
            return SourcedReply(ApiReply(what, ""), "failed", key, str(error))
        if played is None:
            what = f"no reply: the model that plays {place} gave none that can be used"
            return SourcedReply(ApiReply(what, ""), "failed", key)
        kept = CachedReply(played, "simulation", self.simulator.model, self.clock())
        return self._keep(call, place, key, kept)

    def _keep(self, call: ApiCall, place: CachePlace, key: str, new: CachedReply) -> SourcedReply:
        """Keeps the reply in record mode. Two equal calls at once get the reply kept first."""
        answer = SourcedReply(new.reply, new.source, key)
        if self.mode != "record":
            return answer
        try:
            kept = self.cache.store(place, call.arguments, new)
        except CacheFileError as error:
            return replace(answer, note=f"not kept: {error.problems[0]}")
        except OSError as error:
            return replace(answer, note=f"not kept: {error.strerror}")
        if kept is None or kept == answer.reply:
            return answer
        return SourcedReply(kept, "cache", key)


def replaying(workspace: Workspace, suite: Suite, *, strict: bool = False) -> VirtualApis:
    """The simulated APIs of a suite, which only its cache and its services answer.

    The catalogue is the suite's tools, or else the tools that its queries list; these have no
    services. Raises FilesError for files that cannot be read.
    """
    folder = workspace.datasets / suite.id
    cache = ApiCache(folder / "cache", strict=strict)
    if not (folder / "tools").is_dir():
        return VirtualApis(cache, catalogue_of(suite.cases))
    catalogue = load_catalogue(folder / "tools", workspace.root, suite.cases)
    services = load_services(folder / FOLDER, workspace.root, catalogue)
    return VirtualApis(cache, catalogue, services=services)
