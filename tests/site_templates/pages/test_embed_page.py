"""The table to embed: the numbers of the first page, without script, safe in another page."""

from __future__ import annotations

import dataclasses

import polars as pl
import pytest

from site_templates.links import EMBED_PATH
from site_templates.pages.index_page import frame_code
from tests.site_templates import site_board
from tests.site_templates.rendered import baselines_site, file_of, files_of, small_site
from tests.site_templates.site_html import parse, target

BASE = "https://example.org/board/"


def test_rows_are_those_of_the_first_page() -> None:
    """Every submission to the ranked suite, in order, with its score and interval."""
    page, first = parse(small_site()[EMBED_PATH]), parse(small_site()["index.html"])
    named = [link for link in page.all("a") if "submissions/" in link.attributes["href"]]
    shown = [link.attributes["href"].removeprefix("../") for link in named]
    ranked = [
        link.attributes["href"]
        for link in first.all("a")
        if link.attributes.get("href", "").startswith("submissions/")
    ]
    cells = [cell.text for cell in page.all("td")]

    assert len(shown) >= 3
    assert shown == [path for path in dict.fromkeys(ranked) if path in shown]
    assert ["1–2", "68.3", "56.0–78.4"] == cells[:3]
    assert len(cells) == 3 * len(shown)


def test_baselines_fill_the_table_of_a_board_without_models() -> None:
    """A table without rows would say nothing."""
    page = parse(baselines_site()[EMBED_PATH])
    assert page.all("td")
    assert {"baseline"} == {small.text for small in page.all("small")}


def test_a_board_without_submissions_says_so() -> None:
    """A table head alone would look like an error."""
    board = site_board.changed(site_board.board(), submissions=())
    page = parse(file_of(board, EMBED_PATH))

    assert [cell.text for cell in page.all("td")] == ["No models yet."]


def test_notes_are_separated() -> None:
    """A row can have two: why it has no rank, and how many cases it answered."""
    board = site_board.partial()
    here = (pl.col("submission") == "model-b") & (pl.col("suite") == "match")
    status = pl.when(here).then(pl.lit("partial")).otherwise("status").alias("status")
    ranks = board.results.ranks.with_columns(status)
    page = parse(file_of(site_board.changed(board, ranks=ranks), EMBED_PATH))
    names = [" ".join(cell.text.split()) for cell in page.all("th", scope="row")]

    assert any(name.endswith("was asked, 53 of 63 answered") for name in names), names


def test_it_is_safe_in_another_page() -> None:
    """The policy of every page, nothing inline, no script, and links that leave the frame."""
    page = parse(small_site()[EMBED_PATH])
    (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    (same,) = parse(small_site()["index.html"]).all(
        "meta", **{"http-equiv": "Content-Security-Policy"}
    )

    assert small_site()[EMBED_PATH].startswith(b"<!doctype html>")
    assert page.faults == []
    assert policy.attributes == same.attributes
    assert page.all("script") + page.all("style") == []
    assert not any("style" in e.attributes for e in page.elements)
    for link in page.all("a"):
        assert link.attributes["target"] == "_blank"
        assert link.attributes["rel"] == "noopener"
    for address in page.links():
        found = target(EMBED_PATH, address)
        assert found is not None
        assert found[0] in small_site(), address


@pytest.mark.large
def test_hostile_names_are_escaped() -> None:
    """A name of markup is text."""
    board = site_board.board()
    submissions = tuple(
        dataclasses.replace(s, card=dataclasses.replace(s.card, name=site_board.HOSTILE))
        for s in board.submissions
    )
    made = dataclasses.replace(board, submissions=submissions, title=site_board.HOSTILE)
    page = parse(file_of(made, EMBED_PATH))

    assert page.all("script") + page.all("img") == []
    assert page.faults == []


@pytest.mark.large
def test_the_first_page_has_the_code() -> None:
    """Only a site that knows its address can say it."""
    site = files_of(site_board.board(), "index.html", base_url=BASE)
    code = f'<iframe src="{BASE}{EMBED_PATH}" title="Ranking"'

    assert any(e.text.startswith(code) for e in parse(site["index.html"]).all("pre"))
    assert "<iframe" not in parse(small_site()["index.html"]).text
    assert frame_code(None) is None
