"""The downloads of a page: what it shows, as JSON, CSV and Parquet."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.types import Category, Json, Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.board_tables import SCHEMA, encode, in_order, links, written
from site_templates.data.data_shapes import (
    ALL,
    RANKED_SCORES,
    SUBMISSION_VERDICTS,
    SUITES,
    AllFile,
    CategoryFile,
    JudgesFile,
    SuitesFile,
)
from site_templates.links import Link
from site_templates.pages.overall_page import judged_share, overall
from site_templates.parts.pair_pages import comparable
from site_templates.parts.ranking_table import ranked_suites

# The second page of a long ranking and those that follow.
_RANKING: Final = re.compile(r"(|.*/)ranking/\d+\.html")


@dataclass(frozen=True, slots=True)
class Beside:
    """The downloads of a page: its JSON, if it has one, and tables by title."""

    json: str | None = None
    tables: tuple[tuple[str, tuple[Link, ...]], ...] = ()


def beside(index: BoardIndex) -> dict[str, Beside]:
    """The downloads of each page that shows tables, by the page's path."""
    paths, board = index.paths, index.board
    found = {"suites/index.html": _table("These suites", "data/suites.json")}
    if len(ranked_suites(index)) > 1:
        found["all/index.html"] = _table("This ranking", "data/all.json")
    for suite in board.suites:
        found[paths.suite(suite.id)] = _table("Scores", paths.suite_data(suite.id))
        for category in suite.categories:
            data = paths.category_data(suite.id, category.id)
            found[paths.category(suite.id, category.id)] = _table("Scores", data)
    found["index.html"] = found[paths.suite(board.ranked)]
    for submission in index.submissions:
        data = paths.submission_data(submission.id)
        found[paths.submission(submission.id)] = _table("Verdicts", data)
    if comparable(index):
        found["compare/index.html"] = _table("These pairs", "data/compare.json")
    if not board.health.is_empty():
        found["health/index.html"] = _table("Every case", "data/health.json")
        # A suite that only baselines have taken has no such page: its entry is never looked up.
        for suite in board.suites:
            found[paths.health(suite.id)] = _table("Every case", paths.health_data(suite.id))
    if board.judges:
        names = _judge_tables(index)
        tables = tuple((name.title(), _links(f"data/judges/{name}")) for name in names)
        found["judges/index.html"] = Beside("data/judges.json", tables)
        for judge in board.judges:
            all_judges = ("All judges", links("data/judges", "JSON"))
            found[paths.judge(judge.name)] = Beside(None, (all_judges, *tables))
    return found


def of_page(found: Mapping[str, Beside], path: str, json: str | None) -> Beside:
    """The downloads of the page at `path`, whose own JSON is `json` if it is not in `found`.

    The further pages of a long ranking have the downloads of the first.
    """
    if path in found:
        return found[path]
    further = _RANKING.fullmatch(path) if json is None else None
    first = found.get(f"{further[1]}index.html") if further else None
    if first is None:
        return Beside(json)
    of_first = (Link("JSON", first.json),) if first.json else ()
    tables = ((f"{title} of all rows", (*of_first, *files)) for title, files in first.tables)
    return Beside(None, tuple(tables))


def _stem(path: str) -> str:
    return path.removesuffix(".json")


def _links(stem: str) -> tuple[Link, ...]:
    return links(stem, "CSV", "Parquet")


def _table(title: str, json: str) -> Beside:
    """A JSON file with a table of the same name beside it."""
    return Beside(json, ((title, _links(_stem(json))),))


# ---------------------------------------------------------------- files


def files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the tables of suites, categories, submissions and judges."""
    yield from _scores(index)
    yield from _verdicts(index)
    rows = [_suite_row(index, suite) for suite in index.board.suites]
    suites: SuitesFile = {"schema": SCHEMA, "suites": rows}
    yield "data/suites.json", encode(suites)
    yield from written("data/suites", pl.DataFrame(rows, schema=SUITES))
    if len(ranked_suites(index)) > 1:
        yield from _all(index)
    if index.board.judges:
        yield from _judges(index)


def _scores(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """The scores of each suite and of each category, with their ranks."""
    board, paths = index.board, index.paths
    metrics = {suite.id: board.metric(suite.id) for suite in board.suites}
    metric = pl.col("suite").replace_strict(metrics, default=None, return_dtype=pl.String)
    keys = ["submission", "suite", "category", "metric"]
    scores = board.scores.join(board.ranks.with_columns(metric=metric), on=keys, how="left")
    scores = in_order(scores.select(RANKED_SCORES.names()))
    for suite in board.suites:
        rows = scores.filter(suite=suite.id)
        yield from written(_stem(paths.suite_data(suite.id)), rows)
        for category in suite.categories:
            mine = rows.filter(category=category.id)
            path = paths.category_data(suite.id, category.id)
            yield path, encode(_category(index, suite, category, mine))
            yield from written(_stem(path), mine)


def _category(
    index: BoardIndex, suite: Suite, category: Category, rows: pl.DataFrame
) -> CategoryFile:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "category": category.id,
        "title": category.title,
        "weight": category.weight,
        "prompt": category.prompt,
        "metric": index.board.metric(suite.id),
        "cases": [case.id for case in category.cases],
        "scores": rows.drop("suite", "category").to_dicts(),
    }


def _verdicts(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """The verdicts on each submission."""
    frame = in_order(index.board.verdicts).select("submission", *SUBMISSION_VERDICTS)
    found = frame.partition_by("submission", as_dict=True, include_key=False)
    nothing = pl.DataFrame(schema=SUBMISSION_VERDICTS)
    for submission in index.submissions:
        rows = found.get((submission.id,), nothing)
        yield from written(_stem(index.paths.submission_data(submission.id)), rows)


def _suite_row(index: BoardIndex, suite: Suite) -> dict[str, Json]:
    takers = index.takers(suite.id)
    entrants = [taker for taker in takers if not taker.is_baseline]
    best = index.score(entrants[0].id, suite.id) if entrants else None
    return {
        "suite": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "metric": index.board.metric(suite.id),
        "categories": len(suite.categories),
        "cases": len(suite.by_id),
        "submissions": len(entrants),
        "baselines": len(takers) - len(entrants),
        "best": best.score if best else None,
        "best_of": entrants[0].id if best else None,
    }


def _all(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """The ranking on all suites together."""
    suites = ranked_suites(index)
    rows, values = [], []
    for submission in index.submissions:
        row = _overall_row(index, submission, suites)
        if row is not None:
            rows.append(row)
            if row["score"] is not None and not submission.is_baseline:
                values.append(-row["score"])
    values.sort()
    baselines = {submission.id for submission in index.submissions if submission.is_baseline}
    for row in rows:
        if row["score"] is not None and row["submission"] not in baselines:
            row["place"] = 1 + bisect_left(values, -row["score"])
    rows.sort(key=lambda row: (row["score"] is None, -(row["score"] or 0.0), row["submission"]))
    file: AllFile = {"schema": SCHEMA, "suites": [suite.id for suite in suites], "scores": rows}
    yield "data/all.json", encode(file)

    # The table has a column for each suite, after those that all boards have.
    table = pl.DataFrame(rows, schema=ALL)
    columns = [
        pl.Series(f"score_{suite.id}", [row["by_suite"][suite.id] for row in rows], pl.Float64)
        for suite in suites
    ]
    yield from written("data/all", table.with_columns(columns))


def _overall_row(
    index: BoardIndex, submission: Submission, suites: tuple[Suite, ...]
) -> dict[str, Json] | None:
    """A submission on all suites together; None if it took none of them."""
    scores = {suite.id: index.score(submission.id, suite.id) for suite in suites}
    taken = [score for score in scores.values() if score is not None]
    if not taken:
        return None
    whole = overall(index, submission)
    return {
        "submission": submission.id,
        "place": None,
        "suites": len(taken),
        "cases": sum(score.cases for score in taken),
        "scored": sum(score.scored for score in taken),
        "unscored": sum(score.unscored for score in taken),
        "score": whole.score if whole else None,
        "low": whole.low if whole else None,
        "high": whole.high if whole else None,
        "judged_share": judged_share(index, submission),
        "by_suite": {name: score.score if score else None for name, score in scores.items()},
    }


# ---------------------------------------------------------------- judges


def _judge_tables(index: BoardIndex) -> dict[str, pl.DataFrame]:
    """The tables about judges that have any rows."""
    board = index.board
    tables = {
        "agreement": board.agreement,
        "concordance": board.concordance,
        "corrected": board.corrected,
    }
    return {name: in_order(frame) for name, frame in tables.items() if not frame.is_empty()}


def _judges(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    tables = _judge_tables(index)
    rows = {name: frame.to_dicts() for name, frame in tables.items()}
    file: JudgesFile = {
        "schema": SCHEMA,
        "judges": [
            {
                "judge": judge.name,
                "provider": judge.provider,
                "model": judge.model,
                "settings": dict(sorted(judge.settings.items())),
            }
            for judge in index.board.judges
        ],
        "agreement": rows.get("agreement", []),
        "concordance": rows.get("concordance", []),
        "corrected": rows.get("corrected", []),
    }
    yield "data/judges.json", encode(file)
    for name, frame in tables.items():
        yield from written(f"data/judges/{name}", frame)
