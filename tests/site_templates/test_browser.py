"""The site in a browser: opened from a folder, at every width, with and without its script."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Browser, Dialog, Page

from leaderboard.texts.spreadsheet_formulas import guard_formula
from site_templates.board import Board
from site_templates.builder import build
from tests.site_templates import site_board, site_crowd
from tests.site_templates.conftest import ARGUMENTS, CHROMIUM
from tests.site_templates.site_browser import open_page

pytestmark = pytest.mark.browser

# One page of each kind; the first two groups hold hostile text of every field.
KINDS = [
    "index.html",
    "all/index.html",
    "suites/index.html",
    "suites/tools/index.html",
    "suites/acting/index.html",
    "suites/acting/desk.html",
    "cases/acting/desk_1.html",
    "cases/acting/desk_2.html",
    "cases/acting/look_1.html",
    "suites/tools/tool_selection.html",
    "suites/match/parallel_function.html",
    "maps/match/parallel_function.html",
    "cases/tools/A002.html",
    "cases/tools/C001.html",
    "submissions/model-a.html",
    "submissions/model-c.html",
    "judges/index.html",
    "judges/judge-x.html",
    "docs/submitting.html",
    "404.html",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site built of the board with models."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build(site_board.board(), folder)
    return folder


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site built of a board with 450 submissions, so that its rankings have pages."""
    folder = tmp_path_factory.mktemp("crowd") / "site"
    build(site_crowd.crowd(450), folder)
    return folder


def kinds(site: Path) -> list[Path]:
    """The pages to look at: one of each kind, and the case whose every field is hostile."""
    return [site / path for path in KINDS] + sorted((site / "cases" / "tools").glob("A-3*.html"))


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


COVERED = """() => {
    const rows = [...document.querySelectorAll(".board tr")];
    const shown = rows.map(row => [...row.cells].filter(cell => cell.checkVisibility()));
    const pairs = shown.flatMap(row => row.slice(1).map((cell, n) => [row[n], cell]));
    const reach = cell => cell.getBoundingClientRect();
    return pairs
        .filter(([left, right]) => reach(left).right > reach(right).left + 1)
        .map(([left, right]) => `${left.textContent.trim()} | ${right.textContent.trim()}`);
}"""


@pytest.mark.parametrize("width", [768, 1000, 1200])
def test_columns_that_stick_cover_no_other_column(browser: Browser, site: Path, width: int) -> None:
    """Names stick behind the ranks, or at the edge of a table without ranks."""
    page = open_page(browser, width)
    for path in (*kinds(site), *sorted((site / "compare").rglob("*--*.html"))):
        page.goto(path.as_uri())
        assert page.evaluate(COVERED) == [], path
    page.context.close()


SCROLLED = """() => {
    const table = document.getElementById('board'), box = table.parentElement;
    const ownScroll = box.scrollHeight > box.clientHeight;
    const top = box.getBoundingClientRect().top + scrollY;
    scrollTo({ top: ownScroll ? top : top + 200, behavior: 'instant' });
    box.scrollTo({ top: 200, left: 200, behavior: 'instant' });
    const [name, head] = [table.tBodies[0].rows[4].cells[1], table.tHead.rows[1].cells[1]];
    return {
        page: document.documentElement.scrollWidth - innerWidth,
        moved: box.scrollLeft,
        name: Math.round(name.getBoundingClientRect().left),
        head: Math.round(head.getBoundingClientRect().top),
    };
}"""


@pytest.mark.parametrize("script", [True, False])
def test_a_wide_ranking_scrolls_in_its_box_with_its_head_and_names(
    browser: Browser, tmp_path: Path, *, script: bool
) -> None:
    """On a desktop too. A ranking that fits has no such box: its head sticks to the window."""
    seen = {}
    for name, number in {"narrow": 3, "wide": 40}.items():
        build(site_crowd.crowd(12, {f"c{place}": 1 for place in range(number)}), tmp_path / name)
        page = open_page(browser, 1280, script=script)
        page.set_viewport_size({"width": 1280, "height": 300})
        page.goto((tmp_path / name / "index.html").as_uri())
        seen[name] = page.evaluate(SCROLLED)
        page.context.close()
    narrow, wide = seen["narrow"], seen["wide"]

    assert (narrow["page"], wide["page"]) == (0, 0)
    assert (narrow["moved"], wide["moved"]) == (0, 200)
    assert narrow["name"] == wide["name"]
    assert (narrow["head"], wide["head"]) == (0, 0)


@pytest.mark.parametrize(
    ("name", "number", "is_wide"), [("c", 10, False), ("verylongword", 8, True)]
)
def test_the_script_measures_whether_a_ranking_is_wide(
    browser: Browser, tmp_path: Path, name: str, number: int, *, is_wide: bool
) -> None:
    """The number of columns is only a guess: names may be long or short, and windows change."""
    board = site_crowd.crowd(4, {f"{name}{place}": 1 for place in range(number)})
    build(board, tmp_path / "site")
    page = open_page(browser, 1500)
    page.goto((tmp_path / "site" / "index.html").as_uri())
    page.wait_for_selector(".box.free:not(.wide)")
    for width in range(1440, 1400, -1):  # somebody drags the edge of the window
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise(requestAnimationFrame)")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector(".box.wide" if is_wide else ".box.free:not(.wide)")
    reach = page.evaluate("document.documentElement.scrollWidth")
    guessed = b'class="box free wide"' in (tmp_path / "site" / "index.html").read_bytes()
    page.context.close()

    assert (guessed, reach) == (not is_wide, 1280)


def test_nothing_is_blocked_asked_for_or_thrown(browser: Browser, site: Path) -> None:
    """No page violates the policy, runs foreign text, throws an error or leaves its folder."""
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
    """Headings sort, a word filters, and the address restores both."""
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
    """The theme is the system's until the reader changes it. The choice lasts on the next page."""
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
    """Without JavaScript rows, facets and columns work. Controls of the script are hidden."""
    page = open_page(browser, 1280, script=False)
    page.goto((site / "index.html").as_uri())
    rows = page.locator("#board tbody.rows th.nm > a").all_inner_texts()
    page.locator("#f-agent").check()
    visible = [
        a.inner_text() for a in page.locator("#board tbody.rows th.nm > a").all() if a.is_visible()
    ]
    hidden = (page.locator("input[name=q]").is_visible(), page.locator("button.theme").is_visible())
    page.context.close()

    assert len(rows) == 5
    assert visible == ["Model B", "oracle", "keyword", "silent"]
    assert hidden == (False, False)


# ---------------------------------------------------------------- a reader's own ranking

NAMES = "() => [...document.querySelectorAll('#board tbody.rows th.nm > a')].filter(a => a.offsetParent).map(a => a.textContent)"
SCORES = "() => [...document.querySelectorAll('#board tbody.rows:not(.base) td.sc b')].map(b => b.textContent)"


def test_weights_of_a_reader_order_the_rows_anew_and_are_marked(
    browser: Browser, site: Path
) -> None:
    """One category alone ranks by its scores, without ranks and intervals. A button undoes it."""
    page = open_page(browser, 1280)
    page.goto((site / "suites" / "tools" / "index.html").as_uri())
    declared = page.evaluate(SCORES)
    page.click("#own > summary")
    page.fill("[data-w='cat.tool_selection']", "0")
    own = page.evaluate(SCORES)
    address, marked = page.url, page.is_visible("#owned")
    rank = page.text_content("#board tbody td.rk")
    page.goto(address)
    again = page.evaluate(SCORES)
    page.click("#own > summary")
    page.click("#declared")
    undone, unmarked = page.evaluate(SCORES), page.is_hidden("#owned")
    clean = page.url
    page.context.close()

    assert declared == ["83.3", "33.3", "0.0"]
    assert own == again == ["100.0", "100.0", "—"]
    assert (marked, rank) == (True, "")
    assert "w.cat.tool_selection=0" in address
    assert (undone, unmarked) == (declared, True)
    assert "w." not in clean


def test_weights_as_declared_give_the_published_scores(browser: Browser, site: Path) -> None:
    """Doubled weights change nothing: the mean of the cells is the published score."""
    page = open_page(browser, 1280)
    page.goto((site / "index.html").as_uri())
    declared = page.evaluate(SCORES)
    page.goto((site / "index.html").as_uri() + "?w.cat.parallel_function=120&w.cat.relevance=6")
    doubled = page.evaluate(SCORES)
    page.context.close()

    assert [doubled[0], doubled[1]] == [declared[0], declared[1]]


def test_a_missing_score_makes_no_mean_by_own_weights(browser: Browser, site: Path) -> None:
    """A submission without a weighted suite has a dash and comes last."""
    page = open_page(browser, 1280)
    page.goto((site / "all" / "index.html").as_uri() + "?w.suite.tools=3")
    lacking = page.evaluate(SCORES)
    page.goto((site / "all" / "index.html").as_uri() + "?w.suite.match=0&w.suite.acting=0")
    alone = page.evaluate(SCORES)
    page.context.close()

    assert (lacking[-1], alone[-1]) == ("—", "0.0")


def test_ranks_are_neither_shown_nor_links_under_own_weights(browser: Browser, site: Path) -> None:
    """The keyboard does not stop at an empty link. The declared weights bring the ranks back."""
    page = open_page(browser, 1280)
    page.goto((site / "suites" / "tools" / "index.html").as_uri())
    ranks = page.locator("#board tbody .rk").all_inner_texts()
    links = page.locator("#board tbody .rk a").count()
    page.click("#own > summary")
    page.fill("[data-w='cat.tool_selection']", "0")
    own = page.locator("#board tbody .rk a").count()
    page.click("#declared")
    again = page.locator("#board tbody .rk").all_inner_texts()
    page.context.close()

    assert links > 0
    assert own == 0
    assert again == ranks


def test_the_page_says_that_own_weights_sort_the_rows_only_if_they_do(
    browser: Browser, site: Path
) -> None:
    """Rows can be in the order of another column while own weights give the scores."""
    page = open_page(browser, 1280)
    address = (site / "suites" / "tools" / "index.html").as_uri() + "?w.cat.tool_selection=0"
    shown = []
    for order in ("", "&sort=-cost", "&sort=score"):
        page.goto(address + order)
        assert page.is_visible("#owned")
        shown.append(page.is_visible("#by-weights"))
    page.context.close()

    assert shown == [True, False, True]


def test_own_weights_hide_what_belongs_to_the_declared_ones(browser: Browser, site: Path) -> None:
    """The detectable difference and the charts of scores. What keeps the board's weights is named."""
    page = open_page(browser, 1280)
    address = (site / "index.html").as_uri()
    shown = {}
    for query in ("", "?w.cat.relevance=0", "?w.cat.relevance=0&w.cat.parallel_function=0"):
        page.goto(address + query)
        parts = (
            "#board .scale",
            "#detectable",
            "section:has(.dot) h2",
            "#by-weights",
            "#no-weights",
        )
        shown[query] = [page.locator(part).first.is_visible() for part in parts]
    said = page.inner_text("#owned")
    page.context.close()

    assert list(shown.values()) == [
        [True, True, True, False, False],
        [False, False, False, True, False],
        [False, False, False, False, True],
    ]
    assert "All weights are 0, so no row has a score. Ranks, intervals, " in said
    assert said.endswith("The board’s weights still apply to the dashed lines of baselines.")


def test_without_a_score_under_own_weights_there_is_no_dot(browser: Browser, site: Path) -> None:
    """With every weight 0 no row has a score, so the axis is empty."""
    page = open_page(browser, 1280)
    page.goto((site / "suites" / "tools" / "index.html").as_uri())
    dots = "#board tbody.rows td.iv :is(circle, svg svg):visible"
    before = page.locator(dots).count()
    page.goto(page.url + "?w.cat.tool_selection=0&w.cat.clarifying=0")
    scores, without = page.evaluate(SCORES), page.locator(dots).count()
    page.click("#own > summary")
    page.click("#declared")
    after = page.locator(dots).count()
    page.context.close()

    assert set(scores) == {"—"}
    assert (without, after) == (0, before)
    assert before > 0


def test_a_negative_weight_becomes_0_in_its_field(browser: Browser, site: Path) -> None:
    """What counts is what the field shows, typed or from the address."""
    page = open_page(browser, 1280)
    page.goto((site / "suites" / "tools" / "index.html").as_uri() + "?w.cat.tool_selection=-2")
    field = page.locator("[data-w='cat.tool_selection']")
    from_address = field.input_value()
    page.click("#own > summary")
    field.fill("-5")
    typed = field.input_value()
    page.context.close()

    assert (from_address, typed) == ("0", "0")


def test_facets_frameworks_and_columns_are_in_the_address(browser: Browser, crowd: Path) -> None:
    """What a reader chose is in the address, and the address shows the same to somebody else."""
    page = open_page(browser, 1280)
    page.goto((crowd / "index.html").as_uri())
    page.locator("#f-open").check(force=True)
    page.wait_for_function("() => document.querySelectorAll('#frameworks option').length === 6")
    page.select_option("#frameworks select", "framework-2")
    page.click("summary:has-text('Columns')")
    page.locator("#c-cat").uncheck()
    chosen = page.evaluate(NAMES)
    address = page.url
    page.goto(address)
    page.wait_for_function("() => document.getElementById('shown').textContent !== ''")
    again = page.evaluate(NAMES)
    shown = page.is_visible("th[data-k='cat.simple']")
    page.context.close()

    numbers = [int(name.split("-")[2]) for name in chosen]
    assert chosen == again != []
    assert {(n % 2, n % 3, n % 5) for n in numbers} == {(0, 0, 2)}
    assert {"f=framework-2", "f-open=1", "c-cat=0"} <= set(address.partition("?")[2].split("&"))
    assert not shown


def test_back_shows_the_filters_and_as_many_rows_as_before(browser: Browser, crowd: Path) -> None:
    """The reader comes back from a submission to the same rows, also after "Show more rows"."""
    page = open_page(browser, 1280)
    shown = "() => document.getElementById('shown').textContent"
    page.goto((crowd / "index.html").as_uri() + "?f-open=1")
    page.wait_for_function(f"() => ({shown})().includes('50 shown')")
    page.click("#more button")
    before = page.evaluate(NAMES)
    page.locator("#board tbody.rows th.nm > a").nth(70).click()
    page.wait_for_selector("h1:has-text('provider')")
    page.go_back()
    page.wait_for_function(f"() => ({shown})().includes('100 shown')")
    after = page.evaluate(NAMES)
    checked = page.is_checked("#f-open")
    page.locator("#f-open").uncheck(force=True)
    address = page.url
    page.context.close()

    assert before == after
    assert len([name for name in after if name.startswith("provider")]) == 100
    assert checked
    assert "?" not in address


def test_back_to_a_place_on_the_page_brings_back_its_filters(browser: Browser, site: Path) -> None:
    """After a link within the page, Back also takes back the filters that were chosen there."""
    page = open_page(browser, 1280)
    page.goto((site / "suites" / "tools" / "index.html").as_uri() + "?c-judged=0")
    page.evaluate("location.hash = 's-categories'")
    page.evaluate("document.getElementById('f-open').click()")
    narrowed, chosen = page.evaluate(NAMES), page.url
    page.go_back()
    page.wait_for_function(
        "() => document.readyState === 'complete' && !document.getElementById('f-open').checked"
    )
    whole, address = page.evaluate(NAMES), page.url
    columns = page.is_checked("#c-judged")
    page.context.close()

    assert len(narrowed) < len(whole)
    assert chosen.endswith("?c-judged=0&f-open=1#s-categories")
    assert address.endswith("?c-judged=0")
    assert not columns


def test_show_all_answers_also_empties_the_search(browser: Browser, site: Path) -> None:
    """The link shows every answer, and Back the ones that were found before."""
    page = open_page(browser, 1280)
    page.goto((site / "answers" / "model-a.html").as_uri())
    every = page.inner_text("#found")
    page.fill("#filter input[name=q]", "in")
    found = page.inner_text("#found")
    page.click("#in")
    page.wait_for_url("**/model-a.html#in")
    again = page.inner_text("#found")
    page.go_back()
    back = page.inner_text("#found")
    page.context.close()

    assert every == again != found
    assert back == found


def test_search_and_order_reach_all_pages_of_a_long_ranking(browser: Browser, crowd: Path) -> None:
    """Every page searches and sorts the whole ranking. Rows have their links, quickly."""
    page = open_page(browser, 1280)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.goto((crowd / "ranking" / "9.html").as_uri())
    before = page.evaluate(NAMES)
    page.fill("input[name=q]", "model-7-")
    page.wait_for_function(
        "() => document.getElementById('shown').textContent.startsWith('1 of 405')"
    )
    found = page.evaluate(NAMES)
    link = page.get_attribute("#board tbody th.nm > a", "href")
    page.fill("input[name=q]", "")
    after = page.evaluate(NAMES)
    page.click("th.nm button")
    page.wait_for_function(
        "() => document.getElementById('shown').textContent.includes('50 shown')"
    )
    first = page.evaluate(NAMES)
    page.click("#more button")
    more = page.evaluate(NAMES)
    page.context.close()

    assert heard == []
    assert (len(before), found) == (5, ["provider7-model-7-instruct"])
    assert link == "../submissions/s0007.html"
    assert after == before
    assert (len(first), first[0], len(more)) == (50, "provider0-model-0-instruct", 100)


def test_rows_made_of_data_look_like_rows_of_the_page(browser: Browser, crowd: Path) -> None:
    """A row that the script makes is the row that the builder wrote, element by element."""
    page = open_page(browser, 1280)
    row = "() => document.querySelector('#board tbody.rows tr:not(.part)').outerHTML.replace(/\\s+/g, ' ').replace(/> </g, '><')"
    page.goto((crowd / "index.html").as_uri())
    written = page.evaluate(row)
    page.goto((crowd / "index.html").as_uri() + "?sort=-score")
    page.wait_for_function("() => document.getElementById('shown').textContent !== ''")
    made = page.evaluate(row)
    page.context.close()

    assert made == written


@pytest.mark.parametrize("width", [320, 500, 719, 721, 901, 1280, 1600])
def test_names_in_charts_do_not_cover_each_other(browser: Browser, crowd: Path, width: int) -> None:
    """Measured in the browser: no labels overlap, the front is labelled, none leaves the page."""
    page = open_page(browser, width)
    page.goto((crowd / "suites" / "bench" / "index.html").as_uri())
    plots = page.evaluate(
        "() => [...document.querySelectorAll('.plot')].map(p => [...p.querySelectorAll('text.t:not(.said-at)')]"
        ".filter(t => getComputedStyle(t).display !== 'none').map(t => { const b = t.getBoundingClientRect();"
        " return [t.classList.contains('b'), b.left, b.right, b.top + 1, b.bottom - 1]; }))"
    )
    fronts = page.evaluate(
        "() => [...document.querySelectorAll('.plot')].map(p => p.querySelectorAll('circle.d:not(.o)').length)"
    )
    page.context.close()

    for names, front in zip(plots, fronts, strict=True):
        boxes = [tuple(name[1:]) for name in names]
        meeting = [
            (a, b)
            for i, a in enumerate(boxes)
            for b in boxes[:i]
            if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
        ]
        assert meeting == []
        assert sum(name[0] for name in names) == front
        assert all(left >= 0 and right <= width for left, right, *_ in boxes)


# ---------------------------------------------------------------- not taken, and answered in part


def test_a_search_finds_who_has_not_taken_the_suite(browser: Browser, crowd: Path) -> None:
    """A search opens the fold with the names that it finds. An empty search closes it."""
    page = open_page(browser, 1280)
    page.goto((crowd / "index.html").as_uri())
    names = "() => [...document.querySelectorAll('#absent li a')].filter(a => a.checkVisibility()).map(a => a.textContent)"
    at_first = page.evaluate(names)
    page.fill("input[name=q]", "model-9-")
    page.wait_for_function("() => document.getElementById('shown').textContent !== ''")
    found, said = page.evaluate(names), page.text_content("#shown")
    page.fill("input[name=q]", "model-7-")
    gone = page.is_hidden("#absent")
    page.fill("input[name=q]", "")
    after, whole = page.evaluate(names), page.locator("#absent li:not([hidden])").count()
    page.context.close()

    assert (at_first, after, whole) == ([], [], 45)
    assert found == ["provider9-model-9-instruct"]
    assert said == "No row matches. 1 match has not taken Bench (below)."
    assert gone


def test_a_name_of_digits_is_ordered_as_a_name(browser: Browser, tmp_path: Path) -> None:
    """One such name does not change the order of the others."""
    given = site_crowd.crowd(40)
    first, *others = given.submissions
    digits = dataclasses.replace(first, card=dataclasses.replace(first.card, name="7"))
    build(dataclasses.replace(given, submissions=(digits, *others)), tmp_path / "site")
    page = open_page(browser, 1280)
    page.goto((tmp_path / "site/index.html").as_uri() + "?sort=name")
    names = page.locator("#board tbody.rows:not(.base) tr:not(.part) th a").all_text_contents()
    page.context.close()

    assert "7" in names
    assert names == sorted(names, key=str.lower)


def test_a_malformed_place_in_the_address_stops_no_script(browser: Browser, site: Path) -> None:
    """An address that ends in "#50%" names no place of the page."""
    page = open_page(browser, 1280)
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(str(error)))
    for path in ("index.html", "answers/model-a.html", "compare/index.html?a=model-a&b=model-b"):
        page.goto(f"{site.as_uri()}/{path}#50%")
        page.wait_for_timeout(100)
    page.context.close()

    assert heard == []


def test_a_search_counts_rows_shown_and_names_below(browser: Browser, crowd: Path) -> None:
    """Whole sentences say how many rows fit, how many are shown, and who has not taken it."""
    page = open_page(browser, 1280)
    page.goto((crowd / "index.html").as_uri() + "?q=instruct")
    page.wait_for_function("() => document.getElementById('shown').textContent !== ''")
    searched = page.text_content("#shown")
    page.goto((crowd / "index.html").as_uri() + "?sort=name")
    page.wait_for_function("() => document.getElementById('shown').textContent !== ''")
    sorted_only = page.text_content("#shown")
    page.context.close()

    assert searched == "405 rows, 50 shown. 45 matches have not taken Bench (below)."
    assert sorted_only == "405 rows, 50 shown."


def test_the_fold_opens_without_the_script(browser: Browser, crowd: Path) -> None:
    """With JavaScript off, on a phone, the names are one press away."""
    page = open_page(browser, 390, script=False)
    page.goto((crowd / "index.html").as_uri())
    page.click("#absent > summary")
    shown = page.is_visible("#absent li:last-child a")
    page.context.close()

    assert shown


def test_who_answered_a_part_can_be_left_out(browser: Browser, tmp_path: Path) -> None:
    """The facet hides rows of a part of the cases, with the script and without."""
    build(site_board.partial(), tmp_path / "site")
    seen = []
    for script in (True, False):
        page = open_page(browser, 1280, script=script)
        page.goto((tmp_path / "site" / "index.html").as_uri())
        page.locator("#f-whole").check(force=True)
        rows = page.locator("#board tbody.rows:not(.base) th.nm > a").all()
        seen.append([row.inner_text() for row in rows if row.is_visible()])
        page.context.close()

    assert seen == [["Model A"], ["Model A"]]


def test_names_of_a_map_repeat_on_every_printed_page(browser: Browser, crowd: Path) -> None:
    """Browsers repeat heads that are lower than a quarter of the page and not broken."""
    page = open_page(browser, 1030)
    page.emulate_media(media="print")
    page.goto((crowd / "maps" / "bench" / "simple.html").as_uri())
    height, unbroken, shown = page.locator(".map thead").evaluate(
        "head => [head.offsetHeight, getComputedStyle(head).breakInside, getComputedStyle(head).display]"
    )
    page.context.close()

    assert height < (210 - 2 * 12) / 25.4 * 96 / 4
    assert (unbroken, shown) == ("avoid", "table-header-group")


def test_b15_the_first_page_prints_as_a_table(browser: Browser, crowd: Path) -> None:
    """On a landscape page nothing is cut off, and controls are left out."""
    page = open_page(browser, 1030)
    page.emulate_media(media="print")
    page.goto((crowd / "index.html").as_uri())
    reach = page.evaluate("document.documentElement.scrollWidth")
    table = page.evaluate("document.getElementById('board').getBoundingClientRect().right")
    controls = [page.is_visible(one) for one in ("#controls", ".nav", ".theme", ".tick >> nth=0")]
    page.context.close()

    assert reach <= 1030
    assert table <= 1030
    assert controls == [False] * 4


def test_the_key_explains_no_column_that_is_not_printed(browser: Browser, site: Path) -> None:
    """There is no room for the dates."""
    page = open_page(browser, 1030)
    page.goto((site / "index.html").as_uri())
    reported = page.locator(".key p", has_text="as reported by submitters")
    shown = reported.inner_text()
    page.emulate_media(media="print")
    printed = reported.inner_text()
    page.context.close()

    assert shown.startswith("Cost, latency and date: as reported")
    assert printed.startswith("Cost, latency: as reported")


def test_print_has_the_wide_form_and_says_what_it_leaves_out(
    browser: Browser, site: Path, crowd: Path
) -> None:
    """Browsers ask for the width of a portrait page, although the paper is landscape."""
    page = open_page(browser, 718)
    page.emulate_media(media="print")
    page.goto((crowd / "index.html").as_uri())
    display, after_head = page.locator("#board tbody").first.evaluate(
        "body => [getComputedStyle(body.rows[0]).display, getComputedStyle(body).breakBefore]"
    )
    rows = page.inner_text("#pages")
    button = page.is_visible("#more")
    page.goto((site / "cases/match/parallel_function_1.html").as_uri())
    equal = page.locator(".diff .rest").first.is_visible()
    page.goto((site / "compare/match/model-a--model-b.html").as_uri())
    more = page.locator("tr.rest").first.is_visible()
    page.context.close()

    assert (display, after_head) == ("table-row", "avoid")
    assert (rows.strip(), button) == ("405 rows in all", False)
    assert (equal, more) == (True, True)


# How far the B of each "7B" is from its 7, in pixels.
APART = """() => {
  const found = [], texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, at = text.data.indexOf("7B");
    if (at < 0 || !text.parentElement.checkVisibility()) continue;
    if (text.parentElement.closest(".vh, pre")) continue;
    const [seven, letter] = [at, at + 1].map(start => {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, start + 1);
      return range.getBoundingClientRect();
    });
    found.push(Math.abs(letter.left - seven.right));
  }
  return found;
}"""


def test_names_written_from_right_to_left_stay_together(browser: Browser, tmp_path: Path) -> None:
    """Their parts join no word beside them: in tables, titles, lists, charts and by the script."""
    given = site_board.board()
    named = [
        dataclasses.replace(
            s, card=dataclasses.replace(s.card, name=f"{chr(0x5D0 + place)}\u05d5\u05d3\u05dc 7B")
        )
        for place, s in enumerate(given.submissions)
    ]
    build(dataclasses.replace(given, submissions=tuple(named)), tmp_path / "site")
    page = open_page(browser, 1280)
    apart = {}
    for path in (
        "index.html",
        "submissions/model-a.html",
        "cases/match/parallel_function_1.html",
        "suites/match/parallel_function.html",
        "compare/index.html?a=model-a&b=model-b&suite=match",
    ):
        page.goto(f"{(tmp_path / 'site').as_uri()}/{path}")
        page.wait_for_timeout(200)
        apart[path] = page.evaluate(APART)
    page.context.close()

    assert all(apart.values())
    assert {path: max(found) for path, found in apart.items() if max(found) > 1} == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_a_larger_font_of_the_reader_widens_no_page(
    browser: Browser, site: Path, width: int
) -> None:
    """Pages change their form as on a narrower screen, and no heading is cut."""
    large = browser.browser_type.launch(
        executable_path=CHROMIUM, args=[*ARGUMENTS, "--blink-settings=defaultFontSize=24"]
    )
    page = open_page(large, width)
    wide = []
    for path in (
        "index.html",
        "all/index.html",
        "answers/model-a.html",
        "compare/match/model-a--model-b.html",
    ):
        page.goto((site / path).as_uri())
        reach = page.evaluate("document.documentElement.scrollWidth")
        cut = page.evaluate(
            "[...document.querySelectorAll('#board th')].filter(e => e.scrollWidth > e.clientWidth + 1)"
            ".map(e => e.textContent)"
        )
        if reach > width or cut:
            wide.append((path, reach, cut))
    large.close()

    assert wide == []


# ---------------------------------------------------------------- rows as a file


def saved(page: Page) -> list[list[str]]:
    """The rows of the file that the button gives."""
    with page.expect_download() as download:
        page.click("#csv")
    return list(csv.reader(download.value.path().read_text(encoding="utf-8").splitlines()))


def test_rows_that_a_reader_chose_are_a_file(browser: Browser, crowd: Path) -> None:
    """The file has every row that fits, also those that are not on the page, in their order."""
    page = open_page(browser, 1280)
    page.goto((crowd / "index.html").as_uri())
    every = saved(page)
    page.fill("input[name=q]", "model-7")
    page.wait_for_function("() => document.getElementById('shown').textContent !== ''")
    head, *rows = saved(page)
    shown = page.evaluate(NAMES)
    page.context.close()

    assert len(every) == 1 + 405
    assert head[:8] == ["rank", "submission", "name", "notes", "score", "low", "high", "cat.simple"]
    assert [row[2] for row in rows] == shown
    assert all(float(row[5]) <= float(row[4]) <= float(row[6]) for row in rows)


@pytest.mark.parametrize("number", [12, 112])
def test_a_file_of_rows_has_whole_names(browser: Browser, tmp_path: Path, number: int) -> None:
    """Names that the page cuts, or tells apart by ids, are in the file as the card has them."""
    given = site_crowd.crowd(number, {"simple": 2})
    names = {"s0001": f"{'long-' * 30}name", "s0002": "One name", "s0003": "One name"}
    submissions = [
        dataclasses.replace(one, card=dataclasses.replace(one.card, name=names[one.id]))
        if one.id in names
        else one
        for one in given.submissions
    ]
    build(dataclasses.replace(given, submissions=tuple(submissions)), tmp_path / "site")
    page = open_page(browser, 1280)
    page.goto((tmp_path / "site/index.html").as_uri())
    head, *rows = saved(page)
    found = [dict(zip(head, row, strict=True)) for row in rows]
    page.context.close()

    assert {row["submission"]: row["name"] for row in found if row["submission"] in names} == names
    assert all(row["name"] for row in found)


def test_a_file_with_own_scores_has_own_weights_and_no_interval(
    browser: Browser, site: Path
) -> None:
    """Intervals belong to the declared weights. The file names the weights of its scores."""
    page = open_page(browser, 1280)
    page.goto((site / "suites" / "tools" / "index.html").as_uri() + "?w.cat.tool_selection=0")
    head, *rows = saved(page)
    page.click("#own > summary")
    page.click("#declared")
    declared, *_ = saved(page)
    page.context.close()

    assert head == [*declared, "own_weights"]
    assert {(row[0], row[5], row[6]) for row in rows} == {("", "", "")}
    assert {row[-1] for row in rows} == {"cat.tool_selection=0 cat.clarifying=1"}


def test_a_file_of_rows_runs_nothing_in_a_spreadsheet(browser: Browser, tmp_path: Path) -> None:
    """A formula is a text, also after a semicolon. Commas and quotes stay in their field."""
    board = site_board.board()
    name = '=HYPERLINK("https://example.org", "x");=1'
    hostile = [
        dataclasses.replace(s, card=dataclasses.replace(s.card, name=name)) if i else s
        for i, s in enumerate(board.submissions)
    ]
    build(dataclasses.replace(board, submissions=tuple(hostile)), tmp_path / "site")
    page = open_page(browser, 1280)
    page.goto((tmp_path / "site" / "index.html").as_uri())
    names = {row[2] for row in saved(page)}
    page.context.close()

    assert guard_formula(name) in names
    assert name not in names


def test_verdicts_that_a_reader_chose_are_a_file(browser: Browser, site: Path) -> None:
    """One row for each answer that the filters leave: its verdict and address, not its text."""
    page = open_page(browser, 1280)
    page.goto((site / "answers" / "model-a.html").as_uri() + "#in/match//fail")
    head, *rows = saved(page)
    number = page.locator(".same:visible li").count()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV of these verdicts").click()
    name = download.value.suggested_filename
    page.context.close()

    assert head == ["place", "case", "question", "outcome", "reason", "decided_by", "address"]
    assert name == "verdicts.csv"
    assert len(rows) == number > 5
    assert {row[3] for row in rows} == {"fail"}
    assert rows[0][6].endswith("#by-model-a")


# ---------------------------------------------------------------- labels and heads


def titled(*titles: str) -> Board:
    """The board of many, with these category titles and this second suite."""
    given = site_crowd.crowd(4)
    first, second = given.suites
    named = [
        dataclasses.replace(c, title=title)
        for c, title in zip(first.categories, titles, strict=False)
    ]
    suites = (
        dataclasses.replace(first, categories=tuple(named)),
        dataclasses.replace(second, title=titles[-1]),
    )
    return dataclasses.replace(given, suites=suites)


# The words of each card label that are wider than their cell, in the font of the page.
BROKEN = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll(".flow td.n")].filter(cell => cell.offsetParent && cell.dataset.l).flatMap(cell => {
    const style = getComputedStyle(cell, "::before");
    if (style.content === "none") return [];
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const words = cell.dataset.l.split(" ").filter(word => pen.measureText(word).width > cell.clientWidth);
    return words.map(word => [word, cell.clientWidth]);
  });
}"""


@pytest.mark.parametrize("width", [320, 359, 360, 390, 600])
def test_labels_of_cards_do_not_break_inside_words(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    """On a phone every word of the labels has room on one line, short labels and long ones."""
    build(
        titled(
            "Relevance", "G1 instruction", "Internationalisation", "Clarifying", "StableToolBench"
        ),
        tmp_path / "site",
    )
    page = open_page(browser, width)
    broken, labels = [], 0
    for path in (
        "index.html",
        "all/index.html",
        "suites/bench/index.html",
        "submissions/s0000.html",
    ):
        page.goto((tmp_path / "site" / path).as_uri())
        labels += page.locator(".flow td.c-cat").count()
        broken += page.evaluate(BROKEN)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()

    assert labels > 0
    assert broken == []


def wide() -> Board:
    """Two suites with ten categories each, so that the map of all has twenty columns."""
    given = site_crowd.crowd(4)
    names = {"bench": "x", "more": "y"}
    halves = [
        site_crowd.suite(name, {f"{letter}_instruction_{n}": 1 for n in range(10)})
        for name, letter in names.items()
    ]
    rows = [
        (f"s{place:04}", suite.id, category, "correct", cases, cases, 0, 0.5, 0.2, 0.8, 0.0, 0.5)
        + (None,) * 6
        for place in range(4)
        for suite in halves
        for category, cases in {"*": 10, **{c.id: 1 for c in suite.categories}}.items()
    ]
    return site_board.changed(
        given,
        suites=tuple(halves),
        scores=pl.DataFrame(rows, schema=given.results.scores.schema, orient="row"),
        verdicts=given.results.verdicts.clear(),
        records={},
        comparisons={},
        health=given.results.health.clear(),
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_the_focus_at_the_left_edge_of_a_table_is_whole(
    browser: Browser, site: Path, width: int
) -> None:
    """What scrolls sideways cuts off nothing of the frame around its first links."""
    page = open_page(browser, width)
    page.goto((site / "submissions" / "model-a.html").as_uri())
    room = page.evaluate(
        "() => [...document.querySelectorAll('.box')].filter(b => b.querySelector('tbody th a'))"
        ".map(b => b.querySelector('tbody th a').getBoundingClientRect().left"
        " - b.getBoundingClientRect().left)"
    )
    page.context.close()

    assert room != []
    assert min(room) >= 4  # 2 pixels of the outline, 2 between it and the link


def test_a_number_on_a_tint_keeps_its_colour_under_the_pointer(
    browser: Browser, site: Path
) -> None:
    """The accent of other links has a contrast of less than 4.5 to the fuller tints."""
    page = open_page(browser, 1280)
    page.goto((site / "all" / "index.html").as_uri())
    number = page.locator(".heat td a.q").first
    colour = "e => getComputedStyle(e).color"
    before = number.evaluate(colour)
    number.hover()
    after = number.evaluate(colour)
    page.context.close()

    assert after == before


@pytest.mark.parametrize("width", [1280, 1440])
def test_a_map_of_twenty_columns_fits(browser: Browser, tmp_path: Path, width: int) -> None:
    """At 1,280 pixels the map of all suites is fully visible."""
    out = tmp_path / "site"
    build(wide(), out)
    page = open_page(browser, width)
    page.goto((out / "suites" / "bench" / "index.html").as_uri())
    page.goto((out / "all" / "index.html").as_uri())
    columns = page.locator(".heat thead tr:last-child th").count()
    inner, outer = page.evaluate(
        "() => { const box = document.querySelector('.heat').parentElement; return [box.scrollWidth, box.clientWidth]; }"
    )
    tall = page.evaluate(
        "() => Math.max(...[...document.querySelectorAll('.heat tbody tr')].map(r => r.offsetHeight))"
    )
    page.context.close()

    assert columns == 21
    assert inner <= outer
    assert tall < 60


def test_what_scrolls_fades_out_at_its_edge_until_the_end(browser: Browser, tmp_path: Path) -> None:
    """On a phone a map that continues has a mask at its right edge, which disappears at its end."""
    build(wide(), tmp_path / "site")
    page = open_page(browser, 390)
    page.goto((tmp_path / "site" / "all" / "index.html").as_uri())
    fade = (
        "() => { const box = document.querySelector('.heat').parentElement;"
        " return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done(getComputedStyle(box).getPropertyValue('--fade'))))); }"
    )
    before = page.evaluate(fade)
    page.evaluate(
        "() => { const box = document.querySelector('.heat').parentElement; box.scrollLeft = box.scrollWidth; }"
    )
    after = page.evaluate(fade)
    page.context.close()

    page = open_page(browser, 1440)
    page.goto((tmp_path / "site" / "all" / "index.html").as_uri())
    fitting = page.evaluate(fade.replace("getPropertyValue('--fade')", "maskImage"))
    page.context.close()

    assert (before, after, fitting) == ("44px", "0px", "none")


@pytest.mark.parametrize("name", ["Your weights", "Columns"])
def test_a_panel_closes_with_escape_and_with_a_click_elsewhere(
    browser: Browser, site: Path, name: str
) -> None:
    """A click in the panel leaves it open. Escape brings the focus back to its name."""
    page = open_page(browser, 1280)
    page.goto((site / "index.html").as_uri())
    opener, panel = page.get_by_text(name, exact=True), page.locator(".drop[open] > div")
    opener.click()
    panel.locator("input").first.click()
    kept = panel.count()
    page.keyboard.press("Escape")
    focused = page.evaluate("document.activeElement.textContent")
    after_escape = panel.count()
    opener.click()
    page.locator("h1").click()
    after_click = panel.count()
    page.context.close()

    assert (kept, after_escape, after_click) == (1, 0, 0)
    assert focused == name


def test_commands_and_citations_can_be_copied(browser: Browser, site: Path) -> None:
    """A button before each puts its text on the clipboard. Without a script there is none."""
    page = open_page(browser, 1280)
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', "
        "{ value: { writeText: async text => { window.copied = text; } } });"
    )
    address = (site / "submissions/model-a.html").as_uri()
    page.goto(address)
    button = page.locator("section:has(#s-cite) .copy").first
    button.click()
    copied, said = page.evaluate("window.copied"), button.text_content()
    buttons, texts = page.locator(".copy").count(), page.locator(".to-copy").count()
    page.context.close()
    plain = open_page(browser, 1280, script=False)
    plain.goto(address)
    without = plain.locator(".copy").count()
    plain.context.close()

    assert copied.startswith("@misc{")
    assert said == "Copied"
    assert buttons == texts > 2
    assert without == 0


@pytest.mark.parametrize("script", [True, False])
def test_all_answers_are_offered_where_some_are_hidden(
    browser: Browser, site: Path, script: bool
) -> None:
    """The link is not there while all answers are."""
    page = open_page(browser, 1280, script=script)
    address = (site / "answers/model-a.html").as_uri()
    link, seen = page.get_by_text("Show all answers"), []
    for part in ("", "#in/tools"):
        page.goto("about:blank")
        page.goto(address + part)
        seen.append(link.is_visible())
    link.click()
    seen.append(link.is_visible())
    page.context.close()

    assert seen == [False, True, False]
