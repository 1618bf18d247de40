"""The first page: the ranking on one suite, and the facts that qualify it."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.types import Suite
from site_templates import formatting, page_frame
from site_templates.board_index import WHOLE, Register
from site_templates.figures.chart import Chart, cost_chart, date_chart
from site_templates.links import Link
from site_templates.parts.judge_labels import JudgeFact, judge_fact
from site_templates.parts.ranking_table import Ranking, suite_links


@dataclass(frozen=True, slots=True)
class IndexPage:
    """Model of index.html. `judged` says in words what share of the verdicts rests on the judges."""

    head: page_frame.Head
    headline: str
    description: str
    as_of: str
    submissions: int
    baselines: int
    cases: int
    suites: int
    judges: tuple[JudgeFact, ...]
    judged: str
    bar: tuple[Link, ...]
    ranking: Ranking
    charts: tuple[Chart, ...]
    more: Link | None


def index_page(register: Register, table: Ranking) -> IndexPage:
    """The first page of a board, with the first page of its ranking."""
    board = register.board
    suite = next(suite for suite in board.suites if suite.id == board.ranked)
    charts = tuple(filter(None, (cost_chart(register, suite), date_chart(register, suite))))
    baselines = sum(submission.is_baseline for submission in board.submissions)
    return IndexPage(
        head=page_frame.Head(
            path="index.html",
            title=board.title,
            description=formatting.clip(board.description, 160),
            section="Board",
            json=register.paths.suite_data(suite.id),
            flags=table.flags,
            has_axis=True,
        ),
        headline=board.headline,
        description=board.description,
        as_of=as_of(register),
        submissions=len(board.submissions) - baselines,
        baselines=baselines,
        cases=sum(len(suite.by_id) for suite in board.suites),
        suites=len(board.suites),
        judges=tuple(judge_fact(register, judge.name) for judge in board.judges),
        judged=judged(register),
        bar=suite_links(register, first_page=True),
        ranking=table,
        charts=charts[:1],
        more=Link(suite.title, register.paths.suite(suite.id)) if charts else None,
    )


def as_of(register: Register) -> str:
    """The newest date of a submission."""
    return max(
        (submission.card.date for submission in register.submissions), default=formatting.NONE
    )


def judged(register: Register) -> str:
    """What share of the scored verdicts rests on a judge, and in which suites: "decides 17 % of verdicts, none in bfcl"."""
    by_suite = {suite.id: _shares(register, suite) for suite in register.board.suites}
    scored = sum(total for _, total in by_suite.values())
    decided = sum(part for part, _ in by_suite.values())
    if not scored or not decided:
        return "decides no verdict"
    without = [
        suite.title
        for suite in register.board.suites
        if by_suite[suite.id][1] and not by_suite[suite.id][0]
    ]
    tail = f", none in {formatting.listed(without)}" if without else ""
    verb = "decides" if len(register.board.judges) == 1 else "together decide"
    return f"{verb} {formatting.whole_percent(decided / scored)} of verdicts{tail}"


def _shares(register: Register, suite: Suite) -> tuple[int, int]:
    """Verdicts of a suite that a judge decided, and all that are scored."""
    rows = [
        score
        for (_, s, category), score in register.scores.items()
        if s == suite.id and category == WHOLE
    ]
    return sum(round(row.scored * (row.judged_share or 0.0)) for row in rows), sum(
        row.scored for row in rows
    )
