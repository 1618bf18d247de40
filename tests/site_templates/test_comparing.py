"""From two rows of a ranking to their answers, case by case."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from site_templates.builder import build
from tests.site_templates import site_board, site_crowd
from tests.site_templates.site_browser import open_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    build(site_board.board(), folder)
    return folder


@pytest.mark.parametrize("width", [360, 1280])
def test_two_ticked_rows_lead_to_their_comparison(browser: Browser, site: Path, width: int) -> None:
    """One row asks for another, a third takes the place of the first. The address is shareable."""
    page = open_page(browser, width)
    page.goto((site / "suites/tools/index.html").as_uri())
    links = [f"a[href$='submissions/model-{letter}.html']" for letter in "abc"]
    rows = [page.locator("#board tr", has=page.locator(link)) for link in links]
    ticks = [row.locator(".tick input") for row in rows]
    ticks[2].check()
    assert "Tick one more row" in page.locator("#ticked").inner_text()
    ticks[0].check()
    assert "no longer ticked" not in page.locator("#ticked").inner_text()
    ticks[1].check()
    said = page.locator("#ticked").inner_text()
    assert re.fullmatch(r"Compare Model A and Model B\. Model C .* is no longer ticked\.", said)
    assert [True, True, False] == [tick.is_checked() for tick in ticks]
    page.get_by_role("link", name="Compare Model A and Model B").click()
    page.wait_for_selector("#pair:not([hidden])")

    assert page.url.endswith("compare/index.html?suite=tools&a=model-a&b=model-b")
    assert page.locator(".two-names").inner_text().split() == [
        "A",
        "Model",
        "A",
        "and",
        "B",
        "Model",
        "B",
    ]
    page.context.close()


def test_rows_of_further_pages_can_be_ticked(browser: Browser, tmp_path: Path) -> None:
    """Rows that the script makes have boxes of their own."""
    build(site_crowd.crowd(130), tmp_path / "site")
    page = open_page(browser, 1280)
    page.goto((tmp_path / "site" / "suites/bench/index.html").as_uri())
    page.locator("#board th.nm button").click()
    page.get_by_role("button", name="Show more rows").click()
    page.wait_for_function("document.querySelectorAll('#board .tick').length > 50")
    names = page.locator("#board tbody.rows tr").filter(has=page.locator(".tick"))
    for place in (0, 75):
        names.nth(place).locator(".tick input").check()
    a, b = (names.nth(place).locator("th a").inner_text() for place in (0, 75))
    assert page.locator("#ticked a").inner_text() == f"Compare {a} and {b}"
    page.context.close()


def test_a_rank_in_a_category_opens_the_form_at_its_categories(
    browser: Browser, tmp_path: Path
) -> None:
    """Neighbours in the category that have no page of their own are compared by the script."""
    build(site_crowd.crowd(6), tmp_path / "site")
    page = open_page(browser, 1280)
    page.goto((tmp_path / "site" / "suites/bench/multiple.html").as_uri())
    row = page.locator("tr", has=page.locator("a[href$='submissions/s0001.html']"))
    row.locator(".rk a").click()
    page.wait_for_selector("#pair:not([hidden])")
    named = page.locator("[data-h]").evaluate_all("links => links.map(a => a.href)")
    expect(page.locator("#s-where")).to_be_in_viewport()

    assert page.url.endswith("compare/index.html?a=s0001&b=s0003&suite=bench#s-where")
    assert [name.rsplit("/", 1)[-1] for name in named] == ["s0001.html", "s0003.html"]
    page.context.close()


def test_a_comparison_shows_the_answers_and_can_be_narrowed(browser: Browser, site: Path) -> None:
    """Each answer leads to its own place. Disagreements are first; one outcome may be alone."""
    page = open_page(browser, 1280)
    address = f"{(site / 'compare/index.html').as_uri()}?suite=tools&a=model-a&b=model-b"
    page.goto(address)
    page.wait_for_selector("#pair:not([hidden])")
    answers = page.locator("#cases td .val a")
    groups = page.locator("#cases tbody")
    assert groups.first.get_attribute("data-g") == "only-a"
    assert "set_alarm(" in " ".join(answers.all_inner_texts())
    assert "#by-model-" in str(answers.first.get_attribute("href"))

    page.goto(f"{address}#only-b")
    page.reload()
    page.wait_for_selector("#pair:not([hidden])")
    shown = [group.get_attribute("data-g") for group in groups.all() if group.is_visible()]
    assert shown == ["only-b"]
    page.context.close()


def test_the_page_of_a_pair_can_be_narrowed_without_a_script(browser: Browser, site: Path) -> None:
    """Its cells and a list of outcomes are links that show one outcome alone."""
    page = open_page(browser, 1280, script=False)
    page.goto((site / "compare/tools/model-a--model-b.html").as_uri())
    groups = page.locator("#cases tbody")
    assert sum(group.is_visible() for group in groups.all()) > 2
    page.get_by_role("link", name="only A right").click()
    assert [g.get_attribute("data-g") for g in groups.all() if g.is_visible()] == ["only-a"]
    page.get_by_role("link", name="all", exact=True).click()
    assert sum(group.is_visible() for group in groups.all()) > 2
    page.context.close()


def test_the_word_compare_is_on_the_line_of_the_notes(browser: Browser, tmp_path: Path) -> None:
    """Where it has room beside them, their texts begin and end at the same heights."""
    build(site_crowd.crowd(20), tmp_path / "site")
    page = open_page(browser, 1280)
    page.goto((tmp_path / "site" / "index.html").as_uri())
    offsets = page.locator("#board .tick").evaluate_all("""ticks => ticks.map(tick => {
        const range = document.createRange();
        range.selectNodeContents(tick.lastChild);
        const notes = [...tick.parentElement.querySelectorAll(":scope > span")].at(-1);
        return range.getBoundingClientRect().bottom - notes.getBoundingClientRect().bottom;
    })""")
    page.context.close()

    beside = [offset for offset in offsets if abs(offset) < 10]
    assert beside
    assert max(map(abs, beside)) < 1
