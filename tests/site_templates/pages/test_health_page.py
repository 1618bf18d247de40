"""Case health: which cases are found, in what words, and what is said where nobody can tell."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from typing import Any

import polars as pl
import pytest

from leaderboard.frames import HEALTH
from site_templates.board import Board
from tests.site_templates import site_board, site_crowd
from tests.site_templates.rendered import baselines_site, file_of, files_of, render
from tests.site_templates.site_html import Pages, pages


def crowd() -> Board:
    """Twelve submissions, with health put in by hand for four cases of one suite."""
    given = site_crowd.crowd(12)
    base: dict[str, Any] = {
        "submissions": 12,
        "score": 0.5,
        "solved": 6,
        "solved_by": None,
        "tau": 0.1,
        "tau_p": 0.7,
        "same_answer": 1,
        "same_answer_of": "s0000",
        "suspect": False,
        "reason": None,
        "detail": None,
    }
    odd: dict[str, dict[str, Any]] = {
        "simple_1": {
            "solved": 0,
            "score": 0.0,
            "same_answer": 9,
            "suspect": True,
            "reason": "same_wrong_answer",
            "detail": "All fail it alike.",
        },
        "simple_2": {"solved": 1, "score": 1 / 12, "solved_by": "s0003"},
        "multiple_4": {
            "tau": -0.61,
            "tau_p": 0.0004,
            "suspect": True,
            "reason": "against_trend",
            "detail": "The weaker pass it.",
        },
        "parallel_3": {"tau": -0.3, "tau_p": 0.04},
        "relevance_5": {"same_answer": 4, "same_answer_of": "s0002"},
    }
    rows = [
        {
            **base,
            "suite": suite.id,
            "category": case.category,
            "case_id": case.id,
            **odd.get(case.id, {}),
        }
        for suite in given.suites
        for case in suite.cases
        if suite.id == "bench"
    ]
    return site_board.changed(given, health=pl.DataFrame(rows, schema=HEALTH))


@cache
def files() -> dict[str, bytes]:
    pages_and_data = ("health/index.html", "health/bench.html", "data/health.csv")
    return files_of(crowd(), *pages_and_data, "data/health/bench.json")


@cache
def site() -> Pages:
    return pages(files())


def lists() -> dict[str, list[str]]:
    """The cases of each list of the suite's page."""
    found: dict[str, list[str]] = {}
    page = site()["health/bench.html"]
    name = ""
    for element in page.elements:
        if element.tag == "h2" and "id" in element.attributes:
            name = element.attributes["id"]
        if element.tag == "a" and "../cases/" in element.attributes.get("href", ""):
            found.setdefault(name, []).append(element.text)
    return found


@pytest.mark.large
def test_each_list_holds_its_cases() -> None:
    """Each section lists its cases, those against the trend by p-value."""
    assert lists() == {
        "suspects": ["simple_1", "multiple_4"],
        "failed": ["simple_1"],
        "alone": ["simple_2"],
        "against": ["multiple_4", "parallel_3"],
        "same": ["simple_1", "relevance_5"],
    }


@pytest.mark.large
def test_findings_say_what_was_found_and_with_whom() -> None:
    """The sentence of a suspicion, who passes alone, the coefficient with its p-value."""
    rows = [" ".join(e.text.split()) for e in site()["health/bench.html"].all("tr")]

    assert any(row.startswith("simple_1") and row.endswith("All fail it alike.") for row in rows)
    assert any(
        row.startswith("simple_2") and "passed by provider3-model-3-instruct" in row for row in rows
    )
    assert any(row.startswith("multiple_4") and "τ −0.61, p < 0.001" in row for row in rows)
    assert any(row.startswith("parallel_3") and "τ −0.30, p 0.040" in row for row in rows)
    assert "By chance about 3 cases would be listed here." in site()["health/bench.html"].text


@pytest.mark.large
def test_the_first_page_counts_by_suite_and_lists_what_to_look_at() -> None:
    """A line for each suite that somebody took, and its suspects with their suite."""
    page = site()["health/index.html"]
    cells = [e.text for e in page.elements if e.tag in ("th", "td")]

    assert cells[8:16] == ["Bench", "60", "12", "1", "1", "2", "2", "2"]
    assert [e.text for e in page.all("span", class_="in")] == ["Bench, Simple", "Bench, Multiple"]


def test_baselines_do_not_count_and_the_page_says_so() -> None:
    """Where only baselines have answered there is one page, and it says what is missing."""
    made = baselines_site()
    page = pages({"health/index.html": made["health/index.html"]})["health/index.html"]

    assert [path for path in made if path.startswith("health/")] == ["health/index.html"]
    assert "So far this board has only baselines" in " ".join(page.text.split())


@pytest.mark.large
def test_a_board_without_health_has_no_health_pages() -> None:
    """Without the table there is neither page nor entry nor data."""
    made = render(site_board.changed(site_board.board(), health=pl.DataFrame(schema=HEALTH)))

    assert [
        path for path in made if "health" in path and not path.startswith("data/schemas/")
    ] == []
    assert b"Case health</a>" not in made["index.html"]


@pytest.mark.large
def test_the_data_hold_every_case() -> None:
    """CSV of all suites, JSON of each, in the order of the suite's cases."""
    rows = list(csv.DictReader(io.StringIO(files()["data/health.csv"].decode())))
    data = json.loads(files()["data/health/bench.json"])

    assert len(rows) == len(data["cases"]) == 60
    assert [case["case_id"] for case in data["cases"]][:2] == ["simple_0", "simple_1"]
    assert data["cases"][1]["reason"] == "same_wrong_answer"


@pytest.mark.large
def test_a_long_list_is_cut_and_says_so() -> None:
    """Of more than fifty cases the first fifty stand on the page, the others in the data."""
    given = crowd()
    failed = given.results.health.with_columns(solved=pl.lit(0, pl.Int64))
    page = file_of(site_board.changed(given, health=failed), "health/bench.html").decode()

    assert "10 more cases in <a href=" in page
    assert ">the data of this page</a>." in page


@pytest.mark.large
def test_counts_of_a_suite_link_to_their_lists() -> None:
    """On the page of all suites to the suite's page, and there to the lists on it."""
    site = pages(render(crowd()))
    paths = [path for path in site if path.startswith("health/") and path != "health/index.html"]
    lists = ("failed", "alone", "against", "same", "suspects")
    linked = {e.attributes.get("href", "") for e in site["health/index.html"].all("a")}

    assert paths
    for path in paths:
        own = {e.attributes.get("href") for e in site[path].all("a")}
        name = path.removeprefix("health/")
        for id_ in lists:
            assert f"#{id_}" in own
            assert any(href.endswith(f"{name}#{id_}") for href in linked)
