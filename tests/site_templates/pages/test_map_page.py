"""The map of a category: cases by submissions, each cell with a link to the answer."""

from __future__ import annotations

import gzip
from itertools import takewhile
from pathlib import Path

import pytest

from site_templates import builder
from site_templates.board_index import index_board
from site_templates.pages.map_page import MapPage, map_pages
from tests.site_templates import site_board, site_crowd
from tests.site_templates.rendered import baselines_site, small_site
from tests.site_templates.site_html import parse, target


def maps(suite: str, category: str) -> list[MapPage]:
    index = index_board(site_board.board())
    given = next(one for one in index.board.suites if one.id == suite)
    return list(map_pages(index, given, given.category(category)))


@pytest.mark.large
def test_every_answer_has_a_cell_that_leads_to_it() -> None:
    """Cases are rows, hardest first. The sign is the verdict, and the link its anchor."""
    files = small_site()
    (model,) = maps("match", "parallel_function")
    page = parse(files["maps/match/parallel_function.html"])
    passed = [int(row.passed.split(" ")[0]) for row in model.rows]
    cells = [cell for row in model.rows for cell in row.cells]

    assert [link.label for link in model.columns] == ["Model A", "Model B"]
    assert len(model.rows) == 60
    assert passed == sorted(passed)
    assert sum(cell.tone == "p" for cell in cells) == sum(passed)
    assert {(cell.sign, cell.tone) for cell in cells} <= {("✓", "p"), ("✕", "f"), ("?", "u")}
    for link in page.links():
        found = target("maps/match/parallel_function.html", link)
        if found is not None and found[1]:
            assert found[1] in {"main", *parse(files[found[0]]).ids}
    linked = {target("maps/match/parallel_function.html", link) for link in page.links()}
    assert ("cases/match/parallel_function_0.html", "by-model-a") in linked


def test_a_map_has_the_order_of_the_categorys_page(in_part: Path) -> None:
    """Rows with a rank are first. Cases are ordered by the share of those asked that pass."""
    page = parse((in_part / "maps/quiz/easy.html").read_bytes())
    heads = [" ".join(head.text.split()) for head in page.all("th")]
    columns, cases = heads[2:7], heads[7:]

    assert columns == ["m0", "m2", "m4", "m1", "m3"]
    assert cases[:4] == ["easy-9", "easy-8", "easy-0", "easy-1"]


def test_trials_that_differ_are_counted() -> None:
    """The trials of one submission share a cell, with how many of them pass."""
    cells = {
        (row.link.label, column.label): cell
        for page in maps("acting", "desk")
        for row in page.rows
        for column, cell in zip(page.columns, row.cells, strict=True)
    }
    index = index_board(site_board.board())
    answers = index.answered("acting", "desk_1")
    mine = [a.outcome for a in answers if a.submission.id == "model-a"]

    assert sorted(mine) == ["fail", "pass", "pass"]
    assert (cells["desk_1", "Model A"].sign, cells["desk_1", "Model A"].tone) == ("2/3", "m")


def test_baselines_fill_the_map_of_a_board_without_models() -> None:
    """They are the only ones there."""
    assert b"Each column is a baseline" in baselines_site()["maps/match/parallel_function.html"]


@pytest.mark.large
def test_a_map_of_a_thousand_cases_has_pages_within_the_budget() -> None:
    """Sixty submissions and 1,000 cases: ten pages, 50 columns, and every page is small."""
    board = site_crowd.crowd(60, {"simple": 1000})
    files = takewhile(lambda file: not file[0].startswith("cases/"), builder.site_files(board))
    sizes = {
        path: len(gzip.compress(content, 6))
        for path, content in files
        if path.startswith("maps/bench/")
    }

    assert len(sizes) == 10
    assert max(sizes.values()) < 60_000
    bench = board.suites[0]
    first = next(map_pages(index_board(board), bench, bench.category("simple")))
    assert (len(first.columns), first.left_out, len(first.rows)) == (50, 4, 100)
