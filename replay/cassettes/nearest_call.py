"""For a judge call that is not recorded: the recorded call that is nearest, and what differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from leaderboard.files.cassette_paths import FOLDER, relative_path
from leaderboard.files.prompt_files import FENCE
from leaderboard.texts.short_text import cut
from leaderboard.types import Json, JudgeCall
from replay.cassettes import call_identity
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.cassette_index import Index

MOST_MISSES: Final = 50
MOST_CANDIDATES: Final = 2000
_MOST_SHOWN: Final = 3
_CLIP: Final = 80


class Explanation(NamedTuple):
    """The key of the recorded call that is nearest to a missing one, and what differs."""

    key: str
    difference: str


class Request(NamedTuple):
    """What a judge call sends."""

    path: str
    body: Json


class Candidate(NamedTuple):
    """A recorded call that may be the nearest: its request, and the lines of its prompt."""

    key: str
    request: Request
    lines: frozenset[str]


class Nearest:
    """Explains misses: `MOST_MISSES` of them, each against at most `MOST_CANDIDATES` calls."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._explained: dict[str, Explanation | None] = {}
        self._candidates: dict[str, Candidate] = {}

    def to(self, key: str, call: JudgeCall) -> Explanation | None:
        """The recorded call nearest to the one with this key. None without any call.

        A difference reads `temperature: recorded 0.5, asked 0`.
        """
        if key not in self._explained:
            if len(self._explained) >= MOST_MISSES:
                return None
            self._explained[key] = self._explain(call)
        return self._explained[key]

    def _explain(self, call: JudgeCall) -> Explanation | None:
        lines = _lines(call.prompt)

        def closeness(candidate: Candidate) -> tuple[int, int, str]:
            """The most shared lines win, then the shorter prompt."""
            return len(candidate.lines & lines), -len(candidate.lines), candidate.key

        likeliest = islice(self._likeliest(call), MOST_CANDIDATES)
        best = max(map(self._candidate, likeliest), key=closeness, default=None)
        if best is None:
            return None
        path, body = call_identity.path(call.judge), call_identity.body(call.judge, call.prompt)
        return Explanation(best.key, difference(best.request, Request(path, body)))

    def _likeliest(self, call: JudgeCall) -> Iterator[Recorded]:
        """Yields recorded calls, the likeliest cassettes first: same submission, suite, judge."""
        own = relative_path(call.judge.name, call.suite, call.submission)
        suite = own.rpartition("/")[0] + "/"
        judge = f"{FOLDER}/{call.judge.name}/"

        def distance(file: str) -> tuple[bool, bool, bool, str]:
            return file != own, not file.startswith(suite), not file.startswith(judge), file

        for file in sorted(self._by_file, key=distance):
            yield from self._by_file[file]

    @cached_property
    def _by_file(self) -> Mapping[str, Sequence[Recorded]]:
        by_file: defaultdict[str, list[Recorded]] = defaultdict(list)
        for recorded in self._index:
            if not recorded.is_new:
                by_file[recorded.file].append(recorded)
        return by_file

    def _candidate(self, recorded: Recorded) -> Candidate:
        if recorded.key not in self._candidates:
            exchange = self._index.exchange(recorded)
            request = Request(exchange.path, exchange.body)
            lines = _lines(exchange.prompt)
            self._candidates[recorded.key] = Candidate(recorded.key, request, lines)
        return self._candidates[recorded.key]


def _lines(prompt: str) -> frozenset[str]:
    return frozenset(_unfenced(prompt).splitlines())


def _unfenced(prompt: str) -> str:
    """Replaces the fence by a fixed word, because it changes with every text that it encloses."""
    fence = FENCE.search(prompt)
    return prompt.replace(fence[1], "fence") if fence else prompt


def difference(recorded: Request, asked: Request) -> str:
    """Describes in one line what differs between two requests."""
    found = []
    if recorded.path != asked.path:
        found.append(f"path: recorded {recorded.path}, asked {asked.path}")
    found.extend(_differences("", recorded.body, asked.body))
    more = f"; and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return "; ".join(found[:_MOST_SHOWN]) + more


def _differences(at: str, recorded: Json, asked: Json) -> Iterator[str]:
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted({*recorded, *asked}):
            place = f"{at}.{name}" if at else name
            if name not in asked:
                value = _shown(recorded[name])
                yield f"{place}: {value} in the recorded request, absent in the new one"
            elif name not in recorded:
                value = _shown(asked[name])
                yield f"{place}: {value} in the new request, absent in the recorded one"
            else:
                yield from _differences(place, recorded[name], asked[name])
    elif isinstance(recorded, list) and isinstance(asked, list) and len(recorded) == len(asked):
        for position, (one, other) in enumerate(zip(recorded, asked, strict=True)):
            yield from _differences(f"{at}[{position}]", one, other)
    elif isinstance(recorded, str) and isinstance(asked, str):
        if recorded != asked:
            yield _text_difference(at, recorded, asked)
    elif recorded != asked or isinstance(recorded, bool) is not isinstance(asked, bool):
        yield f"{at}: recorded {_shown(recorded)}, asked {_shown(asked)}"


def _text_difference(at: str, recorded: str, asked: str) -> str:
    before, after = _unfenced(recorded).split("\n"), _unfenced(asked).split("\n")
    for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
        if one != other:
            where = f", line {number}" if len(after) > 1 else ""
            return f"{at}{where}: recorded {_shown(one)}, asked {_shown(other)}"
    if len(before) != len(after):
        return f"{at}: recorded {len(before)} lines, asked {len(after)}"
    return f"{at}: only the fence differs"


def _shown(value: Json) -> str:
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return cut(text, _CLIP)
