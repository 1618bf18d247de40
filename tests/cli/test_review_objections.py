"""What a review objects to, and who may allow it."""

from __future__ import annotations

import dataclasses
from typing import Any

from cli.review_data import FormerId, Review
from cli.review_objections import exit_code, verdict_line
from leaderboard.board.board_changes import Difference
from leaderboard.errors import Problem
from leaderboard.ids import WHOLE
from leaderboard.proposals.board_like_names import BoardLikeName
from leaderboard.proposals.changed_paths import PathChange, Proposal
from scoring.changes.near_copies import NearCopy
from scoring.tables.board_row import BoardRow, RowScore
from tests.each_row import each_row

NOTHING = Difference("a", "b", (), (), (), (), ())
UPDATE = Proposal("mine", replaces=True, own=(), outside=())
NEAR = NearCopy("mine", "s", "rival", False, 20, 19, 12, 12)


@each_row(
    ("found", "said"),
    [
        ({"copies": (NEAR,)}, "the answers are nearly those of `rival`"),
        (
            {"copies": (dataclasses.replace(NEAR, compared="calls"),)},
            "the calls are nearly those of",
        ),
        (
            {"copies": (dataclasses.replace(NEAR, sources=(("rival", 7), ("other", 6))),)},
            "the answers are nearly those of 2 submissions",
        ),
        (
            {"board_like": (BoardLikeName("name", "#1", "contains a rank"),)},
            "its name contains a rank",
        ),
        (
            {"board_like": (BoardLikeName("name", "Rival (new)", "adds words to", "rival"),)},
            "its name adds words to `rival`",
        ),
        ({"joins": ("a-k8", "a-k16")}, "it joins the sweep of `a-k8`"),
        (
            {"former_id": FormerId("2026-02-01", "Old")},
            "snapshots up to 2026-02-01 list the id `mine`, and no submission on the board has it",
        ),
        (
            {"long_answers": 10},
            "10 answers have more than 10,000 characters, and only these were compared with others",
        ),
        ({"unscored": 2}, "2 cases without a score, for reasons that no judge can settle"),
        ({"not_shown": ("steps (3)",)}, "the answers leave out what other metrics need"),
    ],
)
def test_what_a_maintainer_vouches_for_hides_nothing_else(found: dict[str, Any], said: str) -> None:
    """A maintainer who allows the update of a row sees what is odd about its answers."""
    review = Review(UPDATE, True, (), NOTHING, **found)
    line = verdict_line(review)

    assert f"🟠 Look first: {said}" in line
    assert "A maintainer vouches for this: it changes `mine`, which is on the board already" in line
    assert exit_code(review) == 0


def row(suite: str, blank: int, cases: int) -> BoardRow:
    whole = RowScore("mine", WHOLE, cases, cases, 0, 0.5, 0.4, 0.6)
    return BoardRow(
        suite=suite,
        metric="m",
        whole=whole,
        status=None,
        rank=None,
        categories=(),
        failures=(),
        judged=0,
        of_suite=cases,
        unanswered=0,
        blank=blank,
        missing_trials=0,
        usage=None,
        above=None,
        below=None,
    )


def test_a_tenth_of_the_cases_may_lack_an_answer() -> None:
    """With one more, the file may be half-finished. The line names the first suites."""
    alone = Proposal("mine", replaces=False, own=(), outside=())
    enough = Review(alone, False, (), NOTHING, rows=(row("a", 4, 40),))
    rows = (row("a", 4, 40), row("b", 5, 40), *(row(f"c{n}", 1, 1) for n in range(4)))
    half = Review(alone, False, (), NOTHING, rows=rows)

    assert "🟢 No objection to merging." in verdict_line(enough)
    assert (
        "🟠 Look first: no record or an empty answer for 5 of 40 cases of `b`, "
        "1 of 1 cases of `c0`, 1 of 1 cases of `c1`, and 2 more."
    ) in verdict_line(half)


def test_a_few_long_answers_are_usual() -> None:
    """Ten can hide a copy."""
    alone = Proposal("mine", replaces=False, own=(), outside=())

    assert "🟢 No objection to merging." in verdict_line(
        Review(alone, False, (), NOTHING, long_answers=9)
    )


def test_a_branch_behind_the_base_is_to_be_merged_first() -> None:
    """Its changes may be those of the base."""
    change = PathChange("docs/a.md", "changed", "docs")
    old = Proposal("mine", replaces=False, own=(), outside=(change,), behind=True)
    line = verdict_line(Review(old, False, (), NOTHING))

    lacks = "(docs; the branch lacks the newest commit of the base, so review a merge of both)"
    assert f"1 file changed that is not part of `mine` {lacks}." in line


def test_odd_answers_are_named_while_judge_calls_are_missing() -> None:
    """The maintainer pays for the calls, and should know."""
    line = verdict_line(Review(UPDATE, True, (), NOTHING, missing=2, copies=(NEAR,), unscored=1))

    assert "🟠 Wait: somebody has to record 2 judge calls first" in line
    assert "Look at this, too: the answers are nearly those of `rival`, and 1 case without" in line
    assert "A maintainer vouches for this: it changes `mine`" in line


def test_exit_codes() -> None:
    """Problems and reserved changes come first, then missing calls."""
    alone = Proposal("mine", replaces=False, own=(), outside=())
    warning = Problem("f", "w", severity="warning")

    assert exit_code(Review(alone, False, (), NOTHING)) == 0
    assert exit_code(Review(alone, False, (warning,), NOTHING)) == 0
    assert exit_code(Review(alone, False, (), NOTHING, missing=2)) == 3
    assert exit_code(Review(alone, True, (Problem("f", "e"),), NOTHING, missing=2)) == 1
    assert exit_code(Review(UPDATE, False, (), NOTHING)) == 1
    assert exit_code(Review(UPDATE, True, (), NOTHING)) == 0
