"""Files of JSON objects, one a line, each with an id: what is wrong is collected with its line, the rest is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from leaderboard.errors import FilesError, Problem, Severity
from leaderboard.files.document import parse
from leaderboard.types import Json


@dataclass(frozen=True, slots=True)
class Line:
    """One object of a file: `number` counts from 1."""

    file: str
    number: int
    value: dict[str, Json]

    @property
    def id(self) -> str:
        return str(self.value["id"])

    def problem(
        self, what: str, fix: str = "", at: str = "", severity: Severity = "error"
    ) -> Problem:
        return Problem(self.file, what, fix, line=self.number, at=at, severity=severity)


@dataclass(slots=True)
class LineReader:
    """Reads such files and keeps the problems of all of them."""

    root: Path
    problems: list[Problem] = field(default_factory=list)

    def shown(self, path: Path) -> str:
        """A path as messages show it: below the workspace where it is."""
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()

    def read(self, path: Path) -> tuple[Line, ...]:
        """The objects of a file with ids of their own, in order. Blank lines are passed over."""
        shown = self.shown(path)
        try:
            data = path.read_bytes()
        except OSError as error:
            self.problems.append(
                Problem(
                    shown,
                    f"cannot be read: {error.strerror or error}",
                    "check the name and its permissions",
                )
            )
            return ()
        if not data.strip():
            self.problems.append(Problem(shown, "is empty", "it holds one JSON object a line"))
        lines: dict[str, Line] = {}
        for line in self._objects(data, shown):
            if line.id in lines:
                what = f"repeats the id {line.id!r} of line {lines[line.id].number}"
                self.problems.append(line.problem(what, "keep one of them", at="$.id"))
            lines.setdefault(line.id, line)
        return tuple(lines.values())

    def _objects(self, data: bytes, shown: str) -> Iterator[Line]:
        for number, text in enumerate(data.split(b"\n"), start=1):
            if not text.strip():
                continue
            try:
                value = parse(text, shown)
            except FilesError as error:
                self.problems.extend(replace(problem, line=number) for problem in error.problems)
                continue
            if isinstance(value, dict) and isinstance(value.get("id"), str):
                yield Line(shown, number, value)
            else:
                what = "is not a JSON object with an id"
                self.problems.append(
                    Problem(shown, what, 'each line is {"id": ..., ...}', line=number)
                )
