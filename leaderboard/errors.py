"""Problems in files that people write, and the exceptions that carry them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

Severity = Literal["error", "warning"]


class UnknownCase(NamedTuple):
    """A case that a record names, and its suite does not have."""

    suite: str
    id: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with one file: what is wrong, where, and how to fix it.

    `file` is relative to the workspace if it is inside it. `line` counts from 1.
    `at` is a JSON path such as `$.test_results[3].id`, or empty.
    `unknown_case` is set if a record answers a case that its suite lacks, under no similar id.
    `number` is how many problems it counts, if it says how many are not listed.
    """

    file: str
    what: str
    fix: str = ""
    line: int | None = None
    at: str = ""
    severity: Severity = "error"
    unknown_case: UnknownCase | None = None
    number: int = 1

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        if self.at:
            where = f"{where} {self.at}"
        return f"{where}: {self.what}" + (f" ({self.fix})" if self.fix else "")


class ToolboardError(Exception):
    """Base of every error that the user can fix. Commands show its problems, and no traceback."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: Sequence[Problem] = (
            (problems,) if isinstance(problems, Problem) else tuple(problems)
        )
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[Self], tuple[Sequence[Problem]]]:
        """Pickles the problems, for an error that another process raised."""
        return type(self), (self.problems,)

    @classmethod
    def about(cls, file: str, what: str, fix: str, line: int | None = None, at: str = "") -> Self:
        """An error with one problem."""
        return cls(Problem(file, what, fix, line, at))


class FilesError(ToolboardError):
    """Files in the workspace are missing, unreadable or wrong."""


class JudgeError(ToolboardError):
    """A judge cannot be asked: no key, no such model, or an endpoint that refuses."""


def errors_in(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems that are no warnings."""
    return tuple(problem for problem in problems if problem.is_error)


def raise_any(problems: Iterable[Problem]) -> None:
    """Raises FilesError with these problems, if there are any."""
    if found := tuple(problems):
        raise FilesError(found)


@contextmanager
def collect_problems(problems: list[Problem]) -> Iterator[None]:
    """Appends the problems of a FilesError to a list, so that other files are still read."""
    try:
        yield
    except FilesError as error:
        problems.extend(error.problems)
