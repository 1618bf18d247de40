"""Judges against the labels before and after a change: which places, and which lose validation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import polars as pl

from leaderboard.results import Results
from scoring.changes.judge_changes import JudgeChange, LabelFigures, judge_changes
from scoring.judging.agreement import agreement
from tests.each_row import each_row
from tests.scoring.judging.labelled_rows import labelled, readings

GOOD, POOR = LabelFigures(9, 0.9, 0.8, 0.4, 0.9), LabelFigures(9, 0.5, 0.1, -0.3, 0.4)


def results(*rows: dict[str, Any], **columns: pl.Expr) -> Results:
    """The two tables about labelled pairs, which have these rows."""
    frame = labelled(rows).with_columns(**columns)
    return cast("Results", SimpleNamespace(labelled=frame, agreement=agreement(frame)))


def places(base: Results, new: Results) -> list[tuple[str, str, str]]:
    return [(one.suite, one.category, one.judge) for one in judge_changes(base, new)]


def test_swapped_labels_show_in_their_category_and_suite() -> None:
    """Another category has the same pairs as before, and all suites together are no place."""
    other = readings((5, 0, 0, 5), "j", "calls")
    base = results(*readings((10, 0, 0, 10), "j"), *other)
    new = results(*readings((5, 5, 5, 5), "j"), *other)
    whole, texts = judge_changes(base, new)

    assert [(one.suite, one.category) for one in (whole, texts)] == [("s", "*"), ("s", "texts")]
    assert texts.before is not None
    assert texts.after is not None
    assert (texts.before.pairs, texts.before.agreement, texts.before.youden) == (20, 1.0, 1.0)
    assert (texts.after.pairs, texts.after.agreement, texts.after.youden) == (20, 0.5, 0.0)
    assert (texts.before.validated, texts.after.validated) == (True, False)


def test_other_judge_calls_count_even_with_the_same_figures() -> None:
    """A prompt or a setting has changed. Other words in a reply have not."""
    rows = readings((5, 1, 1, 5), "j")
    base = results(*rows)

    assert places(base, results(*rows)) == places(base, results(*rows, reply=pl.lit("x"))) == []
    assert places(base, results(*rows, judge_call=pl.lit("x"))) == [("s", "texts", "j")]


def test_judges_come_before_the_panel_and_the_decision() -> None:
    """Each is compared with itself. One that is new or gone has figures on one side."""
    base = results(*readings((1, 0, 0, 1), "old"), *readings((1, 0, 0, 1)))
    new = results(
        *readings((1, 0, 1, 1), "new"),
        *readings((1, 0, 1, 1)),
        *readings((1, 0, 1, 1), "decision"),
    )
    found = [one for one in judge_changes(base, new) if one.category == "texts"]

    assert [(one.judge, one.before is None, one.after is None) for one in found] == [
        ("new", True, False),
        ("old", False, True),
        ("*", False, False),
        ("decision", True, False),
    ]


@each_row(
    ("judge", "before", "after", "loses"),
    [
        ("*", GOOD, POOR, True),
        ("*", GOOD, None, True),
        ("*", GOOD, GOOD, False),
        ("*", POOR, POOR, False),
        ("*", None, POOR, False),
        ("j", GOOD, POOR, False),
    ],
)
def test_only_the_panel_loses_validation(
    judge: str, before: LabelFigures, after: LabelFigures, loses: bool
) -> None:
    """Its verdicts decide scores. No labelled pairs at all validate nobody."""
    assert JudgeChange(judge, "s", "c", before, after).loses_validation == loses
