"""The report of a review: bounded in every part, and foreign text is code."""

from __future__ import annotations

import dataclasses

import pytest

from cli.output.review_report import review_report
from cli.review_data import BroughtCalls, FormerId, Review
from leaderboard.board.board_changes import BoardEntry, Change, Difference, Move, RankMove
from leaderboard.errors import Problem
from leaderboard.proposals.board_like_names import BoardLikeName
from leaderboard.proposals.changed_paths import PathChange, Proposal
from leaderboard.proposals.look_alikes import LookAlike
from leaderboard.types import Card, Submission
from scoring.changes.changed_questions import ChangedQuestions
from scoring.changes.judge_changes import JudgeChange, LabelFigures
from scoring.changes.near_copies import NearCopy

MANY = range(2000)
EVIL = "`x`|<img>\n::error::##[error]@all" * 20


CARD = Card(
    EVIL,
    "model",
    EVIL,
    EVIL,
    "2026-01-31",
    framework=EVIL,
    license=EVIL,
    links={f"{number}{EVIL}": "https://x.example" for number in range(20)},
)


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
        board_like=tuple(BoardLikeName("name", EVIL, "contains a rank") for _ in MANY),
        alike=tuple(LookAlike("name", EVIL, f"{n}", "name", EVIL, same=False) for n in MANY),
        former_id=FormerId("2026-02-01", EVIL),
        joins=tuple(f"{n}{EVIL}" for n in MANY),
        submission=Submission("mine", CARD, None, {}),
        questions=tuple(ChangedQuestions(EVIL, n, (EVIL,) * 2000) for n in MANY),
        judges=tuple(JudgeChange("j", EVIL, f"{n}", None, None) for n in MANY),
    )


@pytest.mark.large
def test_every_part_is_bounded() -> None:
    """GitHub drops a summary that is too long, so every list ends with the number of the rest."""
    report = review_report(everything())

    assert len(report.encode()) <= 60_500
    for rest in ("and 1,990 more", "and 1,980 more", "and 5,980 more", "and 1,950 more"):
        assert rest in report


@pytest.mark.large
def test_no_line_is_a_command_or_markup() -> None:
    """Line ends are written out, and everything foreign is inside code."""
    report = review_report(everything())

    assert "##[" not in report
    assert not any(line.lstrip().startswith("::") for line in report.splitlines())
    assert "Problems must be fixed. Only a maintainer can allow the rest." in report.splitlines()[1]


NOTHING = Difference("a", "b", (), (), (), (), ())
OF_MAINTAINERS = Proposal(
    None, replaces=False, own=(), outside=(PathChange("x", "changed", "labels"),)
)
GOOD, POOR = LabelFigures(56, 0.71, 0.44, 0.18, 0.64), LabelFigures(56, 0.46, -0.07, -0.32, 0.19)


def test_a_card_and_its_readme_are_shown_as_far_as_pages_show_them() -> None:
    """Whole lines, all links and settings, and what a README is about. A key is replaced."""
    key = "sk-" + "a1B2c3D4" * 6
    card = dataclasses.replace(
        CARD,
        open_weights=True,
        framework=f"{'X' * 170}, verified by the board",
        links={"Paper": "https://a.example/paper", "Scores": f"https://b.example/{key}"},
        settings={f"s{number}": number for number in range(12)},
    )
    readme = f"# Rank 1\n\nBest! **Verified by us.**\n\n## {key}\n\n[Reset your token](https://evil.example/login)\n"
    shown = Submission("mine", card, readme, {})
    report = review_report(Review(OF_MAINTAINERS, True, (), NOTHING, submission=shown))

    assert f"says: open weights; framework `{'X' * 170}, verified by the board`" in report
    assert "links `Paper (a.example)`, `Scores (b.example)`; settings `s0: 0`, " in report
    assert "`s8: 8`, `s9: 9`." in report
    assert "characters; headings `Rank 1`, `[redacted]`; " in report
    assert "`; says `rank 1`, `verified`; links to `evil.example`." in report
    assert key not in report


def test_rows_that_lose_their_rank_are_named_with_the_reason() -> None:
    """A dash and the status are in place of a rank. The numbers of unscored verdicts are, too."""
    waits = Move("*", "correct", 0.0, 0.0, 9, 0, 0, 9)
    moved = dataclasses.replace(
        NOTHING,
        changed=(Change("b", "s", (waits,), (), ()),),
        ranks=(
            RankMove("a", "s", "*", (1, 2), None, "ranked", "judge_not_validated"),
            RankMove("b", "s", "*", (3, 3), None, "ranked", "pending"),
            RankMove("c", "s", "*", None, (1, 1), "incomplete", "ranked"),
        ),
    )
    report = review_report(Review(OF_MAINTAINERS, True, (), moved, metrics={"s": "correct"}))

    assert "🟠 Look first: 2 rows lose their rank.** A maintainer vouches for this" in report
    assert "| `s` | `a` |  |  |  |  | 1–2 to — (judge not validated) |" in report
    assert "| `s` | `b` | 0.0 | 0.0 | 0.0 | 0 to 9 | 3 to — (pending) |" in report
    assert "| `s` | `c` |  |  |  |  | — (incomplete) to 1 |" in report


def test_scores_over_other_cases_have_no_difference() -> None:
    """Both scores are there, as on the history page. A row whose score stays is none of them."""
    moved = dataclasses.replace(
        NOTHING,
        changed=(
            Change("a", "s", (Move("*", "correct", 0.5, 0.75, 4, 4),), (), ()),
            Change("b", "s", (), (), (), added=1, removed=1),
        ),
        recased=("s",),
    )
    report = review_report(Review(OF_MAINTAINERS, True, (), moved, metrics={"s": "correct"}))

    assert "| `s` | `a` | 50.0 | 75.0 | different cases: not comparable |  |  |" in report
    assert "`b`" not in report


def test_a_judge_that_loses_validation_is_named_with_figures() -> None:
    """The panel of one judge has no line of its own, and the whole decision validates nobody."""
    judges = (
        JudgeChange("j", "s", "c", GOOD, POOR),
        JudgeChange("*", "s", "c", GOOD, POOR),
        JudgeChange("decision", "s", "c", POOR, None),
    )
    review = Review(OF_MAINTAINERS, True, (), NOTHING, metrics={"s": "correct"}, judges=judges)
    report = review_report(review)
    removed = review_report(dataclasses.replace(review, metrics={}))
    figures = "71.0 of 56 | 46.0 of 56 | 0.44 (0.18 to 0.64) | −0.07 (−0.32 to 0.19), not validated"

    assert "🟠 Look first: the judge is no longer validated on `s/c`." in report
    assert f"| `j` | `s` | `c` | {figures} |" in report
    assert "| rules, facts and judges | `s` | `c` | 46.0 of 56 | — | −0.07 (" in report
    assert "the panel" not in report
    assert "🟢 No objection to merging." in removed


def test_equal_calls_of_agents_are_said_to_be_calls() -> None:
    """Their answers count that call a tool, and as wrong those that lead to a wrong state."""
    alike = NearCopy("mine", "acts", "rival", False, 46, 45, 12, 11, compared="calls")
    report = review_report(Review(OF_MAINTAINERS, True, (), NOTHING, copies=(alike,)))
    counted = (
        "45 of 46 answers with calls make the same ones, and 11 of 12 that lead to a wrong state"
    )

    assert f"- `acts`: nearly the calls of `rival`. {counted}." in report


def test_each_submission_is_named_whose_texts_are_merged() -> None:
    """With its number of texts, as far as they fit in a line."""
    sources = tuple((f"rival-{number}", 20 - number) for number in range(7))
    alike = NearCopy("mine", "s", "rival-0", False, 190, 119, 0, 0, "texts", sources)
    report = review_report(Review(OF_MAINTAINERS, True, (), NOTHING, copies=(alike,)))

    assert "- `s`: nearly the texts of `rival-0` (20), `rival-1` (19), " in report
    assert "`rival-4` (16), and 2 more. 119 of 190 texts share most of their words" in report


def test_equal_api_calls_are_said_to_be_several() -> None:
    """All answers count as wrong that fail, whatever their calls are."""
    alike = NearCopy("mine", "apis", "rival", False, 46, 45, 12, 11, compared="API calls")
    report = review_report(Review(OF_MAINTAINERS, True, (), NOTHING, copies=(alike,)))
    counted = "45 of 46 answers with several API calls make the same ones, and 11 of 12 that fail"

    assert f"- `apis`: nearly the API calls of `rival`. {counted}." in report


def test_ranks_in_categories_are_told() -> None:
    """They are on pages of categories. Of a submission's own, its row tells."""
    mine = Proposal("mine", replaces=False, own=(), outside=())
    ranks = (
        RankMove("mine", "s", "c", None, (1, 1)),
        RankMove("rival", "s", "c", (1, 1), (2, 2)),
        RankMove("third", "s", "c", (2, 2), (2, 3)),
    )
    moved = Difference("a", "b", (), (), (), (), ranks)
    report = review_report(Review(mine, maintainer=False, problems=(), moved=moved))

    assert "In categories, the best possible rank of 1 other row changes: `rival`." in report
    assert "No score or best possible rank" not in report
