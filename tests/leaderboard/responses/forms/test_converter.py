"""Where the records of a file are, and what they become. `lb new --from` is tested apart."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.forms.answered_case import batch_id
from leaderboard.responses.forms.converter import Converted, convert
from leaderboard.responses.forms.file_formats import read_container
from leaderboard.types import Json, Suite
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import Folder, text_case
from tests.each_row import each_row

REPORTED = """\
schema = 1
title = "Reported"
kind = "reported"
[[metrics]]
id = "accuracy"
[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""


@pytest.fixture
def suite(folder: Folder) -> Suite:
    return load_suite(open_workspace(folder.root), "small", KINDS)


def found_in(suite: Suite, document: Any) -> Converted:
    return convert(read_container(json.dumps(document).encode(), "x"), suite, "x")


def converted(suite: Suite, document: Any) -> Any:
    return found_in(suite, document).records


def test_records_can_have_their_case_as_key(suite: Suite) -> None:
    """Texts, objects and lists. Other keys are cases that the suite does not have."""
    found = converted(suite, {"B001": "It is Paris.", "B002": {"text": "In 1969.", "trial": 2}})
    first = {"id": "B001", "user_query": "question of B001?"}
    second = {"id": "B002", "user_query": "question of B002?"}

    assert found == [
        {**first, "model_function_call": None, "model_text": "It is Paris."},
        {**second, "model_function_call": None, "model_text": "In 1969.", "trial": 2},
    ]


@pytest.mark.parametrize("mode", ["with_tools", "no_tools"])
def test_records_of_a_mode_beside_test_results_are_refused(suite: Suite, mode: str) -> None:
    """Else they would be lost. A mode without records is only a field."""
    rows = [{"id": "A001", "output": "4"}]
    document = {"test_results": rows, mode: {"test_results": [{"id": "B001", "output": "5"}]}}
    with pytest.raises(FilesError, match=f"several lists: 'test_results', '{mode}'"):
        found_in(suite, document)
    without: list[Json] = [True, None, {}, {"test_results": []}]
    for empty in without:
        assert len(converted(suite, {"test_results": rows, mode: empty})) == 1


def test_the_question_is_written_beside_its_answer(suite: Suite) -> None:
    """A later change of the case is then noticed. A question of the record's own is kept."""
    found = converted(
        suite, [{"id": "B001", "answer": "x"}, {"id": "B002", "user_query": "Hm?", "answer": "y"}]
    )

    assert [record["user_query"] for record in found] == ["question of B001?", "Hm?"]


OTHER = "1 × a record asks another question than its case: it may be of another version"


@each_row(
    ("fields", "question", "notes"),
    [
        ({"question": "Another one?"}, "Another one?", [OTHER]),
        ({"question": " question of\nB001? "}, "question of B001?", []),
        ({"prompt": "Answer briefly.\nQ: question of B001?\nA:"}, "question of B001?", []),
        ({"prompt": "Be brief.", "question": "question of B001?"}, "question of B001?", []),
    ],
)
def test_the_question_of_another_version_is_kept(
    suite: Suite, fields: dict[str, str], question: str, notes: list[str]
) -> None:
    """Else an answer to an older question would look like one to the question of the suite."""
    document = [{"id": "B001", **fields, "answer": "x"}]
    lines = (
        b'{"id": "B002", "model_text": "y"}\n%s'
        % json.dumps({"id": "B001", **fields, "model_text": "x"}).encode()
    )
    own = convert(read_container(lines, "x"), suite, "x")
    found = found_in(suite, document)

    assert [found.records[0]["user_query"], own.records[1]["user_query"]] == [question] * 2
    assert own.records[0]["user_query"] == "question of B002?"
    assert [found.notes, own.notes] == [notes] * 2


def test_a_ground_truth_of_the_records_own_is_kept(suite: Suite) -> None:
    """Also one with the text of the question, so that `lb validate` can warn that it differs."""
    document = [{"id": "B001", "answer": "x", "ground_truth": "question of B001?"}]
    (record,) = converted(suite, document)
    assert "question of B001?" == record["ground_truth"]


def test_a_question_with_a_document_is_left_out(suite: Suite) -> None:
    """A file of answers would be larger than what was asked."""
    long = replace(suite.by_id["B001"], query="x" * 10_001)
    (record,) = converted(replace(suite, by_id={"B001": long}), [{"id": "B001", "answer": "y"}])

    assert "user_query" not in record


def test_records_of_retired_cases_are_left_out_and_counted(suite: Suite) -> None:
    """By id, also as batch APIs write it. A question that the suite still asks is answered."""
    suite = replace(suite, retired=frozenset(["B000", "old case"]))
    rows = [
        {"id": "B000", "answer": "x"},
        {"id": batch_id("old case"), "answer": "x"},
        {"id": "B001", "answer": "y"},
        {"id": "B000", "question": "question of B002?", "answer": "z"},
    ]
    found = found_in(suite, rows)

    assert ["B001", "B002"] == [record["id"] for record in found.records]
    assert ["record 3", "record 4"] == found.places
    assert ["2 × a record of a retired case was left out"] == found.notes


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


def test_fields_with_texts_that_are_not_read_are_named(suite: Suite) -> None:
    """One of them may be the model's answer. Ids, questions and numbers are no candidates."""
    row = {"id": "B001", "question": "question of B001?", "answer": "gold", "score": 1}
    other = {"id": "B002", "answer": "gold", "trail": "2"}
    found = found_in(suite, [{**row, "said": "Lyon"}, {**row, "topic": "towns", "trial": 2}, other])

    named = "'said', 'topic', 'trail' (did you mean 'trial'?)"
    assert found.notes == [f"fields with texts that are not read: {named}"]


@each_row(
    ("fields", "meant"),
    [
        ({"latency": 0.5}, "'latency', which is not read (did you mean 'latency_s', in seconds?)"),
        ({"usage": {"inputTokens": 7}}, "'inputTokens', which is not read (did you mean "),
        ({"tool_calls": [{"name": "f"}], "latency": 0.5}, "'latency', which is not read"),
        ({"latency_s": 0.5, "prompt_tokens": 7, "usage": {"completion_tokens": 7}}, ""),
        ({"latency": "0.5"}, "fields with texts that are not read: 'latency'"),
        ({"choices": [{"message": {"content": "gold"}}], "usage": {"total_tokens": 7}}, ""),
    ],
)
def test_fields_of_costs_and_times_that_are_not_read_are_named_once(
    suite: Suite, fields: dict[str, Any], meant: str
) -> None:
    """As `lb validate` names them in records of responses."""
    notes = found_in(suite, [{"id": "B001", "answer": "gold", **fields}]).notes

    assert len(notes) == (1 if meant else 0)
    assert meant in "".join(notes)


def test_lists_that_may_be_the_steps_of_an_agent_are_named(suite: Suite) -> None:
    """Without them an agent has called nothing. Only suites with steps need such a note."""
    row = {"id": "B001", "output": "gold", "tags": ["a"], "steps": [{"tool": "f"}]}
    pairs = {"id": "B002", "output": "tin", "log": [[{"tool": "f"}, "3"]], "trajectory": []}
    acting = replace(suite, kind=KINDS["tool_usage"])
    note = "fields with lists that are not read: 'steps', 'log'"

    assert found_in(acting, [row, pairs]).notes == [
        f"{note}; steps of agents are read from intermediate_steps"
    ]
    assert found_in(suite, [row, pairs]).notes == []


@each_row(
    ("models", "shown"),
    [
        (["gpt-x", "other"], "2 models answered: 'gpt-x', 'other'"),
        (["gpt-x", "gpt-x-2026-05-01"], None),
        (["lab/gpt-x", "gpt-x-latest"], None),
        (["gpt-x@20260501", "gpt-x-0501"], None),
        (["gpt-x", None], None),
    ],
)
def test_the_models_of_a_file_are_named_if_there_are_several(
    suite: Suite, models: list[str | None], shown: str | None
) -> None:
    """Their answers would become one submission. Records or replies name them."""
    ids = ("B001", "B002")
    note = f"{shown}; a submission has the answers of one model, or of one agent"
    said = {"choices": [{"message": {"content": "x"}}]}
    rows = [{"id": name, "model": of, "answer": "x"} for name, of in zip(ids, models, strict=True)]
    bodies = [
        {"id": name, "response": {**said, "model": of}}
        for name, of in zip(ids, models, strict=True)
    ]
    for document in (rows, bodies):
        assert found_in(suite, document).notes == ([note] if shown else [])


def test_two_models_cannot_answer_one_case(suite: Suite) -> None:
    """Like two providers of promptfoo."""
    rows = [{"id": "B001", "model": name, "answer": name} for name in ("gpt-x", "other")]

    with pytest.raises(FilesError, match="that another model has answered: 'B001' by 'gpt-x'"):
        found_in(suite, rows)


def test_tokens_and_seconds_in_cells_are_kept(suite: Suite) -> None:
    """In fields of responses too, which a table has as texts."""
    rows = b"id,model_text,latency_s,input_tokens,trial,error\nB001,It is Paris.,0.5,7,1,None\n"
    (record,) = convert(read_container(rows, "x"), suite, "x").records

    assert record == {
        "id": "B001",
        "user_query": "question of B001?",
        "model_text": "It is Paris.",
        "latency_s": 0.5,
        "usage": {"input_tokens": 7},
        "trial": 1,
    }


def test_tokens_of_a_reply_are_kept_beside_the_seconds_of_a_record(suite: Suite) -> None:
    """What the harness says takes precedence over what the reply says."""
    message = {"role": "assistant", "content": "It is Paris."}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    body = {"choices": [{"message": message}], "usage": usage}
    given = {"id": "B001", "response": body, "latency_s": 1.25, "usage": {"output_tokens": 9}}
    (record,) = converted(suite, [given])

    assert (record["usage"], record["latency_s"]) == (
        {"input_tokens": 11, "output_tokens": 9},
        1.25,
    )


@each_row(
    ("text", "error"),
    [
        ('{"name": "convert_units", "arguments": {"value": 3, "to_unit": "yards"}}', None),
        ("One moment.", "the reply ended with a call, but contains none: tool_calls"),
    ],
)
def test_a_call_that_was_left_in_the_text_is_not_lost(
    suite: Suite, text: str, error: str | None
) -> None:
    """Servers without a parser leave calls there. Without any call, the answer is an error."""
    choice = {"message": {"content": text}, "finish_reason": "tool_calls"}
    (record,) = converted(suite, [{"id": "A001", "response": {"choices": [choice]}}])

    assert record.get("error") == error
    assert (record["model_function_call"] is None) == (error is not None)


MESSAGE = {"role": "assistant", "content": "It is"}


@each_row(
    "row",
    [
        {"response": {"choices": [{"message": MESSAGE, "finish_reason": "length"}]}},
        {"response": {"message": MESSAGE, "done_reason": "length"}},
        {"response": "It is", "finish_reason": "length"},
        {"messages": [{**MESSAGE, "stop_reason": "max_tokens"}]},
        {"messages": [{**MESSAGE, "response_metadata": {"finish_reason": "length"}}]},
        {
            "epoch": 1,
            "messages": [MESSAGE],
            "output": {"choices": [{"message": MESSAGE, "stop_reason": "max_tokens"}]},
        },
    ],
)
def test_replies_that_the_token_limit_ended_are_counted(suite: Suite, row: Json) -> None:
    """They are scored as they are, and a higher limit may be all that they need."""
    found = found_in(suite, [{"id": "B001", **row}])

    assert found.records[0]["model_text"] == "It is"
    assert found.notes == ["1 × a reply was cut off at the token limit"]


@each_row(
    "row",
    [
        {"response": {"choices": [{"message": MESSAGE, "finish_reason": "content_filter"}]}},
        {"response": "It is", "finish_reason": "content_filter"},
        {"messages": [{**MESSAGE, "stop_reason": "pause_turn"}]},
        {"messages": [{"type": "message", **MESSAGE, "stop_reason": "refusal"}]},
        {"messages": [MESSAGE, {**MESSAGE, "content": "", "stop_reason": "refusal"}]},
        {
            "epoch": 1,
            "messages": [MESSAGE],
            "output": {"choices": [{"message": MESSAGE, "stop_reason": "content_filter"}]},
        },
    ],
)
def test_replies_that_lack_a_part_are_counted(suite: Suite, row: Json) -> None:
    """They are scored as they are, like those at the token limit."""
    found = found_in(suite, [{"id": "B001", **row}])

    assert found.records[0]["model_text"] == "It is"
    assert found.notes == ["1 × a reply is unfinished, or was ended by a filter"]


def test_a_reply_that_failed_is_an_error(suite: Suite) -> None:
    """Whatever the model had said before."""
    body = {"choices": [{"message": MESSAGE, "finish_reason": "error"}]}
    (record,) = converted(suite, [{"id": "B001", "response": body}])

    assert (record["model_text"], record["error"]) == (None, "the reply ended early: error")


def said(role: str, content: str) -> Json:
    return {"role": role, "content": content}


ASKED = said("user", "question of B001?")
FURTHER = [said("user", "Are you sure?"), said("assistant", "No, it is Rome.")]
EXAMPLE = [said("user", "Why?"), said("assistant", "Because.")]


@each_row(
    ("messages", "text", "notes"),
    [
        ([*EXAMPLE, ASKED, said("assistant", "It is Paris.")], "It is Paris.", []),
        (
            [ASKED, said("assistant", "It is Paris."), *FURTHER],
            "It is Paris.",
            ["1 × a conversation continues after the answer; the later turns do not count"],
        ),
        (
            [said("user", "Tell me."), said("assistant", "What?"), *FURTHER],
            "No, it is Rome.",
            [OTHER, "1 × only the reply to the user's last message counts"],
        ),
    ],
)
def test_the_reply_to_the_question_counts(
    suite: Suite, messages: Json, text: str, notes: list[str]
) -> None:
    """No example before it, and no further attempt after it. Else the last reply counts."""
    found = found_in(suite, [{"id": "B001", "messages": messages}])

    assert (found.records[0]["model_text"], found.notes) == (text, notes)


CALLING = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c", "function": {"name": "add", "arguments": "{}"}}],
}
FINISHED = {
    "role": "assistant",
    "tool_calls": [
        {"id": "c", "function": {"name": "Finish", "arguments": '{"final_answer": "2"}'}}
    ],
}
SUBMITTED = {
    "role": "assistant",
    "tool_calls": [{"id": "c", "function": "submit", "arguments": {"answer": "It is 5."}}],
}
TOOL = {"role": "tool", "tool_call_id": "c", "content": "5"}
GO_ON = said("user", "Go on.")
WRONG = [said("user", "Wrong. It is 5."), CALLING, TOOL, said("assistant", "It is 5.")]
CONTINUES = ["1 × a conversation continues after the answer; the later turns do not count"]


@each_row(
    ("messages", "steps", "text", "notes"),
    [
        ([ASKED, said("assistant", "I do not know."), *WRONG], 0, "I do not know.", CONTINUES),
        ([ASKED, CALLING, TOOL, said("assistant", "It is 4."), *WRONG], 1, "It is 4.", CONTINUES),
        ([ASKED, CALLING, TOOL, FINISHED, *WRONG], 2, None, CONTINUES),
        ([ASKED, CALLING, said("user", "5"), said("assistant", "It is 5.")], 1, "It is 5.", []),
        ([ASKED, CALLING, TOOL, GO_ON, said("assistant", "It is 5.")], 1, "It is 5.", []),
        ([*EXAMPLE, CALLING, ASKED, said("assistant", "It is 5.")], 0, "It is 5.", []),
        ([ASKED, said("assistant", "<tool_call>{}</tool_call>"), *WRONG], 1, "It is 5.", []),
    ],
)
def test_the_answer_of_an_agent_ends_before_the_next_message_of_the_user(
    suite: Suite, messages: Json, steps: int, text: str | None, notes: list[str]
) -> None:
    """That message may be what the scorer said. After a turn with calls, the agent goes on."""
    for kind in ("tool_usage", "stable_toolbench"):
        acting = replace(suite, kind=KINDS[kind])
        found = found_in(acting, [{"id": "B001", "messages": messages}])
        (record,) = found.records

        assert (len(record["intermediate_steps"]), record["output"]) == (steps, text)
        assert found.notes == notes


@each_row(
    ("messages", "steps"),
    [
        ([said("assistant", "I add."), GO_ON, CALLING, TOOL, SUBMITTED], 1),
        ([said("assistant", "I add."), GO_ON, SUBMITTED, *WRONG], 0),
    ],
)
def test_agents_of_inspect_go_on_until_they_submit(
    suite: Suite, messages: Json, steps: int
) -> None:
    """Inspect asks them to. A message after the first submission may say what was wrong with it."""
    acting = replace(suite, kind=KINDS["tool_usage"])
    sample = {"id": "B001", "epoch": 1, "output": {}, "messages": [ASKED, *messages]}
    (record,) = converted(acting, [sample])

    assert (len(record["intermediate_steps"]), record["output"]) == (steps, "It is 5.")


def test_an_agent_without_a_reply_to_the_question_gives_no_answer(suite: Suite) -> None:
    """The turns before the question are examples."""
    acting = replace(suite, kind=KINDS["tool_usage"])

    with pytest.raises(FilesError, match="has no reply to the user's last message"):
        converted(acting, [{"id": "B001", "messages": [*EXAMPLE, ASKED]}])


def test_a_request_with_examples_is_no_answer(suite: Suite) -> None:
    """The user has the last word in it. The answer is elsewhere in the record, or missing."""
    row = {"id": "B001", "messages": [*EXAMPLE, ASKED]}

    assert (
        converted(suite, [{**row, "response": "It is Paris."}])[0]["model_text"] == "It is Paris."
    )
    with pytest.raises(FilesError, match="has no reply to the user's last message"):
        converted(suite, [row])


def test_an_id_and_a_question_of_different_cases_are_a_problem(suite: Suite) -> None:
    """One of them is wrong. Another wording of the question is none."""
    row = {"id": "B001", "answer": "It is Paris."}

    with pytest.raises(FilesError, match="asks the question of another one: B001 and B002"):
        converted(suite, [{**row, "question": "question of B002?"}])
    assert converted(suite, [{**row, "question": "Another wording?"}])


def test_documents_are_found_by_their_question_before_their_number(folder: Folder) -> None:
    """A harness numbers its documents from 0, so a number may name the case before."""
    asked = {"1": "Capital of France?", "2": "Capital of Italy?"}
    cases = [{**text_case(case_id, "x"), "user_query": query} for case_id, query in asked.items()]
    folder.write("datasets/small/no_tool.json", cases)
    suite = load_suite(open_workspace(folder.root), "small", KINDS)
    sample = {"doc_id": 1, "resps": [["Rome"]]}
    by_question = found_in(suite, [{**sample, "doc": {"question": "Capital of Italy?"}}])
    by_number = found_in(suite, [{**sample, "doc": {"question": "Q: Capital of Italy?"}}])

    assert (by_question.records[0]["id"], by_question.notes) == ("2", [])
    assert by_number.records[0]["id"] == "1"
    only_number = "1 × a case is found only by doc_id, which may be another number"
    assert by_number.notes == [only_number, OTHER]


@each_row(
    ("messages", "error", "notes"),
    [
        ([said("assistant", "It is Paris.")], None, 1),
        ([{"role": "assistant", "tool_calls": [{"function": "f", "arguments": {}}]}], None, 1),
        ([said("assistant", "")], "torn down", 0),
        ([], "torn down", 0),
    ],
)
def test_an_error_after_the_answer_is_none(
    suite: Suite, messages: Json, error: str | None, notes: int
) -> None:
    """Inspect notes errors of a sandbox or a scorer too, with which the model has nothing to do."""
    sample = {"id": "B001", "epoch": 1, "output": {}, "error": {"message": "torn down"}}
    found = found_in(suite, [{**sample, "messages": [ASKED, *messages]}])

    assert found.records[0].get("error") == error
    assert found.notes == ["1 × an error came after the answer, which counts"] * notes


@each_row(
    ("answer", "text", "notes"),
    [
        ("<think>Hm.</think>In 1969.", "In 1969.", 1),
        ({"choices": [{"message": {"content": "<think>Hm.</think>\n\nIn 1969."}}]}, "In 1969.", 1),
        ("In 1969. <think>Hm.</think>", "In 1969. <think>Hm.</think>", 0),
    ],
)
def test_thoughts_are_removed_with_a_note(
    suite: Suite, answer: Json, text: str, notes: int
) -> None:
    """Only those at the start of a text or a line: others may be the answer."""
    found = found_in(suite, [{"id": "B002", "response": answer}])

    assert found.records[0]["model_text"] == text
    assert found.notes == ["1 × thoughts at the start of a text or a line were removed"] * notes


CALL = {"name": "convert_units", "arguments": {"value": 3}}
UNCLOSED = "1 × a text ends within its thoughts, and has no answer"
THOUGHTS = "1 × thoughts at the start of a text or a line were removed"
TOKENS = "1 × tokens of a chat template around a text were removed"


@each_row(
    ("answer", "text", "notes"),
    [
        ("<think>Hm. In 1969, or", None, [UNCLOSED]),
        ("In 1969.<|im_end|>", "In 1969.", [TOKENS]),
        ("[THINK]Hm.[/THINK]In 1969.</s>", "In 1969.", [THOUGHTS, TOKENS]),
        ("<|channel|>final<|message|>In 1969.<|return|>", "In 1969.", [TOKENS]),
        ("It ends with `<|im_end|>`.", "It ends with `<|im_end|>`.", []),
    ],
)
def test_only_the_answer_of_a_text_is_kept(
    suite: Suite, answer: str, text: str | None, notes: list[str]
) -> None:
    """What is left out is counted. A text that the model did not end has no answer."""
    other = {"id": "B001", "response": "It is Paris."}
    found = found_in(suite, [{"id": "B002", "response": answer}, other])

    assert found.records[0]["model_text"] == text
    assert found.notes == notes


@each_row(
    ("text", "notes"),
    [
        (f"{json.dumps(CALL)}<|im_end|>", []),
        (f"<think>Hm.\n<tool_call>{json.dumps(CALL)}</tool_call>", [THOUGHTS]),
    ],
)
def test_a_call_is_read_with_what_is_around_it(suite: Suite, text: str, notes: list[str]) -> None:
    """Its tokens are a part of the call, and thoughts that end with a call are not cut off."""
    found = found_in(suite, [{"id": "A001", "response": text}])

    assert found.records[0]["model_function_call"] == CALL
    assert found.records[0]["model_text"] is None
    assert found.notes == ["1 × a text is a tool call, and was read as a call", *notes]


SAID = json.dumps(CALL)


@each_row(
    "body",
    [
        {"choices": [{"message": {"role": "assistant", "content": SAID}}]},
        {"content": [{"type": "text", "text": SAID}], "stop_reason": "end_turn"},
        {"object": "response", "output": [{"type": "message", "content": SAID}]},
        {"candidates": [{"content": {"parts": [{"text": SAID}]}}]},
    ],
)
def test_a_call_that_a_server_left_in_the_text_is_read(suite: Suite, body: Json) -> None:
    """Servers that do not know a model's own form of calls leave them there."""
    found = found_in(suite, [{"id": "A001", "response": body}])

    answer = {"model_function_call": CALL, "model_text": None}
    assert found.records[0] == {"id": "A001", "user_query": suite.by_id["A001"].query, **answer}
    assert found.notes == ["1 × a text is a tool call, and was read as a call"]


def test_texts_that_look_like_calls_are_counted(suite: Suite) -> None:
    """They count as no call, which passes where no call is right."""
    rows = [{"id": "A001", "text": 'Action: convert_units\nAction Input: {"value": 3}'}]
    rows += [{"id": "B001", "text": "It is Paris."}, {"id": "B002", "text": f"{SAID}\n\n{SAID};"}]
    found = found_in(suite, rows)

    assert found.notes == ["2 × a text looks like a tool call, but was left as text"]


def test_a_text_that_the_tester_kept_beside_calls_is_no_call(suite: Suite) -> None:
    """The tester took the calls from the reply. Calls in an unknown form are a problem."""
    row = {"id": "A001", "user_query": "question of A001?"}
    kept: dict[str, Json] = {"model_function_call": None, "full_model_response": SAID}
    (record,) = converted(suite, [{**row, "model_response": kept}])

    assert (record["model_function_call"], record["model_text"]) == (None, SAID)

    kept["model_function_call"] = {"name": "convert_units", "values": {"value": 3}}
    with pytest.raises(FilesError, match="has a model_response of no known form"):
        converted(suite, [{**row, "model_response": kept}])


def test_a_column_of_scores_that_is_no_metric_is_named(folder: Folder) -> None:
    """Without a message, the scores would be gone. Words of other columns are no scores."""
    folder.write("datasets/reported/suite.toml", REPORTED)
    folder.write("datasets/reported/cases.json", [{"id": "1"}, {"id": "2"}])
    suite = load_suite(open_workspace(folder.root), "reported", KINDS)
    rows = b"id,accuracy,f1,topic\n1,1,0.5,sums\n2,0,pass,sums\n"
    found = convert(read_container(rows, "x"), suite, "x")

    nothing = convert(read_container(b"id,accuracy\n1,nan\n2,1\n", "x"), suite, "x")

    assert [{"accuracy": None}, {"accuracy": 1.0}] == [one["metrics"] for one in nothing.records]
    assert [{"accuracy": 1.0}, {"accuracy": 0.0}] == [record["metrics"] for record in found.records]
    assert ["2 × a value of f1 left out: the suite has no such metric"] == found.notes
    old = replace(suite, by_id={"1": suite.by_id["1"]}, retired=frozenset(["2"]))
    left = convert(read_container(rows, "x"), old, "x")
    assert ["1"] == [record["id"] for record in left.records]
    assert "1 × a record of a retired case was left out" in left.notes
