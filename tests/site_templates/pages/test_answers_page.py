"""The list of a submission's answers: every number leads to exactly its cases."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from site_templates import builder
from site_templates.board_index import BoardIndex, index_board
from site_templates.links import fragment
from site_templates.pages.answers_page import AnswersPage, answers_page
from tests.site_templates import site_board
from tests.site_templates.rendered import small_site
from tests.site_templates.site_browser import open_page
from tests.site_templates.site_html import parse, target


@cache
def index() -> BoardIndex:
    return index_board(site_board.board())


@cache
def listed(submission: str) -> AnswersPage:
    (found,) = [s for s in index().submissions if s.id == submission]
    return answers_page(index(), found)


def lines(submission: str, address: str) -> int:
    """How many answers the part of the list has that an address names."""
    _, suite, category, verdict, decider, *_ = [*address.split("/"), "", "", "", ""]
    total = 0
    for it in (it for part in listed(submission).suites for it in part.categories):
        whole = it.anchor.startswith(f"{fragment(suite)}/")
        here = it.anchor == fragment(suite, category) if category else whole
        for one in it.lists if here else ():
            if verdict in ("", one.outcome, one.reason) and decider in ("", one.decided_by):
                total += len(one.lines)
    return total


def test_every_answer_is_listed_once() -> None:
    """Passes, fails and unscored answers of all trials."""
    for submission in index().submissions:
        page = listed(submission.id)
        paths = [
            (line.path, line.anchor)
            for suite in page.suites
            for it in suite.categories
            for one in it.lists
            for line in one.lines
        ]
        suites = index().board.suites
        sent = sum(len(index().sent(submission.id, suite.id)) for suite in suites)
        assert len(paths) == len(set(paths)) == sent == page.total


@pytest.mark.large
def test_b5_every_line_leads_to_the_answer_of_the_submission() -> None:
    """The address has an anchor on the page of the case, within an answer or beside its name."""
    for path, content in small_site().items():
        if not path.startswith("answers/"):
            continue
        for link in parse(content).links():
            found = target(path, link)
            if found and found[0].startswith("cases/"):
                assert found[1].startswith("by-")
                assert found[1] in parse(small_site()[found[0]]).ids


@pytest.mark.parametrize("page", ["submissions/model-a.html", "submissions/model-b.html"])
def test_b5_numbers_of_mistakes_and_judged_answers_open_as_many_cases(page: str) -> None:
    """The number in a link is the number of answers that its address shows."""
    submission = page.removeprefix("submissions/").removesuffix(".html")
    counted = 0
    for link in parse(small_site()[page]).all("a", class_="q"):
        path, _, address = link.attributes["href"].removeprefix("../").partition("#")
        if path.startswith("answers/") and link.text.isdigit() and address.count("/") == 3:
            assert int(link.text) == lines(submission, address)
            counted += 1
    assert counted > 1


@pytest.mark.large
@pytest.mark.parametrize("page", ["index.html", "suites/tools/index.html", "all/index.html"])
def test_b5_numbers_of_a_ranking_lead_to_their_cases(page: str) -> None:
    """Score, category, rank and judged share; their addresses exist on the page of the list."""
    addresses = {
        found
        for link in parse(small_site()[page]).links()
        if (found := target(page, link)) and found[0].startswith("answers/")
    }
    assert len(addresses) > 5
    for path, address in addresses:
        assert not address or address in parse(small_site()[path]).ids
    if page == "suites/tools/index.html":
        assert any(address.endswith("//judge") for _, address in addresses)


# ---------------------------------------------------------------- in the browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    builder.build(site_board.board(), folder)
    return folder


def visible(page: Page) -> int:
    shown = "lines => lines.filter(line => line.offsetParent).length"
    return int(page.locator("#answers li").evaluate_all(shown))


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
def test_an_address_shows_exactly_its_cases(browser: Browser, site: Path, script: bool) -> None:
    """Of a suite, a category, an outcome, a reason or a decider."""
    page = open_page(browser, 1280, script=script)
    name = "model-a"
    spots = [
        spot
        for suite in listed(name).suites
        for spot in (
            suite.anchor,
            *(anchor for anchor, _ in suite.picks),
            *(anchor for it in suite.categories for anchor in (it.anchor, *dict(it.picks))),
        )
    ]
    assert len(spots) > 20
    for spot in spots:
        page.goto("about:blank")
        page.goto(f"{(site / f'answers/{name}.html').as_uri()}#{spot}")
        assert visible(page) == lines(name, spot), spot
    page.get_by_role("link", name="Show all answers").click()
    assert visible(page) == listed(name).total
    page.context.close()


@pytest.mark.browser
def test_from_the_first_page_to_the_reason_of_a_failure_in_two_clicks(
    browser: Browser, site: Path
) -> None:
    """A score opens the list. A line of it opens the answer, marked and with its reason."""
    page = open_page(browser, 1280)
    page.goto((site / "index.html").as_uri())
    row = page.locator("#board tr", has=page.get_by_role("link", name="Model A", exact=True))
    row.locator("td.sc a").click()
    page.locator(".same.kf li a").first.click()

    answer = page.locator(".ans:has(:target)")
    answer.wait_for()
    assert "/cases/" in page.url
    assert "fail" in answer.inner_text()
    assert answer.locator(".say").inner_text()
    page.context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("part", ["in/tools/tool_selection", "in/match//fail"])
def test_the_filters_are_in_view_above_a_part_of_the_list(
    browser: Browser, site: Path, part: str, width: int
) -> None:
    """A reader who follows a number sees which answers the list shows."""
    page = open_page(browser, width)
    page.goto(f"{(site / 'answers/model-a.html').as_uri()}#{part}")
    box = page.locator("#filter").bounding_box()
    page.context.close()

    assert box is not None
    assert 0 <= box["y"] < 900 - box["height"]


@pytest.mark.browser
def test_filters_offer_only_what_the_list_has(browser: Browser, site: Path) -> None:
    """Outcomes, and who decided: a choice only if both a rule and a judge did."""
    page = open_page(browser, 1280)
    offered = {}
    for name in ("model-a", "oracle"):
        page.goto((site / f"answers/{name}.html").as_uri())
        outcomes = page.locator("[name=verdict] option").all_text_contents()
        offered[name] = ("unscored" in outcomes, page.is_visible("[name=by]"))
    page.context.close()

    assert offered == {"model-a": (True, True), "oracle": (False, False)}


@pytest.mark.browser
def test_the_address_keeps_the_search(browser: Browser, site: Path) -> None:
    """Beside the filters, as on a ranking."""
    page = open_page(browser, 1280)
    page.goto((site / "answers/model-a.html").as_uri() + "#in/tools")
    page.get_by_label("Find a case").fill("half past seven")
    page.wait_for_function("location.search + location.hash === '?q=half%20past%20seven#in/tools'")
    page.reload()
    assert visible(page) == 1
    page.context.close()


def test_a_category_says_how_many_answers_passed() -> None:
    """In numbers of answers, beside the score."""
    page = parse(small_site()["answers/model-a.html"])
    heads = [" ".join(e.text.split()) for e in page.all("h3")]

    assert "Parallel calls 40 of 60 passed, score 66.7 %" in heads


@pytest.mark.browser
def test_a_list_can_be_searched_and_filtered(browser: Browser, site: Path) -> None:
    """By words of the question and by verdict. The address keeps the filters."""
    page = open_page(browser, 360)
    page.goto((site / "answers/model-a.html").as_uri())
    page.get_by_label("Find a case").fill("half past seven")
    assert visible(page) == 1
    page.get_by_label("Find a case").fill("no case asks this")
    assert "No verdict matches" in page.locator("#found").inner_text()
    page.get_by_label("Find a case").fill("")
    page.get_by_label("Verdict").select_option("fail")
    assert page.url.endswith("#in///fail")
    page.reload()
    assert 0 < visible(page) < listed("model-a").total
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.context.close()
