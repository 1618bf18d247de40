"""How far judges can be trusted: against the labelled set, against each other, and asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from leaderboard.files.audit_files import Audit
from leaderboard.types import JudgeSettings, Suite
from site_templates import formatting
from site_templates.board_index import WHOLE, Register, label
from site_templates.figures.axis import Interval, at
from site_templates.links import Link
from site_templates.parts.trajectory import Steps, made

_ERRORS: Final = 40  # pairs of a suite on which a judge is not right that its page lists
_LETTERS: Final = 400

_Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A judge against the labels, over everything, a suite or a category. `level` is all, suite or cat; shares in percent.

    Of the pairs `unsure` are those that it leaves unsure, `open` those without a grade; neither is in a share.
    """

    level: str
    link: Link
    pairs: int
    unsure: int
    open: int
    agreement: str
    bounds: str
    interval: Interval | None
    kappa: str
    sensitivity: str
    sensitivity_bounds: str
    specificity: str
    specificity_bounds: str


@dataclass(frozen=True, slots=True)
class Confusion:
    """Labels by what a judge said: four counts."""

    true_equivalent: int
    false_different: int
    false_equivalent: int
    true_different: int


@dataclass(frozen=True, slots=True)
class Error:
    """A labelled pair on which a judge is wrong or unsure: the answer, its label with the ground, what the judge said and how.

    `calls` are those that led to the answer, None where none could be made.
    """

    id: str
    case: Link
    got: str
    calls: Steps | None
    label: str
    why: str
    said: str
    reply: str


@dataclass(frozen=True, slots=True)
class Errors:
    """The pairs of a suite on which a judge is not right. `pairs` are cut to forty; `wrong` and `unsure` count all."""

    suite: Link
    wrong: int
    unsure: int
    pairs: tuple[Error, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the labelled set says of a judge. `solves`: some labels say whether a query is solved; `unsure`: it left some so."""

    rows: tuple[AgreementRow, ...]
    confusion: Confusion
    errors: tuple[Errors, ...]
    solves: bool
    unsure: bool


@dataclass(frozen=True, slots=True)
class ConcordanceRow:
    """Two judges on the labelled pairs that both graded."""

    level: str
    judges: tuple[Link, Link]
    link: Link
    pairs: int
    agreement: str
    bounds: str
    kappa: str


@dataclass(frozen=True, slots=True)
class FlipRow:
    """How often a judge changed its grade when it was asked again."""

    level: str
    link: Link
    asked: int
    compared: int
    flips: int
    rate: str
    bounds: str
    unreadable: int


@dataclass(frozen=True, slots=True)
class Flips:
    """A judge asked again. `stale`: the audit is of another model or other settings than the judge has now."""

    rows: tuple[FlipRow, ...]
    recorded: int
    seed: int
    stale: bool


def agreement(register: Register, judge: str) -> Agreement | None:
    """What the labelled set says of a judge (`*`: of the panel as a whole), or None where it was not asked about it."""
    rows = _rows(register, register.board.agreement.filter(pl.col("judge") == judge))
    graded = [(level, link, row) for level, link, row in rows if row["pairs"]]
    if not graded or graded[0][0] != "all":
        return None
    whole = graded[0][2]
    solved = {suite.id for suite in register.board.suites if suite.kind.judged_as == "solved"}
    return Agreement(
        rows=tuple(_agreement_row(level, link, row) for level, link, row in graded),
        confusion=Confusion(*(whole[name] for name in Confusion.__slots__)),
        errors=tuple(_errors(register, judge)),
        solves=any(row["suite"] in solved for _, _, row in graded),
        unsure=whole["unsure"] > 0,
    )


def _rows(register: Register, frame: pl.DataFrame) -> list[tuple[str, Link, _Row]]:
    """The rows of a frame with their places: everything first, then each suite with its categories, as the board has them."""
    found: dict[tuple[str, str], list[_Row]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault((row["suite"], row["category"]), []).append(row)
    places: list[tuple[str, tuple[str, str], Link]] = [
        ("all", (WHOLE, WHOLE), Link("all labelled pairs"))
    ]
    for suite in register.board.suites:
        places.append(
            ("suite", (suite.id, WHOLE), Link(suite.title, register.paths.suite(suite.id)))
        )
        places += [
            ("cat", (suite.id, c.id), Link(label(c), register.paths.category(suite.id, c.id)))
            for c in suite.categories
        ]
    return [(level, link, row) for level, key, link in places for row in found.get(key, ())]


def _agreement_row(level: str, link: Link, row: _Row) -> AgreementRow:
    share = row["agreement"]
    return AgreementRow(
        level=level,
        link=link,
        pairs=row["pairs"],
        unsure=row["unsure"],
        open=row["pairs"] - row["graded"] - row["unsure"],
        agreement=formatting.percent(share),
        bounds=formatting.bounds(row["low"], row["high"]),
        interval=None if share is None else Interval(at(row["low"]), at(row["high"]), at(share)),
        kappa=kappa(row["kappa"]),
        sensitivity=formatting.percent(row["sensitivity"]),
        sensitivity_bounds=formatting.bounds(row["sensitivity_low"], row["sensitivity_high"]),
        specificity=formatting.percent(row["specificity"]),
        specificity_bounds=formatting.bounds(row["specificity_low"], row["specificity_high"]),
    )


def kappa(value: float | None) -> str:
    """Cohen's κ with two digits and a true minus."""
    return formatting.NONE if value is None else f"{value:.2f}".replace("-", "−")


def _errors(register: Register, judge: str) -> Iterator[Errors]:
    """By suite, the labelled pairs of which a judge says something else than their label."""
    graded = pl.col("said").is_in(["missing", "unparseable"]).not_() & (
        pl.col("said") != pl.col("label")
    )
    frame = register.board.labelled.filter((pl.col("judge") == judge) & graded)
    for suite in register.board.suites:
        rows = frame.filter(pl.col("suite") == suite.id).sort("category", "pair").rows(named=True)
        unsure = sum(row["said"] == "unsure" for row in rows)
        if rows:
            pairs = tuple(_error(register, suite, row) for row in rows[:_ERRORS])
            yield Errors(
                Link(suite.title, register.paths.suite(suite.id)), len(rows) - unsure, unsure, pairs
            )


def _error(register: Register, suite: Suite, row: _Row) -> Error:
    pair = register.board.labels.get((suite.id, row["pair"]))
    known = (suite.id, row["case_id"]) in register.paths.cases
    return Error(
        id=row["pair"],
        case=Link(row["case_id"], register.paths.case(suite.id, row["case_id"]) if known else None),
        got=formatting.clip(pair.got, _LETTERS) if pair else "",
        calls=made(pair.calls) if pair and suite.kind.judged_as == "solved" else None,
        label=row["label"],
        why=pair.why if pair else "",
        said=row["said"],
        reply=formatting.clip(row["reply"] or "", _LETTERS),
    )


def concordance(register: Register) -> tuple[ConcordanceRow, ...]:
    """Each pair of judges against each other; empty where there is but one."""
    paths = register.paths.judges
    return tuple(
        ConcordanceRow(
            level=level,
            judges=(_judge(register, paths, row["judge"]), _judge(register, paths, row["other"])),
            link=link,
            pairs=row["pairs"],
            agreement=formatting.percent(row["agreement"]),
            bounds=formatting.bounds(row["low"], row["high"]),
            kappa=kappa(row["kappa"]),
        )
        for level, link, row in _rows(register, register.board.concordance)
        if row["pairs"]
    )


def _judge(register: Register, paths: Mapping[str, str], name: str) -> Link:
    return Link(name, register.paths.judge(name) if name in paths else None)


def flips(register: Register, judge: JudgeSettings) -> Flips | None:
    """What became of a judge that was asked again, or None where nobody did."""
    audit: Audit | None = register.board.audits.get(judge.name)
    if audit is None:
        return None
    rows = []
    for row in audit.rows:
        link = _place(register, row.suite, row.category)
        level = "all" if row.suite == WHOLE else "cat"
        unreadable = row.unparseable + row.unanswered
        rate, bounds = formatting.percent(row.rate), formatting.bounds(row.low, row.high)
        rows.append(
            FlipRow(level, link, row.asked, row.compared, row.flips, rate, bounds, unreadable)
        )
    return Flips(tuple(rows), audit.recorded, audit.seed, not audit.is_of(judge))


def _place(register: Register, suite: str, category: str) -> Link:
    if suite == WHOLE:
        return Link("the whole sample")
    if (suite, category) in register.paths.categories:
        found = next(s for s in register.board.suites if s.id == suite).category(category)
        return Link(label(found), register.paths.category(suite, category))
    return Link(f"{suite}, {formatting.words(category)}")
