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
from scoring.judging.agreement import agreement, judge_quality
from scoring.judging.corrected_scores import corrected
from scoring.rules import KINDS
from scoring.statistics.intervals import wilson
from scoring.statistics.judged_scores import JudgedPart, LabelCounts, judged_limits
from scoring.tables.scores import case_scores, category_sums
from tests.scoring.judging.labelled_rows import (
    COUNTS,
    SOLVED,
    labelled,
    only,
    readings,
    said,
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
    sums = category_sums(case_scores(frame))
    return corrected(sums, [suite], judge_quality(labelled(rows), sums, [suite]))


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


def test_the_limits_are_those_of_the_judges_errors() -> None:
    """Lang and Reiczigel's limits, from 25 pairs of each label."""
    row = only(correct(verdicts(TEN), suite_of(10), readings(COUNTS)), category="texts")
    limits = judged_limits([JudgedPart(1, 10, 0.4, 0.5, 0.3)], LabelCounts(25, 20, 25, 15))
    assert limits is not None
    assert (pytest.approx(wilson(4, 10)[0]), pytest.approx(wilson(9, 10)[1])) == (
        row["low"],
        row["high"],
    )
    assert limits[0] < row["low"] < row["high"] < limits[1]


def test_the_quality_of_the_judge_is_beside_the_score() -> None:
    """The measures of AGREEMENT, and whether J is above 0."""
    rows = readings(COUNTS)
    row = only(correct(verdicts(TEN), suite_of(10), rows), category="texts")
    measures = only(agreement(labelled(rows)), suite="s", category="texts")
    names = ("agreement", "sensitivity", "specificity", "youden", "youden_low", "youden_high")
    assert {name: measures[name] for name in names} == {name: row[name] for name in names}
    assert (50, True) == (row["labelled"], row["validated"])


@pytest.mark.large
def test_more_labelled_pairs_leave_less_doubt() -> None:
    """A hundred times the pairs with equal shares: the same score, and narrower limits."""
    cases = TEN * 20
    few, many = (
        only(correct(verdicts(cases), suite_of(200), readings(counts)), category="texts")
        for counts in (COUNTS, [100 * n for n in COUNTS])
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
    assert every["high"] == pytest.approx(wilson(3, 4)[1])
    assert none["low"] == pytest.approx(wilson(1, 4)[0])


def test_a_judge_without_errors_changes_nothing() -> None:
    """Also with trials: every case counts as it does in the score."""
    outcomes = [
        [JUDGED_PASS, FAIL],
        [JUDGED_PASS, JUDGED_FAIL, JUDGED_FAIL],
        [PASS],
        [JUDGED_PASS, PASS, FAIL, FAIL],
    ]
    row = only(correct(verdicts(outcomes), suite_of(4), readings((10, 0, 0, 10))), category="texts")
    assert pytest.approx((1 / 2 + 1 / 3 + 1 + 2 / 4) / 4) == row["score"]
    assert pytest.approx(row["score"]) == row["corrected"]
    assert (5, 3) == (row["judged"], row["passed"])


def test_an_incomplete_score_is_not_corrected() -> None:
    """While a verdict waits, the row has its score and the quality of the judge."""
    outcomes = [*TEN[:9], [UNSCORED]]
    row = only(correct(verdicts(outcomes), suite_of(10), readings(COUNTS)), category="texts")
    assert (None, None, None) == (row["corrected"], row["low"], row["high"])
    assert pytest.approx((7 / 9, 0.4)) == (row["score"], row["youden"])


@pytest.mark.parametrize(
    "counts",
    [(), (5, 0, 0, 0), (0, 0, 0, 5), (1, 1, 1, 1), (1, 9, 9, 1)],
    ids=["no labels", "one label", "the other label", "a coin", "worse than a coin"],
)
def test_an_uninformative_judge_corrects_nothing(counts: tuple[int, ...]) -> None:
    """No corrected score. The limits run from every judged answer failed to every one passed."""
    row = only(
        correct(verdicts(TEN), suite_of(10), readings(counts) if counts else []), category="texts"
    )
    assert (None, False) == (row["corrected"], row["validated"])
    limits = wilson(4, 10)[0], wilson(9, 10)[1]
    assert pytest.approx(limits, abs=0.01) == (row["low"], row["high"])
    assert limits[0] <= row["low"] < row["high"] <= limits[1]
    assert pytest.approx(0.7) == row["score"]


def test_an_unsure_judge_counts_a_half() -> None:
    """Over simulated APIs a judge may be unsure, of answers and of labelled pairs."""
    suite = dataclasses.replace(suite_of(100), kind=KINDS["stable_toolbench"])
    frame = verdicts(once(*[JUDGED_PASS] * 40, *[JUDGED_FAIL] * 60)).with_columns(
        score=pl.when(pl.col("case_id").str.ends_with("0")).then(0.5).otherwise("score"),
        metric=pl.lit(suite.kind.ranked),
    )
    solved = [
        {**row, "label": SOLVED[row["label"]], "said": SOLVED[row["said"]]}
        for row in readings((40, 0, 0, 40))
    ]
    unsure = [*said("*", "unsure", "solved", 10), *said("*", "unsure", "unsolved", 10)]
    row = only(correct(frame, suite, [*solved, *unsure]), category="texts")
    assert pytest.approx(0.8) == row["youden"]
    assert pytest.approx((row["score"] - 0.1) / 0.8) == row["corrected"]


def test_without_a_judge_there_is_no_row() -> None:
    """What rules decide alone needs no correction, nor does what waits for a judge."""
    frame = correct(verdicts(once(PASS, FAIL, UNSCORED)), suite_of(3), readings(COUNTS))
    assert (CORRECTED, 0) == (frame.schema, frame.height)


def test_a_suite_is_the_weighted_mean_of_its_categories() -> None:
    """Weights 1 and 3: a category without a judge counts with its plain score."""
    frame = pl.concat([verdicts(TEN), verdicts(once(PASS, *[FAIL] * 9), "texts1")])
    table = correct(frame, suite_of(10, (1.0, 3.0)), readings(COUNTS))
    whole = only(table, category="*")
    assert ["*", "texts"] == table["category"].to_list()
    assert pytest.approx((0.25 * 0.65 + 0.75 * 0.1, 0.25 * 0.7 + 0.75 * 0.1)) == (
        whole["corrected"],
        whole["score"],
    )
    assert whole["low"] < whole["corrected"] < whole["high"]
    assert (5, 3) == (whole["judged"], whole["passed"])


def test_a_category_without_labels_uses_those_of_the_others() -> None:
    """The suite is then corrected by all pairs together, and the category on its own is not."""
    frame = pl.concat([verdicts(TEN), verdicts(once(*[JUDGED_PASS] * 6, *[FAIL] * 4), "texts1")])
    table = correct(frame, suite_of(10, (1.0, 1.0)), readings(COUNTS))
    whole, bare = only(table, category="*"), only(table, category="texts1")
    assert (0, None, False) == (bare["labelled"], bare["corrected"], bare["validated"])
    assert pytest.approx((0.65 + 0.6) / 2) == whole["corrected"]
    assert (50, True) == (whole["labelled"], whole["validated"])


def test_labels_of_one_side_are_too_few_for_a_category() -> None:
    """The suite is then corrected by all pairs together, as if that category had none."""
    frame = pl.concat([verdicts(TEN), verdicts(once(*[JUDGED_PASS] * 6, *[FAIL] * 4), "texts1")])
    suite = suite_of(10, (1.0, 1.0))
    one_sided = [*readings(COUNTS), *readings((4, 1, 0, 0), "*", "texts1")]
    whole = only(correct(frame, suite, one_sided), category="*")
    assert 55 == whole["labelled"]
    parts = [JudgedPart(0.5, 10, 0.4, 0.5, 0.3), JudgedPart(0.5, 10, 0.0, 0.6, 0.6)]
    low, _ = judged_limits(parts, LabelCounts(30, 24, 25, 15)) or (None, None)
    assert pytest.approx(low) == whole["low"]


def test_a_category_without_an_answer_has_no_score() -> None:
    """All its verdicts wait for a judge, so that there is nothing to correct."""
    frame = pl.concat([verdicts(TEN), verdicts([[UNSCORED]] * 10, "texts1")])
    whole = only(correct(frame, suite_of(10, (1.0, 1.0)), readings(COUNTS)), category="*")
    assert (None, None, None, None, 50) == tuple(
        whole[name] for name in ("score", "corrected", "low", "high", "labelled")
    )


def test_a_category_whose_judge_is_blind_widens_the_limits_of_the_suite() -> None:
    """Labels of each category count on their own where all have them."""
    frame = pl.concat([verdicts(TEN * 10), verdicts(TEN * 10, "texts1")])
    suite, good = suite_of(100, (1.0, 1.0)), readings((90, 10, 10, 90))
    sure, unsure = (
        only(correct(frame, suite, [*good, *readings(counts, "*", "texts1")]), category="*")
        for counts in ((90, 10, 10, 90), (50, 50, 50, 50))
    )
    assert (True, True) == (sure["validated"], unsure["validated"])
    assert unsure["corrected"] is None
    assert unsure["high"] - unsure["low"] > 0.25 > sure["high"] - sure["low"]


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
