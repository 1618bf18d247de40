"""The text of a judge's reply, out of the JSON that an endpoint sends back."""

from __future__ import annotations

from typing import Any

from leaderboard.types import Json, Provider


def text_of(provider: Provider, reply: Json) -> str:
    """What the judge said: the first choice's message, or all text parts of Gemini's first candidate.

    `reply` is the parsed response body. Where there is no text (blocked, cut off, another shape) the answer is one sentence in
    square brackets that says so; no parser of verdicts takes it for a verdict.
    """
    text, why = _google(reply) if provider == "google" else _openai(reply)
    return text if text.strip() else f"[no text in the judge's reply: {why}]"


def _openai(reply: Json) -> tuple[str, str]:
    choice = _first(reply, "choices")
    message = _member(choice, "message")
    content = _member(message, "content")
    if isinstance(content, list):  # some compatible servers send parts
        content = "".join(
            text for part in content if isinstance(text := _member(part, "text"), str)
        )
    if isinstance(content, str) and content.strip():
        return content, ""
    refusal = _member(message, "refusal")
    if isinstance(refusal, str) and refusal.strip():
        return "", f"it refused: {_one_line(refusal)}"
    return "", _ending(_member(choice, "finish_reason"), "choices", choice)


def _google(reply: Json) -> tuple[str, str]:
    candidate = _first(reply, "candidates")
    parts = _member(_member(candidate, "content"), "parts")
    spoken = (
        [part for part in parts if not _member(part, "thought")] if isinstance(parts, list) else []
    )
    text = "".join(said for part in spoken if isinstance(said := _member(part, "text"), str))
    if text.strip():
        return text, ""
    blocked = _member(_member(reply, "promptFeedback"), "blockReason")
    if isinstance(blocked, str):
        return "", f"the prompt was blocked, {_one_line(blocked)}"
    return "", _ending(_member(candidate, "finishReason"), "candidates", candidate)


def _ending(reason: Json, where: str, first: Json) -> str:
    if first is None:
        return f"it has no {where}"
    return f"it ended with {_one_line(reason)}" if isinstance(reason, str) else "it is empty"


def _first(reply: Json, name: str) -> Any:
    items = _member(reply, name)
    return items[0] if isinstance(items, list) and items else None


def _member(value: Json, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
