"""The data of the pages of suites and categories, and of the list of suites."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from leaderboard.ids import WHOLE
from leaderboard.mappings import without_none
from leaderboard.types import Category, Json, Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.data_fields import (
    RANKED_SCORES,
    SUITES,
    CategoryFile,
    Standings,
    SuiteCategory,
    SuiteFile,
    SuitesFile,
)
from site_templates.data.download_formats import SCHEMA, in_order, table_files
from site_templates.indexed_rows import Score


def suite_list_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the list of suites."""
    rows = [_suite_row(index, suite) for suite in index.board.suites]
    suites: SuitesFile = {"schema": SCHEMA, "suites": rows}
    yield from table_files("data/suites.json", suites, pl.DataFrame(rows, schema=SUITES))


def _suite_row(index: BoardIndex, suite: Suite) -> dict[str, Json]:
    takers = index.takers(suite.id)
    entrants = [taker for taker in takers if not taker.is_baseline]
    best = next(iter(index.best(suite.id)), None)
    return {
        "suite": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "metric": suite.kind.ranked,
        "categories": len(suite.categories),
        "cases": len(suite.by_id),
        "submissions": len(entrants),
        "baselines": len(takers) - len(entrants),
        "best": index.share(best.id, suite.id) if best else None,
        "best_of": best.id if best else None,
    }


def suite_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the scores of each suite and of each category, with their ranks."""
    board, paths = index.board, index.paths
    keys = ["submission", "suite", "category", "metric"]
    scores = board.results.scores.drop("rank_low", "rank_high")
    ranks = board.results.ranks.join(board.ranked_metrics, on="suite")
    scores = scores.join(ranks, on=keys, how="left")
    scores = in_order(scores.select(RANKED_SCORES.names()))
    for suite in board.suites:
        rows = scores.filter(suite=suite.id)
        yield from table_files(paths.suite_data(suite.id), _suite(index, suite), rows)
        for category in suite.categories:
            path = paths.category_data(suite.id, category.id)
            mine = rows.filter(category=category.id)
            yield from table_files(path, _category(suite, category, mine), mine)


def _suite(index: BoardIndex, suite: Suite) -> SuiteFile:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "digest": suite.digest,
        "policy": dict(sorted(suite.policy.items())),
        "metric": suite.kind.ranked,
        "categories": [_described(category) for category in suite.categories],
        "scores": [
            {"submission": taker.id, **standings(index, taker, suite)}
            for taker in index.takers(suite.id)
        ],
    }


def _described(category: Category) -> SuiteCategory:
    return {
        "category": category.id,
        "title": category.title,
        "weight": category.weight,
        "prompt": category.prompt,
        "cases": [case.id for case in category.cases],
    }


def standings(index: BoardIndex, submission: Submission, suite: Suite) -> Standings:
    """The scores of a submission by category, with other metrics and trials if there are any."""
    names = (WHOLE, *(category.id for category in suite.categories))
    ranked = {name: index.score(submission.id, suite.id, name) for name in names}
    row: Standings = {
        "rank": index.rank(submission.id, suite.id),
        "by_category": without_none(ranked),
    }
    by_metric: dict[str, dict[str, Score]] = {}
    for metric in index.other_metrics[suite.id]:
        scores = {n: index.other_score(submission.id, suite.id, metric, n) for n in names}
        by_metric[metric] = without_none(scores)
    if by_metric:
        row["by_metric"] = by_metric

    trials = {name: index.trials(submission.id, suite.id, name) for name in names}
    if any(trials.values()):
        row["trials"] = {name: rows for name, rows in trials.items() if rows}
    return row


def _category(suite: Suite, category: Category, rows: pl.DataFrame) -> CategoryFile:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "category": category.id,
        "title": category.title,
        "weight": category.weight,
        "prompt": category.prompt,
        "metric": suite.kind.ranked,
        "cases": [case.id for case in category.cases],
        "scores": rows.drop("suite", "category").to_dicts(),
    }
