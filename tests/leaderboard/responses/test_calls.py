"""One reader for every spelling of a tool call."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.responses.calls import UnreadableCallError, read_arguments, read_call
from leaderboard.types import Call
from tests.each_row import each_row


@each_row(
    "given",
    [
        {"name": "find", "arguments": {"city": "Rome"}},
        {"name": "find", "arguments": '{"city": "Rome"}'},
        {"name": "find", "args": {"city": "Rome"}},
        {"type": "tool_use", "id": "1", "name": "find", "input": {"city": "Rome"}},
        {"type": "function", "function": {"name": "find", "arguments": '{"city": "Rome"}'}},
        {"tool": "find", "tool_input": {"city": "Rome"}, "log": ""},
        {"lc": 1, "kwargs": {"tool": "find", "tool_input": {"city": "Rome"}}},
    ],
)
def test_the_spellings_of_providers_and_frameworks(given: Any) -> None:
    """Every spelling becomes the same call, from a model and from a log."""
    assert Call("find", {"city": "Rome"}, 7) == read_call(given, 7)
    assert Call("find", {"city": "Rome"}, 7) == read_call(given, 7, bare_arguments=True)


@each_row(
    ("given", "reason", "logged"),
    [
        ("Rome", "are text that is not JSON", {"input": "Rome"}),
        ("5", "are not an object", {"input": "5"}),
        ("{'a': None}", "are text that is not JSON", {"a": None}),
        ('{"a": 1, "a": 2}', "are text that repeats the key 'a'", {"a": 2}),
        ([1], "are not an object", {"input": [1]}),
        (0, "are not an object", {"input": 0}),
    ],
)
def test_bare_arguments(given: Any, reason: str, logged: dict[str, Any]) -> None:
    """A model's arguments must be a JSON object; a log's value is kept under `input`."""
    with pytest.raises(UnreadableCallError, match=f"^the arguments of f {reason}"):
        read_call({"name": "f", "arguments": given})
    assert logged == read_call({"name": "f", "arguments": given}, bare_arguments=True).arguments


@pytest.mark.parametrize("given", [None, "", {}])
def test_no_arguments(given: Any) -> None:
    """Null and empty text are no arguments."""
    assert {} == read_arguments(given)
    assert {} == read_call({"name": "f", "arguments": given}, bare_arguments=True).arguments


@pytest.mark.parametrize("given", [" ", "  ", "\n"])
def test_blanks_are_an_argument_in_a_log(given: str) -> None:
    """A typewriter types them. Where models must give an object, they are no arguments."""
    assert {} == read_arguments(given)
    logged = read_call({"name": "f", "arguments": given}, bare_arguments=True)
    assert {"input": given} == logged.arguments


@each_row("given", [None, 5, "find", [], {}, {"name": ""}, {"name": 5}, {"arguments": {}}])
def test_a_call_needs_a_name(given: Any) -> None:
    """What is not an object, or has no name, is not a call."""
    with pytest.raises(UnreadableCallError, match="a call"):
        read_call(given, bare_arguments=True)
