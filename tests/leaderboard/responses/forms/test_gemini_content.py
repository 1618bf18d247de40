"""Replies of Gemini's generateContent, in both spellings of their fields."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.responses.forms.gemini_content import read_content
from tests.each_row import each_row


def candidate(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": list(parts)}, **more}]}


@pytest.mark.parametrize(
    ("usage", "arguments", "call"),
    [
        (
            ("usageMetadata", "promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount"),
            "args",
            "functionCall",
        ),
        (
            (
                *("usage_metadata", "prompt_token_count"),
                *("candidates_token_count", "thoughts_token_count"),
            ),
            "arguments",
            "function_call",
        ),
    ],
)
def test_a_reply_has_text_calls_and_tokens(
    usage: tuple[str, ...], arguments: str, call: str
) -> None:
    """Thoughts are not part of the text, and their tokens are part of the output's."""
    named, *counts = usage
    parts = (
        {"text": "Hm.", "thought": True},
        {"text": "I add."},
        {call: {"name": "add", arguments: {"a": 1}}},
    )
    reply = read_content({**candidate(*parts), named: dict(zip(counts, (5, 7, 11), strict=True))})

    assert reply.text == "I add."
    assert [(one.name, one.arguments) for one in reply.calls] == [("add", {"a": 1})]
    assert (reply.input_tokens, reply.output_tokens, reply.failure) == (5, 18, None)


@each_row(
    ("body", "failure"),
    [
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "the prompt was blocked: SAFETY"),
        ({"candidates": []}, "the reply contains no candidate"),
        (candidate(finishReason="STOP"), None),
        (candidate(), None),
        (candidate(finishReason="MAX_TOKENS"), "the reply ended with MAX_TOKENS"),
        (
            candidate(finish_reason="OTHER", finish_message="a\nb"),
            "the reply ended with OTHER (a b)",
        ),
        (candidate({"text": "Yes."}, finishReason="MAX_TOKENS"), None),
    ],
)
def test_a_reply_without_an_answer_says_why(body: dict[str, Any], failure: str | None) -> None:
    """An empty reply that ended by itself is an empty answer."""
    assert read_content(body).failure == failure
