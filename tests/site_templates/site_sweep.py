"""The small board with sweeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from leaderboard.types import Card, Submission
from site_templates.board import Board
from tests.site_templates import site_board

CARD = Card("Probe", "agent", "Lab Two", "model-b-1", "2026-04-03", framework="Framework X")


def member(
    tools: Any,
    *,
    sweep: Any = "probe",
    id_: str | None = None,
    suites: Sequence[str] = ("acting",),
    **more: Any,
) -> Submission:
    """A submission as `lb run --sweep` writes it. `more` are fields of its card."""
    settings = {"agent": "probe", "max_tools": tools, "sweep": sweep, **more.pop("settings", {})}
    card = dataclasses.replace(
        CARD, **{"name": f"Probe, {tools} tools"[:60], "settings": settings, **more}
    )
    name = f"{sweep}-k{tools}" if id_ is None else id_
    return Submission(
        name, card, None, {suite: f"submissions/{name}/{suite}.json" for suite in suites}
    )


def added(
    given: Board, members: Sequence[Submission], scores: Mapping[str, float | None] | None = None
) -> Board:
    """The board with more submissions, which answer as model-b does.

    `scores` are those of whole suites by the submissions' ids.
    """
    frames: dict[str, list[pl.DataFrame]] = {
        name: [] for name in ("verdicts", "scores", "usage", "trials")
    }
    records = dict(given.records)
    for one in members:
        for suite in one.files:
            for name, found in frames.items():
                like: pl.DataFrame = getattr(given.results, name).filter(
                    submission="model-b", suite=suite
                )
                found.append(like.with_columns(submission=pl.lit(one.id)))
            records[one.id, suite] = given.records["model-b", suite]
        if scores is not None:
            frames["scores"] = [
                _scored(frame, one.id, scores.get(one.id)) for frame in frames["scores"]
            ]
    tables = {
        name: pl.concat([getattr(given.results, name), *found]) for name, found in frames.items()
    }
    made = site_board.changed(
        given, submissions=(*given.submissions, *members), records=records, **tables
    )
    return dataclasses.replace(
        made,
        comparisons={
            suite.id: site_board.compared(made.results.verdicts, suite) for suite in given.suites
        },
    )


def _scored(frame: pl.DataFrame, name: str, score: float | None) -> pl.DataFrame:
    mine = (
        (pl.col("submission") == name)
        & (pl.col("category") == "*")
        & (pl.col("metric") == "correct")
    )
    low, high = (None, None) if score is None else (max(score - 0.1, 0.0), min(score + 0.1, 1.0))
    values = {"score": score, "low": low, "high": high}
    changed = {
        key: pl.when(mine).then(pl.lit(value, pl.Float64)).otherwise(pl.col(key))
        for key, value in values.items()
    }
    return frame.with_columns(**changed)
