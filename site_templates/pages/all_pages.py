"""The pages of the site: of each its template, and its model with everything that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from leaderboard.board.sweeps import swept
from leaderboard.types import Case
from site_templates.board_index import BoardIndex
from site_templates.page_frame import documents
from site_templates.page_head import Head
from site_templates.pages.answers_page import answers_page
from site_templates.pages.case_page import case_page
from site_templates.pages.category_page import category_page
from site_templates.pages.compare_page import compare_page
from site_templates.pages.document_page import document_page, lost_page
from site_templates.pages.embed_page import embed_page
from site_templates.pages.health_page import health_pages
from site_templates.pages.history_page import history_page
from site_templates.pages.index_page import index_page
from site_templates.pages.judge_page import judge_page, judges_page
from site_templates.pages.map_page import map_pages
from site_templates.pages.overall_page import all_page
from site_templates.pages.pair_page import pair_page
from site_templates.pages.ranking_page import ranking_page
from site_templates.pages.snapshot_page import snapshot_page
from site_templates.pages.submission_page import (
    all_rank_comparisons,
    median_scores,
    submission_page,
)
from site_templates.pages.suite_page import suite_page, suites_page
from site_templates.parts.answers.case_answers import CategoryContext, category_context
from site_templates.parts.history.past_names import PastNames, snapshots
from site_templates.parts.judge_counts import JudgeCounts, count_verdicts
from site_templates.parts.pairs.pair_pages import Pair, all_pairs, by_submission, comparable
from site_templates.parts.rankings.paging import in_pages, rankings
from site_templates.parts.rankings.ranking_table import folder


class PageModel(Protocol):
    """A frozen dataclass that one template shows."""

    @property
    def head(self) -> Head: ...


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the template that shows it, and what it shows."""

    template: str
    model: PageModel


def pages(index: BoardIndex, base: str | None) -> Iterator[Page]:
    """Every page of a board's site, without those of cases.

    `base` is the full address of the site, if it is known.
    """
    board = index.board
    pairs, counts = all_pairs(index), count_verdicts(index)
    yield from _rankings(index, counts, base)
    for suite in board.suites:
        for category in suite.categories:
            yield Page("category.html", category_page(index, suite, category))
            for part in map_pages(index, suite, category):
                yield Page("map.html", part)
    yield from _submissions(index, by_submission(pairs), base)
    yield from _judges(index, counts)
    yield from _comparisons(index, pairs)
    for template, health in health_pages(index):
        yield Page(template, health)
    yield from _history(index)
    for name in documents(board.docs):
        yield Page("document.html", document_page(index, name))
    # A host shows this page for any address, so relative links would lead nowhere.
    lost = "404_standalone.html" if base is None else "404.html"
    yield Page(lost, lost_page(index))


def _rankings(index: BoardIndex, counts: JudgeCounts, base: str | None) -> Iterator[Page]:
    """The first page, the pages of suites and of all suites, and further pages of rankings."""
    tables = {place: in_pages(table) for place, table in rankings(index).items()}
    for first, *others in tables.values():
        for table in others:
            yield Page("ranking.html", ranking_page(index, table))
        if first.subject.first_page:
            yield Page("index.html", index_page(index, first, counts, base))
            yield Page("embed.html", embed_page(index, first))
        elif first.subject.all_suites:
            yield Page("overall.html", all_page(index, first))
    yield Page("suites.html", suites_page(index))
    for suite in index.board.suites:
        yield Page("suite.html", suite_page(index, suite, tables[folder(index, suite)][0]))


def case_pages(index: BoardIndex, numbers: Iterable[int] | None) -> Iterator[Page]:
    """The page of every case, or of those with these numbers, counted through all suites."""
    cases = [
        (suite, before, case, after)
        for suite in index.board.suites
        for before, case, after in _with_neighbours(suite.cases)
    ]
    contexts: dict[tuple[str, str], CategoryContext] = {}
    for number in range(len(cases)) if numbers is None else numbers:
        suite, before, case, after = cases[number]
        place = suite.id, case.category
        if place not in contexts:
            contexts[place] = category_context(index, suite, case.category)
        yield Page("case.html", case_page(contexts[place], case, before, after))


def _with_neighbours(cases: Sequence[Case]) -> Iterator[tuple[Case | None, Case, Case | None]]:
    return zip((None, *cases), cases, (*cases[1:], None), strict=False)


def _submissions(
    index: BoardIndex, compared: Mapping[str, Sequence[tuple[str, Pair]]], base: str | None
) -> Iterator[Page]:
    medians, comparisons = median_scores(index), all_rank_comparisons(index)
    sweeps = swept(index.submissions)
    for submission in index.submissions:
        model = submission_page(
            index,
            submission,
            medians,
            comparisons,
            pairs=compared.get(submission.id, ()),
            sweep=sweeps.get(submission.id, ()),
            base=base,
        )
        yield Page("submission.html", model)
        yield Page("answers.html", answers_page(index, submission))


def _judges(index: BoardIndex, counts: JudgeCounts) -> Iterator[Page]:
    if index.board.judges:
        yield Page("judges.html", judges_page(index, counts))
        for judge in index.board.judges:
            yield Page("judge.html", judge_page(index, judge, counts))


def _comparisons(index: BoardIndex, pairs: Mapping[str, Sequence[Pair]]) -> Iterator[Page]:
    if pairs:
        yield Page("compare.html", compare_page(index, pairs))
    for suite in comparable(index):
        for pair in pairs[suite.id]:
            yield Page("pair.html", pair_page(index, suite, pair))


def _history(index: BoardIndex) -> Iterator[Page]:
    """The page of the history and those of the snapshots; none without snapshots."""
    history = index.board.history
    if history is None or not index.board.states:
        return
    names = PastNames(index)
    yield Page("history.html", history_page(index, history, names))
    for state in snapshots(index):
        yield Page("snapshot.html", snapshot_page(index, names, state))
