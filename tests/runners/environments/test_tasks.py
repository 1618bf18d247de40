"""The tasks: their names, their instructions, and the tools that they offer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletionFunctionToolParam
from pydantic import TypeAdapter

from runners.environments.environment import ToolUsageTask
from runners.environments.tasks import TASKS, offered_tools
from runners.tool_definitions import gemini_definitions, openai_definitions
from tests.conftest import Folder
from tests.runners.model_board import suite

NAMES = [
    "Tool Usage - Typewriter (1 tool)",
    "Tool Usage - Typewriter (26 tools)",
    "Tool Usage - Relational Data",
    "Multiverse Math",
]


def test_the_four_tasks_have_their_published_names() -> None:
    """The tasks are in the published order, and each is found by its own name."""
    assert list(TASKS) == NAMES
    assert [task.name for task in TASKS.values()] == NAMES


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_a_task_has_instructions_and_new_environments(task: ToolUsageTask) -> None:
    """Every task has instructions, and makes another environment with tools every time."""
    assert len(task.instructions) > 100
    first, second = task.create_environment(), task.create_environment()
    assert first is not second
    assert first.tools


@pytest.mark.parametrize("name", ["five", "multiverse math", None, 1.0, True, ("one",)])
def test_c_20_in_is_an_answer(name: Any) -> None:
    """C-20: `in` is false for anything that is not the name of a task, never an exception."""
    assert name not in TASKS


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_both_providers_get_every_tool(task: ToolUsageTask) -> None:
    """The definitions fit OpenAI's own type, and name every tool in order for both providers."""
    tools = [tool.tool for tool in task.create_environment().tools]
    names = [tool.name for tool in tools]
    openai, gemini = openai_definitions(tools), gemini_definitions(tools)
    TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(openai, strict=True)
    assert names == [tool["function"]["name"] for tool in openai]
    assert names == [declaration["name"] for declaration in gemini["function_declarations"]]
    assert json.loads(json.dumps([openai, gemini], allow_nan=False)) == [openai, gemini]


def test_tools_are_offered_where_an_environment_is_known(board: Folder) -> None:
    """Categories of a known environment get its tools. All others get none."""
    acts, small = suite(board, "acts"), suite(board, "small")
    offered = offered_tools([small, acts])
    assert {category for _, category in offered} == {
        category.id for category in acts.categories if category.environment in TASKS
    }
    assert [tool.name for tool in offered["acts", "sums"]][:2] == ["multiply", "add"]
