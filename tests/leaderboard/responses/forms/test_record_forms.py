"""Which form the records of a file have. `lb new --from` is tested with the command."""

from __future__ import annotations

import json

from leaderboard.responses.forms.file_formats import read_container
from leaderboard.responses.forms.record_forms import form_of_file
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


def test_a_container_names_itself_if_its_records_have_ids() -> None:
    """Without ids, lines may be anything."""
    assert form_of_file(read_container(b'{"id": "a"}\n{"id": "b"}', "x")) == "JSON lines"
    assert form_of_file(read_container(b"a,b\n1,2\n", "x")) is None
