"""Categories by submissions as a heat map: a table whose cells are tinted by what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.types import Category, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex, label
from site_templates.links import Link

_ROWS: Final = 50
_TONES: Final = 10
_UPRIGHT: Final = 10  # columns with level heads


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A score with its tint, from 0 (nothing passed) to 9; -1 where there is none. `part`: how much is answered, if not all."""

    text: str
    tone: int
    part: str = ""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A submission's scores."""

    link: Link
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class Heat:
    """The map. `groups` are the suites with the number of their columns, `left_out` counts the rows that are not shown."""

    groups: tuple[tuple[Link, int], ...]
    columns: tuple[Link, ...]
    rows: tuple[HeatRow, ...]
    left_out: int

    @property
    def many(self) -> bool:
        """Whether the columns are so many that their heads stand upright, so that a page of 1,280 pixels holds them."""
        return len(self.columns) > _UPRIGHT

    @property
    def some_part(self) -> bool:
        return any(cell.part for row in self.rows for cell in row.cells)


def heat(
    index: BoardIndex, suites: Iterable[Suite], submissions: Sequence[Submission]
) -> Heat | None:
    """The map of some suites' categories, a row for each submission in the given order; None where there is little to see."""
    places = [
        (suite, category) for suite in suites for category in suite.categories if category.cases
    ]
    if len(places) < 2 or len(submissions) < 2:
        return None
    groups: dict[str, int] = {}
    for suite, _ in places:
        groups[suite.id] = groups.get(suite.id, 0) + 1
    titles = {suite.id: suite.title for suite, _ in places}
    return Heat(
        groups=tuple(
            (Link(titles[name], index.paths.suite(name)), number) for name, number in groups.items()
        ),
        columns=tuple(Link(label(c), index.paths.category(suite.id, c.id)) for suite, c in places),
        rows=tuple(_row(index, submission, places) for submission in submissions[:_ROWS]),
        left_out=max(len(submissions) - _ROWS, 0),
    )


def _row(
    index: BoardIndex, submission: Submission, places: Iterable[tuple[Suite, Category]]
) -> HeatRow:
    link = Link(formatting.clip(submission.card.name, 40), index.paths.submission(submission.id))
    return HeatRow(
        link, tuple(_cell(index, submission, suite, category) for suite, category in places)
    )


def _cell(index: BoardIndex, submission: Submission, suite: Suite, category: Category) -> HeatCell:
    score = index.score(submission.id, suite.id, category.id)
    if score is None or score.score is None:
        return HeatCell(formatting.NONE, -1)
    return HeatCell(
        f"{100 * score.score:.0f}", min(int(score.score * _TONES), _TONES - 1), score.answered
    )
