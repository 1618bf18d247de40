"""Which pairs have a page, and which comparison is behind a rank."""

from __future__ import annotations

from pathlib import Path

import pytest

from site_templates.board_index import index_board
from site_templates.parts.pairs.pair_pages import rank_comparisons
from tests.site_templates import site_crowd
from tests.site_templates.rendered import files_of
from tests.site_templates.site_html import parse


def test_rows_with_a_rank_are_compared_with_each_other(in_part: Path) -> None:
    """A row that was asked a part is in no test, so it is no neighbour."""
    found = sorted(path.name for path in (in_part / "compare/quiz").iterdir())

    assert found == ["m0--m2.html", "m2--m4.html"]


def test_every_rank_links_to_its_test(in_part: Path) -> None:
    """The row above may be one without a rank."""
    links = [
        link.attributes["href"]
        for link in parse((in_part / "index.html").read_bytes()).all("a")
        if "--" in link.attributes.get("href", "")
    ]

    assert links == [
        "compare/quiz/m0--m2.html",
        "compare/quiz/m0--m2.html",
        "compare/quiz/m2--m4.html",
    ]


def test_the_form_opens_on_a_pair_that_can_be_compared(in_part: Path) -> None:
    """The two first rows by score may be one that was asked a part, and another."""
    (form,) = parse((in_part / "compare/index.html").read_bytes()).all("form", id="pick")

    assert (form.attributes["data-a"], form.attributes["data-b"]) == ("m0", "m2")


def test_a_rank_in_a_category_leads_to_a_neighbour_in_that_category() -> None:
    """To the page of the pair, or else to the form that compares any two."""
    index = index_board(site_crowd.crowd(6))
    suite = index.board.suites[0]
    order = [submission.id for submission in index.takers(suite.id, "multiple")]
    form = "compare/index.html?a={}&b={}&suite=bench#s-where"

    assert order == ["s0001", "s0003", "s0000", "s0002", "s0005", "s0004"]
    assert rank_comparisons(index, suite, "multiple") == {
        "s0001": form.format("s0001", "s0003"),
        "s0003": form.format("s0001", "s0003"),
        "s0000": "compare/bench/s0003--s0000.html#s-where",
        "s0002": form.format("s0000", "s0002"),
        "s0005": "compare/bench/s0005--s0002.html#s-where",
        "s0004": form.format("s0005", "s0004"),
    }


@pytest.mark.large
def test_a_rank_opens_the_same_comparison_on_every_page() -> None:
    """The rankings of the suite and of the category agree with the page of the submission."""
    ranking, category = "suites/bench/index.html", "suites/bench/multiple.html"
    submission = "submissions/s0000.html"
    found = files_of(site_crowd.crowd(6), ranking, category, submission)
    text = {place: content.decode() for place, content in found.items()}
    pair = "compare/bench/s0003--s0000.html"

    assert f'class="rk"><a class="q" href="../../{pair}">2</a>' in text[ranking]
    assert f'class="rk"><a class="q" href="../../{pair}#s-where">3</a>' in text[category]
    assert f'data-l="rank"><a class="q" href="../{pair}">2</a>' in text[submission]
    assert f'data-l="rank"><a class="q" href="../{pair}#s-where">3</a>' in text[submission]
