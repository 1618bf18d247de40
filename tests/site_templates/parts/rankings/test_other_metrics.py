"""Metrics beside the ranked one, and cases that are acted out, as their pages show them."""

from __future__ import annotations

import dataclasses
import json
from functools import cache

import polars as pl
import pytest

from leaderboard.ids import WHOLE
from leaderboard.types import GroundTruth
from site_templates.board_index import index_board
from site_templates.indexed_rows import Tails
from site_templates.parts.metric_names import metric_of, ordered, written_bounds, written_mean
from site_templates.parts.rankings.other_metrics import of_submissions
from tests.site_templates import site_board
from tests.site_templates.rendered import baselines_site, file_of, small_pages, small_site
from tests.site_templates.site_html import Html, Pages, pages, parse


@cache
def site() -> Pages:
    return small_pages()


def rows(page: Html) -> list[str]:
    return [" ".join(e.text.split()) for e in page.all("tr")]


def test_metrics_are_ordered_with_the_ranked_one_first() -> None:
    """Known ones in their order, others by name at the end."""
    names = ["zeal", "step_ratio", "trajectory", "correct", "awe"]
    assert ordered(site_board.acting_suite(), names) == (
        "correct",
        "trajectory",
        "step_ratio",
        "awe",
        "zeal",
    )


def test_b15_ratios_are_written_as_multiples() -> None:
    """A ratio may be more than 1 and is no percentage."""
    suite = site_board.acting_suite()
    ratio, share = metric_of(suite, "step_ratio"), metric_of(suite, "trajectory")

    assert (written_mean(ratio, 1.256), written_mean(ratio, None)) == ("1.26×", "—")
    assert written_bounds(ratio, 1.1, 1.4) == "1.10–1.40"
    assert (written_mean(share, 0.256), written_bounds(share, 0.1, 0.4)) == ("25.6", "10.0–40.0")
    assert metric_of(suite, "some_other").label == "some other"


def test_means_lead_to_the_answers() -> None:
    """The list of answers of a suite or category holds what a mean of it counts."""
    index = index_board(site_board.board())
    table = of_submissions(index, site_board.acting_suite(), "desk")
    assert table is not None
    page = site()["suites/acting/desk.html"]

    for row in table.rows:
        for cell in row.cells:
            assert cell.path.endswith("#in/acting/desk")
            assert cell.text in [a.text for a in page.all("a", href=f"../../{cell.path}")]


def test_both_tails_of_a_ratio_are_means_with_the_weights_of_the_score() -> None:
    """Looking weighs three times as much as the desk, with half as many verdicts.

    One of its three verdicts is unscored, and left out of the shares.
    """
    given = site_board.board()
    suites = {suite.id: suite for suite in given.suites}
    weights = {"desk": 1.0, "look": 3.0}
    categories = tuple(
        dataclasses.replace(category, weight=weights[category.id])
        for category in suites["acting"].categories
    )
    suites["acting"] = dataclasses.replace(suites["acting"], categories=categories)
    looking = (pl.col("category") == "look") & (pl.col("metric") == "step_ratio")
    third, second = (looking & (pl.col("trial") == trial) for trial in (3, 2))
    verdicts = given.results.verdicts.with_columns(
        score=pl.when(~third).then("score"),
        reason=pl.when(third)
        .then(pl.lit("no_step_expected"))
        .when(second)
        .then(pl.lit("too_many_steps"))
        .otherwise("reason"),
    )
    board = dataclasses.replace(given, suites=tuple(suites.values()))
    indexed = index_board(site_board.changed(board, verdicts=verdicts))

    found = [
        indexed.tails("model-a", "acting", "step_ratio", category)
        for category in ("desk", "look", WHOLE)
    ]
    assert [
        Tails(few=3 / 6, many=1 / 6),
        Tails(few=0, many=1 / 2),
        Tails(few=(3 / 6 + 0) / 4, many=(1 / 6 + 3 / 2) / 4),
    ] == found


@pytest.mark.large
def test_suite_and_category_pages_show_the_other_metrics() -> None:
    """A row has each metric's mean and interval, and the shares with too few and too many steps."""
    whole, desk = (
        [
            r
            for r in rows(site()[f"suites/acting/{name}.html"])
            if r.startswith("Model A") and "×" in r
        ]
        for name in ("index", "desk")
    )

    assert whole == ["Model A55.6 26.7–81.10.74× 0.67–0.8125 %8 %"]
    assert desk == ["Model A33.3 9.7–70.00.61× 0.55–0.6750 %17 %"]


def test_suites_of_one_metric_show_no_others() -> None:
    """Where the ranked metric is the only one there is no such section."""
    given = index_board(site_board.board())

    assert of_submissions(given, given.board.suites[0]) is None
    assert "Other metrics" not in site()["suites/match/index.html"].text


def test_submission_page_shows_other_metrics_by_category() -> None:
    """The page of a submission has them for the suite and for each category."""
    page = site()["submissions/model-a.html"]

    assert [r.partition(".")[0].rstrip("0123456789") for r in rows(page) if "×" in r] == [
        "Acting, synthetic",
        "At the desk",
        "Looking",
    ]


# ---------------------------------------------------------------- cases that are acted out


def test_acted_case_shows_paths_state_and_tools() -> None:
    """The page shows the accepted paths, the final state, and the tools of the environment."""
    text = site()["cases/acting/desk_1.html"].text

    for words in (
        "2 or 3 steps expected",
        "3 tools offered",
        "open_drawer(number=2)",
        '{"drawer": 2, "hand": "key"}',
        "The case passes if the final state is right.",
        "The order of the steps matters.",
    ):
        assert words in text, words


def test_acted_case_without_order_says_so() -> None:
    """The page says that the order does not matter, and steps in another order are equal."""
    page = site()["cases/acting/look_1.html"]

    assert "The order of the steps does not matter." in page.text
    assert "2 steps, as expected" in page.text
    assert "environment Unknown, which this board does not describe" in page.text


def test_answers_show_all_metrics_of_their_verdict() -> None:
    """Correct, trajectory and step ratio of each answer, the ratio as a figure with its reason."""
    page = site()["cases/acting/desk_1.html"]
    lists = [" ".join(e.text.split()) for e in page.all("dl", class_="three")]

    assert (
        lists[0]
        == "correctpasstrajectorypass The path: expected_path.step ratio1.00× 3 steps, expected 3."
    )
    assert "1.67×" in lists[1]


def test_steps_are_beside_the_expected_ones() -> None:
    """Missing sides have words, replies follow their step, and the closest path is named."""
    page = site()["cases/acting/desk_1.html"]
    cells = [e.text for e in page.all("td", class_="none")]

    assert cells == ["not expected", "not expected"]
    assert "the closest of 2 accepted paths" in page.text
    assert '→ {"hand": "key"}' in page.text


def test_final_state_is_compared_character_by_character() -> None:
    """What is lacking in the state got is marked in the one expected, and the other way round."""
    page = site()["cases/acting/desk_1.html"]

    assert [e.text for e in page.all("del")] == ['2, "hand": "key"']
    assert [e.text for e in page.all("ins")] == ["1"]


def test_trials_of_one_submission_are_grouped() -> None:
    """Equal answers name their submission once, with its trials."""
    page = site()["cases/acting/desk_1.html"]
    names = [a.text for a in page.all("a") if a.text.startswith("Model")]

    assert names == ["Model A (trials 1 and 3)", "Model A (trial 2)", "Model B"]
    assert "in every trial by 0, in some by 1, in none by 1" in page.text
    assert "Model A (all 3 trials)" in site()["cases/acting/desk_2.html"].text


def test_judged_answers_are_beside_the_reference() -> None:
    """A judged answer is marked as such, a wrong one by its characters, an open one as waiting."""
    page = site()["cases/acting/look_1.html"]
    marks = [
        e.text
        for e in page.all("td", class_="mk")
        if e.text[0] in "≈≠" and "arguments" not in e.text
    ]

    assert marks == ["≈judged", "≠differs", "≈waits for a judge"]


def test_category_page_has_no_count_of_zero() -> None:
    """Where some submission passes every case, nothing is said of cases in the number 0."""
    page = site()["suites/tools/clarifying.html"]

    assert "0 cases" not in " ".join(e.text for e in page.all("div", class_="note"))
    assert "None: each case that was asked was passed by at least one submission." in page.text


def test_data_of_cases_and_submissions_hold_all_metrics_steps_and_trials() -> None:
    """The JSON has tool replies, verdicts by all metrics, and trials."""
    files = small_site()
    case = json.loads(files["data/cases/acting/desk_1.json"])
    first = next(a for a in case["answers"] if 1 in a["given_by"].get("model-a", []))
    submission = json.loads(files["data/submissions/model-a.json"])["scores"]

    assert [call.get("result") for call in first["response"]["calls"]] == [
        "open",
        {"hand": "key"},
        None,
    ]
    assert [(f["metric"], f["outcome"], f["score"]) for f in first["further"]] == [
        ("trajectory", "pass", 1.0),
        ("step_ratio", "pass", 1.0),
    ]
    assert set(submission["acting"]["by_metric"]) == {"trajectory", "step_ratio"}
    assert [t["k"] for t in submission["acting"]["trials"]["desk"]] == [1, 2, 3]
    assert "by_metric" not in submission["match"]
    assert "trials" not in submission["match"]


@pytest.mark.large
def test_answer_without_a_step_says_so_in_a_line() -> None:
    """Where nothing was done there is no table of what was not done."""
    page = site()["cases/acting/look_1.html"]
    silent = pages(baselines_site())["cases/acting/desk_1.html"]

    assert "No step was taken." not in page.text
    assert "No step was taken." in silent.text
    assert len(silent.all("table", class_="traj")) == 1


@pytest.mark.large
def test_case_over_simulated_apis_names_those_it_takes() -> None:
    """A query over APIs lists the ones its answer takes, and says that a judge reads the rest."""
    suite = site_board.tool_suite()
    first = suite.categories[0].cases[0]
    case = dataclasses.replace(
        first, ground_truth=GroundTruth(apis=(("weather", "now"), ("cities", "find")))
    )
    category = dataclasses.replace(
        suite.categories[0], cases=(case, *suite.categories[0].cases[1:])
    )
    changed = dataclasses.replace(
        suite, categories=(category, *suite.categories[1:]), by_id={**suite.by_id, case.id: case}
    )
    board = dataclasses.replace(site_board.board(), suites=(changed,), ranked="tools")
    page = parse(file_of(board, index_board(board).paths.case("tools", case.id)))

    assert "2 APIs expected" in page.text
    assert [row for row in rows(page) if row in ("weathernow", "citiesfind")] == [
        "weathernow",
        "citiesfind",
    ]
    assert "No call." not in page.text
