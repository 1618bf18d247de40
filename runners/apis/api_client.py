"""Calling a simulated API, as the tools of an agent do: one POST to the server, and the reply as text for the model."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from leaderboard.apis.api_names import ApiName
from leaderboard.endpoints import is_loopback
from leaderboard.types import Json
from runners.apis.reply_cache import Reply, reply_of

DEFAULT_URL: Final = "http://localhost:8080/virtual"
NO_KEY: Final = "EMPTY"


@dataclass(frozen=True, slots=True)
class ApiOutcome:
    """What came of a call. `text` is what a model is told; `error` is empty where the call succeeded; `response` as it came.

    `source` is the server's X-Source, empty where none is told. `replied` is False where no reply came at all: then `status` is
    the HTTP status of the server that refused, or None where none answered.
    """

    text: str
    error: str
    response: Json
    source: str = ""
    replied: bool = True
    status: int | None = None

    @property
    def ok(self) -> bool:
        return not self.error


def call_api(
    server_url: str,
    name: ApiName,
    arguments: Mapping[str, Json],
    *,
    timeout: float = 60.0,
    key: str = NO_KEY,
    sleep: Callable[[float], None] = time.sleep,
) -> ApiOutcome:
    """Call an API on a virtual API server with exactly these arguments: what a model left out is not filled in.

    Told to wait (429) it waits as long as it is told to, and asks again, while `timeout` (seconds) is not used up. It never
    raises: where no reply comes, the outcome's text starts with "Error: ".
    """
    body = {
        "category": name.category,
        "tool_name": name.tool,
        "api_name": name.api,
        "tool_input": dict(arguments),
        "strip": "",
        "toolbench_key": key,
    }
    try:
        data = json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        return _failed(f"the arguments are no JSON: {error}")
    request = urllib.request.Request(server_url, data, {"content-type": "application/json"})  # noqa: S310
    waited = 0.0
    while True:
        try:
            with _opener(server_url).open(request, timeout=timeout) as answer:
                return _outcome(answer.read(), answer.headers.get("x-source") or "")
        except urllib.error.HTTPError as error:
            with error:
                wait = _retry_after(error)
            if wait is None or waited + wait > timeout:
                return _failed(f"Server returned status {error.code}", error.code)
            sleep(wait)
            waited += wait
        except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
            return _failed(str(getattr(error, "reason", None) or error) or type(error).__name__)


def _opener(url: str) -> urllib.request.OpenerDirector:
    """Loopback is never reached through a proxy."""
    direct = is_loopback(url)
    return urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if direct else []))


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    """The seconds that a server tells its client to wait; None where it says nothing of the kind."""
    told = (error.headers.get("retry-after") or "").strip()
    return float(told) if error.code == 429 and told.isdecimal() else None


def _outcome(data: bytes, source: str) -> ApiOutcome:
    try:
        reply = reply_of(orjson.loads(data))
    except orjson.JSONDecodeError:
        reply = None
    return (
        _failed("the server's reply has no error and response")
        if reply is None
        else outcome_of(reply, source)
    )


def outcome_of(reply: Reply, source: str) -> ApiOutcome:
    """What a reply comes to for whoever called."""
    said = as_text(reply.response)
    text = f"Error: {reply.error}\nResponse: {said}" if reply.error else said
    return ApiOutcome(text, reply.error, reply.response, source)


def as_text(response: Json) -> str:
    """A response as a model reads it: text as it is, anything else as JSON."""
    return response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)


def _failed(what: str, status: int | None = None) -> ApiOutcome:
    return ApiOutcome(f"Error: {what}", what, "", replied=False, status=status)
