"""What a model is told before a case: a system text of our own per kind of suite, and an environment's instructions.

The texts say what every model needs to know and nothing that helps with a single case. Some cases of the tool_selection suite
reason about the future, so the date is told, and it is the same for everybody: the day the suite was made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leaderboard.errors import Problem
from leaderboard.types import Suite
from runners.environments import registry
from runners.environments.tasks import ToolUsageTask

DATE: Final = "2026-11-20"


def system(suite: Suite, category_id: str, override: str | None = None) -> str:
    """The system text of a category's cases: the kind's own or `override`, then what its environment has to say."""
    own_text = (suite.kind.system_text or "").replace("{date}", DATE)
    text = own_text if override is None else override
    own = (
        task_of(suite, category_id).instructions if suite.kind.interaction == "environment" else ""
    )
    return "\n\n".join(part.strip() for part in (text, own) if part.strip())


def task_of(suite: Suite, category_id: str) -> ToolUsageTask:
    """What is to be done in a category that is acted out. Raises ValueError where there is no environment for it."""
    return registry[suite.category(category_id).environment or ""]


def without_environment(suite: Suite) -> Iterator[Problem]:
    """A problem for each category that should be acted out, but names no environment that there is."""
    for category in suite.categories if suite.kind.interaction == "environment" else ():
        if category.environment not in registry:
            named = (
                f"names no environment that there is: {category.environment!r}"
                if category.environment
                else "names no environment"
            )
            what = f"has the category {category.id!r} that {named}"
            fix = f"environment = one of: {', '.join(task.name for task in registry)}"
            yield Problem(f"datasets/{suite.id}/suite.toml", what, fix)
