"""The made-up answers beside this file: their format, their questions, and their calls."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from leaderboard.apis.executions import tool_reply
from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import open_workspace
from runners.apis.api_call import ApiCall
from runners.apis.api_client import outcome_of
from runners.apis.virtual_apis import VirtualApis, replaying
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped
from tests.each_row import each_row

# These answers are about shipped suites: without them the file is skipped.
shipped("datasets/stable_toolbench")
shipped("datasets/tool_selection")
shipped("datasets/tool_usage")

ANSWERS = Path(__file__).parent / "answers"
FILES = {
    **{
        category: f"tool_selection/{category}.json"
        for category in ("clarifying", "error", "no_tool", "not_supported")
    },
    "relational_data": "tool_usage/relational_data.json",
    **{
        category: f"stable_toolbench/queries/{category}.json"
        for category in (
            "G1_instruction",
            "G1_tool",
            "G1_category",
            "G2_instruction",
            "G2_category",
            "G3_instruction",
        )
    },
}
FIELDS = {"query": str, "answer": str, "right": bool, "why": str}
CALL_FIELDS = {"name", "arguments", "response"}


@cache
def answers(category: str) -> tuple[dict[str, Any], ...]:
    lines = (ANSWERS / f"{category}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def cases(category: str) -> Mapping[str, Mapping[str, Any]]:
    """The cases of a category by their questions."""
    text = (PROJECT / "datasets" / FILES[category]).read_text(encoding="utf-8")
    return {question(case): case for case in json.loads(text)}


def question(case: Mapping[str, Any]) -> str:
    if "inputs" in case:
        return str(case["inputs"]["question"])
    return str(case.get("user_query") or case["query"])


def has_calls(category: str) -> bool:
    return FILES[category].startswith("stable_toolbench")


def test_there_is_one_file_for_each_category() -> None:
    """No category lacks its answers, and no file belongs to none."""
    assert sorted(FILES) == sorted(path.stem for path in ANSWERS.iterdir())


@pytest.mark.large
@each_row("category", FILES)
def test_each_line_has_exactly_its_fields(category: str) -> None:
    """Question, answer, label and reason; with simulated APIs the calls too."""
    fields = FIELDS | ({"calls": list} if has_calls(category) else {})
    for line in answers(category):
        assert fields == {name: type(value) for name, value in line.items()}
        assert line["answer"].strip() == line["answer"] != ""
        assert line["why"].endswith(".")
        assert all(CALL_FIELDS == set(call) for call in line.get("calls", ()))


@each_row("category", FILES)
def test_every_question_is_that_of_a_case(category: str) -> None:
    """An answer to a question that no case asks could never be decided."""
    assert [] == [
        line["query"] for line in answers(category) if line["query"] not in cases(category)
    ]


@each_row("category", FILES)
def test_every_case_has_a_right_and_a_wrong_answer(category: str) -> None:
    """Each question is answered at least once with each label."""
    given = {(line["query"], line["right"]) for line in answers(category)}
    assert {(query, right) for query in cases(category) for right in (True, False)} == given


@pytest.mark.large
@each_row("category", FILES)
def test_no_answer_occurs_twice(category: str) -> None:
    """An answer is the same as another if question, text and calls are equal."""
    counts = Counter(
        (line["query"], line["answer"], json.dumps(line.get("calls"))) for line in answers(category)
    )
    assert [] == [key for key, number in counts.items() if number > 1]


@each_row("category", FILES)
def test_about_half_of_the_answers_are_right(category: str) -> None:
    """Both labels make up 40 to 60 % of a category."""
    labels = [line["right"] for line in answers(category)]
    assert 0.4 <= sum(labels) / len(labels) <= 0.6


@pytest.mark.large
@pytest.mark.parametrize("category", [category for category in FILES if has_calls(category)])
def test_each_response_is_the_reply_of_the_suites_own_apis(category: str) -> None:
    """The virtual APIs give every call exactly the response that the file states."""
    for line, call in each_call(category):
        assert replied(cases(category)[line["query"]], call) == call["response"], line["answer"]


def each_call(category: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    return ((line, call) for line in answers(category) for call in line["calls"])


@cache
def apis() -> VirtualApis:
    workspace = open_workspace(PROJECT)
    return replaying(workspace, load_suite(workspace, "stable_toolbench", KINDS))


def replied(case: Mapping[str, Any], call: Mapping[str, Any]) -> Any:
    """What an agent would have got for this call."""
    (api,) = (
        api for api in case["api_list"] if f"{api['tool_name']}_{api['api_name']}" == call["name"]
    )
    name = ApiName(api["category_name"], api["tool_name"], api["api_name"])
    answer = apis().answer(ApiCall(name, call["arguments"]))
    outcome = outcome_of(answer.reply, answer.source)
    return tool_reply(outcome.response if outcome.ok else outcome.text)
