"""Errors of model servers: replies that are no JSON, statuses, errors in replies, no reply.

Each says whether a later attempt could succeed, and whether it ends the run (`CallError`).
"""

from __future__ import annotations

import json
import re
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.network.retries import (
    FATAL_STATUSES,
    RETRYABLE_STATUSES,
    CallError,
    ReplyForm,
)
from leaderboard.responses.forms.model_reply import Reply, member, one_line
from leaderboard.types import Json
from runners.submission_writer import encode

_OK: Final = 200
_NO_CREDIT: Final = 402
# The beginning of an event of a streamed reply, or of a comment before it.
_EVENT: Final = re.compile(r"(?:data|event|id|retry)?:")
# The user, the password, the query and the fragment of an address.
_SECRET_PARTS: Final = re.compile(r"(?<=//)[^/?#]*@|[?#].*", re.DOTALL)


def body_of(data: bytes) -> dict[str, Json]:
    """A reply's bytes as a JSON object. Raises CallError for anything else, a cut-off reply too."""
    try:
        body = parse(data, "the reply")
    except FilesError as error:
        body = _lenient(data)
        if body is None:
            raise _not_json(data, error.problems[0].what) from error
    if not isinstance(body, dict):
        raise CallError("its reply is not a JSON object", retryable=True, status=_OK)
    return body


def _lenient(data: bytes) -> Json:
    """The value of a whole reply that no file may contain; None if it cannot be read.

    Its answer is paid. A byte order mark is skipped, and the last of repeated keys counts. U+FFFD
    replaces half characters and bytes that are not UTF-8.
    """
    try:
        value = json.loads(data.decode("utf-8-sig", "replace"))
        return parse(encode(json.dumps(value, ensure_ascii=False)), "the reply")
    except (FilesError, ValueError, RecursionError):
        return None


def _not_json(data: bytes, problem: str) -> CallError:
    """The error for a reply that is not JSON, with its beginning and the form that it has."""
    text = data.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    form: ReplyForm | None = None
    if text.startswith("<"):
        form, problem = "web page", "is not JSON, but a web page"
    elif _EVENT.match(text):
        form, problem = "event stream", "is not JSON, but an event stream"
    begins = f"; it begins with {one_line(text, 80)}" if text else ""
    error = CallError(f"its reply {problem}{begins}", retryable=True, status=_OK)
    error.form = form
    return error


def status_error(
    status: int,
    message: str,
    *,
    hopeless: bool = False,
    retry_after: float | None = None,
    means: int | None = None,
    location: str | None = None,
) -> CallError:
    """The error for a reply with this status. `hopeless` means that no later attempt succeeds.

    `means` is the status that would fit the message, where a provider sends another one.
    `location` is the address of a redirect, from the header of this name.
    """
    if location and 300 <= status < 400:
        message = f"it redirects to {_SECRET_PARTS.sub('', location)}"
    return CallError(
        f"answered {status}: {one_line(message)}",
        retryable=status in RETRYABLE_STATUSES and not hopeless,
        fatal=status in FATAL_STATUSES or hopeless,
        retry_after=retry_after,
        status=means or status,
    )


def refuse_error(
    reply: Reply,
    error: Json,
    missing: str | None,
    *,
    no_credit: bool = False,
    retry_after: float | None,
) -> None:
    """Raises CallError for an error with status 200, as gateways such as OpenRouter send it.

    `error` is the error in the reply, if it has one. `missing` says what a reply lacks that is no
    answer; None for a whole one. `no_credit`: the account has no money left.
    """
    if not error and missing is None:
        return
    message = error if isinstance(error, str) else member(error, "message")
    if not isinstance(message, str):
        message = missing or "it ended early"
    code = member(error, "code")
    what = f"its reply is an error: {one_line(message)}"
    status = _NO_CREDIT if no_credit else _OK
    refusal = CallError(
        what, retryable=not no_credit, fatal=no_credit, retry_after=retry_after, status=status
    )
    if type(code) is int and 300 <= code < 600:
        refusal = status_error(
            code,
            message,
            hopeless=no_credit,
            retry_after=retry_after,
            means=_NO_CREDIT if no_credit else None,
        )
    if reply.input_tokens is not None or reply.output_tokens is not None:
        refusal.taken = reply.input_tokens, reply.output_tokens
    raise refusal


def no_reply(cause: str, *, timed_out: bool) -> CallError:
    """The error for a request that got no reply, or one that its SDK cannot read."""
    return CallError(f"no reply: {one_line(cause)}", retryable=True, timed_out=timed_out)
