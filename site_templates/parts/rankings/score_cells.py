"""What the tables of scores share: a score with its interval, and the axis."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from leaderboard.ids import WHOLE
from leaderboard.types import Category, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import FLAG, Bar, Flag, Whisker, flags, gap_bar, whisker_of
from site_templates.indexed_rows import Score
from site_templates.parts.rankings.score_trust import JudgedScore


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """A score as text, with its interval as text (`bounds`) and as a mark on the axis (`whisker`).

    `judged` is set if a judge decided any of it. `unranked` says why it has no rank. `path` leads
    to its cases, and is empty without any.
    """

    text: str
    bounds: str
    remark: str
    whisker: Whisker | None
    judged: JudgedScore | None = None
    unranked: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """The smallest detectable difference in points, and its bar on the axis."""

    points: str
    bar: Bar


def score_cell(
    score: Score | None,
    *,
    baseline: bool,
    median: float | None = None,
    remark: str = "",
    judged: JudgedScore | None = None,
    path: str = "",
) -> ScoreCell:
    """The cell of a score. `remark` replaces the score's own remark where there is no score."""
    return ScoreCell(
        text=formatting.percent(score.score if score else None),
        bounds=formatting.bounds(score.low, score.high) if score else "",
        remark=score.remark if score else remark,
        whisker=whisker_of(score, baseline=baseline, median=median),
        judged=judged,
        unranked=score.not_ranked if score else "",
        path=path if score else "",
    )


def cell_of(
    index: BoardIndex,
    submission: Submission,
    suite: Suite,
    category: str,
    *,
    median: float | None = None,
) -> ScoreCell:
    """The cell of a submission's score, with what a judge does to it and the path of its cases."""
    return score_cell(
        index.score(submission.id, suite.id, category),
        baseline=submission.is_baseline,
        median=median,
        judged=index.judged_score(submission.id, suite.id, category),
        path=index.paths.answers(submission.id, suite.id, category),
    )


def gap(index: BoardIndex, suite: Suite, category: str = WHOLE) -> Gap | None:
    """The smallest detectable difference, its bar centred on the mean score.

    None with fewer than two submissions.
    """
    smallest = index.smallest_gap(suite.id, category)
    shares = [index.share(s.id, suite.id, category) for s in index.field(suite.id)]
    scores = [share for share in shares if share is not None]
    if smallest is None or not scores:
        return None
    return Gap(formatting.detectable(smallest), gap_bar(smallest, fmean(scores)))


def baseline_flags(index: BoardIndex, suite: Suite, category: str = WHOLE) -> tuple[Flag, ...]:
    """The baselines' lines on the axis of a suite or category."""
    baselines = []
    for submission in index.takers(suite.id):
        share = index.share(submission.id, suite.id, category)
        if submission.is_baseline and share is not None:
            baselines.append((index.names.of(submission.id, FLAG), share))
    return flags(baselines)


def category_share(suite: Suite, category: Category) -> str:
    """A category's share of its suite's score, from the declared weights."""
    total = sum(other.weight for other in suite.categories)
    return formatting.whole_percent(category.weight / total)
