"""The output of batch APIs: one line per request, with the id that the request was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.responses.forms.foreign_records import (
    ForeignRecord,
    Row,
    error_text,
    trial_of,
    usage_fields,
)
from leaderboard.responses.forms.model_reply import UnreadableRecordError, member
from leaderboard.responses.forms.provider_replies import ProviderReply, read_provider_reply
from leaderboard.types import Json

# What Anthropic calls a result without a message or an error.
_ENDS: Final = {
    "canceled": "the request was cancelled",
    "expired": "the request expired before it was answered",
}
_FIX: Final = "use the output file as the batch API wrote it"


def batch_form(row: Row) -> str | None:
    """The name of the batch API that wrote a line; None for other records."""
    if "custom_id" in row and "result" in row and member(row["result"], "type"):
        return "Anthropic batch output"
    if "custom_id" in row and ("response" in row or "error" in row):
        return "OpenAI batch output"
    if isinstance(row.get("response"), Mapping) and ("request" in row or "key" in row):
        return "Gemini batch output"
    return None


def read_batch(row: Row) -> ForeignRecord:
    """Reads one line. Raises UnreadableRecordError."""
    result = row.get("result")
    error = error_text(row.get("error"))
    if not (result or row.get("response")):
        error = error or error_text(row.get("status"))
    if result is not None:
        body = member(result, "message")
        if body is None:
            ended = _ENDS.get(str(member(result, "type")), "the result has no message")
            error = error_text(member(result, "error")) or ended
    else:
        response = row.get("response")
        body = member(response, "body") or response
        error = error or error_text(member(body, "error"))
    reply = None if error else _reply(body)
    trial = trial_of(row.get("trial"))
    extra = usage_fields(cost=row.get("cost_usd"), seconds=row.get("latency_s"))
    return ForeignRecord(row, reply, error, trial, extra)


def _reply(body: Json) -> ProviderReply:
    reply = read_provider_reply(body)
    if reply is None or not reply.turns:
        raise UnreadableRecordError("has a reply of no known form", _FIX)
    return reply
