"""Conversations as each provider's API takes them."""

from __future__ import annotations

from leaderboard.types import Message
from runners.models.model_interface import Conversation
from runners.models.request_bodies import contents, messages


def test_messages_before_the_question_keep_their_roles() -> None:
    """Both providers get the whole conversation; system messages go into the system text."""
    earlier = (
        Message("system", "Be brief."),
        Message("user", "A taxi?"),
        Message("assistant", "Where to?"),
    )
    asked = Conversation("Help.", "Home.", (), earlier=earlier)
    assert messages(asked) == [
        {"role": "system", "content": "Help.\n\nBe brief."},
        {"role": "user", "content": "A taxi?"},
        {"role": "assistant", "content": "Where to?"},
        {"role": "user", "content": "Home."},
    ]
    assert asked.whole_system == "Help.\n\nBe brief."
    assert contents(asked) == [
        {"role": "user", "parts": [{"text": "A taxi?"}]},
        {"role": "model", "parts": [{"text": "Where to?"}]},
        {"role": "user", "parts": [{"text": "Home."}]},
    ]
