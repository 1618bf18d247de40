"""The data of each page: the rows of its table, equal in every format, with links."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable
from functools import cache

import polars as pl
import pytest

from site_templates.board import Board
from tests.site_templates import site_board, site_history
from tests.site_templates.rendered import files_of, history_site, render, small_site
from tests.site_templates.site_html import parse, target

RANK = ["status", "rank_low", "rank_high", "all_low", "all_high"]


@cache
def board() -> Board:
    return site_history.board()


def files() -> dict[str, bytes]:
    return history_site()


def parquet(path: str) -> pl.DataFrame:
    return pl.read_parquet(io.BytesIO(files()[path]))


def linked(page: str, given: dict[str, bytes] | None = None) -> set[str]:
    """Every file below data/ that a page links to, as a path from the root."""
    found = (target(page, link) for link in parse((given or files())[page]).links())
    return {place[0] for place in found if place is not None and place[0].startswith("data/")}


@pytest.mark.large
@pytest.mark.parametrize("suite", ["tools", "match", "acting"])
def test_the_scores_of_a_suite_are_beside_its_page(suite: str) -> None:
    """All metrics and categories have counts and intervals. CSV and Parquet agree."""
    table = parquet(f"data/suites/{suite}.parquet")
    expected = (
        board().results.scores.filter(suite=suite).sort("submission", "suite", "category", "metric")
    )
    ranked = table.drop_nulls("rank_low")
    ranks = board().results.ranks.filter(suite=suite).sort("submission", "category")

    assert table.drop(RANK).equals(expected.drop("rank_low", "rank_high"))
    assert ranked["metric"].unique().to_list() == ["correct"]
    assert ranked.select(ranks.columns).equals(ranks)
    assert files()[f"data/suites/{suite}.csv"] == table.write_csv().encode()
    assert {f"data/suites/{suite}.{ending}" for ending in ("json", "csv", "parquet")} <= linked(
        f"suites/{suite}/index.html"
    )


@pytest.mark.large
def test_the_scores_of_a_category_are_beside_its_page() -> None:
    """JSON, CSV and Parquet of a category hold the rows of its suite's table that are about it."""
    whole = parquet("data/suites/acting.parquet").filter(category="desk")
    told = json.loads(files()["data/categories/acting/desk.json"])

    assert whole.height > len(board().submissions) - 1
    assert parquet("data/categories/acting/desk.parquet").equals(whole)
    assert files()["data/categories/acting/desk.csv"] == whole.write_csv().encode()
    assert told["scores"] == whole.drop("suite", "category").to_dicts()
    assert (told["suite"], told["category"], told["cases"]) == (
        "acting",
        "desk",
        ["desk_1", "desk_2"],
    )
    assert "This page as JSON" in [
        a.text for a in parse(files()["suites/acting/desk.html"]).all("a")
    ]
    assert {
        f"data/categories/acting/desk.{ending}" for ending in ("json", "csv", "parquet")
    } <= linked("suites/acting/desk.html")


@pytest.mark.large
def test_b14_a_large_board_has_its_answers_as_parquet_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beyond the limit no file is about one case or submission, and no page links one."""
    monkeypatch.setattr("site_templates.board.CSV_ROWS", board().results.verdicts.height - 1)
    made = render(board())

    assert {"data/verdicts.parquet", "data/responses.parquet", "data/scores.csv"} <= made.keys()
    assert "data/verdicts.csv" not in made
    left_out = ("data/cases/", "data/submissions/")
    assert [path for path in files() if path.startswith(left_out)]
    assert not [path for path in made if path.startswith(left_out)]
    pages = [path for path in made if path.startswith(("cases/", "submissions/", "answers/"))]
    assert {path for page in pages for path in linked(page, made)} <= made.keys()
    assert "question" not in made["answers/model-a.html"].decode()
    assert made["cases/tools/C001.html"] != files()["cases/tools/C001.html"]


@pytest.mark.large
def test_the_ranking_on_all_suites_has_its_data() -> None:
    """Equal submissions share a place, baselines have none, and every suite is a column."""
    rows = {row["submission"]: row for row in json.loads(files()["data/all.json"])["scores"]}
    table = parquet("data/all.parquet")
    suites = [suite.id for suite in board().suites]
    whole = [row for row in rows.values() if row["score"] is not None]
    entrants = [row for row in whole if row["place"] is not None]

    assert [row["submission"] for row in entrants] == [
        s.id
        for s in sorted(
            (s for s in board().submissions if not s.is_baseline),
            key=lambda s: -(rows[s.id]["score"] or 0),
        )
        if rows[s.id]["score"] is not None
    ]
    assert [row["place"] for row in entrants] == [
        1 + sum(other["score"] > row["score"] for other in entrants) for row in entrants
    ]
    for row in whole:
        shares = [row["by_suite"][suite] for suite in suites]
        assert row["score"] == pytest.approx(sum(shares) / len(shares))
    assert table.columns[-len(suites) :] == [f"score_{suite}" for suite in suites]
    assert table.select("submission", "place", "score").rows() == [
        (row["submission"], row["place"], row["score"]) for row in rows.values()
    ]
    assert files()["data/all.csv"] == table.write_csv().encode()
    assert {"data/all.json", "data/all.csv", "data/all.parquet"} <= linked("all/index.html")


@pytest.mark.large
def test_equal_scores_share_a_place() -> None:
    """Twins stand on one place, and the next one is further down by as many."""
    given = site_board.board()
    low = given.results.scores.filter(pl.col("submission") == "model-b").with_columns(
        score=pl.lit(0.01), unscored=pl.lit(0, pl.Int64), scored="cases"
    )
    names = ("low-1", "low-2")
    twins = tuple(
        dataclasses.replace(s, id=name)
        for name in names
        for s in given.submissions
        if s.id == "model-b"
    )
    scores = pl.concat(
        [given.results.scores, *(low.with_columns(submission=pl.lit(name)) for name in names)]
    )
    lower = low.with_columns(submission=pl.lit("last"), score=pl.lit(0.0))
    last = dataclasses.replace(twins[0], id="last")
    made = render(
        site_board.changed(
            given, submissions=(*given.submissions, *twins, last), scores=pl.concat([scores, lower])
        )
    )
    places = {
        row["submission"]: row["place"] for row in json.loads(made["data/all.json"])["scores"]
    }

    assert places["low-1"] == places["low-2"]
    assert places["last"] == places["low-1"] + 2


@pytest.mark.large
def test_what_is_known_of_judges_is_beside_their_pages() -> None:
    """Agreement, concordance and corrected scores are in one JSON and in tables."""
    told = json.loads(files()["data/judges.json"])
    given = board()
    tables = {
        "agreement": given.results.agreement,
        "concordance": given.results.concordance,
        "corrected": given.results.corrected,
    }

    assert [judge["judge"] for judge in told["judges"]] == [judge.name for judge in given.judges]
    for name, frame in tables.items():
        table = parquet(f"data/judges/{name}.parquet")
        assert not frame.is_empty()
        assert sorted(table.rows(), key=repr) == sorted(frame.rows(), key=repr)
        assert told[name] == table.to_dicts()
        assert files()[f"data/judges/{name}.csv"] == table.write_csv().encode()
        for page in ("judges/index.html", "judges/judge-x.html"):
            assert {
                f"data/judges/{name}.csv",
                f"data/judges/{name}.parquet",
                "data/judges.json",
            } <= linked(page)


def test_the_pairs_are_listed_with_their_differences() -> None:
    """The compare page lists each pair once, with the figures of the pair's own file."""
    pairs = json.loads(files()["data/compare.json"])["pairs"]
    own = [
        json.loads(c)
        for path, c in files().items()
        if path.startswith("data/compare/") and path.endswith(".json")
    ]
    expected = {(one["suite"], one["first"], one["second"]): one["whole"] for one in own}

    assert len(pairs) == len(expected) > 0
    for pair in pairs:
        whole = expected[pair["suite"], pair["first"], pair["second"]]
        assert (pair["first_score"], pair["second_score"], pair["p"]) == (
            whole["first"],
            whole["second"],
            whole["p"],
        )
    assert parquet("data/compare.parquet").to_dicts() == pairs
    assert {"data/compare.json", "data/compare.csv", "data/compare.parquet"} <= linked(
        "compare/index.html"
    )


def test_suites_and_case_health_are_beside_their_lists() -> None:
    """The list of suites and case health in three formats, usage as Parquet too."""
    suites = json.loads(files()["data/suites.json"])["suites"]

    assert [row["suite"] for row in suites] == [suite.id for suite in board().suites]
    assert parquet("data/suites.parquet").to_dicts() == suites
    assert {"data/suites.json", "data/suites.csv", "data/suites.parquet"} <= linked(
        "suites/index.html"
    )
    assert files()["data/health.csv"] == parquet("data/health.parquet").write_csv().encode()
    assert (
        json.loads(files()["data/health.json"])["cases"]
        == parquet("data/health.parquet").to_dicts()
    )
    assert {"data/health.json", "data/health.csv", "data/health.parquet"} <= linked(
        "health/index.html"
    )
    mine = parquet("data/health.parquet").filter(suite="tools")
    assert parquet("data/health/tools.parquet").equals(mine)
    assert files()["data/health/tools.csv"] == mine.write_csv().encode()
    assert {f"data/health/tools.{ending}" for ending in ("json", "csv", "parquet")} <= linked(
        "health/tools.html"
    )
    assert parquet("data/usage.parquet").equals(board().results.usage.sort("submission", "suite"))


def test_the_first_page_offers_the_scores_it_ranks() -> None:
    """What belongs to the ranked suite belongs to the first page."""
    assert {
        "data/suites/match.json",
        "data/suites/match.csv",
        "data/suites/match.parquet",
    } <= linked("index.html")


@pytest.mark.large
def test_further_pages_of_a_ranking_offer_the_whole_of_it(
    large_site: Callable[[int], dict[str, bytes]],
) -> None:
    """The second page of a long ranking has no JSON of its own, and links that of all rows."""
    made = large_site(450)
    stems = {
        "ranking/2.html": "suites/bench",
        "suites/bench/ranking/2.html": "suites/bench",
        "all/ranking/2.html": "all",
    }

    for page, stem in stems.items():
        assert {f"data/{stem}.{ending}" for ending in ("json", "csv", "parquet")} <= linked(
            page, made
        ), page
        assert "This page as JSON" not in [a.text for a in parse(made[page]).all("a")], page


@pytest.mark.large
@pytest.mark.parametrize("name", ["whole", "baselines", "no judge"])
def test_no_page_links_data_that_is_not_there(name: str) -> None:
    """Whatever a board lacks, every download that a page names is a file of the site."""
    boards = {
        "whole": board(),
        "baselines": site_board.board(baselines_only=True, suites=[site_board.match_suite()]),
        "no judge": site_board.changed(
            board(),
            judges=(),
            agreement=board().results.agreement.clear(),
            corrected=board().results.corrected.clear(),
            health=board().results.health.clear(),
        ),
    }
    made = render(boards[name])
    missing = {page: linked(page, made) - made.keys() for page in made if page.endswith(".html")}

    assert {page: paths for page, paths in missing.items() if paths} == {}


@pytest.mark.large
def test_data_are_the_same_bytes_whatever_the_order() -> None:
    """The same board handed over in another order gives the same downloads."""
    again = render(site_board.reordered(site_board.board()))
    first = small_site()

    assert {path: c for path, c in again.items() if path.startswith("data/")} == {
        path: c for path, c in first.items() if path.startswith("data/")
    }


def test_a_suite_may_be_called_ranking() -> None:
    """Its categories and cases, numbered like pages of a ranking, keep what belongs to them."""
    given = site_board.match_suite()
    category = dataclasses.replace(given.categories[0], id="2")
    case = dataclasses.replace(category.cases[0], id="2", category="2")
    category = dataclasses.replace(category, cases=(case,))
    suite = dataclasses.replace(given, id="ranking", categories=(category,), by_id={case.id: case})
    lone = dataclasses.replace(
        site_board.board(baselines_only=True), suites=(suite,), ranked="ranking", comparisons={}
    )
    category_page, case_page = "suites/ranking/2.html", "cases/ranking/2.html"
    made = files_of(lone, category_page, case_page)

    assert {
        f"data/categories/ranking/2.{ending}" for ending in ("json", "csv", "parquet")
    } <= linked(category_page, made)
    assert not [
        path
        for path in linked(case_page, made)
        if path.startswith(("data/categories/", "data/suites/"))
    ]
    assert "data/cases/ranking/2.json" in linked(case_page, made)


def test_the_submissions_are_a_table_of_their_own() -> None:
    """Their names, models and dates, to be joined with the ids in scores, ranks and verdicts."""
    table = parquet("data/submissions.parquet")
    [model] = table.filter(submission="model-a").to_dicts()
    ids = [one.id for one in board().submissions]

    assert table["submission"].to_list() == sorted(ids)
    assert table.filter(kind="baseline")["submission"].to_list() == ["keyword", "oracle", "silent"]
    assert model == {
        "submission": "model-a",
        "name": "Model A",
        "kind": "model",
        "organization": "Lab One",
        "model": "model-a-1",
        "date": "2026-03-01",
        "framework": None,
        "url": "https://example.org/a",
        "parameters": None,
        "license": "MIT",
        "open_weights": True,
        "input_price": 0.5,
        "output_price": 1.5,
    }
    assert json.loads(files()["data/submissions.json"])["submissions"] == table.to_dicts()
    assert b"model-a,Model A,model,Lab One," in files()["data/submissions.csv"]
    assert {f"data/submissions.{ending}" for ending in ("json", "csv", "parquet")} <= linked(
        "index.html"
    )
