"""What can be wrong with the files people send in, and the exception that carries it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one file: what, where, and how to fix it.

    `file` is relative to the workspace where it lies inside it; `line` counts from 1, or is None where no line applies;
    `at` is a JSON path such as `$.test_results[3].id`, or empty.
    """

    file: str
    what: str
    fix: str = ""
    line: int | None = None
    at: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        if self.at:
            where = f"{where} {self.at}"
        return f"{where}: {self.what}" + (f" ({self.fix})" if self.fix else "")


class ToolboardError(Exception):
    """Base of every error that is the user's to mend; the command line shows its problems and no traceback."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: Sequence[Problem] = (
            (problems,) if isinstance(problems, Problem) else tuple(problems)
        )
        super().__init__("\n".join(map(str, self.problems)))


class FilesError(ToolboardError):
    """Files in the workspace are missing, unreadable or wrong."""


class JudgeError(ToolboardError):
    """A judge cannot be asked: no key, no such model, or an endpoint that refuses."""
