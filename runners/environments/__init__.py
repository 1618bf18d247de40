"""Environments: small worlds with tools and a state, and the registry of their tasks.

`registry["Multiverse Math"].create_environment().call("add", {"a": 2, "b": 3})` is 6.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from leaderboard.types import Category, Suite, Tool
from runners.environments.multiverse import MULTIVERSE_MATH
from runners.environments.relational import RELATIONAL_DATA
from runners.environments.tasks import Registry, ToolUsageTask
from runners.environments.typewriter import ONE_TOOL, TWENTY_SIX_TOOLS

registry: Final = Registry((ONE_TOOL, TWENTY_SIX_TOOLS, RELATIONAL_DATA, MULTIVERSE_MATH))


def task_in(category: Category) -> ToolUsageTask | None:
    """The task of a category, over the tables of its suite. None if it names no known task."""
    name = category.environment
    return registry[name].over(category.tables) if name in registry and name else None


def offered_tools(suites: Iterable[Suite]) -> dict[tuple[str, str], tuple[Tool, ...]]:
    """The tools of each (suite, category) whose environment is known."""
    offered = {}
    for suite in suites:
        for category in suite.categories:
            task = task_in(category)
            if task is not None:
                tools = task.create_environment().tools
                offered[suite.id, category.id] = tuple(tool.tool for tool in tools)
    return offered
