"""The pages of pairs, and the page that compares any two, with its data and its script."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Browser, Page, Route

from leaderboard.board.comparison import Comparison
from leaderboard.types import Records, Suite
from scoring.statistics.intervals import Interval
from scoring.tables.one_pair import Comparer, comparer
from site_templates import builder, formatting
from site_templates.board import Board
from site_templates.board_index import index_board
from site_templates.links import paths
from site_templates.pages.compare_page import compare_page
from site_templates.parts.answers.case_answers import brief
from site_templates.parts.pairs.comparison_words import counting_rule, verdict_in_words
from site_templates.parts.pairs.pair_pages import all_pairs
from tests.scoring.verdict_tables import suite as small_suite
from tests.scoring.verdict_tables import verdicts
from tests.site_templates import site_board, site_crowd
from tests.site_templates.rendered import file_of, render, small_site
from tests.site_templates.site_html import Html, Pages, pages, parse

ASSETS = Path(builder.__file__).parent / "assets"
SCRIPTS = (ASSETS / "toolboard.js", ASSETS / "toolboard-compare.js")


@cache
def rendered() -> dict[str, bytes]:
    return small_site()


@cache
def site() -> Pages:
    return pages(
        {path: content for path, content in rendered().items() if path.startswith("compare/")}
    )


def cells(page: Html) -> list[str]:
    """The texts of the table of differences, with blanks in one."""
    return [" ".join(e.text.split()) for e in page.all("td") + page.all("th")]


# ---------------------------------------------------------------- pages


def test_submissions_are_compared_with_neighbours_and_informative_baselines() -> None:
    """Pairs are neighbours, then baselines that pass some cases. At most three per submission."""
    indexed = index_board(site_board.board())
    found = {suite: [(a.id, b.id) for a, b in pairs] for suite, pairs in all_pairs(indexed).items()}

    assert found["match"] == [
        ("model-a", "model-b"),
        ("model-a", "keyword"),
        ("model-a", "silent"),
        ("model-b", "keyword"),
        ("model-b", "silent"),
    ]
    assert ("model-a", "model-b") in found["tools"]
    assert all("oracle" not in pair for pairs in found.values() for pair in pairs)
    for suite, pairs in found.items():
        assert len(pairs) <= 3 * sum(not s.is_baseline for s in indexed.takers(suite))


def test_a_board_of_baselines_compares_baselines() -> None:
    """On a board of baselines each stands beside the next."""
    found = all_pairs(index_board(site_board.board(baselines_only=True)))

    assert [(a.id, b.id) for a, b in found["match"]] == [
        ("oracle", "keyword"),
        ("keyword", "silent"),
    ]


@pytest.mark.large
def test_a_large_field_is_compared_with_neighbours_alone() -> None:
    """With more than 200 submissions, only the first 200 pairs get a page."""
    board = site_crowd.crowd(210)
    indexed = index_board(board)
    [pairs] = [pairs for suite, pairs in all_pairs(indexed).items() if suite == "more"]

    assert len(pairs) == 200


def test_a_page_says_what_lb_compare_says() -> None:
    """Counts, difference, interval, p-value and words are those of scoring.tables.one_pair."""
    board = site_board.board()
    found = board.comparisons["match"].compare("model-a", "model-b")
    page = site()["compare/match/model-a--model-b.html"]
    numbers = [
        e.text
        for e in page.all("b")
        if e.attributes.get("data-t") in {"both", "first", "second", "neither"}
    ]
    whole = found.whole

    assert [
        str(n) for n in (whole.both, whole.only_first, whole.only_second, whole.neither)
    ] == numbers
    assert f"{verdict_in_words(whole)}." in page.text.replace("\u00a0", " ")
    assert page.all("a", href="../../docs/methodology.html")
    assert "lb compare model-a model-b --suite match" in page.text
    assert f"Only A right {whole.only_first} cases" in " ".join(page.text.split())


def test_a_pair_that_cannot_be_compared_names_no_test() -> None:
    """A row without the name of a test would be an empty link and half a sentence."""
    tested = {
        "cannot be compared" in page.text: "Test" in [e.text for e in page.all("dt")]
        for path, page in site().items()
        if path != "compare/index.html"
    }

    assert tested == {True: False, False: True}


def test_the_band_of_the_whole_suite_is_in_its_row_alone() -> None:
    """What is hard to detect on all cases says nothing about a category."""
    html = rendered()["compare/match/model-a--model-b.html"].decode()
    rows = [row for row in html.split("<tr") if 'class="iv"><svg' in row and "<use" in row]

    assert len(rows) == 3
    assert ['class="band"' in row for row in rows] == [True, False, False]
    assert html.count('class="band"') == 1


@pytest.mark.large
def test_pages_mark_what_the_test_finds_and_name_intervals_that_disagree() -> None:
    """The interval is an approximation. It may include 0 where the ranks find a difference."""
    given = site_board.board()
    comparisons = given.comparisons["match"]

    def compare(first: str, second: str) -> Comparison:
        found = comparisons.compare(first, second)
        whole = replace(found.whole, difference=0.2, p=0.006, low=-0.1, high=0.5)
        return replace(found, whole=whole)

    changed = {**given.comparisons, "match": replace(comparisons, compare=compare)}
    board = replace(given, comparisons=changed)
    pair = file_of(board, "compare/match/model-a--model-b.html")
    said = "A is ahead by 20.0 points (−10.0 to 50.0), p = 0.006, although its approximate"
    listed = file_of(board, "compare/index.html").decode().split("<section")
    [match] = [part for part in listed if "compare/match/" in part]

    assert said in parse(pair).text.replace("\u00a0", " ").replace("\u202f", " ")
    assert 'class="n sc sure"><b>+20.0</b>' in pair.decode()
    assert "one can include 0 although p is below 0.05" in pair.decode()
    assert match.count('class="n best"') == match.count("compare/match/")
    assert "It can include 0 although p is below 0.05" in match


def test_a_page_explains_trials_and_part_scores() -> None:
    """The rule is explained only if some case has part of a score or several trials."""
    board = site_board.board()
    plain, graded = (
        board.comparisons[suite].compare("model-a", "model-b") for suite in ("match", "acting")
    )

    assert counting_rule(plain) == ""
    assert "counts as passed, or right" not in site()["compare/match/model-a--model-b.html"].text
    assert bool(counting_rule(graded)) == (
        "counts as passed, or right" in site()["compare/acting/model-a--model-b.html"].text
    )


def with_trials() -> Board:
    """The small board. Model A has two trials on `match`; every third second trial fails."""
    given = site_board.board()
    mine = given.results.verdicts.filter(submission="model-a", suite="match").with_columns(
        trial=pl.lit(2, dtype=pl.Int32)
    )
    wrong = pl.int_range(pl.len()) % 3 == 0
    again = mine.with_columns(
        outcome=pl.when(wrong).then(pl.lit("fail")).otherwise("outcome"),
        score=pl.when(wrong).then(0.0).otherwise("score"),
    )
    verdicts_ = pl.concat([given.results.verdicts, again])
    comparisons = {**given.comparisons, "match": site_board.compared(verdicts_, given.suites[0])}
    sent = given.records["model-a", "match"]
    records = {
        **given.records,
        ("model-a", "match"): Records.of([*sent, *(r._replace(trial=2) for r in sent)]),
    }
    return site_board.changed(given, verdicts=verdicts_, comparisons=comparisons, records=records)


@pytest.mark.large
def test_a_page_with_trials_explains_what_counts_as_passed() -> None:
    """The words of the comparison stand on the page, before the cases that one alone passes."""
    board = with_trials()
    found = board.comparisons["match"].compare("model-a", "model-b")
    page = parse(file_of(board, "compare/match/model-a--model-b.html"))
    [said] = [
        " ".join(e.text.split()) for e in page.all("p", class_="said") if "scored trial" in e.text
    ]

    assert found.trials == (2, 1)
    assert " ".join(counting_rule(found).split()) in said
    assert said.index("scored trial") < said.index("by only one of them")


def test_a_page_names_the_answers_and_the_reasons() -> None:
    """Each case has both answers, their verdicts, and the words and codes of the reasons."""
    page = site()["compare/tools/model-a--model-b.html"]
    rows = [" ".join(e.text.split()) for e in page.all("tr")]
    [row] = [row for row in rows if row.startswith("A001")]

    assert row == (
        "A001Tool selection Wake me at half past seven. "
        'pass: set_alarm(time="7:30", label="Rise")judged equal in meaning judge_equivalent '
        'fail: set_alarm(time="19:30", snooze=true)wrong value wrong_value'
    )


def test_a_long_list_says_how_much_is_left_and_where() -> None:
    """The first cases are shown. For the others there is a link and a command."""
    page = site()["compare/match/model-a--silent.html"]
    [first, *_] = [e.text for e in page.all("td") if "more case" in e.text]
    link = page.all("a", href="../../compare/index.html?a=model-a&b=silent&suite=match#only-a")

    assert first.startswith("28 more cases: show all of them")
    assert len(link) == 1


def test_names_of_pairs_do_not_collide() -> None:
    """Two hyphens in an id do not make one name for two pairs."""
    board = site_board.board()
    found = paths(board)
    made = type(found)(
        **{name: getattr(found, name) for name in type(found).__slots__}
        | {"submissions": {name: name for name in ("a", "b", "a--b", "b--c", "c", "a-", "-b")}}
    )
    names = {
        made.pair("match", a, b)
        for a, b in (("a", "b--c"), ("a--b", "c"), ("a-", "b"), ("a", "-b"), ("a", "b"))
    }

    assert len(names) == 5


def test_answers_fit_on_one_line() -> None:
    """Calls with their arguments, words in quotes, and nothing where there is nothing."""
    board = site_board.board()
    [record] = [r for r in board.records["model-a", "tools"] if r.response.case_id == "A002"]

    assert brief(None) == ""
    assert brief(record.response) == 'find_route(start="harbour", end="New mill")'


def test_the_json_beside_a_page_holds_the_comparison() -> None:
    """All numbers of the comparison, and the cases that one alone passes."""
    board = site_board.board()
    data = json.loads(rendered()["data/compare/match/model-a--model-b.json"])
    found = board.comparisons["match"].compare("model-a", "model-b")

    assert data["whole"] == asdict(found.whole)
    assert data["categories"] == [asdict(line) for line in found.categories]
    assert len(data["cases"]["first"]) == found.whole.only_first
    assert data["schema"] == 1


def test_script_files_hold_the_passes_as_bits() -> None:
    """Four cases in a hexadecimal digit, the first in its lowest bit."""
    passes = site_board.board().comparisons["match"].passes["model-a"]
    script = rendered()["data/compare/match/model-a.js"].decode()

    digits = json.loads(script.partition("(")[2].rpartition(")")[0])["passed"]
    bits = [bool(int(digits[place // 4], 16) >> place % 4 & 1) for place in range(len(passes))]
    assert [passed is True for passed in passes] == bits
    assert {True, False} == {*bits}


@pytest.mark.large
def test_script_files_stay_small() -> None:
    """The data of one submission takes less than ten bytes per case, plus a fixed part."""
    files = render(site_crowd.crowd(12))
    sizes = [
        len(content)
        for path, content in files.items()
        if path.startswith("data/compare/bench/s") and path.endswith(".js")
    ]
    cases = sum(site_crowd.CATEGORIES.values())

    assert sizes
    assert max(sizes) < 450 + 10 * cases


@pytest.mark.large
def test_without_two_submissions_on_a_suite_there_is_nothing_to_compare() -> None:
    """No page, no data and no entry in the navigation."""
    files = render(site_board.board(sent_in=("model-a",)))

    assert [
        path
        for path in files
        if "compare" in path and not path.startswith(("assets/", "data/schemas/"))
    ] == []
    assert b"Compare</a>" not in files["index.html"]


# ---------------------------------------------------------------- the script


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site on disk."""
    out = tmp_path_factory.mktemp("compare") / "site"
    builder.build(site_board.board(), out)
    return out


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    return page


def adjusted_wald(differences: Sequence[float]) -> Interval:
    """The interval of Bonett and Price: the two pseudo-cases are two more differences."""
    sample = [*differences, 1.0, -1.0]
    reach = 1.96 * math.sqrt(pvariance(sample) / len(sample))
    return max(-1.0, fmean(sample) - reach), min(1.0, fmean(sample) + reach)


def expected_intervals(found: Comparison, made: Comparer) -> list[Interval]:
    """The intervals that the script should give: of the whole suite, then of each category."""
    levels = zip(made.levels("m1"), made.levels("m2"), strict=True)
    intervals: list[Interval] = []
    down: list[float] = []
    up: list[float] = []
    total = sum(category.weight for category in made.suite.categories)
    for line in found.categories:
        pairs = islice(levels, line.cases)
        own = [(a - b) / made.bits.scale for a, b in pairs if a is not None and b is not None]
        if line.unscored:
            intervals.append((math.nan, math.nan))
            continue
        low, high = adjusted_wald(own)
        intervals.append((low, high))
        weight = made.suite.category(line.category).weight / total
        if line.difference is not None:
            down.append(weight * (line.difference - low))
            up.append(weight * (high - line.difference))

    # Categories are combined under all weights, also under those in proportion to the cases.
    difference = found.whole.difference or 0.0
    whole = difference - math.hypot(*down), difference + math.hypot(*up)
    return [whole, *intervals]


def side(made: Comparer, submission: str) -> list[dict[str, int | bool | None]]:
    """The cases of a submission as the script takes them."""
    cases = zip(made.levels(submission), made.passes(submission), strict=True)
    return [{"level": level, "passed": passed} for level, passed in cases]


def marks(chance: random.Random, number: int, skill: float, kind: str) -> Any:
    """Random marks of one category: passes and fails, trials, part scores, some unscored."""

    def mark() -> str:
        return "+" if chance.random() < skill else "-"

    if kind == "trials":
        return ["".join(mark() for _ in range(3)) for _ in range(number)]
    if kind == "parts":
        return [round(chance.random() * 4) / 4 for _ in range(number)]
    if kind == "gaps":
        return ["?" if chance.random() < 0.15 else mark() for _ in range(number)]
    return [mark() for _ in range(number)]


SHAPES: dict[str, Suite] = {
    "one": small_suite("s", a=(40, 1.0)),
    "tiny": small_suite("s", a=(1, 1.0), b=(2, 3.0)),
    "alike": small_suite("s", a=(60, 60.0), b=(20, 20.0)),
    "weighed": small_suite("s", a=(30, 1.0), b=(12, 2.0), c=(9, 1.5)),
    "wide": small_suite("s", a=(400, 1.0), b=(300, 2.0), c=(200, 0.3)),
}


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["plain", "gaps", "trials", "parts"])
def test_the_script_counts_as_lb_compare_and_gives_the_interval_of_its_source(
    browser: Browser, kind: str
) -> None:
    """Counts, scores and differences agree, for suites of many shapes and every skill."""
    chance = random.Random(kind)
    page = browser.new_page()
    for script in SCRIPTS:
        page.add_script_tag(content=script.read_text(encoding="utf-8"))
    compared = 0
    for suite in SHAPES.values():
        for skills in ((0.5, 0.5), (0.9, 0.4), (1.0, 1.0), (0.0, 1.0), (0.62, 0.55)):
            made = comparer(answers_of_two(chance, suite, skills, kind), suite, "correct")
            expected = made.compare("m1", "m2")
            given = {
                "scale": made.bits.scale,
                "bounded": made.bits.bounded,
                "categories": [["", "", "", c.weight, len(c.cases)] for c in suite.categories],
            }
            found = page.evaluate(
                "([suite, a, b]) => toolboardCompare(suite, a, b)",
                [given, side(made, "m1"), side(made, "m2")],
            )
            actual_lines = [found["whole"], *found["lines"]]
            intervals = expected_intervals(expected, made)
            for line, actual, interval in zip(expected.lines, actual_lines, intervals, strict=True):
                counts = {"cases": line.shared, "unscored": line.unscored}
                counts |= {"both": line.both, "neither": line.neither}
                counts |= {"first": line.only_first, "second": line.only_second}
                assert {name: actual[name] for name in counts} == counts, line
                if line.difference is None:
                    assert math.isnan(actual["difference"]), line
                    continue
                numbers = (line.first, line.second, line.difference, *interval)
                names = ("meanA", "meanB", "difference", "low", "high")
                assert [actual[name] for name in names] == pytest.approx(numbers, abs=1e-9), line
                compared += 1
    page.close()

    assert compared > (5 if kind == "gaps" else 70)


@pytest.mark.browser
def test_the_script_takes_passes_from_verdicts(browser: Browser) -> None:
    """A full level that is no pass is a score that was rounded."""
    page = browser.new_page()
    for script in SCRIPTS:
        page.add_script_tag(content=script.read_text(encoding="utf-8"))
    given = {"scale": 1, "bounded": True, "categories": [["", "", "", 1.0, 1]]}

    found = page.evaluate(
        "([suite, a, b]) => toolboardCompare(suite, a, b)",
        [given, [{"level": 1, "passed": False}], [{"level": 1, "passed": True}]],
    )

    page.close()
    assert (0, 0, 1) == (found["whole"]["both"], found["whole"]["first"], found["whole"]["second"])


def answers_of_two(
    chance: random.Random, suite: Suite, skills: tuple[float, float], kind: str
) -> pl.DataFrame:
    """Random verdicts of the submissions m1 and m2."""
    frames = []
    for name, skill in zip(("m1", "m2"), skills, strict=True):
        given = {c.id: marks(chance, len(c.cases), skill, kind) for c in suite.categories}
        frames.append(verdicts(name, **given))
    return pl.concat(frames)


@pytest.mark.browser
@pytest.mark.parametrize("made", [site_board.board, with_trials], ids=["plain", "trials"])
def test_the_free_page_shows_the_counts_of_the_page_of_the_pair(
    browser: Browser, tmp_path: Path, made: Callable[[], Board]
) -> None:
    """Counts, scores, differences, identical answers, links and cases are those of the page."""
    read = """() => ({
        counts: ["shared", "both", "first", "second", "neither"]
            .map(key => document.querySelector(`[data-t=${key}]`).textContent),
        identical: [...document.querySelectorAll(".facts dt")]
            .find(dt => dt.textContent.startsWith("Identical")).nextElementSibling.textContent,
        scores: [...document.querySelectorAll("[aria-labelledby=s-where] tbody tr")]
            .map(r => [...r.cells].slice(0, 6).map(c => c.textContent.trim())),
        differences: [...document.querySelectorAll("[aria-labelledby=s-where] tbody tr")]
            .map(r => [...r.cells].filter(c => !c.matches(".iv"))[6].textContent.trim()),
        heads: [...document.querySelectorAll(".dis tbody:not([hidden]) .part")]
            .map(r => r.textContent.trim()),
        links: [...document.querySelectorAll("[aria-labelledby=s-where] th a, [data-h]")]
            .map(a => a.href),
        cases: [...document.querySelectorAll(".dis tbody:not([hidden]) tr:nth-child(2) th a")]
            .map(a => a.href),
    })"""
    board = made()
    builder.build(board, tmp_path / "site")
    page = browser.new_page()
    compared = 0
    for suite, found in all_pairs(index_board(board)).items():
        for first, second in found:
            a, b = first.id, second.id
            page.goto((tmp_path / f"site/compare/{suite}/{a}--{b}.html").as_uri())
            still = page.evaluate(read)
            at = (tmp_path / "site/compare/index.html").as_uri()
            page.goto(f"{at}?a={a}&b={b}&suite={suite}")
            page.wait_for_selector("#pair:not([hidden])")

            assert page.evaluate(read) == still, (a, b, suite)
            compared += 1
    page.close()

    assert compared > 6


@pytest.mark.browser
def test_the_free_page_says_who_is_ahead_and_gives_no_p_value(
    browser: Browser, folder: Path
) -> None:
    """It claims nothing from its approximate interval. It says where the paired test is."""
    page = browser.new_page()
    at = (folder / "compare/index.html").as_uri()
    said = {}
    for a, b in (("model-a", "silent"), ("silent", "model-a"), ("model-a", "model-b")):
        page.goto(f"{at}?a={a}&b={b}&suite=match")
        page.wait_for_selector("#pair:not([hidden])")
        said[a, b] = page.inner_text("[data-t=said]").replace(formatting.NARROW, " ")
        shown = page.inner_text("#pair")

        assert "Bonett and Price (2012)" in shown
        assert "Paired test of these two" in shown
        assert not re.search(r"\bp [<=]|Holm|McNemar", shown)
        assert page.locator("#differences .best").count() == 0
        assert shown.count("lb compare") == 0
    page.close()

    words = r"(.) scores (.+) points more than (.)\. The approximate 95 % interval of A.−.B is .+"
    [(ahead, by, other)] = re.findall(words, said["model-a", "silent"])
    assert (ahead, other) == ("A", "B")
    assert [("B", by, "A")] == re.findall(words, said["silent", "model-a"])


@pytest.mark.browser
def test_the_free_page_says_who_left_cases_unanswered(browser: Browser, tmp_path: Path) -> None:
    """A submission with missing answers or trials is named as on the page of the pair."""
    given = site_board.partial()
    silent = pl.col("reason") == "missing_response"
    here = (pl.col("submission") == "model-a") & (pl.col("suite") == "match")
    lost = here & (pl.col("case_id") == "parallel_function_3")
    again = given.results.verdicts.filter(lost).with_columns(
        trial=pl.lit(2, dtype=pl.Int32),
        reason=pl.lit("missing_response"),
        outcome=pl.lit("fail"),
        score=pl.lit(0.0),
    )
    verdicts_ = pl.concat([given.results.verdicts, again])
    assert verdicts_.filter(silent & lost).height == 1
    builder.build(site_board.changed(given, verdicts=verdicts_), tmp_path / "site")
    page = browser.new_page()
    found = []
    for address in ("match/model-a--model-b.html", "index.html?a=model-a&b=model-b&suite=match"):
        page.goto(f"{(tmp_path / 'site/compare').as_uri()}/{address}")
        page.wait_for_function("document.querySelector('[data-t=answered]').textContent")
        found.append(page.inner_text("[data-t=answered]"))
    page.close()

    assert found == [
        "A: 1 trial missing; B: 53 of 63 answered. What is not answered counts as a fail."
    ] * len(found)


@pytest.mark.browser
def test_a_pair_that_loads_late_does_not_replace_the_chosen_one(
    browser: Browser, folder: Path
) -> None:
    """The last choice is shown, in whatever order the data come."""
    page = browser.new_page()
    held: list[Route] = []
    page.route("**/match/keyword.js", lambda route: held.append(route))  # noqa: PLW0108
    page.goto((folder / "compare/index.html").as_uri())
    for b in ("keyword", "model-b"):
        page.select_option("[name=a]", "model-a")
        page.select_option("[name=b]", b)
        page.select_option("[name=suite]", "match")
        page.click("#pick button")
    page.wait_for_selector("#pair:not([hidden])")
    with page.expect_event("requestfinished"):
        held[0].continue_()
    page.wait_for_timeout(200)
    names = page.inner_text(".two-names")
    page.close()

    assert "Model B" in names


@pytest.mark.browser
@pytest.mark.parametrize("lost", ["match", "match/model-b", "match~answers"])
def test_data_that_do_not_load_are_no_fault_of_a_submission(
    browser: Browser, folder: Path, lost: str
) -> None:
    """The message says that data are missing, and a second attempt can succeed."""
    page = browser.new_page()
    page.route(f"**/compare/{lost}.js", lambda route: route.abort())
    at = (folder / "compare/index.html").as_uri()
    page.goto(f"{at}?a=model-a&b=model-b&suite=match")
    page.wait_for_selector("#lacking:not([hidden])")
    said, hidden = page.inner_text("#lacking"), page.is_hidden("#pair")
    page.unroute(f"**/compare/{lost}.js")
    page.click("#pick button")
    page.wait_for_selector("#pair:not([hidden])")
    page.close()

    assert said == "The data could not be loaded. Compare again."
    assert hidden


@pytest.mark.browser
def test_choosing_two_keeps_them_in_the_address(browser: Browser, folder: Path) -> None:
    """The form compares in place, the address keeps the choice, and Back returns to the last."""
    page = opened(
        browser, f"{(folder / 'compare/index.html').as_uri()}?a=model-a&b=model-b&suite=match"
    )
    page.wait_for_selector("#pair:not([hidden])")
    first = page.inner_text(".two-names")
    page.select_option("[name=b]", "keyword")
    page.click("#pick button")
    page.wait_for_function("document.querySelector('.two-names').textContent.includes('keyword')")
    address = page.url
    page.go_back()
    page.wait_for_function("document.querySelector('.two-names').textContent.includes('Model B')")
    again = page.inner_text(".two-names")
    page.close()

    assert "a=model-a&b=keyword&suite=match" in address
    assert first == again


@pytest.mark.browser
def test_back_to_the_empty_form_hides_the_result(browser: Browser, folder: Path) -> None:
    """Otherwise the result of a pair is below a form that names another."""
    page = opened(browser, (folder / "compare/index.html").as_uri())
    title = page.title()
    page.click("#pick button")
    page.wait_for_selector("#pair:not([hidden])")
    with_result = page.title()
    page.go_back()
    page.wait_for_selector("#pair", state="hidden")
    after = page.title()
    page.close()

    assert with_result != title == after


@pytest.mark.browser
def test_what_cannot_be_compared_promises_no_test(browser: Browser, in_part: Path) -> None:
    """Neither an interval nor a paired test exists for a row that was asked a part."""
    seen = {}
    for other in ("m1", "m2"):
        address = f"{(in_part / 'compare/index.html').as_uri()}?a=m0&b={other}&suite=quiz"
        page = opened(browser, address)
        page.wait_for_selector("#pair:not([hidden])")
        seen[other] = page.inner_text("#pair .pair")
        page.close()

    assert "cannot be compared" in seen["m1"]
    for words in ("Paired test of these two", "Bonett and Price"):
        assert words not in seen["m1"]
        assert words in seen["m2"]


@pytest.mark.browser
def test_what_cannot_be_compared_says_so(browser: Browser, folder: Path) -> None:
    """An absent, an equal and an unknown submission each give a sentence and no numbers."""
    at = (folder / "compare/index.html").as_uri()
    page = opened(browser, f"{at}?a=model-a&b=model-c&suite=match")
    page.wait_for_selector("#lacking:not([hidden])")
    absent = page.inner_text("#lacking")
    page.goto(f"{at}?a=model-a&b=model-a&suite=match")
    page.wait_for_selector("#lacking:not([hidden])")
    twice = page.inner_text("#lacking")
    hidden = page.is_hidden("#pair")
    page.goto(f"{at}?a=nobody&b=model-a&suite=match")
    page.wait_for_selector("#lacking:not([hidden])")
    unknown = page.inner_text("#lacking")
    page.close()

    assert unknown == "This board cannot compare “nobody”."
    assert absent.endswith(" has not taken Match, synthetic.")
    assert twice == "A and B are the same submission: choose two."
    assert hidden


@pytest.mark.browser
def test_more_cases_are_a_click_away(browser: Browser, folder: Path) -> None:
    """A list shows 25 cases, then 25 more, then all; each leads to the page of its case."""
    page = opened(
        browser, f"{(folder / 'compare/index.html').as_uri()}?a=model-a&b=silent&suite=match"
    )
    page.wait_for_selector("#pair:not([hidden])")
    rows = "[data-g=only-a] tr:not(.part, .rest)"
    before = page.locator(rows).count()
    page.click("[data-g=only-a] .rest button")
    after = page.locator(rows).count()
    hidden = page.is_hidden("[data-g=only-a] .rest")
    page.click(f"{rows} >> nth=30 >> a")
    title = page.title()
    page.close()

    assert (before, after, hidden) == (25, 40, True)
    assert title.startswith("parallel_function_")


@pytest.mark.browser
def test_without_javascript_the_pairs_are_listed_and_the_form_is_not_shown(
    browser: Browser, folder: Path
) -> None:
    """What needs the script says so; every pair with a page is a link."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "compare/index.html").as_uri())
    shown = (page.is_visible("#without"), page.is_visible("#pick"), page.is_visible("#pair"))
    page.click("text=Model A and Model B >> nth=0")
    title = page.title()
    context.close()

    assert shown == (True, False, False)
    assert title.startswith("Model A and Model B on ")


@pytest.mark.browser
def test_the_form_leads_to_the_exact_test(browser: Browser, folder: Path) -> None:
    """To the page of the pair in either order, or to the command if there is none."""
    page = browser.new_page()
    at = (folder / "compare/index.html").as_uri()
    found = []
    for a, b in (("model-a", "model-b"), ("model-b", "model-a"), ("oracle", "silent")):
        page.goto(f"{at}?a={a}&b={b}&suite=match")
        page.wait_for_selector("#pair:not([hidden])")
        link = page.locator("#has-exact a")
        found.append(link.evaluate("link => link.href") if link.is_visible() else None)
        shown = page.locator("#no-exact").is_visible()
        assert shown == (found[-1] is None)
    command = page.inner_text("#no-exact")
    commands = page.inner_text("#pair").count("lb compare oracle silent")
    page.close()

    assert commands == 1

    pair = (folder / "compare/match/model-a--model-b.html").as_uri()
    assert found == [pair, pair, None]
    assert (
        command
        == "Paired test of these two: lb compare oracle silent --suite match in the terminal."
    )


@pytest.mark.browser
def test_the_free_page_gives_the_reason_of_the_page_of_the_pair(
    browser: Browser, folder: Path
) -> None:
    """One unscored case is enough that two cannot be compared."""
    said = []
    for path in ("acting/model-a--model-b.html", "index.html?a=model-a&b=model-b&suite=acting"):
        page = opened(browser, f"{(folder / 'compare').as_uri()}/{path}")
        page.wait_for_selector("#pair:not([hidden]), .pair:not(#pair *)")
        said.append(page.inner_text("[data-t=said]"))
        page.close()

    assert said == ["A and B cannot be compared: 1 case without a score for one of them."] * 2


@pytest.mark.browser
def test_unscored_cases_are_offered_only_if_there_are_any(browser: Browser, folder: Path) -> None:
    """A link to them would otherwise lead to an empty table."""
    page = browser.new_page()
    at = (folder / "compare/index.html").as_uri()
    offered = {}
    for suite in ("match", "acting"):
        page.goto(f"{at}?a=model-a&b=model-b&suite={suite}")
        page.wait_for_selector("#pair:not([hidden])")
        offered[suite] = page.is_visible("a[href='#unscored']")
    page.close()

    assert offered == {"match": False, "acting": True}


def test_the_menu_is_sorted_by_name_with_baselines_last() -> None:
    """The names that it shows, whatever the suites that they have taken."""
    page = parse(small_site()["compare/index.html"])
    names = [e.text for e in page.all("option")]
    submissions, baselines = names[:3], names[3:6]

    assert submissions == sorted(submissions, key=str.casefold)
    assert [name[:7] for name in submissions] == ["Model A", "Model B", "Model C"]
    assert baselines == ["keyword", "oracle", "silent"]


@pytest.mark.large
def test_only_lists_with_baselines_mention_them() -> None:
    """A board of baselines compares each with the next, not models with baselines."""
    words = "and with baselines that pass some cases"
    full, alone = (site_board.board(baselines_only=only) for only in (False, True))

    assert words in parse(file_of(full, "compare/index.html")).text
    assert words not in parse(file_of(alone, "compare/index.html")).text


def test_the_form_opens_on_the_two_best_of_the_first_suite() -> None:
    """Models come before baselines, whatever their scores and names."""
    form = small_site()["compare/index.html"]

    assert b'data-a="model-a" data-b="model-b"' in form


@pytest.mark.large
def test_without_a_pair_the_form_opens_on_two_of_its_choices() -> None:
    """The best of the suite may have nothing that can be compared."""
    board = site_board.board()
    without = {}
    for suite, comparisons in board.comparisons.items():
        levels = {name: its for name, its in comparisons.levels.items() if name != "model-a"}
        without[suite] = replace(comparisons, levels=levels)
    index = index_board(replace(board, comparisons=without))
    page = compare_page(index, {suite.id: () for suite in board.suites})
    offered = {value for value, _ in page.choices}

    assert index.takers(board.suites[0].id)[0].id == "model-a"
    assert {page.first, page.second} <= offered
