"""The import of LangSmith examples and runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from leaderboard.load import load_contents
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder
from tests.runners.imports.langsmith.langsmith_files import (
    BY_QUESTION,
    EXAMPLES,
    RUNS,
    card,
    problems,
    records,
    run_import,
)


def test_examples_and_runs_become_a_suite_and_a_submission(board: Folder) -> None:
    """The written files load without a problem and contain what the source files say."""
    report = run_import(board)
    assert ("written", {"tasks": 2}) == (report.suite, report.cases)
    assert (("agent", "written", 2),) == report.submissions
    assert ("left out, because they are parts of other runs: 1",) == report.notes
    contents = load_contents(open_workspace(board.root), KINDS)
    assert [] == contents.problems
    suite = contents.suite("tasks")
    assert suite is not None
    assert ("tool_usage", ["e-1", "e-2"]) == (suite.kind.name, [case.id for case in suite.cases])
    assert ["qa"] == [category.prompt for category in suite.categories]
    steps = [{"tool": "d", "observation": "OK"}, {"tool": "f", "observation": "OK"}]
    usage = {"input_tokens": 100, "output_tokens": 20, "cost_usd": 0.0015}
    assert [
        {
            "id": "e-1",
            "output": "",
            "intermediate_steps": steps,
            "state": "df",
            "usage": usage,
            "latency_s": 1.5,
        },
        {"id": "e-2", "error": "RateLimitError()"},
    ] == records(board)
    assert {
        "schema": 1,
        "name": "agent",
        "kind": "agent",
        "organization": "unknown",
        "model": "unknown",
        "date": "2026-02-04",
        "settings": {"imported_from": "langsmith"},
    } == card(board)


@pytest.mark.large
def test_an_import_can_be_scored(board: Folder) -> None:
    """Verdicts come from the steps and states. The scores in the source files are ignored."""
    run_import(board)
    assert 0 == board.lb("rescore", "--offline").exit_code
    rows = (
        pl.read_parquet(board.root / "results/verdicts.parquet")
        .select("case_id", "metric", "score", "reason")
        .rows()
    )
    assert [
        ("e-1", "correct", 1.0, "same_state"),
        ("e-1", "trajectory", 1.0, "expected_path"),
        ("e-1", "step_ratio", 1.0, "expected_number_of_steps"),
        ("e-2", "correct", 0.0, "response_error"),
        ("e-2", "trajectory", 0.0, "response_error"),
        ("e-2", "step_ratio", 0.0, "response_error"),
    ] == rows


def test_importing_again_changes_nothing(board: Folder) -> None:
    """The same files give the same bytes, and the report says so."""
    run_import(board)
    before = board.tree(".")
    report = run_import(board)
    assert ("unchanged", (("agent", "unchanged", 2),)) == (report.suite, report.submissions)
    assert before == board.tree(".")


def test_a_card_that_was_edited_stays_edited(board: Folder) -> None:
    """Another import keeps what a person wrote onto the card. Options of the import win."""
    run_import(board)
    edited = {**card(board), "organization": "Org", "model": "m1", "date": "2026-03-01"}
    board.write("submissions/agent/submission.json", edited)
    run_import(board, fields={"model": "m2"})
    assert {**edited, "model": "m2"} == card(board)


def test_examples_without_ids_get_numbered_ids(board: Folder) -> None:
    """The suite's file contains the ids, so later imports mean the same cases."""
    examples = [
        {key: value for key, value in example.items() if key != "id"} for example in EXAMPLES
    ]
    run_import(
        board, [{"question": "df", "output": "", "actual_steps": []}], examples, date="2026-01-31"
    )
    stored = json.loads((board.root / "datasets/tasks/tasks.json").read_bytes())
    assert ["tasks_01", "tasks_02"] == [example["id"] for example in stored]
    assert [{"id", "inputs", "outputs"}] * 2 == [set(example) for example in stored]


def test_runs_over_an_existing_suite(board: Folder) -> None:
    """Without examples only the submission is written.

    Runs with other ids are matched by their question.
    """
    run_import(board)
    before = board.tree("datasets")
    report = run_import(
        board, [{**RUNS[0], "reference_example_id": "another copy"}], None, submission="second"
    )
    assert (None, (BY_QUESTION,)) == (report.suite, report.notes)
    assert before == board.tree("datasets")
    assert ["e-1"] == [record["id"] for record in records(board, "second")]
    assert any("answers 1 of 2 cases" in str(warning) for warning in report.warnings)


def test_a_new_workspace_gets_the_packages_prompt(folder: Folder) -> None:
    """Its own prompt comes first, where there is one."""
    run_import(folder)
    shipped_prompt = (PROJECT / "prompts/tool_usage/qa.md").read_bytes()
    assert shipped_prompt == (folder.root / "prompts/tasks/qa.md").read_bytes()
    assert 0 == folder.lb("validate").exit_code


def test_a_suite_of_states_and_numbers_gets_no_prompt(board: Folder) -> None:
    """The suite names a judge prompt only if answers are text."""
    run_import(board, RUNS[:1], EXAMPLES[:1])
    assert not (board.root / "prompts/tasks").exists()


def test_folders_of_another_origin_are_never_changed(board: Folder) -> None:
    """A suite or submission that something else made stays as it is."""
    assert any(
        "was not written by an import of langsmith" in problem
        for problem in problems(board, suite="small")
    )
    board.submission("agent", [{"id": "B001", "model_text": "x"}])
    assert any(
        "its card does not have settings.imported_from = 'langsmith'" in problem
        for problem in problems(board)
    )


def run(**more: Any) -> list[dict[str, Any]]:
    return [
        {
            "reference_example_id": "e-1",
            "outputs": {"output": ""},
            "start_time": "2026-01-31T00:00:00",
            **more,
        }
    ]


WRONG: dict[str, tuple[Any, Sequence[Any], str]] = {
    "no list": ({"a": 1}, EXAMPLES, "runs.json:1 $: contains no list"),
    "runs no list": ({"runs": 3}, EXAMPLES, "$.runs: contains no list"),
    "no run": ([], EXAMPLES, "contains no run"),
    "run no object": ([3], EXAMPLES, "$[0]: is not a JSON object"),
    "unknown question": (
        [{"question": "?"}],
        EXAMPLES,
        "it names no example, and has a question that no cases ask",
    ),
    "nothing to match": ([{"outputs": {}}], EXAMPLES, "it names no example, and has no question"),
    "ambiguous question": (
        [{"question": "df"}],
        [EXAMPLES[0], {**EXAMPLES[0], "id": "e-9"}],
        "has a question that 2 cases ask",
    ),
    "same run twice": (run(id="r") * 2, EXAMPLES, "$[1].id: repeats the run 'r'"),
    "no time": (
        run(start_time="soon"),
        EXAMPLES,
        "$[0].start_time: is 'soon', which is not a time",
    ),
    "time a number": (run(start_time=5), EXAMPLES, "$[0].start_time: is 5, which is not a time"),
    "end before start": (
        run(end_time="2026-01-30T00:00:00"),
        EXAMPLES,
        "$[0].end_time: is before start_time",
    ),
    "mixed zones": (
        run(end_time="2026-02-01T00:00:00Z"),
        EXAMPLES,
        "only one of them has a time zone",
    ),
    "negative time": (run(execution_time=-1), EXAMPLES, "$[0].execution_time: is -1"),
    "cost a word": (run(total_cost="much"), EXAMPLES, "$[0].total_cost: is 'much'"),
    "cost not finite": (run(total_cost="inf"), EXAMPLES, "$[0].total_cost: is 'inf'"),
    "no date": (
        [{"question": "df", "output": ""}],
        EXAMPLES,
        "has no date: the files do not say when this was run",
    ),
    "no example": (RUNS, [], "examples.json:1 $: contains no example"),
    "example without steps": (
        RUNS,
        [{"inputs": {"question": "df"}, "outputs": {"reference": "x"}}],
        "$[0].outputs: missing required key 'expected_steps'",
    ),
    "same example twice": (RUNS, EXAMPLES[:1] * 2, "contains 2 examples with the id 'e-1'"),
}


@pytest.mark.parametrize(("runs", "examples", "problem"), WRONG.values(), ids=WRONG.keys())
def test_problems_are_reported_and_nothing_is_written(
    board: Folder, runs: Any, examples: Any, problem: str
) -> None:
    """Files that cannot be imported are problems with their place."""
    found = problems(board, runs, examples)
    assert any(problem in line for line in found), found


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"suite": "My Suite"}, "datasets/My Suite: is not a valid id"),
        ({"submission": "../x"}, "submissions/../x: is not a valid id"),
        ({"date": "31.1.2026"}, "--date: '31.1.2026' is not a date"),
        ({"examples": None}, "datasets/tasks/suite.toml: does not exist"),
        (
            {"examples": None, "suite": "small"},
            "datasets/small/suite.toml: is of kind tool_selection",
        ),
    ],
)
def test_wrong_options_are_reported(board: Folder, more: dict[str, Any], problem: str) -> None:
    """Ids, dates and suites are checked before anything is written."""
    assert any(problem in line for line in problems(board, **more))


def test_the_command(board: Folder) -> None:
    """`lb import langsmith` writes both folders and reports it. Wrong files give exit code 1."""
    source = board.root.parent
    (source / "runs.json").write_text(json.dumps(RUNS), encoding="utf-8")
    (source / "examples.json").write_text(json.dumps({"examples": EXAMPLES}), encoding="utf-8")
    arguments = [
        "import",
        "langsmith",
        str(source / "runs.json"),
        "--suite",
        "tasks",
        "--submission",
        "agent",
    ]
    done = board.lb(
        *arguments,
        "--examples",
        str(source / "examples.json"),
        "--model",
        "m1",
        "--organization",
        "Org",
        "--framework",
        "F",
    )
    assert 0 == done.exit_code, done.output
    assert "datasets/tasks/: written (categories: 1, cases: 2)" in done.output
    assert "submissions/agent/: written (answers: 2)" in done.output
    assert "left out, because they are parts of other runs: 1" in done.output
    assert ("m1", "Org", "F") == (
        card(board)["model"],
        card(board)["organization"],
        card(board)["framework"],
    )
    assert 0 == board.lb("validate").exit_code
    Path(source / "runs.json").write_text("[3]", encoding="utf-8")
    assert 1 == board.lb(*arguments).exit_code


@pytest.mark.large
def test_an_imported_suite_can_be_run(board: Folder) -> None:
    """With a task of the registry, also by LangChain's dataset. The planner acts in it."""
    source = board.root.parent
    (source / "runs.json").write_text(json.dumps(RUNS), encoding="utf-8")
    (source / "examples.json").write_text(json.dumps(EXAMPLES[:1]), encoding="utf-8")
    arguments = ["import", "langsmith", str(source / "runs.json"), "--suite", "tasks"]
    arguments += ["--submission", "agent", "--examples", str(source / "examples.json")]
    (source / "runs.json").write_text(json.dumps(RUNS[:1]), encoding="utf-8")
    assert 0 == board.lb(*arguments).exit_code
    refused = board.lb("run", "--model", "baseline:planner", "--suite", "tasks")
    assert (1, True) == (refused.exit_code, "names no environment" in refused.stderr)
    assert not (board.root / "submissions/baseline-planner").exists()

    address = "https://smith.langchain.com/public/128af05e-aa00-4e3b-a958-d166dd450581/d"
    done = board.lb(*arguments, "--environment", address)
    assert 0 == done.exit_code, done.stderr
    run = board.lb("run", "--model", "baseline:planner", "--suite", "tasks")
    assert 0 == run.exit_code, run.stderr
    assert 0 == board.lb("rescore", "--offline").exit_code
    assert 0 == board.lb("validate").exit_code


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Chess", "there is no task 'Chess'; choose one of: Tool Usage - Typewriter (1 tool)"),
        ("Tool Usage - Relational Data", "reads tables: name those of the questions with --tables"),
    ],
)
def test_an_environment_that_does_not_fit_is_refused(
    board: Folder, name: str, problem: str
) -> None:
    """An unknown task, and the one whose tables are not those of the questions."""
    path = board.root.parent / "files.json"
    path.write_text(json.dumps(EXAMPLES), encoding="utf-8")
    arguments = ["import", "langsmith", str(path), "--suite", "t", "--submission", "a"]
    result = board.lb(*arguments, "--examples", str(path), "--environment", name)
    assert 2 == result.exit_code
    assert problem in " ".join(result.stderr.replace("│", " ").split())
