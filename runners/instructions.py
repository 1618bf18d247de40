"""What a model is told before a case: a system text of our own per kind of suite, and an environment's instructions.

The texts say what every model needs to know and nothing that helps with a single case. Some cases of the tool_selection suite
reason about the future, so the date is told, and it is the same for everybody: the day the suite was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.errors import Problem
from leaderboard.types import Suite
from runners.environments import registry
from runners.environments.tasks import ToolUsageTask

DATE: Final = "2026-11-20"

_SYSTEMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tool_selection": (
            f"You are a helpful assistant. The date is {DATE}. You may use the tools that you are given where they help; where "
            "they do not, answer in words."
        ),
        "call_match": "You are a helpful assistant. You may use the tools that you are given where they help.",
        "tool_usage": "",
    }
)


def system(suite: Suite, category_id: str, override: str | None = None) -> str:
    """The system text of a category's cases: the kind's own or `override`, then what its environment has to say."""
    text = _SYSTEMS.get(suite.kind, "") if override is None else override
    own = task_of(suite, category_id).instructions if suite.kind == "tool_usage" else ""
    return "\n\n".join(part.strip() for part in (text, own) if part.strip())


def task_of(suite: Suite, category_id: str) -> ToolUsageTask:
    """What is to be done in a category that is acted out. Raises ValueError where there is no environment for it."""
    return registry[suite.category(category_id).environment or ""]


def without_environment(suite: Suite) -> Iterator[Problem]:
    """A problem for each category that should be acted out, but names no environment that there is."""
    for category in suite.categories if suite.kind == "tool_usage" else ():
        if category.environment not in registry:
            named = (
                f"names no environment that there is: {category.environment!r}"
                if category.environment
                else "names no environment"
            )
            what = f"has the category {category.id!r} that {named}"
            fix = f"environment = one of: {', '.join(task.name for task in registry)}"
            yield Problem(f"datasets/{suite.id}/suite.toml", what, fix)
