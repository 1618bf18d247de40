"""Calls a simulated API over HTTP, and turns the reply into text for a model."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

import orjson

from leaderboard.apis.api_names import ApiName
from leaderboard.errors import FilesError
from leaderboard.limits import REPLY_BYTES, megabytes
from leaderboard.network.endpoints import is_loopback
from leaderboard.types import Json
from runners.apis.api_call import ApiCall, ApiReply, reply_of

DEFAULT_URL: Final = "http://localhost:8080/virtual"
_PART: Final = 2**16  # bytes
_CHECK_SECONDS: Final = 10.0
_ALWAYS_THERE: Final = ApiName("Data", "chat", "chat_with_user")


@dataclass(frozen=True, slots=True)
class ApiOutcome:
    """The outcome of a call. `text` is what a model reads; `error` is empty if it succeeded.

    `source` is the server's X-Source. If no reply came, `replied` is False, and `status` is the
    HTTP status with which the server refused, or None if no server answered.
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
) -> ApiOutcome:
    """Calls an API on a virtual API server with exactly these arguments.

    Waits at most `timeout` seconds for a reply, and as long for its end. If the server asks it to
    wait (429), it waits and asks again, for at most `timeout` seconds in all. Never raises:
    without a reply, the outcome's text starts with "Error: ".
    """
    body = ApiCall(name, arguments).as_json()
    try:
        data = json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        return _failed(f"the arguments are not JSON: {error}")
    request = urllib.request.Request(server_url, data, {"content-type": "application/json"})  # noqa: S310
    opener = _opener(server_url)
    waited = 0.0
    while True:
        try:
            with opener.open(request, timeout=timeout) as answer:
                source = answer.headers.get("x-source") or ""
                return _outcome_of_body(read_body(answer, timeout, REPLY_BYTES), source)
        except urllib.error.HTTPError as error:
            with error:
                after = (error.headers.get("retry-after") or "").strip()
            # A server that says 0 again and again would be asked for ever.
            wait = max(float(after), 1.0) if error.code == 429 and after.isdecimal() else None
            if wait is None or waited + wait > timeout:
                return _failed(f"Server returned status {error.code}", error.code)
            time.sleep(wait)
            waited += wait
        except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
            return _failed(str(getattr(error, "reason", None) or error) or type(error).__name__)


def _opener(server_url: str) -> urllib.request.OpenerDirector:
    """Opens addresses. This computer is never reached through a proxy."""
    handlers = [urllib.request.ProxyHandler({})] if is_loopback(server_url) else []
    return urllib.request.build_opener(*handlers)


def read_body(answer: http.client.HTTPResponse, timeout: float, most: int) -> bytes:
    """The body of a reply. Raises OSError if it takes longer, or has more bytes.

    Without these limits a server could send for ever.
    """
    body = bytearray()
    end = time.monotonic() + timeout
    while part := answer.read1(_PART):
        body += part
        if len(body) > most:
            raise OSError(f"the reply is longer than {megabytes(most)}")
        if time.monotonic() > end:
            raise TimeoutError("timed out")
    return bytes(body)


def check_server(server_url: str) -> str:
    """The mode of a virtual API server, or "unknown" if it does not say.

    Calls the one API that every such server answers by itself. Raises FilesError if no reply
    comes.
    """
    if "@" in urlsplit(server_url).netloc:
        fix = "remove user name and password from the address: they would be sent unencrypted"
        raise FilesError.about("--server-url", "has a user name in its address", fix)
    outcome = call_api(server_url, _ALWAYS_THERE, {}, timeout=_CHECK_SECONDS)
    if not outcome.replied:
        what = f"the server answers no API calls: {outcome.error}"
        fix = "start it with lb serve-apis, or correct the address; its path is /virtual"
        raise FilesError.about("--server-url", what, fix)
    if not outcome.source:  # Only our own server sends one, and has the address below.
        return "unknown"
    try:
        opener, address = _opener(server_url), urljoin(server_url, "healthz")
        with opener.open(address, timeout=_CHECK_SECONDS) as answer:
            mode = orjson.loads(read_body(answer, _CHECK_SECONDS, REPLY_BYTES))["mode"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return "unknown"
    return mode if mode in ("replay", "record", "live") else "unknown"


def _outcome_of_body(data: bytes, source: str) -> ApiOutcome:
    try:
        reply = reply_of(orjson.loads(data))
    except orjson.JSONDecodeError:
        reply = None
    if reply is None:
        return _failed("the server's reply has no error and response")
    return outcome_of(reply, source)


def _failed(what: str, status: int | None = None) -> ApiOutcome:
    return ApiOutcome(f"Error: {what}", what, "", replied=False, status=status)


def outcome_of(reply: ApiReply, source: str) -> ApiOutcome:
    """The outcome of a call that got a reply."""
    text = as_text(reply.response)
    if reply.error:
        text = f"Error: {reply.error}\nResponse: {text}"
    return ApiOutcome(text, reply.error, reply.response, source)


def as_text(response: Json) -> str:
    """A response as a model reads it: text unchanged, anything else as JSON."""
    return response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
