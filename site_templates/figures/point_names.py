"""Names beside the dots of a chart: where each can stand so that none covers another, at any width of the page.

A chart is fluid: dots stand at shares of its width, names keep their size. Two names that are apart at one width may meet at
another, so a place counts as free only where it is free at every width between the narrowest and the widest.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from site_templates.formatting import clip

HEIGHT: Final = 380  # of the plot, pixels, as the stylesheet has it

# Widths of the plot in pixels that the stylesheet gives it: on pages up to 720 pixels, and on wider ones.
NARROW: Final = (240.0, 650.0)
WIDE: Final = (488.0, 1020.0)

_DOT: Final = 7.0  # pixels around the middle of a dot that no name may cover
_ABOVE, _BELOW = 11.0, 4.0  # of a line of text, from its baseline
_STEP: Final = 16.0
_NEAR, _FAR = 3, 22  # steps that a name of the front may stand away from its dot, with a line to it
_SHORT: Final = 16  # letters of a name on a narrow page
_NARROW_LETTERS: Final = frozenset("fijlrtI.,:;|!'()[]-/ ")
_BROAD_LETTERS: Final = frozenset("mwMW@%&—")


@dataclass(frozen=True, slots=True)
class Point:
    """A dot: share of the width, pixels from the top, its whisker's ends likewise, its name, and whether it is on the front."""

    x: float
    y: float
    top: float
    bottom: float
    name: str
    front: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A name's place: pixels from its dot to the baseline, and which end of the text stands there.

    `line`: far enough away to need a line to its dot.
    """

    text: str
    dx: float
    dy: float
    anchor: str
    line: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A thing in the plot: from `x` of the width plus `left` to the same plus `right` pixels, from `top` to `bottom`."""

    x: float
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: Box, widths: tuple[float, float]) -> bool:
        """Whether the two overlap at any width between these."""
        if self.top >= other.bottom or other.top >= self.bottom:
            return False
        ends = [(other.x - self.x) * width for width in widths]
        return min(ends) < self.right - other.left and max(ends) > self.left - other.right

    def inside(self, widths: tuple[float, float]) -> bool:
        """Whether it stays within the plot at all these widths."""
        start, end = self.x * widths[0] + self.left, (1 - self.x) * widths[0] - self.right
        return start >= 0 and end >= 0 and self.top >= 0 and self.bottom <= HEIGHT


def width_of(text: str) -> float:
    """About how wide a text of 12 pixels is, rather too much than too little: fonts differ."""
    return sum(map(_letter, text))


def _letter(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 13.0
    if letter in _NARROW_LETTERS:
        return 5.0
    return 11.5 if letter in _BROAD_LETTERS else 9.0 if letter.isupper() else 7.6


def box_of(point: Point, label: Label) -> Box:
    """Where a placed name stands."""
    width = width_of(label.text)
    start = {"start": label.dx, "end": label.dx - width, "middle": label.dx - width / 2}[
        label.anchor
    ]
    baseline = point.y + label.dy
    return Box(point.x, start, start + width, baseline - _ABOVE, baseline + _BELOW)


def placed(points: Sequence[Point], widths: tuple[float, float]) -> tuple[Label | None, ...]:
    """A label for each point on pages of these widths, or None where there is no free place for its name.

    The front is named first, if need be away from its dots or over those of others. Then, on wide pages, the others are named
    from the top, where there is room beside them. No name ever covers another one.
    """
    labels: dict[int, Label] = {}
    taken: list[Box] = []
    front = sorted(
        (i for i, p in enumerate(points) if p.front), key=lambda i: (points[i].x, points[i].y, i)
    )
    others = sorted(
        (i for i, p in enumerate(points) if not p.front),
        key=lambda i: (points[i].y, points[i].x, i),
    )
    for index in (*front, *(others if widths == WIDE else ())):
        label = _place(points, index, taken, widths)
        if label is not None:
            labels[index] = label
            taken.append(box_of(points[index], label))
    return tuple(labels.get(index) for index in range(len(points)))


def _place(
    points: Sequence[Point], index: int, taken: Sequence[Box], widths: tuple[float, float]
) -> Label | None:
    """The first free place for a name: free of all marks; for the front, if need be, of some marks, or of names alone."""
    point = points[index]
    if not point.front:
        return _free(point, (*taken, *_marks(points)), widths, _around(point, point.name))
    name = point.name if widths == WIDE else clip(point.name, _SHORT)
    marks, dots, front = _marks(points), _dots(points), _dots(p for p in points if p.front)
    for reach, obstacles in (
        (0, marks),
        (0, dots),
        (_NEAR, marks),
        (_NEAR, dots),
        (_NEAR, front),
        (_FAR, dots),
        (_FAR, front),
    ):
        found = _free(
            point, (*taken, *obstacles), widths, (*_around(point, name), *_beyond(name, reach))
        )
        if found is not None:
            return found
    return _free(point, taken, widths, (*_around(point, name), *_beyond(name, _FAR)))


def _free(
    point: Point, obstacles: Sequence[Box], widths: tuple[float, float], places: Iterable[Label]
) -> Label | None:
    for label in places:
        box = box_of(point, label)
        if box.inside(widths) and not any(box.meets(other, widths) for other in obstacles):
            return label
    return None


def _dots(points: Iterable[Point]) -> tuple[Box, ...]:
    return tuple(Box(p.x, -_DOT, _DOT, p.y - _DOT, p.y + _DOT) for p in points)


def _marks(points: Sequence[Point]) -> tuple[Box, ...]:
    """The dots and their whiskers."""
    return _dots(points) + tuple(Box(p.x, -2.0, 2.0, p.top, p.bottom) for p in points)


def _around(point: Point, name: str) -> Iterator[Label]:
    """The places around a dot, the most readable first; for the front those above its line."""
    level = ((10.0, 4.0, "start"), (-10.0, 4.0, "end"))
    above = ((-10.0, -9.0, "end"), (10.0, -9.0, "start"))
    below = ((10.0, 16.0, "start"), (-10.0, 16.0, "end"))
    upright = ((0.0, -13.0, "middle"), (0.0, 22.0, "middle"))
    for dx, dy, anchor in (
        (*above, *below, *level, *upright) if point.front else (*level, *above, *below, *upright)
    ):
        yield Label(name, dx, dy, anchor, line=False)


def _beyond(name: str, reach: int) -> Iterator[Label]:
    """Places further and further above and below a dot, up to so many steps."""
    for step in range(2, reach + 1):
        for dy in (-step * _STEP, step * _STEP + 8.0):
            for dx, anchor in ((6.0, "start"), (-6.0, "end")):
                yield Label(name, dx, dy, anchor, line=True)
