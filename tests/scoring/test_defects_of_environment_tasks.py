"""Defects of the earlier evaluators of environment tasks: one test per known defect.

These concern evaluation and loading. The tests of the environments have the others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import polars as pl
import pytest

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.tool_usage import read_tool_usage
from leaderboard.files.findings import Findings
from leaderboard.responses.response_records import Interner, read_acted, read_records
from leaderboard.types import Case, Category, Json, JudgeReply, Referral, Suite, Verdict
from runners.imports.langsmith.langsmith_import import SuiteChoices, import_langsmith
from scoring.judging.panel_verdicts import settle_by_majority
from scoring.judging.replies import EQUIVALENCE, parse
from scoring.rules import KINDS
from tests.conftest import Folder, shipped
from tests.each_row import each_row


def example(steps: list[str] | None = None, /, **outputs: Json) -> dict[str, Json]:
    return {
        "inputs": {"question": "df"},
        "outputs": {"reference": "df", "expected_steps": steps or [], **outputs},
    }


def load(record: Json) -> tuple[tuple[Case, ...], list[str]]:
    findings = Findings("c.json", orjson.dumps([record]))
    return read_tool_usage(CategoryCases([record], "c", (), False, findings)), [
        str(problem) for problem in findings.problems()
    ]


def suite(record: Json, prompt: str | None = "qa") -> Suite:
    cases, problems = load(record)
    assert [] == problems
    return Suite(
        "c",
        "C",
        "",
        KINDS["tool_usage"],
        (Category("c", "C", "", 1.0, prompt, cases),),
        {},
        "",
        {c.id: c for c in cases},
    )


def found(
    record: Json, answer: dict[str, Json], prompt: str | None = "qa"
) -> dict[str, Verdict | Referral]:
    """The findings of the rule on one record of a responses file, by metric."""
    of = suite(record, prompt)
    row = {"id": "c_01", **answer}
    (read,) = read_records([row], of, Findings("r.json", orjson.dumps([row])), Interner())
    return {
        finding.metric: finding
        for finding in KINDS["tool_usage"].decide(of, of.cases[0], read.response)
    }


def decided(record: Json, answer: dict[str, Json], metric: str) -> tuple[str, float | None, str]:
    finding = found(record, answer)[metric]
    assert isinstance(finding, Verdict), "code alone must decide this"
    return finding.outcome, finding.score, finding.reason


@pytest.mark.parametrize(("order", "passes"), [(None, False), (True, False), (False, True)])
def test_c_01_order_matters_unless_it_is_said_not_to(order: bool | None, passes: bool) -> None:
    """`order_matters: null` is as good as left out, which means that order matters."""
    swapped = {"output": "df", "actual_steps": ["f", "d"]}
    assert (
        decided(example(["d", "f"], order_matters=order), swapped, "trajectory")[0] == "pass"
    ) is passes
    assert decided(example(["d", "f"]), swapped, "trajectory")[0] == "fail"


def test_c_02_no_expected_step_is_no_crash() -> None:
    """If no step is expected, none taken is a ratio of 1. A step taken has no ratio."""
    none, one = {"output": "df", "actual_steps": []}, {"output": "df", "actual_steps": ["d"]}
    assert decided(example([]), none, "step_ratio") == ("pass", 1.0, "expected_number_of_steps")
    assert decided(example([]), none, "trajectory") == ("pass", 1.0, "expected_path")
    assert decided(example([]), one, "step_ratio") == ("unscored", None, "no_step_expected")
    assert decided(example([]), one, "trajectory") == ("fail", 0.0, "other_path")


@pytest.mark.parametrize("state", [{}, {"state": None}])
def test_c_03_a_run_without_the_state_is_wrong(state: dict[str, Json]) -> None:
    """A run without a final state fails a case that has one, even if the rest is right."""
    answer = {"output": "df", "actual_steps": ["d", "f"], **state}
    assert decided(example(["d", "f"], state="df"), answer, "correct") == (
        "fail",
        0.0,
        "missing_state",
    )


@each_row("output", [{}, {"output": None}, {"output": ""}, {"output": " \n"}, {"output": []}])
@each_row("reference", ["df", 6.2])
def test_c_04_a_run_without_an_answer_is_wrong(output: dict[str, Json], reference: Json) -> None:
    """Nothing answered is a fail with a reason, not a score that is missing."""
    answer = {"actual_steps": ["d"], **output}
    assert decided(example(["d"], reference=reference), answer, "correct") == (
        "fail",
        0.0,
        "empty_response",
    )


def test_c_04_a_case_without_a_reference_is_refused() -> None:
    """A missing reference is a problem of the dataset, reported before anything is scored."""
    cases, (problem,) = load({"inputs": {"question": "df"}, "outputs": {"expected_steps": []}})
    assert cases == ()
    assert problem.startswith("c.json:1 $[0].outputs: gives no reference")


def test_c_05_a_crashed_run_counts_as_nothing_achieved() -> None:
    """A run that raised fails every metric with a score of 0: it stays in every mean."""
    outcomes = found(example(["d"]), {"output": None, "error": "TimeoutError: no reply"})
    assert list(outcomes) == ["correct", "trajectory", "step_ratio"]
    for finding in outcomes.values():
        assert finding == Verdict(
            finding.metric,
            "fail",
            0.0,
            "response_error",
            "The system failed: TimeoutError: no reply.",
        )


@pytest.mark.parametrize("text", ["9" * 403, "1e400", "(1e-17+1j)", "ERROR: division by zero"])
def test_c_06_no_result_of_a_tool_stops_the_scoring(text: str) -> None:
    """Huge integers, complex numbers and error texts are wrong answers and nothing else."""
    answer = {
        "output": text,
        "intermediate_steps": [[{"tool": "power", "tool_input": {"a": 10, "b": 400}}, text]],
    }
    assert decided(example(["power"], reference=6.2), answer, "correct")[:2] == ("fail", 0.0)


@each_row("reply", ["not correct", "The answer is not correct.", "yes", "", "I would say so."])
def test_c_07_a_reply_that_settles_nothing_is_no_grade(reply: str) -> None:
    """A negated grade is not the grade. A reply without one leaves the answer unscored."""
    assert parse(reply, EQUIVALENCE) is None
    verdict = settle_by_majority("correct", "It differs.", {"j": [JudgeReply("k", reply)]})
    assert (verdict.outcome, verdict.score, verdict.reason) == (
        "unscored",
        None,
        "judge_unparseable",
    )


@each_row(
    ("reply", "grade"),
    [
        ("GRADE: CORRECT", "equivalent"),
        ("grade:  incorrect", "different"),
        ("QUESTION: ...\nGRADE: CORRECT\n", "equivalent"),
        ("CORRECT", "equivalent"),
        ("Incorrect.", "different"),
        ("The student named the right city, so the answer is CORRECT", "equivalent"),
        ("The city is another one: INCORRECT!", "different"),
    ],
)
def test_c_07_a_grade_is_labelled_or_the_first_or_the_last_word(reply: str, grade: str) -> None:
    """The forms in which judges that are asked for CORRECT or INCORRECT answer."""
    assert parse(reply, EQUIVALENCE) == grade


@each_row(
    "reply",
    [
        " CORRECT",
        "\nCORRECT",
        "**CORRECT**",
        "Correct",
        "COMPARISON: CORRECT",
        "CORRECT.",
        "`Correct`",
    ],
)
def test_c_08_a_grade_is_read_through_its_decoration(reply: str) -> None:
    """Blanks, bold, letter case and a label do not change a grade."""
    assert parse(reply, EQUIVALENCE) == "equivalent"


@pytest.mark.parametrize(
    "reply",
    ["CORRECT or INCORRECT", "GRADE: CORRECT or INCORRECT", "CORRECT/INCORRECT", "CORRECTLY"],
)
def test_c_08_the_instruction_echoed_is_no_grade(reply: str) -> None:
    """A reply that starts with the right letters is not yet a grade."""
    assert parse(reply, EQUIVALENCE) is None


def test_c_10_equally_good_paths_pass() -> None:
    """Another name of a tool, or another order of steps, is accepted if the case lists it."""
    truth = example(["find", "get_weather"], alternatives=[["find", "get_current_weather"]])
    for last in ("get_weather", "get_current_weather"):
        answer = {"output": "df", "actual_steps": ["find", last]}
        assert decided(truth, answer, "trajectory") == ("pass", 1.0, "expected_path")
        assert decided(truth, answer, "step_ratio") == ("pass", 1.0, "expected_number_of_steps")
    assert (
        decided(truth, {"output": "df", "actual_steps": ["find", "get_time"]}, "trajectory")[0]
        == "fail"
    )
    either = example(["sin", "cos", "add"], alternatives=[["cos", "sin", "add"]])
    for steps, outcome in (
        ("sin cos add", "pass"),
        ("cos sin add", "pass"),
        ("add sin cos", "fail"),
    ):
        assert (
            decided(either, {"output": "df", "actual_steps": steps.split()}, "trajectory")[0]
            == outcome
        )


@pytest.mark.parametrize("prompt", ["qa", None])
def test_c_11_one_configuration_serves_every_kind_of_answer(prompt: str | None) -> None:
    """A judge changes nothing for states and numbers, which code decides either way."""
    by_state = found(
        example(["d"], state="df"),
        {"output": "other", "actual_steps": ["d"], "state": "df"},
        prompt,
    )
    by_number = found(
        example(["d"], reference=6.2), {"output": "6.2", "actual_steps": ["d"]}, prompt
    )
    assert isinstance(by_state["correct"], Verdict)
    assert isinstance(by_number["correct"], Verdict)


def test_c_18_a_dataset_of_another_task_is_refused_at_once() -> None:
    """Cases without expected steps never reach the rule that needs them."""
    cases, problems = load(
        {"inputs": {"question": "q"}, "outputs": {"reference": [{"name": "DocQuery", "args": {}}]}}
    )
    assert cases == ()
    assert any("missing required key 'expected_steps'" in problem for problem in problems)


def test_c_21_files_are_read_from_paths(folder: Folder) -> None:
    """Examples and runs are files on disk, given as paths, and importing them says what it did."""
    examples, runs = folder.root / "examples.json", folder.root / "runs.json"
    examples.write_text(json.dumps([example(["d", "f"], state="df")]), encoding="utf-8")
    run = {
        "inputs": {"question": "df"},
        "outputs": {"output": "", "actual_steps": ["d", "f"], "state": "df"},
    }
    runs.write_text(json.dumps([run]), encoding="utf-8")
    report = import_langsmith(
        folder.root,
        Path(examples),
        [Path(runs)],
        "typing",
        "agent",
        kinds=KINDS,
        choices=SuiteChoices(),
        date="2026-01-31",
        fields={},
    )
    assert ("written", {"typing": 1}) == (report.suite, report.cases)
    assert (("agent", "written", 1),) == report.submissions


STEPS: list[tuple[str, list[Any]]] = [
    ("names", ["d", "f"]),
    ("objects", [{"tool": "d", "tool_input": {}, "log": ""}, {"tool": "f"}]),
    ("pairs", [[{"tool": "d", "tool_input": ""}, "OK"], [{"tool": "f"}, "OK"]]),
    ("action and observation", [{"action": {"tool": name}, "observation": "OK"} for name in "df"]),
]


@each_row("steps", [steps for _, steps in STEPS])
@each_row("order", [True, False])
def test_c_22_serialised_steps_load_and_compare(steps: list[Any], order: bool) -> None:
    """However steps are written out, they are the same steps, in order or not."""
    answer = {"output": "df", "intermediate_steps": steps}
    assert decided(example(["d", "f"], order_matters=order), answer, "trajectory") == (
        "pass",
        1.0,
        "expected_path",
    )


def test_c_22_tuples_are_lists() -> None:
    """Steps that never were in a file, as tuples, are the same steps too."""
    of = suite(example(["d", "f"]))
    steps = (("d", "OK"), ("f", "OK"))
    response = read_acted({"id": "c_01", "output": "df", "intermediate_steps": steps})
    _, trajectory, _ = KINDS["tool_usage"].decide(of, of.cases[0], response)
    assert isinstance(trajectory, Verdict)
    assert trajectory.outcome == "pass"


def test_c_23_ignored_steps_are_told() -> None:
    """If both keys of steps are present, intermediate_steps counts, with a warning."""
    rows = [{"id": "c_01", "output": "df", "intermediate_steps": ["d", "f"], "actual_steps": ["d"]}]
    of, findings = suite(example(["d", "f"])), Findings("r.json", orjson.dumps(rows))
    (record,) = read_records(rows, of, findings, Interner())
    assert ["d", "f"] == [call.name for call in record.response.calls]
    (problem,) = findings.problems()
    assert ("warning", "$[0].actual_steps") == (problem.severity, problem.at)
    assert "is not read" in problem.what


@pytest.mark.large
def test_c_24_too_few_and_too_many_do_not_cancel_out(folder: Folder) -> None:
    """Half and 1.5 times the steps have the mean 1, but both fail, with different reasons."""
    folder.write("datasets/typing/suite.toml", TYPING_TOML)
    folder.write("datasets/typing/typing.json", [example(["d", "f"], state="df")] * 2)
    rows = [
        {"id": "typing_01", "output": "", "actual_steps": ["d"], "state": "d"},
        {"id": "typing_02", "output": "", "actual_steps": ["d", "f", "f"], "state": "dff"},
    ]
    folder.submission("agent", rows, suite="typing")
    assert 0 == folder.lb("rescore", "--offline").exit_code
    ratios = pl.read_parquet(folder.root / "results/verdicts.parquet").filter(metric="step_ratio")
    assert [("fail", 0.5, "too_few_steps"), ("fail", 1.5, "too_many_steps")] == ratios.select(
        "outcome", "score", "reason"
    ).rows()


TYPING_TOML = """\
schema = 1
title = "Typing"
kind = "tool_usage"
categories = [{ id = "typing", title = "Typing", file = "typing.json" }]
"""


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ([], None),
        ([{"type": "text", "text": "d"}, {"type": "text", "text": "f"}], "df"),
        (
            [
                {"type": "tool_use", "id": "x", "name": "d", "input": {}},
                {"type": "text", "text": "df"},
            ],
            "df",
        ),
    ],
)
def test_c_25_an_answer_in_content_blocks_is_text(output: Json, text: str | None) -> None:
    """The text blocks of an answer are joined before comparing. Without any there is no answer."""
    expected = ("pass", 1.0, "exact") if text else ("fail", 0.0, "empty_response")
    assert decided(example(["d"]), {"output": output, "actual_steps": ["d"]}, "correct") == expected


def test_the_judge_prompt_asks_for_this_projects_grades() -> None:
    """One protocol serves all: the QA prompt asks for the same two words as the others."""
    prompt = shipped("prompts/tool_usage/qa.md").read_text(encoding="utf-8")
    assert "Answer with the single word `equivalent` or `different` on the first line." in prompt
