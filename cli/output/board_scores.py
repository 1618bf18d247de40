"""A score of the board with its interval and its cases, as words or as cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leaderboard.texts.counted_nouns import counted
from site_templates.formatting import NONE, bounds, percent

if TYPE_CHECKING:
    from scoring.tables.board_row import RowScore


def score_in_words(row: RowScore) -> str:
    """A score in percent, its interval and its size, such as "81.9 (79.7–84.0), 273 cases"."""
    cases = counted(row.cases, "case")
    if row.score is None:
        return f"unscored, {cases}"
    return f"{percent(row.score)} ({bounds(row.low, row.high)}), {cases}"


def score_cells(row: RowScore) -> tuple[str, str]:
    """The cells of a score and its interval."""
    return percent(row.score), bounds(row.low, row.high) or NONE
