"""The page of a suite: the table of its categories."""

from __future__ import annotations

import dataclasses

from leaderboard.types import Suite
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of
from tests.site_templates.site_html import parse


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
