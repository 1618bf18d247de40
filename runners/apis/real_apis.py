"""An optional endpoint of real APIs that speaks StableToolBench's protocol."""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from typing import Final

from leaderboard.apis.api_names import standard_category
from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.types import Json
from runners.apis.api_call import ApiCall, ApiReply, reply_of
from runners.apis.api_client import read_body

MAX_REPLY_BYTES: Final = 4_000_000
TIMEOUT: Final = 30.0  # seconds

# Proxies in front of real APIs report a failed call with one of these texts as the whole reply.
_REFUSALS: Final = frozenset(
    (  # noqa: SIM905 - a list of quoted texts would fill a page
        "api doesn't exist|api doesn't exists|api does not exist|service not found|not found|"
        "unauthorized|forbidden|you are not subscribed to this api|blocked|rate limit exceeded|"
        "too many requests|internal server error|internal error|bad gateway|gateway timeout|"
        "service unavailable|timed out"
    ).split("|")
)
_STATUS_TEXT: Final = re.compile(r"\s*status_code=(\d{3})\b")
_STATUS_KEYS: Final = ("status", "statusCode", "status_code", "code")


@dataclass(frozen=True, slots=True)
class RealEndpoint:
    """The address of real APIs, and how many seconds a reply may take."""

    url: str
    timeout: float = TIMEOUT

    def answer(self, call: ApiCall) -> ApiReply | None:
        """The real API's reply; None if it is out of reach, fails, or replies nothing."""
        tool = call.name.tool.removesuffix(f"_for_{standard_category(call.name.category)}")
        named = replace(call, name=replace(call.name, tool=tool))
        body = json.dumps(named.as_json()).encode()
        headers = {"content-type": "application/json", "toolbench_key": call.key}
        request = urllib.request.Request(self.url, body, headers)  # noqa: S310 - checked when set
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                data = read_body(answer, self.timeout, MAX_REPLY_BYTES)
                reply = reply_of(parse(data, "reply")) if answer.status == 200 else None
        except (urllib.error.URLError, http.client.HTTPException, OSError, FilesError, ValueError):
            return None
        return reply if reply is not None and is_success(reply) else None


def is_success(reply: ApiReply) -> bool:
    """Whether a real reply is an answer: usable, and without a sign of failure.

    Only the structure counts, never words in the content: a price of 500 is not a server error.
    """
    if not reply.is_usable:
        return False
    response = reply.response
    if isinstance(response, str):
        status = _STATUS_TEXT.match(response)
        return not (status and int(status[1]) >= 400) and not _is_refusal(response)
    return not (isinstance(response, dict) and _reports_failure(response))


def _reports_failure(response: dict[str, Json]) -> bool:
    if response.get("error") or response.get("errors"):
        return True
    if response.get("success") is False or response.get("ok") is False:
        return True
    if list(response) == ["message"] and _is_refusal(response["message"]):
        return True
    codes = [response.get(key) for key in _STATUS_KEYS]
    # A boolean is an int too, but it is outside the range.
    return any(isinstance(code, int) and 400 <= code <= 599 for code in codes)


def _is_refusal(text: Json) -> bool:
    return isinstance(text, str) and text.strip().rstrip(".!").casefold() in _REFUSALS
