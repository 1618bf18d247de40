"""`lb compare`: what it prints in three forms, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.records import JUDGED, call
from tests.conftest import Folder, call_case, small_board, text_case

CALLS = [call("A001", 3, "yards"), call("A002", 4, "ft")]
HOSTILE = "B|`<b>\n@x\u202e"


@pytest.fixture(scope="module")
def first_two(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("two") / "board")
    folder.submission("m1", CALLS)
    folder.submission("m2", CALLS[:1])
    assert 0 == folder.lb("rescore", "--offline").exit_code
    return folder


@pytest.fixture
def two(first_two: Folder, tmp_path: Path) -> Folder:
    """m1 answers two calls rightly, m2 one; a third did not take the suite."""
    return first_two.copied_to(tmp_path / "board")


@pytest.mark.large
def test_text_says_who_passes_what_and_how_sure(two: Folder) -> None:
    """The verdict in words, the four counts, and a line per category."""
    result = two.lb("compare", "m1", "m2")
    assert (0, "") == (result.exit_code, result.stderr)
    lines = result.stdout.splitlines()
    assert ["A m1 and B m2", "", "small, correct: 5 shared cases", ""] == lines[:4]
    assert lines[4].startswith("A and B do not differ significantly: A − B is ")
    said = "A: 2 of 5 answered; B: 1 of 5 answered. What is not answered counts as a fail."
    assert said in lines[4]
    assert "  A passes         1        1" in lines
    assert "  A fails          0        3" in lines
    assert "  tool_selection      3  66.7  33.3       1       0  +33.3" in result.stdout
    assert lines[-1] == "1 case passed by only one of the two: see --cases differing"


@pytest.mark.large
def test_cases_that_were_not_asked_are_no_fault_of_a_judge(two: Folder) -> None:
    """The card of one says that it was asked a part. No judge decides anything here."""
    two.submission("m2", CALLS[:1], partial=["small"])
    assert 0 == two.lb("rescore", "--offline").exit_code
    lines = two.lb("compare", "m1", "m2").stdout.splitlines()

    assert "small, correct: 1 shared case, 4 left out because one of the two was not asked" in lines
    assert "A and B cannot be compared: 4 cases without a score for one of them." in lines[4]


def test_an_unscored_case_is_left_out_whatever_the_reason(two: Folder) -> None:
    """A judge's verdict may be missing, or an own rule have failed: the line names neither."""
    two.submission("m1", [*CALLS, JUDGED])
    assert 3 == two.lb("rescore", "--offline").exit_code
    text = two.lb("compare", "m1", "m2").stdout

    assert "small, correct: 4 shared cases, 1 left out because one of the two has no score" in text


@pytest.mark.large
def test_cases_are_listed_when_asked_for(two: Folder) -> None:
    """Those that differ, or all, each with the reasons of both."""
    differing = two.lb("compare", "m1", "m2", "--cases", "differing").stdout
    assert "A002  only A     pass  accepted_value  fail  missing_response" in differing
    assert "A001" not in differing
    every = two.lb("compare", "m1", "m2", "--cases", "all").stdout
    assert all(case_id in every for case_id in ("A001", "A002", "A003", "B001", "B002"))


@pytest.mark.large
def test_no_differing_case_is_said(folder: Folder) -> None:
    """An empty list is shown, not left out."""
    folder.submission("m1", CALLS)
    folder.submission("m2", CALLS)
    folder.lb("rescore", "--offline")
    result = folder.lb("compare", "m1", "m2", "--cases", "differing").stdout
    assert "A and B score the same on each of these 5 cases." in result
    assert result.endswith("No case differs.\n")


@pytest.mark.large
def test_json_holds_every_number(two: Folder) -> None:
    """One document: the sentence, the whole suite, the categories, and the requested cases."""
    told = json.loads(
        two.lb("compare", "m1", "m2", "--format", "json", "--cases", "differing").stdout
    )
    (suite,) = told["suites"]
    assert (1, "m1", "m2", "small") == (
        told["schema"],
        told["first"],
        told["second"],
        suite["suite"],
    )
    assert suite["said"].startswith("m1 and m2 do not differ significantly")
    assert (5, 1, 1, 0, 3) == tuple(
        suite["whole"][n] for n in ("shared", "both", "only_first", "only_second", "neither")
    )
    assert ["tool_selection", "no_tool"] == [line["category"] for line in suite["categories"]]
    assert [("A002", "first")] == [(pair["case_id"], pair["standing"]) for pair in suite["cases"]]
    assert (
        "cases"
        not in json.loads(two.lb("compare", "m1", "m2", "--format", "json").stdout)["suites"][0]
    )


@pytest.fixture(scope="module")
def first_tried(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("tried") / "board")
    trials = [
        {**call("A001", value, "yards"), "trial": trial} for trial, value in enumerate((3, 3, 4), 1)
    ]
    folder.submission("m1", trials)
    folder.submission("m2", CALLS[:1])
    assert 0 == folder.lb("rescore", "--offline").exit_code
    return folder


@pytest.fixture
def tried(first_tried: Folder, tmp_path: Path) -> Folder:
    """m1 answers one case in three trials, two of them rightly; m2 answers it once, rightly."""
    return first_tried.copied_to(tmp_path / "board")


@pytest.mark.large
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_with_trials_it_is_said_how_a_case_counts(tried: Folder, form: str) -> None:
    """The text says what a pass is, and how the other did on the cases that only one passes."""
    told = tried.lb("compare", "m1", "m2", "--format", form).stdout
    assert "A case counts as passed, or right, only if every scored trial of it passes" in told
    assert "Where B alone is right, A passes 66.7\u202f% of its trials." in told
    assert [3, 1] == json.loads(tried.lb("compare", "m1", "m2", "--format", "json").stdout)[
        "suites"
    ][0]["trials"]


@pytest.mark.large
def test_missing_trials_are_mentioned(folder: Folder) -> None:
    """A case with fewer trials than another: the trials that it lacks count as fails."""
    trials = [{**CALLS[0], "trial": 1}, {**CALLS[0], "trial": 2}, {**CALLS[0], "trial": 3}]
    folder.submission("m1", [*trials, {**CALLS[1], "trial": 1}])
    folder.submission("m2", CALLS)
    assert 0 == folder.lb("rescore", "--offline").exit_code
    told = folder.lb("compare", "m1", "m2").stdout
    assert "A: 2 of 5 answered, 2 trials missing; B: 2 of 5 answered." in told


def test_without_trials_nothing_is_said_of_them(two: Folder) -> None:
    """One trial a case: a pass is a pass."""
    assert "counts as passed" not in two.lb("compare", "m1", "m2").stdout


@pytest.mark.large
def test_markdown_is_a_comment_that_nobody_can_steer(folder: Folder) -> None:
    """Tables, with names and case ids as code: no HTML, no mention, no further cell."""
    folder.write("datasets/small/no_tool.json", [text_case(HOSTILE, "It is Paris.")])
    folder.write("datasets/small/tool_selection.json", [call_case("A001", 3, "yards")])
    folder.submission("m1", [CALLS[0]])
    folder.submission("m2", [{"id": HOSTILE, "model_text": "It is Paris."}])
    assert 0 == folder.lb("rescore", "--offline").exit_code
    told = folder.lb("compare", "m1", "m2", "--format", "markdown", "--cases", "all").stdout
    assert told.startswith("### A `m1` and B `m2`\n")
    assert "|  | B passes | B fails |\n| :--- | ---: | ---: |\n| A passes | 0 | 1 |" in told
    (row,) = (line for line in told.splitlines() if "<b>" in line)
    assert "``B\\|`<b>\\n@x\\u202e``" in row
    assert "\u202e" not in told


@pytest.mark.large
def test_the_same_answer_every_time(two: Folder) -> None:
    """Same results, same bytes."""
    runs = {
        two.lb("compare", "m1", "m2", "--format", form, "--cases", "all").stdout
        for form in ("text",) * 2
    }
    assert 1 == len(runs)


@pytest.mark.parametrize(
    ("arguments", "code_", "what"),
    [
        (["m1", "m22"], 1, "has no submission 'm22' (did you mean m2?)"),
        (["m1", "other"], 1, "has no submission 'other' (choose one of: m1, m2)"),
        (
            ["m1", "m2", "--suite", "smal"],
            1,
            "has no suite 'smal' that both took (did you mean small?)",
        ),
        (["m1", "m1"], 2, "A and B are the same submission"),
        (["m1", "m2", "--results", "nowhere"], 1, "lb rescore --offline first"),
    ],
)
def test_what_cannot_be_compared(two: Folder, arguments: list[str], code_: int, what: str) -> None:
    """A message with the nearest name, and no traceback."""
    result = two.lb("compare", *arguments)
    assert (code_, True) == (result.exit_code, what in result.stderr), result.stderr


def test_results_of_other_cases_are_refused(two: Folder) -> None:
    """A suite that has changed since is not compared with its old verdicts."""
    two.write("datasets/small/no_tool.json", [text_case("B009", "No.")])
    result = two.lb("compare", "m1", "m2")
    assert 1 == result.exit_code
    assert (
        "datasets/small: has changed since it was scored (score the board again: lb rescore)"
        in result.stderr
    )


def test_responses_that_have_changed_are_refused(two: Folder) -> None:
    """Their old verdicts would be shown as theirs."""
    two.write("submissions/m2/small.json", [])
    result = two.lb("compare", "m1", "m2")
    assert 1 == result.exit_code
    assert (
        "submissions/m2/small.json: has changed since it was scored (score it again: lb rescore m2)"
        in result.stderr
    )
