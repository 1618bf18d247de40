"""Ends a run cleanly when a file cannot be written, for example because the disk is full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from leaderboard.types import Case, Suite
from runners.models.run_journal import path_of, read_journal
from runners.run_report import RunInterrupted


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
        entries = read_journal(root, path_of(root, submission_id, suite.id)).entries
        answered = {place for place, entry in entries.items() if entry.answered}
        kept = sum((case.id, trial) in answered for case, trial in planned)
        raise RunInterrupted(suite.id, kept, len(planned), fault=fault) from fault
