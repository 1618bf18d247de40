"""pass^k and pass@k as a table: which rows, which k, and how categories are averaged."""

from __future__ import annotations

import polars as pl

from leaderboard.frames import TRIALS, VERDICTS
from leaderboard.types import Case, Category, GroundTruth, Suite
from scoring.rules import KINDS
from scoring.tables.trials import trials


def suite(weights: dict[str, float], cases: int = 1) -> Suite:
    parts = []
    for name, weight in weights.items():
        own = tuple(Case(f"{name}{i}", name, "", GroundTruth(), (), {}, "") for i in range(cases))
        parts.append(Category(name, name, "", weight, None, own))
    return Suite(
        "s",
        "S",
        "",
        KINDS["tool_usage"],
        tuple(parts),
        {},
        "",
        {c.id: c for p in parts for c in p.cases},
    )


def verdicts(rows: list[tuple[str, str, str, str]]) -> pl.DataFrame:
    """Of (submission, category, case, outcomes): one verdict per letter p, f or u, a trial each."""
    words = {"p": "pass", "f": "fail", "u": "unscored"}
    given = [
        {
            "submission": name, "suite": "s", "category": category, "case_id": case,
            "trial": trial, "metric": "correct",
            "outcome": words[letter], "score": {"p": 1.0, "f": 0.0}.get(letter),
            "reason": "", "detail": "",
            "decided_by": "rule", "judge_call": None,
        }
        for name, category, case, letters in rows
        for trial, letter in enumerate(letters, 1)
    ]  # fmt: skip
    return pl.DataFrame(given, schema=VERDICTS)


def table(frame: pl.DataFrame, *suites: Suite) -> list[tuple[str, int, float, float]]:
    found = trials(frame, suites)
    return list(found.select("category", "k", "pass_hat_k", "pass_at_k").iter_rows())


def test_two_of_four_passes() -> None:
    """C(2,k)/C(4,k) and 1 - C(2,k)/C(4,k), by hand: 1/2, 1/6, 0 and 1/2, 5/6, 1, 1."""
    expected = [("a", 1, 0.5, 0.5), ("a", 2, 1 / 6, 5 / 6), ("a", 3, 0.0, 1.0), ("a", 4, 0.0, 1.0)]
    got = table(verdicts([("m", "a", "a0", "pfpf")]), suite({"a": 1.0}))

    assert [("*", *row[1:]) for row in expected] + expected == got


def test_categories_weigh_as_their_suite_declares() -> None:
    """`*` is the weighted mean of the categories, so that at k = 1 it is the score."""
    frame = verdicts([("m", "a", "a0", "pp"), ("m", "b", "b0", "pf")])

    assert [("*", 1, 0.625, 0.625), ("*", 2, 0.25, 1.0)] == table(
        frame, suite({"a": 1.0, "b": 3.0})
    )[:2]


def test_cases_with_the_same_outcomes_all_count() -> None:
    """Two cases with one pass of two, and one with two: (1/2 + 1/2 + 1) / 3."""
    frame = verdicts([("m", "a", "a0", "pf"), ("m", "a", "a1", "fp"), ("m", "a", "a2", "pp")])
    got = table(frame, suite({"a": 1.0}, cases=3))

    assert [("*", 1, 2 / 3, 2 / 3), ("*", 2, 1 / 3, 1.0)] == got[:2]


def test_part_scores_are_no_passes() -> None:
    """Only a whole pass counts: the figures at k = 1 are the score where no score is a part."""
    frame = verdicts([("m", "a", "a0", "ff")]).with_columns(score=pl.lit(1 / 3))

    assert [("*", 1, 0.0, 0.0), ("*", 2, 0.0, 0.0)] == table(frame, suite({"a": 1.0}))[:2]


def test_k_ends_where_a_case_has_no_more_scored_trials() -> None:
    """A trial that waits for a judge is no trial: k goes as far as every case can follow."""
    frame = verdicts([("m", "a", "a0", "ppp"), ("m", "a", "a1", "pfu")])

    assert [("*", 1), ("*", 2), ("a", 1), ("a", 2)] == [
        row[:2] for row in table(frame, suite({"a": 1.0}, cases=2))
    ]


def test_submission_with_one_trial_has_no_row() -> None:
    """Where everything was answered once there is nothing to say about reliability."""
    got = trials(verdicts([("m", "a", "a0", "p")]), [suite({"a": 1.0})])

    assert (got.height, got.schema) == (0, TRIALS)


def test_case_that_is_never_scored_leaves_no_row() -> None:
    """With a case whose trials all wait, no k fits every case."""
    assert [] == table(
        verdicts([("m", "a", "a0", "pp"), ("m", "a", "a1", "uu")]), suite({"a": 1.0}, cases=2)
    )


def test_rows_are_in_one_order_whatever_the_order_of_the_verdicts() -> None:
    """By submission, then suite, then category as the suite lists them, then k."""
    frame = verdicts(
        [
            ("n", "b", "b0", "pf"),
            ("m", "a", "a0", "pf"),
            ("m", "b", "b0", "pp"),
            ("n", "a", "a0", "ff"),
        ]
    )
    both = suite({"b": 1.0, "a": 1.0})
    first = trials(frame, [both])

    assert first.equals(trials(frame.reverse(), [both]))
    assert ["m*", "m*", "mb", "mb", "ma", "ma", "n*"] == [
        s + c for s, c in first.select("submission", "category").rows()
    ][:7]
