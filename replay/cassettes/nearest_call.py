"""For a judge call that is not recorded: the recorded call that is nearest, and what differs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from leaderboard.files.cassette_paths import FOLDER, cassette_files, relative_path
from leaderboard.files.prompt_files import FENCE
from leaderboard.texts.short_text import cut
from leaderboard.types import Json, JudgeCall
from replay.cassettes import call_identity, cassette_file
from replay.cassettes.call_identity import UnkeyableError

MOST_MISSES: Final = 50
MOST_CANDIDATES: Final = 2000
_MOST_SHOWN: Final = 3
_CLIP: Final = 80

# A recorded call: its key, its path and body, and the lines of its prompt.
Candidate = tuple[str, tuple[str, Json], frozenset[str]]

# The key of the nearest recorded call, and what differs.
Explanation = tuple[str | None, str | None]


class Nearest:
    """Explains misses: `MOST_MISSES` of them, each against at most `MOST_CANDIDATES` calls."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._explained: dict[str, Explanation] = {}
        self._known: dict[str, tuple[Candidate, ...]] = {}

    @cached_property
    def _files(self) -> tuple[str, ...]:
        return cassette_files(self._root)

    def to(self, key: str, call: JudgeCall) -> Explanation:
        """Returns the key of the recorded call that is nearest to the call with this key.

        A difference reads `temperature: recorded 0.5, asked 0`. Both are None without any call.
        """
        if key not in self._explained:
            if len(self._explained) >= MOST_MISSES:
                return None, None
            self._explained[key] = self._explain(call)
        return self._explained[key]

    def _explain(self, call: JudgeCall) -> Explanation:
        lines = _lines(call.prompt)
        # The most shared lines win, then the shorter prompt.
        best = max(
            islice(self._candidates(call), MOST_CANDIDATES),
            key=lambda candidate: (len(candidate[2] & lines), -len(candidate[2]), candidate[0]),
            default=None,
        )
        if best is None:
            return None, None
        asked = call_identity.path(call.judge), call_identity.body(call.judge, call.prompt)
        return best[0], difference(best[1], asked)

    def _candidates(self, call: JudgeCall) -> Iterator[Candidate]:
        """Yields recorded calls, the likeliest cassettes first: same submission, suite, judge."""
        own = relative_path(call.judge.name, call.suite, call.submission)
        suite = own.rpartition("/")[0] + "/"
        judge = f"{FOLDER}/{call.judge.name}/"

        def distance(file: str) -> tuple[bool, bool, bool, str]:
            return file != own, not file.startswith(suite), not file.startswith(judge), file

        for file in sorted(self._files, key=distance):
            if file not in self._known:
                self._known[file] = tuple(_read(self._root, file))
            yield from self._known[file]


def _read(root: Path, file: str) -> Iterator[Candidate]:
    for interaction in cassette_file.read(root, file):
        try:
            found = cassette_file.exchange(interaction)
            yield found.key, (found.path, found.body), _lines(found.prompt)
        except (cassette_file.ShapeError, UnkeyableError):
            continue


def _lines(prompt: str) -> frozenset[str]:
    return frozenset(_unfenced(prompt).splitlines())


def _unfenced(prompt: str) -> str:
    """Replaces the fence by a fixed word, because it changes with every text that it encloses."""
    fence = FENCE.search(prompt)
    return prompt.replace(fence[1], "fence") if fence else prompt


def difference(recorded: tuple[str, Json], asked: tuple[str, Json]) -> str:
    """Describes in one line what differs between two requests, each a path and a body."""
    found = [f"path: recorded {recorded[0]}, asked {asked[0]}"] if recorded[0] != asked[0] else []
    found.extend(_differences("", recorded[1], asked[1]))
    more = f"; and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return "; ".join(found[:_MOST_SHOWN]) + more


def _differences(at: str, recorded: Json, asked: Json) -> Iterator[str]:
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted({*recorded, *asked}):
            place = f"{at}.{name}" if at else name
            if name not in asked:
                yield f"{place}: recorded {_shown(recorded[name])}, not asked"
            elif name not in recorded:
                yield f"{place}: asked {_shown(asked[name])}, not recorded"
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
