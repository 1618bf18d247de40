"""The forms in which LangSmith and its local runner write runs."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from leaderboard.errors import FilesError
from tests.conftest import Folder
from tests.runners.imports.langsmith.langsmith_files import (
    BY_QUESTION,
    EXAMPLES,
    RUNS,
    TYPED,
    card,
    import_files,
    problems,
    records,
    run_import,
)

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
    """The submission has the tools and their observations, in one form and without logs."""
    run_import(
        board,
        [{"inputs": {"question": "df"}, "outputs": {"intermediate_steps": steps}}],
        date="2026-01-31",
    )
    told = [{"tool": "d", "observation": "OK"}, {"tool": "f", "observation": "OK"}]
    assert [{"id": "e-1", "output": None, "intermediate_steps": told}] == records(board)


def test_steps_that_cannot_be_read_are_kept(board: Folder) -> None:
    """A step without a tool stays unchanged, so that the verdict reports it."""
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
def test_the_answer_is_found_in_every_place(board: Folder, run: dict[str, Any]) -> None:
    """Exports, local results and flat records store the answer in different places."""
    report = run_import(board, [run], date="2026-01-31")
    assert [{"id": "e-1", "output": "x", "intermediate_steps": [{"tool": "d"}]}] == records(board)
    assert (BY_QUESTION,) == report.notes


def test_the_results_of_a_local_run(board: Folder) -> None:
    """The local runner writes an object by example, with execution times and errors."""
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
    assert () == report.notes


def test_several_runs_of_an_example_are_its_trials(board: Folder) -> None:
    """Trials are numbered in the order of the file."""
    row = {"reference_example_id": "e-1", "outputs": {"output": "", "actual_steps": ["d"]}}
    run_import(board, [{**row, "id": str(number)} for number in range(3)], date="2026-01-31")
    assert [("e-1", 1), ("e-1", 2), ("e-1", 3)] == [
        (record["id"], record["trial"]) for record in records(board)
    ]


def test_unequal_repetitions_are_never_silent_fails(board: Folder) -> None:
    """The runs that all cases have are kept, the others are left out and declared."""
    again = {**RUNS[0], "id": "r-9", "outputs": {"output": "", "intermediate_steps": ["x"]}}
    report = run_import(board, [*RUNS, again])
    assert [("e-1", None), ("e-2", None)] == [
        (record["id"], record.get("trial")) for record in records(board)
    ]
    assert "d" == records(board)[0]["intermediate_steps"][0]["tool"]
    assert any(
        "has unequal numbers of runs per case (more for 1 of 2 cases); kept: the first 1 run"
        in str(warning)
        for warning in report.warnings
    )
    assert 1 == card(board)["settings"]["runs_left_out"]


def test_several_projects_are_trials_of_one_submission(board: Folder) -> None:
    """One import takes all their files. A run that two files have is a problem."""
    paths = []
    for number in (1, 2):
        runs = [{**run, "id": f"{run['id']}-{number}"} for run in RUNS if run["id"] != "r-2"]
        paths.append(board.root.parent / f"project-{number}.json")
        paths[-1].write_text(json.dumps(runs), encoding="utf-8")
    examples = board.root.parent / "examples.json"
    examples.write_text(json.dumps(EXAMPLES), encoding="utf-8")
    import_files(board, examples, paths)
    assert [("e-1", 1), ("e-2", 1), ("e-1", 2), ("e-2", 2)] == [
        (record["id"], record["trial"]) for record in records(board)
    ]
    with pytest.raises(FilesError, match="repeats the run 'r-1-1'"):
        import_files(board, None, paths[:1] * 2)


@pytest.mark.parametrize("given", ["100", "1e2", 100.0])
def test_whole_numbers_of_tokens_are_whole(board: Folder, given: Any) -> None:
    """As text, or with a point as tables write them. The board accepts no part of a token."""
    (found,) = problems(board, [{**RUNS[0], "prompt_tokens": "0.5"}])
    assert "submissions/agent/tasks.json e-1, usage.input_tokens: " in found
    run_import(board, [{**RUNS[0], "prompt_tokens": given}])
    assert "'input_tokens': 100," in str(records(board)[0]["usage"])


def test_a_later_import_never_replaces_another_project(board: Folder) -> None:
    """It is refused with the way out: all projects in one import, where they are trials."""
    run_import(board)
    again = [{**RUNS[0], "id": "r-8", "total_cost": 0.5}, {**RUNS[2], "id": "r-9"}]
    (found,) = problems(board, again, None)
    assert "submissions/agent/tasks.json: has 2 answers, 1 of them from files" in found
    assert "name the files of all its answers in one import" in found
    first, second = (board.root.parent / f"{name}.json" for name in ("first", "second"))
    first.write_text(json.dumps(RUNS), encoding="utf-8")
    second.write_text(json.dumps(again), encoding="utf-8")
    import_files(board, None, [first, second])
    assert [1, 1, 2, 2] == [record["trial"] for record in records(board)]


CALLED: list[dict[str, Any]] = [
    {"type": "human", "content": "df"},
    {"type": "ai", "content": "", "tool_calls": [{"name": "d", "args": {}, "id": "c-1"}]},
    {"type": "tool", "content": "OK", "tool_call_id": "c-1"},
    {"type": "ai", "content": "Done."},
]


@pytest.mark.parametrize(
    ("outputs", "answer", "tools"),
    [
        ({"messages": CALLED}, "Done.", ["d"]),
        ({"messages": [{"data": one, "type": one["type"]} for one in CALLED]}, "Done.", ["d"]),
        ({"messages": CALLED[:3]}, None, ["d"]),
        ({"answer": "Lima"}, "Lima", None),
        ({"answer": "Lima", "intermediate_steps": ["d"]}, None, ["d"]),
    ],
)
def test_other_outputs_are_recognised(
    board: Folder, outputs: Any, answer: str | None, tools: list[str] | None
) -> None:
    """Conversations of LangGraph, and an answer under its own name."""
    run_import(board, [{"reference_example_id": "e-1", "outputs": outputs}], date="2026-01-31")
    (record,) = records(board)
    steps = record.get("intermediate_steps")
    assert (answer, tools) == (
        record["output"],
        None if steps is None else [step["tool"] for step in steps],
    )


@pytest.mark.parametrize(
    ("outputs", "problem"),
    [
        ({"result": "Lima", "notes": 1}, "has outputs that are not read: notes, result"),
        (
            {"output": "", "intermediate_steps": [["tool='d' tool_input='' log=''", "OK"]]},
            "has intermediate_steps dumped as text",
        ),
        (
            {"output": "", "actual_steps": "[(AgentAction(tool='d', tool_input={}), 'OK')]"},
            "has actual_steps dumped as text",
        ),
        (
            {"output": "", "intermediate_steps": {"0": ["d"]}},
            "$[0].outputs.intermediate_steps: is not a list of steps",
        ),
    ],
)
def test_outputs_that_cannot_be_read_are_refused(board: Folder, outputs: Any, problem: str) -> None:
    """They are named, and nothing is taken for a tool's name."""
    found = problems(board, [{"reference_example_id": "e-1", "outputs": outputs}])
    assert any(problem in line for line in found), found


def test_an_amount_beyond_the_limits_is_refused_in_its_file(board: Folder) -> None:
    """The message names the file of the runs, and not the one that would be written."""
    run = {"reference_example_id": "e-1", "outputs": {"output": ""}, "prompt_tokens": 10**30}
    (found,) = problems(board, [run])
    assert "runs.json" in found
    assert "$[0].prompt_tokens: is 1000000000000000000000000000000" in found
    assert "write a number up to 1,000,000,000,000" in found


def test_a_run_without_outputs_has_failed(board: Folder) -> None:
    """The record of a run without outputs and without an error has an error."""
    run_import(board, [{"reference_example_id": "e-1", "outputs": None}], date="2026-01-31")
    assert [{"id": "e-1", "error": "The run has no outputs."}] == records(board)


PENDING = {"reference_example_id": "e-2", "outputs": None, "error": None, "end_time": None}


@pytest.mark.parametrize("status", [{}, {"status": "pending"}])
def test_runs_that_have_not_ended_are_left_out(board: Folder, status: dict[str, str]) -> None:
    """They are counted, and a later import that has their ends loses nothing."""
    report = run_import(board, [RUNS[0], {**PENDING, **status, "id": "r-5"}])
    warnings = [str(warning).removeprefix(f"{board.root.parent}/") for warning in report.warnings]
    pending, missing = warnings
    assert pending == (
        "runs.json: contains runs that have not ended: 1, the first of case e-2 (they are left"
        " out; export the runs again when all have ended, and import them again)"
    )
    assert "runs.json: answers 1 of 2 cases; the others will count as failed" == missing
    assert ["e-1"] == [record["id"] for record in records(board)]
    ended = {**PENDING, "id": "r-5", "outputs": {"output": "Lima"}, "end_time": "2026-02-03"}
    assert () == run_import(board, [RUNS[0], ended]).warnings
    assert ["e-1", "e-2"] == [record["id"] for record in records(board)]


def test_a_file_of_runs_that_have_not_ended_is_refused(board: Folder) -> None:
    """The problem says so, because the export is of the right kind."""
    (found,) = problems(board, [PENDING])
    assert found.endswith(
        "runs.json: contains only runs that have not ended: 1 (export the runs again when they"
        " have ended)"
    )


def test_errors_in_place_of_answers_are_counted(board: Folder) -> None:
    """A warning has their number and the first one. An error may have several lines."""
    failed = {**RUNS[2], "error": "RateLimitError(429)\nTraceback"}
    report = run_import(board, [RUNS[0], failed])
    (warning,) = map(str, report.warnings)
    assert warning.endswith(
        "runs.json: has errors in place of answers: 1, the first: RateLimitError(429) Traceback"
        " (they count as failed; if the system is not the cause, run all examples again, and"
        " import the new runs with another --submission)"
    )


@pytest.mark.parametrize("packed", [False, True])
def test_json_lines(board: Folder, packed: bool) -> None:
    """The file may have blank lines and may be packed. A problem has its line."""
    lines = "\n".join(["", json.dumps(RUNS[0]), " ", json.dumps(RUNS[2]), ""]).encode()
    name = "runs.jsonl.gz" if packed else "runs.jsonl"
    source = board.root.parent / name
    source.write_bytes(gzip.compress(lines) if packed else lines)
    examples = board.root.parent / "examples.ndjson"
    examples.write_text("\n".join(map(json.dumps, EXAMPLES)), encoding="utf-8")
    report = import_files(board, examples, [source])
    assert (("agent", "written", 2),) == report.submissions
    bad = lines.replace(b'"e-2"', b'"e-9"')
    source.write_bytes(gzip.compress(bad) if packed else bad)
    with pytest.raises(
        FilesError,
        match=rf"{name}:4 \$\[1\]: cannot be matched to a case: it names the example 'e-9'",
    ):
        import_files(board, examples, [source])


def test_both_keys_of_steps_give_a_warning(board: Folder) -> None:
    """The report warns about the steps that are ignored."""
    outputs = {"output": "", "intermediate_steps": ["d"], "actual_steps": ["f"]}
    report = run_import(
        board, [{"reference_example_id": "e-1", "outputs": outputs}], date="2026-01-31"
    )
    assert any("actual_steps is ignored" in str(warning) for warning in report.warnings)
    assert [{"tool": "d"}] == records(board)[0]["intermediate_steps"]
