"""Every page of the site: its template, and its model with everything that it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from leaderboard.types import Suite
from site_templates.board_index import Register
from site_templates.figures.sweep import swept
from site_templates.page_frame import Head, documents, frame
from site_templates.pages.case_page import case_page
from site_templates.pages.category_page import category_page
from site_templates.pages.compare_page import compare_page, pair_page
from site_templates.pages.document_page import document_page, lost_page
from site_templates.pages.health_page import health_pages
from site_templates.pages.history_page import history_pages
from site_templates.pages.index_page import index_page
from site_templates.pages.judge_page import count_verdicts, judge_page, judges_page
from site_templates.pages.overall_page import all_page
from site_templates.pages.submission_page import median_scores, submission_page
from site_templates.pages.suite_page import suite_page, suites_page
from site_templates.parts.case_answers import category_context
from site_templates.parts.paging import in_pages, ranking_page, rankings
from site_templates.parts.pair_pages import Pair, all_pairs, by_submission, comparable
from site_templates.parts.ranking_table import folder


class PageModel(Protocol):
    """A frozen dataclass that one template shows."""

    @property
    def head(self) -> Head: ...


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the template that shows it, and what it shows."""

    template: str
    model: PageModel


def pages(register: Register, base: str | None = None) -> Iterator[Page]:
    """Every page of a board's site. `base` is the full address of the site, if it is known."""
    board = register.board
    pairs = all_pairs(register)
    yield from _rankings(register)
    for suite in board.suites:
        yield from _cases(register, suite)
    yield from _submissions(register, by_submission(pairs), base)
    yield from _judges(register)
    yield from _comparisons(register, pairs)
    for template, health in health_pages(register):
        yield Page(template, health)
    for template, old in history_pages(register, feed=base is not None):
        yield Page(template, old)
    for name in documents(board.docs):
        yield Page("document.html", document_page(register, name))
    yield Page("404.html", lost_page(register, frame(register).navigation))


def _rankings(register: Register) -> Iterator[Page]:
    """The first page, the pages of suites and of all suites, and further pages of rankings."""
    tables = {place: in_pages(table) for place, table in rankings(register).items()}
    for first, *others in tables.values():
        for table in others:
            yield Page("ranking.html", ranking_page(register, table))
        if first.first_page:
            yield Page("index.html", index_page(register, first))
        elif first.all_suites:
            yield Page("all.html", all_page(register, first))
    yield Page("suites.html", suites_page(register))
    for suite in register.board.suites:
        yield Page("suite.html", suite_page(register, suite, tables[folder(register, suite)][0]))


def _cases(register: Register, suite: Suite) -> Iterator[Page]:
    """The pages of a suite's categories and cases."""
    for category in suite.categories:
        yield Page("category.html", category_page(register, suite, category))
    contexts = {c.id: category_context(register, suite, c.id) for c in suite.categories}
    cases = suite.cases
    for before, case, after in zip((None, *cases), cases, (*cases[1:], None), strict=False):
        yield Page("case.html", case_page(contexts[case.category], case, before, after))


def _submissions(
    register: Register, compared: Mapping[str, Sequence[tuple[str, Pair]]], base: str | None
) -> Iterator[Page]:
    medians = median_scores(register)
    sweeps = swept(register.submissions)
    for submission in register.submissions:
        model = submission_page(
            register,
            submission,
            medians,
            pairs=compared.get(submission.id, ()),
            sweep=sweeps.get(submission.id, ()),
            base=base,
        )
        yield Page("submission.html", model)


def _judges(register: Register) -> Iterator[Page]:
    if register.board.judges:
        counts = count_verdicts(register)
        yield Page("judges.html", judges_page(register, counts))
        for judge in register.board.judges:
            yield Page("judge.html", judge_page(register, judge, counts))


def _comparisons(register: Register, pairs: Mapping[str, Sequence[Pair]]) -> Iterator[Page]:
    if pairs:
        yield Page("compare.html", compare_page(register, pairs))
    for suite in comparable(register):
        for pair in pairs[suite.id]:
            yield Page("pair.html", pair_page(register, suite, pair))
