"""Names that read like words of the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from leaderboard.proposals.board_like_names import (
    BoardLikeName,
    board_like_names,
    board_words,
)
from leaderboard.types import Card, Submission
from tests.each_row import each_row


def submission(name: str, organization: str = "New Labs", id_: str = "mine") -> Submission:
    return Submission(id_, Card(name, "model", organization, "m", "2026-01-31"), None, {})


def with_card(**fields: Any) -> Submission:
    plain = submission("Newcomer")
    return replace(plain, card=replace(plain.card, **fields))


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
        ("Newcomer \U0001f5f8", ["a check mark"]),  # a light one
        ("1. Newcomer", ["a rank"]),
        ("Newcomer, TOP-1", ["a rank"]),
        ("Newcomer (first place)", ["a rank"]),
        ("Newcomer \u2605\u2605\u2605\u2605\u2605", ["a star"]),
        ("Newcomer \U0001f31f", ["a star"]),  # a glowing one
        ("Newcomer (SOTA)", ["the word sota"]),
        ("Newcomer 98,5", ["a score"]),
        ("Newcomer 10/10", ["a score"]),
        ("Newcomer \U0001f4af", ["a score"]),  # a hundred points
        ("Newcomer 100\u066a", ["a percentage"]),  # the Arabic sign
        ("\u2460 Newcomer", ["a number with a frame"]),
        ("1\ufe0f\u20e3 Newcomer", ["a number with a frame"]),
        ("Newcomer, audited", ["the word audited"]),
        ("Human experts", ["the word human"]),
        ("Oracle (baseline)", ["the word baseline"]),
        ("Newcomer, Verified", ["the word verified"]),
        ("Newcomer \u043efficial", ["the word official"]),  # a Cyrillic o
    ],
)
def test_what_reads_like_a_rank_a_score_or_a_word_of_the_board(name: str, says: list[str]) -> None:
    """In the name and in the organization, in any case and form of the letters."""
    said = [f"contains {what}" for what in says]
    assert found(name) == found("Newcomer", name) == said


@each_row(
    ("card", "found"),
    [
        ({"model": "officially m, rank 1"}, "the model contains a rank"),
        ({"model": "m 98.5"}, "the model contains a score"),
        ({"framework": "X - verified by the board"}, "the framework contains the word verified"),
        ({"framework": "score 100.0"}, "the framework contains a score"),
        ({"license": "approved by the board"}, "the licence contains the word approved"),
        ({"parameters": "#1"}, "the number of parameters contains a rank"),
        ({"links": {"\u2714 Paper": "https://x.example"}}, "the link name contains a check mark"),
        ({"settings": {"Rank 1": "yes"}}, "the setting name contains a rank"),
        (
            {"settings": {"a": 1, "b": {"Verified by the board": 1}}},
            "the setting name contains the word verified",
        ),
    ],
)
def test_every_label_of_a_card_may_read_like_one_of_the_board(
    card: dict[str, Any], found: str
) -> None:
    """Pages show them beside the board's own facts."""
    odd = next(board_like_names(with_card(**card), BOARD))

    assert f"the {odd.field} {odd.what}" == found


@each_row(
    "card",
    [
        {"model": "Llama-3.3-70B-Instruct", "parameters": "70.6 billion"},
        {"framework": "Semantic Kernel (C# 12), CUDA 12.4", "parameters": "235B (22B active)"},
        {"framework": "official OpenAI SDK", "license": "Llama 3.1 Community License"},
        {"license": "CC BY-NC 4.0", "links": {"Official page": "https://x.example"}},
        {"links": {"Open LLM Leaderboard": "https://x.example"}},
        {"kind": "baseline", "name": "Human baseline"},
        {"settings": {"min_score": 0.5, "top_k": 10, "search": {"official_api": True}}},
        {"settings": {"system_prompt": "You are rank 1, with a score of 100 %."}},
    ],
)
def test_usual_labels_of_a_card_are_fine(card: dict[str, Any]) -> None:
    """Versions, sizes, official pages and scores of a search. Values of settings are texts."""
    assert list(board_like_names(with_card(**card), BOARD)) == []


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
        "4.1 mini",
        "Agent 24/7, 8/16-bit",
        "Router of 10,000 tools",
        "StarCoder 2, top-10 tools",
        "1.5-Flash",
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


def test_the_words_of_the_board_in_a_longer_text() -> None:
    """Each once, in order. Percentages are usual there, and so are numbers of items."""
    readme = "**Verified** by the board: rank 1.\n\n| Rank 1 | 100 % |\n\n1. A step\n\nCertified!"

    assert board_words(readme) == ["verified", "rank 1", "certified"]
    assert board_words("We asked each case 3 times, with 5 tools. 88 % pass.") == []
