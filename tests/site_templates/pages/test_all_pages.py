"""Every page of the site: whole, linked, safe, and saying what the board says."""

from __future__ import annotations

import dataclasses
import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from urllib.parse import urlsplit

import polars as pl
import pytest

from leaderboard.rank_status_words import JUDGE_NOT_VALIDATED
from leaderboard.site_look import Logo, SiteLook
from leaderboard.types import Records
from site_templates import formatting
from site_templates.board import Board
from site_templates.board_index import index_board
from site_templates.page_frame import commands
from site_templates.pages import index_page
from site_templates.pages.category_page import category_page
from site_templates.pages.submission_page import submission_page
from site_templates.parts.judge_counts import count_verdicts
from tests.site_templates import site_board, site_crowd
from tests.site_templates.rendered import (
    baselines_site,
    file_of,
    files_of,
    render,
    small_pages,
    small_site,
)
from tests.site_templates.site_html import Html, Pages, pages, parse, target

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'"
)
# The page for unknown addresses, and the table that other sites show.
ALONE = ("404.html", "embed/index.html")
CSP_NAME = "Content-Security-Policy"
BOARDS = {"full": site_board.board(), "baselines": site_board.board(baselines_only=True)}


def rendered(name: str) -> dict[str, bytes]:
    return {"full": small_site, "baselines": baselines_site}[name]()


@cache
def parsed(name: str) -> Pages:
    return small_pages() if name == "full" else pages(rendered(name))


@pytest.fixture(params=list(BOARDS))
def files(request: pytest.FixtureRequest) -> dict[str, bytes]:
    """The files of a site: of a board with models, and of one with baselines alone."""
    return rendered(request.param)


@pytest.fixture
def site(files: dict[str, bytes]) -> Pages:
    """All pages that have the frame of the site. The one for unknown addresses may be alone."""
    found = parsed(next(name for name in BOARDS if rendered(name) is files))
    return {path: page for path, page in found.items() if path not in ALONE}


@pytest.fixture
def full() -> Pages:
    """The pages of the board with models."""
    return parsed("full")


@pytest.fixture
def baselines() -> Pages:
    """The pages of the board that nobody has sent a model to."""
    return parsed("baselines")


# ---------------------------------------------------------------- every page


@pytest.mark.large
def test_every_kind_of_page_is_there(files: dict[str, bytes]) -> None:
    """A site has every kind of page, the downloads, and the page for unknown addresses."""
    expected = {
        ".nojekyll",
        "404.html",
        "index.html",
        "suites/index.html",
        "suites/match/index.html",
        "suites/tools/clarifying.html",
        "cases/match/relevance_0.html",
        "submissions/oracle.html",
        "judges/index.html",
        "judges/embedded-1.html",
        "docs/methodology.html",
        "data/scores.json",
        "data/scores.csv",
        "data/scores.parquet",
        "data/verdicts.csv",
        "data/verdicts.parquet",
        "data/usage.csv",
        "data/usage.json",
        "data/manifest.json",
        "data/suites/match.json",
        "data/cases/match/relevance_0.json",
        "data/submissions/oracle.json",
        "toolboard.json",
    }

    assert expected - files.keys() == set()


@pytest.mark.large
def test_pages_are_well_formed(site: Pages) -> None:
    """Every element is closed where it was opened, no attribute stands twice."""
    assert {path: page.faults for path, page in site.items() if page.faults} == {}


@pytest.mark.large
def test_every_page_has_its_frame(site: Pages) -> None:
    """Each page has a title, description, language, one h1, one main and a skip link."""
    for path, page in site.items():
        counts = {tag: len(page.all(tag)) for tag in ("title", "h1", "main", "footer", "html")}
        assert counts == dict.fromkeys(counts, 1), path
        assert page.all("html", lang="en"), path
        assert page.all("title")[0].text.strip(), path
        assert page.all("h1")[0].text.strip(), path
        assert page.all("meta", name="description")[0].attributes["content"], path
        assert page.all("a", class_="skip", href="#main"), path
        assert page.all("main", id="main"), path
        assert page.all("nav"), path


def test_titles_tell_pages_apart(site: Pages) -> None:
    """No two pages have one title."""
    titles = [page.all("title")[0].text for page in site.values()]

    assert len(titles) == len(set(titles))


@pytest.mark.large
def test_every_link_leads_to_a_file_and_a_place_in_it(files: dict[str, bytes], site: Pages) -> None:
    """Every link inside the site leads to an existing file, and its fragment to an id there."""
    broken = []
    for path, page in site.items():
        for link in page.links():
            found = target(path, link)
            if found is None:
                continue
            file, fragment = found
            if file not in files or (fragment and fragment not in site[file].ids):
                broken.append((path, link))

    assert broken == []


def test_no_link_is_a_placeholder_or_leaves_the_relative(site: Pages) -> None:
    """No link is empty, "#" or absolute, so the site works below any path and from a folder."""
    for path, page in site.items():
        for link in page.links():
            assert link not in ("", "#"), path
            assert not link.startswith("/"), (path, link)


def test_ids_are_unique(site: Pages) -> None:
    """No id stands twice on a page."""
    for path, page in site.items():
        assert len(page.ids) == len(set(page.ids)), path


@pytest.mark.large
def test_labels_name_what_exists(site: Pages) -> None:
    """aria-labelledby and the shapes that <use> draws name ids of the same page."""
    for path, page in site.items():
        named = [
            e.attributes["aria-labelledby"]
            for e in page.elements
            if "aria-labelledby" in e.attributes
        ]
        used = [e.attributes["href"].removeprefix("#") for e in page.all("use")]
        filled = [
            m
            for e in page.elements
            for m in re.findall(r"url\(#(\w+)\)", e.attributes.get("fill", ""))
        ]

        assert set(named + used + filled) - set(page.ids) == set(), path


@pytest.mark.large
def test_pages_carry_the_policy_and_nothing_it_forbids(site: Pages) -> None:
    """Every page has the strict policy, nothing inline, and no request to another host."""
    for path, page in site.items():
        policies = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
        assert [p.attributes["content"] for p in policies] == [CSP], path
        assert page.all("style") + page.all("img") + page.all("iframe") + page.all("base") == [], (
            path
        )
        for element in page.elements:
            names = element.attributes.keys()
            assert "style" not in names, (path, element.tag)
            assert not [name for name in names if name.startswith("on")], (path, element.tag)
        for script in page.all("script"):
            assert script.text == "", path
            assert target(path, script.attributes["src"]), path
        for link in page.all("link"):
            assert target(path, link.attributes["href"]), path


def test_links_to_other_sites_are_web_addresses(site: Pages) -> None:
    """Links that leave the site are http or https, and carry `noopener`."""
    for path, page in site.items():
        for link in page.all("a"):
            href = link.attributes.get("href", "")
            scheme = urlsplit(href).scheme
            assert scheme in ("", "http", "https"), (path, href)
            if scheme:
                assert "noopener" in link.attributes["rel"], (path, href)


def test_navigation_holds_only_what_exists(full: Pages) -> None:
    """The navigation names what the board has. Without snapshots it has no history."""
    for path, page in full.items():
        if path in ALONE:
            continue
        links = [a for a in page.all("a") if a.attributes.get("href", "").endswith((".html",))]
        named = [
            a.text
            for a in links
            if a.text in ("Board", "Suites", "Compare", "Judges", "Case health", "History", "Docs")
        ]
        assert set(named) == {"Board", "Suites", "Compare", "Judges", "Case health", "Docs"}


@pytest.mark.large
def test_without_judges_and_documents_there_are_no_entries_for_them() -> None:
    """A board without judges or docs has neither pages nor links for them."""
    bare = dataclasses.replace(BOARDS["full"], judges=(), docs={}, repository=None)
    files = render(bare)
    page = parse(files["index.html"])

    assert [path for path in files if path.startswith(("judges/", "docs/"))] == []
    assert [
        a.text
        for a in page.all("a")
        if a.text in ("Judges", "Docs", "Add a submission", "Report an error")
    ] == []


@pytest.mark.large
def test_b9_a_document_of_the_package_links_to_no_file_of_the_board() -> None:
    """The board's repository has none of the files that Toolboard's own documents link to."""
    links = "[a](submitting.md) [b](judges.md) [c](../x.py) [d](..) [e](../..)"
    docs = {"methodology": f"# How\n\n{links}\n"}
    docs["submitting"] = "# Submit\n"
    packaged = dataclasses.replace(
        BOARDS["full"], docs=docs, packaged_docs=frozenset({"methodology"})
    )

    def addresses(board: Board) -> list[str]:
        return list(parse(file_of(board, "docs/methodology.html")).links())

    own = addresses(dataclasses.replace(packaged, packaged_docs=frozenset()))

    assert [href for href in own if "blob" in href] != []
    assert [href for href in addresses(packaged) if "blob" in href] == []
    assert "submitting.html" in addresses(packaged)


@pytest.mark.parametrize(
    ("makefile", "repository", "shown"),
    [
        (True, "https://example.org/x/b.git", "git clone {}, cd b && make site"),
        (False, "https://example.org/x/b.git", "git clone {}, cd b"),
        (True, None, "make site"),
        (False, None, ""),
    ],
)
def test_b9_the_commands_are_those_that_a_clone_has(
    makefile: bool, repository: str | None, shown: str
) -> None:
    """Only a board with a Makefile names `make`, and only one with an address is cloned."""
    board = dataclasses.replace(BOARDS["full"], makefile=makefile, repository=repository)
    expected = filter(None, (*shown.format(repository).split(", "), "lb rescore --offline"))

    assert commands(board) == tuple(expected)


@pytest.mark.large
def test_b9_a_board_with_nothing_to_contribute_to_has_no_heading_for_it() -> None:
    """Without documents, repository and citation, the footer has no empty list."""
    bare = dataclasses.replace(BOARDS["full"], docs={}, repository=None, citation=None)

    assert "Contribute" not in file_of(bare, "index.html").decode()
    assert "Contribute" in rendered("full")["index.html"].decode()


@pytest.mark.large
def test_a_board_has_the_look_of_its_owner() -> None:
    """The logo is a picture of its own, the stylesheet comes last, and the footer has the rest."""
    look = SiteLook(
        headline="Who counts best?",
        links=(("A <b>paper</b>", "https://example.org/p"),),
        licence="CC BY 4.0",
        citation="@misc{x,\n  title = {<b>X</b>}\n}",
        logo=Logo("svg", b"<svg/>"),
        accent="#7a2e8e",
        css=":root { --accent: #7a2e8e; }",
    )
    files = render(dataclasses.replace(BOARDS["full"], look=look))
    index = parse(files["index.html"])
    styles = [e.attributes["href"] for e in index.all("link", rel="stylesheet")]
    (logo,) = (e.attributes["src"] for e in index.all("img"))
    (icon,) = (e.attributes["href"] for e in index.all("link", rel="icon"))

    assert [files[path] for path in (styles[-1], logo)] == [look.css.encode(), b"<svg/>"]
    assert b'fill="#7a2e8e"' in files[icon]
    assert index.all("h1")[0].text == "Who counts best?"
    assert "https://example.org/p" in set(index.links())
    assert all(text in index.text for text in ("A <b>paper</b>", "Licence: CC BY 4.0", "<b>X</b>"))
    assert CSP in files["index.html"].decode()


@pytest.mark.large
def test_without_a_headline_the_title_is_shown() -> None:
    """A board does not ask Toolboard's own question."""
    plain = render(dataclasses.replace(BOARDS["full"], look=SiteLook()))

    assert parse(plain["index.html"]).all("h1")[0].text == BOARDS["full"].title
    assert not any(path.startswith(("assets/theme.", "assets/logo.")) for path in plain)


# ---------------------------------------------------------------- hostile text


def test_hostile_text_stays_text(site: Pages) -> None:
    """Markup in names, queries, answers, verdicts and replies stays text."""
    for path, page in site.items():
        for script in page.all("script"):
            source = script.attributes.get("src", "")
            assert re.search(r"(^|/)assets/toolboard(-\w+)?\.\w{8}\.js$", source), path
        assert "49}}" not in page.text, path

    hostile = next(page for path, page in site.items() if path.startswith("cases/tools/A-3"))
    assert "<script>alert(1)</script>" in hostile.text
    assert "{{ 7*7 }}" in hostile.text


def test_hidden_characters_are_shown(files: dict[str, bytes]) -> None:
    """Characters that reorder or hide text are replaced by their code points."""
    texts = {path: content.decode() for path, content in files.items() if path.endswith(".html")}
    hidden = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

    assert [path for path, text in texts.items() if hidden.search(text)] == []
    assert any("⟨U+202E⟩" in text for text in texts.values())


def test_hostile_ids_become_harmless_file_names(files: dict[str, bytes]) -> None:
    """File names hold letters, digits and a few signs; no two differ in case alone."""
    assert [
        path for path in files if not re.fullmatch(r"[A-Za-z0-9._~/-]+", path) or ".." in path
    ] == []
    assert len({path.casefold() for path in files}) == len(files)


# ---------------------------------------------------------------- the ranking


def rows(page: Html) -> list[str]:
    """The names in the rows of the ranking, in order."""
    return [e.text.split("\n")[0] for e in page.all("th", scope="row", class_="nm")]


def test_ranking_is_by_score_then_id_with_incomplete_and_baselines_apart(
    full: Pages,
) -> None:
    """Models by score; then what waits for a judge; then baselines by score."""
    names = rows(full["suites/tools/index.html"])
    expected = [
        "Model A",
        "Model B",
        "Smallest detectable difference",
        "Model C",
        "oracle",
        "keyword",
        "silent",
    ]

    assert [name[: len(wanted)] for name, wanted in zip(names, expected, strict=True)] == expected


def test_ranking_shows_score_interval_rank_and_best(full: Pages) -> None:
    """One decimal, an en dash in ranges, and bold for what cannot be told from the best."""
    page = full["index.html"]
    scores = [e.text for e in page.all("td", class_="sc")]
    ranks = [e.text for e in page.all("td", class_="rk")]

    assert scores[0] == "68.356.0–78.4"
    assert ranks[0] == "1–2"
    assert [e.text for e in page.all("td", class_="best")][:2] == ["66.7", "100.0"]


def test_what_is_missing_is_a_dash_and_says_why(full: Pages) -> None:
    """A suite that is not taken is a dash, never 0."""
    page = full["all/index.html"]

    assert "not taken" in page.text
    assert [e.text for e in page.all("span", class_="dash", title="not taken")] == ["—"] * 2
    assert [e.text for e in page.all("b") if e.text == "Not in this order"] == ["Not in this order"]


def test_unscored_verdicts_make_a_submission_incomplete(full: Pages) -> None:
    """A submission with unscored verdicts is listed apart, with their number."""
    page = full["suites/tools/index.html"]

    assert [e.text for e in page.all("small", class_="rem")] == ["5 of 6 answered, 2 unscored"]


def test_smallest_detectable_difference_is_shown(full: Pages, baselines: Pages) -> None:
    """The smallest detectable difference is on the plate and in the ranking, if there is one."""
    assert "8.5 points for a typical pair, on Match, synthetic" in full["index.html"].text
    assert [e.text for e in full["index.html"].all("tbody", class_="scale")] != []
    assert "Smallest" not in baselines["index.html"].text


def test_pages_with_ranks_explain_them(full: Pages, baselines: Pages) -> None:
    """The page of a category explains ranges of ranks like the rankings, where it has ranks."""
    for page in ("index.html", "suites/match/index.html", "suites/match/relevance.html"):
        legends = [e.text for e in full[page].all("p") if e.text.startswith("Rank 2–4")]
        assert len(legends) == 1, page
    assert "Rank 2–4" not in baselines["suites/match/relevance.html"].text


@pytest.mark.large
def test_a_ranking_without_ranks_does_not_explain_ranges() -> None:
    """It only says that there is no rank yet."""
    given = site_board.board()
    ranks = given.results.ranks.with_columns(status=pl.lit(JUDGE_NOT_VALIDATED))
    files = render(site_board.changed(given, ranks=ranks))

    text = parse(files["suites/match/index.html"]).text
    assert "No submission has a rank yet." in text
    assert "Rank 2–4" not in text


@pytest.mark.large
def test_the_only_row_of_a_ranking_needs_no_word_on_ranges() -> None:
    """With one submission there is nobody to compare it with."""
    given = site_board.board()
    alone = given.submissions[0]
    frames = {
        name: getattr(given.results, name).filter(submission=alone.id)
        for name in ("verdicts", "scores", "usage", "ranks")
    }
    records = {key: value for key, value in given.records.items() if alone.id in key}
    files = render(
        site_board.changed(
            given,
            submissions=(alone,),
            records=records,
            comparisons={},
            gaps=given.results.gaps.clear(),
            **frames,
        )
    )

    for path in ("index.html", "suites/match/index.html", "suites/match/relevance.html"):
        text = parse(files[path]).text
        assert alone.card.name in text
        assert "Rank 2–4" not in text, path


def test_maintainers_alone_learn_how_to_get_an_embed_code(full: Pages) -> None:
    """A reader cannot build the site: without its address the page of a submission has no code."""
    text = full["submissions/model-a.html"].text

    assert "Score and rank as a picture" in text
    assert "base-url" not in text


def test_the_mean_of_categories_is_called_weighted_if_it_is(full: Pages) -> None:
    """Categories with equal shares have a plain mean."""
    said = {path: full[f"suites/{path}/index.html"].text for path in ("match", "tools", "acting")}

    assert {path: "is the weighted mean of" in text for path, text in said.items()} == {
        "match": True,
        "tools": True,
        "acting": False,
    }


@pytest.mark.large
def test_judges_without_verdicts_have_a_verb_of_their_number() -> None:
    """One judge decides no verdict, two decide none."""
    given = BOARDS["full"]
    ruled = given.results.verdicts.with_columns(decided_by=pl.lit("rule"))
    said = []
    for judges in (given.judges[:1], given.judges[:2]):
        index = index_board(site_board.changed(given, verdicts=ruled, judges=judges))
        said.append(index_page.judged(index, count_verdicts(index)))

    assert said == ["decides no verdict", "decide no verdict"]


def test_the_first_page_counts_the_verdicts_that_judges_decide() -> None:
    """Like the page of the judges. The share of a score, which has weights, is another number."""
    given = BOARDS["full"]
    weighted = given.results.scores.with_columns(judged_share=pl.lit(0.9))
    index = index_board(site_board.changed(given, scores=weighted))
    ranked = {suite.id: suite.kind.ranked for suite in given.suites}
    metric = pl.col("suite").replace_strict(ranked)
    rows = given.results.verdicts.filter(pl.col("metric") == metric, pl.col("score").is_not_null())
    share = rows.filter(decided_by="judge").height / rows.height

    said = index_page.judged(index, count_verdicts(index))

    assert said.startswith(f"together decide {formatting.whole_percent(share)} of verdicts")


def test_a_case_that_nobody_was_asked_has_its_own_level() -> None:
    """It is not among the cases that none passed: the note beside says that there are none."""
    given = BOARDS["full"]
    suite = given.suites[0]
    category = suite.categories[0]
    lost = category.cases[0].id
    verdicts = given.results.verdicts.filter(pl.col("case_id") != lost)
    page = category_page(index_board(site_board.changed(given, verdicts=verdicts)), suite, category)
    levels = {level.label: (level.cases, level.anchor) for level in page.cases.levels}
    anchors = {row.link.label: row.anchor for row in page.cases.rows}

    assert levels["not asked"] == (1, "not-asked")
    assert anchors[lost] == "not-asked"
    assert sum(cases for cases, _ in levels.values()) == len(category.cases)
    assert levels["by none"][0] == sum(row.passed == 0 < row.of for row in page.cases.rows)


def test_pages_of_pairs_say_what_p_is(full: Pages) -> None:
    """In plain words, once: the test, p, and p corrected by Holm's procedure."""
    text = " ".join(full["compare/match/model-a--model-b.html"].text.split())

    for words in (
        "how often chance gives such a difference",
        "p is the probability of a difference at least this large if A and B were equally good",
        "“p, Holm” is p corrected for testing all of them, by Holm’s procedure",
    ):
        assert text.count(words) == 1, words


def test_board_without_models_explains_itself(baselines: Pages) -> None:
    """What is measured, a case with a right and a wrong answer, how to submit; no ranking."""
    page = baselines["index.html"]
    text = " ".join(page.text.split())
    links = {a.text: a.attributes["href"] for a in page.all("a")}

    assert "No models yet." in text
    assert links["Submit the first one"] == "docs/submitting.html"
    assert [h.text for h in page.all("h2")][:4] == [
        "What is measured",
        "One case, answered right and wrong",
        "Scores of the baselines",
        "How to submit",
    ]
    assert [a.text.split()[-1] for a in page.all("article")] == []
    assert [] == page.all("table")
    assert "Answer of the baseline" in text
    assert "lb validate my-model" in text
    names = [e.text.split()[0] for e in page.all("text", class_="t")]
    assert names == ["silent", "keyword", "oracle"]


def test_columns_without_data_are_left_out(baselines: Pages, full: Pages) -> None:
    """Cost, latency and date are columns where reported, the judged share where it is not 0."""
    keys = [
        e.attributes["data-k"]
        for e in baselines["suites/match/index.html"].all("th")
        if "data-k" in e.attributes
    ]

    assert {"cost", "latency", "date", "judged"} & set(keys) == set()
    shown = {e.attributes.get("data-k") for e in full["index.html"].all("th")}
    assert shown >= {"cost", "latency", "date"}
    assert "judged" not in shown
    assert "judged" in {e.attributes.get("data-k") for e in full["all/index.html"].all("th")}


def test_columns_of_the_ranking_are_as_many_in_every_row(
    site: Pages, files: dict[str, bytes]
) -> None:
    """Heads, rows and spanning rows of the ranking cover the same number of columns."""
    for path in ("suites/match/index.html", "suites/tools/index.html"):
        table = re.search(
            r"<table class=\"board flow\".*?</table>", files[path].decode(), re.DOTALL
        )
        assert table is not None
        spans = []
        for row in re.findall(r"<tr[ >].*?</tr>", table.group(), re.DOTALL):
            cells = re.findall(r"<t[dh] [^>]*>|<t[dh]>", row)
            spans.append(
                sum(
                    int(m.group(1)) if (m := re.search(r'colspan="(\d+)"', cell)) else 1
                    for cell in cells
                )
            )
        assert set(spans) == {spans[0]}, path


# ---------------------------------------------------------------- categories, cases


def test_category_page_counts_mistakes_and_orders_cases(full: Pages) -> None:
    """It names kinds of mistake with counts, lists cases hardest first, and draws each case."""
    page = full["suites/match/parallel_function.html"]
    strips = [e.attributes["aria-label"] for e in page.all("svg", class_="strip")]
    cases = [a.text for a in page.all("a") if a.text.startswith("parallel_function_")]

    assert strips[1] == "mistakes of Model B: wrong value 15, wrong number of calls 15"
    assert len(cases) == 60
    assert cases[:2] == ["parallel_function_0", "parallel_function_6"]
    assert "10 cases were passed by no submission." in page.text


def test_case_page_groups_equal_answers(full: Pages) -> None:
    """Two submissions with one answer share an article; each is named and linked."""
    page = full["cases/tools/A002.html"]
    articles = page.all("article")

    assert [a.text.strip().split("\n")[0].strip() for a in articles][:2] == [
        "fail2 submissionswrong_value",
        "fail1 submissionmissing_response",
    ]
    assert "Model A, Model B" in articles[0].text


def test_case_page_marks_what_differs(full: Pages) -> None:
    """Of the arguments that differ only the differing words are marked; equal ones share a line."""
    page = full["cases/tools/A002.html"]

    assert [e.text for e in page.all("del")][:1] == ["Old"]
    assert [e.text for e in page.all("ins")][:1] == ["New"]
    assert [e.text.strip() for e in page.all("td", class_="mk")][:2] == [
        "≈accepted",
        "≠differs",
    ]


def test_case_page_shows_the_judges_reply(full: Pages) -> None:
    """A judged verdict shows the judge, the prompt, the reply and the cassette."""
    page = next(p for path, p in full.items() if path.startswith("cases/tools/A001"))

    assert "Reply of embedded-1: “equivalent: Both wake.”" in page.text
    assert "a set of lexical rules, not a language model" in page.text
    assert "Compare Wake up with Rise." in [e.text.strip() for e in page.all("pre")]
    assert "cassettes/embedded-1/tools/model-a.json" in page.text


def test_case_page_says_what_waits_for_a_judge(full: Pages) -> None:
    """A verdict without a recorded judge call shows the command that records it."""
    page = full["cases/tools/C001.html"]

    assert "The judge call gone is not recorded, so this is neither a pass nor a fail." in page.text
    assert "lb rescore model-c --record-mode new_episodes" in page.text


def test_case_pages_are_chained(full: Pages) -> None:
    """Every case but the ends links to the one before and the one after it."""
    page = full["cases/match/parallel_function_4.html"]

    assert [
        a.attributes["href"].rpartition("/")[2]
        for a in page.all("a", rel="prev") + page.all("a", rel="next")
    ] == [
        "parallel_function_3.html",
        "parallel_function_5.html",
    ]
    assert full["cases/match/parallel_function_0.html"].all("a", rel="prev") == []


def test_case_page_links_every_baseline(full: Pages) -> None:
    """Baselines stand at the end with their verdict, each a link to its page."""
    page = full["cases/match/relevance_0.html"]
    links = {
        a.text: a.attributes["href"]
        for a in page.all("a")
        if "../submissions/" in a.attributes.get("href", "")
    }

    assert page.all("article")[-1].text.split()[0] == "Baselines"
    assert [
        e.text.split()[:3] for e in page.all("li")[-9:] if e.text.split()[0] in ("pass", "fail")
    ][:1] == [["fail", "keyword", "call_when_text_expected"]]
    assert {"keyword", "oracle", "silent"} <= links.keys()


@pytest.mark.large
def test_several_equal_wrong_answers_are_pointed_out() -> None:
    """Three equal wrong calls give a note about the ground truth, with a link to report it."""
    given = BOARDS["full"]
    third = dataclasses.replace(
        next(s for s in given.submissions if s.id == "model-a"),
        id="model-d",
        card=dataclasses.replace(site_board.CARDS["model-a"], name="Model D"),
    )
    verdicts, scores = (
        pl.concat(
            [frame, frame.filter(submission="model-a").with_columns(submission=pl.lit("model-d"))]
        )
        for frame in (given.results.verdicts, given.results.scores)
    )
    records = {**given.records, ("model-d", "tools"): given.records["model-a", "tools"]}
    board = site_board.changed(
        given,
        submissions=(*given.submissions, third),
        records=records,
        verdicts=verdicts,
        scores=scores,
    )
    case, category = "cases/tools/A002.html", "suites/tools/tool_selection.html"
    site = pages(files_of(board, case, category))

    assert "3 gave this same answer." in site[case].text
    assert "same wrong answer from 3" in site[category].text


@pytest.mark.large
def test_trials_are_counted_as_answers() -> None:
    """Where a case was answered twice, answers are counted, and each names its trial."""
    given = BOARDS["full"]
    again = given.results.verdicts.filter(submission="model-b", suite="tools").with_columns(
        trial=pl.lit(2, dtype=pl.Int32)
    )
    sent = given.records["model-b", "tools"]
    records = {
        **given.records,
        ("model-b", "tools"): Records.of([*sent, *(r._replace(trial=2) for r in sent)]),
    }
    board = site_board.changed(
        given, verdicts=pl.concat([given.results.verdicts, again]), records=records
    )
    page = parse(file_of(board, "cases/tools/A002.html"))

    assert "3 submissions gave 2 different answers." in page.text
    assert page.all("h3")[0].text == "3 answers"
    assert "Model B (all 2 trials)" in [a.text for a in page.all("a")]
    assert "0 of 4 answers" in page.text


@pytest.mark.large
def test_board_without_submissions() -> None:
    """Every page renders without submissions, and for a category without cases."""
    suite = site_board.tool_suite()
    empty = dataclasses.replace(suite.categories[0], id="empty", title="Empty", cases=())
    suites = [dataclasses.replace(suite, categories=(*suite.categories, empty))]
    given = site_board.board(suites=suites)
    frames = {
        name: getattr(given.results, name).clear()
        for name in ("verdicts", "scores", "usage", "ranks", "gaps")
    }
    files = render(site_board.changed(given, submissions=(), records={}, **frames))

    assert "No submission has answered this case yet." in parse(files["cases/tools/A002.html"]).text
    assert "suites/tools/empty.html" in files
    assert "No models yet." in parse(files["index.html"]).text


# ---------------------------------------------------------------- submissions, judges, documents


def test_a_card_names_links_parameters_and_every_setting() -> None:
    """Settings in settings have one name, a prompt keeps its lines, and keys are removed."""
    board = site_board.board()
    prompt = "You call tools.\nAnswer in one line."
    settings = {
        "suites": {"tools": {"system_prompt": prompt}},
        "temperature": 0,
        "key": "sk-" + "a" * 40,
    }
    card = dataclasses.replace(
        board.submissions[0].card,
        parameters="7B",
        links={"paper": "https://example.org/paper", "code": "javascript:alert(1)"},
        settings=settings,
    )
    named = dataclasses.replace(board.submissions[0], card=card)
    index = index_board(dataclasses.replace(board, submissions=(named, *board.submissions[1:])))
    page = submission_page(index, named, {}, {}, pairs=(), sweep=(), base=None)
    facts = {fact.name: (fact.value, fact.url) for fact in page.facts}
    shown = {setting.name: (setting.value, setting.long) for setting in page.settings}

    assert facts["Parameters"] == ("7B", None)
    assert facts["paper"] == ("https://example.org/paper",) * 2
    assert facts["code"] == ("javascript:alert(1)", None)
    assert shown["suites, tools, system_prompt"] == (prompt, True)
    assert shown["temperature"] == ("0", False)
    assert "a" * 40 not in shown["key"][0]


def test_submission_page_shows_card_scores_and_commands(full: Pages) -> None:
    """The page has the card, scores, mistakes, digests, README and the command to reproduce."""
    page = full["submissions/model-a.html"]

    for words in (
        "Lab One",
        "$0.50 in, $1.50 out, per million tokens",
        "Prompt and settings",
        "wrong value",
        "submissions/model-a/match.json",
        "lb rescore model-a --offline",
        "rank 1–2",
    ):
        assert words in page.text, words
    assert page.all("a", href="https://example.org/a", rel="nofollow noopener")
    assert len(page.all("path", class_="med")) == 9


def test_scores_in_words_have_their_interval_and_number_of_cases(full: Pages) -> None:
    """The first sentence about a submission claims no score without them."""
    (lede,) = full["submissions/model-a.html"].all("p", class_="lede")

    assert lede.text == (
        "Scores 68.3\u202f% on Match, synthetic (56.0–78.4, 63 cases, rank 1–2), "
        "83.3\u202f% on Tools, synthetic (43.7–97.0, 6 cases, rank 1–3) and "
        "50.0\u202f% on Acting, synthetic (21.5–78.5, 3 cases, rank 1–3)."
    )


def test_pages_call_no_weighted_score_a_percentage_of_cases(full: Pages, baselines: Pages) -> None:
    """A score is a weighted mean of categories, in which trials count in part."""
    suite, board = full["suites/match/index.html"], baselines["index.html"]

    assert "Ranking on Match, synthetic: 63 cases, score in percent" in suite.text
    assert "Scores in percent. A stronger colour means a higher score." in suite.text
    assert "Score on Match, synthetic, in percent." in board.text


def test_the_footer_counts_baselines_apart(full: Pages, baselines: Pages) -> None:
    """As the first page does."""
    assert "72 cases, 3 submissions, 3 baselines," in full["index.html"].text
    assert "72 cases, 0 submissions, 3 baselines," in baselines["index.html"].text


def test_submission_page_shows_a_bad_address_as_text(full: Pages) -> None:
    """An address that is no web address is shown, not linked."""
    page = full["submissions/model-b.html"]

    assert "javascript:alert(1)" in page.text
    assert not [a for a in page.all("a") if "javascript" in a.attributes.get("href", "")]


def test_judge_page_counts_the_verdicts_it_decided(full: Pages) -> None:
    """The page says what the embedded judge is, what it decided, and the scores without it."""
    page = full["judges/embedded-1.html"]
    cells = [" ".join(e.text.split()) for e in page.all("tr")]

    assert "Not a language model" in page.text
    assert (
        "Tool selection Tools, synthetic 24 1 4 % 1".replace(" %", "\u202f%").split()
        == next(row for row in cells if row.startswith("Tool selection")).split()
    )
    assert [e.text for e in page.all("mark")] == ["expected", "got", "reference", "answer", "got"]


def test_documents_link_to_each_other_and_to_the_repository(full: Pages) -> None:
    """Links to documents stay in the site. Links to other files lead to the repository."""
    page = full["docs/methodology.html"]
    hrefs = {a.text: a.attributes["href"] for a in page.all("a")}

    assert hrefs["submitting"] == "submitting.html#steps"
    assert hrefs["a file"] == "https://github.com/example/toolboard/blob/HEAD/leaderboard.toml"
    assert page.all("h1")[0].text == "How scores are computed"


@pytest.mark.large
def test_the_404_page_links_home_from_any_depth() -> None:
    """With a base URL the 404 page uses full paths, because hosts show it at any depth."""
    files = files_of(BOARDS["baselines"], "404.html", base_url="https://example.org/board/")
    links = [
        link
        for link in parse(files["404.html"]).links()
        if not urlsplit(link).scheme and not link.startswith("#")
    ]

    assert links
    assert [link for link in links if not link.startswith("/board/")] == []


def test_b10_the_404_page_needs_nothing_where_the_address_is_unknown(
    baselines: Pages,
) -> None:
    """Shown in any folder, it has its own style, which its policy allows, and no dead links."""
    page = baselines["404.html"]
    (style,), (policy,) = page.all("style"), page.all("meta", **{"http-equiv": CSP_NAME})
    digest = b64encode(sha256(style.text.encode()).digest()).decode()

    assert [] == list(page.links())
    assert f"style-src 'sha256-{digest}'" in policy.attributes["content"]


def test_base_url_names_the_canonical_address() -> None:
    """With a base URL a page names its address; folders without the file's name."""
    path = "suites/index.html"
    files = files_of(BOARDS["baselines"], path, base_url="https://example.org/board")

    assert parse(files[path]).all("link", rel="canonical")[0].attributes["href"] == (
        "https://example.org/board/suites/"
    )


# ---------------------------------------------------------------- data


def test_downloads_hold_the_boards_tables(
    files: dict[str, bytes], request: pytest.FixtureRequest
) -> None:
    """Parquet, CSV and JSON of the scores hold the same rows as the board, sorted."""
    board: Board = BOARDS[request.node.callspec.params["files"]]
    expected = board.results.scores.sort("submission", "suite", "category", "metric")

    assert pl.read_parquet(files["data/scores.parquet"]).equals(expected)
    assert pl.read_csv(files["data/scores.csv"]).height == expected.height
    assert json.loads(files["data/scores.json"])["scores"] == expected.to_dicts()
    assert json.loads(files["data/manifest.json"]) == board.results.manifest


def test_case_data_holds_every_answer(files: dict[str, bytes]) -> None:
    """The JSON of a case holds its record and each distinct answer with its verdict and givers."""
    case = json.loads(files["data/cases/tools/C001.json"])
    answers = {name: answer for answer in case["answers"] for name in answer["given_by"]}

    assert case["case"] == "C001"
    assert case["record"]["user_query"] == "Send a note."
    assert answers["oracle"]["response"]["text"] == "To whom, and what shall it say?"
    assert answers["keyword"]["verdict"]["judge_calls"] == ["k3"]


def test_every_page_with_data_links_it(site: Pages) -> None:
    """Pages of suites, cases and submissions link to themselves as JSON."""
    for path, page in site.items():
        if path.startswith(("cases/", "submissions/")) or path == "index.html":
            assert "This page as JSON" in [a.text for a in page.all("a")], path


# ---------------------------------------------------------------- what the words say


def ranked(low: Mapping[str, int]) -> str:
    """The text of a category's page, where the joint ranks of its submissions start there."""
    given = BOARDS["full"]
    here = (pl.col("suite") == "match") & (pl.col("category") == "relevance")
    rows = [("match", "relevance", name, "ranked", 1, 2, rank, 2) for name, rank in low.items()]
    ranks = pl.concat(
        [
            given.results.ranks.filter(~here),
            pl.DataFrame(rows, schema=given.results.ranks.schema, orient="row"),
        ]
    )
    return parse(
        file_of(site_board.changed(given, ranks=ranks), "suites/match/relevance.html")
    ).text


@pytest.mark.large
@pytest.mark.parametrize(
    ("low", "said"),
    [
        ({"model-a": 1, "model-b": 2}, "One submission is significantly better than all others."),
        ({"model-a": 1, "model-b": 1}, "The two submissions do not differ significantly."),
        ({"model-a": 1}, "Only one submission has a rank in this category."),
    ],
)
def test_a_category_says_which_differences_are_significant(low: dict[str, int], said: str) -> None:
    """The best is not counted among those that cannot be told from it."""
    assert said in ranked(low)


@pytest.mark.large
def test_a_category_counts_submissions_like_the_best() -> None:
    """Of three others one is like the best; then all of them."""
    given = site_crowd.crowd(4)
    category = given.suites[0].categories[0]

    def told(lows: Sequence[int]) -> str:
        rows = [
            ("bench", category.id, f"s{place:04}", "ranked", 4, 4, low, 4)
            for place, low in enumerate(lows)
        ]
        ranks = pl.DataFrame(rows, schema=given.results.ranks.schema, orient="row")
        board = index_board(site_board.changed(given, ranks=ranks))
        return category_page(board, given.suites[0], category).scores.summary

    assert told((1, 1, 2, 3)) == "1 of the 3 others does not differ significantly from the best."
    assert told((1, 1, 1, 1)) == "None of the 3 others differs significantly from the best."


def test_the_plate_of_a_suite_names_the_judge_where_there_is_one(full: Pages) -> None:
    """The plate names the rule, then the judges, and how many categories they judge."""
    judged, rules = full["suites/tools/index.html"], full["suites/match/index.html"]
    some = full["suites/acting/index.html"]
    plates = [
        " ".join(page.all("dl", class_="plate")[0].text.split()) for page in (judged, some, rules)
    ]

    assert "first, then embedded-1, a set of lexical rules, not a language model" in plates[0]
    assert "first, then in 1 of 2 categories embedded-1," in plates[1]
    assert "accepted values) alone" in plates[2]
    assert "embedded-1" not in plates[2]
    assert "../../judges/embedded-1.html" in [a.attributes["href"] for a in judged.all("a")]


def test_the_table_of_categories_says_each_title_once(full: Pages) -> None:
    """What the link bears is not said again beside it."""
    [row] = [
        e.text for e in full["suites/tools/index.html"].all("tr") if "The right tool." in e.text
    ]

    assert row.count("Tool selection") == 1
    assert "The right tool." in row


def test_boxes_that_scroll_can_be_reached_and_have_a_name(site: Pages) -> None:
    """Every box that can scroll is a named group that the keyboard reaches."""
    places = (
        "index.html",
        "all/",
        "suites/match",
        "suites/tools",
        "suites/acting",
        "submissions/",
        "compare/",
    )
    boxes = [
        (path, box.attributes)
        for path, page in site.items()
        if path.startswith(places)
        for box in page.all("div")
    ]
    boxes = [(path, given) for path, given in boxes if "box" in given.get("class", "").split()]

    assert boxes
    assert [
        (path, given)
        for path, given in boxes
        if (given.get("tabindex"), given.get("role"), "aria-label" in given) != ("0", "group", True)
    ] == []


@pytest.mark.large
def test_with_trials_the_picture_of_difficulty_counts_answers() -> None:
    """With trials the rows count answers, because three submissions can give four of them."""
    given = BOARDS["full"]
    again = given.results.verdicts.filter(submission="model-b", suite="tools").with_columns(
        trial=pl.lit(2, dtype=pl.Int32)
    )
    board = site_board.changed(given, verdicts=pl.concat([given.results.verdicts, again]))
    plain, twice = (
        parse(file_of(one, "suites/tools/tool_selection.html")).text for one in (given, board)
    )

    assert "how many of 3 submissions passed it." in plain
    assert "how many of 4 answers passed it." in twice


def test_b6_right_answers_are_shown(full: Pages) -> None:
    """The calls of passing answers are on the page of the case, as those of others."""
    page = next(p for path, p in full.items() if path.startswith("cases/tools/a001"))

    assert [call for call in page.all("div", class_="call") if "as expected" in call.text]


def test_b13_the_first_page_shows_its_own_categories(full: Pages) -> None:
    """They are shown beside the other suites."""
    inputs = full["index.html"].all("input", type="checkbox")
    shown = {box.attributes.get("id") for box in inputs if "checked" in box.attributes}

    assert {"c-cat", "c-suite"} <= shown


def test_a_case_missed_by_one_names_who_missed_it(full: Pages) -> None:
    """The names have the number of such cases."""
    found = {
        path: [" ".join(p.text.split()) for p in page.all("p") if "Missed by one." in p.text]
        for path, page in full.items()
        if path.startswith("suites/")
    }
    said = {path: text for path, (text,) in ((p, t) for p, t in found.items() if t)}

    assert said
    for path, text in said.items():
        number, names = re.search(r"(\d+) cases? (?:was|were) missed", text), text.split(": ")[-1]
        counts = [int(count) for count in re.findall(r"\((\d+)\)", names)]
        assert number is None or sum(counts) == int(number.group(1)), path
        assert counts, path


def test_baselines_without_a_suite_are_named_below_the_ranking_of_all() -> None:
    """They are no rows there, because they have no mean."""
    given = BOARDS["full"]
    few = given.results.scores.filter(
        (pl.col("submission") != "oracle") | (pl.col("suite") != "tools")
    )
    path, note = "all/index.html", "Baselines that have not taken every suite are left out here:"
    page = parse(file_of(site_board.changed(given, scores=few), path))
    said = [" ".join(p.text.split()) for p in page.all("p") if note in p.text]

    assert len(said) == 1
    assert "oracle" in said[0]
