"""The metrics of a suite that it is not ranked by, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.ids import WHOLE
from leaderboard.kinds import Metric
from leaderboard.types import Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Score, Tails
from site_templates.links import Link
from site_templates.parts.metric_names import metric_of, written_bounds, written_mean
from site_templates.parts.named_links import places, to_submission


@dataclass(frozen=True, slots=True)
class MetricCell:
    """A mean with its interval, and for a ratio the shares with too few and too many steps.

    `path` leads to the answers, and is empty without any.
    """

    text: str
    bounds: str = ""
    remark: str = ""
    few: str = formatting.NONE
    many: str = formatting.NONE
    path: str = ""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A submission on a suite's page, or a category on a submission's page.

    `level` is suite, cat (category) or base (baseline).
    """

    level: str
    link: Link
    cells: tuple[MetricCell, ...]

    @property
    def has_values(self) -> bool:
        """Whether a metric of the row has a value."""
        return any(cell.text != formatting.NONE for cell in self.cells)


@dataclass(frozen=True, slots=True)
class MetricTable:
    """The metrics that are not ranked, of the suite or category that `title` names."""

    title: str
    metrics: tuple[Metric, ...]
    rows: tuple[MetricRow, ...]


def of_submissions(index: BoardIndex, suite: Suite, category: str = WHOLE) -> MetricTable | None:
    """The other metrics of a suite or category: a row per submission by score, baselines last."""
    rows = []
    takers = index.takers(suite.id, category)
    for submission in sorted(takers, key=lambda submission: submission.is_baseline):
        level = "base" if submission.is_baseline else "suite"
        cells = _cells(index, submission, suite, category)
        rows.append(MetricRow(level, to_submission(index, submission), cells))
    title = next(link.label for place, _, link in places(index, suite) if place == category)
    return _table(index, suite, title, rows)


def of_suite(index: BoardIndex, submission: Submission, suite: Suite) -> MetricTable | None:
    """The other metrics of one submission on a suite: a row for the suite and each category."""
    rows = []
    for category, level, link in places(index, suite):
        cells = _cells(index, submission, suite, category)
        rows.append(MetricRow(level, link, cells))
    return _table(index, suite, suite.title, rows)


def _table(
    index: BoardIndex, suite: Suite, title: str, rows: Sequence[MetricRow]
) -> MetricTable | None:
    names = index.other_metrics[suite.id]
    shown = tuple(row for row in rows if row.has_values)
    metrics = tuple(metric_of(suite, name) for name in names)
    return MetricTable(title, metrics, shown) if metrics and shown else None


def _cells(
    index: BoardIndex, submission: Submission, suite: Suite, category: str
) -> tuple[MetricCell, ...]:
    cells = []
    path = index.paths.answers(submission.id, suite.id, category)
    for name in index.other_metrics[suite.id]:
        score = index.other_score(submission.id, suite.id, name, category)
        tails = index.tails(submission.id, suite.id, name, category)
        cells.append(_cell(metric_of(suite, name), score, tails, path))
    return tuple(cells)


def _cell(metric: Metric, score: Score | None, tails: Tails | None, path: str) -> MetricCell:
    if score is None:
        return MetricCell(formatting.NONE)
    few = many = None
    if tails is not None and metric.ratio and score.score is not None:
        few, many = tails.few, tails.many
    return MetricCell(
        text=written_mean(metric, score.score),
        bounds=written_bounds(metric, score.low, score.high),
        remark=score.remark,
        few=formatting.whole_percent(few),
        many=formatting.whole_percent(many),
        path=path,
    )
