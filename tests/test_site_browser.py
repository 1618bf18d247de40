"""The site in a browser: opened from a folder, at every width, with and without its script."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
import site_board
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from site_templates.build import build

CHROMIUM = os.environ.get("TOOLBOARD_CHROMIUM") or shutil.which("chromium") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).is_file(), reason="no Chromium: name one in TOOLBOARD_CHROMIUM")

# One page of each kind; the first two groups hold hostile text of every field.
KINDS = [
    "index.html", "suites/index.html", "suites/tools/index.html", "suites/tools/tool_selection.html",
    "suites/match/parallel_function.html", "cases/tools/A002.html", "cases/tools/C001.html", "submissions/model-a.html",
    "submissions/model-c.html", "judges/index.html", "judges/judge-x.html", "docs/submitting.html", "404.html",
]  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site built of the board with models."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build(site_board.board(), folder)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


def kinds(site: Path) -> list[Path]:
    """The pages to look at: one of each kind, and the case whose every field is hostile."""
    return [site / path for path in KINDS] + sorted((site / "cases" / "tools").glob("A-3*.html"))


def open_page(browser: Browser, width: int, scheme: Literal["light", "dark"] = "light", *, script: bool = True) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script)
    return context.new_page()


@pytest.mark.parametrize("width", [320, 390, 768, 1000, 1280])
def test_no_page_scrolls_sideways(browser: Browser, site: Path, width: int) -> None:
    """At any width the page fits; wide tables scroll in boxes of their own."""
    page = open_page(browser, width)
    wide = []
    for path in kinds(site):
        page.goto(path.as_uri())
        reach = page.evaluate("document.documentElement.scrollWidth")
        if reach > width:
            wide.append((path.name, reach))
    page.context.close()

    assert wide == []


def test_nothing_is_blocked_asked_for_or_thrown(browser: Browser, site: Path) -> None:
    """No page violates the policy, runs what a stranger wrote, throws an error, or asks for anything outside its folder."""
    page = open_page(browser, 1280)
    heard: list[str] = []
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        heard.append(dialog.message)
        dialog.dismiss()

    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", refuse)
    page.on("request", lambda request: asked.append(request.url))
    for path in kinds(site):
        page.goto(path.as_uri())
    page.context.close()

    assert heard == []
    assert [url for url in asked if not url.startswith(site.as_uri())] == []


def test_script_sorts_searches_and_keeps_it_in_the_address(browser: Browser, site: Path) -> None:
    """A click on a head sorts within its group, a word leaves the rows that hold it, and the address brings both back."""
    page = open_page(browser, 1280)
    page.goto((site / "index.html").as_uri())
    links = "document.querySelectorAll('#board tbody.rows th.nm > a')"
    names = f"() => [...{links}].filter(a => a.offsetParent).map(a => a.textContent)"
    first = page.evaluate(names)
    page.click("th.sc button")
    turned = page.evaluate(names)
    page.fill("input[name=q]", "framework two")
    found = page.evaluate(names)
    address = page.url
    page.goto(address)
    again = page.evaluate(names)
    sort = page.get_attribute("th.sc", "aria-sort")
    page.context.close()

    assert first[:2] == ["Model A", "Model B"]
    assert turned[:2] == ["Model B", "Model A"]
    assert turned[-1] == "oracle"
    assert found == again == ["Model B"]
    assert "q=framework+two" in address
    assert sort == "ascending"


def test_theme_follows_the_system_and_the_reader(browser: Browser, site: Path) -> None:
    """The colours are the system's until the reader turns them, and then stay turned on the next page."""
    page = open_page(browser, 1280, "dark")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    page.goto((site / "index.html").as_uri())
    dark = page.evaluate(ground)
    page.click("button.theme")
    light = page.evaluate(ground)
    page.goto((site / "suites" / "index.html").as_uri())
    kept = page.evaluate(ground)
    page.context.close()

    assert (dark, light, kept) == ("rgb(19, 21, 24)", "rgb(252, 252, 249)", "rgb(252, 252, 249)")


def test_everything_stands_there_without_the_script(browser: Browser, site: Path) -> None:
    """With JavaScript off the rows, the facets and the columns work; what needs the script is not shown."""
    page = open_page(browser, 1280, script=False)
    page.goto((site / "index.html").as_uri())
    rows = page.locator("#board tbody.rows th.nm > a").all_inner_texts()
    page.locator("#f-agent").check()
    visible = [a.inner_text() for a in page.locator("#board tbody.rows th.nm > a").all() if a.is_visible()]
    hidden = (page.locator("input[name=q]").is_visible(), page.locator("button.theme").is_visible())
    page.context.close()

    assert len(rows) == 6
    assert visible == ["Model B", "oracle", "keyword", "silent"]
    assert hidden == (False, False)
