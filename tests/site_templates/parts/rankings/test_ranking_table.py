"""The rankings: of one suite, of all suites, in pages, and as data. And the weight of pages."""

from __future__ import annotations

import dataclasses
import gzip
import json
import math
from collections.abc import Callable
from functools import cache

import polars as pl
import pytest

from site_templates.board import Board
from site_templates.board_index import BoardIndex, index_board
from site_templates.parts.rankings import paging
from site_templates.parts.rankings.overall_ranking import all_suites
from site_templates.parts.rankings.overall_scores import mean_places, mean_score
from site_templates.parts.rankings.ranking_table import Ranking, ranked_suites, ranking
from tests.cli.records import call
from tests.conftest import Folder
from tests.runners.model_board import add_suites
from tests.site_templates import site_board, site_crowd
from tests.site_templates.rendered import file_of, files_of, partial_site, render, small_site
from tests.site_templates.site_html import parse


@cache
def many() -> BoardIndex:
    return index_board(site_crowd.crowd(450))


LargeSite = Callable[[int], dict[str, bytes]]


def scored(*scores: dict[str, tuple[float, float, float]]) -> Board:
    """The full board with other scores and limits on the suites match, tools and acting."""
    given = site_board.board()
    frame = given.results.scores
    for suite, by_name in zip(("match", "tools", "acting"), scores, strict=True):
        for name, (score, low, high) in by_name.items():
            here = (
                (pl.col("submission") == name)
                & (pl.col("suite") == suite)
                & (pl.col("category") == "*")
            )
            here &= pl.col("metric") == "correct"
            frame = frame.with_columns(
                score=pl.when(here).then(score).otherwise("score"),
                low=pl.when(here).then(low).otherwise("low"),
                high=pl.when(here).then(high).otherwise("high"),
                unscored=pl.when(here).then(0).otherwise("unscored"),
            )
    return site_board.changed(given, scores=frame)


# ---------------------------------------------------------------- all suites


def test_all_suites_is_the_mean_of_the_suites_each_weighing_the_same() -> None:
    """Neither the number of cases nor the weights within a suite count: (0.9 + 0.6 + 0.3) / 3."""
    given = scored(
        {"model-b": (0.9, 0.8, 1.0)}, {"model-b": (0.6, 0.5, 0.7)}, {"model-b": (0.3, 0.2, 0.4)}
    )
    indexed = index_board(dataclasses.replace(given, mean_intervals={"model-b": (0.5, 0.7)}))
    found = mean_score(
        indexed,
        next(s for s in indexed.submissions if s.id == "model-b"),
        ranked_suites(indexed),
    )
    assert found is not None
    assert found.score is not None

    assert math.isclose(0.6, found.score)
    assert (0.5, 0.7) == (found.low, found.high)
    assert found.cases == 63 + 6 + 3


def test_incomplete_submissions_have_no_overall_score() -> None:
    """A missing suite and an unscored verdict both make a submission incomplete."""
    table = all_suites(index_board(site_board.board()))

    assert [row.name.label for row in table.rows] == ["Model B"]
    assert [(row.name.label[:7], row.score.text, row.score.remark) for row in table.unranked] == [
        ("Model A", "—", "1 unscored"),
        ("Model C", "—", "1 of 3 suites"),
    ]


def test_rows_without_an_overall_score_are_ordered_by_what_they_show() -> None:
    """Most suites first, then by name. Their ids, which the table does not show, do not matter."""
    given = site_board.board()
    model = next(one for one in given.submissions if one.id == "model-c")
    own = given.results.scores.filter(submission="model-c")
    submissions, scores = list(given.submissions), [given.results.scores]
    for id_, name in (("a", "Zulu"), ("z", "alpha")):
        card = dataclasses.replace(model.card, name=name)
        submissions.append(dataclasses.replace(model, id=id_, card=card))
        scores.append(own.with_columns(submission=pl.lit(id_)))
    board = site_board.changed(given, submissions=tuple(submissions), scores=pl.concat(scores))
    rows = all_suites(index_board(board)).unranked

    assert [row.name.label[:7] for row in rows] == ["Model A", "alpha", "Model C", "Zulu"]


def test_who_left_out_a_suite_has_not_answered_every_case() -> None:
    """The filter of all suites keeps who answered all of them. If nobody did, there is none."""
    given = site_board.board()

    def answered(*left_out: str) -> list[tuple[str, int]]:
        lost = pl.col("submission").is_in(left_out) & (pl.col("suite") == "acting")
        board = site_board.changed(given, scores=given.results.scores.filter(~lost))
        facets = dict(all_suites(index_board(board)).facets).get("Answered", ())
        return [(facet.label, facet.count) for facet in facets]

    assert answered() == [("every case", 2)]
    assert answered("model-b") == [("every case", 1)]
    assert answered("model-a", "model-b") == []


def test_means_of_equal_scores_in_any_order_are_equal() -> None:
    """(0.1 + 0.1 + 0.4) / 3 and (0.1 + 0.2 + 0.3) / 3 differ in the last bit alone."""
    low_high = 0.0, 1.0
    given = scored(
        {"model-a": (0.1, *low_high), "model-b": (0.1, *low_high)},
        {"model-a": (0.1, *low_high), "model-b": (0.2, *low_high)},
        {"model-a": (0.4, *low_high), "model-b": (0.3, *low_high)},
    )
    indexed = index_board(given)
    assert {"model-a": 1, "model-b": 1} == mean_places(indexed, ranked_suites(indexed))


@pytest.mark.large
def test_equal_means_share_a_place_and_nobody_has_a_rank() -> None:
    """Both stand first where two are equal; the page says that these are no ranks."""
    same = dict.fromkeys(("model-a", "model-b"), (0.5, 0.4, 0.6))
    board = scored(same, same, same)
    table = all_suites(index_board(board))
    page = parse(file_of(board, "all/index.html"))

    assert [row.rank for row in table.rows] == ["1", "1"]
    assert (
        "Order is not a rank: no test compares submissions over all suites together." in page.text
    )
    assert [e.text for e in page.all("th", class_="rk")] == ["Order"]


@pytest.mark.large
def test_one_suite_alone_has_no_page_of_all() -> None:
    """A board of one suite has neither the page nor a link to it."""
    files = render(site_board.board(suites=[site_board.match_suite()]))

    assert "all/index.html" not in files
    assert "All suites" not in parse(files["index.html"]).text


def judged(table: Ranking) -> dict[str, str]:
    """The judged share of each submission as the table shows it."""
    found = {}
    for row in (*table.rows, *table.unranked):
        texts = {column.key: cell.text for _, column, cell in table.filled(row)}
        found[row.name.label] = texts.get("judged", "no column")
    return found


@pytest.mark.large
def test_no_id_is_the_key_of_another_column() -> None:
    """A category may be called as a plain column, as a fixed one, or as another suite."""
    index = index_board(site_board.board())
    first, *_ = index.board.suites
    ids = ("date", "score", "tools")
    categories = tuple(dataclasses.replace(first.categories[0], id=id_) for id_ in ids)
    table = ranking(index, dataclasses.replace(first, categories=categories))
    keys = ["rank", "name", "score", *(column.key for _, column in table.columns)]

    assert "date" in keys
    assert len(keys) == len(set(keys))


def test_the_judged_share_of_all_suites_leads_to_judged_answers() -> None:
    """As on a suite: to the answers that a judge decided, not to all."""
    page = parse(small_site()["all/index.html"])
    links = [a.attributes["href"] for a in page.all("a") if "answers/" in a.attributes["href"]]

    assert "../answers/model-a.html#in////judge" in links


def test_judged_share_is_of_the_suite_that_is_ranked() -> None:
    """The ranking of one suite shows its own judged share, that of all suites the overall one."""
    given = index_board(site_board.board())
    suite = given.board.suites[0]
    first = judged(ranking(given, suite, first_page=True))
    own = judged(ranking(given, suite))
    every = judged(all_suites(given))
    files = files_of(given.board, "index.html", "all/index.html")

    assert first["Model A"] == own["Model A"] == "no column"  # no judge decided anything there
    assert every["Model A"] == "25\u202f%"
    assert "that a judge decided, not a rule" not in parse(files["index.html"]).text
    assert (
        "share of the verdicts on all suites taken that a judge decided"
        in parse(files["all/index.html"]).text
    )


# ---------------------------------------------------------------- incomplete submissions


@pytest.mark.large
def test_unanswered_cases_are_mentioned_beside_the_score() -> None:
    """Rankings, category and submission pages say so. The rank stays."""
    files = {
        path: parse(content) for path, content in partial_site().items() if path.endswith(".html")
    }
    told = "53 of 63 answered"

    for path in ("index.html", "suites/match/index.html"):
        [row] = [e.text for e in files[path].all("tr", class_="a-part") if "Model B" in e.text]
        assert told in row
        assert row.split()[0] == "1–2"
    assert "50 of 60 answered" in files["suites/match/parallel_function.html"].text
    [row] = [
        e.text for e in files["all/index.html"].all("tr", class_="a-part") if "Model B" in e.text
    ]
    assert "62 of 72 answered" in row
    page = files["submissions/model-b.html"]
    assert told in page.all("p", class_="lede")[0].text
    assert [e.text for e in page.all("p", class_="flag")] == [
        f"{told} on Match, synthetic. What is not answered counts as a fail."
    ]
    assert [e.text for e in page.all("small", class_="rem")] == [told, "50 of 60 answered"]


@pytest.mark.large
def test_cells_of_scores_on_a_part_of_the_cases_are_marked_and_explained() -> None:
    """Cells have a star and a title, and the table has a note. Complete ones have neither."""
    page = parse(partial_site()["all/index.html"])
    marked = [(e.text, e.attributes["title"]) for e in page.all("a", class_="pt")]
    complete = file_of(site_crowd.crowd(6), "index.html").decode()

    assert ("53 of 63 answered") in [title for _, title in marked]
    said = "*: some cases were not asked, or lack an answer in at least one trial."
    assert said in page.text
    assert 'class="q pt"' not in complete
    assert "not every case was asked" not in complete


@pytest.mark.large
def test_scores_on_chosen_cases_are_marked_wherever_they_are_shown(folder: Folder) -> None:
    """A row that was asked one easy case has 100 there, with a mark that honest scores lack."""
    add_suites(folder)
    typed = {"id": "K1", "actual_steps": ["a", "b"], "state": "ab"}
    for name in ("honest", "other", "picker"):
        part = ["acts"] if name == "picker" else []
        folder.submission(name, [call("A001", 3, "yards")], partial=part)
        added = {"id": "S1", "output": "6.2", "actual_steps": ["add"]}
        records = [typed, added] if name == "other" else [typed]
        folder.submission(name, records, "acts", partial=part)
    assert folder.lb("rescore").exit_code == folder.lb("build").exit_code == 0
    site = folder.root / "_site"
    marked = parse((site / "all/index.html").read_bytes()).all("a", class_="pt")

    assert ("1 of 3 cases asked", "100.0") in [(e.attributes["title"], e.text) for e in marked]
    assert "1 of 3 cases asked" in parse((site / "suites/acts/index.html").read_bytes()).text
    table = pl.read_csv(site / "data/all.csv").select("submission", "place", "status")
    assert ("picker", None, "partial") in table.rows()
    # Medians of a third and two thirds for the suite, and of 0 and 1 for one of its categories.
    page = (site / "submissions/honest.html").read_text(encoding="utf-8")
    assert page.count('x="50%" y="50%" overflow="visible"><path class="med"') == 2
    assert ("honest", 2, None) in table.rows()


@pytest.mark.large
def test_data_count_the_cases_without_a_record() -> None:
    """The data count them by category and for the suite."""
    files = partial_site()
    mine = json.loads(files["data/submissions/model-b.json"])["scores"]["match"]["by_category"]
    others = json.loads(files["data/suites/match.json"])["scores"]

    assert {name: score["missing"] for name, score in mine.items()} == {
        "*": 10,
        "parallel_function": 10,
        "relevance": 0,
    }
    assert {
        row["submission"]: row["by_category"]["*"]["missing"]
        for row in others
        if row["submission"] != "model-b"
    } == {
        "model-a": 0,
        "oracle": 0,
        "keyword": 0,
        "silent": 0,
    }


def test_absent_submissions_are_in_a_closed_fold() -> None:
    """One line has the number, and the linked names are inside."""
    page = parse(small_site()["index.html"])
    [fold] = page.all("details", id="absent")
    links = [
        a.attributes["href"]
        for a in page.all("a")
        if a.attributes["href"].startswith("submissions/model-c")
    ]

    assert "open" not in fold.attributes
    assert "1 submission has not taken Match, synthetic" in [e.text for e in page.all("summary")]
    assert links == ["submissions/model-c.html"]
    assert "What is not answered" not in page.text


def test_submissions_that_wait_for_a_judge_keep_their_row() -> None:
    """A submission with unscored verdicts is listed under Not ranked, not in the fold."""
    page = parse(small_site()["suites/tools/index.html"])

    assert [e.text for e in page.all("b") if e.text == "Not ranked"] == ["Not ranked"]
    assert page.all("details", id="absent") == []


@pytest.mark.large
def test_later_pages_link_the_fold_of_the_first(large_site: LargeSite) -> None:
    """Pages of a long ranking hold the names once, on the first page; the others link to it."""
    files = large_site(450)
    [link] = [a for a in parse(files["ranking/2.html"]).all("a") if "not taken" in a.text]

    assert link.text == "45 submissions have not taken Bench"
    assert link.attributes["href"] == "../index.html#absent"
    assert b'id="absent"' in files["index.html"]


@pytest.mark.large
def test_costs_latencies_and_dates_are_marked_as_reported() -> None:
    """Once under the table, naming the columns that are there, and in the title of each head."""
    page = parse(file_of(site_crowd.crowd(12), "index.html"))
    heads = {e.attributes["data-k"] for e in page.all("th", title="as the submitter reports it")}

    assert "Cost, latency and date: as reported by submitters, not measured here." in page.text
    assert heads == {"cost", "latency", "date"}


# ---------------------------------------------------------------- pages


def everyone(tables: tuple[Ranking, ...]) -> list[str]:
    return [row.name.label for table in tables for row in (*table.rows, *table.unranked)]


@pytest.mark.large
def test_long_rankings_are_cut_into_pages_that_hold_everyone_once() -> None:
    """405 rows are eight pages of 50 and one of 5. The first has the detectable difference."""
    given = many()
    whole = ranking(given, given.board.suites[0])
    pages = paging.in_pages(whole)

    assert [len(p.rows) + len(p.unranked) for p in pages] == [*8 * [50], 5]
    assert everyone(pages) == everyone((whole,))
    assert [p.gap is not None for p in pages] == [True, *8 * [False]]
    assert [link.label for link in pages[0].pages][:2] == ["1–50", "51–100"]
    assert pages[0].pages[-1].label == "401–405"


@pytest.mark.large
def test_short_rankings_have_one_page_and_no_data_of_rows(large_site: LargeSite) -> None:
    """Up to one hundred rows are on one page, and no file of rows is written for it."""
    files = large_site(100)

    assert [path for path in files if "/ranking/" in path or path.startswith("data/rankings")] == []
    assert 'id="pages"' not in files["index.html"].decode()


@pytest.mark.large
def test_every_page_of_a_ranking_is_linked_and_reachable_without_a_script(
    large_site: LargeSite,
) -> None:
    """The pages link each other, and every submission is on one of them."""
    files = large_site(450)
    first = parse(files["index.html"])
    hrefs = [a.attributes["href"] for a in first.all("a")]
    links = [href for href in hrefs if href.startswith("ranking/")]
    rows = [
        a.text
        for path in ("index.html", *links)
        for a in parse(files[path]).all("a")
        if "submissions/" in a.attributes["href"] and a.text.startswith("provider")
    ]

    assert links == [f"ranking/{page}.html" for page in range(2, 10)]
    assert {f"provider{i % 37}-model-{i}-instruct" for i in range(450)} <= set(rows)


@pytest.mark.large
def test_rows_as_data_are_those_of_the_pages(large_site: LargeSite) -> None:
    """The file that the script reads has each row in order, with the texts of its cells."""
    given = many()
    whole = ranking(given, given.board.suites[0], first_page=True)
    text = large_site(450)["data/rankings/rows.js"].decode()
    rows = json.loads(text.removeprefix("toolboardRows(").removesuffix(");\n"))
    row, first = whole.rows[0], rows[0]

    assert [r[3][1] for r in rows] == everyone((whole,))
    assert first[2] == row.rank
    assert first[4] == [row.score.text, row.score.bounds, row.score.remark, row.score.path]
    assert first[7] == row.comparison
    assert [c if isinstance(c, str) else c[0] for c in first[6]] == [c.text for c in row.cells]
    assert [column.key for _, column in whole.columns][-3:] == ["cost", "latency", "date"]


def test_weights_of_a_reader_start_from_the_declared_ones() -> None:
    """Each category has an input with its declared weight, and cells have exact scores."""
    page = parse(small_site()["index.html"])
    inputs = {
        e.attributes["data-w"]: e.attributes["value"] for e in page.all("input", type="number")
    }
    cells = [
        e.attributes["data-v"] for e in page.all("td", class_="c-cat") if "data-v" in e.attributes
    ]

    assert inputs == {"cat.parallel_function": "60", "cat.relevance": "3"}
    assert cells[:2] == ["0.666667", "1"]
    assert page.all("details", id="own", hidden="")


def test_a_rank_leads_to_the_test_against_a_neighbour() -> None:
    """To the page of the pair; in a category to its tests by category. Without a rank, nowhere."""
    index = index_board(site_board.board())
    table = ranking(index, index.board.suites[1])
    tests = {row.name.label[:7]: row.comparison for row in (*table.rows, *table.unranked)}
    pair = "compare/tools/model-a--model-b.html"
    category = small_site()["suites/tools/clarifying.html"].decode()

    assert tests == {"Model A": pair, "Model B": pair, "Model C": None}
    assert {row.comparison for row in table.baselines} == {None}
    assert pair in small_site()
    assert f'<td role="cell" class="rk"><a class="q" href="../../{pair}#s-where">' in category


# ---------------------------------------------------------------- weight


def zipped(content: bytes) -> int:
    return len(gzip.compress(content, 6))


@pytest.mark.large
def test_index_for_a_hundred_submissions_fits_sixty_kilobytes(large_site: LargeSite) -> None:
    """The first page with the stylesheet, the script and the icon, compressed as hosts do."""
    files = large_site(100)
    assets = sum(zipped(content) for path, content in files.items() if path.startswith("assets/"))

    assert zipped(files["index.html"]) + assets <= 60_000


@pytest.mark.large
@pytest.mark.parametrize("number", [100, 450])
def test_no_page_is_heavier_than_two_hundred_kilobytes(large_site: LargeSite, number: int) -> None:
    """No page compressed, nor the data that the script reads for it, on boards small and large."""
    heavy = {
        path: zipped(c)
        for path, c in large_site(number).items()
        if path.endswith((".html", ".js")) and len(c) > 200_000
    }

    assert {path: size for path, size in heavy.items() if size > 200_000} == {}


@pytest.mark.large
def test_a_cost_on_all_suites_needs_the_cost_of_every_response() -> None:
    """Unknown costs are not filled with the mean of the known ones."""
    given = site_board.board()
    one = (pl.col("submission") == "model-a") & (pl.col("suite") == given.suites[0].id)
    less = pl.when(one).then(pl.col("priced") - 1).otherwise("priced")
    partly = site_board.changed(given, usage=given.results.usage.with_columns(priced=less))

    def costs(board: Board) -> set[str]:
        table = all_suites(index_board(board))
        rows = [row for row in table.unranked if row.name.label == "Model A"]
        return {
            cell.text
            for row in rows
            for _, column, cell in table.filled(row)
            if column.heading.lower() == "cost"
        }

    assert costs(given) != costs(partly)
    assert costs(partly) <= {"—"}
