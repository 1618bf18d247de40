"""Standing alone: the cases that one submission passes or fails and no other does, told on its page."""

from __future__ import annotations

from collections import defaultdict

from site_templates import builder
from site_templates.board import Board
from site_templates.board_index import register
from site_templates.parts.alone import standings
from tests.site_templates import site_board, site_crowd


def expected(board: Board) -> dict[tuple[str, str, bool], int]:
    """How many cases each (submission, suite, passes) has for itself, counted from the verdicts the plain way."""
    entrants = {s.id for s in board.submissions if not s.is_baseline}
    seen: defaultdict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in board.verdicts.iter_rows(named=True):
        if row["submission"] in entrants and row["metric"] == board.metric(row["suite"]):
            seen[row["suite"], row["case_id"]][row["submission"]].add(row["outcome"])
    takers = {
        suite: {s for (at, _), by in seen.items() if at == suite for s in by} for suite, _ in seen
    }
    counts: defaultdict[tuple[str, str, bool], int] = defaultdict(int)
    for (suite, _), by in seen.items():
        if len(takers[suite]) < 3 or any(
            len(outcomes) != 1 or outcomes == {"unscored"} for outcomes in by.values()
        ):
            continue
        for word, passes in (("pass", True), ("fail", False)):
            lonely = [submission for submission, outcomes in by.items() if outcomes == {word}]
            if len(lonely) == 1:
                counts[lonely[0], suite, passes] += 1
    return dict(counts)


def test_the_cases_of_one_alone_are_counted() -> None:
    """For every submission and suite the counts are those that the verdicts give."""
    board = site_crowd.crowd(4)
    titles = {suite.title: suite.id for suite in board.suites}
    told = {
        (submission, titles[alone.suite], alone.passes): alone.count
        for submission, found in standings(register(board)).items()
        for alone in found
    }
    assert told
    assert expected(board) == told


def test_the_page_names_some_of_the_cases() -> None:
    """The submission's page says how many and links the first of them; what it alone passes comes first."""
    board = site_crowd.crowd(4)
    (submission, found), *_ = standings(register(board)).items()
    page = builder.render(board)[f"submissions/{submission}.html"].decode()
    assert "Against the board" in page
    assert all(f">{link.label}</a>" in page for alone in found for link in alone.examples)
    assert sorted(found, key=lambda alone: not alone.passes) == list(found)


def test_two_submissions_stand_against_each_other_and_not_alone() -> None:
    """With fewer than three the comparison of the two says it better."""
    assert {} == standings(register(site_crowd.crowd(2)))


def test_unscored_cases_tell_nothing_of_standing_alone() -> None:
    """On a board with unscored verdicts and trials the counts are still those of the plain way."""
    board = site_board.board()
    titles = {suite.title: suite.id for suite in board.suites}
    told = {
        (submission, titles[alone.suite], alone.passes): alone.count
        for submission, found in standings(register(board)).items()
        for alone in found
    }
    assert expected(board) == told
