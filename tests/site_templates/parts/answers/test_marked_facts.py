"""The facts of a case on its page, beside the answers."""

from __future__ import annotations

import dataclasses

from leaderboard.facts.fact_shapes import Fact, Facts
from leaderboard.facts.text_forms import parse_form
from leaderboard.types import FoundFact
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of
from tests.site_templates.site_html import parse


def test_facts_show_the_words_that_state_them() -> None:
    """Each fact is found, with the words and their mark in the answer, or missing."""
    suite = site_board.tool_suite()
    facts = Facts((Fact("day", "the day <b>", (parse_form("day"),)),))
    categories = tuple(
        dataclasses.replace(
            category,
            cases=tuple(
                dataclasses.replace(
                    c, ground_truth=dataclasses.replace(c.ground_truth, facts=facts)
                )
                for c in category.cases
            ),
        )
        for category in suite.categories
    )
    by_id = {case.id: case for category in categories for case in category.cases}
    suite = dataclasses.replace(suite, categories=categories, by_id=by_id)
    found = (FoundFact("the day <b>", (0, 4)), FoundFact("the place", None))
    given = dataclasses.replace(
        site_board.board(suites=[suite]), find_facts=lambda _case, text: found if text else ()
    )
    path = "cases/tools/C001.html"
    page = parse(file_of(given, path))
    words = " ".join(page.text.split())

    assert "Found: the day <b>" in words
    assert "Missing: the place" in words
    assert [mark.text for mark in page.all("mark")]
