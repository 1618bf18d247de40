"""Which pairs have a page on a board where rows with a rank alternate with others."""

from __future__ import annotations

from pathlib import Path

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
