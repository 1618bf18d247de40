"""Lines of batch APIs. `perfect_answers.py` has whole files of each."""

from __future__ import annotations

from leaderboard.responses.forms.known_forms import read_record
from leaderboard.types import Json
from tests.each_row import each_row

BODY = {"choices": [{"message": {"role": "assistant", "content": "Lyon"}}]}


@each_row("row", [{"key": "1", "response": "Lyon"}, {"request": "Where?", "response": "Lyon"}])
def test_a_text_is_no_line_of_a_batch(row: Json) -> None:
    """These fields are those of plain records too."""
    assert read_record(row)[1].answer == "Lyon"


@each_row(
    ("row", "error"),
    [
        ({"id": "1", "request": {}, "response": BODY, "status": 200}, None),
        ({"id": "1", "request": {}, "response": {}, "status": {"message": "too big"}}, "too big"),
    ],
)
def test_a_status_is_an_error_only_without_a_response(row: Json, error: str | None) -> None:
    """Some harnesses write the status of each reply beside it."""
    assert read_record(row)[1].error == error


@each_row("row", [{"custom_id": "1", "response": {"body": BODY}}, {"key": "1", "response": BODY}])
def test_fields_that_were_added_to_a_line_are_read(row: Json) -> None:
    """The lines of several files become trials of one."""
    found = read_record({**row, "trial": 2, "latency_s": 1.5, "cost_usd": 0.25})[1]

    assert (found.trial, found.extra) == (2, {"latency_s": 1.5, "usage": {"cost_usd": 0.25}})


@each_row(
    ("result", "error"),
    [
        ({"type": "canceled"}, "the request was cancelled"),
        ({"type": "expired"}, "the request expired before it was answered"),
        ({"type": "errored", "error": {"message": "overloaded"}}, "overloaded"),
        ({"type": "succeeded"}, "the result has no message"),
    ],
)
def test_how_a_request_without_a_reply_ended_is_a_sentence(result: Json, error: str) -> None:
    """Anthropic names the end in one word."""
    assert read_record({"custom_id": "1", "result": result})[1].error == error
