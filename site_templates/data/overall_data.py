"""The data of the page that ranks submissions on all suites together."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from leaderboard.types import Json, Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.data_fields import ALL, AllFile
from site_templates.data.download_formats import SCHEMA, table_files
from site_templates.indexed_rows import best_first
from site_templates.parts.rankings.overall_scores import (
    judged_share,
    mean_places,
    mean_score,
    taken_scores,
)
from site_templates.parts.rankings.ranking_table import ranked_suites


def overall_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the ranking on all suites together, if there is one."""
    suites = ranked_suites(index)
    if len(suites) < 2:
        return

    places = mean_places(index, suites)
    rows = []
    for submission in index.submissions:
        row = _overall_row(index, submission, suites, places.get(submission.id))
        if row is not None:
            rows.append(row)
    rows.sort(key=lambda row: best_first(row["score"], row["submission"]))
    file: AllFile = {"schema": SCHEMA, "suites": [suite.id for suite in suites], "scores": rows}

    # The table has a column for each suite, after those that all boards have.
    table = pl.DataFrame(rows, schema=ALL)
    columns = []
    for suite in suites:
        scores = [row["by_suite"][suite.id] for row in rows]
        columns.append(pl.Series(f"score_{suite.id}", scores, pl.Float64))
    yield from table_files("data/all.json", file, table.with_columns(columns))


def _overall_row(
    index: BoardIndex, submission: Submission, suites: tuple[Suite, ...], place: int | None
) -> dict[str, Json] | None:
    """A submission on all suites together; None if it took none of them."""
    taken = taken_scores(index, submission, suites)
    if not taken:
        return None
    whole = mean_score(index, submission, suites)
    return {
        "submission": submission.id,
        "place": place,
        "suites": len(taken),
        "cases": sum(score.cases for score in taken),
        "scored": sum(score.scored for score in taken),
        "unscored": sum(score.unscored for score in taken),
        "score": whole.score if whole else None,
        "low": whole.low if whole else None,
        "high": whole.high if whole else None,
        "judged_share": judged_share(taken),
        "status": next((score.status for score in taken if score.not_ranked), None),
        "by_suite": {suite.id: index.share(submission.id, suite.id) for suite in suites},
    }
