"""Pictures: who is on the front, where axes begin and end, and that nothing is drawn without data."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

import polars as pl
import pytest

from leaderboard.types import Suite
from site_templates import builder
from site_templates.board import Board
from site_templates.board_index import BoardIndex, index_board
from site_templates.figures.chart import Chart, cost_chart, date_chart
from site_templates.figures.heat import heat
from tests.site_templates import site_board, site_crowd


def board(
    scores: Mapping[str, float],
    costs: Mapping[str, float | None],
    dates: Mapping[str, str] | None = None,
) -> Board:
    """The match suite alone, with submissions that have these scores, costs per case and dates."""
    given = site_board.board(suites=[site_board.match_suite()])
    card = site_board.CARDS["model-a"]
    submissions = tuple(
        dataclasses.replace(
            given.submissions[0],
            id=name,
            card=dataclasses.replace(card, name=name, date=(dates or {}).get(name, "2026-01-01")),
        )
        for name in scores
    )
    row = given.scores.filter(submission="model-a", suite="match", category="*")
    usage = given.usage.filter(submission="model-a", suite="match")
    frame = [
        row.with_columns(
            submission=pl.lit(n),
            score=pl.lit(s),
            low=pl.lit(max(s - 0.05, 0)),
            high=pl.lit(min(s + 0.05, 1)),
        )
        for n, s in scores.items()
    ]
    used = [
        usage.with_columns(submission=pl.lit(n), cost_usd=pl.lit(c, pl.Float64))
        for n, c in costs.items()
    ]
    return dataclasses.replace(
        given,
        submissions=submissions,
        scores=pl.concat(frame),
        usage=pl.concat(used) if used else given.usage.clear(),
        ranks=given.ranks.clear(),
        records={},
    )


def parts(given: Board) -> tuple[BoardIndex, Suite]:
    return index_board(given), given.suites[0]


def front(chart: Chart | None) -> list[str]:
    assert chart is not None
    return [row.link.label for row in chart.rows if row.front]


def test_front_is_what_nothing_cheaper_is_as_good_as() -> None:
    """Dearer and better is on it; dearer and equal or worse is not; twins in both stand on it together."""
    scores = {"a": 0.5, "b": 0.7, "c": 0.7, "d": 0.6, "e": 0.9, "f": 0.7}
    costs = {"a": 0.001, "b": 0.002, "c": 0.003, "d": 0.0025, "e": 0.01, "f": 0.002}

    assert front(cost_chart(*parts(board(scores, costs)))) == ["a", "b", "f", "e"]


def test_front_is_drawn_as_steps_to_the_right_edge() -> None:
    """Level from each dot to the next one's cost, then up; from the last one level to the edge."""
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7}, {"a": 0.001, "b": 0.01})))
    assert chart is not None
    level, up, last = chart.front

    assert level.y1 == level.y2
    assert (up.x1, up.x2) == (level.x2, level.x2)
    assert (last.x1, last.x2, last.y1) == (up.x1, "100%", up.y2)


def test_best_of_their_time() -> None:
    """Over dates the front is the record so far, and the first day has one."""
    dates = {"a": "2024-05-01", "b": "2025-01-01", "c": "2025-06-01", "d": "2026-01-01"}
    chart = date_chart(*parts(board({"a": 0.5, "b": 0.4, "c": 0.6, "d": 0.6}, {}, dates)))

    assert front(chart) == ["a", "c"]
    assert chart is not None
    assert chart.said == "2 systems are the best of their time: no earlier system was as good."


@pytest.mark.parametrize(
    "costs",
    [{}, {"a": 0.001}, {"a": 0.001, "b": None}, {"a": 0.001, "b": 0.0}],
    ids=["none", "one", "untold", "free"],
)
def test_no_cost_no_picture(costs: dict[str, float | None]) -> None:
    """With fewer than two costs there is no chart of them: never an empty one."""
    given = board({"a": 0.5, "b": 0.7}, costs)

    assert cost_chart(*parts(given)) is None
    assert "s-cost" not in builder.render(given)["index.html"].decode()


def test_one_date_no_picture() -> None:
    """Where all dates are one there is nothing to see over time."""
    assert date_chart(*parts(board({"a": 0.5, "b": 0.7}, {}))) is None


def test_what_is_left_out_is_said() -> None:
    """Those without a cost are counted in words."""
    chart = cost_chart(*parts(board({"a": 0.5, "b": 0.7, "c": 0.9}, {"a": 0.001, "b": 0.002})))

    assert chart is not None
    assert chart.left_out == (
        "1 submission without a cost above 0 is left out, as are baselines. "
        "The cost is what submitters report; it is not measured here."
    )


@pytest.mark.parametrize(
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
    """Ticks at 1, 2 and 5 of a power of ten; at some of the powers where there are many, at the costs where there are none."""
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
    """Firsts of a year, of a quarter or month; the days themselves where no month begins between them."""
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


def test_large_boards_are_drawn_in_part_and_say_so() -> None:
    """Of two hundred submissions the front and the hundred best others are drawn."""
    given = index_board(site_crowd.crowd(200))
    chart = cost_chart(given, given.board.suites[0])
    assert chart is not None

    assert len(chart.dots) == len(chart.rows) == 100 + len(front(chart))
    assert re.match(
        r"Of \d+ submissions the front and the 100 best others are drawn\.", chart.left_out
    )


def test_pictures_are_the_same_bytes_whatever_the_order() -> None:
    """The same board handed over in another order gives the same picture."""
    given = site_crowd.crowd(40)
    first, second = (
        builder.render(b)["suites/bench/index.html"] for b in (given, site_board.reordered(given))
    )

    assert b'class="front"' in first
    assert first == second


def test_heat_map_tints_by_tenths_and_leaves_room_for_the_rest() -> None:
    """Nothing passed is tone 0, everything tone 9; what is not taken is a dash without one; fifty rows at most."""
    given = index_board(site_board.board())
    suites = given.board.suites
    field = [s for s in given.submissions if not s.is_baseline]
    found = heat(given, suites, field)
    assert found is not None
    cells = {row.link.label: [(c.text, c.tone) for c in row.cells] for row in found.rows}

    assert [number for _, number in found.groups] == [2, 2, 2]
    assert cells["Model A"][:2] == [("67", 6), ("100", 9)]
    assert next(row for name, row in cells.items() if name.startswith("Model C"))[:3] == [
        ("—", -1),
        ("—", -1),
        ("0", 0),
    ]
    crowd = index_board(site_crowd.crowd(60))
    large = heat(crowd, crowd.board.suites, crowd.submissions)
    assert large is not None
    assert (len(large.rows), large.left_out) == (50, 10)


def test_one_category_or_one_submission_makes_no_map() -> None:
    """A single row or column says nothing that the ranking does not."""
    given = index_board(site_board.board())
    suite = given.board.suites[0]
    single = dataclasses.replace(suite, categories=suite.categories[:1])

    assert heat(given, (suite,), given.submissions[:1]) is None
    assert heat(given, (single,), given.submissions) is None


@pytest.mark.parametrize(
    ("dates", "costs"),
    [
        (("0001-01-01", "9999-12-31"), (5e-324, 1e300)),
        (("0001-01-01", "0001-01-02"), (1e-300, 1.1e-300)),
        (("9999-12-30", "9999-12-31"), (1e300, 1.1e300)),
        (("1000-06-01", "2026-06-01"), (1e-12, 1e9)),
    ],
)
def test_no_date_and_no_cost_is_beyond_an_axis(
    dates: tuple[str, str], costs: tuple[float, float]
) -> None:
    """However far two dates or costs lie apart, an axis has a few ticks with short words, all of them on it."""
    given = site_crowd.crowd(8)
    values = {
        s.id: (dates[place % 2], costs[place % 2]) for place, s in enumerate(given.submissions)
    }
    cards = (
        dataclasses.replace(s, card=dataclasses.replace(s.card, date=values[s.id][0]))
        for s in given.submissions
    )
    usage = given.usage.with_columns(
        cost_usd=pl.col("submission").replace_strict({k: v[1] for k, v in values.items()})
    )
    found = index_board(dataclasses.replace(given, submissions=tuple(cards), usage=usage))
    suite = found.board.suites[0]

    for chart in (cost_chart(found, suite), date_chart(found, suite)):
        assert chart is not None
        assert 2 <= len(chart.xs) <= 6
        assert all(len(tick.label) <= 11 for tick in chart.xs)
        assert all(0 <= float(tick.at.rstrip("%")) <= 100 for tick in chart.xs)
