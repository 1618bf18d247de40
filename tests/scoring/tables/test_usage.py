"""Usage: hand-worked tables, unknown amounts, and the same bytes in any order."""

from __future__ import annotations

import math
import statistics as plain
from collections.abc import Iterable
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from leaderboard.frames import RECORDS, USAGE
from leaderboard.types import Price, Submission
from scoring.tables import usage as tested
from scoring.tables.equal_answers import ANSWERS
from tests.each_row import each_row
from tests.scoring.verdict_tables import submission


def records(
    *given_rows: tuple[Any, ...], submission_id: str = "m", suite_id: str = "s"
) -> pl.DataFrame:
    """Records given as (case, trial, error, input tokens, output tokens, cost, latency)."""
    return pl.DataFrame(
        [(submission_id, suite_id, *row) for row in given_rows], schema=RECORDS, orient="row"
    )


def usage(
    made: pl.DataFrame, submissions: Iterable[Submission], given: Iterable[tuple[Any, ...]] = ()
) -> pl.DataFrame:
    """The usage of these records, with answers given as (case, trial, answer)."""
    rows = [("m", "s", *row) for row in given]
    return tested.usage(made, submissions, pl.DataFrame(rows, schema=ANSWERS, orient="row"))


def test_usage_by_hand() -> None:
    """Two trials of two cases: counts, means over reported values, interpolated quantiles."""
    table = usage(
        records(
            ("a0", 1, False, 100, 10, None, 1.0),
            ("a0", 2, False, 300, 0, None, 2.0),
            ("a1", 1, True, 0, 0, None, 4.0),
            ("a1", 2, False, None, None, 0.5, None),
        ),
        [submission("m", price=Price(2.0, 6.0))],
    )

    expected = {
        "submission": "m",
        "suite": "s",
        "responses": 4,
        "trials": 2,
        "same_in_trials": None,
        "errors": 1,
        "input_tokens": 200.0,
        "output_tokens": 10.0,
        "priced": 3,
        "cost_usd": pytest.approx((0.00026 + 0.0006 + 0.5) / 3),
        "timed": 3,
        "latency_mean": pytest.approx(7 / 3),
        "latency_sd": pytest.approx(plain.stdev([1, 2, 4])),
        "latency_p50": 2.0,
        "latency_p95": pytest.approx(3.8),
    }
    assert [expected] == table.to_dicts()
    assert USAGE == table.schema


def test_nothing_reported_is_unknown_not_nothing() -> None:
    """Without tokens, costs and latencies the columns are empty; a price alone makes no cost."""
    table = usage(
        records(("a0", 1, False, None, None, None, None)), [submission("m", price=Price(2.0, 6.0))]
    )

    assert {"responses": 1, "trials": 1, "errors": 0} == table.select(
        "responses", "trials", "errors"
    ).row(0, named=True)
    assert all(
        value is None
        for value in table.drop(
            "submission", "suite", "responses", "trials", "errors", "priced", "timed"
        ).row(0)
    )


def test_tokens_without_a_price_cost_an_unknown_amount() -> None:
    """A submission whose card names no price, or that is not known at all, has no cost."""
    for known in ([submission("m")], []):
        assert usage(records(("a0", 1, False, 10, 10, None, None)), known)[
            "cost_usd"
        ].to_list() == [None]


def test_a_reported_cost_of_nothing_is_nothing() -> None:
    """A cost of 0 that a record states is a cost, and goes before the price."""
    table = usage(
        records(("a0", 1, False, 10, 10, 0.0, 0.0)), [submission("m", price=Price(2.0, 6.0))]
    )

    assert (0.0, 0.0, None) == table.select("cost_usd", "latency_mean", "latency_sd").row(0)


def test_a_single_token_counts() -> None:
    """One token each way is a mean and a price, not nothing."""
    found = usage(
        records(("a0", 1, False, 1, 1, None, None)), [submission("m", price=Price(2.0, 6.0))]
    ).row(0, named=True)
    assert (1.0, 1.0) == (found["input_tokens"], found["output_tokens"])
    assert found["cost_usd"] == pytest.approx(8e-6)


def test_half_reported_tokens_have_no_price() -> None:
    """Output without input tokens cannot be priced."""
    table = usage(
        records(("a0", 1, False, None, 10, None, None)), [submission("m", price=Price(2.0, 6.0))]
    )

    assert (None, 10.0, None) == table.select("input_tokens", "output_tokens", "cost_usd").row(0)


def test_usage_of_any_size() -> None:
    """Absurd numbers in a responses file neither overflow nor stop anything."""
    huge = usage(
        records(("a0", 1, False, 2**62, 1, 1e300, 1e300), ("a1", 1, False, 2**62, 1, 1e300, 5e299)),
        [],
    )

    assert (2.0**62, 1e300) == huge.select("input_tokens", "cost_usd").row(0)
    assert pytest.approx(7.5e299) == huge["latency_mean"].item()
    assert pytest.approx(2.5e299 * math.sqrt(2)) == huge["latency_sd"].item()


def test_usage_rows_are_sorted() -> None:
    """By submission and suite, empty with its schema."""
    table = usage(
        pl.concat(
            [
                records(("a0", 1, False, None, None, None, 1.0), submission_id="z"),
                records(("a0", 1, False, None, None, None, 1.0), suite_id="t"),
                records(("a0", 1, False, None, None, None, 1.0)),
            ]
        ),
        [],
    )

    assert [("m", "s"), ("m", "t"), ("z", "s")] == table.select("submission", "suite").rows()
    assert_frame_equal(pl.DataFrame(schema=USAGE), usage(pl.DataFrame(schema=RECORDS), []))


@each_row(
    ("given_answers", "share"),
    [
        ([("a", 1, 5), ("a", 2, 5), ("b", 1, 5), ("b", 2, 6)], 0.5),
        ([("a", 1, 5), ("a", 2, 5), ("a", 3, 5), ("b", 1, 5)], 1),
        ([("a", 1, 5), ("a", 2, 5), ("a", 3, 6)], 0),
        ([("a", 1, 5), ("a", 2, None), ("b", 1, 6)], None),
        ([("a", 1, 5), ("b", 1, 5)], None),
    ],
)
def test_the_same_answer_in_all_trials(
    given_answers: list[tuple[Any, ...]], share: float | None
) -> None:
    """Of the cases with several answers. Reliability was not measured where all are equal."""
    rows = ((case, trial, False, None, None, None, None) for case, trial, _ in given_answers)
    table = usage(records(*rows), [], given_answers)
    assert table["same_in_trials"].to_list() == [share]


@pytest.mark.large
@given(
    st.lists(st.floats(0, 1e4, allow_subnormal=False), min_size=2, max_size=30),
    st.randoms(use_true_random=False),
)
@settings(max_examples=25)
def test_usage_agrees_with_plain_python_in_any_order(latencies: list[float], order: Any) -> None:
    """Mean, deviation and median match the standard library, and row order changes no bit."""
    made = records(
        *((f"a{i}", 1, False, None, None, latency, latency) for i, latency in enumerate(latencies))
    )

    table = usage(made, [])

    assert_frame_equal(
        table, usage(made[order.sample(range(len(made)), len(made))], []), check_exact=True
    )
    expected = (
        plain.fmean(latencies),
        plain.fmean(latencies),
        plain.stdev(latencies),
        plain.median(latencies),
    )
    found = table.select("cost_usd", "latency_mean", "latency_sd", "latency_p50").row(0)
    assert pytest.approx(expected, rel=1e-9, abs=1e-9 * max(latencies)) == found
