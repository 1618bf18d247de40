"""Links by the names that tables and breadcrumbs show."""

from __future__ import annotations

import dataclasses

import pytest

from site_templates.board_index import index_board
from site_templates.parts.named_links import to_category
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of, small_pages
from tests.site_templates.site_html import parse


def test_a_category_with_the_name_of_its_suite_is_called_a_category() -> None:
    """Two links with the same words would seem to lead to the same page."""
    index = index_board(site_board.board())
    suite = index.board.suites[0]
    category = suite.categories[0]
    link = to_category(index, suite, category)
    namesake = dataclasses.replace(suite, title=link.label.upper())

    assert to_category(index, namesake, category).label == f"category {link.label}"
    assert to_category(index, namesake, category).path == link.path


@pytest.mark.large
def test_pages_of_a_suite_and_its_only_category_of_the_same_name_can_be_told_apart() -> None:
    """Their titles, headings and breadcrumbs differ."""
    suite = site_board.match_suite()
    only = dataclasses.replace(suite.categories[0], title=suite.title)
    suite = dataclasses.replace(suite, categories=(only,))
    page = file_of(site_board.board(suites=[suite]), "suites/match/parallel_function.html")
    category = parse(page)

    assert category.all("h1")[0].text == "Category Match, synthetic"
    assert category.all("title")[0].text.startswith("Category Match, synthetic, Match, synthetic:")
    crumbs = ["Board", "Suites", "Match, synthetic", "category Match, synthetic"]
    assert [item.text for item in category.all("li")][:4] == crumbs


def test_breadcrumbs_of_pages_in_a_suite_begin_alike() -> None:
    """The list of suites is above the suite, its categories, their maps and their cases."""
    places = ("suites/match/index", "suites/match/relevance", "maps/match/relevance")
    found = [small_pages()[f"{place}.html"] for place in (*places, "cases/match/relevance_0")]
    crumbs = [[item.text for item in page.all("li")][:3] for page in found]

    assert crumbs == [["Board", "Suites", "Match, synthetic"]] * 4
