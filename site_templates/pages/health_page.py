"""Case health: the cases that a maintainer should look at, and why, by suite and for the board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from leaderboard.frames import RARE_TREND
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import beside
from site_templates.links import HEALTH_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.health_rows import (
    LISTED_TREND,
    CaseHealth,
    HealthRows,
    entrants,
    rows_of_health,
)
from site_templates.parts.named_links import to_category, to_submission, to_suite

_SHOWN: Final = 50  # cases of a section
_QUERY: Final = 100  # characters of a case's question


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """A case in a list: what was found, and with which submission."""

    link: Link
    suite: str
    category: str
    query: str
    row: CaseHealth
    found: str
    of: Link | None


@dataclass(frozen=True, slots=True)
class HealthSection:
    """A list of cases, and what it is `about`. `left` counts the cases not shown."""

    id: str
    title: str
    about: str
    findings: tuple[HealthFinding, ...]
    left: int


@dataclass(frozen=True, slots=True)
class HealthCounts:
    """How many cases of a suite or category each section lists, by the id of the section."""

    link: Link
    cases: int
    submissions: int
    listed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HealthPage:
    """Model of health/<suite>.html. `note` says that scores are only reported; otherwise ""."""

    head: Head
    title: str
    note: str
    whole: HealthCounts
    categories: tuple[HealthCounts, ...]
    sections: tuple[HealthSection, ...]
    bar: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class HealthIndexPage:
    """Model of health/index.html. `waiting` are the suites that only baselines have taken."""

    head: Head
    rows: tuple[HealthCounts, ...]
    waiting: tuple[Link, ...]
    suspects: HealthSection | None


def health_pages(index: BoardIndex) -> Iterator[tuple[str, HealthPage | HealthIndexPage]]:
    """Template and model of every page on case health; none without the table HEALTH."""
    if index.board.results.health.is_empty():
        return
    rows = rows_of_health(index)
    entered = [suite for suite in index.board.suites if entrants(rows[suite.id])]
    yield "health.html", _index(index, rows, entered)
    bar = [Link("All suites", HEALTH_PATH)]
    bar += [Link(suite.title, index.paths.health(suite.id)) for suite in entered]
    for suite in entered:
        yield "health_suite.html", _page(index, suite, rows[suite.id], tuple(bar))


def _counts(link: Link, rows: Sequence[CaseHealth]) -> HealthCounts:
    listed = {id_: sum(map(section.belongs, rows)) for id_, section in _SECTIONS.items()}
    return HealthCounts(link, len(rows), entrants(rows), listed)


# ---------------------------------------------------------------- sections


Found = tuple[str, str | None]  # the words, and the id of a submission to name after them


class _Section(NamedTuple):
    """A section: its texts, the cases that it lists, and what it says about each.

    Without `order` they are listed in the order of the suite. `{by_chance}` in `about` is how many
    cases would be listed by chance.
    """

    title: str
    about: str
    belongs: Callable[[CaseHealth], bool]
    found: Callable[[CaseHealth], Found]
    order: Callable[[CaseHealth], tuple[float, ...]] = lambda _: ()


def _failure(row: CaseHealth) -> Found:
    if row.score:
        return f"no pass, mean score {formatting.exact_percent(row.score)}", None
    return "no pass", None


def _trend(row: CaseHealth) -> Found:
    return f"τ {formatting.coefficient(row.tau)}, p {formatting.p_value(row.tau_p)}", None


def _same_answer(row: CaseHealth) -> Found:
    count = f"{row.same_answer:,} gave the same wrong answer, for example"
    return count, row.same_answer_of


_SECTIONS: Final[Mapping[str, _Section]] = {
    "suspects": _Section(
        "Check these first",
        "The ground truth of these cases may be wrong: all submissions fail, at least half of them"
        " with the same answer, or weaker submissions pass more often than stronger ones"
        f" (p < {RARE_TREND:g}).",
        belongs=lambda row: row.suspect,
        found=lambda row: (row.detail or formatting.words(row.reason or ""), None),
    ),
    "failed": _Section(
        "Failed by all",
        "These cases are too hard, impossible with the tools offered, or have a wrong ground truth."
        " They do not show which submission is better.",
        belongs=lambda row: row.failed_by_all,
        found=_failure,
        order=lambda row: (-row.same_answer,),
    ),
    "alone": _Section(
        "Passed by one",
        "One submission passes these cases, by skill or by luck. Its answers are worth reading.",
        belongs=lambda row: row.passed_by_one,
        found=lambda row: ("passed by", row.solved_by),
    ),
    "against": _Section(
        "Weaker models do better",
        "The better a submission is on the other cases, the less often it passes these (Kendall’s τ"
        f" below 0, one-sided p at most {LISTED_TREND:g}). By chance about {{by_chance}} would be"
        " listed here.",
        belongs=lambda row: row.against_trend,
        found=_trend,
        order=lambda row: (row.tau_p or 0.0, row.tau or 0.0),
    ),
    "same": _Section(
        "Same wrong answer from several",
        "At least three submissions failed with the same answer. It may be a right answer that the"
        " ground truth leaves out.",
        belongs=lambda row: row.same_wrong_answer,
        found=_same_answer,
        order=lambda row: (-row.same_answer,),
    ),
}


def _section(
    index: BoardIndex, suite: Suite, id_: str, rows: Sequence[CaseHealth]
) -> HealthSection:
    section = _SECTIONS[id_]
    listed = sorted(filter(section.belongs, rows), key=section.order)
    findings = tuple(_finding(index, suite, section, row) for row in listed[:_SHOWN])
    tested = sum(row.tau is not None for row in rows)
    return HealthSection(
        id=id_,
        title=section.title,
        about=section.about.format(by_chance=counted(round(LISTED_TREND * tested), "case")),
        findings=findings,
        left=len(listed) - len(findings),
    )


def _finding(index: BoardIndex, suite: Suite, section: _Section, row: CaseHealth) -> HealthFinding:
    case = suite.by_id[row.case_id]
    found, by = section.found(row)
    submission = index.board.submission(by) if by else None
    return HealthFinding(
        link=Link(formatting.clip(row.case_id, 60), index.paths.case(suite.id, row.case_id)),
        suite=suite.title,
        category=to_category(index, suite, suite.category(case.category)).label,
        query=formatting.clip(case.query, _QUERY),
        row=row,
        found=found,
        of=to_submission(index, submission, 40) if submission else None,
    )


# ---------------------------------------------------------------- pages


def _page(
    index: BoardIndex, suite: Suite, rows: Sequence[CaseHealth], bar: tuple[Link, ...]
) -> HealthPage:
    title, data = formatting.clip(suite.title, 80), index.paths.health_data(suite.id)
    by_category = defaultdict(list)
    for row in rows:
        by_category[row.category].append(row)
    categories = []
    for category in suite.categories:
        link = to_category(index, suite, category)
        categories.append(_counts(link, by_category[category.id]))
    return HealthPage(
        head=page_head(
            index,
            index.paths.health(suite.id),
            f"Case health, {title}",
            f"Cases of {title} that all fail, that one passes, or that weaker models pass.",
            section="Case health",
            crumbs=[Link("Case health", HEALTH_PATH), Link(title)],
            json=data,
            tables=beside("Every case", data),
        ),
        title=suite.title,
        note=suite.kind.about_truth if suite.kind.reported else "",
        whole=_counts(to_suite(index, suite), rows),
        categories=tuple(categories),
        sections=tuple(_section(index, suite, id_, rows) for id_ in _SECTIONS),
        bar=bar,
    )


def _index(index: BoardIndex, rows: HealthRows, entered: Sequence[Suite]) -> HealthIndexPage:
    counts = []
    for suite in entered:
        link = Link(suite.title, index.paths.health(suite.id))
        counts.append(_counts(link, rows[suite.id]))
    lists = [_section(index, suite, "suspects", rows[suite.id]) for suite in entered]
    suspects = None
    if lists:
        findings = tuple(finding for section in lists for finding in section.findings)
        left = sum(section.left for section in lists)
        suspects = replace(lists[0], findings=findings, left=left)
    return HealthIndexPage(
        head=page_head(
            index,
            HEALTH_PATH,
            "Case health",
            "Cases to look at: all fail them, only one passes, or weaker models do better.",
            section="Case health",
            crumbs=[Link("Case health")],
            json="data/health.json",
            tables=beside("Every case", "data/health.json"),
        ),
        rows=tuple(counts),
        waiting=tuple(to_suite(index, s) for s in index.board.suites if s not in entered),
        suspects=suspects,
    )
