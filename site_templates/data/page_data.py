"""What belongs to a page as data: what it shows, as JSON, CSV and Parquet. The tables of the whole board are in `data`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.types import Category, Json, Submission, Suite
from site_templates.board_index import Register
from site_templates.data.board_tables import SCHEMA, encode, in_order, written
from site_templates.links import Link
from site_templates.pages.overall_page import judged_share, overall
from site_templates.parts.pair_pages import comparable
from site_templates.parts.ranking_table import ranked_suites

# The columns of the verdicts beside a submission's page; all that is known of them is in data/verdicts.parquet.
VERDICT: Final = (
    "suite",
    "category",
    "case_id",
    "trial",
    "metric",
    "outcome",
    "score",
    "reason",
    "decided_by",
)
_SUITES: Final = pl.Schema(
    {
        "suite": pl.String,
        "title": pl.String,
        "kind": pl.String,
        "metric": pl.String,
        "categories": pl.Int64,
        "cases": pl.Int64,
        "submissions": pl.Int64,
        "baselines": pl.Int64,
        "best": pl.Float64,
        "best_of": pl.String,
    }
)
_ALL: Final = pl.Schema(
    {
        "submission": pl.String,
        "place": pl.Int64,
        "suites": pl.Int64,
        "cases": pl.Int64,
        "scored": pl.Int64,
        "unscored": pl.Int64,
        "score": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "judged_share": pl.Float64,
    }
)
_JUDGES: Final = ("agreement", "concordance", "corrected")
_RANKING: Final = re.compile(
    r"(|.*/)ranking/\d+\.html"
)  # the second page of a ranking and those that follow


@dataclass(frozen=True, slots=True)
class Beside:
    """What belongs to a page: its JSON, if it has one, and tables by what they hold."""

    json: str | None = None
    tables: tuple[tuple[str, tuple[Link, ...]], ...] = ()


def beside(register: Register) -> dict[str, Beside]:
    """What belongs to each page that shows tables, by the page's path."""
    paths = register.paths
    found = {"suites/index.html": _whole("These suites", "data/suites")}
    if len(ranked_suites(register)) > 1:
        found["all/index.html"] = _whole("This ranking", "data/all")
    for suite in register.board.suites:
        scores = Beside(
            paths.suite_data(suite.id), (("Scores", _links(_stem(paths.suite_data(suite.id)))),)
        )
        found[paths.suite(suite.id)] = scores
        if suite.id == register.board.ranked:
            found["index.html"] = scores
        for category in suite.categories:
            data = paths.category_data(suite.id, category.id)
            found[paths.category(suite.id, category.id)] = _whole("Scores", _stem(data))
    for submission in register.submissions:
        data = paths.submission_data(submission.id)
        found[paths.submission(submission.id)] = Beside(data, (("Verdicts", _links(_stem(data))),))
    if comparable(register):
        found["compare/index.html"] = _whole("These pairs", "data/compare")
    if not register.board.health.is_empty():
        found["health/index.html"] = _whole("Every case", "data/health")
        for suite in register.board.suites:  # whoever has no such page is never asked for
            found[paths.health(suite.id)] = _whole("Every case", _stem(paths.health_data(suite.id)))
    return found | _of_judges(register)


def _of_judges(register: Register) -> dict[str, Beside]:
    """The tables of all judges belong to each of their pages."""
    tables = tuple((name.capitalize(), _links(f"data/judges/{name}")) for name in _judged(register))
    pages = [register.paths.judge(judge.name) for judge in register.board.judges]
    one = Beside(None, (("All judges", (Link("JSON", "data/judges.json"),)), *tables))
    return dict.fromkeys(pages, one) | (
        {"judges/index.html": Beside("data/judges.json", tables)} if pages else {}
    )


def of_page(found: Mapping[str, Beside], path: str, json: str | None) -> Beside:
    """What belongs to the page at `path`, which names its JSON itself where that is not told in `found`.

    To the further pages of a long ranking belongs what belongs to the first.
    """
    if path in found:
        return found[path]
    part = _RANKING.fullmatch(path) if json is None else None
    whole = found.get(f"{part[1]}index.html") if part else None
    if whole is None:
        return Beside(json)
    of_whole = (Link("JSON", whole.json),) if whole.json else ()
    return Beside(
        None, tuple((f"{name} of all rows", (*of_whole, *links)) for name, links in whole.tables)
    )


def _stem(path: str) -> str:
    return path.removesuffix(".json")


def _links(stem: str) -> tuple[Link, ...]:
    return (Link("CSV", f"{stem}.csv"), Link("Parquet", f"{stem}.parquet"))


def _whole(name: str, stem: str) -> Beside:
    return Beside(f"{stem}.json", ((name, _links(stem)),))


# ---------------------------------------------------------------- files


def files(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of all that belongs to a page, but for the JSON of suites, cases and submissions, and the pairs."""
    yield from _scores(register)
    yield from _verdicts(register)
    rows = [_suite_row(register, suite) for suite in register.board.suites]
    yield "data/suites.json", encode({"schema": SCHEMA, "suites": rows})
    yield from written("data/suites", pl.DataFrame(rows, schema=_SUITES))
    if len(ranked_suites(register)) > 1:
        yield from _all(register)
    if register.board.judges:
        yield from _judge_tables(register)


def _scores(register: Register) -> Iterator[tuple[str, bytes]]:
    """The scores of each suite and of each category, with their ranks."""
    paths = register.paths
    every = _ranked(register)
    for suite in register.board.suites:
        rows = every.filter(suite=suite.id)
        yield from written(_stem(paths.suite_data(suite.id)), rows)
        for category in suite.categories:
            mine, path = (
                rows.filter(category=category.id),
                paths.category_data(suite.id, category.id),
            )
            yield path, encode(_category(register, suite, category, mine))
            yield from written(_stem(path), mine)


def _ranked(register: Register) -> pl.DataFrame:
    """SCORES with the ranges of ranks, which only the ranked metric of a suite has."""
    board = register.board
    metrics = {suite.id: board.metric(suite.id) for suite in board.suites}
    ranks = board.ranks.select(
        "submission", "suite", "category", "rank_low", "rank_high"
    ).with_columns(
        metric=pl.col("suite").replace_strict(metrics, default=None, return_dtype=pl.String)
    )
    return in_order(
        board.scores.join(ranks, on=["submission", "suite", "category", "metric"], how="left")
    )


def _category(register: Register, suite: Suite, category: Category, rows: pl.DataFrame) -> Json:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "category": category.id,
        "title": category.title,
        "weight": category.weight,
        "prompt": category.prompt,
        "metric": register.board.metric(suite.id),
        "cases": [case.id for case in category.cases],
        "scores": rows.drop("suite", "category").to_dicts(),
    }


def _verdicts(register: Register) -> Iterator[tuple[str, bytes]]:
    """The verdicts on each submission."""
    frame = in_order(register.board.verdicts).select("submission", *VERDICT)
    found = frame.partition_by("submission", as_dict=True, include_key=False)
    for submission in register.submissions:
        rows = found.get((submission.id,))
        rows = frame.clear().drop("submission") if rows is None else rows
        yield from written(_stem(register.paths.submission_data(submission.id)), rows)


def _suite_row(register: Register, suite: Suite) -> dict[str, Json]:
    takers = register.takers(suite.id)
    entrants = [s for s in takers if not s.is_baseline]
    best = register.score(entrants[0].id, suite.id) if entrants else None
    return {
        "suite": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "metric": register.board.metric(suite.id),
        "categories": len(suite.categories),
        "cases": len(suite.by_id),
        "submissions": len(entrants),
        "baselines": len(takers) - len(entrants),
        "best": best.score if best else None,
        "best_of": entrants[0].id if best else None,
    }


def _all(register: Register) -> Iterator[tuple[str, bytes]]:
    """The ranking on all suites together."""
    suites = ranked_suites(register)
    rows = [row for s in register.submissions if (row := _row(register, s, suites)) is not None]
    baselines = {s.id for s in register.submissions if s.is_baseline}
    entrants = [
        row for row in rows if row["score"] is not None and row["submission"] not in baselines
    ]
    values = sorted(-row["score"] for row in entrants)
    for row in entrants:
        row["place"] = 1 + bisect_left(values, -row["score"])
    rows.sort(key=lambda row: (row["score"] is None, -(row["score"] or 0.0), row["submission"]))
    yield (
        "data/all.json",
        encode({"schema": SCHEMA, "suites": [suite.id for suite in suites], "scores": rows}),
    )
    flat = [
        row | {f"score_{name}": score for name, score in row["by_suite"].items()} for row in rows
    ]
    columns = dict(_ALL) | {f"score_{suite.id}": pl.Float64() for suite in suites}
    yield from written("data/all", pl.DataFrame(flat, schema=columns))


def _row(
    register: Register, submission: Submission, suites: tuple[Suite, ...]
) -> dict[str, Json] | None:
    """A submission on all suites together; None where it took none of them."""
    scores = {suite.id: register.score(submission.id, suite.id) for suite in suites}
    taken = [score for score in scores.values() if score is not None]
    if not taken:
        return None
    whole = overall(register, submission)
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
        "judged_share": judged_share(register, submission),
        "by_suite": {name: score.score if score else None for name, score in scores.items()},
    }


# ---------------------------------------------------------------- judges


def _judged(register: Register) -> dict[str, pl.DataFrame]:
    """The tables on judges that hold anything."""
    board = register.board
    tables = {
        "agreement": board.agreement,
        "concordance": board.concordance,
        "corrected": board.corrected,
    }
    return {name: in_order(frame) for name, frame in tables.items() if not frame.is_empty()}


def _judge_tables(register: Register) -> Iterator[tuple[str, bytes]]:
    tables = _judged(register)
    judges = [
        {
            "judge": one.name,
            "provider": one.provider,
            "model": one.model,
            "settings": dict(sorted(one.settings.items())),
        }
        for one in register.board.judges
    ]
    rows = {name: tables[name].to_dicts() if name in tables else [] for name in _JUDGES}
    yield "data/judges.json", encode({"schema": SCHEMA, "judges": judges, **rows})
    for name, frame in tables.items():
        yield from written(f"data/judges/{name}", frame)
