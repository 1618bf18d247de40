"""The page of all suites together: their ranking, and the map of all categories."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.types import Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.figures.heat_map import Heat, heat
from site_templates.links import Link
from site_templates.page_head import Head, page_head
from site_templates.parts.named_links import to_submission
from site_templates.parts.rankings.overall_scores import taken_scores
from site_templates.parts.rankings.ranking_table import Ranking, ranked_suites, suite_links


@dataclass(frozen=True, slots=True)
class AllPage:
    """Model of all/index.html. `left_out` are the baselines that lack a suite."""

    head: Head
    bar: tuple[Link, ...]
    ranking: Ranking
    left_out: tuple[Link, ...]
    heat: Heat | None


def all_page(index: BoardIndex, table: Ranking) -> AllPage:
    """The page of all suites together, with the first page of their ranking."""
    head = page_head(
        index,
        "all/index.html",
        "All suites",
        "The ranking on all suites together: the mean score of those who took all of them.",
        section="Board",
        crumbs=[Link("All suites")],
        json=table.subject.data,
        tables=table.subject.tables,
        flags=table.subject.flags,
        has_axis=True,
    )
    suites = ranked_suites(index)
    shown = heat(index, suites, _by_mean(index, suites))
    left_out = tuple(
        to_submission(index, submission)
        for submission in index.submissions
        if submission.is_baseline and 0 < len(taken_scores(index, submission, suites)) < len(suites)
    )
    return AllPage(head, suite_links(index, first_page=True), table, left_out, shown)


def _by_mean(index: BoardIndex, suites: Sequence[Suite]) -> tuple[Submission, ...]:
    """Most whole suites first, then the best mean. Baselines only where nobody else is."""
    keys = {}
    for submission in index.submissions:
        taken = taken_scores(index, submission, suites)
        scores = [score.score or 0.0 for score in taken if not score.asked_in_part]
        if scores:
            keys[submission.id] = (-len(scores), -math.fsum(scores), submission.id)
    takers = [submission for submission in index.submissions if submission.id in keys]
    rivals = [submission for submission in takers if not submission.is_baseline]
    return tuple(sorted(rivals or takers, key=lambda submission: keys[submission.id]))
