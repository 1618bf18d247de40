"""The tasks that categories of suites can name, and the tools that each one offers.

`TASKS["Multiverse Math"].create_environment().call("add", {"a": 2, "b": 3})` is 6.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.types import Suite, Tool
from runners.environments.environment import ToolUsageTask
from runners.environments.multiverse import MULTIVERSE_MATH
from runners.environments.relational import RELATIONAL_DATA
from runners.environments.typewriter import ONE_TOOL, TWENTY_SIX_TOOLS

# Messages list the names in this order.
_ALL: Final = (ONE_TOOL, TWENTY_SIX_TOOLS, RELATIONAL_DATA, MULTIVERSE_MATH)
TASKS: Final[Mapping[str, ToolUsageTask]] = MappingProxyType({task.name: task for task in _ALL})


def offered_tools(suites: Iterable[Suite]) -> dict[tuple[str, str], tuple[Tool, ...]]:
    """The tools of each (suite, category) whose environment is known."""
    offered = {}
    for suite in suites:
        for category in suite.categories:
            task = TASKS.get(category.environment or "")
            if task is not None:
                tools = task.create_environment().tools
                offered[suite.id, category.id] = tuple(tool.tool for tool in tools)
    return offered
