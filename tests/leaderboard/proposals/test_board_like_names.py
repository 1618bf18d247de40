"""Names that read like words of the board."""

from __future__ import annotations

from leaderboard.proposals.board_like_names import BoardLikeName, board_like_names
from leaderboard.types import Card, Submission
from tests.each_row import each_row


def submission(name: str, organization: str = "New Labs", id_: str = "mine") -> Submission:
    return Submission(id_, Card(name, "model", organization, "m", "2026-01-31"), None, {})


BOARD = [submission("Anchor 1", "Harbour Lab", "anchor")]


def found(name: str, organization: str = "New Labs") -> list[str]:
    return [odd.what for odd in board_like_names(submission(name, organization), BOARD)]


@each_row(
    ("name", "says"),
    [
        ("#1 Newcomer 100.0 %", ["a rank", "a percentage", "a score"]),
        ("Newcomer \uff11\uff10\uff10\uff05", ["a percentage"]),  # full width
        ("Newcomer 98.5", ["a score"]),
        ("\U0001f947 Newcomer", ["a rank"]),  # a medal
        ("Newcomer No. 1", ["a rank"]),
        ("Newcomer \u2705", ["a check mark"]),
        ("Newcomer, Verified", ["the word verified"]),
        ("Newcomer \u043efficial", ["the word official"]),  # a Cyrillic o
    ],
)
def test_what_reads_like_a_rank_a_score_or_a_word_of_the_board(name: str, says: list[str]) -> None:
    """In the name and in the organization, in any case and form of the letters."""
    said = [f"contains {what}" for what in says]
    assert found(name) == found("Newcomer", name) == said


@each_row(
    "name",
    [
        "Anchor 2",
        "GPT-4.1",
        "Claude 3.5 Sonnet",
        "SOLAR-10.7B v10.2",
        "Llama 3.1 70B (8-bit)",
        "Unofficialia",
        "No Limits 7",
    ],
)
def test_versions_sizes_and_other_names_are_fine(name: str) -> None:
    """A number with one digit before the dot is a version."""
    assert found(name) == []


@each_row(
    "name",
    ["Anchor 1 (official)", "anchor-1 [new]", "\uff21nchor 1 \uff08final\uff09"],
)
def test_a_name_of_another_submission_with_brackets_is_found(name: str) -> None:
    """However it is spelled. The row itself may have that name already."""
    odd = next(board_like_names(submission(name), BOARD))
    own = submission("Anchor 1 (large)", id_="anchor")

    assert odd == BoardLikeName("name", name, "adds words in brackets to the name of", "anchor")
    assert list(board_like_names(own, BOARD)) == []
