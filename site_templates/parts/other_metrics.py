"""The metrics of a suite beside the one it is ranked by, as a table; and what trials say of reliability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import WHOLE, Register, Score, Tails, label
from site_templates.links import Link
from site_templates.parts.metric_names import Metric, metric

_KS: Final = 5  # numbers of trials that a table has columns for; beyond, the last one takes the place of the fifth


@dataclass(frozen=True, slots=True)
class MeasureCell:
    """What a metric says in a row: its mean, the interval, and how many steps are lacking or in excess where it tells that."""

    text: str
    bounds: str
    remark: str
    few: str
    many: str


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One line: a submission on the page of a suite, a category on the page of a submission. `level` is suite, cat or base."""

    level: str
    link: Link
    cells: tuple[MeasureCell, ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """The metrics that are not ranked, with a row each. `title` says of what."""

    title: str
    metrics: tuple[Metric, ...]
    rows: tuple[MeasureRow, ...]


def of_submissions(register: Register, suite: Suite, category: str = WHOLE) -> Measures | None:
    """The other metrics of a suite or category, a row for each submission in the order of the scores, baselines last."""
    takers = register.takers(suite.id, category)
    ordered = [s for s in takers if not s.is_baseline] + [s for s in takers if s.is_baseline]
    rows = []
    for submission in ordered:
        link = Link(
            formatting.clip(submission.card.name, 80), register.paths.submission(submission.id)
        )
        level = "base" if submission.is_baseline else "suite"
        rows.append(MeasureRow(level, link, _cells(register, submission, suite, category)))
    return _table(
        register, suite, suite.title if category == WHOLE else label(suite.category(category)), rows
    )


def of_suite(register: Register, submission: Submission, suite: Suite) -> Measures | None:
    """The other metrics of one submission on a suite, a row for the whole and one for each category."""
    rows = [
        MeasureRow(
            "suite" if category == WHOLE else "cat",
            link,
            _cells(register, submission, suite, category),
        )
        for category, link in _places(register, suite)
    ]
    return _table(register, suite, suite.title, rows)


def _table(
    register: Register, suite: Suite, title: str, rows: Sequence[MeasureRow]
) -> Measures | None:
    names = register.metrics[suite.id][1:]
    shown = tuple(row for row in rows if any(cell.text != formatting.NONE for cell in row.cells))
    return Measures(title, tuple(map(metric, names)), shown) if names and shown else None


def _places(register: Register, suite: Suite) -> list[tuple[str, Link]]:
    """The whole suite and its categories, with their links."""
    whole = (WHOLE, Link(suite.title, register.paths.suite(suite.id)))
    return [
        whole,
        *(
            (c.id, Link(label(c), register.paths.category(suite.id, c.id)))
            for c in suite.categories
        ),
    ]


def _cells(
    register: Register, submission: Submission, suite: Suite, category: str
) -> tuple[MeasureCell, ...]:
    keys = ((submission.id, suite.id, category, name) for name in register.metrics[suite.id][1:])
    return tuple(
        _cell(metric(key[3]), register.further.get(key), register.tails.get(key)) for key in keys
    )


def _cell(named: Metric, score: Score | None, tails: Tails | None) -> MeasureCell:
    if score is None:
        return MeasureCell(formatting.NONE, "", "", formatting.NONE, formatting.NONE)
    few = many = None
    if tails is not None and named.ratio:
        total = tails.few + tails.even + tails.many + tails.silent
        few, many = tails.few / total, tails.many / total
    return MeasureCell(
        text=named.shown(score.score),
        bounds=named.bounds(score.low, score.high),
        remark=score.remark,
        few=formatting.whole_percent(few),
        many=formatting.whole_percent(many),
    )


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A suite's or category's line: pass^k and pass@k for each k of the table, in percent."""

    level: str
    link: Link
    hats: tuple[str, ...]
    ats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialTable:
    """What the trials of one submission on a suite say, for some numbers of trials."""

    suite: str
    ks: tuple[int, ...]
    rows: tuple[TrialRow, ...]


def trial_table(register: Register, submission: Submission, suite: Suite) -> TrialTable | None:
    """pass^k and pass@k of a submission on a suite, or None where it answered once."""
    places = [
        (register.trials.get((submission.id, suite.id, place), ()), place, link)
        for place, link in _places(register, suite)
    ]
    numbers = sorted({trial.k for trials, _, _ in places for trial in trials})
    ks = tuple(numbers if len(numbers) <= _KS else (*numbers[: _KS - 1], numbers[-1]))
    rows = []
    for trials, place, link in places:
        known = {trial.k: trial for trial in trials}
        if known:
            hats = tuple(formatting.percent(known[k].hat if k in known else None) for k in ks)
            ats = tuple(formatting.percent(known[k].at if k in known else None) for k in ks)
            rows.append(TrialRow("suite" if place == WHOLE else "cat", link, hats, ats))
    return TrialTable(suite.title, ks, tuple(rows)) if len(ks) > 1 else None
