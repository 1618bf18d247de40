"""Which form a file has, and where its records are. `lb new --from` is tested with the command."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.forms.containers import read_container
from leaderboard.responses.forms.converter import calls_in_text, convert, foreign_form
from leaderboard.types import Json, Suite, Tool
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.each_row import each_row

CALL = {"name": "add", "arguments": {"a": 1}}
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

    assert foreign_form(read_container(data, "x")) == form


def test_a_container_names_itself_if_its_records_have_ids() -> None:
    """Without ids, lines may be anything."""
    assert foreign_form(read_container(b'{"id": "a"}\n{"id": "b"}', "x")) == "JSON lines"
    assert foreign_form(read_container(b"a,b\n1,2\n", "x")) is None


@pytest.mark.parametrize(
    ("text", "calls", "rest"),
    [
        (json.dumps(CALL), [CALL], None),
        (f"```json\n{json.dumps([CALL, CALL])}\n```", [CALL, CALL], None),
        (f"I add.\n\n{json.dumps(CALL)}", [CALL], "I add."),
        (json.dumps({**CALL, "name": "other"}), [], json.dumps({**CALL, "name": "other"})),
        (None, [], None),
    ],
)
def test_calls_of_offered_tools_are_read_from_texts(
    text: str | None, calls: list[Json], rest: str | None
) -> None:
    """As a whole, in a fence, or as a paragraph. A call of another tool stays text."""
    found, others = calls_in_text(text, (Tool("add", "", ()),))

    assert [{"name": call.name, "arguments": call.arguments} for call in found] == calls
    assert others == rest


@pytest.fixture
def suite(folder: Folder) -> Suite:
    return load_suite(open_workspace(folder.root), "small", KINDS)


def converted(suite: Suite, document: Any) -> Any:
    return convert(read_container(json.dumps(document).encode(), "x"), suite, "x").records


def test_records_can_have_their_case_as_key(suite: Suite) -> None:
    """Texts, objects and lists. Other keys are cases that the suite does not have."""
    found = converted(suite, {"B001": "It is Paris.", "B002": {"text": "In 1969.", "trial": 2}})
    expected = {"id": "B001", "model_function_call": None, "model_text": "It is Paris."}

    assert found == [expected, {**expected, "id": "B002", "model_text": "In 1969.", "trial": 2}]


@pytest.mark.parametrize(
    "row",
    [
        {"id": "B001", "model_function_call": "[]", "answer": "It is Paris."},
        {"id": "B001", "model_text": "", "answer": "It is Paris."},
    ],
)
def test_a_table_with_fields_of_responses_is_converted(suite: Suite, row: Json) -> None:
    """Its cells are texts, or empty, and the answer is elsewhere."""
    (record,) = converted(suite, [row])

    assert record["model_text"] == "It is Paris."


def test_what_is_no_object_is_counted(suite: Suite) -> None:
    """A list of numbers has no records."""
    with pytest.raises(FilesError, match="record 2 and 1 more: is not a JSON object"):
        converted(suite, [{"id": "B001", "answer": "It is Paris."}, 2, 3])
