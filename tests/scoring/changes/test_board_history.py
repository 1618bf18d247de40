"""A board's history: eras, and the steps of each submission."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leaderboard.results import read_results
from scoring.changes.board_history import board_history, changes
from tests.conftest import Folder
from tests.leaderboard.board.board_states import state
from tests.scoring.verdict_tables import suite

LOW, HIGH = {"a": "++--", "b": "P-"}, {"a": "++++", "b": "P-"}


def test_no_states_no_history() -> None:
    """Before the first snapshot there is no history."""
    found = changes([], {})
    assert ((), {}) == (found.eras, found.steps)


@pytest.mark.large
def test_the_first_board_is_where_everybody_comes_in() -> None:
    """Each submission has one step, with its score and rank, and the era has no difference."""
    found = changes([state("first", {"m1": LOW, "m2": HIGH}, sequence=1, label="start")], {})
    (era,) = found.eras
    assert ("first", 1, "start", 2, None) == (
        era.state,
        era.sequence,
        era.label,
        era.submissions,
        era.difference,
    )
    assert [("added", None, 0.5, None, (1, 2))] == [
        (step.how, step.old, step.new, step.old_rank, step.new_rank) for step in found.steps["m1"]
    ]


@pytest.mark.large
def test_a_submission_comes_moves_and_goes() -> None:
    """Added, changed with its cause, omitted while nothing changes, removed, and added again."""
    boards = [
        state("1", {"m2": HIGH}),
        state("2", {"m1": LOW, "m2": HIGH}),
        state("3", {"m1": HIGH, "m2": HIGH}),
        state("4", {"m1": HIGH, "m2": HIGH}),
        state("5", {"m2": HIGH}),
        state("6", {"m1": LOW, "m2": HIGH}),
    ]
    found = changes(boards, {})
    assert [
        ("2", "added", None, 0.5),
        ("3", "changed", 0.5, 0.75),
        ("5", "removed", 0.75, None),
        ("6", "added", None, 0.5),
    ] == [(step.state, step.how, step.old, step.new) for step in found.steps["m1"]]
    moved = found.steps["m1"][1]
    assert (2, ["responses"]) == (moved.flips, [cause.kind for cause in moved.causes])
    assert ["m2"] == [
        name for name, steps in found.steps.items() if len(steps) == 1 or steps[0].state == "1"
    ]


@pytest.mark.large
def test_a_rank_that_others_move_has_no_cause_of_its_own() -> None:
    """m1 does nothing, and shares its place with one more."""
    found = changes([state("1", {"m1": HIGH}), state("2", {"m1": HIGH, "m2": HIGH})], {})
    step = found.steps["m1"][1]
    assert ("changed", (1, 1), (1, 2), 0.75, 0.75, 0, ()) == (
        step.how, step.old_rank, step.new_rank, step.old, step.new, step.flips, step.causes
    )  # fmt: skip


@pytest.mark.large
def test_verdicts_that_cancel_out_are_a_step() -> None:
    """The score is the same, but two cases changed."""
    found = changes(
        [
            state("1", {"m1": {"a": "++--", "b": "P-"}}),
            state("2", {"m1": {"a": "+-+-", "b": "P-"}}),
        ],
        {},
    )
    step = found.steps["m1"][1]
    assert (0.5, 0.5, 2) == (step.old, step.new, step.flips)


def test_a_state_knows_its_own_ranked_metric() -> None:
    """A metric that the board has not is no step; the state's own word goes before the caller's."""
    one = state("1", {"m1": LOW})
    assert {} == changes([one], {"s": "sopr"}).steps
    assert ["m1"] == list(changes([replace(one, metrics={"s": "correct"})], {"s": "sopr"}).steps)


@pytest.mark.large
def test_the_board_of_today_is_the_last_era(folder: Folder) -> None:
    """It follows the last snapshot, unless that one holds the same board."""
    folder.submission("m1", [{"id": "B001", "model_text": "It is Paris."}])
    assert 0 == folder.lb("rescore").exit_code
    results = read_results(folder.root / "results")
    assert board_history([], results, {}) is None

    before = state("old", {"m1": LOW}, sequence=1)
    found = board_history([before], results, {})
    assert found is not None
    assert ["old", "now"] == [era.state for era in found.eras]

    same = replace(before, manifest=results.manifest)
    found = board_history([same], results, {})
    assert found is not None
    assert ["old"] == [era.state for era in found.eras]


@pytest.mark.large
def test_a_step_knows_that_the_suite_has_other_cases() -> None:
    """The suite gains a case in the second state, and none in the third."""
    larger = suite("s", a=(5, 1.0), b=(2, 1.0))
    boards = [
        state("1", {"m1": LOW}),
        state("2", {"m1": {"a": "++---", "b": "P-"}}, larger),
        state("3", {"m1": {"a": "+++--", "b": "P-"}}, larger),
    ]

    assert [step.recased for step in changes(boards, {}).steps["m1"]] == [False, True, False]
