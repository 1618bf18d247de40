"""Charts and axes in the browser: marks that answer, filters that reach them, a zooming axis."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from site_templates.builder import build
from tests.site_templates import site_crowd
from tests.site_templates.site_browser import open_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    build(site_crowd.crowd(30), folder)
    return folder


def test_a_dot_says_what_it_is_and_leads_there(browser: Browser, site: Path) -> None:
    """With the keyboard alone, and without a script."""
    page = open_page(browser, 1280, script=False)
    page.goto((site / "suites/bench/index.html").as_uri())
    dot = page.locator(".dot").first
    words = dot.locator(".said-at")
    assert not words.is_visible()
    dot.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert words.is_visible()
    assert words.text_content() == dot.get_attribute("aria-label")
    page.keyboard.press("Enter")
    page.wait_for_url("**/submissions/*.html")
    page.context.close()


def test_b15_filters_reach_the_charts(browser: Browser, site: Path) -> None:
    """A chart shows the submissions that the ranking shows."""
    page = open_page(browser, 1280)
    page.goto((site / "suites/bench/index.html").as_uri())
    dots = page.locator(".dot:not(.out)")
    before = dots.count()
    page.get_by_label("Find a submission").fill("agent")
    shown = page.locator("#board tbody.rows tr:not(.part) th a")
    names = set(shown.evaluate_all("links => links.map(link => link.href)"))
    left = dots.evaluate_all("all => all.map(a => new URL(a.href.baseVal, location).href)")

    assert 0 < len(left) < before
    assert set(left) <= names
    page.context.close()


def test_the_axis_zooms_to_the_range_of_the_intervals(browser: Browser, site: Path) -> None:
    """Whiskers grow and stay in the column, and the address keeps the choice."""
    width = """() => {
      const lines = [...document.querySelectorAll("#board tbody.rows:not(.base) td.iv .w")];
      return lines.map(whisker => {
        const line = whisker.getBoundingClientRect();
        const cell = whisker.closest("td").getBoundingClientRect();
        return [line.width, line.left >= cell.left && line.right <= cell.right];
      });
    }"""
    page = open_page(browser, 1280)
    page.goto((site / "suites/bench/index.html").as_uri())
    before = page.evaluate(width)
    page.get_by_label("Zoom the axis").check()
    after = page.evaluate(width)
    ticks = [float(text) for text in page.locator("th.iv .ax-t").all_text_contents()]

    assert len(before) > 20
    assert all(wide > narrow for (narrow, _), (wide, _) in zip(before, after, strict=True))
    assert all(inside for _, inside in after)
    assert ticks == sorted(ticks)
    assert ticks[0] > 0
    page.reload()
    assert page.get_by_label("Zoom the axis").is_checked()
    page.get_by_label("Zoom the axis").uncheck()
    assert page.evaluate(width) == before
    page.context.close()
