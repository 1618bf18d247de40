"""The figures of a comparison."""

from __future__ import annotations

from site_templates.parts.pairs.pair_figures import standing
from tests.site_templates import site_board


def test_standings_of_levels() -> None:
    """Who passes a case: a full level is a pass, less is not, none is unscored."""
    half = site_board.board().comparisons["acting"]
    full = half.scale

    assert [
        standing(half, a, b) for a, b in ((full, full), (full, 1), (0, full), (1, 0), (None, 0))
    ] == [
        "both",
        "first",
        "second",
        "neither",
        "unscored",
    ]
