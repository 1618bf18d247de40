"""The endpoint of real APIs, and which of its replies are failures."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.real_apis import RealEndpoint, is_success
from tests.each_row import each_row
from tests.runners.apis.tram_apis import CALL, GOOD, PLACE, Model, virtual
from tests.runners.scripted_server import Answer, Seen, serving


@contextmanager
def real(
    answer: Callable[[dict[str, Any]], tuple[int, bytes]],
) -> Iterator[tuple[RealEndpoint, list[dict[str, Any]]]]:
    """A real endpoint on loopback, and the requests that it got."""
    got: list[dict[str, Any]] = []

    def script(seen: Seen) -> Answer:
        got.append({**seen.body, "header": seen.headers["toolbench_key"]})
        status, data = answer(seen.body)
        return Answer(data, status)

    with serving(script) as server:
        yield RealEndpoint(f"{server.url}/rapidapi", 5.0), got


def test_the_real_api_is_asked_before_the_model(tmp_path: Path) -> None:
    """It gets upstream's request, with the tool without its category. Its reply is kept."""
    model = Model(GOOD)
    with real(lambda _: (200, b'{"error": "", "response": {"trams": 2}}')) as (endpoint, got):
        name = ApiName("Transportation", "tramline_for_Transportation", "next_departures")
        call = ApiCall(name, {"stop": "X"}, "key-1")
        answer = virtual(tmp_path, "record", model, endpoint).answer(call)
    assert ("real", ApiReply("", {"trams": 2}), []) == (answer.source, answer.reply, model.prompts)
    sent = {
        "category": "Transportation",
        "tool_name": "tramline",
        "api_name": "next_departures",
        "strip": "",
    }
    assert [
        {**sent, "tool_input": {"stop": "X"}, "toolbench_key": "key-1", "header": "key-1"}
    ] == got
    assert "key-1" not in (tmp_path / PLACE.path).read_text()


@pytest.mark.parametrize(
    ("status", "data"),
    [
        (500, b'{"error": "", "response": "looks fine"}'),
        (200, b'{"error": "no such API", "response": ""}'),
        (200, b'{"error": "", "response": ""}'),
        (200, b"<html>"),
        (200, b""),
        (200, b'{"error": "", "response": "x'),
    ],
)
def test_a_31_after_a_failing_endpoint_the_model_is_asked(
    tmp_path: Path, status: int, data: bytes
) -> None:
    """A-31: errors, empty replies and nonsense are not kept."""
    with real(lambda _: (status, data)) as (endpoint, _):
        assert "simulation" == virtual(tmp_path, "live", Model(GOOD), endpoint).answer(CALL).source


def test_a_31_after_an_unreachable_endpoint_the_model_is_asked(tmp_path: Path) -> None:
    """A-31: a closed port and a silent server raise no exception."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for url in ("http://127.0.0.1:9/", f"http://127.0.0.1:{silent.getsockname()[1]}/"):
            endpoint = RealEndpoint(url, 0.1)
            assert (
                "simulation" == virtual(tmp_path, "live", Model(GOOD), endpoint).answer(CALL).source
            )


@each_row(
    "response",
    [
        *(
            "price 500 EUR",
            "comparse",
            "Room 404 is free",
            "the parameter is the parse tree",
            "blocked shots: 12",
            "401 k",
        ),
        *(
            {"price": 500, "currency": "EUR"},
            [{"status": "404 m above the sea"}],
            {"status": "ok"},
            {"code": 7},
            {"message": "hello"},
        ),
        "got an unexpected keyword argument 'x'",
    ],
)
def test_a_37_words_in_the_content_are_not_a_failure(response: Any) -> None:
    """A-37: only the structure of a reply can report a failure."""
    assert is_success(ApiReply("", response))


@each_row(
    "response",
    [
        *(
            {},
            [],
            None,
            "",
            "API doesn't exists",
            "Unauthorized.",
            "rate limit exceeded",
            "status_code=503, response=x",
        ),
        *(
            {"error": "bad key"},
            {"errors": ["x"]},
            {"status": 404},
            {"statusCode": 500, "x": 1},
            {"success": False},
            {"ok": False},
        ),
        {"message": "You are not subscribed to this API."},
    ],
)
def test_a_37_the_structure_reports_a_failure(response: Any) -> None:
    """A-37: empty replies, error fields, statuses, or a refusal as the whole reply."""
    assert not is_success(ApiReply("", response))


def test_a_37_an_error_is_a_failure() -> None:
    """A-37: even with a response."""
    assert not is_success(ApiReply("boom", {"fine": True}))
