"""Badges: pictures that are safe for every name."""

from __future__ import annotations

import dataclasses
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from leaderboard.site_look import ACCENT, SiteLook
from site_templates.board_index import index_board
from site_templates.figures.badge import badge, embed
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of, render, small_site

SVG = "{http://www.w3.org/2000/svg}"
BASE = "https://example.org/board/"


@cache
def rendered() -> dict[str, bytes]:
    return small_site()


def texts(path: str) -> list[str]:
    return [str(e.text) for e in ET.fromstring(rendered()[path]).iter(f"{SVG}text")]


@pytest.mark.large
def test_a_badge_says_board_suite_score_and_rank() -> None:
    """The ranked suite's score with its interval, and the range of ranks."""
    assert texts("badges/model-a.svg") == [
        "Toolboard · Match, synthetic",
        "68.3\u202f% (56.0–78.4) · rank 1–2",
    ]
    assert texts("badges/oracle.svg")[1].endswith("baseline")


@pytest.mark.large
def test_a_submission_without_the_ranked_suite_shows_its_first_suite() -> None:
    """The badge has the numbers of cases without an answer and of unscored verdicts."""
    label, message = texts("badges/model-c.svg")

    assert label == "Toolboard · Tools, synthetic"
    assert message == "0.0\u202f% (0.0–49.0), 5 of 6 answered, 2 unscored · rank 1–3"


def test_badges_hold_no_script_and_no_link() -> None:
    """The only address is the namespace of SVG, and the name is text in the title."""
    for path, content in rendered().items():
        if path.startswith("badges/") and path.endswith(".svg"):
            root = ET.fromstring(content)
            assert {e.tag.removeprefix(SVG) for e in root.iter()} == {
                "svg",
                "title",
                "rect",
                "g",
                "text",
            }, path
            assert content.count(b"http") == 1, path
    title = ET.fromstring(rendered()["badges/model-c.svg"]).findtext(f"{SVG}title") or ""
    assert title.startswith("Model C <script>alert(1)")
    assert "\u202e" not in title


@pytest.mark.large
def test_characters_that_xml_forbids_are_replaced() -> None:
    """Control characters and noncharacters in titles do not break the picture."""
    given = site_board.board()
    suites = tuple(dataclasses.replace(s, title=f"T\ufffe\x00{s.id}") for s in given.suites)
    files = render(dataclasses.replace(given, suites=suites, title="B\uffff"))

    for path, content in files.items():
        if path.startswith("badges/") and path.endswith(".svg"):
            assert ET.fromstring(content).tag.endswith("svg")


@pytest.mark.large
def test_badges_have_the_colour_of_the_board() -> None:
    """It is known to be dark enough for white text."""
    own = dataclasses.replace(site_board.board(), look=SiteLook(accent="#7a2e8e"))
    badge_file = file_of(own, "badges/oracle.svg")

    assert (b"#7a2e8e" in badge_file, ACCENT.encode() in badge_file) == (True, False)
    assert ACCENT.encode() in rendered()["badges/oracle.svg"]


def test_texts_fit_their_fields() -> None:
    """A field is wider than its text. East Asian letters count twice."""
    indexed = index_board(site_board.board())
    made = badge(indexed, indexed.submissions[0])
    wide = dataclasses.replace(indexed.board, title="工具排行榜工具排行榜")
    other = badge(dataclasses.replace(indexed, board=wide), indexed.submissions[0])

    assert made.left > made.label_width
    assert made.width == made.left + made.right
    assert other.left - made.left > 6 * (10 - len("Toolboard"))


def test_embed_code_needs_the_sites_address() -> None:
    """Markdown and HTML have full addresses; without the site's address there are none."""
    indexed = index_board(site_board.board())
    known, unknown = (
        embed(indexed, indexed.submissions[0], BASE),
        embed(indexed, indexed.submissions[0], None),
    )

    assert known.markdown == (
        f"[![Toolboard]({BASE}badges/keyword.svg)]({BASE}submissions/keyword.html)"
    )
    assert known.html is not None
    assert (unknown.markdown, unknown.html) == (None, None)
    assert unknown.svg == "badges/keyword.svg"
