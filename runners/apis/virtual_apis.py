"""What the virtual API server answers to a call: out of the cache, from the real API, or from a model that plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from leaderboard.apis.api_names import change_name, standardise
from leaderboard.types import Suite
from leaderboard.workspace import Workspace
from runners.apis.catalogue import Catalogue, catalogue_of, load_catalogue
from runners.apis.real_apis import ApiCall, RealEndpoint
from runners.apis.reply_cache import ApiCache, CacheFileError, Entry, Place, Reply, key_of, place_of
from runners.apis.simulation import EXAMPLES, Simulator

# replay: the cache alone. record: what it lacks is asked for, and kept. live: what it lacks is asked for, and nothing is kept.
Mode = Literal["replay", "record", "live"]
# Where an answer comes from, as the X-Source header says it.
Source = Literal[
    "cache", "real", "simulation", "miss", "failed", "chat_with_user", "input_error", "cache_error"
]

CHAT: Final = Reply("", "Chat with user.")


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply and its source. `key` is the canonical input; `note` tells the log what went wrong (a reply not kept)."""

    reply: Reply
    source: Source
    key: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class VirtualApis:
    """Simulated APIs. `clock` gives the time that kept replies carry (ISO 8601, UTC); nothing else here depends on it."""

    cache: ApiCache
    catalogue: Catalogue
    mode: Mode = "replay"
    endpoint: RealEndpoint | None = None
    simulator: Simulator | None = None
    clock: Callable[[], str | None] = lambda: None

    def answer(self, call: ApiCall) -> Answer:
        """The answer to a call. Whatever goes wrong is an error inside the reply, never an exception."""
        key = key_of(call.arguments)
        if change_name(standardise(call.api)) == "chat_with_user":
            return Answer(CHAT, "chat_with_user", key)
        place = place_of(call.category, call.tool, call.api)
        try:
            found = self.cache.find(place, call.arguments)
        except CacheFileError as error:
            return self._unreadable(error, place, key)
        if found is not None:
            return Answer(found, "cache", key)
        if self.mode == "replay":
            return Answer(Reply(f"cache miss: {place} {_cut(key)}", ""), "miss", key)
        return self._ask(call, place, key)

    def _unreadable(self, error: CacheFileError, place: Place, key: str) -> Answer:
        said, note = error.problems[0], ""
        if self.mode == "record":
            try:
                self.cache.set_aside(place)
            except OSError as hindered:
                note = f"not set aside: {hindered.strerror}"
        return Answer(
            Reply(f"cache file unreadable: {said.file}: {said.what}", ""), "cache_error", key, note
        )

    def _ask(self, call: ApiCall, place: Place, key: str) -> Answer:
        real = self.endpoint.answer(call) if self.endpoint else None
        if real is not None:
            return self._kept(call, place, Answer(real, "real", key))
        if self.simulator is None:
            return Answer(
                Reply(f"no reply: {place} has none in the cache, and nothing else answers", ""),
                "failed",
                key,
            )
        api = self.catalogue.documented(call.category, call.tool, call.api)
        examples = self.cache.examples(place, EXAMPLES)
        played = self.simulator.answer(api, f"{call.tool}: {call.api}", call.arguments, examples)
        if played is None:
            return Answer(
                Reply(f"no reply: the model that plays {place} gave none that can be used", ""),
                "failed",
                key,
            )
        return self._kept(call, place, Answer(played, "simulation", key))

    def _kept(self, call: ApiCall, place: Place, answer: Answer) -> Answer:
        """The answer, kept when recording. Of two equal calls at once the first to be kept answers both."""
        if self.mode != "record":
            return answer
        played = answer.source == "simulation"
        model = self.simulator.model if played and self.simulator else None
        entry = Entry(answer.reply, "simulation" if played else "real", model, self.clock())
        try:
            kept = self.cache.store(place, call.arguments, entry)
        except CacheFileError as error:
            return replace(answer, note=f"not kept: {error.problems[0]}")
        except OSError as error:
            return replace(answer, note=f"not kept: {error.strerror}")
        return answer if kept is None or kept == answer.reply else Answer(kept, "cache", answer.key)


def replaying(workspace: Workspace, suite: Suite) -> VirtualApis:
    """The simulated APIs of a suite: its tools (or those that its queries list), answered out of its cache and nothing else.

    Raises FilesError for a catalogue that cannot be read.
    """
    folder = workspace.datasets / suite.id
    tools = folder / "tools"
    catalogue = (
        load_catalogue(tools, workspace.root, suite.cases)
        if tools.is_dir()
        else catalogue_of(suite.cases)
    )
    return VirtualApis(ApiCache(folder / "cache"), catalogue)


def _cut(key: str, longest: int = 300) -> str:
    return key if len(key) <= longest else f"{key[:longest]}…"
