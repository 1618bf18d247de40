"""The real APIs, behind an endpoint that speaks StableToolBench's protocol. Nobody has to have one."""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.apis.api_names import standard_category
from leaderboard.errors import FilesError
from leaderboard.files.document import parse
from leaderboard.types import Json
from runners.apis.reply_cache import Reply, reply_of

LONGEST_REPLY: Final = 4_000_000  # bytes

# How proxies before real APIs say that a call came to nothing, where they say it instead of the API: the whole text, no part.
_REFUSALS: Final = frozenset(
    (
        *(
            "api doesn't exist",
            "api doesn't exists",
            "api does not exist",
            "service not found",
            "not found",
            "unauthorized",
        ),
        *(
            "rate limit exceeded",
            "too many requests",
            "internal server error",
            "internal error",
            "gateway timeout",
            "timed out",
        ),
        *(
            "timed out",
            "forbidden",
            "you are not subscribed to this api",
            "service unavailable",
            "bad gateway",
            "blocked",
        ),
    )
)
_STATUS_TEXT: Final = re.compile(r"\s*status_code=(\d{3})\b")
_STATUS_KEYS: Final = ("status", "statusCode", "status_code", "code")


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One request for an API, as a client sent it, with its input read. `key` is the client's own, for a real endpoint."""

    category: str
    tool: str
    api: str
    arguments: Mapping[str, Json]
    key: str = ""


@dataclass(frozen=True, slots=True)
class RealEndpoint:
    """Where real APIs are asked, and how long (seconds) an answer may take."""

    url: str
    timeout: float = 30.0

    def answer(self, call: ApiCall) -> Reply | None:
        """What the real API says; None where it cannot be reached, answers with an error, or says nothing."""
        body = {
            "category": call.category,
            "tool_name": call.tool.removesuffix(f"_for_{standard_category(call.category)}"),
            "api_name": call.api,
            "tool_input": dict(call.arguments),
            "strip": "",
            "toolbench_key": call.key,
        }
        headers = {"content-type": "application/json", "toolbench_key": call.key}
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)  # noqa: S310 - checked when it is set
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                data = answer.read(LONGEST_REPLY + 1)
                reply = (
                    reply_of(parse(data, "reply"))
                    if answer.status == 200 and len(data) <= LONGEST_REPLY
                    else None
                )
        except (urllib.error.URLError, http.client.HTTPException, OSError, FilesError, ValueError):
            return None
        return reply if reply is not None and is_success(reply) else None


def is_success(reply: Reply) -> bool:
    """Whether a real reply is an answer: no error, something said, and nothing in its fields that says it failed.

    Told by its structure, never by words inside the content: a price of 500 is no server error.
    """
    if not reply.is_usable:
        return False
    if isinstance(reply.response, str):
        status = _STATUS_TEXT.match(reply.response)
        whole = reply.response.strip().rstrip(".!").casefold()
        return not (status and int(status[1]) >= 400) and whole not in _REFUSALS
    return not _says_failed(reply.response)


def _says_failed(response: Json) -> bool:
    if not isinstance(response, dict):
        return False
    if (
        response.get("error")
        or response.get("errors")
        or response.get("success") is False
        or response.get("ok") is False
    ):
        return True
    message = response.get("message")
    if (
        len(response) == 1
        and isinstance(message, str)
        and message.strip().rstrip(".!").casefold() in _REFUSALS
    ):
        return True
    codes = [response.get(key) for key in _STATUS_KEYS]
    return any(
        isinstance(code, int) and not isinstance(code, bool) and 400 <= code <= 599
        for code in codes
    )
