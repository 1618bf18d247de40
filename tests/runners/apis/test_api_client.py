"""Calls of simulated APIs over HTTP."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from runners.apis import api_client
from runners.apis.api_client import call_api
from tests.runners.scripted_server import Answer, Seen, serving

TRAM = ApiName("Transportation", "TramLine", "next departures")


@dataclass
class Script:
    """What a server at `url` answers, one after the other, and the requests that it got."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    got: list[Any] = field(default_factory=list)

    def reply(self, value: Any, status: int = 200, **headers: str) -> None:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        self.answers.append(Answer(value, status, named))

    def answer(self, seen: Seen) -> Answer:
        self.got.append(seen.body)
        return self.answers.pop(0)


@pytest.fixture
def script() -> Iterator[Script]:
    made = Script()
    with serving(made.answer) as server:
        made.url = f"{server.url}/virtual"
        yield made


def test_a_27_only_given_arguments_are_sent(script: Script) -> None:
    """A-27: no example value replaces an argument that the model left out."""
    script.reply({"error": "", "response": "18:04"}, x_source="cache")
    outcome = call_api(script.url, TRAM, {"stop": "Harbour Square"})
    assert ("18:04", "", "18:04", "cache", True) == (
        outcome.text,
        outcome.error,
        outcome.response,
        outcome.source,
        outcome.ok,
    )
    assert [
        {
            "category": "Transportation",
            "tool_name": "TramLine",
            "api_name": "next departures",
            "tool_input": {"stop": "Harbour Square"},
            "strip": "",
            "toolbench_key": "EMPTY",
        }
    ] == script.got


def test_a_28_whole_numbers_stay_whole(script: Script) -> None:
    """A-28: 3 is sent as 3, not as 3.0."""
    script.reply({"error": "", "response": "x"})
    call_api(script.url, TRAM, {"n": 3, "x": 2.5})
    assert ("3", "2.5") == (
        repr(script.got[0]["tool_input"]["n"]),
        repr(script.got[0]["tool_input"]["x"]),
    )


def test_an_error_has_two_lines(script: Script) -> None:
    """The error comes first, then the response."""
    script.reply({"error": "no such stop", "response": {"near": ["Old Mill"]}})
    outcome = call_api(script.url, TRAM, {})
    assert ('Error: no such stop\nResponse: {"near": ["Old Mill"]}', False) == (
        outcome.text,
        outcome.ok,
    )


def test_other_responses_than_text_become_json(script: Script) -> None:
    """The model gets objects and numbers as JSON with unescaped letters."""
    script.reply({"error": "", "response": {"café": 1}})
    assert '{"café": 1}' == call_api(script.url, TRAM, {}).text


@pytest.mark.parametrize("status", [404, 422, 500])
def test_another_status_is_an_error(script: Script, status: int) -> None:
    """The error has the number of the status."""
    script.reply({"detail": "x"}, status)
    outcome = call_api(script.url, TRAM, {})
    assert (f"Error: Server returned status {status}", False) == (outcome.text, outcome.ok)


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b"null", b'{"response": 1}', b""])
def test_a_reply_of_another_form_is_an_error(script: Script, body: bytes) -> None:
    """It never raises."""
    script.reply(body)
    assert (
        "Error: the server's reply has no error and response" == call_api(script.url, TRAM, {}).text
    )


def test_a_missing_server_is_an_error() -> None:
    """A refused connection becomes text for the model."""
    outcome = call_api("http://127.0.0.1:9/virtual", TRAM, {}, timeout=2)
    assert outcome.text.startswith("Error: ")
    assert not outcome.ok


def test_arguments_that_are_not_json_are_an_error() -> None:
    """NaN and sets are reported and not sent."""
    assert [False, False] == [
        call_api("http://127.0.0.1:9/", TRAM, {"x": value}).ok for value in (float("nan"), {1})
    ]


def test_it_waits_as_long_as_the_server_asks(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It obeys 429 with Retry-After."""
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    script.reply({}, 429, retry_after="2")
    script.reply({"error": "", "response": "x"})
    assert call_api(script.url, TRAM, {}).ok
    assert [2.0] == waits


@pytest.mark.parametrize(("asked", "waited"), [("2", [2.0, 2.0]), ("0", [1.0] * 5)])
def test_it_does_not_wait_for_ever(
    script: Script, monkeypatch: pytest.MonkeyPatch, asked: str, waited: list[float]
) -> None:
    """The call fails if the wait would exceed the timeout. A wait of 0 counts as a second."""
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    for _ in range(len(waited) + 1):
        script.reply({}, 429, retry_after=asked)
    assert "Error: Server returned status 429" == call_api(script.url, TRAM, {}, timeout=5).text
    assert waited == waits


def test_a_reply_that_comes_byte_by_byte_is_late() -> None:
    """Each byte is in time, and the whole is not."""

    def drip() -> None:
        connection, _ = listening.accept()
        with closing(connection):
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for byte in b'{"error": "", "response": "x"}':
                try:
                    connection.sendall(bytes([byte]))
                except OSError:  # nobody reads any more
                    return
                time.sleep(0.02)

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        threading.Thread(target=drip, daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/virtual"
        assert call_api(url, TRAM, {}, timeout=0.2).text == "Error: timed out"


def test_a_reply_without_end_is_not_read(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is that of replies of models."""
    monkeypatch.setattr(api_client, "REPLY_BYTES", 2**20)
    script.reply({"error": "", "response": "x" * 2**20})
    outcome = call_api(script.url, TRAM, {})
    assert ("Error: the reply is longer than 1 MB", False) == (outcome.text, outcome.replied)
