"""Examples and runs of LangSmith, and the import of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.imports.import_writer import ImportReport
from runners.imports.langsmith.langsmith_import import SuiteChoices, import_langsmith
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.runners.scripted_server import Answer, Seen, completion

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


BY_QUESTION = "matched by their question, because they name no example of the suite: 1"


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
    return import_files(board, given, [source / "runs.json"], suite, submission, **more)


def import_files(
    board: Folder,
    examples: Path | None,
    runs: Sequence[Path],
    suite: str = "tasks",
    submission: str = "agent",
    **more: Any,
) -> ImportReport:
    given = {"choices": SuiteChoices(), "date": None, "fields": {}, **more}
    return import_langsmith(board.root, examples, runs, suite, submission, **given, kinds=KINDS)


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


# The form of LangChain's module. Its last line must not be run.
RELATIONAL_MODULE = '''
from langchain.tools import tool

USER_DATA = [
    {"id": 1, "name": "Ann", "email": "ann@example.org", "location": 1,
     "favorite_color": "red", "favorite_foods": [2]},
    {"id": 35, "name": "Bob", "email": "bob@example.org", "location": 2,
     "favorite_color": "orange", "favorite_foods": [1, 2]},
]
LOCATION_DATA = [
    {"id": 1, "city": "Lima", "current_time": "2023-11-14 10:30 AM",
     "current_weather": "Cloudy, Temperature: 68°F"},
    {"id": 2, "city": "Oslo", "current_time": "2023-11-14 7:45 PM",
     "current_weather": "Snow, Temperature: 28°F"},
]
FOOD_DATA = [
    {"id": 1, "name": "Pie", "calories": 285, "allergic_ingredients": ["Gluten"]},
    {"id": 2, "name": "Ice", "calories": 50, "allergic_ingredients": []},
]

def get_available_functions():
    def get_current_user_id() -> int:
        """Get the current user's ID."""
        return 35

raise SystemExit
'''
RELATIONAL_EXAMPLE = {
    "id": "e-1",
    "inputs": {"question": "What is the favorite color of the user?"},
    "outputs": {
        "reference": "orange",
        "expected_steps": ["get_current_user_id", "get_user_favorite_color"],
    },
}
RELATIONAL_RUN = {
    "reference_example_id": "e-1",
    "outputs": {"output": "orange", "intermediate_steps": []},
    "start_time": "2026-01-31T00:00:00",
}


def relational_turn(seen: Seen) -> Answer:
    """A model that asks for the user, then for that user's color, and says what it got."""
    if seen.turn == 0:
        return completion("", [("get_current_user_id", {})], finish="tool_calls")
    if seen.turn == 1:
        found = {"user_id": json.loads(seen.results[-1])}
        return completion("", [("get_user_favorite_color", found)], finish="tool_calls")
    return completion(seen.results[-1], [], finish="stop")
