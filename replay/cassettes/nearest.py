"""For a judge call that nobody recorded: the recorded call that comes closest, and where the two part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.types import Json, JudgeCall
from replay.cassettes import cassette_file, request
from replay.cassettes.request import UnkeyableError

MOST_MISSES: Final = 50
MOST_CANDIDATES: Final = 2000
_MOST_FILES: Final = 8
_FENCE: Final = re.compile(r"^<<<(\S+)$", re.MULTILINE)
_CLIP: Final = 80


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: str
    path: str
    body: Json
    lines: frozenset[str]


class Nearest:
    """Explains misses against a workspace's cassettes: `MOST_MISSES` of them, each against `MOST_CANDIDATES` calls at most."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._explained = 0
        self._known: dict[str, tuple[_Candidate, ...]] = {}
        self._files: tuple[str, ...] | None = None

    def to(self, call: JudgeCall) -> tuple[str | None, str | None]:
        """The key of the nearest recorded call and what differs (`temperature: recorded 0.5, asked 0`), or (None, None)."""
        if self._explained >= MOST_MISSES:
            return None, None
        self._explained += 1
        lines = _lines(call.prompt)
        best = max(
            self._candidates(call), key=lambda candidate: _closeness(candidate, lines), default=None
        )
        if best is None:
            return None, None
        asked = request.body(call.judge, call.prompt)
        return best.key, difference((best.path, best.body), (request.path(call.judge), asked))

    def _candidates(self, call: JudgeCall) -> Iterator[_Candidate]:
        left = MOST_CANDIDATES
        for file in self._near_files(call):
            found = self._known.get(file)
            if found is None:
                if len(self._known) >= _MOST_FILES:
                    self._known.clear()
                found = self._known[file] = tuple(_read(self._root, file))
            yield from found[:left]
            left -= len(found)
            if left <= 0:
                return

    def _near_files(self, call: JudgeCall) -> list[str]:
        """Cassettes, the likeliest first: this submission's own, this judge's and suite's, this judge's, all others."""
        if self._files is None:
            self._files = cassette_file.files(self._root)
        own = cassette_file.relative_path(call.judge.name, call.suite, call.submission)
        suite = own.rpartition("/")[0] + "/"
        judge = suite[:-1].rpartition("/")[0] + "/"
        return sorted(
            self._files,
            key=lambda file: (
                file != own,
                not file.startswith(suite),
                not file.startswith(judge),
                file,
            ),
        )


def _read(root: Path, file: str) -> Iterator[_Candidate]:
    for interaction in cassette_file.read(root, file):
        try:
            exchange = cassette_file.exchange(interaction)
            yield _Candidate(exchange.key, exchange.path, exchange.body, _lines(exchange.prompt))
        except (cassette_file.ShapeError, UnkeyableError):
            continue


def _lines(prompt: str) -> frozenset[str]:
    return frozenset(_unfenced(prompt).splitlines())


def _unfenced(prompt: str) -> str:
    """The prompt with a fixed word for its fence, which changes with every text it guards and says nothing."""
    fence = _FENCE.search(prompt)
    return prompt.replace(fence[1], "fence") if fence else prompt


def _closeness(candidate: _Candidate, lines: frozenset[str]) -> tuple[int, int, str]:
    return len(candidate.lines & lines), -len(candidate.lines), candidate.key


def difference(recorded: tuple[str, Json], asked: tuple[str, Json]) -> str:
    """What differs between two requests, each a path and a body, in one line; at most three places are named."""
    found = [f"path: recorded {recorded[0]}, asked {asked[0]}"] if recorded[0] != asked[0] else []
    found.extend(_differences("", recorded[1], asked[1]))
    more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
    return "; ".join(found[:3]) + more


def _differences(at: str, recorded: Json, asked: Json) -> Iterator[str]:
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted({*recorded, *asked}):
            yield from _member(f"{at}.{name}" if at else name, name, recorded, asked)
    elif isinstance(recorded, list) and isinstance(asked, list) and len(recorded) == len(asked):
        for position, (one, other) in enumerate(zip(recorded, asked, strict=True)):
            yield from _differences(f"{at}[{position}]", one, other)
    elif isinstance(recorded, str) and isinstance(asked, str):
        yield from _texts(at, recorded, asked)
    elif recorded != asked or isinstance(recorded, bool) is not isinstance(asked, bool):
        yield f"{at}: recorded {_shown(recorded)}, asked {_shown(asked)}"


def _member(at: str, name: str, recorded: dict[str, Json], asked: dict[str, Json]) -> Iterator[str]:
    if name not in asked:
        yield f"{at}: recorded {_shown(recorded[name])}, not asked"
    elif name not in recorded:
        yield f"{at}: asked {_shown(asked[name])}, not recorded"
    else:
        yield from _differences(at, recorded[name], asked[name])


def _texts(at: str, recorded: str, asked: str) -> Iterator[str]:
    if recorded == asked:
        return
    before, after = _unfenced(recorded).split("\n"), _unfenced(asked).split("\n")
    for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
        if one != other:
            where = f", line {number}" if len(after) > 1 else ""
            yield f"{at}{where}: recorded {_shown(one)}, asked {_shown(other)}"
            return
    if len(before) != len(after):
        yield f"{at}: recorded {len(before)} lines, asked {len(after)}"
    else:
        yield f"{at}: only the fence differs"


def _shown(value: Json) -> str:
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= _CLIP else text[: _CLIP - 1] + "…"
