"""Tasks: an environment with what a system is told about it; and the registry that finds a task by its name."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, overload

from runners.environments.environment import Environment

_COLUMNS: Final = ("Name", "Type", "Dataset ID", "Description")
_WIDTH: Final = 60  # characters of the widest column


@dataclass(frozen=True, slots=True, repr=False)
class ToolUsageTask:
    """What is to be done in an environment. `suite` and `category` say where its cases are.

    `description` is for readers; `instructions` go to the system under test, before the question. `create_environment` makes
    a fresh environment every time.
    """

    name: str
    suite: str
    category: str
    description: str
    instructions: str
    create_environment: Callable[[], Environment]

    @property
    def type(self) -> str:
        """The name of its class, by which `Registry.filter` tells kinds of tasks apart."""
        return self.__class__.__name__

    @property
    def dataset_id(self) -> str:
        """Where the cases are: `<suite>/<category>`."""
        return f"{self.suite}/{self.category}"

    def __repr__(self) -> str:
        """A table with one row per field, as readers of a notebook or a terminal want it."""
        return _table(list(zip(_COLUMNS, _cells(self), strict=True)))


class Registry:
    """Tasks in the order they were added, each name once."""

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
        """The task of that name or position, or the registry of a slice.

        Raises ValueError for an unknown name, IndexError for a position outside, TypeError for another kind of key.
        """
        if isinstance(key, slice):
            return Registry(self._tasks[key])
        if isinstance(key, str):
            return self._named(key)
        if isinstance(key, int) and not isinstance(key, bool):
            return self._tasks[key]
        raise TypeError(
            f"a task is found by its name, a position or a slice, not by {type(key).__name__}"
        )

    def _named(self, name: str) -> ToolUsageTask:
        for task in self._tasks:
            if task.name == name:
                return task
        raise ValueError(
            f"there is no task named {name!r}; there are: {', '.join(task.name for task in self._tasks)}"
        )

    def __contains__(self, name: object) -> bool:
        """Whether a task of that name, or the task itself, is registered."""
        return any(name in (task.name, task) for task in self._tasks)

    def __iter__(self) -> Iterator[ToolUsageTask]:
        return iter(tuple(self._tasks))

    def __len__(self) -> int:
        return len(self._tasks)

    def filter(
        self,
        Type: str | None = None,  # noqa: N803 - the word by which the published registry is filtered
        dataset_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
    ) -> Registry:
        """The tasks of which everything given holds: type, dataset id and name are equal, the description contains the text.

        Case is ignored in descriptions only.
        """
        wanted = (("type", Type), ("dataset_id", dataset_id), ("name", name))
        return Registry(
            task
            for task in self._tasks
            if all(value is None or getattr(task, field) == value for field, value in wanted)
            and (description or "").casefold() in task.description.casefold()
        )

    def __repr__(self) -> str:
        """A table with one row per task."""
        return _table([_COLUMNS, *(_cells(task) for task in self._tasks)])


def _cells(task: ToolUsageTask) -> tuple[str, ...]:
    return (task.name, task.type, task.dataset_id, task.description)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as text: columns side by side, long cells wrapped, no blank at the end of a line."""
    wrapped = [[textwrap.wrap(cell, _WIDTH) or [""] for cell in row] for row in rows]
    widths = [
        max(len(line) for row in wrapped for line in row[column]) for column in range(len(rows[0]))
    ]
    return "\n".join(
        "  ".join(
            (cell[at] if at < len(cell) else "").ljust(width)
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in wrapped
        for at in range(max(map(len, row)))
    )
