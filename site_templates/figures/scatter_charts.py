"""Charts of a suite: score against cost and latency with the Pareto front, and over the date.

All marks are at shares of the plot's width and height, so charts need no script to fit a page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Final

from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import MOST_TICKS, Scale, Segment, Tick, at, score_scale
from site_templates.figures.scatter_names import CUT, HEIGHT, NARROW, WIDE, Label, Point, placed
from site_templates.indexed_rows import Usage
from site_templates.links import Link
from site_templates.parts.named_links import to_submission

_DRAWN: Final = 100  # dots of a chart besides those of the front
_NAME: Final = 60  # letters of a name in the plot, where there is room
_SAID: Final = 32  # letters of a name in what its dot shows
_MONTHS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000)


@dataclass(frozen=True, slots=True)
class Dot:
    """A submission in the plot, with its name on narrow and on wide pages.

    `link` leads to the submission, and `said` is what the dot shows in words.
    """

    link: Link
    said: str
    x: str
    y: str
    low: str
    high: str
    front: bool
    narrow: Label | None
    wide: Label | None


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A submission in the table. `part` says how many cases it answered, if not all."""

    link: Link
    value: str
    score: str
    bounds: str
    front: bool
    part: str


@dataclass(frozen=True, slots=True)
class ChartWords:
    """The words of a chart. `kind` is cost, latency or date; `said`, `left_out` are sentences.

    `sign` goes before a value, `unit` after it.
    """

    kind: str
    title: str
    axis: str
    column: str
    said: str
    left_out: str
    sign: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot with its table."""

    words: ChartWords
    xs: tuple[Tick, ...]
    ys: tuple[Tick, ...]
    dots: tuple[Dot, ...]
    front: tuple[Segment, ...]
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A submission with its place on the horizontal axis, in the axis' own unit."""

    submission: Submission
    value: float
    shown: str
    low: float
    score: float
    high: float
    part: str
    front: bool = False


@dataclass(frozen=True, slots=True)
class _Reported:
    """What submitters report of a response, and how a chart names it.

    `of` gives the value in the chart's unit, None if it is not known. `better` describes a
    submission with a smaller value.
    """

    kind: str
    of: Callable[[Usage], float | None]
    axis: str
    column: str
    better: str
    sign: str = ""
    unit: str = ""


_COST: Final = _Reported(
    kind="cost",
    of=lambda usage: usage.cost_per_1000,
    axis="US dollars per 1,000 cases, log scale",
    column="$ per 1,000",
    sign="$",
    better="cheaper",
)
_LATENCY: Final = _Reported(
    kind="latency",
    of=lambda usage: usage.median_latency,
    axis="median latency in seconds, log scale",
    column="Seconds",
    better="faster",
    unit="\u00a0s",
)


def cost_chart(index: BoardIndex, suite: Suite) -> Chart | None:
    """Score against cost per 1,000 cases; None if fewer than two report a cost, or all score 0."""
    return _reported_chart(index, suite, _COST)


def latency_chart(index: BoardIndex, suite: Suite) -> Chart | None:
    """Score against median latency; None if fewer than two report it, or all score 0."""
    return _reported_chart(index, suite, _LATENCY)


def charts(index: BoardIndex, suite: Suite) -> tuple[Chart, ...]:
    """All charts of a suite that have something to show."""
    made = (cost_chart(index, suite), latency_chart(index, suite), date_chart(index, suite))
    return tuple(chart for chart in made if chart)


def _reported_chart(index: BoardIndex, suite: Suite, it: _Reported) -> Chart | None:
    values = {}
    zeros = set()
    for submission in index.submissions:
        usage = index.usage(submission.id, suite.id)
        value = it.of(usage) if usage else None
        if value:
            values[submission.id] = (math.log10(value), formatting.number(value))
        elif value == 0:
            zeros.add(submission.id)
    marks, without = _marks(index, suite, values)
    front = sum(mark.front for mark in marks)
    if len(marks) < 2 or not front:
        return None

    left_out = "Baselines are left out."
    if without:
        are = "is" if len(without) == 1 else "are"
        left_out = (
            f"{counted(len(without), 'submission')} without a {it.kind} above 0 {are} left "
            "out, as are baselines."
        )
    said = _front_in_words(it, front, some_zero=not zeros.isdisjoint(without))
    words = ChartWords(
        kind=it.kind,
        title=f"Score against {it.kind}",
        axis=it.axis,
        column=it.column,
        said=said if marks[0].front else f"{said} A score of 0 is not on it.",
        left_out=(
            f"{left_out} The {it.kind} is what submitters report for at least 90\u202f% of their "
            "answers; it is not measured here."
        ),
        sign=it.sign,
        unit=it.unit,
    )
    return _chart(index, words, marks, _log_scale([mark.value for mark in marks], it.sign))


def _front_in_words(it: _Reported, front: int, *, some_zero: bool) -> str:
    """How many are on the front, and what that means. A log scale has no place for a 0."""
    if some_zero:
        are = "one is" if front == 1 else f"{front:,} are"
        return (
            f"Among systems with a {it.kind} above 0, {are} on the Pareto front: no {it.better} "
            f"one is as good. A {it.kind} of 0 is left out of this chart and of the front."
        )
    systems = "One system is" if front == 1 else f"{front:,} systems are"
    return f"{systems} on the Pareto front: no {it.better} submission is as good."


def date_chart(index: BoardIndex, suite: Suite) -> Chart | None:
    """Score over the date of the responses; None if there is only one date, or all score 0."""
    days = {}
    for submission in index.submissions:
        day = date.fromisoformat(submission.card.date).toordinal()
        days[submission.id] = (float(day), submission.card.date)
    marks, _ = _marks(index, suite, days)
    front = sum(mark.front for mark in marks)
    if len({mark.value for mark in marks}) < 2 or not front:
        return None

    systems = "One system has a higher score than all earlier ones"
    if front > 1:
        systems = f"{front:,} systems have a higher score than all earlier ones"
    words = ChartWords(
        kind="date",
        title="Score over date of responses",
        axis="date of the responses",
        column="Date",
        said=f"{systems}.",
        left_out=(
            "Baselines are left out. The date is the one on which a submission says that its "
            "responses were made, not the date of the model."
        ),
    )
    return _chart(index, words, marks, _date_scale([int(mark.value) for mark in marks]))


def _marks(
    index: BoardIndex, suite: Suite, values: Mapping[str, tuple[float, str]]
) -> tuple[list[_Mark], list[str]]:
    """The submissions with these values (number and text), in order of value.

    Also returns the ids of submissions that are left out because they have no value. Baselines and
    submissions without a rank are never drawn.

    A submission is on the front if no other with a lower value has as high a score. Submissions
    with equal values and scores are on it together. One that scores 0 is not on it.
    """
    marks = []
    without = []
    for submission in index.takers(suite.id):
        score = index.score(submission.id, suite.id)
        if score is None or score.unscored or score.not_ranked:
            continue
        if submission.is_baseline or score.limits is None:
            continue
        if submission.id not in values:
            without.append(submission.id)
            continue
        value, shown = values[submission.id]
        marks.append(_Mark(submission, value, shown, *score.limits, score.answered))
    marks.sort(key=lambda mark: (mark.value, -mark.score, mark.submission.id))

    best = None
    for place, mark in enumerate(marks):
        twin = best is not None and (mark.score, mark.value) == (best.score, best.value)
        if twin or mark.score > (best.score if best else 0.0):
            marks[place] = best = replace(mark, front=True)
    return marks, without


def _chart(index: BoardIndex, words: ChartWords, marks: Sequence[_Mark], across: Scale) -> Chart:
    """The chart of these marks. Of many, it draws the front and the best of the others."""
    drawn = _drawn(marks)
    if len(drawn) < len(marks):
        kept = f"the Pareto front and the {_DRAWN} best others are drawn"
        omitted = f"Of {len(marks):,} submissions, {kept}."
        words = replace(words, left_out=f"{omitted} {words.left_out}")

    up = score_scale(min(mark.low for mark in drawn), max(mark.high for mark in drawn))
    points = [_point(index, mark, across, up) for mark in drawn]
    rows = [_row(index, mark) for mark in drawn]
    said = [index.names.of(mark.submission.id, _SAID) for mark in drawn]
    names = zip(placed(points, NARROW), placed(points, WIDE), strict=True)
    marked = zip(points, rows, said, names, strict=True)
    return Chart(
        words=words,
        xs=tuple(Tick(at(across.share(value)), label) for value, label in across.ticks),
        ys=tuple(Tick(at(1 - up.share(value)), label) for value, label in up.ticks),
        dots=tuple(_dot(words, *parts) for parts in marked),
        front=_steps([point for point in points if point.front]),
        rows=tuple(rows),
    )


def _drawn(marks: Sequence[_Mark]) -> list[_Mark]:
    """The front and the best of the others, in order of value."""
    front = sum(mark.front for mark in marks)
    ranked = sorted(marks, key=lambda mark: (not mark.front, -mark.score, mark.submission.id))
    drawn = ranked[: front + _DRAWN]
    return sorted(drawn, key=lambda mark: (mark.value, -mark.score, mark.submission.id))


def _point(index: BoardIndex, mark: _Mark, across: Scale, up: Scale) -> Point:
    return Point(
        x=across.share(mark.value),
        y=HEIGHT * (1 - up.share(mark.score)),
        top=HEIGHT * (1 - up.share(mark.high)),
        bottom=HEIGHT * (1 - up.share(mark.low)),
        name=index.names.of(mark.submission.id, _NAME),
        cut={widths: index.names.of(mark.submission.id, cut) for widths, cut in CUT.items()},
        front=mark.front,
    )


def _row(index: BoardIndex, mark: _Mark) -> ChartRow:
    return ChartRow(
        link=to_submission(index, mark.submission),
        value=mark.shown,
        score=formatting.percent(mark.score),
        bounds=formatting.bounds(mark.low, mark.high),
        front=mark.front,
        part=mark.part,
    )


def _dot(
    words: ChartWords,
    point: Point,
    row: ChartRow,
    name: str,
    names: tuple[Label | None, Label | None],
) -> Dot:
    value = f"{words.sign}{row.value}{words.unit}"
    y, low, high = (at(pixels / HEIGHT) for pixels in (point.y, point.bottom, point.top))
    return Dot(
        link=row.link,
        said=f"{name}: {row.score}{formatting.NARROW}%, {value}",
        x=at(point.x),
        y=y,
        low=low,
        high=high,
        front=point.front,
        narrow=names[0],
        wide=names[1],
    )


def _steps(front: Sequence[Point]) -> tuple[Segment, ...]:
    """The line of the front: level to the next point, then up to it, and at the end to the edge."""
    corners: list[tuple[str, str]] = []
    for point in front:
        x, y = at(point.x), at(point.y / HEIGHT)
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    corners.append(("100%", corners[-1][1]))

    # Submissions with equal values and scores give points that coincide.
    lines = [pair for pair in pairwise(corners) if pair[0] != pair[1]]
    return tuple(Segment(x1, x2, y1, y2) for (x1, y1), (x2, y2) in lines)


# ---------------------------------------------------------------- axes


def _log_scale(logs: Sequence[float], sign: str) -> Scale:
    """A little beyond the least and the greatest value, given as logarithms.

    The ticks are at 1, 2 and 5 times the powers of ten, at more digits if these are fewer than
    three, or at some powers alone if there are many. With fewer than two ticks, they are at the
    least and the greatest value.
    """
    low, high = min(logs) - 0.08, max(logs) + 0.08
    powers = range(math.floor(low), math.ceil(high) + 1)

    def at_digits(*digits: float) -> list[tuple[float, str]]:
        values = [(power + math.log10(digit), digit, power) for power in powers for digit in digits]
        return [(v, f"{sign}{_round(digit, p)}") for v, digit, p in values if low <= v <= high]

    ticks = at_digits(1, 2, 5)
    if len(ticks) < 3:
        ticks = at_digits(1, 1.5, 2, 3, 5, 7)
    if len(ticks) > MOST_TICKS:
        ticks = at_digits(1)
        ticks = ticks[:: math.ceil(len(ticks) / MOST_TICKS)]
    if len(ticks) < 2:
        ends = sorted({min(logs), max(logs)})
        ticks = [(value, f"{sign}{formatting.number(10**value)}") for value in ends]
    return Scale(low, high, ticks)


def _round(digit: float, power: int) -> str:
    if not -6 <= power < 9:
        return f"{digit:g}e{power}"
    value = digit * 10.0**power
    decimals = max(-power, 0) if digit == int(digit) else max(1 - power, 0)
    return f"{value:,.{decimals}f}"


def _date_scale(days: Sequence[int]) -> Scale:
    """A little beyond the first and the last day, with ticks at firsts of months.

    With fewer than two of these, the ticks are at the two days.
    """
    first, last = min(days), max(days)
    margin = max((last - first) * 0.04, 1.0)
    start, end = date.fromordinal(first), date.fromordinal(last)
    firsts = {}
    for month in range(start.year * 12 + start.month - 1, end.year * 12 + end.month):
        firsts[month] = date(month // 12, month % 12 + 1, 1)
    inner = [month for month, day in firsts.items() if day.toordinal() >= first - margin]

    step = next((step for step in _MONTHS if len(inner) / step <= MOST_TICKS - 1), _MONTHS[-1])
    ticks = []
    for month in inner:
        if month % step == 0:
            day = firsts[month]
            label = f"{day.year}" if step % 12 == 0 else f"{day.year}-{day.month:02}"
            ticks.append((float(day.toordinal()), label))
    if len(ticks) < 2:
        ticks = [(float(first), start.isoformat()), (float(last), end.isoformat())]
    return Scale(first - margin, last + margin, ticks)
