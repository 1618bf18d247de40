"""Baselines in environments: what each does, and that only the oracle knows the ground truth."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.response_records import read_acted
from leaderboard.types import Suite, Verdict
from leaderboard.workspace import Workspace
from runners.baselines.acting_baselines import NO_IDEA
from runners.baselines.baseline_run import answers
from runners.baselines.baselines import BASELINES, REFUSAL
from runners.environments import registry
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder, shipped
from tests.runners.baselines.written_baseline import write_baseline
from tests.runners.model_board import acted_case, add_suites, suite


@pytest.fixture(scope="module")
def usage() -> Suite:
    """The project's own suite of kind tool_usage."""
    shipped("datasets/tool_usage")
    return load_suite(Workspace(PROJECT), "tool_usage", KINDS)


def records(name: str, of: Suite) -> dict[str, dict[str, Any]]:
    """What a baseline does in each case, by id."""
    return {str(record["id"]): record for record in answers(BASELINES[name], of)}


def passed(name: str, of: Suite, metric: str) -> set[str]:
    """The cases in which code says that a baseline passes a metric."""
    found = set()
    for case_id, record in records(name, of).items():
        response = read_acted(record)
        verdicts = of.kind.decide(of, of.by_id[case_id], response)
        found |= {
            case_id
            for verdict in verdicts
            if isinstance(verdict, Verdict)
            and (verdict.metric, verdict.outcome) == (metric, "pass")
        }
    return found


def done(record: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Tool, arguments and observation of each step."""
    return [
        (s["action"]["tool"], s["action"]["tool_input"], s["observation"])
        for s in record["intermediate_steps"]
    ]


@pytest.mark.parametrize(
    "metric",
    [
        "correct",
        *(pytest.param(name, marks=pytest.mark.large) for name in ("trajectory", "step_ratio")),
    ],
)
def test_the_oracle_meets_every_ground_truth(usage: Suite, metric: str) -> None:
    """Every ground truth can be met in the real environments, in every metric."""
    assert passed("oracle", usage, metric) == {case.id for case in usage.cases}


@pytest.mark.large
def test_the_steps_hold_what_the_tools_answered(usage: Suite) -> None:
    """Calls are carried out: observations are results, not claims."""
    record = records("oracle", usage)["tu-546"]
    assert done(record) == [("add", {"a": 1, "b": 2}, 4.2), ("multiply", {"a": 7, "b": 4.2}, 32.34)]
    assert (record["output"], "state" in record) == ("32.34", False)


@pytest.mark.large
def test_the_planner_types_and_looks_up(usage: Suite) -> None:
    """It solves every typewriter case and the questions of a single look-up, and no others."""
    of = {category.id: {case.id for case in category.cases} for category in usage.categories}
    one_step = {
        case.id
        for case in usage.category("relational_data").cases
        if len(case.record["outputs"]["expected_steps"]) == 1
    }
    assert len(one_step) == 6
    assert (
        passed("planner", usage, "trajectory")
        == of["typewriter_1"] | of["typewriter_26"] | one_step
    )
    assert (
        passed("planner", usage, "correct") >= of["typewriter_1"] | of["typewriter_26"] | one_step
    )
    other = records("planner", usage)["tu-161"]
    assert (other["output"], other["intermediate_steps"]) == (NO_IDEA, [])


@pytest.mark.parametrize(
    ("question", "call", "answer"),
    [
        (
            "What is the name of the user with ID 61?",
            ("get_user_name", {"user_id": 61}, "Fanno"),
            "Fanno",
        ),
        (
            "What is the favorite color of the user with ID 61?",
            ("get_user_favorite_color", {"user_id": 61}, "crimson"),
            "crimson",
        ),
        (
            "Which city is the location with ID 12?",
            ("get_city_for_location", {"location_id": 12}, "Tindleford"),
            "Tindleford",
        ),
        (
            "Which allergic ingredients does the food with ID 131 have?",
            ("get_food_allergic_ingredients", {"food_id": 131}, ["shellfish", "wheat", "soy"]),
            "shellfish, wheat, soy",
        ),
        (
            "What is the name of the user with ID 1?",
            ("get_user_name", {"user_id": 1}, "User ID 1 cannot be resolved"),
            "User ID 1 cannot be resolved",
        ),
    ],
)
def test_a_single_look_up_is_answered_by_pattern(
    folder: Folder, question: str, call: Any, answer: str
) -> None:
    """One call answers a question about an attribute of a row with a given ID."""
    add_suites(folder)
    path = folder.root / "datasets/acts/suite.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("Multiverse Math", "Tool Usage - Relational Data"),
        encoding="utf-8",
    )
    folder.write(
        "datasets/acts/sums.json",
        [acted_case("R1", question, expected_steps=[call[0]], reference=answer)],
    )
    record = records("planner", suite(folder, "acts"))["R1"]
    assert (done(record), record["output"]) == ([call], answer)


def test_simple_baselines_do_the_same_in_every_case(folder: Folder) -> None:
    """Silence, one refusal, the first tool, or one tool by its words."""
    add_suites(folder)
    acts = suite(folder, "acts")
    assert [(r["output"], r["intermediate_steps"]) for r in records("silent", acts).values()] == [
        (None, [])
    ] * 3
    assert [r["output"] for r in records("refuse", acts).values()] == [REFUSAL] * 3
    first = records("first-tool", acts)
    assert done(first["K1"]) == [("a", {}, "OK")]
    assert done(first["S1"]) == [("multiply", {"a": 0, "b": 0}, 0.0)]
    assert (first["K1"]["state"], first["S1"]["output"]) == ("a", "0.0")
    assert all(len(record["intermediate_steps"]) == 1 for record in records("eager", acts).values())


@pytest.mark.parametrize("name", [name for name in BASELINES if name != "oracle"])
def test_only_the_oracle_sees_the_ground_truth(folder: Folder, name: str) -> None:
    """With other expected steps, answers and states, every other baseline does exactly the same."""
    add_suites(folder)
    before = records(name, suite(folder, "acts"))
    for file, case_id, question in (
        ("typing", "T1", "hi"),
        ("keys", "K1", "ab"),
        ("sums", "S1", "What is 2 + 3?"),
    ):
        folder.write(
            f"datasets/acts/{file}.json",
            [acted_case(case_id, question, expected_steps=["z"], reference="z", state="z")],
        )
    assert records(name, suite(folder, "acts")) == before


def test_an_oracle_without_arguments_spells_the_state(folder: Folder) -> None:
    """With names of tools alone, a text is typed letter by letter; other arguments are empty."""
    add_suites(folder)
    record = records("oracle", suite(folder, "acts"))
    assert done(record["T1"]) == [
        ("type_letter", {"letter": "h"}, "OK"),
        ("type_letter", {"letter": "i"}, "OK"),
    ]
    assert record["S1"]["output"] == "6.2"


def test_a_category_needs_an_environment_that_exists(folder: Folder) -> None:
    """A missing or unknown environment is an error that names the known ones."""
    add_suites(folder)
    path = folder.root / "datasets/acts/suite.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("Multiverse Math", "Chess"), encoding="utf-8"
    )
    with pytest.raises(
        FilesError, match="category 'sums' names an unknown environment: 'Chess'"
    ) as caught:
        write_baseline(folder, [suite(folder, "acts")], "silent")
    assert all(name in caught.value.problems[0].fix for name in (task.name for task in registry))
    path.write_text(
        path.read_text(encoding="utf-8").replace('environment = "Chess"\n', ""), encoding="utf-8"
    )
    with pytest.raises(FilesError, match="category 'sums' names no environment"):
        write_baseline(folder, [suite(folder, "acts")], "silent")
    assert not (folder.root / "submissions").exists()
