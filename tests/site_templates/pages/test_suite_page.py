"""The page of a suite: the table of its categories."""

from __future__ import annotations

import dataclasses

import polars as pl
import pytest

from leaderboard.types import Suite
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of
from tests.site_templates.site_html import parse


@pytest.mark.large
def test_the_table_of_categories_has_tasks_only_if_there_are_any() -> None:
    """Short titles are links, so without descriptions nothing is left for the column."""
    suite = site_board.match_suite()
    categories = [dataclasses.replace(category, description="") for category in suite.categories]
    bare = dataclasses.replace(suite, categories=tuple(categories))

    assert columns(suite) == ["Task", "Decided by", "Cases", "Share"]
    assert columns(bare) == ["Decided by", "Cases", "Share"]


def columns(suite: Suite) -> list[str]:
    """The columns of the table of categories, between the names and the differences."""
    page = parse(file_of(site_board.board(suites=[suite]), f"suites/{suite.id}/index.html"))
    names = [head.text for head in page.all("th", scope="col")]
    return names[names.index("Category") + 1 : names.index("Detectable difference")]


def test_the_list_of_suites_names_everybody_with_the_best_score() -> None:
    """Three are named, and the others are counted. Those with a lower score are not."""
    given = site_board.board(suites=[site_board.match_suite()])
    best = next(one for one in given.submissions if one.id == "model-a")
    scores, ranks, submissions = [given.results.scores], [given.results.ranks], [*given.submissions]
    for id_ in ("twin-1", "twin-2", "twin-3", "twin-4"):
        card = dataclasses.replace(best.card, name=id_)
        submissions.append(dataclasses.replace(best, id=id_, card=card))
        for rows in (scores, ranks):
            rows.append(rows[0].filter(submission="model-a").with_columns(submission=pl.lit(id_)))
    board = site_board.changed(
        given, submissions=tuple(submissions), scores=pl.concat(scores), ranks=pl.concat(ranks)
    )
    page = parse(file_of(board, "suites/index.html"))
    [cell] = page.all("td", **{"data-l": "best score, %"})

    assert cell.text.split()[1:] == ["Model", "A", "twin-1", "twin-2", "and", "2", "more"]
