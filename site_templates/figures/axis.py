"""The one axis that runs down a column: marks in percent of its width, so that a template needs no arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from site_templates.board_index import Score

TICKS = (0, 25, 50, 75, 100)
# A flag needs about this much of the axis per letter, and a line this far from either end.
_LETTER = 3.0
_MARGIN = 3.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A dot on a whisker. `kind` is "" for a submission, " b" for a baseline; `median` is where the board's median stands."""

    low: str
    high: str
    at: str
    kind: str = ""
    median: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A baseline's line on the axis, with its name where there is room for one. `anchor` is "start" or "end"."""

    x: str
    name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of the axis."""

    x1: str
    x2: str


def at(share: float) -> str:
    """A share of 1 as a position: "81.94%"."""
    return f"{round(100 * min(max(share, 0.0), 1.0), 2):g}%"


def interval(
    score: Score | None, *, baseline: bool = False, median: float | None = None
) -> Interval | None:
    """The mark of a score, or None where there is nothing to draw."""
    if score is None or score.score is None:
        return None
    low = score.score if score.low is None else score.low
    high = score.score if score.high is None else score.high
    return Interval(
        at(low),
        at(high),
        at(score.score),
        " b" if baseline else "",
        "" if median is None else at(median),
    )


def flags(baselines: Iterable[tuple[str, float]]) -> tuple[Flag, ...]:
    """Lines for baselines (name, share) in order of their scores; one at either end of the axis gets none, nor does a twin.

    A name stands beside its line where no other line or name is in its way.
    """
    lines = {
        at(share): (100 * share, name)
        for name, share in sorted(baselines, key=lambda pair: (pair[1], pair[0]))
    }
    lines = {x: line for x, line in lines.items() if _MARGIN < line[0] < 100 - _MARGIN}
    placed: list[Flag] = []
    free_from = 0.0
    for x, (place, name) in lines.items():
        width = _LETTER * len(name)
        end = place + width > 100
        start = place - width if end else place
        others = (other for other, _ in lines.values() if other != place)
        fits = start >= free_from and not any(start <= other <= start + width for other in others)
        placed.append(Flag(x, name if fits else "", "end" if end else "start"))
        if fits:
            free_from = start + width
    return tuple(placed)


def gap_bar(gap: float, around: float) -> Bar:
    """A bar as long as the smallest gap, in the middle of a place on the axis."""
    start = min(max(around - gap / 2, 0.0), max(1 - gap, 0.0))
    return Bar(at(start), at(start + gap))
