"""Runs a baseline as `lb run` does without further options."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.types import Suite
from runners.baselines.baseline_run import run_baseline
from runners.run_report import RunReport
from tests.conftest import Folder

DATE = "2026-01-31"


def write_baseline(
    folder: Folder,
    suites: Sequence[Suite],
    name: str,
    *,
    date: str = DATE,
    submission_id: str | None = None,
    limit: int | None = None,
) -> RunReport:
    """The id is `baseline-<name>` unless given."""
    chosen = submission_id or f"baseline-{name}"
    return run_baseline(folder.root, suites, name, date=date, submission_id=chosen, limit=limit)
