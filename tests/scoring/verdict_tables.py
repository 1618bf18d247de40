"""Small suites, submissions and VERDICTS frames for tests, written as rows of marks."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import polars as pl

from leaderboard.frames import VERDICTS
from leaderboard.types import (
    Card,
    Case,
    Category,
    GroundTruth,
    Price,
    Submission,
    SubmissionKind,
    Suite,
)
from scoring.rules import KINDS
from scoring.statistics.intervals import CategorySums, Interval, score_interval
from scoring.tables.rank_ranges import ranks
from scoring.tables.scores import case_scores, category_sums, scores

# What one mark says of a trial: outcome, score, decided by.
MARKS: Mapping[str, tuple[str, float | None, str]] = {
    "+": ("pass", 1.0, "rule"),
    "-": ("fail", 0.0, "rule"),
    "/": ("fail", 0.5, "rule"),
    "P": ("pass", 1.0, "judge"),
    "F": ("fail", 0.0, "judge"),
    "?": ("unscored", None, "judge"),
}


def suite(id_: str, **categories: tuple[int, float]) -> Suite:
    """A suite of categories, each with a number of cases and a weight. Cases are a0, a1, ..."""
    made = tuple(
        Category(name, name, "", weight, None, tuple(case(name, place) for place in range(number)))
        for name, (number, weight) in categories.items()
    )
    return Suite(
        id_,
        id_,
        "",
        KINDS["call_match"],
        made,
        {},
        "",
        {one.id: one for category in made for one in category.cases},
    )


def case(category: str, place: int) -> Case:
    return Case(f"{category}{place}", category, "", GroundTruth(), (), {}, "")


def submission(id_: str, kind: SubmissionKind = "model", price: Price | None = None) -> Submission:
    return Submission(
        id_, Card(id_, kind, "Example", "example-1", "2026-01-01", price=price), None, {}
    )


def verdicts(
    id_: str,
    suite_id: str = "s",
    metric: str = "correct",
    **categories: str | Sequence[str | float],
) -> pl.DataFrame:
    """The verdicts of one submission: per category one mark or item for each case.

    An item is a text with the marks of the case's trials, or a number, the score of its only trial.
    """
    rows = []
    for category, cases in categories.items():
        for place, trials in enumerate(cases):
            marks = (
                [("pass" if trials >= 1 else "fail", float(trials), "rule")]
                if isinstance(trials, int | float)
                else [MARKS[mark] for mark in trials]
            )
            for trial, (outcome, score, by) in enumerate(marks, 1):
                place_id = f"{category}{place}"
                place_of = (id_, suite_id, category, place_id, trial, metric)
                rows.append((*place_of, outcome, score, "exact", "", by, None))
    return pl.DataFrame(rows, schema=VERDICTS, orient="row")


def interval_of_means(means: Sequence[float]) -> Interval:
    """The interval of a category with these case means."""
    squares = math.fsum(mean * mean for mean in means)
    return score_interval([CategorySums(1.0, len(means), math.fsum(means), squares)])


def scored(frame: pl.DataFrame, suites: Sequence[Suite]) -> pl.DataFrame:
    """The SCORES of a VERDICTS frame."""
    return scores(category_sums(case_scores(frame)), suites)


def ranked(
    frame: pl.DataFrame,
    suites: Sequence[Suite],
    submissions: Sequence[Submission],
    *,
    unvalidated: Collection[tuple[str, str]] = (),
    alpha: float = 0.05,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The RANKS and GAPS of a VERDICTS frame."""
    cases = case_scores(frame)
    return ranks(
        cases,
        category_sums(cases),
        suites,
        submissions,
        unvalidated=unvalidated,
        alpha=alpha,
    )
