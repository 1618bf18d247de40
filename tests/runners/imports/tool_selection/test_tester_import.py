"""The tester's folder as a board."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import Workspace
from scoring.rules import KINDS
from tests.runners.imports.tool_selection.tester_folder import CALL, OldTester, case

RUN = "results/test_run_20250102_030405"
CASES = (case("A1", CALL, type="tool_selection"), case("C1", type="clarifying"))


def processed(**calls: Any) -> dict[str, Any]:
    rows = []
    for name, call in calls.items():
        rows.append({"id": name, "model_function_call": call, "model_text": None})
    return {"test_results": rows}


def write_run(tester: OldTester, run: str, model: str = "m") -> None:
    """Writes a run of a model, with an answer of its own, and the cases."""
    tester.cases(*CASES)
    row = {"id": "C1", "model_function_call": None, "model_text": f"Which, {run}?"}
    tester.write(f"results/{run}/processed_responses.json", {"test_results": [row]})
    tester.write(f"results/{run}/test_parameters.json", {"model_id": model})


def records(tester: OldTester, name: str) -> list[dict[str, Any]]:
    path = tester.board / f"submissions/{name}/tool_selection.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["test_results"]
    return found


def test_raw_replies_become_answers(tester: OldTester) -> None:
    """Calls and texts of raw_responses.json are found. The card has model, date and settings."""
    tester.cases(*CASES)
    replies = [
        {"model_function_call": CALL["function_call"], "full_model_response": None, "error": None},
        {"model_function_call": None, "full_model_response": "Which?", "error": None},
    ]
    raw = [{**row, "model_response": one} for row, one in zip(CASES, replies, strict=True)]
    tester.write(f"{RUN}/raw_responses.json", raw)
    given = {"model_id": "gpt-x", "timestamp": "2025-03-04T05:06:07"}
    tester.write(f"{RUN}/test_parameters.json", given | {"generation_config": {"temperature": 0}})
    assert tester.load().submissions == (("gpt-x", "written", 2),)
    found = records(tester, "gpt-x")
    assert [found[0]["model_function_call"]["arguments"], found[1]["model_text"]] == [
        {"bell": "door"},
        "Which?",
    ]
    card = json.loads((tester.board / "submissions/gpt-x/submission.json").read_text())
    assert (card["model"], card["date"]) == ("gpt-x", "2025-03-04")
    assert card["settings"]["temperature"] == 0
    assert tester.load().submissions == (("gpt-x", "unchanged", 2),)


def test_processed_replies_win_and_runs_of_one_model_stay_apart(tester: OldTester) -> None:
    """Of both files of a run, the processed one is read. Two runs are two submissions."""
    tester.cases(*CASES)
    for stamp, bell in (("20250102_030405", "door"), ("20250103_030405", "gate")):
        call = {"name": "ring", "arguments": {"bell": bell}}
        run = f"results/test_run_{stamp}"
        tester.write(f"{run}/processed_responses.json", {"with_tools": processed(A1=call)})
        tester.write(f"{run}/raw_responses.json", "broken")
        tester.write(f"{run}/test_parameters.json", {"model_id": "Org/M"})
    report = tester.load()
    assert [name for name, *_ in report.submissions] == [
        "org-m",
        "org-m-test_run_20250103_030405",
    ]
    assert records(tester, "org-m-test_run_20250103_030405")[0]["model_function_call"] == {
        "name": "ring",
        "arguments": {"bell": "gate"},
    }


def test_a_run_keeps_its_answers_and_its_submission(tester: OldTester) -> None:
    """A later import loses no answer. Runs that come later make submissions of their own."""
    tester.cases(*CASES)
    tester.write(f"{RUN}/processed_responses.json", processed(A1=CALL["function_call"], C1=None))
    tester.write(f"{RUN}/test_parameters.json", {"model_id": "m"})
    tester.load()
    tester.write(f"{RUN}/processed_responses.json", processed(A1=CALL["function_call"]))
    with pytest.raises(FilesError, match="has 2 answers, 1 of them from files that are not"):
        tester.load()
    tester.write(f"{RUN}/processed_responses.json", processed(A1=CALL["function_call"], C1=None))
    before = records(tester, "m")
    for run in ("results/test_run_20240101_000000", "results/test_run_20250301_000000"):
        tester.write(f"{run}/processed_responses.json", processed(A1=CALL["function_call"]))
        tester.write(f"{run}/test_parameters.json", {"model_id": "m"})
    ids = ["m-test_run_20240101_000000", "m-test_run_20250301_000000", "m"]
    for outcome in ("written", "unchanged"):
        found = {name: told for name, told, _ in tester.load().submissions}
        assert found == {ids[0]: outcome, ids[1]: outcome, "m": "unchanged"}
    assert before == records(tester, "m")
    assert ids[2:] + ids[:2] == sorted(p.name for p in (tester.board / "submissions").iterdir())


def test_runs_of_one_name_in_several_folders_stay_apart(tester: OldTester) -> None:
    """Their folders make the id. Runs whose folders make one id are refused."""
    tester.cases(*CASES)
    ids = {"a": "run1", "b": "run1-run1", "c": "run1-results-c-run1"}
    for folder in ids:
        row = {"id": "C1", "model_function_call": None, "model_text": f"Which, {folder}?"}
        tester.write(f"results/{folder}/run1/processed_responses.json", {"test_results": [row]})
    for outcome in ("written", "unchanged"):
        submissions = tester.load(date="2025-01-01").submissions
        assert submissions == tuple((name, outcome, 1) for name in ids.values())
    for folder, name in ids.items():
        assert records(tester, name)[0]["model_text"] == f"Which, {folder}?"
    tester.write("results/C/run1/processed_responses.json", {"test_results": [row]})
    with pytest.raises(FilesError, match="C/run1: has no submission id of its own"):
        tester.load(date="2025-01-01")


@pytest.mark.parametrize("later", ["0", "b"])
def test_a_later_run_of_the_same_name_changes_no_id(tester: OldTester, later: str) -> None:
    """The first run keeps its submission, wherever the other one comes in the order."""
    write_run(tester, "a/seed-1")
    tester.load(date="2025-01-01")
    write_run(tester, f"{later}/seed-1")
    for outcome in ("written", "unchanged"):
        submissions = {name: told for name, told, _ in tester.load(date="2025-01-01").submissions}
        assert submissions == {"m": "unchanged", "m-seed-1": outcome}
    assert records(tester, "m")[0]["model_text"] == "Which, a/seed-1?"


def test_a_card_with_the_name_of_a_folder_is_that_of_its_only_run(tester: OldTester) -> None:
    """Earlier imports wrote it. If several runs have that name, the card must say which."""
    write_run(tester, "a/seed-1")
    tester.load(date="2025-01-01")
    card = tester.board / "submissions/m/submission.json"
    new = card.read_text()
    old = new.replace('"results/a/seed-1"', '"seed-1"')
    assert old != new
    card.write_text(old)
    write_run(tester, "n/seed-1", model="n")
    assert tester.load(date="2025-01-01").submissions == (
        ("m", "written", 1),
        ("n", "written", 1),
    )
    assert card.read_text() == new
    card.write_text(old)
    write_run(tester, "0/seed-1")
    with pytest.raises(FilesError, match="json: is of the run seed-1, but several"):
        tester.load(date="2025-01-01")
    card.write_text(new)
    assert len(tester.load(date="2025-01-01").submissions) == 3


def test_a_run_beside_the_folders_is_no_run_of_an_earlier_name(tester: OldTester) -> None:
    """Its path is only its name."""
    write_run(tester, "../seed-1")
    tester.load(date="2025-01-01")
    write_run(tester, "a/seed-1")
    submissions = tester.load(date="2025-01-01").submissions
    assert submissions == (("m-seed-1", "written", 1), ("m", "unchanged", 1))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "is not JSON"),
        ([{"id": "A1"}], ""),
        ({"test_results": []}, ""),
        ([{"id": "Z9", "model_text": "a"}], ""),
        ([case("A1") | {"model_response": {"unknown": 1}}], "model_response of no known form"),
    ],
)
def test_replies_that_say_nothing_are_refused(
    tester: OldTester, content: Any, problem: str
) -> None:
    """A file without one answer is a problem, and never scored as 0."""
    tester.cases(*CASES)
    tester.write(f"{RUN}/processed_responses.json", content)
    said = tester.problems()
    assert said
    assert problem in said[0]


def test_a_board_is_made_where_there_is_none_and_kept_where_there_is(tester: OldTester) -> None:
    """The settings name the embedded judge. Existing settings stay as they are."""
    tester.cases(*CASES)
    tester.load()
    settings = tester.board / "leaderboard.toml"
    assert 'panel = ["embedded-1"]' in settings.read_text()
    settings.write_text("mine")
    tester.load()
    assert settings.read_text() == "mine"


def test_a_suite_of_another_origin_is_refused(tester: OldTester) -> None:
    """The shipped suite is not overwritten; another id is."""
    tester.cases(*CASES)
    path = tester.board / "datasets/tool_selection/suite.toml"
    path.parent.mkdir(parents=True)
    path.write_text("schema = 1\n")
    with pytest.raises(FilesError, match="was not written by an import"):
        tester.load()
    assert tester.load("mine").suite_id == "mine"


@pytest.mark.parametrize("data", ["datasets", "datasets_v1"])
def test_the_testers_own_folder(
    tmp_path: Path, real_files: Callable[[str], Path], data: str
) -> None:
    """The real tools, prompts and both generations of data make a suite."""
    real = real_files("tester")
    tester = OldTester(tmp_path)
    (tester.root / "tools/functions.py").unlink()
    for source, target in (("tools", "tools"), ("prompts", "prompts"), (data, "datasets")):
        for path in (real / source).iterdir():
            tester.write(f"{target}/{path.name}", path.read_text(encoding="utf-8"))
    report = tester.load()
    assert sorted(report.cases) == [
        "clarifying",
        "error",
        "no_tool",
        "not_supported",
        "tool_selection",
    ]
    suite = load_suite(Workspace(tester.board), "tool_selection", KINDS)
    assert len(suite.tools) == 15
