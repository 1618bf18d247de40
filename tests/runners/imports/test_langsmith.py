"""`lb import langsmith`: examples and runs in every form LangSmith and its local runner write, as a suite and a submission."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from leaderboard.errors import FilesError
from leaderboard.load import load_contents
from leaderboard.workspace import open_workspace
from runners.imports.langsmith.langsmith_import import ImportReport, import_langsmith
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.judge_prompts import judge_prompt

EXAMPLES = [
    {
        "id": "e-1",
        "created_at": "2026-01-01T00:00:00",
        "inputs": {"question": "df"},
        "outputs": {"reference": "df", "expected_steps": ["d", "f"], "state": "df"},
        "metadata": {},
    },
    {
        "id": "e-2",
        "inputs": {"question": "Which city?"},
        "outputs": {"reference": "Lima", "expected_steps": ["city"]},
    },
]
TYPED = [
    [{"tool": "d", "tool_input": "", "log": "Invoking d"}, "OK"],
    [{"tool": "f", "tool_input": {}, "log": ""}, "OK"],
]
RUNS: list[dict[str, Any]] = [
    {
        "id": "r-1",
        "reference_example_id": "e-1",
        "inputs": {"question": "df"},
        "outputs": {"output": "", "intermediate_steps": TYPED, "state": "df"},
        "error": None,
        "parent_run_id": None,
        "start_time": "2026-02-03T10:00:00.500000",
        "end_time": "2026-02-03T10:00:02.000000",
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_cost": "0.0015",
        "feedback_stats": {"correctness": {"avg": 1.0}},
    },
    {
        "id": "r-2",
        "parent_run_id": "r-1",
        "inputs": {},
        "outputs": {"output": "OK"},
        "start_time": "2026-02-03T10:00:01",
    },
    {
        "id": "r-3",
        "reference_example_id": "e-2",
        "outputs": None,
        "error": "RateLimitError()",
        "start_time": "2026-02-04T00:00:00",
    },
]


@pytest.fixture
def board(folder: Folder) -> Folder:
    """A workspace with the judge prompt for answers."""
    folder.write("prompts/tool_usage/qa.md", judge_prompt("qa"))
    return folder


def run_import(
    board: Folder,
    runs: Any = RUNS,
    examples: Any = EXAMPLES,
    suite: str = "tasks",
    submission: str = "agent",
    **more: Any,
) -> ImportReport:
    source = board.root.parent
    (source / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    (source / "examples.json").write_text(json.dumps(examples), encoding="utf-8")
    given = None if examples is None else source / "examples.json"
    return import_langsmith(
        board.root, given, source / "runs.json", suite, submission, **more, kinds=KINDS
    )


def problems(board: Folder, *arguments: Any, **more: Any) -> list[str]:
    before = board.tree(".")
    with pytest.raises(FilesError) as caught:
        run_import(board, *arguments, **more)
    assert before == board.tree("."), "nothing is written where something is wrong"
    return [str(problem) for problem in caught.value.problems]


def records(board: Folder, submission: str = "agent", suite: str = "tasks") -> list[dict[str, Any]]:
    path = board.root / f"submissions/{submission}/{suite}.json"
    found: list[dict[str, Any]] = json.loads(path.read_bytes())["test_results"]
    return found


def card(board: Folder) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (board.root / "submissions/agent/submission.json").read_bytes()
    )
    return found


# ---------------------------------------------------------------- what comes out


def test_examples_and_runs_become_a_suite_and_a_submission(board: Folder) -> None:
    """What is written loads without a problem, and says what the files said."""
    report = run_import(board)
    assert ("written", "written", 2, 2, 1, 0) == (
        report.suite,
        report.submission,
        report.cases,
        report.records,
        report.children,
        report.by_question,
    )
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


def test_what_is_imported_can_be_scored(board: Folder) -> None:
    """From the files to verdicts, offline: the scores beside the runs are not read, the evidence is."""
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
    assert ("unchanged", "unchanged") == (report.suite, report.submission)
    assert before == board.tree(".")


def test_a_card_that_was_edited_stays_edited(board: Folder) -> None:
    """What a person wrote onto the card survives the next import; what the import is told wins."""
    run_import(board)
    edited = {**card(board), "organization": "Org", "model": "m1", "date": "2026-03-01"}
    board.write("submissions/agent/submission.json", edited)
    run_import(board, fields={"model": "m2"})
    assert {**edited, "model": "m2"} == card(board)


STEP_FORMS = {
    "pairs": TYPED,
    "objects": [{"tool": "d", "observation": "OK"}, {"tool": "f", "observation": "OK"}],
    "action and observation": [{"action": {"tool": name}, "observation": "OK"} for name in "df"],
    "constructors": [
        [
            {
                "lc": 1,
                "type": "constructor",
                "id": ["AgentAction"],
                "kwargs": {"tool": n, "log": ""},
            },
            "OK",
        ]
        for n in "df"
    ],
}


@pytest.mark.parametrize("steps", STEP_FORMS.values(), ids=STEP_FORMS.keys())
def test_every_serialised_form_of_steps_is_read(board: Folder, steps: list[Any]) -> None:
    """However the steps were serialised, the submission holds the tools and their observations, and no logs."""
    run_import(
        board,
        [{"inputs": {"question": "df"}, "outputs": {"intermediate_steps": steps}}],
        date="2026-01-31",
    )
    told = [{"tool": "d", "observation": "OK"}, {"tool": "f", "observation": "OK"}]
    assert [{"id": "e-1", "output": None, "intermediate_steps": told}] == records(board)


def test_steps_that_cannot_be_read_are_kept(board: Folder) -> None:
    """A step without a tool stays in the submission as it was: the verdict will say what is wrong with it."""
    run_import(
        board,
        [
            {
                "inputs": {"question": "df"},
                "outputs": {"output": "", "intermediate_steps": [{"log": "?"}]},
            }
        ],
        date="2026-01-31",
    )
    assert [[{"log": "?"}]] == [record["intermediate_steps"] for record in records(board)]


PLACES = {
    "outputs": {"inputs": {"question": "df"}, "outputs": {"output": "x", "actual_steps": ["d"]}},
    "output": {"input": {"question": "df"}, "output": {"output": "x", "actual_steps": ["d"]}},
    "wrapped once more": {
        "inputs": {"question": "df"},
        "outputs": {"output": {"output": "x", "actual_steps": ["d"]}},
    },
    "flat": {"question": "df", "output": "x", "actual_steps": ["d"]},
    "content blocks": {
        "inputs": {"question": "df"},
        "outputs": {"output": [{"type": "text", "text": "x"}], "actual_steps": ["d"]},
    },
    "input as text": {"input": "df", "outputs": {"output": "x", "actual_steps": ["d"]}},
}


@pytest.mark.parametrize("run", PLACES.values(), ids=PLACES.keys())
def test_the_answer_is_found_wherever_it_stands(board: Folder, run: dict[str, Any]) -> None:
    """Exports, local results and flat records keep the same answer in different places."""
    report = run_import(board, [run], date="2026-01-31")
    assert [{"id": "e-1", "output": "x", "intermediate_steps": [{"tool": "d"}]}] == records(board)
    assert 1 == report.by_question


def test_the_results_of_a_local_run(board: Folder) -> None:
    """An object of results by example, with execution times and errors, as the runner without LangSmith returns."""
    results = {
        "e-1": {
            "input": {"question": "df"},
            "execution_time": 2.5,
            "output": {"output": "", "actual_steps": ["d", "f"]},
            "feedback": [],
        },
        "e-2": {
            "input": {"question": "Which city?"},
            "execution_time": 0.1,
            "Error": "ValueError()",
        },
    }
    report = run_import(board, {"project_name": "p", "results": results}, date="2026-01-31")
    assert [
        {
            "id": "e-1",
            "output": "",
            "intermediate_steps": [{"tool": "d"}, {"tool": "f"}],
            "latency_s": 2.5,
        },
        {"id": "e-2", "error": "ValueError()", "latency_s": 0.1},
    ] == records(board)
    assert 0 == report.by_question


def test_several_runs_of_an_example_are_its_trials(board: Folder) -> None:
    """Trials are numbered in the order of the file."""
    row = {"reference_example_id": "e-1", "outputs": {"output": "", "actual_steps": ["d"]}}
    run_import(board, [{**row, "id": str(number)} for number in range(3)], date="2026-01-31")
    assert [("e-1", 1), ("e-1", 2), ("e-1", 3)] == [
        (record["id"], record["trial"]) for record in records(board)
    ]


def test_a_run_without_outputs_has_failed(board: Folder) -> None:
    """Nothing came out, and nobody says why: the record says that, and it will count as a fail."""
    run_import(board, [{"reference_example_id": "e-1", "outputs": None}], date="2026-01-31")
    assert [{"id": "e-1", "error": "The run has no outputs."}] == records(board)


@pytest.mark.parametrize("packed", [False, True])
def test_json_lines(board: Folder, packed: bool) -> None:
    """One object a line, blank lines between them, perhaps packed; a problem has its line."""
    lines = "\n".join(["", json.dumps(RUNS[0]), " ", json.dumps(RUNS[2]), ""]).encode()
    name = "runs.jsonl.gz" if packed else "runs.jsonl"
    source = board.root.parent / name
    source.write_bytes(gzip.compress(lines) if packed else lines)
    examples = board.root.parent / "examples.ndjson"
    examples.write_text("\n".join(map(json.dumps, EXAMPLES)), encoding="utf-8")
    assert (
        2 == import_langsmith(board.root, examples, source, "tasks", "agent", kinds=KINDS).records
    )
    bad = lines.replace(b'"e-2"', b'"e-9"')
    source.write_bytes(gzip.compress(bad) if packed else bad)
    with pytest.raises(
        FilesError,
        match=rf"{name}:4 \$\[1\]: cannot be matched to a case: it names the example 'e-9'",
    ):
        import_langsmith(board.root, examples, source, "tasks", "agent", kinds=KINDS)


def test_examples_without_ids_are_named_by_place(board: Folder) -> None:
    """The suite's file then holds the names, so that later imports mean the same cases."""
    examples = [
        {key: value for key, value in example.items() if key != "id"} for example in EXAMPLES
    ]
    run_import(
        board, [{"question": "df", "output": "", "actual_steps": []}], examples, date="2026-01-31"
    )
    stored = json.loads((board.root / "datasets/tasks/tasks.json").read_bytes())
    assert ["tasks_01", "tasks_02"] == [example["id"] for example in stored]
    assert [{"id", "inputs", "outputs"}] * 2 == [set(example) for example in stored]


def test_runs_over_a_suite_that_is_there(board: Folder) -> None:
    """Without examples nothing is written but the submission; runs that name other ids are matched by their question."""
    run_import(board)
    before = board.tree("datasets")
    report = run_import(
        board, [{**RUNS[0], "reference_example_id": "another copy"}], None, submission="second"
    )
    assert (None, 1) == (report.suite, report.by_question)
    assert before == board.tree("datasets")
    assert ["e-1"] == [record["id"] for record in records(board, "second")]
    assert any("answers 1 of 2 cases" in str(warning) for warning in report.warnings)


def test_without_a_judge_prompt_the_suite_is_compared_by_rule(folder: Folder) -> None:
    """Where no QA prompt is at hand the suite goes without, and the report says what that means."""
    report = run_import(folder)
    assert any("prompts/tasks/qa.md: does not exist" in str(warning) for warning in report.warnings)
    suite = load_contents(open_workspace(folder.root), KINDS).suite("tasks")
    assert suite is not None
    assert [None] == [category.prompt for category in suite.categories]


def test_a_suite_of_states_and_numbers_gets_no_prompt(board: Folder) -> None:
    """A judge is named only where answers are text."""
    run_import(board, RUNS[:1], EXAMPLES[:1])
    assert not (board.root / "prompts/tasks").exists()


def test_both_keys_of_steps_are_told(board: Folder) -> None:
    """The report warns about steps that are not read."""
    outputs = {"output": "", "intermediate_steps": ["d"], "actual_steps": ["f"]}
    report = run_import(
        board, [{"reference_example_id": "e-1", "outputs": outputs}], date="2026-01-31"
    )
    assert any("the latter are not read" in str(warning) for warning in report.warnings)
    assert [{"tool": "d"}] == records(board)[0]["intermediate_steps"]


# ---------------------------------------------------------------- what is refused


def test_another_origins_folders_are_never_touched(board: Folder) -> None:
    """A suite or a submission that something else made stays as it is."""
    assert any(
        "was not written by an import of langsmith" in problem
        for problem in problems(board, suite="small")
    )
    board.submission("agent", [{"id": "B001", "model_text": "x"}])
    assert any(
        "its card does not say imported_from 'langsmith'" in problem for problem in problems(board)
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
    "no list": ({"a": 1}, EXAMPLES, "runs.json:1 $: holds no list"),
    "runs no list": ({"runs": 3}, EXAMPLES, "$.runs: holds no list"),
    "no run": ([], EXAMPLES, "holds no run"),
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
    "no time": (run(start_time="soon"), EXAMPLES, "$[0].start_time: is 'soon', which is no time"),
    "time a number": (run(start_time=5), EXAMPLES, "$[0].start_time: is 5, which is no time"),
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
    "no example": (RUNS, [], "examples.json:1 $: holds no example"),
    "example without steps": (
        RUNS,
        [{"inputs": {"question": "df"}, "outputs": {"reference": "x"}}],
        "$[0].outputs: lacks 'expected_steps'",
    ),
    "same example twice": (RUNS, EXAMPLES[:1] * 2, "holds 2 examples with the id 'e-1'"),
}


@pytest.mark.parametrize(("runs", "examples", "problem"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_said_and_nothing_is_written(
    board: Folder, runs: Any, examples: Any, problem: str
) -> None:
    """Files that cannot be imported are problems with their place, and the workspace stays as it was."""
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
def test_wrong_options_are_said(board: Folder, more: dict[str, Any], problem: str) -> None:
    """Ids, dates and suites are checked before anything is written."""
    assert any(problem in line for line in problems(board, **more))


# ---------------------------------------------------------------- the command


def test_the_command(board: Folder) -> None:
    """`lb import langsmith` writes both folders and tells what it did; wrong files end with 1."""
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
    assert "datasets/tasks/: written (cases: 2)" in done.output
    assert "submissions/agent/: written (runs: 2)" in done.output
    assert "left out, because they are parts of other runs: 1" in done.output
    assert ("m1", "Org", "F") == (
        card(board)["model"],
        card(board)["organization"],
        card(board)["framework"],
    )
    assert 0 == board.lb("validate").exit_code
    Path(source / "runs.json").write_text("[3]", encoding="utf-8")
    assert 1 == board.lb(*arguments).exit_code
