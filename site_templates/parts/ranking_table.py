"""The ranking of one suite: the table that the first page and the suite pages show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import NotRequired, TypedDict, Unpack

from leaderboard.types import Category, Submission, Suite
from site_templates import formatting
from site_templates.board_index import WHOLE, Register, Score, label
from site_templates.figures.axis import Bar, Flag, Interval, flags, gap_bar, interval
from site_templates.figures.point_names import width_of
from site_templates.links import Link
from site_templates.markdown import first_sentence

_NAME = 80  # letters of a name that a table shows
_USUAL, _LONG = (
    72.0,
    115.0,
)  # width of a word that fits into two and three tenths of a phone's screen: see labels.width_of
_NOTE = 120  # letters of what a baseline does


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column of scores: its label, how many cases it counts, and the key that sorting keeps in the address.

    `weight` is the column's share of the ranked score before normalising, as a reader may change it; None where it has none.
    """

    key: str
    label: str
    cases: int
    weight: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A score in a column. `best`: not distinguishable from the best.

    `missing` says what is lacking: why there is only a dash, or how much of the cases is answered where that is not all.
    `value` is the score as a share, for whoever weighs the columns anew; empty where there is none or nobody does.
    """

    label: str
    text: str
    path: str | None = None
    best: bool = False
    missing: str = ""
    value: str = ""

    @property
    def room(self) -> str:
        """The class of a cell whose label, which stands over it on a phone, has a word too long for the usual width."""
        return _room(self.label)


@dataclass(frozen=True, slots=True)
class Name:
    """Who a row is about: name, page, and what stands beneath the name. `weights` is open, closed, or any for baselines."""

    label: str
    path: str
    notes: tuple[str, ...]
    kind: str
    weights: str
    framework: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One submission in the ranking, ready to print. `part`: it has no record for some of the cases."""

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
    part: bool = False


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
    """A ranking: on one suite, or on all of them together (then `all_suites` is set, and `categories` are the suites).

    `incomplete` are submissions without a full score, `absent` those that have taken nothing of what is ranked; baselines
    stand apart. On the first page of the board (`first_page`) other suites are shown and categories are one click away, on the
    page of a suite it is the other way round. A long ranking is cut into pages: `rows` and `incomplete` are those of this one,
    `pages` leads to all, `shard` holds all rows as data; `absent` is in each of them, and shown on the first.
    """

    place: str
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
    whole: Chip | None
    frameworks: bool
    has_cost: bool
    has_latency: bool
    has_date: bool
    submitting: str | None
    all_suites: bool = False
    first_page: bool = False
    page: int = 1
    pages: tuple[Link, ...] = ()
    shard: str | None = None
    entries: int = 0
    some_incomplete: bool = False
    absent: tuple[Name, ...] = ()
    some_part: bool = False

    @property
    def reported(self) -> str:
        """The columns that hold what submitters report, as the start of a sentence."""
        shown = (("cost", self.has_cost), ("latency", self.has_latency), ("date", self.has_date))
        return formatting.listed([name for name, there in shown if there]).capitalize()

    @property
    def columns(self) -> int:
        return (
            5
            + len(self.categories)
            + len(self.suites)
            + self.has_cost
            + self.has_latency
            + self.has_date
        )


def ranking(register: Register, suite: Suite, *, first_page: bool = False) -> Ranking:
    """The whole ranking of a suite: ordered by score, then id; baselines and incomplete submissions set apart."""
    takers = register.takers(suite.id)
    sent_in = [s for s in takers if not s.is_baseline]
    taken = {submission.id for submission in takers}
    absent = [s for s in register.submissions if not s.is_baseline and s.id not in taken]
    others = tuple(other for other in register.board.suites if other.id != suite.id)
    table = _Table(register, suite, others)
    return made(
        register,
        place="" if first_page else folder(register, suite),
        title=suite.title,
        cases=len(suite.by_id),
        categories=tuple(
            Column(c.id, label(c), len(c.cases), f"{c.weight:g}") for c in suite.categories
        ),
        suites=tuple(Column(other.id, other.title, len(other.by_id)) for other in others),
        rows=table.rows(s for s in sent_in if _full(register.score(s.id, suite.id))),
        incomplete=table.rows(s for s in sent_in if not _full(register.score(s.id, suite.id))),
        absent=tuple(name_of(register, s) for s in absent),
        baselines=table.rows(s for s in takers if s.is_baseline),
        gap=gap(register, suite, WHOLE),
        flags=baseline_flags(register, suite, WHOLE),
        first_page=first_page,
    )


def folder(register: Register, suite: Suite) -> str:
    """The folder of a suite's pages, which is the place of its ranking."""
    return register.paths.suite(suite.id).removesuffix("index.html")


class Parts(TypedDict):
    """What the ranking of a suite and that of all suites make each in its own way."""

    place: str
    title: str
    cases: int
    categories: tuple[Column, ...]
    suites: tuple[Column, ...]
    rows: tuple[Row, ...]
    incomplete: tuple[Row, ...]
    absent: tuple[Name, ...]
    baselines: tuple[Row, ...]
    gap: Gap | None
    flags: tuple[Flag, ...]
    first_page: NotRequired[bool]
    all_suites: NotRequired[bool]


def made(register: Register, **parts: Unpack[Parts]) -> Ranking:
    """A ranking of its parts, with what follows from them."""
    everyone = (*parts["rows"], *parts["incomplete"])
    return Ranking(
        **parts,
        kinds=_chips(everyone),
        weights=_open(everyone),
        whole=_whole(everyone),
        frameworks=len({row.name.framework for row in everyone if row.name.framework}) > 1,
        has_cost=any(row.cost != formatting.NONE for row in everyone),
        has_latency=any(row.latency != formatting.NONE for row in everyone),
        has_date=any(row.date for row in everyone),
        submitting=register.paths.document("submitting")
        if "submitting" in register.board.docs
        else None,
        entries=len(everyone),
        some_incomplete=bool(parts["incomplete"]),
        some_part=any(_partly(row) for row in (*everyone, *parts["baselines"])),
    )


def name_of(register: Register, submission: Submission) -> Name:
    """A submission's name with what stands beneath it: who made it and of what kind; what a baseline does."""
    card = submission.card
    if submission.is_baseline:
        notes: tuple[str, ...] = (
            first_sentence(submission.readme or "", _NOTE) or card.organization,
        )
    else:
        weights = "open weights" if card.open_weights else None
        notes = tuple(filter(None, (card.organization, card.kind, card.framework, weights)))
    return Name(
        label=formatting.clip(card.name, _NAME),
        path=register.paths.submission(submission.id),
        notes=tuple(formatting.clip(note, _NOTE) for note in notes),
        kind=card.kind,
        weights="any" if submission.is_baseline else "open" if card.open_weights else "closed",
        framework=formatting.clip(card.framework or "", _NOTE),
    )


def gap(register: Register, suite: Suite, category: str) -> Gap | None:
    """The smallest gap of a suite or category, its bar around the middle of the scores, or None without two submissions."""
    smallest = register.gaps.get((suite.id, category))
    scores = [register.score(s.id, suite.id, category) for s in register.field(suite.id)]
    found = [score.score for score in scores if score is not None and score.score is not None]
    if smallest is None or not found:
        return None
    return Gap(formatting.percent(smallest), gap_bar(smallest, fmean(found)))


def baseline_flags(register: Register, suite: Suite, category: str) -> tuple[Flag, ...]:
    """The baselines' lines on the axis of a suite or category."""
    scores = [
        (s, register.score(s.id, suite.id, category))
        for s in register.takers(suite.id)
        if s.is_baseline
    ]
    known = (
        (formatting.clip(s.card.name, 18), score.score) for s, score in scores if score is not None
    )
    return flags((name, score) for name, score in known if score is not None)


@cache
def _room(label: str) -> str:
    longest = max(map(width_of, label.split()), default=0.0)
    return " l5" if longest > _LONG else " l3" if longest > _USUAL else ""


def _full(score: Score | None) -> bool:
    """Whether every verdict of a score is there; what is not answered has one, a fail."""
    return score is not None and not score.unscored


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows of a suite's ranking."""

    register: Register
    suite: Suite
    others: tuple[Suite, ...]

    def rows(self, submissions: Iterable[Submission]) -> tuple[Row, ...]:
        return tuple(self._row(submission) for submission in submissions)

    def _row(self, submission: Submission) -> Row:
        score = self.register.score(submission.id, self.suite.id)
        usage = self.register.usage.get((submission.id, self.suite.id))
        return Row(
            rank=""
            if submission.is_baseline
            else formatting.rank(self.register.rank(submission.id, self.suite.id))
            or formatting.NONE,
            name=name_of(self.register, submission),
            score=formatting.percent(score.score if score else None),
            bounds=formatting.bounds(score.low, score.high) if score else "",
            remark=score.remark if score else "",
            interval=interval(score, baseline=submission.is_baseline),
            categories=tuple(
                self._category(submission, category) for category in self.suite.categories
            ),
            suites=tuple(suite_cell(self.register, submission, other) for other in self.others),
            judged=formatting.whole_percent(score.judged_share if score else None),
            cost=formatting.money(
                None if usage is None or usage.cost_usd is None else usage.cost_usd * 1000
            ),
            latency=formatting.number(usage.latency_p50 if usage else None, 2),
            date="" if submission.is_baseline else submission.card.date,
            part=bool(score and score.missing),
        )

    def _category(self, submission: Submission, category: Category) -> Cell:
        score = self.register.score(submission.id, self.suite.id, category.id)
        rank = self.register.rank(submission.id, self.suite.id, category.id)
        path = self.register.paths.category(self.suite.id, category.id)
        return _cell(
            score, label(category), path, best=rank is not None and rank[0] == 1, weighed=True
        )


def judged_share(register: Register, submission: Submission) -> float | None:
    """The share of a submission's scored verdicts, over all suites it has taken, that rest on a judge."""
    scores = [
        s
        for suite in register.board.suites
        if (s := register.score(submission.id, suite.id)) is not None
    ]
    scored = sum(score.scored for score in scores)
    return (
        math.fsum((score.judged_share or 0.0) * score.scored for score in scores) / scored
        if scored
        else None
    )


def suite_cell(
    register: Register, submission: Submission, suite: Suite, *, weighed: bool = False
) -> Cell:
    """A submission's score on a suite; `weighed` where a reader may weigh the suites anew."""
    score = register.score(submission.id, suite.id)
    return _cell(score, suite.title, register.paths.suite(suite.id), best=False, weighed=weighed)


def _cell(score: Score | None, label: str, path: str, *, best: bool, weighed: bool) -> Cell:
    if score is None:
        return Cell(label, formatting.NONE, missing="not taken")
    if score.score is None:
        return Cell(label, formatting.NONE, missing="nothing scored yet")
    value = f"{score.score:.6g}" if weighed else ""
    return Cell(
        label, formatting.percent(score.score), path, best, missing=score.answered, value=value
    )


def _chips(rows: Iterable[Row]) -> tuple[Chip, ...]:
    kinds = [row.name.kind for row in rows]
    chips = tuple(Chip(f"f-{kind}", kind, kind, kinds.count(kind)) for kind in ("model", "agent"))
    return chips if all(chip.count for chip in chips) else ()


def _open(rows: Iterable[Row]) -> tuple[Chip, ...]:
    weights = [row.name.weights for row in rows]
    both = "open" in weights and "closed" in weights
    return (Chip("f-open", "open", "open", weights.count("open")),) if both else ()


def _partly(row: Row) -> bool:
    return row.part or any(cell.missing for cell in (*row.categories, *row.suites) if cell.path)


def _whole(rows: Sequence[Row]) -> Chip | None:
    part = sum(row.part for row in rows)
    return (
        Chip("f-whole", "whole", "every case", len(rows) - part) if 0 < part < len(rows) else None
    )


def ranked_suites(register: Register) -> tuple[Suite, ...]:
    """The suites that the ranking on all of them is about: those that somebody has taken. With fewer than two there is none."""
    ids = [submission.id for submission in register.submissions]
    return tuple(
        suite
        for suite in register.board.suites
        if any((id_, suite.id, WHOLE) in register.scores for id_ in ids)
    )


def suite_links(register: Register, *, first_page: bool = False) -> tuple[Link, ...]:
    """The suites as a bar of links; on the first page the ranked one leads to that page itself. All together come first."""
    whole = (Link("All suites", "all/index.html"),) if len(ranked_suites(register)) > 1 else ()
    return whole + tuple(
        Link(
            suite.title,
            "index.html"
            if first_page and suite.id == register.board.ranked
            else register.paths.suite(suite.id),
        )
        for suite in register.board.suites
    )
