"""Stretches of a text."""

from __future__ import annotations

import pytest

from scoring.facts.sentences import Span


@pytest.mark.parametrize(
    ("first", "end", "overlaps", "inside"),
    [
        (0, 3, False, False),
        (0, 4, True, False),
        (3, 7, True, True),
        (4, 6, True, True),
        (6, 8, True, False),
        (7, 8, False, False),
    ],
)
def test_stretches_that_only_touch_share_no_word(
    first: int, end: int, overlaps: bool, inside: bool
) -> None:
    """The end of a stretch is the place after its last word."""
    span, other = Span(first, end), Span(3, 7)

    assert (span.overlaps(other), other.overlaps(span)) == (overlaps, overlaps)
    assert span.inside(other) is inside
