"""Scores corrected for a judge's errors: figures worked out by hand."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
import pytest

from leaderboard.frames import CORRECTED, VERDICTS
from leaderboard.types import (
    Case,
    Category,
    GroundTruth,
    Suite,
)
from scoring.judging.agreement import agreement
from scoring.judging.corrected import corrected
from scoring.rules import KINDS
from scoring.tables.aggregate import case_scores, scores
from tests.scoring.judging.labelled_rows import (
    COUNTS,
    labelled,
    only,
    readings,
)

# (outcome, decided by) of one verdict
PASS, FAIL, JUDGED_PASS, JUDGED_FAIL = (
    ("pass", "rule"),
    ("fail", "rule"),
    ("pass", "judge"),
    ("fail", "judge"),
)
UNSCORED = ("unscored", "judge")


def suite_of(cases: int, weights: Sequence[float] = (1.0,)) -> Suite:
    """A suite with categories `texts`, `texts1`, ... of so many cases."""
    categories = []
    for place, weight in enumerate(weights):
        name = f"texts{place or ''}"
        made = tuple(
            Case(f"{name}-{n}", name, "q", GroundTruth(text="x"), (), {}, "") for n in range(cases)
        )
        categories.append(Category(name, name, "", weight, "texts", made))
    by_id = {case.id: case for category in categories for case in category.cases}
    return Suite("s", "s", "", KINDS["tool_selection"], tuple(categories), {}, "", by_id)


def verdicts(
    outcomes: Sequence[Sequence[tuple[str, str]]], category: str = "texts"
) -> pl.DataFrame:
    """One submission; per case the verdicts of its trials."""
    rows = [
        {
            "submission": "m",
            "suite": "s",
            "category": category,
            "case_id": f"{category}-{number}",
            "trial": trial,
            "metric": "correct",
            "outcome": outcome,
            "score": {"pass": 1.0, "fail": 0.0, "unscored": None}[outcome],
            "reason": "",
            "detail": "",
            "decided_by": by,
            "judge_call": None,
        }
        for number, trials in enumerate(outcomes)
        for trial, (outcome, by) in enumerate(trials, start=1)
    ]
    return pl.DataFrame(rows, schema=VERDICTS)


def correct(frame: pl.DataFrame, suite: Suite, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    return corrected(
        case_scores(frame), scores(case_scores(frame), [suite]), [suite], agreement(labelled(rows))
    )


def once(*outcomes: tuple[str, str]) -> list[list[tuple[str, str]]]:
    """One trial per case."""
    return [[outcome] for outcome in outcomes]


TEN = once(
    PASS, PASS, PASS, PASS, FAIL, JUDGED_PASS, JUDGED_PASS, JUDGED_PASS, JUDGED_FAIL, JUDGED_FAIL
)


def test_only_the_judged_share_is_corrected() -> None:
    """4 of 10 pass by rules. 3/5 judged passes become (0.6 + 0.6 - 1) / 0.4 = 1/2: 0.4 + 0.25."""
    row = only(correct(verdicts(TEN), suite_of(10), readings(COUNTS)), category="texts")
    assert ("m", "s", "correct", 5, 3) == tuple(
        row[n] for n in ("submission", "suite", "metric", "judged", "passed")
    )
    assert pytest.approx((0.7, 0.65)) == (row["score"], row["corrected"])


def test_the_limits_come_from_the_number_of_labelled_pairs() -> None:
    """The deviation of the share is √(¼ · 21·6/27³ + ¼ · 16·11/27³) / 0.4. Half of it counts."""
    row = only(correct(verdicts(TEN), suite_of(10), readings(COUNTS)), category="texts")
    assert pytest.approx((0.4983, 0.8017), abs=1e-4) == (row["low"], row["high"])


def test_more_labelled_pairs_leave_less_doubt() -> None:
    """Ten times the pairs with equal shares give the same corrected score and narrower limits."""
    few = only(correct(verdicts(TEN), suite_of(10), readings(COUNTS)), category="texts")
    many = only(
        correct(verdicts(TEN), suite_of(10), readings([10 * n for n in COUNTS])), category="texts"
    )
    assert pytest.approx(few["corrected"]) == many["corrected"]
    assert few["low"] < many["low"] < many["corrected"] < many["high"] < few["high"]


def test_a_share_stays_between_nothing_and_all() -> None:
    """If all judged answers pass, the formula gives 150 %. If few pass, it gives less than 0."""
    every = only(
        correct(
            verdicts(once(PASS, FAIL, JUDGED_PASS, JUDGED_PASS)), suite_of(4), readings(COUNTS)
        ),
        category="texts",
    )
    none = only(
        correct(
            verdicts(once(PASS, FAIL, JUDGED_FAIL, JUDGED_FAIL)), suite_of(4), readings(COUNTS)
        ),
        category="texts",
    )
    assert pytest.approx((0.75, 0.25)) == (every["corrected"], none["corrected"])
    assert every["high"] == pytest.approx(0.75)
    assert none["low"] == pytest.approx(0.25)


def test_a_judge_without_errors_changes_nothing() -> None:
    """Also with trials and unscored verdicts: every case counts as it does in the score."""
    outcomes = [
        [JUDGED_PASS, FAIL],
        [JUDGED_PASS, JUDGED_FAIL, JUDGED_FAIL],
        [PASS, UNSCORED],
        [UNSCORED],
        [JUDGED_PASS, PASS, FAIL, FAIL],
    ]
    row = only(correct(verdicts(outcomes), suite_of(5), readings((10, 0, 0, 10))), category="texts")
    assert pytest.approx((1 / 2 + 1 / 3 + 1 + 2 / 4) / 4) == row["score"]
    assert pytest.approx(row["score"]) == row["corrected"]
    assert (5, 3) == (row["judged"], row["passed"])


@pytest.mark.parametrize(
    "counts",
    [(), (5, 0, 0, 0), (0, 0, 0, 5), (1, 1, 1, 1), (1, 9, 9, 1)],
    ids=["no labels", "one label", "the other label", "a coin", "worse than a coin"],
)
def test_an_uninformative_judge_corrects_nothing(counts: tuple[int, ...]) -> None:
    """The corrected score is null without pairs of both labels, or with se + sp <= 1."""
    row = only(
        correct(verdicts(TEN), suite_of(10), readings(counts) if counts else []), category="texts"
    )
    assert (None, None, None) == (row["corrected"], row["low"], row["high"])
    assert pytest.approx(0.7) == row["score"]


def test_where_a_verdict_may_count_a_half_nothing_is_corrected() -> None:
    """Over simulated APIs the row has its score, but the correction is null, also for the suite."""
    suite = dataclasses.replace(suite_of(10), kind=KINDS["stable_toolbench"])
    table = correct(verdicts(TEN), suite, readings(COUNTS))
    assert [("*", None, None, None), ("texts", None, None, None)] == table.select(
        "category", "corrected", "low", "high"
    ).rows()
    assert pytest.approx([0.7, 0.7]) == table["score"].to_list()


def test_without_a_judge_there_is_no_row() -> None:
    """What rules decide alone needs no correction, nor does what waits for a judge."""
    frame = correct(verdicts(once(PASS, FAIL, UNSCORED)), suite_of(3), readings(COUNTS))
    assert (CORRECTED, 0) == (frame.schema, frame.height)


def test_a_suite_is_the_weighted_mean_of_its_categories() -> None:
    """Weights 1 and 3: a category without a judge counts with its plain score and adds no doubt."""
    frame = pl.concat([verdicts(TEN), verdicts(once(PASS, *[FAIL] * 9), "texts1")])
    table = correct(frame, suite_of(10, (1.0, 3.0)), readings(COUNTS))
    whole, part = only(table, category="*"), only(table, category="texts")
    assert ["*", "texts"] == table["category"].to_list()
    assert pytest.approx((0.25 * 0.65 + 0.75 * 0.1, 0.25 * 0.7 + 0.75 * 0.1)) == (
        whole["corrected"],
        whole["score"],
    )
    assert (
        pytest.approx((part["high"] - part["corrected"]) / 4) == whole["high"] - whole["corrected"]
    )
    assert (5, 3) == (whole["judged"], whole["passed"])


def test_a_suite_is_not_corrected_where_one_of_its_categories_cannot_be() -> None:
    """Half of a correction would be none."""
    frame = pl.concat([verdicts(TEN), verdicts(once(*[JUDGED_PASS] * 10), "texts1")])
    assert (
        only(correct(frame, suite_of(10, (1.0, 1.0)), readings(COUNTS)), category="*")["corrected"]
        is None
    )


def test_the_order_of_the_rows_changes_nothing() -> None:
    """Verdicts in any order give the same rows, to the last digit."""
    frame = pl.concat(
        [verdicts(TEN), verdicts(once(*[JUDGED_PASS] * 3, *[JUDGED_FAIL] * 7), "texts1")]
    )
    suite, rows = (
        suite_of(10, (1.0, 2.0)),
        [*readings(COUNTS), *readings((9, 2, 3, 8), "*", "texts1")],
    )
    order = list(range(frame.height))
    random.Random(5).shuffle(order)
    assert correct(frame, suite, rows).equals(correct(frame[order], suite, rows))
