"""Workspaces: suites in both dialects, submissions, and every bad file named with its place."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from leaderboard.files.submission_schema import submission_schema
from leaderboard.load import Contents, load_contents
from leaderboard.types import Case
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import PROJECT, SETTINGS, SUITE, Folder, call_case, text_case
from tests.judge_prompts import judge_prompt


def load(folder: Folder) -> Contents:
    return load_contents(open_workspace(folder.root), KINDS)


def errors(folder: Folder) -> list[str]:
    return [str(problem) for problem in load(folder).errors]


def case_of(contents: Contents, case_id: str) -> Case:
    suite = contents.suite("small")
    assert suite is not None
    return suite.by_id[case_id]


def test_a_good_workspace_has_no_problems(folder: Folder) -> None:
    """Suite, prompts and a submission load; records stand under their submission and suite."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    contents = load(folder)
    assert [] == contents.problems
    assert ["A001", "A002", "A003", "B001", "B002"] == [
        case.id for case in contents.suites[0].cases
    ]
    assert 1 == len(contents.records["m1", "small"])


def test_the_repository_itself_loads() -> None:
    """What this repository ships has no problem at all."""
    assert [] == load_contents(open_workspace(PROJECT), KINDS).problems


def test_the_shipped_schema_is_what_the_code_checks() -> None:
    """submissions/schema.json is generated; a change of the formats must come with it."""
    assert submission_schema() == (PROJECT / "submissions/schema.json").read_bytes()


def test_accepted_values_close_an_argument(folder: Folder) -> None:
    """An argument with a list is closed, expected value first; null in it means it may be left out; others stay open."""
    record = call_case("A001", 3, "yards", to_unit=["yd", None], digits=[2])
    folder.write("datasets/small/tool_selection.json", [record])
    (expected,) = case_of(load(folder), "A001").ground_truth.calls
    told = {a.name: (a.accepted, a.closed, a.may_be_absent) for a in expected.arguments}
    assert {
        "value": ((3,), False, False),
        "to_unit": (("yards", "yd"), True, True),
        "digits": ((2,), True, True),
    } == told


def test_the_older_dataset_dialect_loads(folder: Folder) -> None:
    """Cases without `type` and `expected_response_type`, text cases with `no_function_call`: the five-file dialect."""
    call = {
        "id": "A001",
        "user_query": "q",
        "ground_truth": {
            "function_call": {"name": "convert_units", "arguments": {"value": 1, "to_unit": "m"}}
        },
    }
    text = {
        "id": "B001",
        "user_query": "q",
        "ground_truth": {"text": "Paris.", "no_function_call": True},
    }
    folder.write("datasets/small/tool_selection.json", [call])
    folder.write("datasets/small/no_tool.json", [text])
    contents = load(folder)
    assert [] == contents.problems
    assert "convert_units" == case_of(contents, "A001").ground_truth.calls[0].name
    assert "Paris." == case_of(contents, "B001").ground_truth.text


def test_one_file_may_hold_several_categories(folder: Folder) -> None:
    """The newer dialect's single file serves every category: `type` selects, under each of its names for no_tool."""
    rows = [
        call_case("A001", 1, "m"),
        {**text_case("B001", "x"), "type": "text_response"},
        {**text_case("B002", "y"), "type": "no_tools"},
    ]
    folder.write("datasets/small/all.json", rows)
    folder.write(
        "datasets/small/suite.toml",
        SUITE.replace("tool_selection.json", "all.json").replace("no_tool.json", "all.json"),
    )
    contents = load(folder)
    assert [] == contents.problems
    assert [1, 2] == [len(category.cases) for category in contents.suites[0].categories]


BAD_CASES: dict[str, tuple[Any, str]] = {
    "not a list": ({}, "is not a list of cases"),
    "no cases": ([], "holds no case"),
    "another type": (
        [text_case("B001", "x")],
        "has type 'no_tool' in the file of category 'tool_selection'",
    ),
    "call case without a call": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {"function_call": None, "expected_response_type": "function_call"},
            }
        ],
        "expects a function call and gives none",
    ),
    "text case without a text": (
        [{"id": "A1", "user_query": "q", "ground_truth": {"text": " "}}],
        "expects text and gives none",
    ),
    "unknown tool": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {"function_call": {"name": "f", "arguments": {}}},
            }
        ],
        "names no tool of this suite: 'f'",
    ),
    "required argument left out": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {
                    "function_call": {"name": "convert_units", "arguments": {"value": 1}}
                },
            }
        ],
        "leaves out 'to_unit'",
    ),
    "unknown argument": (
        [call_case("A1", 1, "m", colour=["red"])],
        "gives 'colour', which convert_units does not have",
    ),
    "wrong type": (
        [call_case("A1", True, "m")],
        "is True, but convert_units.value is of type number",
    ),
    "same id twice": ([call_case("A1", 1, "m"), call_case("A1", 2, "m")], "uses the case id 'A1'"),
    "no query": ([{"id": "A1", "ground_truth": {"text": "x"}}], "lacks 'user_query'"),
}


@pytest.mark.parametrize(("cases", "what"), BAD_CASES.values(), ids=BAD_CASES.keys())
def test_bad_ground_truth_is_found_at_load(folder: Folder, cases: Any, what: str) -> None:
    """A suite whose ground truth does not fit its tools or its form is refused, with the place."""
    folder.write("datasets/small/tool_selection.json", cases)
    told = errors(folder)
    assert any(what in problem for problem in told), told


BAD_SETTINGS = {
    "not TOML": ('title = "a"\nschema = x', "leaderboard.toml:2: is not TOML"),
    "unknown key": (SETTINGS + "colour = 1\n", "leaderboard.toml"),
    "unknown judge in the panel": (
        SETTINGS.replace('["embedded-1"]', '["other"]'),
        "names judges that are not defined: other",
    ),
    "unknown provider": (SETTINGS.replace('"embedded"', '"oracle"'), "leaderboard.toml:7 $.judges"),
    "unknown suite": ('suites = ["none"]\n' + SETTINGS, "names the suite 'none'"),
}


@pytest.mark.parametrize(("text", "what"), BAD_SETTINGS.values(), ids=BAD_SETTINGS.keys())
def test_bad_settings_are_a_message(folder: Folder, text: str, what: str) -> None:
    """leaderboard.toml with a mistake is told with file, line and key; exit code 1."""
    folder.write("leaderboard.toml", text)
    result = folder.lb("validate")
    assert 1 == result.exit_code
    assert what in result.stderr


def test_a_folder_that_is_no_workspace_says_so(folder: Folder) -> None:
    """Without leaderboard.toml the message tells what to do."""
    (folder.root / "leaderboard.toml").unlink()
    result = folder.lb("validate")
    assert 1 == result.exit_code
    assert "--workspace" in result.stderr


BAD_SUITES = {
    "unknown kind": (
        SUITE.replace('"tool_selection"\ntools', '"riddles"\ntools'),
        "is of an unknown kind: 'riddles'",
    ),
    "missing file": (
        SUITE.replace('"no_tool.json"', '"none.json"'),
        "datasets/small/none.json: cannot be read",
    ),
    "missing prompt": (
        SUITE.replace('prompt = "no_tool"', 'prompt = "none"'),
        "prompts/small/none.md: does not exist",
    ),
    "weight of zero": (SUITE + "weight = 0\n", "greater than 0"),
}


@pytest.mark.parametrize(("text", "what"), BAD_SUITES.values(), ids=BAD_SUITES.keys())
def test_a_bad_suite_is_a_message(folder: Folder, text: str, what: str) -> None:
    """suite.toml with a mistake is told with its file."""
    folder.write("datasets/small/suite.toml", text)
    told = errors(folder)
    assert any(what in problem for problem in told), told


@pytest.mark.parametrize(
    ("prompt", "what"),
    [
        (judge_prompt("no_tool") + "{{colour}}", "unknown placeholders: colour"),
        ("{{expected}}", "lacks the placeholders got, fence"),
        (b"\xff", "is not UTF-8"),
    ],
    ids=["unknown placeholder", "no fence", "latin-1"],
)
def test_a_bad_prompt_is_a_message(folder: Folder, prompt: str | bytes, what: str) -> None:
    """A prompt must quote both texts inside a fence, with placeholders that exist."""
    folder.write("prompts/small/no_tool.md", prompt)
    assert any(what in problem for problem in errors(folder))


CARD = {
    "schema": 1,
    "name": "x",
    "kind": "model",
    "organization": "o",
    "model": "m",
    "date": "2026-01-31",
}
BAD_CARDS: dict[str, tuple[dict[str, Any], str]] = {
    "score declared": ({**CARD, "score": 99}, "has a key that is not part of the format: 'score'"),
    "no name": ({k: v for k, v in CARD.items() if k != "name"}, "lacks 'name'"),
    "empty name": ({**CARD, "name": " "}, "$.name"),
    "day that does not exist": ({**CARD, "date": "2026-02-30"}, "$.date"),
    "script as url": ({**CARD, "url": "javascript:alert(1)"}, "$.url"),
    "kind of its own": ({**CARD, "kind": "hero"}, "$.kind"),
    "schema of tomorrow": ({**CARD, "schema": 2}, "$.schema"),
    "price as text": ({**CARD, "price": {"input": "1", "output": 2}}, "$.price.input"),
    "price beyond all": (
        {**CARD, "price": {"input": 1, "output": 1e300}},
        "$.price.output: an amount is 0, or from 1e-12 to 1,000,000 US dollars, got 1e+300",
    ),
    "price below all": (
        {**CARD, "price": {"input": 1e-300, "output": 0}},
        "$.price.input: an amount is 0, or from 1e-12",
    ),
    "price no number": (
        {**CARD, "price": {"input": 10**400, "output": 0}},
        "holds a number too large for a double",
    ),
    "name over two lines": ({**CARD, "name": "a\nb"}, "$.name"),
}


@pytest.mark.parametrize(("card", "what"), BAD_CARDS.values(), ids=BAD_CARDS.keys())
def test_a_bad_card_is_a_message(folder: Folder, card: dict[str, Any], what: str) -> None:
    """submission.json is closed and strict: what does not belong there is named."""
    folder.submission("m1", [])
    folder.write("submissions/m1/submission.json", card)
    told = errors(folder)
    assert any(what in problem for problem in told), told


def test_every_problem_of_every_file_comes_at_once(folder: Folder) -> None:
    """Problems of a suite, of a card and of two responses files are reported together."""
    folder.write("datasets/small/no_tool.json", "[")
    folder.submission("m1", [{"id": "A999"}], url="ftp://x")
    folder.submission("m2", "{")
    told = "\n".join(errors(folder))
    assert all(name in told for name in ("no_tool.json", "m1/submission.json")), told


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("notes.txt", "is not part of a submission"),
        ("other.json", "is for the suite 'other'"),
        ("small.json.gz", "a second time"),
    ],
)
def test_strays_in_a_submission_are_reported(folder: Folder, name: str, what: str) -> None:
    """A submission holds its card, a README and one responses file per suite, and nothing else."""
    folder.submission("m1", [])
    folder.write(f"submissions/m1/{name}", gzip.compress(b"[]"))
    assert any(what in problem for problem in errors(folder))


def test_a_packed_responses_file_is_read(folder: Folder) -> None:
    """<suite>.json.gz serves as <suite>.json."""
    folder.submission("m1", [])
    (folder.root / "submissions/m1/small.json").unlink()
    folder.write(
        "submissions/m1/small.json.gz", gzip.compress(json.dumps([{"id": "B001"}]).encode())
    )
    contents = load(folder)
    assert [] == contents.problems
    assert 1 == len(contents.records["m1", "small"])


def test_another_suites_file_is_recognised(folder: Folder) -> None:
    """When the unknown ids of a file are those of another suite, that is the one problem reported."""
    for path in ("suite.toml", "tools.json"):
        folder.write(f"datasets/big/{path}", (folder.root / "datasets/small" / path).read_bytes())
    folder.write("datasets/big/tool_selection.json", [call_case(f"X{n}", n, "m") for n in range(9)])
    folder.write("datasets/big/no_tool.json", [text_case("Y1", "x")])
    for name in ("tool_selection", "no_tool"):
        folder.write(f"prompts/big/{name}.md", judge_prompt("no_tool"))
    folder.submission("m1", [{"id": f"X{n}"} for n in range(9)])
    (told,) = errors(folder)
    assert "answers big, not small" in told


def test_a_bad_id_is_named(folder: Folder) -> None:
    """Upper-case ids are refused: two ids must not differ in case alone."""
    folder.submission("M1", [])
    assert any("submissions/M1: is not a valid id" in problem for problem in errors(folder))
