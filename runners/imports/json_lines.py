"""Files with one JSON object per line, each with an id. Collects the problems of all lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from leaderboard.errors import FilesError, Problem
from leaderboard.files.file_bytes import read_named
from leaderboard.files.json_files import parse
from leaderboard.types import Json
from leaderboard.workspace import Workspace


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One object of a file. `number` counts from 1. `problems` are those of the whole import."""

    file: str
    number: int
    value: dict[str, Json]
    problems: list[Problem] = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        return str(self.value["id"])

    def report(self, what: str, fix: str, at: str = "") -> None:
        """Adds a problem of this line."""
        self.problems.append(Problem(self.file, what, fix, line=self.number, at=at))


def json_lines(data: bytes, shown: str, problems: list[Problem]) -> Iterator[tuple[int, Json]]:
    """The number and the value of each line, without blank ones. Adds bad lines to `problems`."""
    for number, text in enumerate(data.split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            yield number, parse(text, shown)
        except FilesError as error:
            problems.extend(replace(problem, line=number) for problem in error.problems)


@dataclass(slots=True)
class LineReader:
    """Reads the files of one import. `problems` collects what is wrong with any of them."""

    root: Path
    problems: list[Problem] = field(default_factory=list)

    def shown(self, path: Path) -> str:
        """A path as messages show it: relative to the workspace if it is inside."""
        return Workspace(self.root).shown(path)

    def report(self, path: Path, what: str, fix: str) -> None:
        """Adds a problem of a whole file or folder."""
        self.problems.append(Problem(self.shown(path), what, fix))

    def read(
        self, path: Path, numbered: Callable[[str], bool] = lambda _id: False
    ) -> tuple[JsonLine, ...]:
        """The objects of a file, each id once, in order. Blank lines are skipped.

        A repeated id gets a number, as in `id.2`, if `numbered` accepts that; else it is a problem.
        """
        shown = self.shown(path)
        try:
            data = read_named(path, shown)
        except FilesError as error:
            self.problems.extend(error.problems)
            return ()
        if not data.strip():
            self.report(path, "is empty", "write one JSON object per line")
        lines: dict[str, JsonLine] = {}
        for line in self._objects(data, shown):
            second = f"{line.id}.2"
            if line.id in lines and second not in lines and numbered(second):
                lines[second] = replace(line, value={**line.value, "id": second})
            elif line.id in lines:
                what = f"repeats the id {line.id!r} of line {lines[line.id].number}"
                line.report(what, "keep one of them", at="$.id")
            lines.setdefault(line.id, line)
        return tuple(lines.values())

    def _objects(self, data: bytes, shown: str) -> Iterator[JsonLine]:
        for number, value in json_lines(data, shown, self.problems):
            if isinstance(value, dict) and isinstance(value.get("id"), str):
                yield JsonLine(shown, number, value, self.problems)
            else:
                what, fix = "is not a JSON object with an id", 'write each line as {"id": ..., ...}'
                self.problems.append(Problem(shown, what, fix, line=number))
