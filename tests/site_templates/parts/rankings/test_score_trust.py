"""How good the judge is beside every judged score, and rows without a rank."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import polars as pl
import pytest

from leaderboard.frames import AGREEMENT, CORRECTED
from leaderboard.rank_status_words import NOT_RANKED
from site_templates.board import Board
from site_templates.board_index import BoardIndex, index_board
from site_templates.formatting import bounds, percent
from site_templates.parts.judge_trust import decisions, qualities
from site_templates.parts.rankings.ranking_table import ranking
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of, render, small_site
from tests.site_templates.site_html import Pages, pages, parse

PLACES = ("*", "clarifying")
DECISION = {
    "judge": "decision",
    "suite": "tools",
    "pairs": 77,
    "graded": 77,
    "agreement": 0.9123,
    "low": 0.8,
    "high": 0.96,
    "sensitivity": 0.871,
    "specificity": 0.943,
}


def judged_board(*, validated: bool = True) -> Board:
    """The full board, ranked on its judged suite, where Model A has judged scores."""
    row = site_board.CORRECTIONS[0] | {"validated": validated}
    if not validated:
        row |= {"corrected": None}
    given = site_board.board()
    rows = [DECISION | {"category": place} for place in PLACES]
    rows.append(DECISION | {"suite": "*", "category": "*"})
    agreement = pl.DataFrame(rows, schema=AGREEMENT)
    corrected = [row | {"category": place} for place in PLACES]
    return site_board.changed(
        given,
        ranked="tools",
        corrected=pl.DataFrame(corrected, schema=CORRECTED),
        agreement=pl.concat([given.results.agreement, agreement]),
    )


@cache
def site() -> Pages:
    return pages(rendered())


@cache
def rendered() -> dict[str, bytes]:
    return render(judged_board())


def with_status(status: str) -> Board:
    """The full board, in which Model A has no rank on the suite match."""
    given = site_board.board()
    here = (pl.col("submission") == "model-a") & (pl.col("suite") == "match")
    ranks = given.results.ranks.with_columns(
        status=pl.when(here).then(pl.lit(status)).otherwise("status"),
        **{
            name: pl.when(here).then(None).otherwise(name)
            for name in ("rank_low", "rank_high", "all_low", "all_high")
        },
    )
    return site_board.changed(given, ranks=ranks)


# ---------------------------------------------------------------- how good the judge is


def test_numbers_of_a_judged_score_come_from_the_frames() -> None:
    """Corrected score, limits and quality as in CORRECTED; the decision as in AGREEMENT."""
    board = judged_board()
    index = index_board(board)
    score = index.judged_score("model-a", "tools")
    row = board.results.corrected.row(0, named=True)
    assert score is not None

    assert (score.judged, score.corrected, score.low, score.high) == (3, 0.771, 0.5, 0.95)
    for name in ("labelled", "agreement", "sensitivity", "specificity", "youden", "validated"):
        assert getattr(score.quality, name) == row[name]
    assert (score.quality.decision_pairs, score.quality.decision_agreement) == (77, 0.9123)
    shares = board.results.scores.filter(submission="model-a", suite="tools", category="*")
    assert score.share == shares.filter(metric="correct")["judged_share"].item()


@pytest.mark.large
@pytest.mark.parametrize(
    "path",
    [
        "suites/tools/index.html",
        "suites/tools/clarifying.html",
        "submissions/model-a.html",
    ],
)
def test_pages_with_judged_scores_show_the_whole_table(path: str) -> None:
    """The table has labelled pairs, agreement, sensitivity, specificity, J and the decision."""
    page = site()[path]
    row = judged_board().results.corrected.row(0, named=True)

    assert len(page.all("table", id="judged")) == 1
    for name in ("agreement", "sensitivity", "specificity"):
        assert percent(row[name]) in page.text
    assert "91.2" in page.text
    assert "80.0–96.0" in page.text
    (text, *_) = [e.text for e in page.all("small", class_="cor")]
    assert text == f"corrected {percent(row['corrected'])}{bounds(row['low'], row['high'])}"


@pytest.mark.large
def test_the_first_page_says_how_good_the_judge_is() -> None:
    """For the ranked suite in words, and at each judged score in its tooltip."""
    page = site()["index.html"]
    said = (
        "The judge on 4 labelled pairs of categories in which it decides verdicts: "
        "agreement 75.0\u202f%, sensitivity 80.0\u202f%, specificity 70.0\u202f%. "
        "Rules, facts and judge together on 77 labelled pairs of all categories: "
        "agreement 91.2\u202f% (80.0–96.0)."
    )
    (short,) = page.all("small", class_="cor")

    assert said in page.text
    assert short.attributes["title"].endswith(said)
    assert "corrected 77.1 (50.0–95.0)" in short.attributes["title"]


@pytest.mark.large
def test_scores_without_a_judge_show_none_of_it() -> None:
    """Suites and submissions in which no judge decided anything have no corrected score."""
    for path in ("suites/match/index.html", "submissions/model-b.html"):
        assert not site()[path].all("table", id="judged")
        assert not site()[path].all("small", class_="cor")


def test_a_judge_that_is_not_validated_corrects_nothing() -> None:
    """There are limits without a score, and the words say why."""
    index = index_board(judged_board(validated=False))
    score = index.judged_score("model-a", "tools")
    assert score is not None

    assert (score.value, score.bounds) == ("", "50.0–95.0")
    assert "50.0–95.0 from no judged answer passing to all" in score.said
    assert "not validated here" in score.said


def key(board: Board) -> str:
    """What the key below the ranking of the judged suite says of corrected scores."""
    page = parse(file_of(board, "suites/tools/index.html"))
    [said] = [e.text for e in page.all("p") if e.text.startswith("Corrected")]
    return said


@pytest.mark.large
def test_the_key_says_why_there_is_no_corrected_score() -> None:
    """A scale is never corrected: nothing is said of a judge that is validated, or of limits."""
    given = judged_board()
    scale = {"good": 1.0, "partly": 0.5, "bad": 0.0}
    suites = [
        replace(suite, kind=replace(suite.kind, grades=scale, own_grades=True))
        if suite.id == "tools"
        else suite
        for suite in given.suites
    ]
    none = {name: pl.lit(None, pl.Float64) for name in ("corrected", "low", "high")}
    bare = site_board.changed(given, corrected=given.results.corrected.with_columns(**none))

    assert "—" not in key(given)
    assert "because the judge is not validated here" in key(judged_board(validated=False))
    assert "because verdicts are unscored." in key(bare)
    assert "because the labels are a scale" in key(replace(bare, suites=tuple(suites)))
    assert "not validated" not in key(replace(bare, suites=tuple(suites)))


def test_a_judge_without_labels_is_said_to_be_unknown() -> None:
    """Without labelled pairs there is no agreement to show."""
    board = judged_board(validated=False)
    empty = board.results.corrected.with_columns(labelled=0)
    index = index_board(site_board.changed(board, corrected=empty))

    quality = index.quality("tools")
    assert quality is not None
    assert quality.said.startswith("No answers are labelled here")


@pytest.mark.large
def test_compare_pages_count_the_cases_that_a_judge_decided() -> None:
    """The page of a pair and the data of the free comparison agree on what a judge decided."""
    board = judged_board()
    index = index_board(board)
    suite = next(suite for suite in board.suites if suite.id == "tools")
    found = board.comparisons["tools"].compare("model-a", "model-b").whole
    paths = [p for p in site() if p.startswith("compare/tools/") and "model-a" in p]

    assert paths
    for path in paths:
        assert "with different scores." in site()[path].text
    page = next(site()[p] for p in paths if "model-b" in p)
    assert f"A judge decided {found.judged} of the " in page.text
    assert "no judge." in page.text

    content = rendered()["data/compare/tools/model-a.js"].decode()
    bits = content.split('"judged":"')[1].split('"')[0]
    for place, case in enumerate(suite.cases):
        mine = [a for a in index.answered("tools", case.id) if a.submission.id == "model-a"]
        by_judge = any(answer.decided_by == "judge" for answer in mine)
        assert int(bits[place // 4], 16) >> place % 4 & 1 == by_judge


def test_the_decision_is_shown_next_to_the_judge() -> None:
    """By suite and category, from AGREEMENT."""
    rows = decisions(index_board(judged_board()))
    page = parse(file_of(judged_board(), "judges/index.html"))
    text = [" ".join(e.text.split()) for e in page.all("tr")]

    assert [(row.level, row.decision.pairs) for row in rows] == [
        ("all", 77),
        ("suite", 77),
        ("cat", 77),
    ]
    assert all(row.alone is not None for row in rows)
    assert sum("91.280.0–96.0" in row for row in text) == 3


def test_figures_of_a_category_name_no_other_categories() -> None:
    """Only the figures of a whole suite have another base for the judge than for the decision."""
    quality = index_board(judged_board()).quality("tools", "clarifying")

    assert quality is not None
    assert "on 4 labelled pairs: agreement" in quality.said
    assert "categories" not in quality.said


@pytest.mark.large
def test_pairs_on_which_the_judge_is_unsure_are_shown_beside_the_decision() -> None:
    """Its share leaves them out, so the number of pairs alone cannot explain it."""
    board = judged_board()
    agreement = board.results.agreement.with_columns(unsure=2)
    page = render(site_board.changed(board, agreement=agreement))["judges/index.html"]
    (table,) = parse(page).all("table", id="decisions")

    assert "2 unsure" in table.text


def test_quality_of_a_submission_is_where_a_judge_decided_its_verdicts() -> None:
    """Another submission of the same suite has no rows."""
    index = index_board(judged_board())
    suite = next(suite for suite in index.board.suites if suite.id == "tools")
    by_id = {submission.id: submission for submission in index.submissions}

    assert len(qualities(index, suite)) == 2
    assert len(qualities(index, suite, submission=by_id["model-a"])) == 2
    assert not qualities(index, suite, submission=by_id["model-b"])


# ---------------------------------------------------------------- rows without a rank


def rows_of(index: BoardIndex) -> tuple[list[str], list[str]]:
    """The labels of the ranked rows, and of those without a rank."""
    suite = next(suite for suite in index.board.suites if suite.id == "match")
    table = ranking(index, suite)
    return [row.name.label for row in table.rows], [row.name.label for row in table.unranked]


@pytest.mark.large
@pytest.mark.parametrize("status", sorted(NOT_RANKED))
def test_rows_without_a_rank_are_apart_and_say_why(status: str) -> None:
    """No rank, no badge with a score, no best score; the reason stands below the name."""
    board = with_status(status)
    index = index_board(board)
    ranked, unranked = rows_of(index)
    assert any(label.startswith("Model A") for label in unranked)
    assert not any(label.startswith("Model A") for label in ranked)

    files = render(board)
    site = pages(files)
    for path in ("suites/match/index.html", "submissions/model-a.html"):
        assert any(e.text == NOT_RANKED[status] for e in site[path].all("span", class_="rem"))
    assert NOT_RANKED[status] in files["badges/model-a.svg"].decode()
    assert "rank 1" not in files["badges/model-a.svg"].decode()
    suites = pl.read_parquet(files["data/suites.parquet"])
    assert suites.filter(suite="match")["best_of"].item() != "model-a"
    overall = pl.read_parquet(files["data/all.parquet"])
    assert overall.filter(submission="model-a")["place"].item() is None


@pytest.mark.large
def test_the_interval_of_unscored_verdicts_is_explained_once() -> None:
    """One sentence where rows with unscored verdicts are listed."""
    page = parse(small_site()["suites/tools/index.html"])

    assert page.text.count("from the worst case, in which all of them fail") == 1
