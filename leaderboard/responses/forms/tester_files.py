"""The raw responses of the tool-selection tester: cases with a `model_response`."""

from __future__ import annotations

from collections.abc import Mapping

from leaderboard.responses.forms.call_syntax import listed_calls
from leaderboard.responses.forms.foreign_records import ForeignRecord, Row, error_text
from leaderboard.responses.forms.model_reply import Reply, UnreadableRecordError, member, text_of
from leaderboard.responses.forms.provider_replies import (
    ProviderReply,
    read_provider_reply,
    single_reply,
)
from leaderboard.types import Json

TESTER = "the tester's raw responses"


def tester_form(row: Row) -> str | None:
    """The form's name for a case with a reply that the tester kept; None for others."""
    is_case = "user_query" in row or "ground_truth" in row
    return TESTER if "model_response" in row and is_case else None


def read_tester(row: Row) -> ForeignRecord:
    """Reads one case. Raises UnreadableRecordError."""
    response = row["model_response"]
    error = error_text(row.get("error")) or error_text(member(response, "error"))
    answer = _answer(response)
    if answer is None and error is None:
        what = "has a model_response of no known form"
        fix = "use raw_responses.json as the tester wrote it"
        raise UnreadableRecordError(what, fix)
    return ForeignRecord(row, answer, error)


def _answer(response: Json) -> ProviderReply | None:
    if isinstance(response, Mapping) and (
        "model_function_call" in response or "full_model_response" in response
    ):
        text = text_of(member(response, "full_model_response", "model_text"))
        call = member(response, "model_function_call", "model_function_calls")
        calls = listed_calls(call) if call else ()
        return None if calls is None else single_reply(TESTER, Reply(text, calls))
    return read_provider_reply(response)
