"""What a model reads before a case: the text of the suite's kind, then its environment's.

The texts say what every model needs to know, and nothing that helps with a single case. Some cases
need a date: every model gets the date of the suite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from leaderboard.errors import Problem
from leaderboard.types import Suite
from leaderboard.workspace import suite_file
from runners.environments import registry, task_in
from runners.environments.tasks import ToolUsageTask

# The sentence about the date. Without a date in suite.toml it is left out.
_DATED: Final = re.compile(r"[^.]*\{date\}[^.]*\.\s*")


def system_text(
    suite: Suite, category_id: str, override: str | None = None, *, tools: bool = True
) -> str:
    """The system text of a category's cases. `override` replaces the text of the suite's kind.

    Without `tools`, it does not speak of any.
    """
    own = suite.kind.system_text if tools else suite.kind.text_without_tools
    own = suite.kind.system_text if own is None else own
    text = own or ""
    if override is not None:
        text = override
    elif suite.date is None:
        text = _DATED.sub(" ", text)
    else:
        text = text.replace("{date}", suite.date)
    if suite.kind.interaction == "environment":
        text = f"{text.strip()}\n\n{task_of(suite, category_id).instructions}"
    return text.strip()


def task_of(suite: Suite, category_id: str) -> ToolUsageTask:
    """The task of a category. Raises ValueError when the category has no known environment."""
    category = suite.category(category_id)
    return registry[category.environment or ""].over(category.tables)


def missing_environments(suite: Suite) -> Iterator[Problem]:
    """A problem for each category that needs an environment and names none that exists."""
    if suite.kind.interaction != "environment":
        return
    file = suite_file(suite.id)
    for category in suite.categories:
        task = task_in(category)
        if task is None:
            what = f"category {category.id!r} names no environment"
            if category.environment:
                unknown = repr(category.environment)
                what = f"category {category.id!r} names an unknown environment: {unknown}"
            fix = f"set environment to one of: {', '.join(known.name for known in registry)}"
            yield Problem(file, what, fix)
        elif category.tables and task.create_over is None:
            what = f"has the category {category.id!r}, whose environment reads no tables"
            yield Problem(file, what, "remove tables there")
