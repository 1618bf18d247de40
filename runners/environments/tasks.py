"""Tasks: an environment with instructions for a system, and the registry of all tasks."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Final, overload

from leaderboard.files.relational_tables import Tables
from runners.environments.environment import Environment

_COLUMNS: Final = ("Name", "Type", "Dataset ID", "Description")
_WIDTH: Final = 60  # characters of the widest column


@dataclass(frozen=True, slots=True, repr=False)
class ToolUsageTask:
    """A task in an environment. `suite` and `category` name its cases.

    `upstream_ids` are ids of LangChain's datasets for the same task. The registry finds a task by
    them too. `description` is for readers. `instructions` go to the system under test, before the
    question. `create_environment` makes a new environment with every call; `create_over` makes one
    over the tables that a suite brings, and is None if the task reads no tables.
    """

    name: str
    suite: str
    category: str
    description: str
    instructions: str
    create_environment: Callable[[], Environment]
    upstream_ids: tuple[str, ...] = ()
    create_over: Callable[[Tables], Environment] | None = None

    def over(self, tables: Tables | None) -> ToolUsageTask:
        """The task over a suite's own tables, if there are some and it reads tables."""
        if tables is None or self.create_over is None:
            return self
        return replace(self, create_environment=partial(self.create_over, tables))

    def is_named(self, name: str) -> bool:
        """Whether this is its name, its dataset, or LangChain's dataset (id or address)."""
        return name in (self.name, self.dataset_id) or any(key in name for key in self.upstream_ids)

    @property
    def type(self) -> str:
        """The name of the task's class, for `Registry.filter`."""
        return self.__class__.__name__

    @property
    def dataset_id(self) -> str:
        """Where the cases are: `<suite>/<category>`."""
        return f"{self.suite}/{self.category}"

    @property
    def cells(self) -> tuple[str, ...]:
        """The task as a row of the registry's table."""
        return (self.name, self.type, self.dataset_id, self.description)

    def __repr__(self) -> str:
        """A table with one row per field."""
        return _table(list(zip(_COLUMNS, self.cells, strict=True)))


class Registry:
    """Tasks in the order of their addition. Each name occurs once."""

    def __init__(self, tasks: Iterable[ToolUsageTask] = ()) -> None:
        self._tasks: list[ToolUsageTask] = []
        for task in tasks:
            self.add(task)

    def add(self, task: ToolUsageTask) -> None:
        """Adds a task. Raises TypeError for anything else, ValueError when the name is taken."""
        if not isinstance(task, ToolUsageTask):
            raise TypeError(f"a registry holds tasks, not {type(task).__name__}")
        if task.name in self:
            raise ValueError(f"a task named {task.name!r} is registered already")
        self._tasks.append(task)

    @overload
    def __getitem__(self, key: str | int) -> ToolUsageTask: ...
    @overload
    def __getitem__(self, key: slice) -> Registry: ...
    def __getitem__(self, key: str | int | slice) -> ToolUsageTask | Registry:
        """The task with a name or at a position, or the registry of a slice.

        Names are also datasets, see `ToolUsageTask.is_named`. Raises ValueError for an unknown
        name, IndexError for an unknown position.
        """
        if isinstance(key, slice):
            return Registry(self._tasks[key])
        if isinstance(key, int) and not isinstance(key, bool):
            return self._tasks[key]
        if not isinstance(key, str):
            expected = "a task is found by its name, a position or a slice"
            raise TypeError(f"{expected}, not by {type(key).__name__}")
        for task in self._tasks:
            if task.is_named(key):
                return task
        names = ", ".join(task.name for task in self._tasks)
        raise ValueError(f"there is no task named {key!r}; choose one of: {names}")

    def __contains__(self, name: object) -> bool:
        """Whether a task with that name, or the task itself, is registered."""
        if isinstance(name, str):
            return any(task.is_named(name) for task in self._tasks)
        return name in self._tasks

    def __iter__(self) -> Iterator[ToolUsageTask]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def filter(
        self,
        Type: str | None = None,  # noqa: N803 - the published registry has this name
        dataset_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
    ) -> Registry:
        """The tasks that match everything given.

        Type, dataset id and name must be equal. The description must contain the given text in any
        letter case.
        """
        part = (description or "").casefold()
        found = Registry()
        for task in self._tasks:
            equal = (
                Type in (None, task.type)
                and (dataset_id is None or task.is_named(dataset_id))
                and name in (None, task.name)
            )
            if equal and part in task.description.casefold():
                found.add(task)
        return found

    def __repr__(self) -> str:
        """A table with one row per task."""
        return _table([_COLUMNS, *(task.cells for task in self._tasks)])


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as text: cells side by side, long ones wrapped, no blanks at the end of a line."""
    table: list[tuple[str, ...]] = []
    for row in rows:
        cells = [textwrap.wrap(cell, _WIDTH) or [""] for cell in row]
        table += zip_longest(*cells, fillvalue="")
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for parts in table:
        padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)
