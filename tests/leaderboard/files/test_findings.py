"""Collecting the problems of a file: how many are kept, and which of them are errors."""

from __future__ import annotations

import pytest

from leaderboard.errors import FilesError
from leaderboard.files import findings
from leaderboard.files.findings import Findings


def test_problems_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million problems take no gigabytes. An error among those that are counted stays one."""
    monkeypatch.setattr(findings, "PROBLEMS_KEPT", 2)
    file = Findings("f.json", b"[1, 2, 3, 4]")
    for index in range(3):
        file.add((index,), "is odd", severity="warning")
    assert [str(problem) for problem in file.problems()] == [
        "f.json:1 $[0]: is odd",
        "f.json:1 $[1]: is odd",
        "f.json: has problems that are not listed: 1 (fix the listed ones)",
    ]
    file.raise_errors()
    file.add((3,), "is wrong")
    with pytest.raises(FilesError, match="has problems that are not listed: 2"):
        file.raise_errors()
