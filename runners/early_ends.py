"""How a run ends early: first failures, Ctrl-C, a budget, a full disk, or only empty answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from leaderboard.types import Case, Suite
from runners.models.model_settings import ModelError
from runners.models.run_journal import JournalEntry, read_journal


@dataclass(slots=True)
class FirstFailures:
    """Counts failures until a case is answered. After `most` of them the run gives up.

    If its first cases all fail, the others would fail too.
    """

    most: int
    answered: bool = False
    failed: int = 0

    def count(self, *, answered: bool) -> bool:
        """Counts a case, and returns whether to give up now."""
        self.answered |= answered
        self.failed += not answered
        return not self.answered and self.failed >= self.most


class RunInterrupted(Exception):  # noqa: N818 - Ctrl-C is not an error
    """Ctrl-C, a budget or a full disk. `kept` of `total` answers to the suite are kept.

    `dollars` is what they cost, if the budget ended the run. `fault` is the error of a file that
    could not be written, if one ended it.
    """

    def __init__(
        self,
        suite: str,
        kept: int,
        total: int,
        dollars: float | None = None,
        fault: OSError | None = None,
    ) -> None:
        super().__init__(f"{kept} of {total} answers to {suite} are kept")
        self.suite, self.kept, self.total = suite, kept, total
        self.dollars, self.fault = dollars, fault


@contextmanager
def interrupted_by_faults(
    root: Path, submission_id: str, suite: Suite, planned: Sequence[tuple[Case, int]]
) -> Iterator[None]:
    """Turns an error of a file into RunInterrupted, with what the journal on the disk has.

    An error that names no file is not one of a file, and is raised as it is.
    """
    try:
        yield
    except OSError as fault:
        if fault.filename is None:
            raise
        entries = read_journal(root, submission_id, suite.id).entries
        answered = {place for place, entry in entries.items() if entry.answered}
        kept = sum((case.id, trial) in answered for case, trial in planned)
        raise RunInterrupted(suite.id, kept, len(planned), fault=fault) from fault


def empty_run(
    name: str, what: str, check: str, journal: str, entries: Sequence[JournalEntry]
) -> ModelError:
    """The error that ends a run without a single call or text.

    `name` is the model or agent, `what` says that it gave nothing, and `check` what to look at.
    `journal` is the path of its journal, as shown.
    """
    errors = [str(entry.record["error"]) for entry in entries if entry.failed]
    if errors:
        what += f", the first error: {errors[0]}"
    unclosed = sum("unclosed" in entry.marks for entry in entries)
    cut_off = sum("cut_off" in entry.marks for entry in entries)
    if unclosed:
        what += f"; {unclosed:,} cut off during the thoughts: --max-tokens may be too low"
    elif cut_off:
        what += f"; {cut_off:,} cut off at the token limit: --max-tokens may be too low"
    return ModelError.about(
        name, what, f"{check}; then delete {journal} and run the same command again"
    )
