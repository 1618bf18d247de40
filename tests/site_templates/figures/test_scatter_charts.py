"""Charts: who is on the front, where axes begin and end, and no chart without data."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import cache

import polars as pl
import pytest

from leaderboard.types import Suite
from site_templates import formatting
from site_templates.board import Board
from site_templates.board_index import BoardIndex, index_board
from site_templates.figures.scatter_charts import Chart, cost_chart, date_chart, latency_chart
from tests.each_row import each_row
from tests.site_templates import site_board, site_crowd
from tests.site_templates.rendered import file_of


@cache
def match_board() -> Board:
    return site_board.board(suites=[site_board.match_suite()])


def board(
    scores: Mapping[str, float],
    costs: Mapping[str, float | None],
    dates: Mapping[str, str] | None = None,
) -> Board:
    """The match suite alone, with submissions that have these scores, costs per case and dates."""
    given = match_board()
    card = site_board.CARDS["model-a"]
    submissions = tuple(
        dataclasses.replace(
            given.submissions[0],
            id=name,
            card=dataclasses.replace(card, name=name, date=(dates or {}).get(name, "2026-01-01")),
        )
        for name in scores
    )
    row = given.results.scores.filter(submission="model-a", suite="match", category="*")
    usage = given.results.usage.filter(submission="model-a", suite="match")
    frame = [
        row.with_columns(
            submission=pl.lit(n),
            score=pl.lit(s),
            low=pl.lit(max(s - 0.05, 0.0)),
            high=pl.lit(min(s + 0.05, 1.0)),
        )
        for n, s in scores.items()
    ]
    used = [
        usage.with_columns(submission=pl.lit(n), cost_usd=pl.lit(c, pl.Float64))
        for n, c in costs.items()
    ]
    return site_board.changed(
        given,
        submissions=submissions,
        scores=pl.concat(frame),
        usage=pl.concat(used) if used else given.results.usage.clear(),
        ranks=given.results.ranks.clear(),
        records={},
    )


def parts(given: Board) -> tuple[BoardIndex, Suite]:
    return index_board(given), given.suites[0]


def front(chart: Chart | None) -> list[str]:
    assert chart is not None
    return [row.link.label for row in chart.rows if row.front]


@pytest.mark.large
def test_front_has_the_submissions_that_no_cheaper_one_equals() -> None:
    """A dearer submission must be better. Submissions with equal cost and score are both on it."""
    scores = {"a": 0.5, "b": 0.7, "c": 0.7, "d": 0.6, "e": 0.9, "f": 0.7}
    costs = {"a": 0.001, "b": 0.002, "c": 0.003, "d": 0.0025, "e": 0.01, "f": 0.002}

    assert front(cost_chart(*parts(board(scores, costs)))) == ["a", "b", "f", "e"]


@pytest.mark.large
def test_who_scores_0_is_on_no_front() -> None:
    """A cheap, fast or early submission that passes nothing is better than nobody."""
    days = {"a": "2024-05-01", "b": "2025-01-01", "c": "2025-06-01"}
    costs = {"a": 0.001, "b": 0.002, "c": 0.003}
    some = board({"a": 0.0, "b": 0.5, "c": 0.7}, costs, days)
    none = board({"a": 0.0, "b": 0.0, "c": 0.0}, costs, days)

    chart = cost_chart(*parts(some))

    assert chart is not None
    assert chart.words.said.endswith("is as good. A score of 0 is not on it.")
    assert front(chart) == ["b", "c"]
    assert front(date_chart(*parts(some))) == ["b", "c"]
    assert cost_chart(*parts(none)) is None
    assert date_chart(*parts(none)) is None


def test_front_is_drawn_as_steps_to_the_right_edge() -> None:
    """The line is level to the next cost, then goes up. After the last dot it is level."""
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7}, {"a": 0.001, "b": 0.01})))
    assert chart is not None
    level, up, last = chart.front

    assert level.y1 == level.y2
    assert (up.x1, up.x2) == (level.x2, level.x2)
    assert (last.x1, last.x2, last.y1) == (up.x1, "100%", up.y2)


def test_better_than_all_earlier_ones() -> None:
    """Over dates the front is the best score so far, from the first day on."""
    dates = {"a": "2024-05-01", "b": "2025-01-01", "c": "2025-06-01", "d": "2026-01-01"}
    chart = date_chart(*parts(board({"a": 0.5, "b": 0.4, "c": 0.6, "d": 0.6}, {}, dates)))

    assert front(chart) == ["a", "c"]
    assert chart is not None
    assert chart.words.said == "2 systems have a higher score than all earlier ones."


def test_b7_the_chart_over_dates_names_the_date_of_the_responses() -> None:
    """A card has the day on which the responses were made, which is not the model's release."""
    dates = {"a": "2024-05-01", "b": "2025-01-01"}
    given = board({"a": 0.5, "b": 0.6}, {}, dates)
    chart = date_chart(*parts(given))

    assert chart is not None
    assert (chart.words.title, chart.words.axis) == (
        "Score over date of responses",
        "date of the responses",
    )
    assert "not the date of the model" in chart.words.left_out
    assert "release" not in chart.words.left_out


@pytest.mark.parametrize(
    "costs",
    [{}, {"a": 0.001}, {"a": 0.001, "b": None}, {"a": 0.001, "b": 0.0}],
    ids=["none", "one", "untold", "free"],
)
def test_no_chart_with_fewer_than_two_costs(costs: dict[str, float | None]) -> None:
    """The page has no empty chart."""
    given = board({"a": 0.5, "b": 0.7}, costs)

    assert cost_chart(*parts(given)) is None
    assert "s-cost" not in file_of(given, "index.html").decode()


def test_no_chart_of_one_date() -> None:
    """Equal dates show nothing over time."""
    assert date_chart(*parts(board({"a": 0.5, "b": 0.7}, {}))) is None


def test_submissions_without_a_cost_are_counted() -> None:
    """A sentence says how many submissions are left out, and why."""
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7, "c": 0.9}, {"a": 0.001, "b": 0.002})))

    assert chart is not None
    assert chart.words.left_out == (
        "1 submission without a cost above 0 is left out, as are baselines. "
        "The cost is what submitters report for at least 90\u202f% of their answers; it is not "
        "measured here."
    )
    assert chart.words.said == (
        "2 systems are on the Pareto front: no cheaper submission is as good."
    )


@pytest.mark.large
@each_row(
    ("known", "errors", "shown"),
    [(63, 0, True), (57, 0, True), (56, 0, False), (56, 7, True), (50, 7, False), (1, 0, False)],
)
def test_the_amounts_of_a_few_answers_are_in_no_chart(known: int, errors: int, shown: bool) -> None:
    """One made-up number would put a submission on the front, and stretch the axis for all."""
    given = board({"a": 0.5, "b": 0.7, "c": 0.9}, {"a": 0.001, "b": 0.002, "c": 1e-12})
    told, here = pl.col("submission") != "c", given.results.usage
    assert here["responses"].to_list() == [63] * 3
    usage = here.with_columns(
        errors=pl.when(told).then("errors").otherwise(errors),
        priced=pl.when(told).then("priced").otherwise(known),
        timed=pl.when(told).then("timed").otherwise(known),
    )
    changed = site_board.changed(given, usage=usage)
    for chart in (cost_chart(*parts(changed)), latency_chart(*parts(changed))):
        assert chart is not None
        assert ("c" in {row.link.label for row in chart.rows}) == shown
    assert (formatting.number(1e-9) in file_of(changed, "index.html").decode()) == shown


def test_the_front_does_not_claim_to_beat_a_cost_of_0() -> None:
    """A log scale has no place for it, so the sentence on the front leaves it out too."""
    costs = {"a": 0.001, "b": 0.002, "c": 0.0, "d": None}
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7, "c": 0.9, "d": 0.8}, costs)))

    assert chart is not None
    assert chart.words.said == (
        "Among systems with a cost above 0, 2 are on the Pareto front: no cheaper one is as good. "
        "A cost of 0 is left out of this chart and of the front."
    )
    assert chart.words.left_out.startswith("2 submissions without a cost above 0 are left out")


@each_row(
    ("costs", "expected"),
    [
        ((0.0003, 0.003), ["$0.5", "$1", "$2"]),
        ((0.00001, 0.00009), ["$0.01", "$0.02", "$0.05", "$0.1"]),
        ((0.000001, 1.0), ["$0.001", "$0.1", "$10", "$1,000"]),
        ((0.003, 0.0032), ["$3.00", "$3.20"]),
        ((0.002, 0.002), ["$2.00"]),
    ],
)
def test_cost_axis_is_logarithmic(costs: tuple[float, float], expected: list[str]) -> None:
    """Ticks are at 1, 2 and 5 times powers of ten, or at some powers, or at the two costs."""
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7}, dict(zip("ab", costs, strict=True)))))
    assert chart is not None

    assert expected == [tick.label for tick in chart.xs]
    assert all(0 <= float(tick.at.rstrip("%")) <= 100 for tick in chart.xs)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("2024-01-10", "2026-11-20"), ["2024", "2025", "2026"]),
        (("2026-01-10", "2026-04-20"), ["2026-02", "2026-03", "2026-04"]),
        (("2026-01-10", "2026-01-20"), ["2026-01-10", "2026-01-20"]),
        (("1999-12-31", "2026-01-01"), ["2000", "2010", "2020"]),
    ],
)
def test_date_axis_has_round_dates(days: tuple[str, str], expected: list[str]) -> None:
    """Ticks are at firsts of years, quarters or months, or at the two days."""
    chart = date_chart(*parts(board({"a": 0.5, "b": 0.7}, {}, dict(zip("ab", days, strict=True)))))
    assert chart is not None

    assert expected == [tick.label for tick in chart.xs]
    assert all(0 <= float(tick.at.rstrip("%")) <= 100 for tick in chart.xs)


def test_score_axis_holds_every_whisker() -> None:
    """From the tens below the lowest whisker to the tens above the highest."""
    chart = cost_chart(*parts(board({"a": 0.42, "b": 0.78}, {"a": 0.001, "b": 0.002})))
    assert chart is not None

    assert [tick.label for tick in chart.ys] == ["30", "40", "50", "60", "70", "80", "90"]
    assert all(
        0 <= float(value.rstrip("%")) <= 100
        for dot in chart.dots
        for value in (dot.low, dot.y, dot.high)
    )


@pytest.mark.large
def test_large_boards_are_drawn_in_part_and_say_so() -> None:
    """Of 200 submissions, the Pareto front and the 100 best others are drawn."""
    given = index_board(site_crowd.crowd(200))
    chart = cost_chart(given, given.board.suites[0])
    assert chart is not None

    assert len(chart.dots) == len(chart.rows) == 100 + len(front(chart))
    assert re.match(
        r"Of \d+ submissions, the Pareto front and the 100 best others are drawn\.",
        chart.words.left_out,
    )


@pytest.mark.large
def test_charts_do_not_depend_on_row_order() -> None:
    """The same board in another order gives the same bytes."""
    given = site_crowd.crowd(40)
    first, second = (
        file_of(b, "suites/bench/index.html") for b in (given, site_board.reordered(given))
    )

    assert b'class="front"' in first
    assert first == second


@pytest.mark.parametrize(
    ("dates", "costs"),
    [
        (("0001-01-01", "9999-12-31"), (5e-324, 1e300)),
        (("0001-01-01", "0001-01-02"), (1e-300, 1.1e-300)),
        (("9999-12-30", "9999-12-31"), (1e300, 1.1e300)),
        (("1000-06-01", "2026-06-01"), (1e-12, 1e9)),
    ],
)
@pytest.mark.large
def test_axes_hold_extreme_dates_and_costs(
    dates: tuple[str, str], costs: tuple[float, float]
) -> None:
    """An axis has two to six ticks with short labels, however far apart its ends are."""
    given = site_crowd.crowd(8)
    values = {
        s.id: (dates[place % 2], costs[place % 2]) for place, s in enumerate(given.submissions)
    }
    cards = (
        dataclasses.replace(s, card=dataclasses.replace(s.card, date=values[s.id][0]))
        for s in given.submissions
    )
    usage = given.results.usage.with_columns(
        cost_usd=pl.col("submission").replace_strict({k: v[1] for k, v in values.items()})
    )
    found = index_board(site_board.changed(given, submissions=tuple(cards), usage=usage))
    suite = found.board.suites[0]

    for chart in (cost_chart(found, suite), date_chart(found, suite)):
        assert chart is not None
        assert 2 <= len(chart.xs) <= 6
        assert all(len(tick.label) <= 11 for tick in chart.xs)
        assert all(0 <= float(tick.at.rstrip("%")) <= 100 for tick in chart.xs)


def test_latency_has_a_front_of_its_own() -> None:
    """A slower submission must be better. Without latencies there is no chart."""
    given = board({"a": 0.5, "b": 0.7, "c": 0.6}, {"a": None, "b": None, "c": None})
    slow = {"a": 0.5, "b": 2.0, "c": 3.0}
    latency = pl.col("submission").replace_strict(slow, return_dtype=pl.Float64)
    timed = site_board.changed(given, usage=given.results.usage.with_columns(latency_p50=latency))
    silent = given.results.usage.with_columns(latency_p50=pl.lit(None, pl.Float64))
    chart = latency_chart(*parts(timed))

    assert front(chart) == ["a", "b"]
    assert chart is not None
    assert [tick.label for tick in chart.xs] == ["0.5", "1", "2"]
    assert latency_chart(*parts(site_board.changed(given, usage=silent))) is None


def test_each_dot_is_a_link_that_says_what_it_shows() -> None:
    """With the name, the score and the value with its unit."""
    given = board({"a": 0.5, "b": 0.7}, {"a": 0.001, "b": 0.01})
    chart, later = cost_chart(*parts(given)), latency_chart(*parts(given))

    assert chart is not None
    assert later is not None
    assert [(dot.said.replace("\u202f", " "), dot.link.path) for dot in chart.dots] == [
        ("a: 50.0 %, $1.00", "submissions/a.html"),
        ("b: 70.0 %, $10.00", "submissions/b.html"),
    ]
    assert all(dot.said.endswith("\u00a0s") for dot in later.dots)


def test_a_short_log_axis_has_more_than_two_ticks() -> None:
    """From 0.9 to 2.6 there is only 1 and 2 of the usual digits."""
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7}, {"a": 0.0011, "b": 0.0021})))
    tenths = cost_chart(*parts(board({"a": 0.5, "b": 0.7}, {"a": 0.00011, "b": 0.00021})))

    assert chart is not None
    assert tenths is not None
    assert [tick.label for tick in chart.xs] == ["$1", "$1.5", "$2"]
    assert [tick.label for tick in tenths.xs] == ["$0.1", "$0.15", "$0.2"]
