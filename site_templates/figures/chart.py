"""Pictures of a suite: score against cost with the Pareto front, score over release date with the best so far.

Drawn as marks at shares of the plot's width, so that the templates need no arithmetic and pages scale without a script.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex, Score
from site_templates.figures.point_names import HEIGHT, NARROW, WIDE, Label, Point, placed
from site_templates.links import Link

_DRAWN: Final = 100  # dots of a chart, beside those of the front
_NAME: Final = 24  # letters of a name in the plot
_TICKS: Final = 6
_MONTHS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000)


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis, with its label."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A name beside its dot, in pixels from there. `line` is where the line to it ends, empty where it needs none."""

    text: str
    dx: str
    dy: str
    anchor: str
    line: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A submission in the plot, with its name: on narrow pages, and on wide ones."""

    x: str
    y: str
    low: str
    high: str
    front: bool
    narrow: PlacedLabel | None
    wide: PlacedLabel | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the front's line."""

    x1: str
    x2: str
    y1: str
    y2: str


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A submission in the table behind the picture. `part` says how much it answered, where that is not all."""

    link: Link
    value: str
    score: str
    bounds: str
    front: bool
    part: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with the words that say what it shows, and its table. `kind` is cost or date."""

    kind: str
    title: str
    axis: str
    column: str
    xs: tuple[Tick, ...]
    ys: tuple[Tick, ...]
    dots: tuple[Dot, ...]
    front: tuple[Segment, ...]
    rows: tuple[ChartRow, ...]
    said: str
    left_out: str


@dataclass(frozen=True, slots=True)
class _Mark:
    """A submission with its place on the horizontal axis, in the axis' own unit."""

    submission: Submission
    value: float
    shown: str
    score: float
    low: float
    high: float
    part: str


@dataclass(frozen=True, slots=True)
class _Scale:
    """An axis: its ends and its ticks, in its own unit."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


def cost_chart(index: BoardIndex, suite: Suite) -> Chart | None:
    """Score against cost per 1,000 cases, or None where fewer than two submissions tell what they cost."""
    costs = {
        s.id: usage.cost_usd * 1000
        for s in index.submissions
        if (usage := index.usage.get((s.id, suite.id))) is not None and usage.cost_usd
    }
    marks = _marks(
        index,
        suite,
        {name: (math.log10(cost), formatting.money(cost)) for name, cost in costs.items()},
    )
    if len(marks) < 2:
        return None
    front = _front(marks)
    free = len(_entrants(index, suite)) - len(marks)
    return _chart(
        index,
        marks,
        front,
        _log_scale([mark.value for mark in marks]),
        kind="cost",
        title="Score against cost",
        axis="US dollars per 1,000 cases, log scale",
        column="$ per 1,000",
        said=f"{_systems(len(front))} on the front: nothing both cheaper and better was sent in.",
        left_out=f"{_free(free)} The cost is what submitters report; it is not measured here.",
    )


def _free(number: int) -> str:
    """Who is not in the picture of costs."""
    if not number:
        return "Baselines are left out."
    tell, are = ("tells", "is") if number == 1 else ("tell", "are")
    return f"{formatting.count(number, 'submission')} that {tell} no cost, or none above 0, {are} left out, as are baselines."


def date_chart(index: BoardIndex, suite: Suite) -> Chart | None:
    """Score over release date, or None where there is but one date."""
    days = {
        s.id: (float(date.fromisoformat(s.card.date).toordinal()), s.card.date)
        for s in index.submissions
    }
    marks = _marks(index, suite, days)
    if len({mark.value for mark in marks}) < 2:
        return None
    front = _front(marks)
    return _chart(
        index,
        marks,
        front,
        _date_scale([int(mark.value) for mark in marks]),
        kind="date",
        title="Score over release date",
        axis="release date",
        column="Date",
        said=f"{_systems(len(front))} the best of {'its' if len(front) == 1 else 'their'} time: nothing earlier was better.",
        left_out="Baselines are left out. The date is the one that a submission gives.",
    )


def _systems(number: int) -> str:
    return "One system is" if number == 1 else f"{number:,} systems are"


def _entrants(index: BoardIndex, suite: Suite) -> list[tuple[Submission, Score]]:
    """The submissions with a full score on a suite, baselines aside."""
    found = ((s, index.score(s.id, suite.id)) for s in index.takers(suite.id) if not s.is_baseline)
    return [
        (s, score)
        for s, score in found
        if score is not None and score.score is not None and not score.unscored
    ]


def _marks(index: BoardIndex, suite: Suite, values: dict[str, tuple[float, str]]) -> list[_Mark]:
    marks = []
    for submission, score in _entrants(index, suite):
        if submission.id in values and score.score is not None:
            value, shown = values[submission.id]
            low = score.score if score.low is None else score.low
            high = score.score if score.high is None else score.high
            marks.append(_Mark(submission, value, shown, score.score, low, high, score.answered))
    return sorted(marks, key=lambda mark: (mark.value, -mark.score, mark.submission.id))


def _front(marks: Iterable[_Mark]) -> list[_Mark]:
    """Those that nothing further left is as good as; twins in both stand on it together. `marks` are in order of value."""
    front: list[_Mark] = []
    for mark in marks:
        if (
            not front
            or mark.score > front[-1].score
            or (mark.score, mark.value) == (front[-1].score, front[-1].value)
        ):
            front.append(mark)
    return front


def _chart(
    index: BoardIndex,
    marks: Sequence[_Mark],
    front: Sequence[_Mark],
    across: _Scale,
    *,
    kind: str,
    title: str,
    axis: str,
    column: str,
    said: str,
    left_out: str,
) -> Chart:
    best = {mark.submission.id for mark in front}
    ranked = sorted(
        marks, key=lambda mark: (mark.submission.id not in best, -mark.score, mark.submission.id)
    )
    drawn = sorted(
        ranked[: len(front) + _DRAWN],
        key=lambda mark: (mark.value, -mark.score, mark.submission.id),
    )
    up = _score_scale([bound for mark in drawn for bound in (mark.low, mark.high)])
    points = [_point(mark, across, up, front=mark.submission.id in best) for mark in drawn]
    if len(drawn) < len(marks):
        left_out = f"Of {len(marks):,} submissions the front and the {_DRAWN} best others are drawn. {left_out}"
    return Chart(
        kind=kind,
        title=title,
        axis=axis,
        column=column,
        xs=tuple(Tick(_at(across.share(value)), label) for value, label in across.ticks),
        ys=tuple(Tick(_at(1 - up.share(value)), label) for value, label in up.ticks),
        dots=tuple(map(_dot, points, placed(points, NARROW), placed(points, WIDE))),
        front=_steps([point for point in points if point.front]),
        rows=tuple(_row(index, mark, front=mark.submission.id in best) for mark in drawn),
        said=said,
        left_out=left_out,
    )


def _at(share: float) -> str:
    return f"{round(100 * share, 2):g}%"


def _point(mark: _Mark, across: _Scale, up: _Scale, *, front: bool) -> Point:
    top, middle, bottom = (
        HEIGHT * (1 - up.share(value)) for value in (mark.high, mark.score, mark.low)
    )
    return Point(
        across.share(mark.value),
        middle,
        top,
        bottom,
        formatting.clip(formatting.visible(mark.submission.card.name), _NAME),
        front,
    )


def _dot(point: Point, narrow: Label | None, wide: Label | None) -> Dot:
    y, low, high = (_at(value / HEIGHT) for value in (point.y, point.bottom, point.top))
    return Dot(_at(point.x), y, low, high, point.front, _label(narrow), _label(wide))


def _label(label: Label | None) -> PlacedLabel | None:
    if label is None:
        return None
    line = f"{label.dy + (4 if label.dy < 0 else -12):g}" if label.line else ""
    return PlacedLabel(label.text, f"{label.dx:g}", f"{label.dy:g}", label.anchor, line)


def _steps(front: Sequence[Point]) -> tuple[Segment, ...]:
    """The front's line: level up to the next one, then up to it; in the end level to the edge."""
    segments = []
    for point, after in zip(front, (*front[1:], None), strict=True):
        x, y = _at(point.x), _at(point.y / HEIGHT)
        end = _at(after.x) if after else "100%"
        segments.append(Segment(x, end, y, y))
        if after:
            segments.append(Segment(end, end, y, _at(after.y / HEIGHT)))
    return tuple(
        segment for segment in segments if (segment.x1, segment.y1) != (segment.x2, segment.y2)
    )


def _row(index: BoardIndex, mark: _Mark, *, front: bool) -> ChartRow:
    link = Link(
        formatting.clip(mark.submission.card.name, 80),
        index.paths.submission(mark.submission.id),
    )
    return ChartRow(
        link,
        mark.shown,
        formatting.percent(mark.score),
        formatting.bounds(mark.low, mark.high),
        front,
        mark.part,
    )


# ---------------------------------------------------------------- axes


def _score_scale(shares: Sequence[float]) -> _Scale:
    """From the tens below to the tens above, a tick each ten points; each twenty where there are many."""
    low, high = math.floor(round(10 * min(shares), 9)), math.ceil(round(10 * max(shares), 9))
    low, high = (low, high) if high > low else (max(low - 1, 0), min(high + 1, 10))
    step = 1 if high - low <= _TICKS else 2
    ticks = tuple((tens / 10, str(10 * tens)) for tens in range(low, high + 1) if tens % step == 0)
    return _Scale(low / 10, high / 10, ticks)


def _log_scale(logs: Sequence[float]) -> _Scale:
    """A little beyond the least and the most, with ticks at 1, 2 and 5 of each power of ten, or at powers alone.

    Where no two of these are near, the ticks are the least and the most themselves.
    """
    low, high = min(logs) - 0.08, max(logs) + 0.08
    powers = range(math.floor(low), math.ceil(high) + 1)
    fine = [
        (power, digit)
        for power in powers
        for digit in (1, 2, 5)
        if low <= power + math.log10(digit) <= high
    ]
    coarse = [(power, digit) for power, digit in fine if digit == 1]
    chosen = fine if len(fine) <= _TICKS else coarse[:: math.ceil(len(coarse) / _TICKS)]
    ticks = tuple((power + math.log10(digit), _dollars(digit, power)) for power, digit in chosen)
    if len(ticks) < 2:
        ticks = tuple(
            (value, f"${formatting.money(10**value)}") for value in sorted({min(logs), max(logs)})
        )
    return _Scale(low, high, ticks)


def _dollars(digit: int, power: int) -> str:
    if not -6 <= power < 9:
        return f"${digit}e{power}"
    return f"${digit * 10**power:,}" if power >= 0 else f"${digit / 10**-power:.{-power}f}"


def _date_scale(days: Sequence[int]) -> _Scale:
    """A little beyond the first and the last day, with ticks at firsts of a month; at the two days where no month begins."""
    first, last = min(days), max(days)
    margin = max((last - first) * 0.04, 1.0)
    months = [date.fromordinal(first).year * 12 + date.fromordinal(first).month - 1]
    months = list(range(months[0], date.fromordinal(last).year * 12 + date.fromordinal(last).month))
    inner = [
        month
        for month in months
        if date(month // 12, month % 12 + 1, 1).toordinal() >= first - margin
    ]
    step = next((step for step in _MONTHS if len(inner) / step <= _TICKS - 1), _MONTHS[-1])
    chosen = [month for month in inner if month % step == 0]
    ticks = [(float(date(m // 12, m % 12 + 1, 1).toordinal()), _month(m, step)) for m in chosen]
    if len(ticks) < 2:
        ticks = [(float(day), date.fromordinal(day).isoformat()) for day in (first, last)]
    return _Scale(first - margin, last + margin, tuple(ticks))


def _month(month: int, step: int) -> str:
    return f"{month // 12}" if step % 12 == 0 else f"{month // 12}-{month % 12 + 1:02}"
