"""Every page of the site, as models: what is to be shown, with nothing left to decide but how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.types import Suite
from site_templates.board_index import Register
from site_templates.figures.sweep import swept
from site_templates.page_frame import documents, frame
from site_templates.pages.case_page import CasePage, case_page
from site_templates.pages.category_page import CategoryPage, category_page
from site_templates.pages.compare_page import ComparePage, PairPage, compare_page, pair_page
from site_templates.pages.document_page import DocumentPage, LostPage, document_page, lost_page
from site_templates.pages.health_page import HealthIndexPage, HealthPage, health_pages
from site_templates.pages.history_page import HistoryPage, SnapshotPage, history_pages
from site_templates.pages.index_page import IndexPage, index_page
from site_templates.pages.judge_page import JudgePage, JudgesPage, decided, judge_page, judges_page
from site_templates.pages.overall_page import AllPage, all_page
from site_templates.pages.submission_page import SubmissionPage, medians, submission_page
from site_templates.pages.suite_page import SuitePage, SuitesPage, suite_page, suites_page
from site_templates.parts.alone import standings
from site_templates.parts.case_answers import category_of
from site_templates.parts.paging import RankingPage, in_pages, ranking_page, rankings
from site_templates.parts.pair_pages import Pair, all_pairs, by_submission, comparable
from site_templates.parts.ranking_table import folder

PageModel = (
    IndexPage
    | AllPage
    | RankingPage
    | SuitesPage
    | SuitePage
    | CategoryPage
    | CasePage
    | SubmissionPage
    | ComparePage
    | PairPage
    | HealthIndexPage
    | HealthPage
    | HistoryPage
    | SnapshotPage
    | JudgesPage
    | JudgePage
    | DocumentPage
    | LostPage
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the template that shows it, and what it shows."""

    template: str
    model: PageModel


def pages(register: Register, base: str | None = None) -> Iterator[Page]:
    """Every page of a board's site, one at a time. `base` is the full address at which it will stand, where that is known."""
    board = register.board
    tables = {place: in_pages(table) for place, table in rankings(register).items()}
    for table in (page for pages in tables.values() for page in pages[1:]):
        yield Page("ranking.html", ranking_page(register, table))
    yield Page("index.html", index_page(register, tables[""][0]))
    if "all/" in tables:
        yield Page("all.html", all_page(register, tables["all/"][0]))
    yield Page("suites.html", suites_page(register))
    for suite in board.suites:
        yield Page("suite.html", suite_page(register, suite, tables[folder(register, suite)][0]))
        for category in suite.categories:
            yield Page("category.html", category_page(register, suite, category))
        yield from _cases(register, suite)
    middle, found = medians(register), all_pairs(register)
    compared, alone, sweeps = by_submission(found), standings(register), swept(register.submissions)
    for submission in register.submissions:
        mine, known = compared.get(submission.id, ()), alone.get(submission.id, ())
        sweep = sweeps.get(submission.id, ())
        yield Page(
            "submission.html",
            submission_page(
                register, submission, middle, pairs=mine, alone=known, sweep=sweep, base=base
            ),
        )
    yield from _judges(register)
    yield from _comparisons(register, found)
    for template, health in health_pages(register):
        yield Page(template, health)
    for template, old in history_pages(register, feed=base is not None):
        yield Page(template, old)
    for name in documents(board.docs):
        yield Page("document.html", document_page(register, name))
    yield Page("404.html", lost_page(register, frame(register).navigation))


def _judges(register: Register) -> Iterator[Page]:
    if register.board.judges:
        counts = decided(register)
        yield Page("judges.html", judges_page(register, counts))
        for judge in register.board.judges:
            yield Page("judge.html", judge_page(register, judge, counts))


def _comparisons(register: Register, found: Mapping[str, Sequence[Pair]]) -> Iterator[Page]:
    if found:
        yield Page("compare.html", compare_page(register, found))
    for suite in comparable(register):
        for pair in found[suite.id]:
            yield Page("pair.html", pair_page(register, suite, pair))


def _cases(register: Register, suite: Suite) -> Iterator[Page]:
    shared = {
        category.id: category_of(register, suite, category.id) for category in suite.categories
    }
    cases = suite.cases
    for before, case, after in zip((None, *cases), cases, (*cases[1:], None), strict=False):
        yield Page("case.html", case_page(shared[case.category], case, before, after))
