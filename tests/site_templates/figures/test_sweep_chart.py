"""Sweeps: what their pages draw."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Browser

from leaderboard.board.sweeps import MOST_TOOLS, swept
from leaderboard.types import Submission
from site_templates import builder
from site_templates.board_index import index_board
from site_templates.figures.sweep_chart import Sweep, sweeps
from tests.each_row import each_row
from tests.site_templates import site_board, site_hostile
from tests.site_templates.rendered import file_of
from tests.site_templates.site_html import parse
from tests.site_templates.site_sweep import added, member

BOARD = site_board.board()
THREE = (member(64), member(8), member(512))
SCORES = {"probe-k8": 0.5, "probe-k64": 0.75, "probe-k512": 0.25}


def shown(
    members: Sequence[Submission], scores: Mapping[str, float | None], of: str
) -> tuple[Sweep, ...]:
    """The sweeps on the page of one of the members."""
    indexed = index_board(added(BOARD, members, scores))
    [submission] = [one for one in members if one.id == of]
    return sweeps(indexed, submission, swept(indexed.submissions).get(of, ()))


def only(found: tuple[Sweep, ...]) -> Sweep:
    [sweep] = found
    return sweep


@pytest.mark.large
def test_one_submission_is_no_sweep() -> None:
    """The page has no empty section."""
    page = file_of(added(BOARD, [member(8)]), "submissions/probe-k8.html").decode()

    assert "s-sweep" not in page


@pytest.mark.large
def test_the_page_marks_its_own_point_and_links_the_others() -> None:
    """Only its dot is filled and has its score, and only its row in the table is no link."""
    sweep = only(shown(THREE, SCORES, "probe-k64"))
    plot = sweep.plots[0]
    html = parse(file_of(added(BOARD, THREE, SCORES), "submissions/probe-k64.html"))
    section = html.text.partition("Score against number of tools on Acting")[2]
    hrefs = {a.attributes["href"] for a in html.all("a")}

    assert [(dot.here, dot.label) for dot in plot.dots] == [
        (False, ""),
        (True, "75.0"),
        (False, ""),
    ]
    assert [dot.y for dot in plot.dots] == ["50%", "25%", "75%"]
    assert (plot.dots[0].low, plot.dots[0].high) == ("60%", "40%")
    assert [tick.label for tick in sweep.xs] == ["8", "64", "512"]
    rows = [(row.tools, row.cells[0].text, row.cells[0].bounds, row.cases) for row in sweep.rows]
    assert rows == [
        ("8", "50.0", "40.0–60.0", "3"),
        ("64", "75.0", "65.0–85.0", "3"),
        ("512", "25.0", "15.0–35.0", "3"),
    ]
    assert {"probe-k8.html", "probe-k512.html"} <= {href.rpartition("/")[2] for href in hrefs}
    assert "Probe, 64 tools (this one)" in section


@pytest.mark.large
def test_sentence_has_the_highest_the_lowest_and_the_own_score() -> None:
    """The own score is not repeated."""
    assert only(shown(THREE, SCORES, "probe-k8")).said == (
        "The highest score is 75.0\u202f%, with 64 tools at most; "
        "the lowest 25.0\u202f%, with 512. This submission, with 8: 50.0\u202f%."
    )
    assert only(shown(THREE, SCORES, "probe-k64")).said.endswith(
        "the lowest 25.0\u202f%, with 512."
    )
    assert only(shown(THREE, dict.fromkeys(SCORES, 0.5), "probe-k8")).said == (
        "With any number of tools the score is the same, 50.0\u202f%."
    )


@pytest.mark.large
def test_a_suite_needs_two_scores() -> None:
    """A suite with one score is not drawn. A submission without a score has a row, but no dot."""
    one, two, three = member(8, suites=("acting", "match")), member(64), member(512)
    found = only(shown((one, two, three), {**SCORES, "probe-k64": None}, "probe-k64"))

    assert found.suite == "Acting, synthetic"
    assert [dot.here for dot in found.plots[0].dots] == [False, False]
    assert [row.cells[0].text for row in found.rows] == ["50.0", "—", "25.0"]
    assert shown((one, two), {"probe-k8": 0.5, "probe-k64": None}, "probe-k8") == ()


@pytest.mark.large
def test_main_metrics_are_drawn_and_no_others() -> None:
    """The solved and the API call score have plots and intervals of their own."""
    given = added(BOARD, THREE, SCORES)
    ranked = given.results.scores.filter(
        pl.col("submission").is_in(list(SCORES)), category="*", metric="correct"
    )
    values = {"score": pl.lit(0.5), "low": pl.lit(0.25), "high": pl.lit(0.75)}
    more = [ranked.with_columns(metric=pl.lit(name), **values) for name in ("api_call", "finish")]
    suites = [dataclasses.replace(s, kind=site_board.OVER_APIS) for s in given.suites]
    scores = pl.concat([given.results.scores, *more])
    indexed = index_board(site_board.changed(given, scores=scores, suites=tuple(suites)))
    found = only(sweeps(indexed, THREE[0], swept(indexed.submissions)["probe-k8"]))

    assert [plot.title for plot in found.plots] == ["Correct", "API call"]
    assert [cell.bounds for cell in found.rows[0].cells] == ["40.0–60.0", "25.0–75.0"]


OFFERED = {"suites": {"acting": {"gold_in_selection": 0.5}}}


def test_the_share_of_gold_apis_in_cards_is_drawn() -> None:
    """It has no interval, and the page says that the cards state it."""
    found = only(
        shown([member(8, settings=OFFERED), member(64, settings=OFFERED)], SCORES, "probe-k8")
    )

    assert found.plots[-1].title == "Gold APIs offered"
    assert "The cards state it" in found.plots[-1].says
    assert [(dot.y, dot.low, dot.high) for dot in found.plots[-1].dots] == [("50%",) * 3] * 2
    assert (found.rows[0].cells[-1].text, found.rows[0].cells[-1].bounds) == ("50.0", "")


@each_row(
    "told", [1.5, -0.1, True, "0.5", None, float("nan"), float("inf"), 10**400, [0.5], {"a": 1}]
)
@pytest.mark.large
def test_other_values_for_the_share_of_gold_apis_are_not_drawn(told: Any) -> None:
    """Only numbers from 0 to 1 count."""
    odd = {"suites": {"acting": {"gold_in_selection": told}}}
    found = only(
        shown([member(8, settings=odd), member(64, settings={"suites": told})], SCORES, "probe-k8")
    )

    assert [plot.title for plot in found.plots] == ["Correct"]
    assert found.heads == ("correct",)


@pytest.mark.large
def test_other_settings_that_differ_are_named() -> None:
    """A note names them below the sentence."""
    same = only(shown(THREE, SCORES, "probe-k8"))
    other = only(shown((*THREE[:2], member(512, settings={"temperature": 1})), SCORES, "probe-k8"))

    assert same.note == ""
    assert other.note == "Their settings differ in more than the number of tools: temperature."


@pytest.mark.large
def test_a_long_sweep_is_thinned() -> None:
    """The first, the last and the own submission are kept. Numbers on the axis are apart."""
    many = [member(number) for number in range(1, 101)]
    found = only(shown(many, {one.id: 0.5 for one in many}, "probe-k77"))
    tools = [row.tools for row in found.rows]
    places = [float(tick.at.rstrip("%")) for tick in found.xs]

    assert {"1", "77", "100"} <= set(tools)
    assert len(tools) <= 25
    assert f"Of 100 submissions {len(tools)} are shown." in found.note
    assert "77" in {tick.label for tick in found.xs}
    assert min(b - a for a, b in pairwise(places)) >= 13
    assert all(0 <= float(dot.x.rstrip("%")) <= 100 for dot in found.plots[0].dots)


@pytest.mark.large
def test_plots_do_not_depend_on_row_order() -> None:
    """The same board in another order gives the same bytes."""
    given = added(BOARD, THREE, SCORES)
    pages = [
        file_of(one, "submissions/probe-k64.html") for one in (given, site_board.reordered(given))
    ]

    assert pages[0] == pages[1]
    assert b"s-sweep-acting" in pages[0]


# ---------------------------------------------------------------- in a browser


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_in_a_plot_leaves_it_or_covers_a_number(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    """Hostile texts do not widen the page, and the label covers no other dot."""
    numbers = (1, 2, 8, 9, 64, 1024, MOST_TOOLS)
    hostile: dict[str, Any] = {
        "name": site_hostile.EVIL + site_board.LONG,
        "settings": {site_hostile.EVIL: 1},
    }
    members = [member(number, **hostile) for number in numbers]
    scores = {one.id: place / 6 for place, one in enumerate(members)}
    builder.build(added(BOARD, members, scores), tmp_path / "site")
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((tmp_path / "site" / "submissions" / "probe-k8.html").as_uri())
    reach = page.evaluate("document.documentElement.scrollWidth")
    ran = page.evaluate("window.pwned ?? null")
    boxes: dict[str, list[list[float]]] = page.evaluate(
        """() => {
            const found = {};
            for (const s of ["line.ax-g[y2='100%'] + text.tk", "text.t.b", "circle.d.o"]) {
                const section = document.querySelector("[aria-labelledby=s-sweep-acting]");
                found[s] = [...section.querySelectorAll("svg " + s)]
                    .map(e => e.getBoundingClientRect())
                    .map(b => [b.left, b.right, b.top, b.bottom]);
            }
            return found;
        }"""
    )
    page.close()
    ticks, [label], dots = boxes.values()

    assert (reach, ran) == (width, None)
    assert len(ticks) >= 4
    assert all(a[1] < b[0] for a, b in pairwise(ticks))
    assert all(0 <= box[0] and box[1] <= width for box in (*ticks, label, *dots))
    assert [
        d
        for d in dots
        if d[0] < label[1] and label[0] < d[1] and d[2] < label[3] and label[2] < d[3]
    ] == []
