"""Every page of the site, as models: what is to be shown, with nothing left to decide but how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.types import Suite
from site_templates.case import CasePage, case_page, category_of
from site_templates.category import CategoryPage, category_page
from site_templates.document import DocumentPage, LostPage, document_page, lost_page
from site_templates.frame import documents, frame
from site_templates.index import IndexPage, index_page
from site_templates.judge import JudgePage, JudgesPage, decided, judge_page, judges_page
from site_templates.register import Register
from site_templates.submission import SubmissionPage, medians, submission_page
from site_templates.suite import SuitePage, SuitesPage, suite_page, suites_page

PageModel = (
    IndexPage
    | SuitesPage
    | SuitePage
    | CategoryPage
    | CasePage
    | SubmissionPage
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


def pages(register: Register) -> Iterator[Page]:
    """Every page of a board's site, one at a time."""
    board = register.board
    yield Page("index.html", index_page(register))
    yield Page("suites.html", suites_page(register))
    for suite in board.suites:
        yield Page("suite.html", suite_page(register, suite))
        for category in suite.categories:
            yield Page("category.html", category_page(register, suite, category))
        yield from _cases(register, suite)
    middle = medians(register)
    for submission in register.submissions:
        yield Page("submission.html", submission_page(register, submission, middle))
    if board.judges:
        counts = decided(register)
        yield Page("judges.html", judges_page(register, counts))
        for judge in board.judges:
            yield Page("judge.html", judge_page(register, judge, counts))
    for name in documents(board.docs):
        yield Page("document.html", document_page(register, name))
    yield Page("404.html", lost_page(register, frame(register).navigation))


def _cases(register: Register, suite: Suite) -> Iterator[Page]:
    shared = {category.id: category_of(register, suite, category.id) for category in suite.categories}
    cases = suite.cases
    for before, case, after in zip((None, *cases), cases, (*cases[1:], None), strict=False):
        yield Page("case.html", case_page(shared[case.category], case, before, after))
