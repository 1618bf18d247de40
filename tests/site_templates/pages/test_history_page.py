"""The pages of the history, the old rankings and the feed."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from leaderboard.board.board_changes import Change, Difference, Era, History, Move, VerdictFlip
from site_templates import builder
from site_templates.board_index import index_board
from site_templates.data.feed import feed
from site_templates.links import Link
from site_templates.pages import history_page
from site_templates.parts.history.change_words import summary
from site_templates.parts.history.past_names import PastNames
from tests.site_templates import site_board, site_history
from tests.site_templates.rendered import file_of, history_site, render
from tests.site_templates.site_html import Html, Pages, pages, parse, target

BASE = "https://example.org/board/"
ATOM = "{http://www.w3.org/2005/Atom}"


@cache
def rendered(base: str | None = None) -> dict[str, bytes]:
    return render(site_history.board(), base_url=base) if base else history_site()


@cache
def site() -> Pages:
    return pages(rendered())


def words(page: Html) -> str:
    return " ".join(page.text.split())


@pytest.mark.large
def test_the_changelog_lists_the_newest_first() -> None:
    """The board of today, then each snapshot, with its label where it has one."""
    titles = [e.text.strip() for e in site()["history/index.html"].all("h2")]
    assert titles.pop(0) == "Score over snapshots"

    assert [titles[0], titles[1], titles[3]] == [
        "Since the last snapshot",
        "back again",
        "Snapshot 1",
    ]
    assert titles[2].startswith("Second <script>")


@pytest.mark.large
def test_the_changelog_lists_changes_and_causes() -> None:
    """It lists added and removed results, changed scores and verdicts, and changed inputs."""
    told = words(site()["history/index.html"])

    assert "3 submissions. The first snapshot." in told
    assert re.search(r"added Model B on Match, synthetic, at \d\d\.\d", told)
    assert re.search(r"removed gone on Match, synthetic, was at \d\d\.\d", told)
    assert "Judge prompts: acting/qa, tools/arguments, tools/clarifying" in told
    assert re.search(
        r"Model A Tools, synthetic \d\d\.\d \d\d\.\d [+−]\d+\.\d "
        r"1 verdict changed ?A001 pass to fail judge prompts",
        told,
    )


@pytest.mark.large
def test_b15_a_removed_submission_has_the_name_that_a_snapshot_kept() -> None:
    """The newest name of a submission that is gone; without one, its id."""
    given = site_history.board()
    first, second, third = given.states
    named = (
        dataclasses.replace(first, names={"gone": "Old name"}),
        dataclasses.replace(second, names={"gone": "Model G, 2026"}),
        third,
    )
    names = PastNames(index_board(dataclasses.replace(given, states=named)))

    assert names.submission("gone") == Link("Model G, 2026")
    assert names.submission("never") == Link("never")
    assert names.submission("model-a").label == "Model A"


def test_every_link_of_the_history_leads_somewhere() -> None:
    """Links lead to existing files and ids. Removed submissions are named without a link."""
    files, found = rendered(), site()
    for path in (p for p in found if p.startswith("history/")):
        for link in found[path].links():
            place = target(path, link)
            if place is not None:
                assert place[0] in files, (path, link)
                assert not place[1] or place[1] in found[place[0]].ids, (path, link)
    assert not [
        a for a in found["history/index.html"].all("a") if a.text in ("gone", "old suite <b>")
    ]


def test_an_old_ranking_stays_readable() -> None:
    """A snapshot shows all its suites and submissions, also those that are gone."""
    page = site()[f"history/{site_history.SECOND}/index.html"]
    tables = [e.text for e in page.all("h2")]
    names = [e.text.strip() for e in page.all("th", scope="row")]

    assert tables[:4] == [
        "Match, synthetic",
        "Tools, synthetic",
        "Acting, synthetic",
        "old suite <b>",
    ]
    assert "gone" in names
    assert names[:2] == ["Model A", "Model B"]
    assert "The board as it was" in words(page)


def test_a_board_that_came_back_has_one_page() -> None:
    """Two snapshots of one board share their ranking; the changelog has both."""
    paths = [path for path in rendered() if path.startswith("history/")]

    assert sorted(paths) == [
        f"history/{site_history.FIRST}/index.html",
        f"history/{site_history.SECOND}/index.html",
        "history/index.html",
    ]


def test_old_rankings_are_data_too() -> None:
    """The scores and ranks of a snapshot stand as JSON, with its digest and date."""
    data = json.loads(rendered()[f"data/history/{site_history.SECOND}.json"])

    assert (data["snapshot"], data["sequence"], data["as_of"]) == (
        site_history.SECOND,
        2,
        "2026-04-02",
    )
    assert data["taken"] == "2026-04-09"
    assert (
        json.loads(rendered()[f"data/history/{site_history.FIRST}.json"])["taken"] == "2026-05-01"
    )
    assert {row["submission"] for row in data["scores"]} >= {"gone", "model-a"}


@pytest.mark.large
def test_without_snapshots_there_is_no_history() -> None:
    """No page, no entry, no feed."""
    files = render(site_board.board(), base_url=BASE)

    assert [
        path for path in files if "history" in path and not path.startswith("data/schemas")
    ] == []
    assert "feed.xml" not in files
    assert b"History</a>" not in files["index.html"]


def test_changed_verdicts_are_linked() -> None:
    """Each with its case and from what to what: one of the ranked metric."""
    page = site()["history/index.html"]
    said = [" ".join(fold.text.split()) for fold in page.all("details")]

    assert "1 verdict changedA001 fail to pass" in said
    assert f"../{index_board(site_history.board()).paths.case('tools', 'A001')}" in page.links()


@pytest.mark.large
def test_of_many_changed_verdicts_the_first_are_named() -> None:
    """The ranked metric comes first, trials are numbered, and the rest is counted."""
    flips = [
        VerdictFlip(
            "calls", "A001", 2, "other_one", "fail", "fail", 0.0, 0.25, "x", "y", judged=False
        )
    ]
    flips += [
        VerdictFlip(
            "calls", f"A{n:03}", 1, "correct", "fail", "pass", 0.0, 1.0, "x", "y", judged=False
        )
        for n in range(1, 22)
    ]
    names = PastNames(index_board(site_history.board()))
    change = Change("model-a", "tools", (), tuple(flips), ())
    row = history_page.score_change(names, "correct", change, 20, recased=False)

    assert (row.counts, len(row.verdicts), row.more) == (
        "21 verdicts changed; 1 changed by another metric",
        20,
        "and 2 more",
    )
    assert row.verdicts[0] == history_page.VerdictChange(
        Link("A001 #1", index_board(site_history.board()).paths.case("tools", "A001")),
        "fail to pass",
    )
    few = history_page.score_change(names, "correct", change, 3, recased=False)
    assert (len(few.verdicts), few.more) == (3, "and 19 more")
    other = Change("model-a", "tools", (), tuple(flips[:1]), ())
    last = history_page.score_change(names, "correct", other, 20, recased=False)
    assert last.verdicts[0].said == "fail, 0.0 to 25.0 (other one)"


@pytest.mark.large
def test_b15_the_days_on_which_snapshots_were_taken() -> None:
    """Snapshots show their day, or the date of their newest submission if it is unknown."""
    told = words(site()["history/index.html"])

    assert "Taken on 2026-05-01, with submissions up to 2026-03-01; 3 submissions." in told
    assert "Snapshot 1 As of 2026-03-01, the date of the newest submission; 3 submissions." in told
    assert "The board as it was on 2026-04-09." in words(
        site()[f"history/{site_history.SECOND}/index.html"]
    )
    undated = dataclasses.replace(site_history.board(), states=site_history.board().states[:1])
    page = parse(file_of(undated, f"history/{site_history.FIRST}/index.html"))
    assert "The board as it was as of 2026-03-01, the date of its newest submission." in words(page)


@pytest.mark.large
def test_a_change_without_a_cause_is_an_alarm() -> None:
    """A change without causes says that a rule must have changed."""
    given = site_history.board()
    assert given.history is not None
    eras = [
        era
        if era.difference is None
        else dataclasses.replace(
            era,
            difference=dataclasses.replace(
                era.difference,
                changed=tuple(dataclasses.replace(c, causes=()) for c in era.difference.changed),
            ),
        )
        for era in given.history.eras
    ]
    board = dataclasses.replace(given, history=dataclasses.replace(given.history, eras=tuple(eras)))

    assert b'<b class="alarm">no input changed' in file_of(board, "history/index.html")


@pytest.mark.large
def test_scores_on_different_cases_have_no_difference() -> None:
    """The row says so in the place of points."""
    page = parse(file_of(site_history.recased(), "history/index.html"))

    assert re.search(
        r"Model A Tools, synthetic \d\d\.\d \d\d\.\d different cases: not comparable", words(page)
    )


def test_a_summary_counts_scores_that_changed() -> None:
    """Results with changed verdicts and an equal score are not among them."""
    given = site_history.board()
    assert given.history is not None
    era = given.history.eras[1]
    assert era.difference is not None
    (moved,) = era.difference.changed
    metric = PastNames(index_board(given)).metric
    still = dataclasses.replace(moved, moves=())
    both, quiet = (
        dataclasses.replace(era, difference=Difference("a", "b", (), (), (), changed, ()))
        for changed in ((moved, still), (still,))
    )

    assert summary(both, metric) == "1 score changed."
    assert summary(quiet, metric) == (
        "No score changed. Verdicts or other metrics of 1 result did."
    )


# ---------------------------------------------------------------- feed


@pytest.mark.large
def test_the_feed_is_atom_with_full_addresses_and_dates_of_the_snapshots() -> None:
    """Ids are unique, dates are those of the snapshots, and addresses are complete."""
    files = rendered(BASE)
    root = ET.fromstring(files["feed.xml"])
    entries = root.findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]

    assert root.findtext(f"{ATOM}updated") == "2026-05-01T00:00:00Z"
    assert [entry.findtext(f"{ATOM}updated") for entry in entries] == [
        "2026-05-01T00:00:00Z",
        "2026-04-09T00:00:00Z",
        "2026-03-01T00:00:00Z",
    ]
    assert len(set(ids)) == len(ids) == 3
    assert ids[0] == f"{BASE}history/{site_history.FIRST}/#3"
    assert all("\u202e" not in (entry.findtext(f"{ATOM}title") or "") for entry in entries)


def test_the_feed_tells_the_change_of_the_ranked_metric() -> None:
    """Another metric comes first by name and rose, while the score fell."""
    moves = (Move("*", "api_call", 0.2, 0.9, 10, 10), Move("*", "correct", 0.5, 0.4, 10, 10))
    flip = VerdictFlip(
        "calls", "A001", 1, "api_call", "fail", "pass", 0.0, 1.0, "x", "y", judged=False
    )
    moved = Difference("a", "b", (), (), (), (Change("model-a", "tools", moves, (flip,), ()),), ())
    era = Era("2026-05-01-00000000", 1, None, "2026-05-01", "0" * 64, 1, moved)
    board = dataclasses.replace(site_history.board(), history=History((era,), {}))
    (entry,) = feed(index_board(board), BASE).entries
    assert "model-a on tools moved by \u221210.0 points (no input changed)." in entry.content


@pytest.mark.large
def test_every_page_names_the_feed_where_there_is_one() -> None:
    """With a full address pages link to the feed, without one they do not, and there is none."""
    assert b'type="application/atom+xml"' in rendered(BASE)["index.html"]
    assert b'href="../feed.xml"' in rendered(BASE)["history/index.html"]
    assert b"atom+xml" not in rendered()["index.html"]
    assert {"feed.xml", "sitemap.xml"} & rendered().keys() == set()


def test_an_address_that_is_no_web_address_makes_no_feed() -> None:
    """Feeds and maps take http or https."""
    assert builder.based("javascript:alert(1)") is None
    assert builder.based("/board") is None
    assert builder.based("https://example.org/board") == BASE


@pytest.mark.large
def test_the_feed_gives_no_points_between_different_cases() -> None:
    """The suite had other cases before the second snapshot."""
    files = render(site_history.recased(), base_url=BASE)

    assert b"model-a on tools moved, different cases: not comparable (" in files["feed.xml"]
