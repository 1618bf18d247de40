"""Which form the records of a file have. `lb new --from` is tested with the command."""

from __future__ import annotations

import json

from leaderboard.kinds import Interaction
from leaderboard.responses.forms.file_formats import read_container
from leaderboard.responses.forms.known_forms import are_responses, form_of_file
from leaderboard.types import Json
from tests.each_row import each_row

CHAT = {"choices": [{"message": {"role": "assistant", "content": "Hi."}}]}


@each_row(
    ("document", "form"),
    [
        ([{"id": "a", "answer": "Hi."}], "plain texts"),
        ({"samples": [{"id": "a", "response": CHAT}]}, "OpenAI chat completions"),
        ({"results": {"results": [{"id": "a", "answer": "Hi."}]}}, "plain texts"),
        ({"a": {"answer": "Hi."}, "b": {"answer": "Ho."}}, "plain texts"),
        ([{"id": "a", "response": {"error": "lost"}}], None),
        ([{"id": "a", "model_text": "Hi."}], None),
        ([{"id": "a", "answer": "3", "output": "4"}], None),
        ([{"id": "a", "note": "x"}], None),
        ([1, 2], None),
        ({"id": "a"}, None),
        (3, None),
    ],
)
def test_a_form_is_named(document: Json, form: str | None) -> None:
    """Wherever a document keeps its records. Responses with other problems have none."""
    data = json.dumps(document if isinstance(document, list | dict) else [document]).encode()

    assert form_of_file(read_container(data, "x")) == form


STEPS: Json = {"id": "a", "output": "Hi.", "intermediate_steps": []}
TEXT: Json = {"id": "a", "model_text": "Hi."}
FAILED: Json = {"id": "b", "error": "timeout"}


@each_row(
    ("rows", "interaction", "are"),
    [
        ([STEPS, FAILED], "environment", True),
        ([STEPS, {"id": "b", "output": None}], "environment", True),
        ([STEPS, {"id": "b", "output": "Ho."}], "apis", True),
        (
            [{"id": 1111, "answer": {"final_answer": "Ho."}}, {"id": 7, "output": "Ho."}],
            "apis",
            True,
        ),
        ([TEXT, FAILED], "message", True),
        ([TEXT, {"id": "b", "error": None, "model_text": None}], "message", True),
        ([FAILED], "environment", False),
        ([{"id": "b", "output": "Ho."}], "environment", False),
        ([STEPS, {"id": "b", "output": CHAT}], "environment", False),
        ([STEPS, {"id": "b", "error": "timeout", "response": CHAT}], "environment", False),
        ([STEPS, {"id": "b"}], "environment", False),
        ([STEPS, {"error": "timeout"}], "environment", False),
        ([STEPS, 3], "environment", False),
        ([TEXT, {"id": "b", "output": "Ho."}], "message", False),
        ([TEXT, {"id": "b", "model_function_call": '{"name": "f"}'}], "message", False),
    ],
)
def test_one_failed_request_leaves_a_responses_file_what_it_is(
    rows: list[Json], interaction: Interaction, are: bool
) -> None:
    """Records with only an error or an output are of the form of the others."""
    assert are_responses(rows, interaction) == are


def test_a_container_names_itself_if_its_records_have_ids() -> None:
    """Without ids, lines may be anything."""
    assert form_of_file(read_container(b'{"id": "a"}\n{"id": "b"}', "x")) == "JSON lines"
    assert form_of_file(read_container(b"a,b\n1,2\n", "x")) is None
