"""The report of a review: bounded in every part, and foreign text is code."""

from __future__ import annotations

import pytest

from cli.review_findings import BroughtCalls, Review
from cli.review_report import review_report
from cli.review_severity import exit_code
from leaderboard.board.board_changes import BoardEntry, Difference
from leaderboard.errors import Problem
from leaderboard.proposals.changed_paths import PathChange, Proposal
from leaderboard.proposals.look_alikes import LookAlike
from scoring.changes.near_copies import NearCopy

MANY = range(2000)
EVIL = "`x`|<img>\n::error::##[error]@all" * 20


def everything() -> Review:
    """A review that is full of hostile text, and long in every part."""
    outside = tuple(PathChange(f"docs/{n}{EVIL}", "added", "docs") for n in MANY)
    return Review(
        Proposal("mine", replaces=True, own=(), outside=outside),
        maintainer=False,
        problems=tuple(Problem(f"{n}{EVIL}", EVIL, EVIL) for n in MANY),
        moved=Difference(
            "a", "b", (), tuple(BoardEntry(f"s{n}", EVIL, {}) for n in MANY), (), (), ()
        ),
        calls=BroughtCalls(9, 9, {"pass": 9}, 1, 1, tuple(f"{n}{EVIL}" for n in MANY)),
        copies=tuple(NearCopy("mine", "s", f"{n}{EVIL}", n == 0, 20, 19, 18, 17) for n in MANY),
        alike=tuple(LookAlike("name", EVIL, f"{n}", EVIL, same=False) for n in MANY),
    )


@pytest.mark.large
def test_every_part_is_bounded() -> None:
    """GitHub drops a summary that is too long, so every list ends with the number of the rest."""
    report = review_report(everything())

    assert len(report.encode()) <= 60_500
    for rest in ("and 1,990 more", "and 1,980 more", "and 3,980 more", "and 1,950 more"):
        assert rest in report


@pytest.mark.large
def test_no_line_is_a_command_or_markup() -> None:
    """Line ends are written out, and everything foreign is inside code."""
    report = review_report(everything())

    assert "##[" not in report
    assert not any(line.lstrip().startswith("::") for line in report.splitlines())
    assert "Problems must be fixed. Only a maintainer can allow the rest." in report.splitlines()[1]


def test_exit_codes() -> None:
    """Problems and reserved changes come first, then missing calls."""
    nothing = Difference("a", "b", (), (), (), (), ())
    alone = Proposal("mine", replaces=False, own=(), outside=())
    warning = Problem("f", "w", severity="warning")

    assert exit_code(Review(alone, False, (), nothing)) == 0
    assert exit_code(Review(alone, False, (warning,), nothing)) == 0
    assert exit_code(Review(alone, False, (), nothing, missing=2)) == 3
    assert exit_code(Review(alone, True, (Problem("f", "e"),), nothing, missing=2)) == 1
    replaced = Proposal("mine", replaces=True, own=(), outside=())
    assert exit_code(Review(replaced, False, (), nothing)) == 1
    assert exit_code(Review(replaced, True, (), nothing)) == 0
