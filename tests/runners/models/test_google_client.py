"""Gemini: its replies in both spellings, its errors, and its own turns given back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leaderboard.responses.forms.gemini_content import read_content as read_google
from leaderboard.types import Json
from tests.each_row import each_row
from tests.runners.model_board import (
    Bench,
)
from tests.runners.scripted_server import (
    Answer,
    always,
    echo,
    for_query,
    generated,
    in_turn,
    said,
    scripted_turns,
)


def test_gemini_parts_are_all_read_in_either_spelling() -> None:
    """Text around calls is joined, thoughts are left out, both spellings of a call are read."""
    parts = [
        {"text": "Let me ", "thought": True},
        {"text": "Calling "},
        {"functionCall": {"id": "1", "name": "f", "args": {"a": 1}}},
        {"function_call": {"name": "g"}},
        {"text": "both."},
    ]
    reply = read_google({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
    assert reply.text == "Calling both."
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [
        ("1", "f", {"a": 1}),
        ("", "g", {}),
    ]


@each_row(
    ("body", "why"),
    [
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "the prompt was blocked: SAFETY"),
        ({"candidates": []}, "the reply contains no candidate"),
        ({"candidates": [{"finishReason": "RECITATION"}]}, "the reply ended with RECITATION"),
        (
            {
                "candidates": [
                    {
                        "content": {},
                        "finishReason": "MALFORMED_FUNCTION_CALL",
                        "finishMessage": "print(f)",
                    }
                ]
            },
            "the reply ended with MALFORMED_FUNCTION_CALL (print(f))",
        ),
        (
            {"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "MAX_TOKENS"}]},
            "ended with MAX_TOKENS",
        ),
    ],
)
def test_a_gemini_reply_without_an_answer_says_why(body: Json, why: str) -> None:
    """Blocked prompts and bad endings are failures; a candidate that stops in silence is none."""
    assert why in str(read_google(body).failure)
    silence = read_google({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]})
    assert (silence.text, silence.calls, silence.failure) == (None, (), None)


@pytest.mark.large
def test_a_blocked_reply_is_an_error_that_is_not_asked_again(google_bench: Bench) -> None:
    """The record says that the prompt was blocked, and resuming does not ask it again."""
    blocked = Answer(
        {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 4}}
    )
    report, _ = google_bench.run(for_query("B001", always(blocked)))
    assert report.errors == ("B001: the prompt was blocked: SAFETY",)
    assert report.unanswered == 0
    record = google_bench.record("B001")
    assert (record["model_text"], record["error"], record["usage"]) == (
        None,
        report.errors[0][6:],
        {"input_tokens": 4},
    )
    again, server = google_bench.run(echo, resume=True)
    assert (again.asked, server.seen, again.outcome) == (0, [], "unchanged")


def test_googles_own_retry_delay_is_honoured(google_bench: Bench) -> None:
    """Gemini says in the error's details how long to wait."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}]
    busy = Answer(
        {
            "error": {
                "code": 429,
                "message": "busy",
                "status": "RESOURCE_EXHAUSTED",
                "details": details,
            }
        },
        429,
    )
    google_bench.run(in_turn(busy, replace(busy, status=200)), limit=1)
    assert google_bench.clock.slept == [17.0, 17.0]


def test_a_tool_without_parameters_is_one_that_gemini_accepts(google_bench: Bench) -> None:
    """Gemini refuses an object without properties: such a tool is declared without parameters."""
    _, server = google_bench.run(echo, "acts", limit=2, concurrency=1)
    declared = server.seen[1].body["tools"][0]["functionDeclarations"]
    assert (len(declared), [tool for tool in declared if "parameters" in tool]) == (26, [])


def test_gemini_gets_its_own_turn_back_unchanged(google_bench: Bench) -> None:
    """Signatures, ids and unknown fields go back unchanged, and results carry the call's id."""
    parts = [
        {"text": "Thinking.", "thought": True, "somethingNew": {"x": 1}},
        {
            "functionCall": {"id": "c-1", "name": "type_letter", "args": {"letter": "h"}},
            "thoughtSignature": "c2lnbmF0dXJl+/==",
        },
    ]
    turns = scripted_turns(always(generated(*parts)), lambda seen: said(seen, "ok"))
    _, server = google_bench.run(turns, "acts", limit=1)
    _, model, results = server.seen[1].body["contents"]
    assert model == {"role": "model", "parts": parts}
    response = {"id": "c-1", "name": "type_letter", "response": {"result": "OK"}}
    assert results == {"role": "user", "parts": [{"functionResponse": response}]}
