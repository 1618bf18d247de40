"""Marks on an axis from 0 to 1, as positions in percent: templates and pages need no arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from site_templates.formatting import clip
from site_templates.indexed_rows import Score

TICKS = (0, 25, 50, 75, 100)
MOST_TICKS = 6  # of a chart

# In percent of the axis: the width of a letter of a baseline's name, and the margin at either end
# in which no baseline is drawn.
_LETTER = 3.0
_MARGIN = 3.0
FLAG = 18  # characters of a baseline's name


@dataclass(frozen=True, slots=True)
class Tick:
    """A position on an axis, with its label. `anchor` is the part of the label at the position."""

    at: str
    label: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight line in a plot."""

    x1: str
    x2: str
    y1: str
    y2: str


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis of a chart: its ends and its ticks, in its own unit."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Whisker:
    """A dot with a whisker. `kind` is "" for a submission, " b" for a baseline.

    `median` is the position of the board's median, or "".
    """

    low: str
    high: str
    at: str
    kind: str = ""
    median: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A baseline's line on the axis. `name` is "" without room; `anchor` is "start" or "end"."""

    x: str
    name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of the axis."""

    x1: str
    x2: str


def at(share: float) -> str:
    """A share as a position: 0.8194 as "81.94%". Shares outside 0 to 1 move to the nearer end."""
    return f"{round(100 * min(max(share, 0.0), 1.0), 2):g}%"


def whisker_of(score: Score | None, *, baseline: bool, median: float | None) -> Whisker | None:
    """The mark of a score, or None if nothing is scored."""
    limits = score.limits if score else None
    if limits is None:
        return None
    low, middle, high = limits
    kind = " b" if baseline else ""
    return Whisker(at(low), at(high), at(middle), kind, "" if median is None else at(median))


def flags(baselines: Iterable[tuple[str, float]]) -> tuple[Flag, ...]:
    """Lines for baselines (name, share), in order of their scores. Long names are cut.

    A baseline near an end of the axis has no line, and baselines with equal scores share one.
    A line has its name only if the name covers no other line and no other name.
    """
    lines: dict[str, tuple[float, str]] = {}
    for share, name in sorted((share, clip(name, FLAG)) for name, share in baselines):
        if _MARGIN < 100 * share < 100 - _MARGIN:
            lines[at(share)] = (100 * share, name)

    placed: list[Flag] = []
    free_from = 0.0
    for x, (place, name) in lines.items():
        width = _LETTER * len(name)
        anchor = "end" if place + width > 100 else "start"
        start = place - width if anchor == "end" else place
        others = [other for other, _ in lines.values() if other != place]
        covers = any(start <= other <= start + width for other in others)
        if start >= free_from and not covers:
            placed.append(Flag(x, name, anchor))
            free_from = start + width
        else:
            placed.append(Flag(x, "", anchor))
    return tuple(placed)


def gap_bar(gap: float, around: float) -> Bar:
    """A bar as long as the smallest gap, centred on a share and moved inside the axis."""
    start = min(max(around - gap / 2, 0.0), max(1 - gap, 0.0))
    return Bar(at(start), at(start + gap))


def score_scale(least: float, greatest: float) -> Scale:
    """From the tens below to the tens above, with a tick at every ten, or every twenty if many."""
    low, high = math.floor(round(10 * least, 9)), math.ceil(round(10 * greatest, 9))
    if high <= low:
        low, high = max(low - 1, 0), min(high + 1, 10)
    step = 1 if high - low <= MOST_TICKS else 2
    ticks = [(tens / 10, str(10 * tens)) for tens in range(low, high + 1) if tens % step == 0]
    return Scale(low / 10, high / 10, ticks)
