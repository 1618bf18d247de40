"""The problems that one file is found to have, by path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from leaderboard.errors import FilesError, Problem, Severity, UnknownCase
from leaderboard.files.json_files import At, locate, path_text
from leaderboard.limits import PROBLEMS_KEPT


class FileFinding(NamedTuple):
    """Where in a file something is wrong, what, how to fix it, and how bad it is.

    `unknown_case` is the case that a record names and its suite lacks. `number` is how many
    problems it counts.
    """

    at: At
    what: str
    fix: str = ""
    severity: Severity = "error"
    unknown_case: UnknownCase | None = None
    number: int = 1


@dataclass(slots=True)
class Findings:
    """Collects the problems of one file by path, and looks up their lines once, at the end.

    `place_of` names paths in messages, for data that was made from a file of another form.
    """

    file: str
    data: bytes
    find_lines: Callable[[bytes, Collection[At]], Mapping[At, int]] | None = None
    place_of: Callable[[At], str] | None = None
    found: list[FileFinding] = field(default_factory=list)

    def add(
        self,
        at: At,
        what: str,
        fix: str = "",
        severity: Severity = "error",
        unknown_case: UnknownCase | None = None,
        *,
        number: int = 1,
    ) -> None:
        self.found.append(FileFinding(at, what, fix, severity, unknown_case, number))

    def shown_path(self, at: At) -> str:
        """A path as messages name it."""
        return path_text(at) if self.place_of is None else self.place_of(at)

    def problems(self) -> tuple[Problem, ...]:
        """The problems in the order found, each with its line. The last counts the rest."""
        find_lines = self.find_lines or locate
        kept, rest = self.found[:PROBLEMS_KEPT], self.found[PROBLEMS_KEPT:]
        lines = find_lines(self.data, {one.at for one in kept}) if kept else {}
        problems = [self._problem(one, lines.get(one.at)) for one in kept]
        if rest:
            what, fix = f"has problems that are not listed: {len(rest):,}", "fix the listed ones"
            worst: Severity = "error" if _has_error(rest) else "warning"
            problems.append(Problem(self.file, what, fix, severity=worst))
        return tuple(problems)

    def _problem(self, one: FileFinding, line: int | None) -> Problem:
        place = self.shown_path(one.at)
        rest = (one.severity, one.unknown_case, one.number)
        return Problem(self.file, one.what, one.fix, line, place, *rest)

    @property
    def has_errors(self) -> bool:
        return _has_error(self.found)

    def raise_errors(self) -> None:
        """Raises FilesError with all problems, if one of them is an error."""
        if self.has_errors:
            raise FilesError(self.problems())


def _has_error(findings: Iterable[FileFinding]) -> bool:
    return any(one.severity == "error" for one in findings)
