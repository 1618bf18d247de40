"""Marks on the axis: whiskers, baselines and the smallest gap."""

from __future__ import annotations

from site_templates.figures.axis import Bar, Whisker, at, flags, gap_bar, whisker_of
from site_templates.indexed_rows import Score


def test_intervals_are_positions_on_the_axis() -> None:
    """Shares become percentages. A score without an interval is a dot."""
    score = Score(10, 10, 0, 0.5, 0.25, 0.75, 0.0, 0.5)

    without = Score(10, 10, 0, 0.5, None, None, 0.0, 0.5)
    unscored = Score(10, 0, 10, None, None, None, None, 0.0)

    def mark(score: Score | None) -> Whisker | None:
        return whisker_of(score, baseline=False, median=None)

    assert mark(score) == Whisker("25%", "75%", "50%")
    assert whisker_of(score, baseline=True, median=1 / 3) == Whisker(
        "25%", "75%", "50%", " b", "33.33%"
    )
    assert mark(without) == Whisker("50%", "50%", "50%")
    assert mark(unscored) is None
    assert mark(None) is None
    assert (at(-1), at(0.8193548), at(2)) == ("0%", "81.94%", "100%")


def test_flags_have_names_if_there_is_room() -> None:
    """No line is near an end, and no name covers a line or a name."""
    made = flags(
        [
            ("oracle", 1.0),
            ("silent", 0.0),
            ("far", 0.95),
            ("left", 0.2),
            ("close", 0.22),
            ("twin", 0.22),
        ]
    )

    assert [(flag.x, flag.name, flag.anchor) for flag in made] == [
        ("20%", "", "start"),
        ("22%", "twin", "start"),
        ("95%", "far", "end"),
    ]


def test_gap_bar_stays_on_the_axis() -> None:
    """The bar of the smallest gap is as long as the gap, also near an end."""
    assert gap_bar(0.1, 0.5) == Bar("45%", "55%")
    assert gap_bar(0.1, 0.99) == Bar("90%", "100%")
    assert gap_bar(0.1, 0.0) == Bar("0%", "10%")
