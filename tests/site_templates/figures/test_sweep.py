"""Sweeps: which submissions are one, what their pages draw, and what strangers cannot make of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Browser

from leaderboard.types import Submission
from scoring.rules import KINDS
from site_templates import builder
from site_templates.board_index import index_board
from site_templates.figures.sweep import MOST_TOOLS, Sweep, sweeps, swept
from tests.site_templates import site_board, site_hostile
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


def ids(members: Sequence[Submission]) -> dict[str, list[str]]:
    return {name: [one.submission.id for one in group] for name, group in swept(members).items()}


# ---------------------------------------------------------------- who is one


def test_members_are_those_that_a_run_wrote_in_order_of_their_numbers() -> None:
    """Each member knows all, the least number of tools first; other submissions know none."""
    group = ["probe-k8", "probe-k64", "probe-k512"]

    assert ids((*THREE, *BOARD.submissions)) == dict.fromkeys(group, group)


def test_one_alone_is_no_sweep() -> None:
    """Where one number was run, there is nothing to draw: no section, no empty box."""
    page = builder.render(added(BOARD, [member(8)]))["submissions/probe-k8.html"].decode()

    assert ids([member(8)]) == {}
    assert "s-sweep" not in page


@pytest.mark.parametrize(
    "stranger",
    [
        member(16, id_="stranger"),
        member(16, id_="probe-k32"),
        member(8, id_="other-k8"),
        member(16, organization="Lab Three"),
        member(16, model="model-z"),
        member(16, framework="Framework Y"),
        member(16, kind="model"),
    ],
    ids=[
        "other id",
        "other number",
        "same number twice",
        "organisation",
        "model",
        "framework",
        "kind",
    ],
)
def test_a_stranger_who_names_a_sweep_is_not_in_it(stranger: Submission) -> None:
    """The name of a sweep alone does not make one: id, number and who ran it must agree."""
    found = ids((*THREE, stranger))

    assert stranger.id not in found
    assert found["probe-k8"] == ["probe-k8", "probe-k64", "probe-k512"]


ODD = [
    ("8", "probe"), (8.0, "probe"), (True, "probe"), (0, "probe"), (-8, "probe"), (MOST_TOOLS + 1, "probe"),
    (10**5000, "probe"), (None, "probe"), ([8], "probe"), (8, None), (8, 7), (8, ["probe"]), (8, {"probe": 1}), (8, ""),
]  # fmt: skip


@pytest.mark.parametrize(("tools", "sweep"), ODD, ids=map(str, range(len(ODD))))
def test_settings_of_another_type_are_no_sweep(tools: Any, sweep: Any) -> None:
    """`sweep` and `max_tools` may be anything: what is no name and no number of tools is passed over."""
    settings = {"max_tools": tools, "sweep": sweep}
    odd = [
        member(8, id_=f"probe-k{number}", settings=settings) for number in (8, "True", "8.0", "odd")
    ]

    assert set(ids([*odd, member(16), member(32)])) == {"probe-k16", "probe-k32"}


# ---------------------------------------------------------------- what is drawn


def test_the_page_marks_its_own_point_and_links_the_others() -> None:
    """One filled dot with its score; in the table the siblings are links and the page's own row is not."""
    sweep = only(shown(THREE, SCORES, "probe-k64"))
    plot = sweep.plots[0]
    html = parse(builder.render(added(BOARD, THREE, SCORES))["submissions/probe-k64.html"])
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
    assert [(row.tools, row.cells[0].text, row.cells[0].bounds, row.cases) for row in sweep.rows] == [
        ("8", "50.0", "40.0–60.0", "3"), ("64", "75.0", "65.0–85.0", "3"), ("512", "25.0", "15.0–35.0", "3"),
    ]  # fmt: skip
    assert {"probe-k8.html", "probe-k512.html"} <= {href.rpartition("/")[2] for href in hrefs}
    assert "Probe, 64 tools (this one)" in section


def test_words_say_what_the_picture_shows() -> None:
    """The highest, the lowest and the page's own score; its own only once."""
    assert only(shown(THREE, SCORES, "probe-k8")).said == (
        "The highest score is 75.0\u202f%, with 64 tools at most; the lowest 25.0\u202f%, with 512. "
        "This submission, with 8: 50.0\u202f%."
    )
    assert only(shown(THREE, SCORES, "probe-k64")).said.endswith(
        "the lowest 25.0\u202f%, with 512."
    )
    assert only(shown(THREE, dict.fromkeys(SCORES, 0.5), "probe-k8")).said == (
        "With any number of tools the score is the same, 50.0\u202f%."
    )


def test_only_suites_that_two_have_a_score_on() -> None:
    """A suite that one alone took is not drawn, and one without a score has no dot, but a row."""
    one, two, three = member(8, suites=("acting", "match")), member(64), member(512)
    found = only(shown((one, two, three), {**SCORES, "probe-k64": None}, "probe-k64"))

    assert found.suite == "Acting, synthetic"
    assert [dot.here for dot in found.plots[0].dots] == [False, False]
    assert [row.cells[0].text for row in found.rows] == ["50.0", "—", "25.0"]
    assert shown((one, two), {"probe-k8": 0.5, "probe-k64": None}, "probe-k8") == ()


def test_main_metrics_are_drawn_and_no_others() -> None:
    """Beside the ranked metric the solved and the API call score have plots of their own, with their own intervals."""
    given = added(BOARD, THREE, SCORES)
    ranked = given.scores.filter(
        pl.col("submission").is_in(list(SCORES)), category="*", metric="correct"
    )
    more = [ranked.with_columns(metric=pl.lit(name), score=pl.lit(0.5), low=pl.lit(0.25), high=pl.lit(0.75))
            for name in ("api_call", "finish")]  # fmt: skip
    suites = [dataclasses.replace(s, kind=KINDS["stable_toolbench"]) for s in given.suites]
    scores = pl.concat([given.scores, *more])
    indexed = index_board(dataclasses.replace(given, scores=scores, suites=tuple(suites)))
    found = only(sweeps(indexed, THREE[0], swept(indexed.submissions)["probe-k8"]))

    assert [plot.title for plot in found.plots] == ["Correct", "API call"]
    assert [cell.bounds for cell in found.rows[0].cells] == ["40.0–60.0", "25.0–75.0"]


OFFERED = {"suites": {"acting": {"gold_in_selection": 0.5}}}


def test_what_cards_say_of_gold_apis_is_drawn_and_named_as_that() -> None:
    """It has no interval, and the page says that it comes from the cards."""
    found = only(
        shown([member(8, settings=OFFERED), member(64, settings=OFFERED)], SCORES, "probe-k8")
    )

    assert found.plots[-1].title == "Gold APIs offered"
    assert "The cards state it" in found.plots[-1].says
    assert [(dot.y, dot.low, dot.high) for dot in found.plots[-1].dots] == [("50%",) * 3] * 2
    assert (found.rows[0].cells[-1].text, found.rows[0].cells[-1].bounds) == ("50.0", "")


@pytest.mark.parametrize(
    "told", [1.5, -0.1, True, "0.5", None, float("nan"), float("inf"), 10**400, [0.5], {"a": 1}]
)
def test_what_is_no_share_is_not_drawn(told: Any) -> None:
    """A card may say anything of gold APIs; only shares count."""
    odd = {"suites": {"acting": {"gold_in_selection": told}}}
    found = only(
        shown([member(8, settings=odd), member(64, settings={"suites": told})], SCORES, "probe-k8")
    )

    assert [plot.title for plot in found.plots] == ["Correct"]
    assert found.heads == ("correct",)


def test_other_settings_that_differ_are_said() -> None:
    """A reader who compares numbers of tools learns that something else differs too."""
    same = only(shown(THREE, SCORES, "probe-k8"))
    other = only(shown((*THREE[:2], member(512, settings={"temperature": 1})), SCORES, "probe-k8"))

    assert same.note == ""
    assert other.note == "Their settings differ in more than the number of tools: temperature."


def test_a_long_sweep_is_thinned_and_its_numbers_can_be_read() -> None:
    """Of a hundred some are shown, this one, the first and the last among them; numbers keep their distance."""
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


def test_pictures_are_the_same_bytes_whatever_the_order() -> None:
    """The same board handed over in another order gives the same page."""
    given = added(BOARD, THREE, SCORES)
    pages = [
        builder.render(one)["submissions/probe-k64.html"]
        for one in (given, site_board.reordered(given))
    ]

    assert pages[0] == pages[1]
    assert b"s-sweep-acting" in pages[0]


# ---------------------------------------------------------------- in a browser


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_in_a_plot_leaves_it_or_covers_a_number(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    """With hostile words about: the page fits, numbers on the axis are apart, and the label is clear of other dots."""
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
            for (const s of ["text.tk[text-anchor=middle]", "text.t.b", "circle.d.o"]) {
                const drawn = document.querySelectorAll("[aria-labelledby=s-sweep-acting] svg " + s);
                found[s] = [...drawn].map(e => e.getBoundingClientRect())
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
