"""The heat map of categories by submissions: a table whose cells are tinted by their scores.

The tints are `.h0` to `.h9` in `assets/toolboard.css`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.types import Category, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.links import Link
from site_templates.parts.named_links import label, to_submission

_ROWS: Final = 50
_TONES: Final = 10
_LEVEL_HEADS: Final = 10  # with more columns, the heads are upright


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A score with its tint, 0 (nothing passed) to 9, or -1 without a score.

    `part` says how many cases are answered, if not all are. `path` is the list of the cases.
    """

    text: str
    tone: int
    part: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """The scores of a submission."""

    link: Link
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class Heat:
    """The map. `groups` are the suites with their numbers of columns.

    `left_out` is the number of submissions beyond the last row.
    """

    groups: tuple[tuple[Link, int], ...]
    columns: tuple[Link, ...]
    rows: tuple[HeatRow, ...]
    left_out: int

    @property
    def many(self) -> bool:
        """Whether the heads are upright, so that a page of 1,280 pixels holds all columns."""
        return len(self.columns) > _LEVEL_HEADS

    @property
    def some_part(self) -> bool:
        return any(cell.part for row in self.rows for cell in row.cells)


def heat(
    index: BoardIndex, suites: Iterable[Suite], submissions: Sequence[Submission]
) -> Heat | None:
    """The map of the suites' categories, a row for each submission in the given order.

    Scores on chosen cases are left out. None with fewer than two categories or two submissions.
    """
    suites = tuple(suites)

    def took_one(submission: Submission) -> bool:
        return any(_is_whole(index, submission, suite) for suite in suites)

    submissions = list(filter(took_one, submissions))
    groups: list[tuple[Link, int]] = []
    places: list[tuple[Suite, Category]] = []
    for suite in suites:
        places += [(suite, category) for category in suite.categories]
        groups.append((Link(suite.title, index.paths.suite(suite.id)), len(suite.categories)))
    if len(places) < 2 or len(submissions) < 2:
        return None

    columns = [Link(label(c), index.paths.category(suite.id, c.id)) for suite, c in places]
    rows = []
    for submission in submissions[:_ROWS]:
        cells = [_cell(index, submission, suite, category) for suite, category in places]
        rows.append(HeatRow(to_submission(index, submission, 40), tuple(cells)))
    left_out = max(len(submissions) - _ROWS, 0)
    return Heat(tuple(groups), tuple(columns), tuple(rows), left_out)


def _cell(index: BoardIndex, submission: Submission, suite: Suite, category: Category) -> HeatCell:
    score = index.score(submission.id, suite.id, category.id)
    if score is None or score.score is None or not _is_whole(index, submission, suite):
        return HeatCell(formatting.NONE, -1)
    tone = min(int(score.score * _TONES), _TONES - 1)
    path = index.paths.answers(submission.id, suite.id, category.id)
    return HeatCell(formatting.whole(score.score), tone, score.answered, path)


def _is_whole(index: BoardIndex, submission: Submission, suite: Suite) -> bool:
    """Whether a submission took a suite, and all of it."""
    score = index.score(submission.id, suite.id)
    return score is not None and not score.asked_in_part
