"""Scores: hand-worked tables, all intervals, and the same bytes in any order."""

from __future__ import annotations

import dataclasses
import statistics as plain
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from leaderboard.errors import FilesError
from leaderboard.frames import SCORES, VERDICTS
from scoring.rules import KINDS
from scoring.statistics.intervals import CategorySums, ratio_interval, score_interval, wilson
from scoring.tables.scores import case_scores, category_sums, mean_of_suites
from tests.each_row import each_row
from tests.scoring.other_processes import written
from tests.scoring.verdict_tables import interval_of_means, scored, suite, verdicts


def rows(frame: pl.DataFrame) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The rows of a SCORES frame by submission, category, metric."""
    return {(row["submission"], row["category"], row["metric"]): row for row in frame.to_dicts()}


def one(frame: pl.DataFrame, category: str, submission_id: str = "m") -> dict[str, Any]:
    return rows(frame)[submission_id, category, "correct"]


def interval(row: dict[str, Any]) -> tuple[float, float]:
    return row["low"], row["high"]


def without_gold_apis(frame: pl.DataFrame) -> pl.DataFrame:
    """The verdicts, of which the unscored ones are on queries that have no such metric."""
    unscored = pl.col("outcome") == "unscored"
    reason = pl.when(unscored).then(pl.lit("no_gold_api")).otherwise("reason")
    return frame.with_columns(reason=reason)


# ---------------------------------------------------------------- scores


def test_passes_and_fails_by_hand() -> None:
    """Three of four and one of two pass: each category's share, Wilson interval and counts."""
    table = scored(verdicts("m", a="++-+", b="+-"), [suite("s", a=(4, 1), b=(2, 1))])

    low, high = wilson(3, 4)
    expected = {
        "submission": "m",
        "suite": "s",
        "category": "a",
        "metric": "correct",
        "cases": 4,
        "scored": 4,
        "unscored": 0,
        "score": 0.75,
        "low": pytest.approx(low, abs=1e-15),
        "high": pytest.approx(high, abs=1e-15),
        "judged_share": 0.0,
        "rules_only_score": 0.75,
        # These come from other tables.
        **dict.fromkeys(("rank_low", "rank_high", "decision_agreement"), None),
        **dict.fromkeys(("corrected", "corrected_low", "corrected_high"), None),
    }
    assert expected == one(table, "a")
    assert SCORES == table.schema


def test_rows_are_sorted_as_a_reader_looks_for_them() -> None:
    """By submission, suite, category (the whole first, then in the suite's order) and metric."""
    table = scored(
        pl.concat(
            [
                verdicts("z", "t", c="+"),
                verdicts("m", "s", metric="state", b="+", a="-"),
                verdicts("m", "s", b="+", a="-"),
                verdicts("m", "t", c="+"),
            ]
        ),
        [suite("t", c=(1, 1)), suite("s", b=(1, 1), a=(1, 1))],
    )

    expected = [
        ("m", "s", category, metric)
        for category in ("*", "b", "a")
        for metric in ("correct", "state")
    ]
    expected += [
        ("m", "t", "*", "correct"),
        ("m", "t", "c", "correct"),
        ("z", "t", "*", "correct"),
        ("z", "t", "c", "correct"),
    ]
    assert expected == table.select("submission", "suite", "category", "metric").rows()


def test_unscored_is_neither_pass_nor_fail() -> None:
    """A case that waits for a judge is left out of the score and counted. Rules give it 0."""
    row = one(scored(verdicts("m", a="+-??"), [suite("s", a=(4, 1))]), "a")

    assert (4, 2, 2, 0.5, 0.25) == (
        row["cases"],
        row["scored"],
        row["unscored"],
        row["score"],
        row["rules_only_score"],
    )


def test_open_verdicts_widen_the_interval_from_worst_to_best() -> None:
    """Two of four wait: the lower limit of one pass, and the upper limit of three."""
    frame = verdicts("m", a="+-??", b="++++")
    table = scored(frame, [suite("s", a=(4, 1), b=(4, 1))])

    assert (wilson(1, 4)[0], wilson(3, 4)[1]) == pytest.approx(interval(one(table, "a")))
    worst, best = (
        scored(verdicts("m", a=text, b="++++"), [suite("s", a=(4, 1), b=(4, 1))])
        for text in ("+---", "+-++")
    )
    assert (one(worst, "*")["low"], one(best, "*")["high"]) == interval(one(table, "*"))
    assert one(table, "*")["score"] == 0.75


def test_cases_without_the_metric_leave_nothing_open() -> None:
    """A query without gold APIs has no score by them, and no limits from worst to best."""
    frame = without_gold_apis(verdicts("m", a="+-??"))

    row = one(scored(frame, [suite("s", a=(4, 1))]), "a")

    assert (2, 0.5, 0.5) == (row["unscored"], row["score"], row["rules_only_score"])
    assert pytest.approx(wilson(1, 2)) == interval(row)


def test_a_trial_without_the_metric_is_left_out_of_its_case() -> None:
    """A case passes in its one trial that has the metric, with and without a judge."""
    frame = without_gold_apis(verdicts("m", a=["+?", "-"]))

    row = one(scored(frame, [suite("s", a=(2, 1))]), "a")

    assert (0.5, 0.5) == (row["score"], row["rules_only_score"])


def test_a_category_without_the_metric_has_no_score_by_rules() -> None:
    """So the whole has none either, as it has no score."""
    frame = without_gold_apis(verdicts("m", a="??", b="+-"))

    table = scored(frame, [suite("s", a=(2, 1), b=(2, 1))])

    by_rules = {name: one(table, name)["rules_only_score"] for name in "*ab"}
    assert {"*": None, "a": None, "b": 0.5} == by_rules
    assert one(table, "*")["score"] is None


def test_nothing_scored_has_no_score() -> None:
    """If every case waits for a judge, there is no score, no interval and no judged share."""
    table = scored(verdicts("m", a="???", b="+-"), [suite("s", a=(3, 1), b=(2, 1))])

    for category, cases, unscored in (("a", 3, 3), ("*", 5, 3)):
        row = one(table, category)
        assert (cases, unscored, None, None, None) == (
            row["cases"],
            row["unscored"],
            row["score"],
            row["low"],
            row["high"],
        )
    assert (0.0, None) == (one(table, "a")["rules_only_score"], one(table, "a")["judged_share"])
    assert (0.25, 0.0) == (one(table, "*")["rules_only_score"], one(table, "*")["judged_share"])


def test_a_category_that_was_not_asked_leaves_the_score_of_the_others() -> None:
    """Only a declared part of a suite lacks verdicts. A category without a scored case is open."""
    suites = [suite("s", a=(2, 1), b=(2, 1))]
    row = one(scored(verdicts("m", a="+-"), suites), "*")
    assert (2, 0.5, 0.5) == (row["cases"], row["score"], row["rules_only_score"])
    row = one(scored(verdicts("m", a="++", b="??"), suites), "*")
    assert (4, None, None, None) == (row["cases"], row["score"], row["low"], row["high"])


def test_judged_share_and_rules_only() -> None:
    """Two of four scored verdicts rest on a judge; without it only one of five cases passes."""
    table = scored(verdicts("m", a="+-PF?", b="+"), [suite("s", a=(5, 1), b=(1, 3))])

    row = one(table, "a")
    assert (0.5, 0.5, 0.2) == (row["score"], row["judged_share"], row["rules_only_score"])
    assert one(table, "*")["judged_share"] == 0.5 / 4  # weighted like the score


def test_trials_are_averaged_within_their_case_first() -> None:
    """A case with one trial counts as much as one with four."""
    row = one(scored(verdicts("m", a=["++--", "+", "---", "+-"]), [suite("s", a=(4, 1))]), "a")

    assert (4, 10, 0) == (row["cases"], row["scored"], row["unscored"])
    assert (0.5 + 1 + 0 + 0.5) / 4 == row["score"] == row["rules_only_score"]
    assert pytest.approx(interval_of_means([0.5, 1, 0, 0.5])) == interval(row)


def test_an_open_trial_counts_in_its_case() -> None:
    """One of two trials waits: the case is worth between 0.5 and 1."""
    row = one(scored(verdicts("m", a=["+?", "-", "+"]), [suite("s", a=(3, 1))]), "a")

    worst, best = interval_of_means([0.5, 0, 1]), interval_of_means([1, 0, 1])
    assert pytest.approx((worst[0], best[1])) == interval(row)


def test_trials_sent_twice_change_nothing() -> None:
    """The same answers sent again give the same row, but for the number of verdicts."""
    once, twice = (
        one(scored(verdicts("m", a=cases), [suite("s", a=(4, 1))]), "a")
        for cases in (["+-", "++", "--", "+-"], ["+-+-", "++++", "----", "+--+"])
    )

    assert {**once, "scored": 16} == twice


def test_part_scores_have_an_interval() -> None:
    """Scores between 0 and 1 count as they are."""
    row = one(scored(verdicts("m", a="+/-/+"), [suite("s", a=(5, 1))]), "a")

    assert row["score"] == 0.6
    assert pytest.approx(interval_of_means([1, 0.5, 0, 0.5, 1])) == interval(row)


def ratios(**categories: Sequence[str | float]) -> pl.DataFrame:
    """The scores of a suite by its ratio of steps, with equal weights."""
    made = suite("s", **{name: (len(values), 1.0) for name, values in categories.items()})
    frame = verdicts("m", "s", "step_ratio", **categories)
    table = scored(frame, [dataclasses.replace(made, kind=KINDS["tool_usage"])])
    return table.with_columns(metric=pl.lit("correct"))


def test_ratios_are_not_cut_off() -> None:
    """A ratio may exceed 1, and so may its Student interval, in the category and the whole."""
    table = ratios(a=[1.0, 1.5, 2.5], b=[1.0, 2.0])

    assert pytest.approx(5 / 3) == one(table, "a")["score"]
    assert ratio_interval(3, 5.0, 9.5) == interval(one(table, "a"))
    assert one(table, "*")["high"] > 2


def test_ratios_that_are_all_alike_have_no_interval() -> None:
    """Nothing bounds them, so there is a score, but no interval."""
    table = ratios(a=[1.5, 1.5], b=[1.0, 2.0])

    for category in ("a", "*"):
        row = one(table, category)
        assert (1.5, None, None) == (row["score"], row["low"], row["high"])


def test_the_whole_is_weighted() -> None:
    """The weighted mean of the categories, with Wilson's interval on an effective sample size."""
    row = one(scored(verdicts("m", a="++-+", b="+-"), [suite("s", a=(4, 1), b=(2, 3))]), "*")

    parts = [CategorySums(1, 4, 3, 3), CategorySums(3, 2, 1, 1)]
    assert (0.75 + 3 * 0.5) / 4 == row["score"]
    assert score_interval(parts) == interval(row)


@pytest.mark.large
@each_row(("mark", "score"), [("+", 1.0), ("-", 0.0)])
@each_row("weights", [(1, 1, 1), (0.1, 0.2, 0.7), (1e-9, 1e9, 3)])
def test_all_or_nothing_is_exact_and_has_a_width(
    mark: str, score: float, weights: tuple[float, float, float]
) -> None:
    """All passes score exactly 1 with an interval below it, and all fails exactly 0."""
    counts = {"a": 49, "b": 7, "c": 3}
    made = suite(
        "s",
        **{name: (n, weight) for (name, n), weight in zip(counts.items(), weights, strict=True)},
    )

    row = one(scored(verdicts("m", **{name: mark * n for name, n in counts.items()}), [made]), "*")

    assert score == row["score"] == row["rules_only_score"]
    assert row["low"] < row["high"]
    assert score in interval(row)


def test_the_mean_of_all_suites_uses_every_category() -> None:
    """Each suite weighs the same, and a category its share of its suite."""
    suites = [suite("s", a=(4, 1), b=(2, 3)), suite("t", c=(5, 7))]
    frame = pl.concat(
        [
            verdicts("m", a="++-+", b="+-"),
            verdicts("m", "t", c="+++--"),
            verdicts("half", a="++++", b="++"),
        ]
    )

    found = mean_of_suites(category_sums(case_scores(frame)), suites)

    parts = [(0.25, 4, 3), (0.75, 2, 1), (1.0, 5, 3)]
    assert found == {"m": score_interval([CategorySums(w, n, k, k) for w, n, k in parts])}


def test_metrics_are_kept_apart() -> None:
    """Each metric of a suite has its own rows."""
    both = pl.concat([verdicts("m", a="+-"), verdicts("m", metric="finish", a="++")])

    table = rows(scored(both, [suite("s", a=(2, 1))]))

    assert (0.5, 1.0) == (table["m", "a", "correct"]["score"], table["m", "a", "finish"]["score"])


def test_no_verdicts_no_rows() -> None:
    """Empty tables have the schema of full ones."""
    empty = pl.DataFrame(schema=VERDICTS)

    for table in (
        scored(empty, []),
        scored(empty, [suite("s", a=(2, 1))]),
        scored(empty, [suite("s")]),
    ):
        assert_frame_equal(pl.DataFrame(schema=SCORES), table)


def test_verdicts_of_an_unknown_category_are_refused() -> None:
    """Verdicts of unknown suites or categories are all reported, and never dropped."""
    made = pl.concat([verdicts("m", a="+", gone="+"), verdicts("m", "other", x="+")])

    with pytest.raises(FilesError) as caught:
        scored(made, [suite("s", a=(1, 1))])

    assert [("datasets/other/suite.toml", "'x'"), ("datasets/s/suite.toml", "'gone'")] == [
        (problem.file, problem.what.split("category ")[1].split(",")[0])
        for problem in caught.value.problems
    ]


# Trials of a case, cases of a category, two categories.
CASES = st.lists(st.text("+-/PF?", min_size=1, max_size=3), min_size=1, max_size=8)


@pytest.mark.large
@given(CASES, CASES, st.floats(0.1, 10), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_scores_agree_with_plain_python_in_any_order(
    a: list[str], b: list[str], weight: float, order: Any
) -> None:
    """Means, shares and intervals match plain Python, and row order does not change a bit."""
    made, parts = verdicts("m", a=a, b=b), suite("s", a=(len(a), 1.0), b=(len(b), weight))
    shuffled = made[order.sample(range(len(made)), len(made))]

    table = scored(made, [parts])

    assert_frame_equal(table, scored(shuffled, [parts]), check_exact=True)
    value = {"+": 1.0, "-": 0.0, "/": 0.5, "P": 1.0, "F": 0.0}
    for name, cases in (("a", a), ("b", b)):
        means = [
            plain.fmean(value[mark] for mark in case if mark != "?")
            for case in cases
            if set(case) != {"?"}
        ]
        row = one(table, name)
        assert (pytest.approx(plain.fmean(means)) if means else None) == row["score"]
        by_rules = [
            plain.fmean(value[mark] if mark in "+/" else 0.0 for mark in case) for case in cases
        ]
        assert pytest.approx(plain.fmean(by_rules)) == row["rules_only_score"]
        if means:
            low, high = (
                interval_of_means(
                    [plain.fmean({**value, "?": bound}[mark] for mark in case) for case in cases]
                )
                for bound in (0.0, 1.0)
            )
            assert pytest.approx((low[0], high[1]), abs=1e-9) == interval(row)
            assert row["low"] <= row["score"] <= row["high"]
    whole, both = one(table, "*"), [one(table, "a"), one(table, "b")]
    if any(row["score"] is None for row in both):
        assert whole["score"] is None
    else:
        assert (
            pytest.approx((both[0]["score"] + weight * both[1]["score"]) / (1 + weight))
            == whole["score"]
        )
        assert 0 <= whole["low"] <= whole["score"] <= whole["high"] <= 1


# ---------------------------------------------------------------- threads

# Many groups of awkward fractions in random order, scored and written in one process.
WRITE = """
import sys
import polars as pl
from leaderboard.frames import RECORDS, VERDICTS
from scoring.tables.equal_answers import ANSWERS
from scoring.tables.usage import usage
from tests.scoring.verdict_tables import scored, submission, suite

rows = pl.int_range(40_000, eager=True).alias("row").to_frame()
rows = rows.sample(fraction=1, shuffle=True, seed=int(sys.argv[1]))
row = pl.col("row")
category = pl.when(row % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("b"))
keys = {
    "submission": pl.format("m{}", row % 7 % 4), "suite": pl.lit("s"), "category": category,
    "case_id": pl.format("{}", row // 4), "trial": (row % 3 + 1).cast(pl.Int32),
    "metric": pl.lit("correct"),
}
share = row * 7919 % 997 / 997
verdicts = rows.select(
    **keys, outcome=pl.lit("fail"), score=share, reason=pl.lit("exact"), detail=pl.lit(""),
    decided_by=pl.when(row % 5 == 0).then(pl.lit("judge")).otherwise(pl.lit("rule")),
    judge_call=pl.lit(None, pl.String),
)
records = rows.select(
    **keys, error=row % 9 == 0, input_tokens=row, output_tokens=row % 13,
    cost_usd=share / 1000, latency_s=share * 3.1
).drop("category", "metric")
made = suite("s", a=(20_000, 1), b=(20_000, 1.7))
sys.stdout.write(scored(verdicts.match_to_schema(VERDICTS), [made]).write_csv())
answers = rows.select(**keys, answer=(row % 5).cast(pl.UInt64)).select(list(ANSWERS))
records = records.match_to_schema(RECORDS)
sys.stdout.write(usage(records, [submission("m1")], answers).write_json())
"""


@pytest.mark.large
def test_threads_and_row_order_do_not_change_a_byte() -> None:
    """One thread or two, rows in one order or another: the files written are the same."""
    first = written(WRITE, 1, 1)

    assert first.count(b"\n") > 12
    assert first == written(WRITE, 2, 2)
