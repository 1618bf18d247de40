"""Calling a simulated API as an agent's tool does: exactly the model's arguments go out, and text comes back."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from runners.apis.api_client import call_api

TRAM = ApiName("Transportation", "TramLine", "next departures")


class Script(http.server.ThreadingHTTPServer):
    """Answers with what stands in `answers`, one after the other: status, headers, body."""

    answers: list[tuple[int, dict[str, str], bytes]]
    got: list[Any]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/virtual"

    def reply(self, value: Any, status: int = 200, **headers: str) -> None:
        self.answers.append(
            (status, headers, value if isinstance(value, bytes) else json.dumps(value).encode())
        )


class Handler(http.server.BaseHTTPRequestHandler):
    server: Script

    def do_POST(self) -> None:
        self.server.got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        status, headers, data = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def script() -> Iterator[Script]:
    server = Script(("127.0.0.1", 0), Handler)
    server.answers, server.got = [], []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_27_only_what_was_given_is_sent(script: Script) -> None:
    """A-27: no example value is filled in for a parameter that the model left out."""
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


def test_an_error_is_told_in_two_lines(script: Script) -> None:
    """Error first, then what came with it."""
    script.reply({"error": "no such stop", "response": {"near": ["Old Mill"]}})
    outcome = call_api(script.url, TRAM, {})
    assert ('Error: no such stop\nResponse: {"near": ["Old Mill"]}', False) == (
        outcome.text,
        outcome.ok,
    )


def test_a_response_that_is_no_text_is_shown_as_json(script: Script) -> None:
    """Objects and numbers reach the model as JSON, without escapes for letters."""
    script.reply({"error": "", "response": {"café": 1}})
    assert '{"café": 1}' == call_api(script.url, TRAM, {}).text


@pytest.mark.parametrize("status", [404, 422, 500])
def test_a_status_is_told(script: Script, status: int) -> None:
    """Any other status than 200 is an error with its number."""
    script.reply({"detail": "x"}, status)
    outcome = call_api(script.url, TRAM, {})
    assert (f"Error: Server returned status {status}", False) == (outcome.text, outcome.ok)


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b"null", b'{"response": 1}', b""])
def test_a_reply_of_another_shape_is_an_error(script: Script, body: bytes) -> None:
    """Nothing is made of it, and nothing raised."""
    script.reply(body)
    assert (
        "Error: the server's reply has no error and response" == call_api(script.url, TRAM, {}).text
    )


def test_nobody_there_is_an_error() -> None:
    """A refused connection becomes text for the model."""
    outcome = call_api("http://127.0.0.1:9/virtual", TRAM, {}, timeout=2)
    assert outcome.text.startswith("Error: ")
    assert not outcome.ok


def test_arguments_that_are_no_json_are_an_error() -> None:
    """NaN and sets are told before anything is sent."""
    assert [False, False] == [
        call_api("http://127.0.0.1:9/", TRAM, {"x": value}).ok for value in (float("nan"), {1})
    ]


def test_told_to_wait_it_waits_and_asks_again(script: Script) -> None:
    """429 with Retry-After is obeyed."""
    waits: list[float] = []
    script.reply({}, 429, retry_after="2")
    script.reply({"error": "", "response": "x"})
    assert call_api(script.url, TRAM, {}, sleep=waits.append).ok
    assert [2.0] == waits


def test_it_does_not_wait_for_ever(script: Script) -> None:
    """When the waiting would be longer than the timeout, the call has failed."""
    waits: list[float] = []
    for _ in range(3):
        script.reply({}, 429, retry_after="2")
    assert (
        "Error: Server returned status 429"
        == call_api(script.url, TRAM, {}, timeout=5, sleep=waits.append).text
    )
    assert [2.0, 2.0] == waits
