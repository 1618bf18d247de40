"""What changed between two states, and why: every kind of cause, and the alarm without one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from leaderboard.board.board_changes import Cause
from leaderboard.board.board_state import State
from leaderboard.board.manifest_shape import Manifest
from scoring.changes.board_difference import difference, input_changes
from tests.each_row import each_row
from tests.leaderboard.board.board_states import manifest, state
from tests.scoring.verdict_tables import suite

M1 = {"a": "++--", "b": "P-"}
LARGER = suite("s", a=(5, 1.0), b=(2, 1.0))


def kinds(causes: tuple[Cause, ...]) -> list[str]:
    return [cause.kind for cause in causes]


def with_parts(given: Manifest, **changed: Any) -> Manifest:
    """A manifest with parts of the suite `s`."""
    told: Any = {
        "cases": {"a1": "1", "a2": "2"},
        "tools": "t",
        "weights": {"a": 1.0, "b": 1.0},
        "policy": "p",
    }
    return {**given, "suite_parts": {"s": told | changed}}


@each_row(
    ("changed", "expected"),
    [
        ({"cases": {"a1": "1", "a2": "9"}}, [("case", "a2", "changed")]),
        ({"cases": {"a1": "1", "a3": "3"}}, [("case", "a2", "removed"), ("case", "a3", "added")]),
        ({"weights": {"a": 2.0, "b": 1.0}}, [("weight", "a", "changed")]),
        ({"tools": "u", "policy": "q"}, [("tools", "", "changed"), ("policy", "", "changed")]),
        ({}, [("texts", "", "changed")]),
    ],
)
def test_a_suite_that_changed_says_what_of_it(
    changed: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    """Cases by id, weights by category, tools, policy; if none of these, its texts alone."""
    base, new = with_parts(manifest({})), with_parts(manifest({}, cases="others"), **changed)
    (cause,) = input_changes(base, new)
    assert ("cases", "s", expected) == (
        cause.kind,
        cause.name,
        [(part.kind, part.name, part.how) for part in cause.parts],
    )


def test_a_state_without_parts_names_no_part() -> None:
    """An old state without parts: only the suite is named."""
    base, new = manifest({}), with_parts(manifest({}, cases="others"))
    assert (
        [Cause("cases", "s", "changed", "s")]
        == list(input_changes(base, new))
        == list(input_changes(new, base))
    )


@pytest.mark.large
def test_titles_and_descriptions_move_nothing() -> None:
    """A score that moves while only a suite's texts changed has no cause."""
    same = {"m1": "same"}
    base = state("x", {"m1": M1}, responses=same)
    new = state("y", {"m1": {"a": "+---", "b": "P-"}}, responses=same, cases="other words")
    told = [replace(one, manifest=with_parts(one.manifest)) for one in (base, new)]
    assert ["m1"] == [change.submission for change in difference(*told).alarms]


@pytest.mark.large
def test_two_equal_states_differ_in_nothing() -> None:
    """No inputs, no moves, no alarm."""
    found = difference(state("x", {"m1": M1}), state("y", {"m1": M1}))
    assert found.nothing
    assert ((), (), "x", "y") == (found.inputs, found.alarms, found.base, found.new)


@pytest.mark.large
def test_a_change_names_its_verdicts_scores_and_cause() -> None:
    """One case fails now because of other responses. Its category and the whole suite move."""
    found = difference(state("x", {"m1": M1}), state("y", {"m1": {"a": "+---", "b": "P-"}}))
    (change,) = found.changed
    assert ("m1", "s") == (change.submission, change.suite)
    assert [("*", 0.5, 0.375), ("a", 0.5, 0.25)] == [
        (move.category, move.old, move.new) for move in change.moves
    ]
    assert pytest.approx(-0.125) == change.moves[0].by
    (flip,) = change.flips
    assert ("a", "a1", 1, "correct", "pass", "fail", 1.0, 0.0, False) == (
        flip.category, flip.case_id, flip.trial, flip.metric, flip.old, flip.new,
        flip.old_score, flip.new_score, flip.judged
    )  # fmt: skip
    assert (Cause("responses", "submissions/m1/s.json", "changed", "s", "m1"),) == change.causes


@pytest.mark.large
def test_a_row_that_becomes_unscored_says_how_much_and_why_it_has_no_rank() -> None:
    """The score may stay the same. The numbers of verdicts and the status do not."""
    now = {"m1": {"a": "++--", "b": "?-"}}
    found = difference(state("x", {"m1": {"a": "++--", "b": "--"}}), state("y", now))
    (move,) = (move for move in found.changed[0].moves if move.category == "b")
    (rank,) = (rank for rank in found.ranks if rank.category == "*")

    assert (move.old, move.new) == (0.0, 0.0)
    assert (move.old_scored, move.new_scored) == (2, 1)
    assert (move.old_unscored, move.new_unscored) == (0, 1)
    assert (rank.old, rank.old_status) == ((1, 1), "ranked")
    assert (rank.new, rank.new_status) == (None, "incomplete")


@pytest.mark.large
@each_row(
    ("now", "inputs", "expected"),
    [
        ({"a": "+---", "b": "P-"}, {"rules": 2}, ["rules"]),
        ({"a": "+---", "b": "P-"}, {"cases": "others"}, ["cases"]),
        ({"a": "+---", "b": "P-"}, {"cases": "others", "rules": 2}, ["cases", "rules"]),
        # What judges rest on cannot move what code decided.
        ({"a": "+---", "b": "P-"}, {"prompt": "other", "judge": "other", "rules": 2}, ["rules"]),
        ({"a": "++--", "b": "F-"}, {"prompt": "other"}, ["prompts"]),
        ({"a": "++--", "b": "F-"}, {"judge": "other"}, ["judges"]),
        ({"a": "++--", "b": "F-"}, {"cassettes": {"m1": "new"}}, ["cassettes"]),
        (
            {"a": "++--", "b": "F-"},
            {"prompt": "x", "judge": "x", "cassettes": {"m1": "x"}},
            ["prompts", "judges", "cassettes"],
        ),
        # Code decides what a judge decided before.
        ({"a": "++--", "b": "--"}, {"prompt": "other"}, ["prompts"]),
        ({"a": "++--", "b": "?-"}, {"cassettes": {"m1": "less"}}, ["cassettes"]),
    ],
)  # fmt: skip
def test_causes_are_the_inputs_a_change_can_come_from(
    now: dict[str, str], inputs: dict[str, Any], expected: list[str]
) -> None:
    """Several are listed, those that cannot have done it are not."""
    same = {"m1": "same"}
    found = difference(
        state("x", {"m1": M1}, responses=same), state("y", {"m1": now}, responses=same, **inputs)
    )
    assert expected == kinds(found.changed[0].causes)
    assert () == found.alarms


@pytest.mark.large
def test_a_move_without_a_changed_input_is_an_alarm() -> None:
    """The same inputs cannot give another verdict, so that this change is an alarm."""
    same = {"m1": "same", "m2": "same"}
    base, new = {"m1": M1, "m2": M1}, {"m1": M1, "m2": {"a": "----", "b": "P-"}}
    found = difference(state("x", base, responses=same), state("y", new, responses=same))
    assert ["m2"] == [change.submission for change in found.alarms]


@pytest.mark.large
def test_another_submissions_responses_are_no_cause() -> None:
    """That somebody else sent in new answers explains nothing here."""
    words = {"m1": "same", "m2": "one"}, {"m1": "same", "m2": "two"}
    base, new = {"m1": M1, "m2": M1}, {"m1": {"a": "----", "b": "P-"}, "m2": M1}
    found = difference(state("x", base, responses=words[0]), state("y", new, responses=words[1]))
    assert ["m1"] == [change.submission for change in found.alarms]


@pytest.mark.large
def test_another_submissions_cassette_is_named_where_nothing_nearer_is() -> None:
    """Its replies may have filled what was missing; with new responses that needs no telling."""
    base, new = {"a": "++--", "b": "?-"}, {"a": "++--", "b": "P-"}
    for words, expected in ((("one", "one"), ["cassettes"]), (("one", "two"), ["responses"])):
        before = state("x", {"m1": base}, responses={"m1": words[0]})
        found = difference(
            before, state("y", {"m1": new}, responses={"m1": words[1]}, cassettes={"m2": "new"})
        )
        assert expected == kinds(found.changed[0].causes)


@pytest.mark.large
def test_a_score_that_moves_alone_comes_of_weights() -> None:
    """No verdict turned: new responses cannot have done it, other weights can."""
    weighed = suite("s", a=(4, 3.0), b=(2, 1.0))
    marks = {"m1": {"a": "+++-", "b": "+-"}}
    before = state("x", marks, responses={"m1": "one"})
    found = difference(before, state("y", marks, weighed, cases="weights", responses={"m1": "two"}))
    assert ([], ["cases"]) == (list(found.changed[0].flips), kinds(found.changed[0].causes))
    assert [("*", 0.625, 0.6875)] == [
        (move.category, move.old, move.new) for move in found.changed[0].moves
    ]


@pytest.mark.large
def test_rows_that_come_and_go() -> None:
    """A new submission and one that left, with their scores; they are no changes."""
    found = difference(state("x", {"m1": M1, "m2": M1}), state("y", {"m1": M1, "m3": M1}))
    assert [("m3", "s", {"correct": 0.5})] == [
        (entry.submission, entry.suite, entry.scores) for entry in found.added
    ]
    assert ["m2"] == [entry.submission for entry in found.removed]
    assert ([(1, 2)], [(1, 2)]) == (
        [entry.rank for entry in found.added],
        [entry.rank for entry in found.removed],
    )
    assert () == found.changed
    assert [("added", "m3"), ("removed", "m2")] == sorted(
        (cause.how, str(cause.submission)) for cause in found.inputs
    )


@pytest.mark.large
def test_cases_and_trials_that_only_one_state_has_are_counted() -> None:
    """A third trial of each of four cases: verdicts added, none turned."""
    two, three = (state(trials, {"m1": {"a": [trials] * 4, "b": "PP"}}) for trials in ("++", "+++"))
    (change,) = difference(two, three).changed
    assert (4, 0, 0, ()) == (change.added, change.removed, change.reworded, change.flips)
    assert [("*", 10, 14), ("a", 8, 12)] == [
        (move.category, move.old_scored, move.new_scored) for move in change.moves
    ]
    (change,) = difference(three, two).changed
    assert (0, 4) == (change.added, change.removed)


@pytest.mark.large
def test_a_verdict_for_another_reason_is_counted() -> None:
    """A judge passes what code passed: no score moves, and a reader can see that something did."""
    found = difference(
        state("x", {"m1": {"a": "++--", "b": "++"}}), state("y", {"m1": {"a": "++--", "b": "P+"}})
    )
    (change,) = found.changed
    assert (1, (), ()) == (change.reworded, change.flips, change.moves)


@pytest.mark.large
def test_rank_changes_are_listed() -> None:
    """From sharing the first two places to standing apart."""
    one = suite("s", a=(12, 1.0))
    base = state("x", {"m1": {"a": "+" * 12}, "m2": {"a": "+" * 12}}, one)
    found = difference(base, state("y", {"m1": {"a": "+" * 12}, "m2": {"a": "-" * 12}}, one))
    assert [("m1", "*", (1, 2), (1, 1)), ("m2", "*", (1, 2), (2, 2))] == [
        (move.submission, move.category, move.old, move.new)
        for move in found.ranks
        if move.category == "*"
    ]


def test_scores_that_agree_to_twelve_digits_are_the_same() -> None:
    """The last digit may come of another library."""
    base = state("x", {"m1": M1})
    nudged = base.scores.with_columns(pl.col("score") + 1e-14)
    assert difference(
        base, State("y", base.manifest, nudged, base.ranks, base.read_verdicts)
    ).nothing


def test_a_packed_responses_file_is_the_same_responses() -> None:
    """s.json and s.json.gz with the same content are no change."""
    base, new = manifest({"m1": "same"}), manifest({"m1": "same"})
    new["submissions"]["m1"] = {
        "submissions/m1/s.json.gz": base["submissions"]["m1"]["submissions/m1/s.json"]
    }
    assert [] == list(input_changes(base, new))


def test_every_input_has_its_kind_name_and_owner() -> None:
    """The inputs of a manifest are changed, added or removed."""
    base = manifest({"m1": "one"}, cassettes={"m1": "one"})
    new = manifest(
        {"m1": "two"}, cassettes={"m2": "one"}, rules=2, cases="x", prompt="x", judge="x"
    )
    base["labels"] = {"s/a": {"digest": "0"}}
    new["cassettes"]["recordings.json"] = "0"
    assert [
        ("responses", "submissions/m1/s.json", "changed", "s", "m1"),
        ("cases", "s", "changed", "s", None),
        ("prompts", "s/a", "changed", "s", None),
        ("judges", "j", "changed", None, None),
        ("cassettes", "cassettes/j/s/m1.json", "removed", "s", "m1"),
        ("cassettes", "cassettes/j/s/m2.json", "added", "s", "m2"),
        ("cassettes", "recordings.json", "added", None, "recordings"),
        ("rules", "version 1 to 2", "changed", None, None),
        ("labels", "s/a", "removed", "s", None),
    ] == [
        (cause.kind, cause.name, cause.how, cause.suite, cause.submission)
        for cause in input_changes(base, new)
    ]


@pytest.mark.large
def test_a_suite_with_other_cases_is_named() -> None:
    """A suite that gained a case. One that only one state has is not: nothing is compared there."""
    base, more = state("x", {"m1": M1}), state("y", {"m1": {"a": "++--+", "b": "P-"}}, LARGER)
    other = more.verdicts.with_columns(suite=pl.lit("t"))
    both = replace(more, read_verdicts=lambda: pl.concat([more.verdicts, other]))

    assert difference(base, base).recased == ()
    assert difference(base, both).recased == ("s",)
