"""The small board with a history of three snapshots, the last one equal to the first.

Of the first it was not recorded on which day it was taken.
"""

from __future__ import annotations

import dataclasses
from functools import cache

import polars as pl

from leaderboard.board.board_changes import History
from leaderboard.board.board_state import SNAPSHOT_COLUMNS, State
from leaderboard.board.manifest_shape import WrittenManifest
from scoring.changes.board_history import changes
from site_templates.board import Board
from tests.site_templates import site_board

FIRST, SECOND = "2026-03-01-aaaaaaaa", "2026-04-02-bbbbbbbb"


def state(
    name: str, board: Board, sequence: int | None, label: str | None, as_of: str | None
) -> State:
    """A board as a snapshot of that name keeps it."""
    manifest: WrittenManifest = {
        **board.results.manifest,
        "as_of": as_of,
        "digest": site_board.digest(name),
        "results": {},
    }
    kept = board.results.verdicts.select(list(SNAPSHOT_COLUMNS))
    metrics = {suite.id: "correct" for suite in board.suites}
    return State(
        name,
        manifest,
        board.results.scores,
        board.results.ranks,
        lambda: kept,
        sequence,
        label,
        metrics,
    )


def earlier(board: Board) -> Board:
    """The same board when model-a passed less, with a submission and a suite that are gone."""
    turned = pl.when((pl.col("submission") == "model-a") & (pl.col("case_id") == "A001"))
    verdicts = board.results.verdicts.with_columns(
        outcome=turned.then(pl.lit("fail")).otherwise("outcome"),
        score=turned.then(0.0).otherwise("score"),
    )
    left = verdicts.filter(submission="keyword", suite="match").with_columns(
        submission=pl.lit("gone")
    )
    other = verdicts.filter(submission="model-b", suite="match").with_columns(
        suite=pl.lit("old suite <b>")
    )
    verdicts = pl.concat([verdicts, left, other])
    scores = pl.DataFrame(
        site_board.score_rows(verdicts.to_dicts()), schema=board.results.scores.schema
    )
    prompts = {name: site_board.digest("other", name) for name in board.results.manifest["prompts"]}
    submissions = {
        **board.results.manifest["submissions"],
        "gone": {"submissions/gone/match.json": site_board.digest("gone")},
    }
    return site_board.changed(
        board,
        verdicts=verdicts,
        scores=scores,
        manifest={**board.results.manifest, "prompts": prompts, "submissions": submissions},
    )


@cache
def board() -> Board:
    """The board with its history."""
    given = site_board.board()
    first = state(
        FIRST, site_board.board(sent_in=("model-a", "oracle", "silent")), 1, None, "2026-03-01"
    )
    second = state(SECOND, earlier(given), 2, f"Second {site_board.HOSTILE}", "2026-04-02")
    second = dataclasses.replace(second, taken="2026-04-09")
    states = (
        first,
        second,
        dataclasses.replace(first, sequence=3, label="back again", taken="2026-05-01"),
    )
    now = state("now", given, None, None, "2026-04-02")
    metrics = {suite.id: "correct" for suite in given.suites}
    return dataclasses.replace(given, states=states, history=changes((*states, now), metrics))


def recased() -> Board:
    """The same board, as if the suite `tools` had other cases before the second snapshot."""
    given = board()
    assert given.history is not None
    first, second, *later = given.history.eras
    assert second.difference is not None
    difference = dataclasses.replace(second.difference, recased=("tools",))
    eras = (first, dataclasses.replace(second, difference=difference), *later)
    steps = {
        name: tuple(
            dataclasses.replace(step, recased=step.suite == "tools" and step.sequence == 2)
            for step in found
        )
        for name, found in given.history.steps.items()
    }
    return dataclasses.replace(given, history=History(eras, steps))
