"""`lb new --from`: each form is accepted with the right score, or refused with advice."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import app
from leaderboard.responses.forms.answered_case import batch_id
from tests.conftest import Folder, call_case
from tests.leaderboard.responses.forms.perfect_answers import (
    ANSWERS,
    FORMS,
    as_text,
    batch_line,
    chat_body,
    conversation,
    dump,
    each,
    inspect_archive,
    lines,
    lm_eval_sample,
    promptfoo_result,
)
from tests.runners.model_board import add_suites

CARD = ("--organization", "My lab", "--model", "m-7b", "--date", "2026-05-18")


def scores(folder: Folder) -> dict[str, float]:
    """Scores everything, and returns the score of each submission over the whole suite."""
    result = folder.lb("rescore", "--offline")
    assert 0 == result.exit_code, result.stderr
    rows = json.loads((folder.root / "results/scores.json").read_text())
    return {row["submission"]: row["score"] for row in rows if row["category"] == "*"}


@pytest.mark.large
def test_perfect_answers_have_a_perfect_score_in_every_form(folder: Folder, tmp_path: Path) -> None:
    """Each form is named, complete, valid, and scores like the responses file itself."""
    for number, (name, (data, form)) in enumerate(FORMS.items()):
        source = tmp_path / "given"  # the name says nothing
        source.write_bytes(data)
        result = folder.lb("new", f"m{number}", "--from", str(source), "--suite", "small", *CARD)
        assert 0 == result.exit_code, f"{name}: {result.stderr}"
        assert f"{source}: {form}" in result.stderr, name
        assert "5 records, 3 calls, 2 texts, 0 errors" in result.stderr, name
        assert "5 of 5 cases of small answered" in result.stderr, name
    assert 0 == folder.lb("validate").exit_code
    assert {f"m{number}": 1.0 for number in range(len(FORMS))} == scores(folder)


def given(folder: Folder, tmp_path: Path, data: bytes, *more: str, suite: str = "small") -> Any:
    """Runs `lb new m1` from a file with these bytes."""
    source = tmp_path / "given"
    source.write_bytes(data)
    return folder.lb("new", "m1", "--from", str(source), "--suite", suite, *CARD, *more)


EMPTY = dump(each(lambda i, _: {"id": i, "response": ""}))
BARE = dump(each(lambda i, _: {"id": i, "tool_calls": [{"name": "convert_units", "args": {}}]}))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            dump(each(lambda i, _: {"id": i, "outcome": "x"})),
            "record 1 and 4 more: has no known answer field",
        ),
        (dump(each(lambda i, _: {"id": i, "outcome": "x"})), "its fields are 'id', 'outcome'"),
        (EMPTY, "all of them are empty (check where the file keeps its answers"),
        (dump([{"id": "B001", "response": ""}]), "has 1 record, which is empty ("),
        (
            dump([{"id": "B001", "error": "late"}]),
            "has 1 record without an answer, 1 with an error",
        ),
        (
            dump([{"id": "A001", "tool_calls": [{"name": "convert_units", "args": {}}]}]),
            "has 1 call, which has no arguments although its tool needs some",
        ),
        (BARE, "5 calls, all without arguments; 5 of their tools need some"),
        (
            dump(
                each(lambda i, a: {"id": i, "answer": "the expected one", "response": as_text(a)})
            ),
            "has different texts in 'answer' and 'response' (keep the one that the model wrote",
        ),
        (
            dump(each(lambda i, _: {"id": f"x{i}", "answer": "x"})),
            "record 1 and 4 more: has neither the id nor the question of a case of small: 'xA001'",
        ),
        (lines(each(lambda i, a: {"id": i, "response": [1, as_text(a)]})), "neither text nor a"),
        (lines([promptfoo_result("B001", "x")] * 2), "line 2: answers a case a second time"),
        (
            lines([{**lm_eval_sample(0, "B001", ""), "resps": [[["-1.5", "False"]]]}]),
            "holds log-likelihoods, and no text of an answer (run a task of type generate_until",
        ),
        (
            lines([{"custom_id": "B001", "response": {"body": {"strange": 1}}, "error": None}]),
            "has a reply of no known form",
        ),
        (dump([{"id": "r", "inputs": {}, "outputs": {}, "run_type": "chain"}]), "lb import langs"),
        (lines([{"id": "simple_0", "result": [{"f": "{}"}]}]), "read them with: lb import bfcl"),
        (b"One answer\nanother answer\n", "is neither JSON, JSON lines, CSV, Parquet nor an In"),
        (b'a,b\n"1', "has a quote in row 2 that does not close"),
        (b"PAR1 and no more", "is not a Parquet file: "),
        (b"PK\x03\x04 and no more", "cannot be unpacked: "),
        (b"id,answer\nB001,caf\xe9\n", "is not UTF-8"),
        (b"[]", "holds no records"),
        (b"", "is empty"),
    ],
)
def test_what_would_score_less_is_refused_with_advice(
    folder: Folder, tmp_path: Path, data: bytes, told: str
) -> None:
    """One message with a count says what is wrong, and nothing is written."""
    result = given(folder, tmp_path, data)
    assert 1 == result.exit_code
    assert told in result.stderr
    assert 1 == result.stderr.count("error:")
    assert not (folder.root / "submissions/m1").exists()


@pytest.mark.parametrize("data", [EMPTY, BARE])
def test_empty_answers_can_be_meant(folder: Folder, tmp_path: Path, data: bytes) -> None:
    """--allow-empty accepts answers that say nothing, and calls without arguments."""
    result = given(folder, tmp_path, data, "--allow-empty")
    assert 0 == result.exit_code, result.stderr
    assert 0 == folder.lb("validate").exit_code


def test_single_empty_answers_are_named(folder: Folder, tmp_path: Path) -> None:
    """They may be lost, and may be meant. A record with an error is none of them."""
    told = [
        {"id": "A001", "answer": ""},
        {"id": "B001", "answer": "It is Paris."},
        {"id": "B002", "answer": "", "error": "lost"},
    ]
    result = given(folder, tmp_path, dump(told))

    assert 0 == result.exit_code, result.stderr
    assert "1 record is empty: A001\n" in result.stderr


def test_a_case_with_an_empty_record_is_not_counted_as_answered(
    folder: Folder, tmp_path: Path
) -> None:
    """One of several trials with an answer is an answer."""
    told = [
        {"id": "A001", "answer": ""},
        {"id": "B001", "answer": "", "trial": 1},
        {"id": "B001", "answer": "It is Paris.", "trial": 2},
    ]
    result = given(folder, tmp_path, dump(told))

    assert "2 of 5 cases of small have a record, 1 of them an empty one\n" in result.stderr


def test_calls_that_cannot_be_read_are_named_with_the_reason(
    folder: Folder, tmp_path: Path
) -> None:
    """Somebody who looks for the fault needs both."""
    told = [
        {"id": "A001", "tool_calls": [{"name": "convert_units", "arguments": "{"}]},
        {"id": "B001", "answer": "It is Paris."},
    ]
    result = given(folder, tmp_path, dump(told))

    what = "1 record has calls that cannot be read: A001 (the arguments of convert_units are text"
    assert what in result.stderr, result.stderr


def test_answers_beside_an_error_are_counted(folder: Folder, tmp_path: Path) -> None:
    """They count as failed. A cell may only say that there was no error, in words of its own."""
    told = b"ID,Answer,Error\nB001,It is Paris.,N/A\nB002,In 1969.,all well\nA001,,lost\n"
    result = given(folder, tmp_path, told)

    assert "plain texts and errors in CSV" not in result.stderr
    assert "3 records, 0 calls, 2 texts, 2 errors" in result.stderr
    assert "1 record has an answer and an error: the error counts\n" in result.stderr


def test_cases_with_only_errors_are_not_counted_as_answered(folder: Folder, tmp_path: Path) -> None:
    """One of several trials with an answer is an answer. Cases without a record are others."""
    source = tmp_path / "mine.json"
    records = [
        {"id": "A001", "trial": 1, "error": "status 500"},
        {"id": "A001", "trial": 2, "error": "status 500"},
        {"id": "B001", "trial": 1, "model_text": "Paris"},
        {"id": "B001", "trial": 2, "error": "status 500"},
        {"id": "B002", "trial": 1, "model_text": "In 1970", "error": "cut off"},
        {"id": "B002", "trial": 2, "model_text": "In 1970", "error": "cut off"},
    ]
    source.write_text(json.dumps({"test_results": records}))
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 0 == result.exit_code, result.stderr
    lines = result.stderr.splitlines()
    failed = (
        "3 of 5 cases of small have a record, 2 of them an error in place of an answer, which is a"
        f" fail; to change that, ask again and replace the records in {source}"
    )
    missing = lines[lines.index(failed) + 1]
    assert missing.startswith("the others count as fails; if they were not asked, write")


def test_records_with_only_an_error_are_announced_as_errors(folder: Folder, tmp_path: Path) -> None:
    """They are no texts."""
    told = [{"id": "A001", "error": "lost"}, {"id": "B001", "tool_calls": [{"name": "f"}]}]
    result = given(folder, tmp_path, dump(told), "--allow-empty")

    assert "errors and calls and texts in JSON: 2 records" in result.stderr


def test_amounts_that_cannot_be_read_are_problems(folder: Folder, tmp_path: Path) -> None:
    """Costs and times would else be missing on the board, and nobody would notice."""
    told = b'id,answer,cost_usd,latency_s,input_tokens\nB001,x,$0.002,"0,8","1,234"\n'
    result = given(folder, tmp_path, told)

    assert 1 == result.exit_code
    for place, value in (("cost_usd", "$0.002"), ("input_tokens", "1,234")):
        assert f"row 2, usage.{place}: " in result.stderr
        assert f"got '{value}'" in result.stderr
    assert "row 2, latency_s: " in result.stderr


def test_ids_may_be_numbers_or_absent(folder: Folder, tmp_path: Path) -> None:
    """`7` and `7.0` name the case "7". Without an id, the question says which case is answered."""
    cases = [call_case("7", 3, "yards"), call_case("A002", 4, "feet"), call_case("a/b c", 5, "m")]
    folder.write("datasets/small/tool_selection.json", cases)
    told = [
        {"id": 7, "answer": "x"},
        {"question": "4 metres in feet?", "answer": "x"},
        {"custom_id": batch_id("a/b c"), "answer": "x"},
    ]
    result = given(folder, tmp_path, lines(told))
    assert 0 == result.exit_code, result.stderr
    written = json.loads(folder.tree("submissions/m1")["small.json"])
    assert ["7", "A002", "a/b c"] == [record["id"] for record in written["test_results"]]


def test_standard_input_is_read(folder: Folder) -> None:
    """`--from -` reads a pipe, packed or not."""
    arguments = ["--workspace", str(folder.root), "new", "m1", "--from", "-", "--suite", "small"]
    data = gzip.compress(FORMS["OpenAI batch"][0])
    result = CliRunner().invoke(app, arguments, input=data)
    assert 0 == result.exit_code, result.stderr
    assert "standard input: OpenAI batch output in JSON lines: 5 records" in result.stderr


def test_failed_requests_and_usage_are_kept(folder: Folder, tmp_path: Path) -> None:
    """A refused request is an error of its record. Tokens are taken from the replies."""
    refused = {"custom_id": "B001", "response": None, "error": {"code": "x", "message": "too big"}}
    errored = {"type": "errored", "error": {"type": "error", "error": {"message": "overloaded"}}}
    told = [
        batch_line("A001", chat_body(ANSWERS["A001"])),
        refused,
        {"custom_id": "B002", "result": errored},
    ]
    result = given(folder, tmp_path, lines(told))
    assert 0 == result.exit_code, result.stderr
    assert "3 records, 1 call, 0 texts, 2 errors" in result.stderr
    written = json.loads(folder.tree("submissions/m1")["small.json"])["test_results"]
    assert {"input_tokens": 11, "output_tokens": 7} == written[0]["usage"]
    assert ["too big", "overloaded"] == [record["error"] for record in written[1:]]


def test_a_conversation_in_an_environment_becomes_steps(folder: Folder, tmp_path: Path) -> None:
    """Calls of all turns are steps with the tools' replies, and the last text is the answer."""
    add_suites(folder)
    typed = [
        {"id": f"c{n}", "type": "function", "function": {"name": "type_letter", "arguments": a}}
        for n, a in enumerate(('{"letter": "h"}', '{"letter": "i"}'))
    ]
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": typed},
        {"role": "tool", "tool_call_id": "c1", "content": "second"},
        {"role": "tool", "tool_call_id": "c0", "content": "first"},
        {"role": "assistant", "content": "hi"},
    ]
    result = given(folder, tmp_path, dump([{"id": "T1", "messages": messages}]), suite="acts")
    assert 0 == result.exit_code, result.stderr
    written = json.loads(folder.tree("submissions/m1")["acts.json"])["test_results"]
    steps = [
        {"tool": "type_letter", "tool_input": {"letter": letter}, "observation": reply}
        for letter, reply in (("h", "first"), ("i", "second"))
    ]
    record = {"id": "T1", "user_query": "hi", "output": "hi", "intermediate_steps": steps}
    assert [record] == written


def test_a_failed_request_leaves_the_steps_of_other_records(folder: Folder, tmp_path: Path) -> None:
    """The file is one of responses, also if a record has nothing but its error."""
    add_suites(folder)
    steps = [{"tool": "type_letter", "tool_input": {"letter": "h"}, "observation": "OK"}]
    records = [{"id": "T1", "output": "h", "intermediate_steps": steps}]
    records += [{"id": "K1", "error": "timeout"}]
    result = given(folder, tmp_path, dump(records), suite="acts")
    assert "2 records, 1 call" in result.stderr
    assert records == json.loads(folder.tree("submissions/m1")["acts.json"])


def test_answers_of_two_providers_are_refused(folder: Folder, tmp_path: Path) -> None:
    """They are no attempts of one system. Samples with two filters are refused, too."""
    told = [{**promptfoo_result("B001", "x"), "provider": {"id": name}} for name in ("a", "b")]
    result = given(folder, tmp_path, lines(told))
    assert "another provider has answered: 'B001' by 'a' and 'b'" in result.stderr
    assert "keep the records of one provider" in " ".join(result.stderr.split())

    told = [{**lm_eval_sample(1, "B001", "x"), "filter": name} for name in ("strict", "none")]
    result = given(folder, tmp_path, lines(told))
    assert "another filter has answered: 'B001' by 'strict' and 'none'" in result.stderr


def test_the_first_reply_to_the_question_counts(folder: Folder, tmp_path: Path) -> None:
    """Examples before the question are no answer, and neither is what follows a tool's reply."""
    example = conversation("B001", "An example.")
    told = dump([{"id": "A001", "messages": [*example, *conversation("A001", ANSWERS["A001"])]}])
    result = given(folder, tmp_path, told)
    note = "1 × a conversation continues after the answer; the later turns do not count"
    assert note in result.stderr
    record = json.loads(folder.tree("submissions/m1")["small.json"])["test_results"][0]
    assert ("convert_units", None) == (record["model_function_call"]["name"], record["model_text"])


@pytest.mark.parametrize("form", ["OpenAI batch", "chat bodies", "CSV", "Inspect archive"])
def test_a_submission_with_a_foreign_form_is_one_problem(folder: Folder, form: str) -> None:
    """`lb validate` names the form and the command that converts it."""
    folder.submission("m1", FORMS[form][0])
    result = folder.lb("validate")
    assert 1 == result.exit_code
    assert "convert it with: lb new m1 --from FILE --suite SUITE" in result.stderr
    assert 1 == result.stderr.count("error:")


def test_a_foreign_file_beside_the_responses_has_the_hint_too(folder: Folder) -> None:
    """small.csv is not part of a submission, and lb new reads it."""
    folder.submission("m1", FORMS["native"][0])
    folder.write("submissions/m1/small.csv", FORMS["CSV"][0])
    assert "convert it with: lb new m1 --from FILE" in folder.lb("validate").stderr


def gzip_bomb() -> bytes:
    """3 MB that unpack to 600 MB."""
    return gzip.compress(b'{"a": "' + b"x" * 600_000_000 + b'"}', 1)


def zip_bomb() -> bytes:
    """A zip file of 60 kB with a sample of 60 MB."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/1.json", b'{"messages": "' + b"x" * 60_000_000 + b'"}')
    return file.getvalue()


@pytest.mark.large
@pytest.mark.parametrize(
    ("make", "told"),
    [(gzip_bomb, "unpacks to more than 512 MB"), (zip_bomb, "a sample of more than 40 MB")],
    ids=["gzip", "zip"],
)
def test_bombs_are_refused(
    folder: Folder, tmp_path: Path, make: Callable[[], bytes], told: str
) -> None:
    """A file that unpacks to more than a limit is one problem."""
    result = given(folder, tmp_path, make())
    assert 1 == result.exit_code
    assert told in result.stderr


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'[{"id": "A001", "answer": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]", "levels deep"),
        (b'[{"id": "A001", "answer": "x", "usage": ' + b"9" * 5000 + b"}]", "number"),
        (b"id,answer\nB001,\x00\n", "is neither JSON"),
        (inspect_archive()[:-40], "cannot be unpacked"),
    ],
    ids=["depth", "number", "NUL", "cut off"],
)
def test_hostile_files_are_refused(folder: Folder, tmp_path: Path, data: bytes, told: str) -> None:
    """Depth, endless numbers and damage are one problem each."""
    result = given(folder, tmp_path, data)
    assert 1 == result.exit_code
    assert told in result.stderr
