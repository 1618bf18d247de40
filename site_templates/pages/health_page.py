"""Case health: the cases that a maintainer should look at, and why, for each suite and for the board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import polars as pl

from leaderboard.types import Json, Suite
from site_templates import formatting, page_frame
from site_templates.board_index import Register, label
from site_templates.data.board_tables import SCHEMA, encode, written
from site_templates.links import Link

SEVERAL: Final = 3  # so many must give the same wrong answer before it tells of the ground truth
RARE: Final = 0.05  # a trend as far down comes by chance in one case of twenty
_SHOWN: Final = 50  # cases of a section
_QUERY: Final = 100


class CaseHealth(NamedTuple):
    """One row of HEALTH."""

    suite: str
    category: str
    case_id: str
    submissions: int
    score: float | None
    solved: int
    solved_by: str | None
    tau: float | None
    tau_p: float | None
    same_answer: int
    same_answer_of: str | None
    suspect: bool
    reason: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    """A case in a list: what is found of it, and a submission that it is found with."""

    link: Link
    suite: str
    category: str
    query: str
    passed: str
    found: str
    of: Link | None


@dataclass(frozen=True, slots=True)
class Section:
    """A list of cases. `says` is what such a finding means; `left` counts the cases that are not shown."""

    id: str
    title: str
    says: str
    nothing: str
    findings: tuple[Finding, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cases of a suite or a category are found how. `link` is the page that lists them, or the category's."""

    link: Link
    cases: int
    submissions: int
    failed: int
    alone: int
    against: int
    same: int
    suspects: int


@dataclass(frozen=True, slots=True)
class HealthPage:
    """Model of health/<suite>.html. `likely` says how many cases would go against the trend by chance."""

    head: page_frame.Head
    title: str
    suite: Link
    whole: Counts
    categories: tuple[Counts, ...]
    sections: tuple[Section, ...]
    bar: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class HealthIndexPage:
    """Model of health/index.html. `waiting` are the suites that only baselines have taken."""

    head: page_frame.Head
    rows: tuple[Counts, ...]
    waiting: tuple[Link, ...]
    suspects: Section | None
    submitting: str | None
    document: str | None


Rows = Mapping[str, Sequence[CaseHealth]]


def health_pages(register: Register) -> Iterator[tuple[str, HealthPage | HealthIndexPage]]:
    """Template and model of every page on case health; none where nothing is known of it."""
    if register.board.health.is_empty():
        return
    rows = _rows(register)
    told = [suite for suite in register.board.suites if _entrants(rows[suite.id])]
    yield "health.html", _index(register, rows, told)
    bar = (
        Link("All suites", "health/index.html"),
        *(Link(suite.title, register.paths.health(suite.id)) for suite in told),
    )
    for suite in told:
        yield "health_suite.html", _page(register, suite, rows[suite.id], bar)


def _rows(register: Register) -> Rows:
    """The rows of HEALTH by suite, in the order of the suite's cases."""
    places = {
        (suite.id, case.id): place
        for suite in register.board.suites
        for place, case in enumerate(suite.cases)
    }
    found: defaultdict[str, list[CaseHealth]] = defaultdict(list)
    for row in register.board.health.select(CaseHealth._fields).iter_rows():
        case = CaseHealth(*row)
        if (case.suite, case.case_id) in places:
            found[case.suite].append(case)
    return {
        suite.id: sorted(found[suite.id], key=lambda case: places[case.suite, case.case_id])
        for suite in register.board.suites
    }


def _entrants(rows: Sequence[CaseHealth]) -> int:
    """How many models and agents have a score at a case of a suite."""
    return max((row.submissions for row in rows), default=0)


# ---------------------------------------------------------------- what is found


def _failed(row: CaseHealth) -> bool:
    return row.submissions > 0 and row.solved == 0


def _alone(row: CaseHealth) -> bool:
    return row.solved == 1 and row.submissions > 1


def _against(row: CaseHealth) -> bool:
    return row.tau is not None and row.tau < 0 and row.tau_p is not None and row.tau_p <= RARE


def _same(row: CaseHealth) -> bool:
    return row.same_answer >= SEVERAL


def _counts(link: Link, rows: Sequence[CaseHealth]) -> Counts:
    return Counts(
        link=link,
        cases=len(rows),
        submissions=_entrants(rows),
        failed=sum(map(_failed, rows)),
        alone=sum(map(_alone, rows)),
        against=sum(map(_against, rows)),
        same=sum(map(_same, rows)),
        suspects=sum(row.suspect for row in rows),
    )


@dataclass(frozen=True, slots=True)
class _Finder:
    """Makes lists of the findings of one suite."""

    register: Register
    suite: Suite

    def section(
        self,
        id_: str,
        title: str,
        says: str,
        rows: Sequence[CaseHealth],
        found: Callable[[CaseHealth], tuple[str, str | None]],
    ) -> Section:
        findings = tuple(self.finding(row, *found(row)) for row in rows[:_SHOWN])
        return Section(id_, title, says, "No case.", findings, len(rows) - len(findings))

    def finding(self, row: CaseHealth, found: str, of: str | None) -> Finding:
        case = self.suite.by_id[row.case_id]
        return Finding(
            link=Link(
                formatting.clip(row.case_id, 60),
                self.register.paths.case(self.suite.id, row.case_id),
            ),
            suite=self.suite.title,
            category=label(self.suite.category(case.category)),
            query=formatting.clip(case.query, _QUERY),
            passed=f"{row.solved:,} of {row.submissions:,}",
            found=found,
            of=self.submission(of),
        )

    def submission(self, of: str | None) -> Link | None:
        known = next((s for s in self.register.submissions if s.id == of), None)
        return (
            None
            if known is None
            else Link(
                formatting.clip(known.card.name, 40), self.register.paths.submission(known.id)
            )
        )


def _suspicion(row: CaseHealth) -> tuple[str, str | None]:
    return row.detail or formatting.words(row.reason or ""), None


def _trend(row: CaseHealth) -> tuple[str, str | None]:
    return (
        f"τ {number(row.tau or 0.0)}, p {'< 0.001' if (row.tau_p or 0.0) < 0.001 else f'{row.tau_p:.3f}'}",
        None,
    )


def number(value: float) -> str:
    """A coefficient with two decimals and a proper minus sign."""
    return f"{value:.2f}".replace("-", "−")


def _equal(row: CaseHealth) -> tuple[str, str | None]:
    return f"{row.same_answer:,} gave the same wrong answer, such as", row.same_answer_of


def _by_one(row: CaseHealth) -> tuple[str, str | None]:
    return "passed by", row.solved_by


def _by_none(row: CaseHealth) -> tuple[str, str | None]:
    score = row.score or 0.0
    return (
        "no pass"
        if score == 0
        else f"no pass, mean score {formatting.percent(score)}{formatting.NARROW}%",
        None,
    )


def _suspects(finder: _Finder, rows: Sequence[CaseHealth]) -> Section:
    return finder.section(
        "suspects",
        "Look at these first",
        "The ground truth of these is more likely wrong than the question hard: all fail with one and the same answer, or the "
        "weaker pass more often than the stronger, further than chance would have it in one case of a hundred.",
        [row for row in rows if row.suspect],
        _suspicion,
    )  # fmt: skip


def _sections(finder: _Finder, rows: Sequence[CaseHealth]) -> tuple[Section, ...]:
    expected = formatting.count(round(RARE * sum(row.tau is not None for row in rows)), "case")
    return (
        _suspects(finder, rows),
        finder.section(
            "failed",
            "Failed by all",
            "Too hard, out of reach of what is offered, or wrongly keyed. Nothing is learnt from them of who is better.",
            sorted((row for row in rows if _failed(row)), key=lambda row: -row.same_answer),
            _by_none,
        ),
        finder.section(
            "alone",
            "Passed by one alone",
            "A feat or luck; where one system is alone with an answer, it is worth reading.",
            [row for row in rows if _alone(row)],
            _by_one,
        ),
        finder.section(
            "against",
            "Against the trend",
            "The better a submission is on the other cases, the less it passes these (Kendall’s τ below 0, one-sided p at most "
            f"0.05). By chance alone about {expected} would stand here.",
            sorted((row for row in rows if _against(row)), key=lambda row: (row.tau_p or 0.0, row.tau or 0.0)),
            _trend,
        ),
        finder.section(
            "same",
            "The same wrong answer from several",
            f"At least {SEVERAL} submissions failed with one answer: often it is a right one that the ground truth leaves out.",
            sorted((row for row in rows if _same(row)), key=lambda row: -row.same_answer),
            _equal,
        ),
    )  # fmt: skip


# ---------------------------------------------------------------- pages


def _page(
    register: Register, suite: Suite, rows: Sequence[CaseHealth], bar: tuple[Link, ...]
) -> HealthPage:
    title = formatting.clip(suite.title, 80)
    head = page_frame.Head(
        path=register.paths.health(suite.id),
        title=f"Case health, {title}: {register.board.title}",
        description=f"Cases of {title} that nobody passes, that one alone passes, or that go against the trend.",
        section="Case health",
        crumbs=(Link("Board", "index.html"), Link("Case health", "health/index.html"), Link(title)),
        json=register.paths.health_data(suite.id),
    )
    categories = tuple(
        _counts(
            Link(label(c), register.paths.category(suite.id, c.id)),
            [row for row in rows if row.category == c.id],
        )
        for c in suite.categories
        if c.cases
    )
    link = Link(suite.title, register.paths.suite(suite.id))
    return HealthPage(
        head,
        suite.title,
        link,
        _counts(link, rows),
        categories,
        _sections(_Finder(register, suite), rows),
        bar,
    )


def _index(register: Register, rows: Rows, told: Sequence[Suite]) -> HealthIndexPage:
    board = register.board
    head = page_frame.Head(
        path="health/index.html",
        title=f"Case health: {board.title}",
        description="Cases that a maintainer should look at: failed by all, passed by one alone, against the trend.",
        section="Case health",
        crumbs=(Link("Board", "index.html"), Link("Case health")),
    )
    lists = [_suspects(_Finder(register, suite), rows[suite.id]) for suite in told]
    findings = tuple(finding for section in lists for finding in section.findings)
    first = lists[0] if lists else None
    return HealthIndexPage(
        head=head,
        rows=tuple(
            _counts(Link(suite.title, register.paths.health(suite.id)), rows[suite.id])
            for suite in told
        ),
        waiting=tuple(
            Link(s.title, register.paths.suite(s.id)) for s in board.suites if s not in told
        ),
        suspects=None
        if first is None
        else Section(
            first.id,
            first.title,
            first.says,
            first.nothing,
            findings,
            sum(section.left for section in lists),
        ),
        submitting=register.paths.document("submitting") if "submitting" in board.docs else None,
        document=register.paths.document("methodology") if "methodology" in board.docs else None,
    )


# ---------------------------------------------------------------- data


def health_data(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the table of all cases, and of those beside each suite's page."""
    if register.board.health.is_empty():
        return
    rows = _rows(register)
    ordered = [row for suite in register.board.suites for row in rows[suite.id]]
    table = pl.DataFrame(
        ordered, schema=register.board.health.select(CaseHealth._fields).schema, orient="row"
    )
    yield "data/health.json", encode({"schema": SCHEMA, "cases": table.to_dicts()})
    yield from written("data/health", table)
    for suite in register.board.suites:
        if _entrants(rows[suite.id]):
            cases: list[Json] = [row._asdict() for row in rows[suite.id]]
            path = register.paths.health_data(suite.id)
            yield path, encode({"schema": SCHEMA, "suite": suite.id, "cases": cases})
            yield from written(path.removesuffix(".json"), table.filter(suite=suite.id))
