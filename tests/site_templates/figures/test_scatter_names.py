"""Names beside dots: no two overlap at any width, and the front is always named."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_templates.figures.scatter_names import (
    CUT,
    HEIGHT,
    NARROW,
    WIDE,
    Box,
    Point,
    box_of,
    placed,
    width_of,
)
from site_templates.formatting import clip
from tests.each_row import each_row

RANGES = [NARROW, WIDE]


def point(
    x: float, y: float, name: str = "a-model-of-some-length", *, front: bool = False
) -> Point:
    cut = {widths: clip(name, letters) for widths, letters in CUT.items()}
    return Point(x, y, max(y - 15, 0), min(y + 15, HEIGHT), name, cut, front)


def staircase(number: int, name: str = "provider-model-instruct") -> list[Point]:
    """A front that climbs to the right, as fronts do."""
    return [
        point(
            (i + 1) / (number + 1), HEIGHT * (1 - (i + 1) / (number + 2)), f"{name}-{i}", front=True
        )
        for i in range(number)
    ]


def boxes(points: list[Point], widths: tuple[float, float]) -> list[Box]:
    return [
        box_of(p, label)
        for p, label in zip(points, placed(points, widths), strict=True)
        if label is not None
    ]


def edges(box: Box, width: float) -> tuple[float, float]:
    return box.x * width + box.left, box.x * width + box.right


def crossing(found: list[Box], width: float) -> list[tuple[Box, Box]]:
    """The pairs of names that cover each other at one width, by plain comparison of rectangles."""
    pairs = [
        (a, b)
        for i, a in enumerate(found)
        for b in found[:i]
        if a.top < b.bottom and b.top < a.bottom
    ]
    return [
        (a, b)
        for a, b in pairs
        if edges(a, width)[0] < edges(b, width)[1] and edges(b, width)[0] < edges(a, width)[1]
    ]


some_points = st.lists(
    st.builds(
        point,
        st.floats(0.02, 0.98),
        st.floats(0, HEIGHT),
        st.text("abcxyzWM-_.0123456789模型", min_size=1, max_size=40),
        front=st.booleans(),
    ),
    max_size=25,
)


@pytest.mark.large
@pytest.mark.parametrize("widths", RANGES)
@settings(max_examples=60)
@given(points=some_points)
def test_no_two_names_meet_at_any_width(widths: tuple[float, float], points: list[Point]) -> None:
    """No two names overlap, and no name leaves the plot, at any of 41 widths."""
    found = boxes(points, widths)
    tried = [widths[0] + (widths[1] - widths[0]) * part / 40 for part in range(41)]

    for width in tried:
        assert crossing(found, width) == []
        assert all(
            edges(box, width)[0] >= -1e-6 and edges(box, width)[1] <= width + 1e-6 for box in found
        )
    assert all(box.top >= 0 and box.bottom <= HEIGHT for box in found)


@pytest.mark.large
@each_row("widths", RANGES)
@each_row("number", [1, 2, 5, 8, 12])
def test_the_whole_front_is_named(widths: tuple[float, float], number: int) -> None:
    """A front of up to a dozen has all its names on every page, among a crowd of other dots."""
    chance = random.Random(number)
    crowd = [point(chance.uniform(0.02, 0.98), chance.uniform(60, 370)) for _ in range(90)]
    points = [*staircase(number), *crowd]

    assert None not in placed(points, widths)[:number]


def test_boxes_meet_if_they_overlap_at_any_width() -> None:
    """Two names that are apart on wide pages may overlap on narrow ones."""
    left, right = Box(0.4, 10, 130, 0, 15), Box(0.6, 10, 130, 0, 15)

    assert not left.meets(right, (900, 1020))
    assert left.meets(right, (488, 1020))
    assert left.meets(right, (240, 300))


def test_others_are_named_on_wide_pages_only_and_not_over_dots() -> None:
    """A hollow dot with room has its name beside it on wide pages, and none on narrow ones."""
    points = [point(0.5, 100), point(0.5, 300)]
    wide = placed(points, WIDE)

    assert placed(points, NARROW) == (None, None)
    assert [label.text for label in wide if label] == ["a-model-of-some-length"] * 2
    assert all(label and not label.line for label in wide)


def test_long_names_are_cut_where_they_would_meet_something() -> None:
    """A name has all its letters where they are free, and 16 or 24 beside another dot."""
    name = "a-model-of-thirty-six-letters-or-so"
    alone, other = point(0.05, 100, name, front=True), point(0.4, 93, name, front=True)

    assert [label and label.text for label in placed([alone], WIDE)] == [name]
    beside = placed([alone, other], WIDE)[0]
    assert beside is not None
    assert beside.text == name[:23] + "…"
    (narrow,) = placed([point(0.5, 100, "a" * 40, front=True)], NARROW)
    assert narrow is not None
    assert narrow.text == "a" * 15 + "…"


def test_labels_do_not_depend_on_the_order_of_the_dots() -> None:
    """The same dots in another order have the same names in the same places."""
    points = [*staircase(6), *(point(0.1 * i, 40.0 * i) for i in range(1, 9))]
    turned = list(reversed(points))

    assert placed(points, WIDE) == tuple(reversed(placed(turned, WIDE)))


@each_row(("text", "least"), [("", 0), ("iii", 9), ("WWW", 30), ("模型", 24), ("e\u0301", 7)])
def test_width_is_rather_too_much_than_too_little(text: str, least: float) -> None:
    """Broad letters and CJK count more, combining marks nothing."""
    assert least <= width_of(text) <= least * 1.8 + 1


@pytest.mark.large
def test_no_name_lies_on_a_dot_while_there_is_a_free_place() -> None:
    """Names of a front within a crowd of hollow dots move above the crowd."""
    front = [point(0.05 + 0.03 * i, 330.0 - 10 * i, front=True) for i in range(3)]
    crowd = [point(0.02 * i, float(y)) for i in range(50) for y in range(250, 380, 14)]
    points = [*front, *crowd]
    dots = [Box(p.x, -5, 5, p.y - 5, p.y + 5) for p in points]
    found = boxes(points, WIDE)

    assert len(found) >= len(front)
    assert not [name for name in found for dot in dots if name.meets(dot, WIDE)]
