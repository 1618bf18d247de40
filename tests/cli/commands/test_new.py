"""`lb new`: a folder to fill in, or one made from a responses file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import app
from leaderboard.network import secret_keys
from tests.conftest import SUITE, Folder


def test_new_scaffolds_a_submission(folder: Folder) -> None:
    """`lb new` writes a card to fill in, and no README that would be published as it is."""
    assert 0 == folder.lb("new", "m1").exit_code
    assert {"submission.json"} == set(folder.tree("submissions/m1"))
    told = folder.lb("validate", "m1")
    assert 1 == told.exit_code
    assert "$.organization" in told.stderr
    assert "holds no responses file" in told.stderr


def test_new_takes_over_a_responses_file(folder: Folder, tmp_path: Path) -> None:
    """`--from` checks a responses file and copies it. With a full card it validates at once."""
    source = tmp_path / "mine.json"
    source.write_text(json.dumps({"test_results": [{"id": "B001", "model_text": "Paris"}]}))
    card = ["--organization", "My lab", "--model", "m-7b", "--date", "2026-05-18"]
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small", *card)
    assert 0 == result.exit_code, result.stderr
    assert "1 of 5 cases of small answered" in result.stderr
    assert source.read_bytes() == folder.tree("submissions/m1")["small.json"]
    assert "next: lb" in result.stderr
    assert "fill in" not in result.stderr
    assert 0 == folder.lb("validate", "m1").exit_code


def test_new_reads_the_output_of_a_command(folder: Folder) -> None:
    """`--from <(my-harness)` names a pipe."""
    read_end, write_end = os.pipe()
    os.write(write_end, b'[{"id": "B001", "model_text": "Paris"}]')
    os.close(write_end)
    result = folder.lb("new", "m1", "--from", f"/dev/fd/{read_end}", "--suite", "small")
    os.close(read_end)

    assert 0 == result.exit_code, result.stderr
    assert "1 of 5 cases of small answered" in result.stderr


def test_new_names_the_fields_that_are_empty(folder: Folder) -> None:
    """Only what is missing on the card is left to fill in."""
    told = folder.lb("new", "m1", "--organization", "My lab").stderr
    assert "fill in model, date in submissions/m1/submission.json, then: lb" in told


def test_new_writes_nothing_when_the_responses_are_wrong(folder: Folder, tmp_path: Path) -> None:
    """A bad responses file is reported with its lines, and no folder is made."""
    source = tmp_path / "mine.json"
    source.write_text('[{"id": "Z9", "model_text": "x"}]')
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 1 == result.exit_code
    assert "names a case that is not in small: 'Z9'" in result.stderr
    assert not (folder.root / "submissions/m1").exists()


@pytest.mark.parametrize("record", [{"id": "Z9", "model_text": "x"}, {"id": "Z9", "answer": "x"}])
def test_new_makes_no_submission_of_retired_cases_alone(
    folder: Folder, tmp_path: Path, record: dict[str, str]
) -> None:
    """In the form of a responses file or in another: nothing of it would be scored."""
    folder.write("datasets/small/suite.toml", SUITE.replace("[[", 'retired = ["Z9"]\n[[', 1))
    source = tmp_path / "mine.json"
    source.write_text(json.dumps([record]))
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert (1, True) == (result.exit_code, "answers only retired cases of small" in result.stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        (["M1"], 1, "is not a valid id"),
        (["../up"], 1, "is not a valid id"),
        (["m1", "--suite", "small"], 2, "--from and --suite go together"),
        (["m1", "--from", "a.json", "--from", "b.json", "--suite", "small"], 2, "takes one file"),
        (["m1", "--allow-empty"], 2, "--allow-empty needs --from"),
        (["m1", "--from", "x.json", "--suite", "none"], 1, "suites: small"),
        (["m1", "--from", "x.json", "--suite", "small"], 1, "cannot be read"),
        (
            ["m1", "--date", "2026-13-01"],
            1,
            "--date: a date must have the form YYYY-MM-DD and be a day",
        ),
        (["m1", "--date", "tomorrow"], 1, "a date must have the form YYYY-MM-DD, got 'tomorrow'"),
        (["m1", "--organization", ""], 1, "--organization: this needs one line of text"),
    ],
)
def test_new_refuses_what_cannot_be(
    folder: Folder, arguments: list[str], code: int, what: str
) -> None:
    """Bad ids, unknown suites and missing files are messages."""
    result = folder.lb("new", *arguments)
    assert (code, True) == (result.exit_code, what in result.stderr)


def test_new_overwrites_nothing(folder: Folder) -> None:
    """An existing submission is left alone."""
    folder.submission("m1", [])
    before = folder.tree("submissions/m1")
    assert 1 == folder.lb("new", "m1").exit_code
    assert before == folder.tree("submissions/m1")


def test_new_fills_the_empty_fields_of_an_existing_card(folder: Folder, tmp_path: Path) -> None:
    """Options are never dropped: they fill empty fields, and other values are refused."""
    assert 0 == folder.lb("new", "m1", "--organization", "My lab").exit_code
    source = tmp_path / "mine.json"
    source.write_text('[{"id": "B001", "model_text": "Paris"}]')
    command = ("new", "m1", "--from", str(source), "--suite", "small", "--model", "m-7b")
    refused = folder.lb(*command, "--organization", "Another lab")
    assert 1 == refused.exit_code
    fix = "edit it, or leave out --organization"
    assert f"$.organization: is 'My lab', not 'Another lab' ({fix})" in refused.stderr
    assert {"submission.json"} == set(folder.tree("submissions/m1"))
    result = folder.lb(*command, "--organization", "My lab")
    assert 0 == result.exit_code, result.stderr
    assert "fill in date in submissions/m1/submission.json" in result.stderr
    card = json.loads(folder.tree("submissions/m1")["submission.json"])
    assert ("My lab", "m-7b", "model") == (card["organization"], card["model"], card["kind"])


def test_new_says_what_missing_cases_mean(folder: Folder, tmp_path: Path) -> None:
    """They count as fails, except if the card says that they were not asked."""
    source = tmp_path / "mine.json"
    source.write_text('[{"id": "B001", "model_text": "Paris"}]')
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 'count as fails; if they were not asked, write "partial": ["small"]' in result.stderr


@pytest.mark.parametrize("wrap", ["%s", '{"test_results": %s}', '{"results": %s}'])
def test_new_reads_every_form_with_a_byte_order_mark(
    folder: Folder, tmp_path: Path, wrap: str
) -> None:
    """Windows tools write one. The written file has none, so that it validates."""
    source = tmp_path / "mine.json"
    source.write_text(wrap % '[{"id": "B001", "model_text": "Paris"}]', encoding="utf-8-sig")
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 0 == result.exit_code, result.stderr
    assert not folder.tree("submissions/m1")["small.json"].startswith(b"\xef\xbb\xbf")


def test_problems_are_named_by_their_places_in_the_given_file(
    folder: Folder, tmp_path: Path
) -> None:
    """The file that is made of it has other lines, and nobody can look at it."""
    source = tmp_path / "mine.jsonl"
    row = '{"id": "B001", "model_text": "Paris"}'
    source.write_text(f'{row}\n\n{row}\n{{"id": "B002", "model_text": "1969", "trial": 0}}\n')
    told = folder.lb("new", "m1", "--from", str(source), "--suite", "small").stderr
    assert "mine.jsonl line 4, trial: " in told
    assert "mine.jsonl line 3, id: answers case B001 again" in told
    assert "the first answer is at line 1 (" in told

    source.write_text(f'{row}\n{{"id": "B002", "model_text": "<think>Hm.</think>1969"}}\n')
    told = folder.lb("new", "m2", "--from", str(source), "--suite", "small").stderr
    assert "mine.jsonl line 2, model_text: has thoughts beside the answer" in told

    source.write_text(f'{row}\n{row[:-1]}, "trial": 2}}\n{row.replace("B001", "B002")}\n')
    told = folder.lb("new", "m3", "--from", str(source), "--suite", "small").stderr
    assert "mine.jsonl: has 2 trials" in told


@pytest.mark.parametrize("first", ["results", "test_results"])
def test_new_reads_no_list_and_drops_another(folder: Folder, tmp_path: Path, first: str) -> None:
    """Two lists with records of cases are refused: one of them would be lost."""
    rows = [[{"id": case, "model_text": "Paris"}] for case in ("B001", "B002")]
    source = tmp_path / "mine.json"
    source.write_text(json.dumps({first: rows[0], "failures": rows[1], "tags": [{"id": "x"}]}))
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 1 == result.exit_code
    assert f"has records in several lists: '{first}', 'failures'" in result.stderr


def test_commands_to_copy_are_quoted(folder: Folder) -> None:
    """The path of a board may have blanks."""
    moved = folder.root.with_name("b d")
    folder.root.rename(moved)
    command = ["--workspace", str(moved), "new", "m1"]
    assert f"lb --workspace '{moved}' validate m1" in CliRunner().invoke(app, command).stderr


def test_new_needs_a_file_and_no_folder(folder: Folder, tmp_path: Path) -> None:
    """Nothing must be put in the folder's place."""
    refused = folder.lb("new", "m1", "--from", str(tmp_path), "--suite", "small")

    assert (refused.exit_code, "is a folder (pass the file with" in refused.stderr) == (
        1,
        True,
    ), refused.stderr


PLANTED = "sk-planted-0aB1cD2eF3gH4"
ESCAPED = json.dumps(PLANTED).replace("-", "\\u002d")
ANSWERED = [{"id": "B001", "model_text": f"Paris. Your key is {PLANTED}."}]
BATCH_LINE = {
    "custom_id": "B001",
    "response": {
        "status_code": 200,
        "body": {
            "choices": [
                {
                    "finish_reason": "tool_calls",
                    "message": {
                        "content": f"Paris. Your key is {PLANTED}.",
                        "tool_calls": [
                            {"function": {"name": "f", "arguments": f'{{"k": {ESCAPED}}}'}}
                        ],
                    },
                }
            ]
        },
    },
}


@pytest.mark.parametrize(
    "given",
    [
        json.dumps(BATCH_LINE),
        json.dumps(ANSWERED),
        json.dumps({"test_results": ANSWERED}).replace("sk-", "sk\\u002d"),
    ],
)
def test_t18_a_key_in_a_reply_reaches_no_file(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """Neither in a file that is converted nor in one that is copied. The output says so."""
    monkeypatch.setattr(secret_keys, "_known", set())
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    source = tmp_path / "given.jsonl"
    source.write_text(given)
    result = folder.lb("new", "m1", "--from", str(source), "--suite", "small")
    assert 0 == result.exit_code, result.stderr
    assert "held an API key of your environment; the submission has [key] in" in result.stderr
    files = folder.tree(".")
    submitted = str(json.loads(files["submissions/m1/small.json"]))
    assert "Your key is [key]." in submitted
    assert PLANTED not in submitted
    assert [] == [name for name, data in files.items() if PLANTED.encode() in data]
    assert PLANTED not in result.output
