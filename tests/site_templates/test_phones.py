"""The pages on a phone: nothing overlaps, and rankings can be sorted, narrowed and widened."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from site_templates.builder import build
from tests.site_templates import site_board, site_crowd, site_history
from tests.site_templates.site_browser import open_page

pytestmark = pytest.mark.browser

# Pairs of texts in the cells of one row that cover each other by more than a pixel.
OVERLAPS = """() => {
  const lines = cell => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode, range = document.createRange();
      if (!node.data.trim() || node.parentElement.closest("svg, .vh")) continue;
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(box => box.width > 1);
      found.push(...boxes.map(box => ({ cell, box, text: node.data.trim() })));
    }
    return found;
  };
  const meet = ({ box: a }, { box: b }) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  return [...document.querySelectorAll(".flow tbody tr")].flatMap(row => {
    const all = [...row.cells].flatMap(lines);
    const others = (one, n) => all.slice(n + 1).filter(it => it.cell !== one.cell && meet(one, it));
    return all.flatMap((one, n) => others(one, n).map(it => `${one.text} | ${it.text}`));
  });
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board whose ranks are ranges of two and three digits."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build(site_crowd.crowd(120), folder)
    return folder


@pytest.mark.parametrize("width", [320, 360, 390, 430, 700])
def test_b4_no_rank_or_number_lies_on_another_text(
    browser: Browser, site: Path, width: int
) -> None:
    """In the cards of a ranking every text has its own place, also with all columns."""
    page = open_page(browser, width)
    for path in ("index.html", "suites/bench/index.html", "suites/bench/parallel.html"):
        page.goto((site / path).as_uri())
        page.evaluate(
            "document.querySelectorAll('[data-slot]').forEach(box => { box.checked = true; })"
        )
        assert page.locator(".flow tbody tr").count() > 50
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


def test_b12_a_ranking_can_be_sorted_on_a_phone(browser: Browser, site: Path) -> None:
    """A list of columns takes the place of the heads. The address keeps the choice."""
    page = open_page(browser, 360)
    page.goto((site / "index.html").as_uri())
    page.get_by_label("Sort by").select_option("-cat.parallel")
    cells = page.locator("#board tbody.rows >> nth=0").locator("[data-l=Parallel]")
    shown = [float(text) for text in cells.all_text_contents() if text[0].isdigit()]

    assert "sort=-cat.parallel" in page.url
    assert len(shown) >= 50
    assert shown == sorted(shown, reverse=True)
    page.context.close()


def test_b12_columns_can_be_chosen_on_a_phone(browser: Browser, site: Path) -> None:
    """Phones show the columns that wide pages show, and the chooser works without a script."""
    page = open_page(browser, 360, script=False)
    page.goto((site / "index.html").as_uri())
    cell = page.locator("#board tbody td.c-latency").first
    assert cell.is_visible()
    page.get_by_text("Columns", exact=True).click()
    page.get_by_label("latency").uncheck()
    assert not cell.is_visible()
    page.context.close()


def test_b15_a_search_without_a_result_says_so(browser: Browser, site: Path) -> None:
    """An empty table alone could be an error of the page."""
    page = open_page(browser, 1280)
    page.goto((site / "index.html").as_uri())
    page.get_by_label("Find a submission").fill("nobody has this name")
    expect(page.locator("#shown")).to_contain_text("No row matches")
    page.context.close()


def test_b11_hidden_words_do_not_make_a_table_fade(browser: Browser, site: Path) -> None:
    """A table that fits its box does not scroll, not even by the pixel of a hidden heading."""
    page = open_page(browser, 1280)
    page.goto((site / "suites/bench/parallel.html").as_uri())
    boxes = page.locator(".box", has=page.locator(".cases"))
    assert boxes.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    page.context.close()


# Words of links that are broken onto two lines.
BROKEN_WORDS = """selector => [...document.querySelectorAll(selector)].flatMap(link => {
  const node = link.firstChild, range = document.createRange();
  return [...node.data.matchAll(/\\S+/g)].filter(word => {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(box => box.top)).size > 1;
  }).map(word => word[0]);
})"""


@pytest.mark.parametrize("width", [360, 390])
def test_suites_beside_mistakes_keep_their_words_whole(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    """The column of suites has room, and the table still fits."""
    build(site_board.board(), tmp_path / "site")
    page = open_page(browser, width)
    page.goto((tmp_path / "site" / "submissions" / "model-a.html").as_uri())

    assert page.locator(".kinds td:first-child a").count() == 3
    assert page.evaluate(BROKEN_WORDS, ".kinds td:first-child a") == []
    assert page.locator(".box:has(.kinds)").evaluate("it => it.scrollWidth <= it.clientWidth")
    page.context.close()


@pytest.mark.parametrize("width", [320, 390, 720])
@pytest.mark.parametrize("path", ["index.html", "all/index.html"])
def test_panels_of_the_controls_stay_on_the_screen(
    browser: Browser, site: Path, path: str, width: int
) -> None:
    """Own weights and columns open below their fold, as wide as the controls."""
    page = open_page(browser, width)
    page.goto((site / path).as_uri())
    controls = page.locator("#controls").bounding_box()
    assert controls is not None
    for name in ("Your weights", "Columns"):
        page.get_by_text(name, exact=True).click()
        panel = page.locator(".drop[open] > div").bounding_box()
        assert panel is not None
        assert (panel["x"], panel["width"]) == (controls["x"], controls["width"]), name
        page.get_by_text(name, exact=True).click()
    page.context.close()


def test_columns_are_not_indented_without_a_script(browser: Browser, site: Path) -> None:
    """The empty place of the script's sentence takes no room before the fold."""
    page = open_page(browser, 390, script=False)
    page.goto((site / "index.html").as_uri())
    places = [page.locator(css).bounding_box() for css in ("#controls", ".drop:not([hidden])")]
    page.context.close()

    assert [place["x"] for place in places if place] == [16, 16]


def test_categories_of_a_submission_keep_their_numbers(browser: Browser, tmp_path: Path) -> None:
    """Rank, cases and judged share are in the cards of categories too. One mistake is no plural."""
    build(site_board.board(), tmp_path / "site")
    page = open_page(browser, 390)
    page.goto((tmp_path / "site" / "submissions" / "model-a.html").as_uri())
    cells = page.locator(".card-t tr.cat").first.locator("td.n")
    labels = [cell.get_attribute("data-l") for cell in cells.all() if cell.is_visible()]
    page.goto((tmp_path / "site" / "suites" / "tools" / "tool_selection.html").as_uri())
    label = "cell => [cell.textContent, getComputedStyle(cell, '::after').content]"
    mistakes = [cell.evaluate(label) for cell in page.locator("td.mis").all()]
    page.context.close()

    assert labels == ["rank", "cases", "judged", "rules only"]
    assert ["1", '" " attr(data-l)'] in mistakes or ["1", '" mistake"'] in mistakes
    assert all("mistakes" in content for number, content in mistakes if number != "1")


def test_documents_begin_with_a_fold_on_phones_only(browser: Browser, tmp_path: Path) -> None:
    """Links to all documents are one press away on a phone, and open on wide pages."""
    build(site_board.board(), tmp_path / "site")
    seen = []
    for width in (390, 1280):
        page = open_page(browser, width, script=False)
        page.goto((tmp_path / "site" / "docs" / "submitting.html").as_uri())
        link = page.locator(".docs a").first
        closed = link.evaluate("link => link.checkVisibility({contentVisibilityAuto: true})")
        fold = page.locator(".docs > summary")
        seen.append((closed, fold.is_visible()))
        if fold.is_visible():
            fold.click()
            assert link.is_visible()
        page.context.close()

    assert seen == [(False, True), (True, False)]


def test_a_diff_of_calls_keeps_the_name_of_the_call(browser: Browser, tmp_path: Path) -> None:
    """Several calls in a row run together without it. The other heads are words beside values."""
    build(site_board.board(), tmp_path / "site")
    page = open_page(browser, 390)
    page.goto((tmp_path / "site" / "cases" / "tools" / "A002.html").as_uri())
    head = page.locator(".diff thead th.arg").first
    place = head.bounding_box()

    assert head.text_content()
    assert place is not None
    assert place["height"] > 10
    assert head.evaluate("it => getComputedStyle(it).clipPath") == "none"
    assert (
        head.evaluate("it => getComputedStyle(it.parentElement.parentElement).clipPath") == "none"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()


def test_names_of_lines_are_large_enough_to_touch(browser: Browser, tmp_path: Path) -> None:
    """The list below a chart of the history has the names that have no room beside the lines."""
    build(site_history.board(), tmp_path / "site")
    page = open_page(browser, 390)
    page.goto((tmp_path / "site" / "history" / "index.html").as_uri())
    names = page.locator(".lines a").all()
    heights = [box["height"] for name in names if (box := name.bounding_box())]
    page.context.close()

    assert heights
    assert min(heights) >= 24


def test_labels_of_stacked_tables_are_above_their_values(browser: Browser, tmp_path: Path) -> None:
    """Beside them, the interval of a number would be below its label."""
    build(site_board.board(), tmp_path / "site")
    page = open_page(browser, 390)
    page.goto((tmp_path / "site" / "judges" / "index.html").as_uri())
    shown = "cells => cells.map(cell => getComputedStyle(cell, '::before').display)"
    displays = page.locator(".list td[data-l]").evaluate_all(shown)
    page.context.close()

    assert len(displays) > 5
    assert set(displays) == {"block"}
