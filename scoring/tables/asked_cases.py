"""Declared parts of a suite: only the cases that were asked have verdicts."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from leaderboard.reasons import UNANSWERED
from leaderboard.types import Submission


def asked_cases(verdicts: pl.DataFrame, submissions: Iterable[Submission]) -> pl.DataFrame:
    """The VERDICTS without cases that were not asked.

    A card that lists a suite in `partial` declares that cases without any record were not asked.
    Everywhere else such cases fail. A missing trial of a case that was asked still fails. A suite
    that was asked in part has no rank, see `ranking.ranks`.
    """
    declared = [(one.id, suite) for one in submissions for suite in one.card.partial]
    if not declared:
        return verdicts
    chosen = [
        (pl.col("submission") == name) & (pl.col("suite") == suite) for name, suite in declared
    ]
    silent = (pl.col("reason") == UNANSWERED).fill_null(value=False)
    not_asked = silent.all().over("submission", "suite", "case_id")
    return verdicts.filter(~(pl.any_horizontal(*chosen) & not_asked))
