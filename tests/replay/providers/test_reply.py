"""The text of a judge's reply."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.types import Provider
from replay.providers import PROVIDERS


@pytest.mark.parametrize(
    ("provider", "reply", "expected"),
    [
        (
            "openai",
            {
                "choices": [
                    {"message": {"content": "equivalent\nyes"}},
                    {"message": {"content": "no"}},
                ]
            },
            "equivalent\nyes",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]},
            "ab",
        ),
        ("embedded", {"choices": [{"message": {"content": "x"}}]}, "x"),
        (
            "google",
            {"candidates": [{"content": {"parts": [{"text": "equi"}, {"text": "valent"}]}}]},
            "equivalent",
        ),
        (
            "google",
            {
                "candidates": [
                    {"content": {"parts": [{"text": "hm", "thought": True}, {"text": "different"}]}}
                ]
            },
            "different",
        ),
    ],
)
def test_text_of_a_reply(provider: Provider, reply: Any, expected: str) -> None:
    """The text is that of the first choice, or all parts but thoughts of the first candidate."""
    assert expected == PROVIDERS[provider].reply_text(reply)


@pytest.mark.parametrize(
    ("provider", "reply", "why"),
    [
        ("openai", {"choices": []}, "it has no choices"),
        (
            "openai",
            {"choices": [{"message": {"content": None}, "finish_reason": "length"}]},
            "it ended with length",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": None, "refusal": "No, I\nwon't."}}]},
            "it refused: No, I won't.",
        ),
        ("openai", {"choices": [{"message": {"content": "  "}}]}, "it is empty"),
        ("openai", [], "it has no choices"),
        ("openai", {"choices": [7]}, "it is empty"),
        ("google", {"promptFeedback": {"blockReason": "SAFETY"}}, "the prompt was blocked, SAFETY"),
        ("google", {"candidates": [{"finishReason": "MAX_TOKENS"}]}, "it ended with MAX_TOKENS"),
        ("google", {"candidates": [{"content": {"parts": "x"}}]}, "it is empty"),
        ("google", None, "it has no candidates"),
    ],
)
def test_a_reply_without_text_says_so(provider: Provider, reply: Any, why: str) -> None:
    """A blocked, truncated or malformed reply becomes a sentence in brackets, never a verdict."""
    assert f"[no text in the judge's reply: {why}]" == PROVIDERS[provider].reply_text(reply)
