"""The site as readers meet it, in a browser.

Served below a path and opened from a folder, with mouse and keyboard, at every width, in both
themes, with and without JavaScript, and with hostile submissions.
"""

from __future__ import annotations

import gzip
import os
import re
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Dialog, Page

from cli.main import app
from leaderboard.doc_pages import FOR_DEVELOPERS
from site_templates.builder import build
from tests.conftest import PROJECT, shipped
from tests.site_templates import site_history, site_hostile, site_sweep
from tests.site_templates.site_html import parse, target

pytestmark = pytest.mark.browser
AXE = PROJECT / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
Scheme = Literal["light", "dark"]
ZOOMED = 640  # the width of a window of 1,280 pixels at 200 %

# One page of each type.
TYPES = {
    "board": "index.html",
    "all suites": "all/index.html",
    "suites": "suites/index.html",
    "suite": "suites/acting/index.html",
    "category": "suites/match/parallel_function.html",
    "case": "cases/tools/A001~*.html",
    "case with steps": "cases/acting/desk_1.html",
    "submission": "submissions/model-a.html",
    "submission of a sweep": "submissions/probe-k64.html",
    "answers": "answers/model-a.html",
    "compare": "compare/index.html",
    "any two": "compare/index.html?a=model-a&b=model-b&suite=tools",
    "map": "maps/match/parallel_function.html",
    "pair": "compare/tools/model-a--model-b.html",
    "judges": "judges/index.html",
    "judge": "judges/embedded-1.html",
    "case health": "health/index.html",
    "case health of a suite": "health/tools.html",
    "history": "history/index.html",
    "snapshot": f"history/{site_history.SECOND}/index.html",
    "table to embed": "embed/index.html",
    "document": "docs/submitting.html",
    "lost": "404.html",
}


@dataclass(frozen=True)
class Site:
    """A built site: its folder, and the address at which it is served below /repo/."""

    folder: Path
    served: str

    def page(self, path: str, *, file: bool = False) -> str:
        name, question, query = path.partition("?")
        [found] = self.folder.glob(name)
        base = self.folder.as_uri() if file else self.served.rstrip("/")
        return f"{base}/{found.relative_to(self.folder).as_posix()}{question}{query}"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""


def serving(root: Path) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of the small board with a history and a sweep, served below /repo/."""
    root = tmp_path_factory.mktemp("www")
    build(
        site_sweep.added(
            site_history.board(), [site_sweep.member(number) for number in (8, 64, 512)]
        ),
        root / "repo",
    )
    server = serving(root)
    yield Site(root / "repo", f"http://127.0.0.1:{server.server_port}/repo/")
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the board with the hostile submission."""
    folder = tmp_path_factory.mktemp("hostile") / "site"
    build(site_hostile.board(), folder)
    return folder


def fresh(browser: Browser, width: int = 1280, scheme: Scheme = "light", **more: Any) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, **more
    )
    return context.new_page()


def settled(page: Page, address: str) -> None:
    """Opens a page; where two are compared by the script, waits until they are."""
    page.goto(address)
    if "?a=" in address:
        page.wait_for_selector("#pair:not([hidden])")


NAMES = """() => [...document.querySelectorAll("#board tbody.rows th.nm > a")]
    .filter(a => a.offsetParent).map(a => a.textContent)"""


# ---------------------------------------------------------------- finding one's way


def test_every_link_leads_to_a_page_and_every_page_is_linked(site: Site) -> None:
    """Links from the first page reach every page. None is broken or leads outside."""
    seen: dict[str, set[str]] = {}
    wanted: list[tuple[str, str, str]] = []
    queue = ["index.html"]
    while queue:
        path = queue.pop()
        if path in seen:
            continue
        with urllib.request.urlopen(site.served + path) as answer:
            assert answer.status == 200
            content = answer.read()
        page = parse(content) if path.endswith(".html") else None
        seen[path] = set(page.ids) if page else set()
        for link in page.links() if page else ():
            found = target(path, link)
            if found is not None:
                assert not found[0].startswith(".."), (path, link)
                wanted.append((path, *found))
                queue.append(found[0])
    broken = [
        (page, file, anchor) for page, file, anchor in wanted if anchor and anchor not in seen[file]
    ]
    pages = {p.relative_to(site.folder).as_posix() for p in site.folder.rglob("*.html")}

    assert broken == []
    assert pages - seen.keys() == {"404.html"}


@pytest.mark.parametrize("file", [False, True], ids=["served", "from a folder"])
def test_no_page_says_anything_on_the_console_or_asks_another_host(
    browser: Browser, site: Site, file: bool
) -> None:
    """No page has an error, violates the policy or loads from elsewhere, also from file://."""
    page = fresh(browser)
    heard: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    for path in TYPES.values():
        settled(page, site.page(path, file=file))
    page.context.close()

    assert heard == []
    assert [
        url for url in asked if not url.startswith(site.folder.as_uri() if file else site.served)
    ] == []
    assert len(asked) > 3 * len(TYPES)


@pytest.mark.parametrize("file", [False, True], ids=["served", "from a folder"])
def test_order_search_and_facets_are_shared_by_an_address(
    browser: Browser, site: Site, file: bool
) -> None:
    """The address of a sorted and filtered ranking restores the same rows in the same order."""
    page = fresh(browser)
    page.goto(site.page("suites/tools/index.html", file=file))
    every = page.evaluate(NAMES)
    page.click("th[data-k=name] button")
    by_name = page.evaluate(NAMES)
    page.check("#f-agent")
    agents = page.evaluate(NAMES)
    page.fill("input[name=q]", "model b")
    found = page.evaluate(NAMES)
    other = fresh(browser)
    other.goto(page.url)
    shared = (
        other.evaluate(NAMES),
        other.get_attribute("th[data-k=name]", "aria-sort"),
        other.is_checked("#f-agent"),
    )
    for one in (page, other):
        one.context.close()

    assert every != by_name
    assert len(by_name) == len(every)
    assert "Model A" not in agents
    assert found == ["Model B"]
    assert shared == (["Model B"], "ascending", True)


@pytest.mark.parametrize("file", [False, True], ids=["served", "from a folder"])
def test_two_are_compared_from_the_board_on(browser: Browser, site: Site, file: bool) -> None:
    """Navigation, form, differing case: by clicks alone, with the pair in the address."""
    page = fresh(browser)
    page.goto(site.page("index.html", file=file))
    page.click("nav >> text=Compare")
    page.select_option("[name=a]", "model-a")
    page.select_option("[name=b]", "silent")
    page.select_option("[name=suite]", "match")
    page.click("#pick button")
    page.wait_for_selector("#pair:not([hidden])")
    said = page.inner_text("[data-t=said]")
    address = page.url
    page.click("[data-g=only-a] th a >> nth=1")
    title = page.title()
    page.context.close()

    assert said.startswith("A scores ")
    assert " points more than B." in said
    assert address.endswith("compare/index.html?a=model-a&b=silent&suite=match")
    assert title.startswith("parallel_function_")


def test_the_keyboard_is_enough(browser: Browser, site: Site) -> None:
    """The skip link is first. Enter sorts, Space turns facets, and every focus is visible."""
    page = fresh(browser)
    page.goto(site.page("suites/tools/index.html"))
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.className")
    page.keyboard.press("Enter")
    jumped = page.evaluate("location.hash")
    page.goto(site.page("suites/tools/index.html"))
    before = page.evaluate(NAMES)
    stops: list[str] = []
    unseen: list[str] = []
    for _ in range(200):
        page.keyboard.press("Tab")
        stop = page.evaluate("""() => {
            const e = document.activeElement, shown = e.closest(".chip")?.querySelector("span") ?? e;
            const s = getComputedStyle(shown), box = shown.getBoundingClientRect();
            const name = e.id || e.closest("[data-k]")?.dataset.k || e.textContent.trim().slice(0, 20);
            return [e.tagName, name,
                    s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 && box.width > 0 && box.height > 0];
        }""")
        if stop[0] == "BODY":
            break
        stops.append(stop[1])
        if not stop[2]:
            unseen.append(stop[1])
        if stop[1] == "name":
            page.keyboard.press("Enter")
            by_name = page.evaluate(NAMES)
        if stop[1] == "f-agent":
            page.keyboard.press("Space")
            checked = page.is_checked("#f-agent")
            page.keyboard.press("Space")
    page.context.close()

    assert (first, jumped) == ("skip", "#main")
    assert unseen == []
    assert "f-agent" in stops
    assert checked
    assert by_name != before
    assert len(stops) < 200


# Every element that a reader can use, and whether the keyboard reached it with a visible mark.
REACHABLE = """() => [...document.querySelectorAll(
    "a[href], button, input, select, summary, [tabindex='0']")].filter(e => e.checkVisibility()
        && !e.closest("details:not([open]) > :not(summary)"))"""
# Where the focus is: whether it left the page, and the element if nothing marks it.
STOP = """() => {
    const e = document.activeElement;
    if (e === document.body) return [true, null];
    wanted.delete(e);
    const shown = e.closest(".chip")?.querySelector("span") ?? e, style = getComputedStyle(shown);
    const said = e.querySelector(".said-at");
    const marked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
        || said && getComputedStyle(said).visibility === "visible";
    return [false, marked ? null : e.outerHTML.slice(0, 120)];
}"""


@pytest.mark.parametrize("name", TYPES)
def test_the_keyboard_reaches_everything(browser: Browser, site: Site, name: str) -> None:
    """Tab visits every link, button, field and scrolling box, shows where it is, and gets out."""
    page = fresh(browser)
    settled(page, site.page(TYPES[name]))
    number = page.evaluate(f"(window.wanted = new Set(({REACHABLE})())).size")
    unmarked = []
    left = False
    for _ in range(number + 20):
        page.keyboard.press("Tab")
        left, element = page.evaluate(STOP)
        if left:
            break
        if element:
            unmarked.append(element)
    missed = page.evaluate("[...wanted].map(e => e.outerHTML.slice(0, 120))")
    page.context.close()

    assert number > 5 or name == "lost"  # that page has words alone
    assert (missed, unmarked, left) == ([], [], True)


def test_marks_facets_and_ticks_take_keys(browser: Browser, site: Site) -> None:
    """Enter follows a mark of a chart, Space turns a facet, a column and the tick of a row."""
    page = fresh(browser)
    page.goto(site.page("suites/tools/index.html"))
    for selector in ("#f-agent", "#zoom input", "#board .tick input >> nth=0"):
        page.focus(selector)
        page.keyboard.press("Space")
        assert page.is_checked(selector), selector
    page.focus("summary:has-text('Columns')")
    page.keyboard.press("Enter")
    page.focus("#c-cat")
    page.keyboard.press("Space")
    assert not page.is_checked("#c-cat")
    page.goto(site.page("history/index.html"))
    page.focus(".dot >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_url("**/submissions/model-a.html")
    page.context.close()


def test_comparing_takes_no_mouse(browser: Browser, site: Site) -> None:
    """Tab to the form, arrows to choose, Enter to compare."""
    page = fresh(browser)
    page.goto(site.page("compare/index.html"))
    page.focus("[name=b]")
    page.keyboard.type("Model B")
    page.focus("[name=a]")
    page.keyboard.type("Model A")
    page.focus("#pick button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#pair:not([hidden])")
    names = page.inner_text(".two-names")
    page.context.close()

    assert "Model A" in names
    assert "Model B" in names


def test_without_javascript_every_page_says_the_same(browser: Browser, site: Site) -> None:
    """Without JavaScript every page has all of its content. Only controls are missing."""
    with_script, without = fresh(browser), fresh(browser, java_script_enabled=False)
    words = """() => {
        document.querySelectorAll("#filter, .tick, #zoom, #csv, .sort, button.copy").forEach(e => e.remove());
        return document.querySelector("main").innerText;
    }"""
    differing = []
    for name, path in TYPES.items():
        if name == "any two":
            continue
        texts = []
        for page in (with_script, without):
            page.goto(site.page(path))
            texts.append(page.inner_text("main") if page is without else page.evaluate(words))
        lost = set(re.findall(r"\w+", texts[0])) - set(re.findall(r"\w+", texts[1]))
        if lost and name != "compare":
            differing.append((name, sorted(lost)))
    for page in (with_script, without):
        page.context.close()

    controls = {"Find", "a", "submission", "Your", "weights", "Framework"}
    assert [
        (name, [word for word in lost if word not in controls])
        for name, lost in differing
        if set(lost) - controls
    ] == []


# ---------------------------------------------------------------- looks


@pytest.mark.parametrize("width", [320, 390, 640, 800])
def test_nothing_scrolls_sideways(browser: Browser, site: Site, width: int) -> None:
    """Every type of page fits the width; what is wider scrolls in a box of its own."""
    page = fresh(browser, width)
    wide = {}
    for name, path in TYPES.items():
        settled(page, site.page(path))
        reach = page.evaluate("document.documentElement.scrollWidth")
        if reach > width:
            wide[name] = reach
    page.context.close()

    assert wide == {}


def test_dark_is_dark_on_every_page(browser: Browser, site: Site) -> None:
    """Background and text of every page follow the system's theme, and the button changes them."""
    page = fresh(browser, scheme="dark")
    colours = """() => [getComputedStyle(document.body).backgroundColor,
                        getComputedStyle(document.querySelector("h1")).color]"""
    found = set()
    for name, path in TYPES.items():
        if name != "lost":  # it has no stylesheet of the site
            settled(page, site.page(path))
            found.add(tuple(page.evaluate(colours)))
    page.click("button.theme")
    turned = tuple(page.evaluate(colours))
    page.context.close()

    assert found == {("rgb(19, 21, 24)", "rgb(234, 232, 226)")}
    assert turned == ("rgb(252, 252, 249)", "rgb(26, 28, 31)")


RUN = """() => axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v =>
    [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary)]))"""


@pytest.fixture(scope="module")
def rules() -> str:
    """The source of axe-core. A test without it is skipped; in the hosted workflow it fails."""
    if not AXE.is_file():
        missing = "axe-core is not here: run scripts/axe"
        pytest.fail(missing, pytrace=False) if os.environ.get(
            "GITHUB_ACTIONS"
        ) == "true" else pytest.skip(missing)
    return AXE.read_text(encoding="utf-8")


def violations(page: Page, addresses: Mapping[str, str], rules: str) -> dict[str, Any]:
    """What axe-core finds on each of these pages, by name."""
    found = {}
    for name, address in addresses.items():
        settled(page, address)
        page.evaluate(rules)
        if wrong := page.evaluate(RUN):
            found[name] = wrong
    return found


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (1280, "dark"),
        (390, "light"),
        (390, "dark"),
        (320, "light"),
        (ZOOMED, "dark"),
    ],
)
def test_axe_finds_nothing(
    browser: Browser, site: Site, rules: str, width: int, scheme: Scheme
) -> None:
    """No violation of any rule of axe-core on any type of page, in both themes, narrow and zoomed.

    Zoom of 200 % halves the width and doubles the pixels.
    """
    page = fresh(browser, width, scheme, device_scale_factor=2 if width == ZOOMED else 1)
    found = violations(page, {name: site.page(path) for name, path in TYPES.items()}, rules)
    page.context.close()

    assert found == {}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the repository's own board, scored and built anew."""
    shipped("datasets")
    folder = tmp_path_factory.mktemp("own")
    results, out = str(folder / "results"), str(folder / "site")
    for words in (
        ("rescore", "--offline", "--out", results),
        ("build", "--results", results, "--out", out),
    ):
        done = CliRunner().invoke(app, ["--workspace", str(PROJECT), *words])
        assert done.exit_code == 0, done.output
    return folder / "site"


def own_pages(folder: Path) -> dict[str, str]:
    """Every document, and of every folder the list and the first other page. Addresses by path."""
    chosen = {*(path.relative_to(folder).as_posix() for path in folder.glob("docs/*.html"))}
    for place in (folder, *(path for name in ("*", "*/*") for path in folder.glob(name))):
        pages = sorted(path.relative_to(folder).as_posix() for path in place.glob("*.html"))
        rest = [path for path in pages if not f"/{path}".endswith("/index.html")]
        chosen |= {path for path in pages if path not in rest} | set(rest[:1])
    return {path: (folder / path).as_uri() for path in sorted(chosen)}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (320, "dark")])
def test_axe_finds_nothing_on_the_board_of_this_repository(
    browser: Browser, own: Path, rules: str, width: int, scheme: Scheme
) -> None:
    """No violation on any document, nor on the pages of the real suites, cases and baselines."""
    pages = own_pages(own)
    page = fresh(browser, width, scheme)
    found = violations(page, pages, rules)
    page.context.close()

    documents = {path.stem for path in (PROJECT / "docs").glob("*.md")}
    assert documents - {*FOR_DEVELOPERS} == {
        path.removeprefix("docs/").removesuffix(".html")
        for path in pages
        if path.startswith("docs/")
    }
    assert len(pages) > 25
    assert found == {}


def test_axe_does_look(browser: Browser, rules: str) -> None:
    """A page with a picture without words for it is found."""
    page = fresh(browser)
    page.set_content(
        "<!doctype html><title>t</title><html lang=en><main><h1>t</h1><img src=data:,></main>"
    )
    page.evaluate(rules)
    found = page.evaluate("axe.run(document).then(r => r.violations.map(v => v.id))")
    page.context.close()

    assert "image-alt" in found


@pytest.mark.parametrize(
    ("hosted", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)]
)
def test_the_hosted_workflow_does_not_do_without_axe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hosted: str, outcome: type[BaseException]
) -> None:
    """Tests without axe-core are skipped visibly; in the hosted workflow they fail."""
    monkeypatch.setenv("GITHUB_ACTIONS", hosted)
    monkeypatch.setitem(globals(), "AXE", tmp_path / "none")

    with pytest.raises(outcome, match="run scripts/axe"):
        rules.__wrapped__()  # type: ignore[attr-defined]


# ---------------------------------------------------------------- hostile text

WATCH = """() => {
    window.broken = [];
    document.addEventListener("securitypolicyviolation", e => window.broken.push(e.violatedDirective + " " + e.blockedURI));
}"""
LOOK = r"""() => {
    const all = [...document.querySelectorAll("*")], words = document.body.textContent;
    const made = "img, iframe, object, embed, math, base, style, form[action^=http], [srcdoc], [style]";
    return {
        pwned: window.pwned ?? null,
        broken: window.broken,
        reach: document.documentElement.scrollWidth,
        scripts: [...document.scripts].filter(s => !/assets\/toolboard[^/]*\.js$/.test(s.src)).length,
        made: all.filter(e => e.matches(made)).length,
        handlers: all.filter(e => [...e.attributes].some(a => a.name.startsWith("on"))).length,
        links: all.filter(e => e.matches("a[href]") && !["file:", "http:", "https:"].includes(new URL(e.getAttribute("href"), location).protocol)).length,
        evaluated: words.includes("49}}"),
        hidden: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.test(words),
    };
}"""
CLEAN: dict[str, Any] = {
    "pwned": None,
    "broken": [],
    "made": 0,
    "handlers": 0,
    "links": 0,
    "evaluated": False,
    "hidden": False,
}
HOSTILE_PAGES = [
    "index.html",
    "all/index.html",
    "suites/tools/index.html",
    "suites/acting/index.html",
    "suites/tools/tool_selection.html",
    "suites/match/index.html",
    "suites/match/parallel_function.html",
    "maps/match/parallel_function.html",
    "cases/match/parallel_function_0.html",
    "submissions/greatest.html",
    "submissions/least.html",
    "compare/index.html?a=greatest&b=least&suite=match",
    "suites/acting/desk.html",
    "suites/acting/look.html",
    "cases/tools/A001~*.html",
    "cases/tools/A-3*.html",
    "cases/tools/C001.html",
    "cases/acting/desk_1.html",
    "cases/acting/desk_2.html",
    "cases/acting/look_1.html",
    "submissions/hostile.html",
    "answers/hostile.html",
    "submissions/model-c.html",
    "compare/index.html",
    "compare/index.html?a=hostile&b=model-a&suite=tools",
    "compare/tools/hostile--least.html",
    "judges/index.html",
    "judges/embedded-1.html",
    "health/index.html",
    "health/tools.html",
    "history/index.html",
    f"history/{site_history.SECOND}/index.html",
]


@pytest.mark.parametrize("width", [320, 1440])
def test_hostile_text_is_text(browser: Browser, hostile: Path, width: int) -> None:
    """Nothing in a submission runs, makes an element, violates the policy or breaks the layout.

    No long word and no extreme number or date makes a page scroll sideways.
    """
    page = fresh(browser, width)
    page.add_init_script(f"({WATCH})()")
    heard: list[str] = []

    def refuse(dialog: Dialog) -> None:
        heard.append(dialog.message)
        dialog.dismiss()

    page.on("console", lambda message: heard.append(f"{page.url} {message.text[:200]}"))
    page.on("pageerror", lambda error: heard.append(f"{page.url} {str(error)[:200]}"))
    page.on("dialog", refuse)
    wrong = []
    for path in HOSTILE_PAGES:
        settled(page, Site(hostile, "").page(path, file=True))
        found = page.evaluate(LOOK)
        scripts = 4 if "?a=" in path else 0  # the data of two submissions
        expected = CLEAN | {"reach": width, "scripts": scripts}
        if found != expected:
            wrong.append(
                (path, {key: value for key, value in found.items() if value != expected[key]})
            )
    page.context.close()

    assert heard == []
    assert wrong == []


def test_numbers_in_powers_of_ten_are_sorted_as_numbers(browser: Browser, hostile: Path) -> None:
    """What costs next to nothing comes first, what costs beyond all comes last."""
    page = fresh(browser)
    page.goto((hostile / "index.html").as_uri())
    page.click("th[data-k=cost] button")
    costs = page.evaluate("""() => [...document.querySelectorAll("#board tbody.rows td.c-cost")]
        .filter(c => c.offsetParent).map(c => c.textContent)""")
    page.context.close()
    told = [cost for cost in costs if cost not in ("", "—")]

    assert told[0] == "4.9e-321"
    assert told[-1] == "1.0e303"
    assert len(told) > 2


def test_hostile_text_can_be_read(browser: Browser, hostile: Path) -> None:
    """What is hostile is shown, not swallowed: markup as written, hidden characters as numbers."""
    page = fresh(browser)
    page.goto((hostile / "submissions" / "hostile.html").as_uri())
    shown = page.inner_text("main")
    page.context.close()

    assert "<script>window.pwned=1</script>" in shown
    assert "⟨U+202E⟩" in shown
    assert "{{ 7*7 }}" in shown


def test_long_words_do_not_make_pages_heavy(hostile: Path) -> None:
    """A name of 100 KB is in full on its own page only. Lists, rankings and titles cut it."""
    heavy = {
        path.relative_to(hostile).as_posix(): len(gzip.compress(path.read_bytes(), 6))
        for path in hostile.rglob("*.html")
        if "W" * 3001 in path.read_text(encoding="utf-8")
    }

    assert {path.split("/")[0] for path in heavy} <= {"submissions", "cases"}
    assert max(heavy.values(), default=0) <= 200_000
