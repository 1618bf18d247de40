"""Submissions whose answers equal those of another submission, all of them or nearly all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.load import Contents
from leaderboard.responses.response_file_names import suite_of_file
from leaderboard.results import Results
from scoring.tables.answer_digests import answers

# Two good systems often agree on what is right. Few agree on what is wrong.
_FEWEST: Final = 10
_OF_ALL: Final = 0.95
_OF_WRONG: Final = 0.80
_COUNTS: Final = ("answered", "equal", "wrong", "equal_wrong")


@dataclass(frozen=True, slots=True)
class NearCopy:
    """The answers of a submission to a suite that equal those of another submission.

    `answered` counts the answers that both gave, `wrong` those of them that fail. Of a case with
    several trials, as many answers count as both gave. `exact`: the files hold the same bytes, or
    all answers are equal and many of them are wrong.
    """

    submission: str
    suite: str
    other: str
    exact: bool
    answered: int
    equal: int
    wrong: int
    equal_wrong: int


def near_copies(
    contents: Contents, results: Results, submissions: Iterable[str]
) -> Iterator[NearCopy]:
    """Yields the near copies among `submissions`, by suite, with the closest other first.

    Answers are equal if their letters and digits are, in any case. Empty answers do not count.
    The trials of a case are compared in any order, so that other numbers hide no copy.
    """
    given = answers(contents.suites, contents.records, folded=True).drop_nulls("answer")
    wrong = _failed(contents, results)
    digests = {
        (path.split("/")[1], suite_of_file(path.split("/")[-1])): digest
        for path, digest in contents.digests.items()
    }
    keys = ["submission", "suite", "case_id", "trial"]
    given = given.join(wrong, on=keys, how="left").with_columns(
        pl.col("failed").fill_null(value=False),
        # The second of two equal answers to a case needs a second one in the other submission.
        repeat=pl.int_range(pl.len()).over("submission", "suite", "case_id", "answer"),
    )
    trials = given.group_by("submission", "suite", "case_id").agg(pl.len(), pl.col("failed").sum())
    for name in submissions:
        equal = _equal(given, name)
        counted = _answered(trials, name).join(equal, on=["suite", "submission_other"], how="left")
        counted = counted.select("suite", "submission_other", *_COUNTS).fill_null(0)
        order = pl.struct(-pl.col("equal").cast(pl.Int64), "submission_other")
        for suite, other, *counts in counted.sort("suite", order).iter_rows():
            answered, equal, number, _ = counts
            exact = digests[name, suite] == digests[other, suite]
            exact = exact or (equal == answered and number >= _FEWEST)
            copy = NearCopy(name, suite, other, exact, *counts)
            if exact or _is_near(copy):
                yield copy


def _answered(trials: pl.DataFrame, name: str) -> pl.DataFrame:
    """How many answers a submission and each other one gave to the cases of a suite.

    `trials` counts the answers to each case, and the failed ones.
    """
    mine = trials.filter(submission=name)
    others = trials.filter(pl.col("submission") != name)
    pairs = mine.join(others, on=["suite", "case_id"], suffix="_other")
    return pairs.group_by("suite", "submission_other").agg(
        pl.min_horizontal("len", "len_other").sum().alias("answered"),
        pl.min_horizontal("failed", "len_other").sum().alias("wrong"),
    )


def _equal(given: pl.DataFrame, name: str) -> pl.DataFrame:
    """How many answers of a submission equal one of each other submission, and fail."""
    mine = given.filter(submission=name)
    others = given.filter(pl.col("submission") != name)
    pairs = mine.join(others, on=["suite", "case_id", "answer", "repeat"], suffix="_other")
    return pairs.group_by("suite", "submission_other").agg(
        pl.len().alias("equal"), pl.col("failed").sum().alias("equal_wrong")
    )


def _is_near(copy: NearCopy) -> bool:
    of_all = copy.answered >= _FEWEST and copy.equal >= _OF_ALL * copy.answered
    of_wrong = copy.wrong >= _FEWEST and copy.equal_wrong >= _OF_WRONG * copy.wrong
    return of_all or of_wrong


def _failed(contents: Contents, results: Results) -> pl.DataFrame:
    """Every case and trial that a submission fails by the ranked metric of its suite."""
    metrics = pl.DataFrame(
        [(suite.id, suite.kind.ranked) for suite in contents.suites],
        schema={"suite": pl.String, "metric": pl.String},
        orient="row",
    )
    return (
        results.verdicts.join(metrics, on=["suite", "metric"], how="semi")
        .filter(outcome="fail")
        .select("submission", "suite", "case_id", "trial", failed=pl.lit(value=True))
    )
