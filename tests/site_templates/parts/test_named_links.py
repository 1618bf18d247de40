"""Links by the names that tables and breadcrumbs show."""

from __future__ import annotations

import dataclasses

from site_templates.board_index import index_board
from site_templates.parts.named_links import category_crumb
from tests.site_templates import site_board


def test_a_category_with_the_name_of_its_suite_is_called_a_category_in_breadcrumbs() -> None:
    """The same name twice in a row would look like an error."""
    index = index_board(site_board.board())
    suite = index.board.suites[0]
    category = suite.categories[0]
    crumb = category_crumb(index, suite, category)
    namesake = dataclasses.replace(suite, title=crumb.label.upper())

    assert category_crumb(index, namesake, category).label == f"category {crumb.label}"
    assert category_crumb(index, namesake, category).path == crumb.path
