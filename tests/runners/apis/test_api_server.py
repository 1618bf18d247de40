"""The virtual API server over HTTP: protocol, limits, hostile requests, many clients."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from leaderboard.apis.api_names import ApiName
from leaderboard.types import Json
from runners.apis.api_call import ApiReply
from runners.apis.api_client import call_api
from runners.apis.api_server import Limits, listening, make_app, serving
from runners.apis.catalogue import Catalogue
from runners.apis.played_by_model import Simulator
from runners.apis.reply_cache import ApiCache, CachedReply
from runners.apis.reply_files import place_of
from runners.apis.virtual_apis import Mode, VirtualApis
from runners.models.rate_limit import RateLimit

BODY = {
    "category": "Transportation",
    "tool_name": "TramLine",
    "api_name": "next departures",
    "tool_input": {"stop": "Harbour Square"},
    "strip": "",
    "toolbench_key": "EMPTY",
}
PLACE = place_of(ApiName("Transportation", "TramLine", "next departures"))
TRAMS = ApiReply("", "18:04 line 3; 18:10 line 7")


class Running:
    """A running server and its log."""

    def __init__(self, url: str, root: Path, log: list[Mapping[str, Json]]) -> None:
        self.url, self.root, self.log = url, root, log
        self.place = urlsplit(url)

    def send(
        self,
        body: Any,
        path: str = "/virtual",
        method: str = "POST",
        kind: str = "application/json",
    ) -> tuple[int, Any, Mapping[str, str]]:
        """The status, the parsed body and the headers of the answer to a request."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(
            self.place.hostname or "", self.place.port or 0, timeout=20
        )
        try:
            connection.request(method, path, data, {"content-type": kind})
            answer = connection.getresponse()
            return (
                answer.status,
                json.loads(answer.read()),
                {k.lower(): v for k, v in answer.getheaders()},
            )
        finally:
            connection.close()


@contextmanager
def running(
    root: Path,
    mode: Mode = "replay",
    simulator: Simulator | None = None,
    limits: Limits | None = None,
) -> Iterator[Running]:
    log: list[Mapping[str, Json]] = []
    apis = VirtualApis(ApiCache(root), Catalogue(()), mode, None, simulator)
    with serving(make_app(apis, limits, log.append)) as url:
        yield Running(url, root, log)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server in replay mode with one reply in its cache."""
    root = tmp_path_factory.mktemp("cache")
    ApiCache(root).store(PLACE, {"stop": "Harbour Square"}, CachedReply(TRAMS, "real"))
    with running(root) as found:
        yield found


# ---------------------------------------------------------------- protocol


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tool_input": '{"stop": "Harbour Square"}', "strip": "truncate"},
        {"tool_name": "tramline_for_Transportation", "api_name": "next_departures_for_tramline"},
    ],
)
def test_three_spellings_of_a_request_find_one_reply(
    server: Running, changes: dict[str, Any]
) -> None:
    """The wrapper's request, the original pipeline's JSON text, and its names."""
    status, reply, headers = server.send({**BODY, **changes})
    assert (200, {"error": "", "response": "18:04 line 3; 18:10 line 7"}) == (status, reply)
    assert "cache" == headers["x-source"]


def test_a_miss_is_a_structured_error(server: Running) -> None:
    """Status 200, an error that names the place and the key, and an empty response."""
    status, reply, headers = server.send({**BODY, "tool_input": {"stop": "Nowhere"}})
    missed = (
        'cache miss: Transportation/tramline_for_Transportation/next_departures {"stop":"Nowhere"}'
    )
    assert (200, {"error": missed, "response": ""}, "miss") == (status, reply, headers["x-source"])


@pytest.mark.parametrize(
    "text", ["{", "[1]", "7", "null", '"x"', "stop=X", '{"a": NaN}', "[" * 5000, '{"a": 1, "a": 2}']
)
def test_a_32_an_input_that_is_not_an_object_is_an_error(server: Running, text: str) -> None:
    """A-32: the reply has the error text of the upstream server."""
    status, reply, headers = server.send({**BODY, "tool_input": text})
    assert (200, {"error": "Tool input parse error...\n", "response": ""}) == (status, reply)
    assert "input_error" == headers["x-source"]


@pytest.mark.large
def test_an_empty_input_is_an_empty_object(tmp_path: Path) -> None:
    """Blank text has no arguments."""
    ApiCache(tmp_path).store(PLACE, {}, CachedReply(TRAMS, "real"))
    with running(tmp_path) as server:
        assert {"cache"} == {
            server.send({**BODY, "tool_input": text})[2]["x-source"] for text in ("", "  ", "{}")
        }


@pytest.mark.parametrize("name", list(BODY))
def test_all_six_fields_are_required(server: Running, name: str) -> None:
    """The answer is 422 and names the missing field."""
    status, told, _ = server.send({key: value for key, value in BODY.items() if key != name})
    assert (422, ["body", name]) == (status, told["detail"][0]["loc"][:2])


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {"category": 5},
            {"category": None},
            {"tool_name": ["x"]},
            {"api_name": {}},
            {"strip": False},
            {"toolbench_key": 1},
        ),
        *(
            {"tool_input": [1]},
            {"tool_input": 7},
            {"tool_input": None},
            {"tool_input": True},
            {"category": "x" * 301},
        ),
    ],
)
def test_wrong_types_are_refused(server: Running, changes: dict[str, Any]) -> None:
    """422 for every field of another type, and for names that are too long."""
    assert 422 == server.send({**BODY, **changes})[0]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b"\xff\xfe",
        b'{"category": NaN}',
        b'{"a":' * 3000,
        b"[" * 200_000,
        b'{"a": "\\ud800"}',
    ],
)
def test_other_bodies_are_refused(server: Running, body: bytes) -> None:
    """422 for everything but a JSON object, however deep or broken."""
    assert 422 == server.send(body)[0]


def test_deep_and_huge_inputs_are_answered(server: Running) -> None:
    """Deep nesting and long numbers are inputs like others. Beyond the limit the answer is 422."""
    nested: Any = {}
    for _ in range(200):
        nested = {"a": nested}
    assert "miss" == server.send({**BODY, "tool_input": nested})[2]["x-source"]
    assert "miss" == server.send({**BODY, "tool_input": {"n": 10**300}})[2]["x-source"]
    huge = json.dumps(BODY).replace('{"stop": "Harbour Square"}', '{"n": ' + "9" * 6000 + "}")
    assert 422 == server.send(huge.encode())[0]


def test_other_content_types_are_refused(server: Running) -> None:
    """A web page can send plain text to any server, but not JSON. The answer is 415."""
    assert [415, 415, 200] == [
        server.send(BODY, kind=kind)[0]
        for kind in ("text/plain", "", "application/json; charset=utf-8")
    ]


def test_other_paths_and_methods_are_refused(server: Running) -> None:
    """There is one address for calls and one for health."""
    assert 405 == server.send(b"", method="GET")[0]
    assert [404, 404, 404] == [
        server.send(b"", path, "GET")[0] for path in ("/", "/docs", "/../../etc/passwd")
    ]


def test_healthz(server: Running) -> None:
    """It reports the mode of the server."""
    assert (200, {"status": "ok", "mode": "replay", "apis": 0}) == server.send(
        b"", "/healthz", "GET"
    )[:2]


def test_it_describes_itself(server: Running) -> None:
    """/openapi.json has the six fields."""
    _, told, _ = server.send(b"", "/openapi.json", "GET")
    schema = told["paths"]["/virtual"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]
    assert sorted(BODY) == sorted(schema["required"])


# ---------------------------------------------------------------- limits


@pytest.mark.large
def test_a_long_request_is_refused(server: Running) -> None:
    """The server reads 10 MB to the end, so that the client gets its 413."""
    status, told, _ = server.send({**BODY, "tool_input": {"x": "y" * 10_000_000}})
    assert (413, "the request is longer than 1,000,000 bytes") == (status, told["detail"])


def test_a_long_request_without_a_length_is_refused(server: Running) -> None:
    """Chunks are counted as they arrive."""
    with socket.create_connection((server.place.hostname, server.place.port), timeout=20) as raw:
        raw.sendall(
            b"POST /virtual HTTP/1.1\r\nhost: localhost\r\ncontent-type:"
            b" application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        for _ in range(20):
            raw.sendall(b"186a0\r\n" + b"x" * 100_000 + b"\r\n")
        raw.sendall(b"0\r\n\r\n")
        assert raw.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.large
def test_a_slow_request_times_out(tmp_path: Path) -> None:
    """A client that stops in the middle gets 408 and blocks no other."""
    with running(tmp_path, limits=Limits(sending=0.05)) as server:
        with socket.create_connection(
            (server.place.hostname, server.place.port), timeout=20
        ) as raw:
            raw.sendall(
                b"POST /virtual HTTP/1.1\r\nhost: localhost\r\ncontent-type:"
                b" application/json\r\ncontent-length: 50\r\n\r\n{"
            )
            assert raw.recv(100).startswith(b"HTTP/1.1 408")
        assert 200 == server.send(b"", "/healthz", "GET")[0]


def test_a_41_the_rate_is_limited(tmp_path: Path) -> None:
    """A-41: beyond the burst the answer is 429 with the seconds to wait. Health is not limited."""
    with running(tmp_path, limits=Limits(rate=0.01, burst=3)) as server:
        answers = [server.send(BODY) for _ in range(5)]
        assert [200, 200, 200, 429, 429] == [answer[0] for answer in answers]
        assert 90 <= int(answers[3][2]["retry-after"]) <= 100
        assert 200 == server.send(b"", "/healthz", "GET")[0]


def test_a_bucket_fills_at_its_rate() -> None:
    """Two tokens a second, at most four: the waits are exact, and the bucket never overflows."""
    bucket = RateLimit(2, size=4, tokens=4)
    full = [True, True, True, True, False]
    assert full == [bucket.take(0.0) for _ in range(5)]
    assert [True, False] == [bucket.take(0.5) for _ in range(2)]
    assert full == [bucket.take(100.5) for _ in range(5)]
    assert not bucket.take(50.5), "a clock that is set back gives nothing and takes nothing"


# ---------------------------------------------------------------- hostile, and many at once


HOSTILE = (
    "..",
    "../../../etc/passwd",
    "..\\..\\x",
    "/etc",
    "\0",
    ".",
    "",
    "~root",
    "%2e%2e%2f",
    "\u202e",
    "x" * 300,
)


@pytest.mark.large
def test_a_38_nothing_is_written_outside_the_cache(tmp_path: Path) -> None:
    """A-38: a recording server keeps the files of odd names in its cache."""
    root = tmp_path / "cache"
    model = Simulator(lambda _: '{"error": "", "response": "x"}', "m")
    with running(root, "record", model) as server:
        for name in HOSTILE:
            for field in ("category", "tool_name", "api_name"):
                status, reply, _ = server.send({**BODY, field: name})
                assert (200, {"error": "", "response": "x"}) == (status, reply)
            assert (
                "x"
                == server.send({**BODY, "tool_name": f"{name}_for_Transportation"[-300:]})[1][
                    "response"
                ]
            )
    assert ["cache"] == [path.name for path in tmp_path.iterdir()]
    assert all(3 == len(path.relative_to(root).parts) for path in root.rglob("*.json"))


def test_the_log_has_one_line_per_request(server: Running) -> None:
    """It has the source of each reply, no keys, and shortened texts."""
    server.log.clear()
    server.send({**BODY, "toolbench_key": "secret-key"})
    server.send({**BODY, "tool_input": {"x": "y" * 10_000}})
    server.send({**BODY, "category": 5, "toolbench_key": "secret-key"})
    assert ["cache", "miss", "refused"] == [line["source"] for line in server.log]
    assert (200, "TramLine", '{"stop":"Harbour Square"}') == tuple(
        server.log[0][key] for key in ("status", "tool_name", "input")
    )
    assert 422 == server.log[2]["status"]
    told = json.dumps(server.log)
    assert "secret-key" not in told
    assert 3000 > len(told)


@pytest.mark.large
def test_eight_clients_at_once_get_their_own_replies(tmp_path: Path) -> None:
    """8 threads make 50 calls each, half of them new. Every new reply is kept."""
    model = Simulator(
        lambda prompt: json.dumps(
            {"error": "", "response": prompt.split('"n": ')[1].split("}")[0]}
        ),
        "m",
    )
    name = ApiName("Transportation", "TramLine", "count")
    wrong: list[Any] = []
    with running(tmp_path, "record", model, Limits(rate=10_000, burst=10_000)) as server:

        def client(number: int) -> None:
            for n in [*range(number * 25, number * 25 + 25)] * 2:
                outcome = call_api(server.url, name, {"n": n})
                if outcome.response != str(n):
                    wrong.append((n, outcome))

        threads = [threading.Thread(target=client, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sources = [line["source"] for line in server.log]
    assert [] == wrong
    assert (200, 200) == (sources.count("simulation"), sources.count("cache"))
    document = json.loads(
        (tmp_path / place_of(ApiName("Transportation", "TramLine", "count")).path).read_bytes()
    )
    assert {f'{{"n":{n}}}': str(n) for n in range(200)} == {
        key: entry["response"] for key, entry in document.items()
    }


def test_it_listens_on_loopback(server: Running) -> None:
    """A-38: by default only this computer reaches it."""
    assert "127.0.0.1" == server.place.hostname


def test_small_replies_are_sent_at_once() -> None:
    """The socket names its protocol, so asyncio turns off the delay that small packets have."""
    with listening("127.0.0.1", 0) as bound:
        assert socket.IPPROTO_TCP == bound.proto


@pytest.mark.parametrize("path", ["/virtual", "/healthz", "/openapi.json"])
def test_t19_requests_to_another_host_name_are_refused(server: Running, path: str) -> None:
    """A page of another site cannot reach the server through a name of its own."""
    place = server.place
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=20)
    connection.request("GET", path, headers={"host": f"evil.example:{place.port}"})
    assert 400 == connection.getresponse().status
    connection.close()
