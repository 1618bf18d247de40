"""MirrorAPI models: upstream's form of request, and replies with unescaped quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from runners.apis.api_call import ApiReply
from runners.apis.mirror_api import (
    MirrorSimulator,
    mirror_request,
    read_loosely,
    read_system_prompt,
)
from tests.each_row import each_row
from tests.runners.apis.tram_apis import GOOD, TRAM, Model


def test_the_request_has_the_documentation_and_the_input() -> None:
    """Both are Python values, as in the training of these models."""
    assert (
        "API doc:\n{'api_name': 'next departures', 'api_description': 'Departures at a stop', "
        "'required_parameters': [{'name': 'stop', 'type': 'STRING', 'description': 'stop name', "
        "'default': 'Main Street'}], 'optional_parameters': [], 'tool_description': 'Trams', "
        "'tool_name': 'TramLine', 'tool_category': 'Transportation'}\n\n"
        "Request:\n{'stop': \"Harbour's\"}"
    ) == mirror_request(TRAM, "", {"stop": "Harbour's"})
    assert "'tool_name': 'A', " in mirror_request(None, "A: b", {})


@each_row(
    ("text", "reply"),
    [
        (GOOD, ApiReply("", "18:04 line 3")),
        (
            '{"error": "", "response": "{"status":0,"msg":"Success"}"}',
            ApiReply("", '{"status":0,"msg":"Success"}'),
        ),
        (
            '{"mechanism_of_the_api": "It "looks".", "error": "", "response": "[1, 2]"\n}\n',
            ApiReply("", "[1, 2]"),
        ),
        ('{"error": "", "response": "cut off', ApiReply("", "cut off")),
        ("Sure!", None),
    ],
)
def test_replies_are_read_with_unescaped_quotes(text: str, reply: ApiReply | None) -> None:
    """These models write JSON inside a JSON text."""
    assert reply == read_loosely(text)


def test_an_error_is_a_reply_and_nothing_is_none() -> None:
    """Real APIs fail too. A model with a fixed seed is asked once."""
    error, empty = Model('{"error": "no such stop", "response": ""}'), Model("{}")
    found = MirrorSimulator(error, "m").answer(TRAM, "", {}, [])
    assert ApiReply("no such stop", "") == found
    assert MirrorSimulator(empty, "m").answer(TRAM, "", {}, []) is None
    assert 1 == len(empty.prompts)


def test_the_system_prompt_is_read_and_not_run(tmp_path: Path) -> None:
    """From upstream's Python file, or from a text file."""
    python, text = tmp_path / "system_prompts.py", tmp_path / "prompt.txt"
    python.write_text('raise SystemExit\nSFT_SYSTEM = """Be an API.\n"""\n')
    text.write_text("Be one.")
    assert ("Be an API.\n", "Be one.") == (read_system_prompt(python), read_system_prompt(text))
    for wrong in ("X = 1", "SFT_SYSTEM = 7", "def", ""):
        python.write_text(wrong)
        with pytest.raises(FilesError, match=r"system_prompts\.py"):
            read_system_prompt(python)
