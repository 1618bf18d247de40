"""The first page: the ranking on one suite, and the facts that qualify it."""

from __future__ import annotations

from dataclasses import dataclass

from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.scatter_charts import Chart, charts
from site_templates.links import EMBED_PATH, Link
from site_templates.page_head import Head
from site_templates.parts.bibtex import board_entry
from site_templates.parts.first_steps import FirstSteps, first_steps
from site_templates.parts.judge_counts import JudgeCounts
from site_templates.parts.named_links import NamedJudge, all_judges, to_suite
from site_templates.parts.rankings.ranking_table import Ranking, suite_links


@dataclass(frozen=True, slots=True)
class IndexPage:
    """Model of index.html. `judged` says which share of the verdicts the judges decide.

    `start` takes the place of the ranking while no model is on the board.
    """

    head: Head
    headline: str
    description: str
    as_of: str
    submissions: int
    baselines: int
    cases: int
    suites: int
    judges: tuple[NamedJudge, ...]
    judged: str
    bar: tuple[Link, ...]
    ranking: Ranking
    charts: tuple[Chart, ...]
    more: Link | None
    quality: str
    start: FirstSteps | None
    bibtex: str
    frame_code: str | None


def index_page(
    index: BoardIndex, table: Ranking, counts: JudgeCounts, base: str | None
) -> IndexPage:
    """The first page of a board, with the first page of its ranking.

    `base` is the full address of the site if that is known.
    """
    board = index.board
    suite = board.suite_of(board.ranked)
    drawn = charts(index, suite)
    quality = index.quality(suite.id)
    baselines = sum(submission.is_baseline for submission in board.submissions)
    return IndexPage(
        head=Head(
            path="index.html",
            title=board.title,
            description=formatting.clip(board.description, 160),
            section="Board",
            json=table.subject.data,
            tables=table.subject.tables,
            flags=table.subject.flags,
            has_axis=True,
        ),
        headline=board.look.headline or board.title,
        description=board.description,
        as_of=board.newest or formatting.NONE,
        submissions=len(board.submissions) - baselines,
        baselines=baselines,
        cases=sum(len(suite.by_id) for suite in board.suites),
        suites=len(board.suites),
        judges=all_judges(index),
        judged=judged(index, counts),
        bar=suite_links(index, first_page=True),
        ranking=table,
        charts=drawn[:1],
        more=to_suite(index, suite) if drawn else None,
        quality=quality.said if quality else "",
        start=first_steps(index, suite),
        bibtex=board_entry(index, base),
        frame_code=frame_code(base),
    )


def judged(index: BoardIndex, counts: JudgeCounts) -> str:
    """The share of scored verdicts that a judge decided, and the suites where it decided none."""
    single = len(index.board.judges) == 1
    if not counts.judged:
        return "decides no verdict" if single else "decide no verdict"
    scored = {suite for suite, _ in counts.scored}
    judged_ones = {suite for suite, _ in counts.judged}
    without = [suite.title for suite in index.board.suites if suite.id in scored - judged_ones]
    share = formatting.whole_percent(counts.judged.total() / counts.scored.total())
    verb = "decides" if single else "together decide"
    tail = f", none in {formatting.listed(without)}" if without else ""
    return f"{verb} {share} of verdicts{tail}"


def frame_code(base: str | None) -> str | None:
    """The HTML that shows the table on another page. None if the site's address is unknown."""
    if not base:
        return None
    size = 'width="640" height="480" loading="lazy"'
    return f'<iframe src="{base}{EMBED_PATH}" title="Ranking" {size}></iframe>'
