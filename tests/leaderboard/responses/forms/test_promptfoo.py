"""Results of promptfoo. `perfect_answers.py` has whole files."""

from __future__ import annotations

from leaderboard.responses.forms.promptfoo import read_promptfoo
from leaderboard.types import Json
from tests.each_row import each_row


@each_row(
    ("response", "error"),
    [
        ({}, "Timed out"),
        ({"error": "429"}, "429"),
        ({"output": "Lyon"}, None),
    ],
)
def test_an_error_beside_an_output_is_a_failed_assertion(response: Json, error: str | None) -> None:
    """Without an output it is why there is none."""
    row = {"vars": {"id": "1"}, "success": False, "error": "Timed out", "response": response}

    assert read_promptfoo(row).error == error


@each_row("raw", ["Which town?", '[{"role": "user", "content": "Which town?"}]'])
def test_the_prompt_may_be_the_question(raw: str) -> None:
    """The variables may have it under any name. Known names come first."""
    row = {"success": True, "prompt": {"raw": raw}, "response": {"output": "Lyon"}}

    assert read_promptfoo({**row, "vars": {"q": "Which town?"}}).questions == ("Which town?",)
    assert read_promptfoo({**row, "vars": {"query": "Who?"}}).questions == ("Who?", "Which town?")


@each_row(
    ("given", "variant"),
    [
        ({"provider": "openai:x", "promptIdx": 1}, ("openai:x", "1")),
        ({"provider": {"id": "openai:x", "label": ""}}, ("openai:x", "None")),
        ({"provider": {"id": "openai:x", "label": "x"}, "prompt": {"label": "y"}}, ("x", "y")),
    ],
)
def test_provider_and_prompt_tell_answers_apart(given: Json, variant: tuple[str, str]) -> None:
    """A file has the answers of all providers to all prompts."""
    row = {"vars": {"id": "1"}, "success": True, "response": {"output": "Lyon"}, **given}

    assert read_promptfoo(row).variant == dict(zip(("provider", "prompt"), variant, strict=True))
