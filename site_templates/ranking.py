"""The ranking of one suite: the table that the first page and the suite pages show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from leaderboard.types import Category, Submission, Suite
from site_templates import text
from site_templates.axis import Bar, Flag, Interval, flags, gap_bar, interval
from site_templates.links import Link
from site_templates.markdown import first_sentence
from site_templates.register import WHOLE, Register, Score, label

_NAME = 80  # letters of a name that a table shows
_NOTE = 120  # letters of what a baseline does


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column of scores: its label, how many cases it counts, and the key that sorting keeps in the address."""

    key: str
    label: str
    cases: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A score in a column. `best`: not distinguishable from the best. `missing` says why there is only a dash."""

    label: str
    text: str
    path: str | None = None
    best: bool = False
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """Who a row is about: name, page, and what stands beneath the name."""

    label: str
    path: str
    notes: tuple[str, ...]
    kind: str
    weights: str


@dataclass(frozen=True, slots=True)
class Row:
    """One submission in the ranking, ready to print."""

    rank: str
    name: Name
    score: str
    bounds: str
    remark: str
    interval: Interval | None
    categories: tuple[Cell, ...]
    suites: tuple[Cell, ...]
    judged: str
    cost: str
    latency: str
    date: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The smallest difference the suite can tell apart, in points, and its bar on the axis."""

    points: str
    bar: Bar


@dataclass(frozen=True, slots=True)
class Chip:
    """A facet: id of its checkbox, name in the address, label, how many rows it holds."""

    id: str
    name: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of one suite. `incomplete` are submissions without a full score on it; baselines stand apart."""

    suite: str
    title: str
    cases: int
    categories: tuple[Column, ...]
    suites: tuple[Column, ...]
    rows: tuple[Row, ...]
    gap: Gap | None
    incomplete: tuple[Row, ...]
    baselines: tuple[Row, ...]
    flags: tuple[Flag, ...]
    kinds: tuple[Chip, ...]
    weights: tuple[Chip, ...]
    has_cost: bool
    has_latency: bool
    has_date: bool
    submitting: str | None

    @property
    def columns(self) -> int:
        return 5 + len(self.categories) + len(self.suites) + self.has_cost + self.has_latency + self.has_date


def ranking(register: Register, suite: Suite) -> Ranking:
    """The ranking of a suite: ordered by score, then id; baselines and incomplete submissions set apart."""
    takers = register.takers(suite.id)
    sent_in = [s for s in takers if not s.is_baseline]
    complete = [s for s in sent_in if not _remark(register.score(s.id, suite.id))]
    partial = [s for s in sent_in if _remark(register.score(s.id, suite.id))]
    taken = {submission.id for submission in takers}
    absent = [s for s in register.submissions if not s.is_baseline and s.id not in taken]
    baselines = [s for s in takers if s.is_baseline]
    table = _Table(register, suite, tuple(other for other in register.board.suites if other.id != suite.id))
    rows = table.rows(complete)
    incomplete = table.rows(partial + absent)
    everyone = (*rows, *incomplete)
    return Ranking(
        suite=suite.id,
        title=suite.title,
        cases=len(suite.by_id),
        categories=tuple(Column(c.id, label(c), len(c.cases)) for c in suite.categories),
        suites=tuple(Column(other.id, other.title, len(other.by_id)) for other in table.others),
        rows=rows,
        gap=gap(register, suite, WHOLE),
        incomplete=incomplete,
        baselines=table.rows(baselines),
        flags=baseline_flags(register, suite, WHOLE),
        kinds=_chips(everyone),
        weights=_open(everyone),
        has_cost=any(row.cost != text.NONE for row in everyone),
        has_latency=any(row.latency != text.NONE for row in everyone),
        has_date=any(row.date for row in everyone),
        submitting=register.paths.document("submitting") if "submitting" in register.board.docs else None,
    )


def name_of(register: Register, submission: Submission) -> Name:
    """A submission's name with what stands beneath it: who made it and of what kind; what a baseline does."""
    card = submission.card
    if submission.is_baseline:
        notes: tuple[str, ...] = (first_sentence(submission.readme or "", _NOTE) or card.organization,)
    else:
        weights = "open weights" if card.open_weights else None
        notes = tuple(filter(None, (card.organization, card.kind, card.framework, weights)))
    return Name(
        label=text.clip(card.name, _NAME),
        path=register.paths.submission(submission.id),
        notes=tuple(text.clip(note, _NOTE) for note in notes),
        kind=card.kind,
        weights="open" if card.open_weights else "closed",
    )


def gap(register: Register, suite: Suite, category: str) -> Gap | None:
    """The smallest gap of a suite or category, its bar around the middle of the scores, or None without two submissions."""
    smallest = register.gaps.get((suite.id, category))
    scores = [register.score(s.id, suite.id, category) for s in register.field(suite.id)]
    found = [score.score for score in scores if score is not None and score.score is not None]
    if smallest is None or not found:
        return None
    return Gap(text.percent(smallest), gap_bar(smallest, fmean(found)))


def baseline_flags(register: Register, suite: Suite, category: str) -> tuple[Flag, ...]:
    """The baselines' lines on the axis of a suite or category."""
    scores = [(s, register.score(s.id, suite.id, category)) for s in register.takers(suite.id) if s.is_baseline]
    known = ((text.clip(s.card.name, 18), score.score) for s, score in scores if score is not None)
    return flags((name, score) for name, score in known if score is not None)


def _remark(score: Score | None) -> str:
    """Why a submission is incomplete on a suite, or nothing."""
    if score is None:
        return "not taken"
    return f"{score.unscored:,} unscored" if score.unscored else ""


@dataclass(frozen=True, slots=True)
class _Table:
    register: Register
    suite: Suite
    others: tuple[Suite, ...]

    def rows(self, submissions: Iterable[Submission]) -> tuple[Row, ...]:
        return tuple(self._row(submission) for submission in submissions)

    def _row(self, submission: Submission) -> Row:
        score = self.register.score(submission.id, self.suite.id)
        usage = self.register.usage.get((submission.id, self.suite.id))
        return Row(
            rank="" if submission.is_baseline else text.rank(self.register.rank(submission.id, self.suite.id)) or text.NONE,
            name=name_of(self.register, submission),
            score=text.percent(score.score if score else None),
            bounds=text.bounds(score.low, score.high) if score else "",
            remark=_remark(score),
            interval=interval(score, baseline=submission.is_baseline),
            categories=tuple(self._category(submission, category) for category in self.suite.categories),
            suites=tuple(self._other(submission, other) for other in self.others),
            judged=text.whole_percent(score.judged_share if score else None),
            cost=text.money(None if usage is None or usage.cost_usd is None else usage.cost_usd * 1000),
            latency=text.number(usage.latency_p50 if usage else None, 2),
            date="" if submission.is_baseline else submission.card.date,
        )

    def _category(self, submission: Submission, category: Category) -> Cell:
        score = self.register.score(submission.id, self.suite.id, category.id)
        rank = self.register.rank(submission.id, self.suite.id, category.id)
        path = self.register.paths.category(self.suite.id, category.id)
        return _cell(score, label(category), path, best=rank is not None and rank[0] == 1)

    def _other(self, submission: Submission, suite: Suite) -> Cell:
        score = self.register.score(submission.id, suite.id)
        return _cell(score, suite.title, self.register.paths.suite(suite.id), best=False)


def _cell(score: Score | None, label: str, path: str, *, best: bool) -> Cell:
    if score is None:
        return Cell(label, text.NONE, missing="not taken")
    if score.score is None:
        return Cell(label, text.NONE, missing="nothing scored yet")
    return Cell(label, text.percent(score.score), path, best)


def _chips(rows: Iterable[Row]) -> tuple[Chip, ...]:
    kinds = [row.name.kind for row in rows]
    chips = tuple(Chip(f"f-{kind}", kind, kind, kinds.count(kind)) for kind in ("model", "agent"))
    return chips if all(chip.count for chip in chips) else ()


def _open(rows: Iterable[Row]) -> tuple[Chip, ...]:
    weights = [row.name.weights for row in rows]
    both = "open" in weights and "closed" in weights
    return (Chip("f-open", "open", "open", weights.count("open")),) if both else ()


def suite_links(register: Register, *, first_page: bool = False) -> tuple[Link, ...]:
    """The suites as a bar of links; on the first page the ranked one leads to that page itself."""
    return tuple(
        Link(suite.title, "index.html" if first_page and suite.id == register.board.ranked else register.paths.suite(suite.id))
        for suite in register.board.suites
    )
