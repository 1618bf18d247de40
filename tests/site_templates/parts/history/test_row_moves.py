"""The history of one submission's results."""

from __future__ import annotations

from site_templates.board_index import index_board
from site_templates.parts.history.row_moves import row_moves
from tests.site_templates import site_history


def test_a_submission_has_its_own_history() -> None:
    """Newest first: old and new score, changed verdicts, rank, and changed inputs."""
    moves = row_moves(index_board(site_history.board()), "model-a")
    tools = [move for move in moves if move.suite == "Tools, synthetic"]

    assert [(move.date.said, move.said) for move in tools] == [
        (
            "on 2026-05-01",
            "66.7 to 83.3, 1 verdict changed (judge prompts: tools/arguments, tools/clarifying)",
        ),
        (
            "on 2026-04-09",
            "83.3 to 66.7, 1 verdict changed (judge prompts: tools/arguments, tools/clarifying)",
        ),
        ("as of 2026-03-01", "added, at 83.3, rank 1–3"),
    ]
    assert tools[-1].page == "history/index.html#snapshot-1"


def test_scores_on_different_cases_are_no_change() -> None:
    """Both scores are given, without a "to" between them."""
    moves = row_moves(index_board(site_history.recased()), "model-a")
    said = [move.said for move in moves if move.suite == "Tools, synthetic"]

    assert said[0].startswith("66.7 to 83.3, 1 verdict changed")
    assert said[1].startswith(
        "83.3 before, 66.7 now on different cases: not comparable, 1 verdict changed"
    )
