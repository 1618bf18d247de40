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


@dataclass(frozen=True, slots=True)
class NearCopy:
    """The answers of a submission to a suite that equal those of another submission.

    `answered` counts the answers that both gave, `wrong` those of them that fail. `exact`: the
    files hold the same bytes, or all answers are equal and many of them are wrong.
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
    """
    given = answers(contents.suites, contents.records, folded=True).drop_nulls("answer")
    wrong = _failed(contents, results)
    digests = {
        (path.split("/")[1], suite_of_file(path.split("/")[-1])): digest
        for path, digest in contents.digests.items()
    }
    keys = ["suite", "case_id", "trial"]
    for name in submissions:
        mine = given.filter(submission=name).join(wrong, on=["submission", *keys], how="left")
        others = given.filter(pl.col("submission") != name)
        pairs = mine.join(others, on=keys, suffix="_other").with_columns(
            equal=pl.col("answer") == pl.col("answer_other"),
            wrong=pl.col("failed").fill_null(value=False),
        )
        counted = pairs.group_by("suite", "submission_other").agg(
            pl.len().alias("answered"),
            pl.col("equal").sum(),
            pl.col("wrong").sum(),
            (pl.col("equal") & pl.col("wrong")).sum().alias("equal_wrong"),
        )
        order = pl.struct(-pl.col("equal").cast(pl.Int64), "submission_other")
        for suite, other, *counts in counted.sort("suite", order).iter_rows():
            answered, equal, number, _ = counts
            exact = digests[name, suite] == digests[other, suite]
            exact = exact or (equal == answered and number >= _FEWEST)
            copy = NearCopy(name, suite, other, exact, *counts)
            if exact or _is_near(copy):
                yield copy


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
