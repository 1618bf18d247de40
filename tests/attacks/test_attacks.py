"""What a review says of proposals that cheat, break or hide something, on a real git repository.

The report of each is kept in reports/, so that a reader can see whether it is clear. To write them
again after an intended change: TOOLBOARD_REWRITE=1 .venv/bin/pytest tests/attacks. Read the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.attacks.board_repository import BoardRepository
from tests.attacks.proposals import ATTACKS, Attack

REPORTS = Path(__file__).parent / "reports"

# GitHub drops a summary above 1 MiB, and a comment above 65,536 characters.
MOST_BYTES = 60_500


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> BoardRepository:
    """The board that all proposals change."""
    return BoardRepository(tmp_path_factory.mktemp("attacks"))


def marked(attack: Attack) -> object:
    marks = []
    if attack.waits_for is not None:
        marks = [pytest.mark.xfail(strict=True, reason=attack.waits_for)]
    return pytest.param(attack, id=attack.id, marks=marks)


@pytest.mark.parametrize("attack", [marked(attack) for attack in ATTACKS])
def test_a_proposal_is_reported(repository: BoardRepository, attack: Attack) -> None:
    """The report names what is wrong, is bounded, and holds no command for a log."""
    branch = repository.branch(attack.id)
    attack.change(branch)
    exit_code, report = branch.review()

    assert exit_code == attack.exit_code, report
    assert [text for text in attack.says if text not in report] == [], report
    assert [text for text in attack.never_says if text in report] == [], report
    assert len(report.encode()) <= MOST_BYTES
    assert re.search(r"^\s*::|##\[|\r", report, re.MULTILINE) is None
    if attack.waits_for is not None:
        return  # it passes now: remove `waits_for` and write its report
    kept = REPORTS / f"{attack.id}.md"
    if os.environ.get("TOOLBOARD_REWRITE"):
        kept.write_text(report, encoding="utf-8")
    assert report == kept.read_text(encoding="utf-8")


def test_every_report_belongs_to_a_proposal() -> None:
    """There is a report of each proposal that the review handles, and no other."""
    handled = {f"{attack.id}.md" for attack in ATTACKS if attack.waits_for is None}

    assert {path.name for path in REPORTS.iterdir()} == handled
