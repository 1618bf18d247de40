"""Places for names beside the dots of a chart, so that no name covers another at any page width.

A chart is fluid: dots are at shares of its width, and names keep their size. Two names that are
apart at one width may overlap at another. A place is free only if it is free at every width.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

HEIGHT: Final = 380  # of the plot in pixels, as in the stylesheet

# The least and greatest width of the plot in pixels, as in the stylesheet: on pages up to
# 720 pixels wide, and on wider ones.
NARROW: Final = (240.0, 650.0)
WIDE: Final = (488.0, 1020.0)

_DOT: Final = 7  # pixels around the middle of a dot that no name may cover
_WHISKER: Final = 2
_ABOVE, _BELOW = 11, 4  # height of a line of text over and under its baseline
_STEP: Final = 16
_NEAR, _FAR = 3, 22  # steps between a name of the front and its dot
CUT: Final = {NARROW: 16, WIDE: 24}  # letters of a name until there is room for all of them
_NARROW_LETTERS: Final = frozenset("fijlrtI.,:;|!'()[]-/ ")
_BROAD_LETTERS: Final = frozenset("mwMW@%&—")


@dataclass(frozen=True, slots=True)
class Point:
    """A dot: its share of the width, then its height and its whisker's ends in pixels from the top.

    `cut` is the name as it is at the widths of a page until there is room for all of it. `front`
    says whether the dot is on the front.
    """

    x: float
    y: float
    top: float
    bottom: float
    name: str
    cut: Mapping[tuple[float, float], str]
    front: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A placed name: pixels from its dot to the baseline at one end of the text, the `anchor`.

    `line` is where the line from the dot ends, in pixels; None for a name beside its dot.
    """

    text: str
    dx: int
    dy: int
    anchor: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in the plot: `left` and `right` are pixels from the share `x` of the width."""

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
        """Whether the rectangle is inside the plot at all widths between these."""
        start, end = self.x * widths[0] + self.left, (1 - self.x) * widths[0] - self.right
        return start >= 0 and end >= 0 and self.top >= 0 and self.bottom <= HEIGHT


def width_of(text: str) -> float:
    """The approximate width of a text of 12 pixels, rather too high than too low: fonts differ."""
    width = 0.0
    for letter in text:
        if unicodedata.combining(letter):
            continue
        if unicodedata.east_asian_width(letter) in "WF":
            width += 13.0
        elif letter in _NARROW_LETTERS:
            width += 5.0
        elif letter in _BROAD_LETTERS:
            width += 11.5
        else:
            width += 9.0 if letter.isupper() else 7.6
    return width


def box_of(point: Point, label: Label) -> Box:
    """The rectangle of a placed name."""
    width = width_of(label.text)
    shift = {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    start = label.dx - shift
    baseline = point.y + label.dy
    return Box(point.x, start, start + width, baseline - _ABOVE, baseline + _BELOW)


def placed(points: Sequence[Point], widths: tuple[float, float]) -> tuple[Label | None, ...]:
    """A label for each point on pages of these widths, or None if its name has no free place.

    The front is named first. Its names may be away from their dots, or cover other dots. On wide
    pages the other points are named too, from the top, if there is room beside their dots. Long
    names are cut, so that many have a place. Then each is written out if it stays free.
    """
    dots = [Box(p.x, -_DOT, _DOT, p.y - _DOT, p.y + _DOT) for p in points]
    marks = dots + [Box(p.x, -_WHISKER, _WHISKER, p.top, p.bottom) for p in points]
    front_dots = [dot for dot, point in zip(dots, points, strict=True) if point.front]

    # A name takes the first choice with a free place: how many steps away, and what it must not
    # cover besides other names.
    front_choices: tuple[tuple[int, list[Box]], ...] = (
        (0, marks),
        (0, dots),
        (_NEAR, marks),
        (_NEAR, dots),
        (_FAR, dots),
        (_FAR, front_dots),
        (_FAR, []),
    )
    order = [i for i, point in enumerate(points) if point.front]
    order.sort(key=lambda i: (points[i].x, points[i].y))
    if widths == WIDE:
        others = [i for i, point in enumerate(points) if not point.front]
        order += sorted(others, key=lambda i: (points[i].y, points[i].x))

    labels: list[Label | None] = [None] * len(points)
    names: list[Box] = []
    for i in order:
        point = points[i]
        for reach, obstacles in front_choices if point.front else front_choices[:1]:
            label = _free_place(point, point.cut[widths], reach, [*names, *obstacles], widths)
            if label is not None:
                labels[i] = label
                names.append(box_of(point, label))
                break

    for i in order:
        label = labels[i]
        if label is None or label.text == points[i].name:
            continue
        cut, whole = box_of(points[i], label), replace(label, text=points[i].name)
        longer = box_of(points[i], whole)
        near = [*(name for name in names if name != cut), *marks]
        if longer.inside(widths) and not any(longer.meets(box, widths) for box in near):
            labels[i] = whole
            names[names.index(cut)] = longer
    return tuple(labels)


def _free_place(
    point: Point, name: str, reach: int, obstacles: Sequence[Box], widths: tuple[float, float]
) -> Label | None:
    for label in _places(point, name, reach):
        box = box_of(point, label)
        if box.inside(widths) and not any(box.meets(other, widths) for other in obstacles):
            return label
    return None


def _places(point: Point, name: str, reach: int) -> Iterator[Label]:
    """The places around a dot, then those up to `reach` steps above and below; the best first."""
    level = [(10, 4, "start"), (-10, 4, "end")]
    above = [(-10, -9, "end"), (10, -9, "start")]
    below = [(10, 16, "start"), (-10, 16, "end")]
    centred = [(0, -13, "middle"), (0, 22, "middle")]
    # The line of the front runs level from its dots, so names on the front avoid that place.
    sides = [*above, *below, *level] if point.front else [*level, *above, *below]
    for dx, dy, anchor in [*sides, *centred]:
        yield Label(name, dx, dy, anchor)

    for step in range(2, reach + 1):
        up, down = -step * _STEP, step * _STEP + 8
        yield Label(name, 6, up, "start", line=up + 4)
        yield Label(name, -6, up, "end", line=up + 4)
        yield Label(name, 6, down, "start", line=down - 12)
        yield Label(name, -6, down, "end", line=down - 12)
