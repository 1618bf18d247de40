"""The page of a category on a board with rows that were asked only a part of the suite."""

from __future__ import annotations

from pathlib import Path

from tests.site_templates.rendered import small_pages
from tests.site_templates.site_html import Html, parse


def page(site: Path, name: str = "easy") -> Html:
    return parse((site / f"suites/quiz/{name}.html").read_bytes())


def rows(found: Html) -> list[str]:
    return [" ".join(row.text.split()) for row in found.all("tr")]


def test_rows_without_a_rank_are_below_those_with_one(in_part: Path) -> None:
    """A full score on three chosen cases is not above rank 1, and the page says why."""
    found = page(in_part)
    cells = [cell.text.split()[0] for cell in found.all("th", class_="nm")]
    names = [name.removesuffix("Org") for name in cells]
    (unranked,) = (row for row in rows(found) if row.startswith("— m1"))

    assert names == ["Submission", "m0", "m2", "m4", "m1", "m3"]
    assert "Not ranked each row says why" in rows(found)
    assert "not ranked: only a part of the suite was asked" in unranked


def test_cases_are_ordered_by_the_share_of_those_asked(in_part: Path) -> None:
    """A case that 3 of 3 pass is easier than one that 4 of 5 pass."""
    cases = [row for row in rows(page(in_part)) if row.startswith("easy-")]
    expected = (("easy-9", "1 of 3"), ("easy-8", "2 of 3"), ("easy-0", "4 of 5"))

    for row, (name, passed) in zip(cases, expected, strict=False):
        assert row.startswith(name)
        assert passed in row


def test_levels_of_difficulty_are_shares_where_not_all_are_asked(in_part: Path) -> None:
    """A case that everybody asked passes is passed by all. Each level leads to its cases."""
    found = page(in_part)
    anchors = {row.attributes["id"] for row in found.all("tr") if "id" in row.attributes}
    levels = {a.text: a.attributes["href"] for a in found.all("a") if a.text.startswith("by ")}
    narrow = "\u202f"

    assert "The rows show the share of those asked that passed it." in found.text
    assert levels == {
        "by all": "#by-100",
        f"by 67–82{narrow}%": "#by-80",
        f"by 51–66{narrow}%": "#by-66",
        f"by 17–33{narrow}%": "#by-33",
    }
    assert {"by-100", "by-80", "by-66", "by-33"} <= anchors


def test_only_responses_are_counted_as_responses(in_part: Path) -> None:
    """3 rows with 10 cases and 2 rows with 3 cases. Two cases have no record."""
    found = page(in_part, "hard")
    facts = zip(found.all("dt"), found.all("dd"), strict=False)

    assert [number.text for name, number in facts if name.text == "Responses"] == ["34"]


def test_what_decides_is_one_phrase() -> None:
    """The rule, then the judges, or that there are none."""
    ruled = small_pages()["suites/match/relevance.html"]
    judged = small_pages()["suites/tools/clarifying.html"]

    assert "rule call_match (version 3), no judge" in ruled.text
    assert "rule tool_selection (version 3) first, then embedded-1" in judged.text
