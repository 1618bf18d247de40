"""The registry of tasks: found by name, position, slice and filter; each name once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from runners.environments import registry
from runners.environments.environment import Environment
from runners.environments.tasks import Registry, ToolUsageTask
from tests.each_row import each_row

NAMES = [
    "Tool Usage - Typewriter (1 tool)",
    "Tool Usage - Typewriter (26 tools)",
    "Tool Usage - Relational Data",
    "Multiverse Math",
]


def task(name: str, description: str = "Nothing to do.") -> ToolUsageTask:
    """A task in an empty environment."""
    return ToolUsageTask(name, "small", "idle", description, "Do nothing.", lambda: Environment(()))


def names(tasks: Registry) -> list[str]:
    """The names of a registry's tasks, in order."""
    return [task.name for task in tasks]


@pytest.fixture
def three() -> Registry:
    """A registry of three tasks."""
    return Registry(task(name, f"About {name.upper()}.") for name in ("one", "two", "three"))


def test_the_four_tasks_are_registered_in_order() -> None:
    """The published names, in the published order."""
    assert (names(registry), len(registry)) == (NAMES, 4)


@pytest.mark.parametrize("name", NAMES)
def test_a_task_is_found_by_name(name: str) -> None:
    """A name gives the task, which makes a fresh environment every time."""
    found = registry[name]
    assert found.name == name
    assert found.create_environment() is not found.create_environment()


def test_a_task_is_found_by_position(three: Registry) -> None:
    """Positions count from 0, or from the end; one outside is an IndexError, so that loops end."""
    assert ["one", "three"] == [three[0].name, three[-1].name]
    with pytest.raises(IndexError):
        three[3]


def test_a_slice_is_a_registry(three: Registry) -> None:
    """A slice keeps the order given and is a registry of its own."""
    part = three[1:]
    assert isinstance(part, Registry)
    assert ["two", "three"] == names(part)
    assert ["three", "two", "one"] == names(three[::-1])
    part.add(task("four"))
    assert len(three) == 3


def test_an_unknown_name_is_a_value_error() -> None:
    """The message names the known tasks."""
    with pytest.raises(
        ValueError,
        match=re.escape(
            "there is no task named 'multiverse math'; choose one of: " + ", ".join(NAMES)
        ),
    ):
        registry["multiverse math"]


@each_row("key", [1.0, None, True, ("one",), b"one"])
def test_another_kind_of_key_is_a_type_error(key: Any) -> None:
    """Only names, positions and slices find tasks."""
    with pytest.raises(TypeError, match=f"not by {type(key).__name__}"):
        registry[key]


def test_names_are_unique_from_the_start() -> None:
    """Two tasks of one name make no registry."""
    with pytest.raises(ValueError, match="'one' is registered already"):
        Registry([task("one"), task("two"), task("one")])


def test_only_tasks_are_added(three: Registry) -> None:
    """Anything else is a TypeError, and the registry stays as it was."""
    with pytest.raises(TypeError, match="holds tasks, not str"):
        three.add("four")  # type: ignore[arg-type]
    assert len(three) == 3


def test_c_20_add_checks_names(three: Registry) -> None:
    """C-20: adding a task checks that its name is free."""
    three.add(task("four"))
    with pytest.raises(ValueError, match="'two' is registered already"):
        three.add(task("two", "Another."))
    assert ["one", "two", "three", "four"] == names(three)


def test_c_20_in_is_an_answer(three: Registry) -> None:
    """C-20: `in` is true or false for any name or task, never an exception."""
    assert [True, False, False, True, False] == [
        key in three for key in ("one", "five", None, three[0], task("six"))
    ]


def test_c_20_filter_works_without_type(three: Registry) -> None:
    """C-20: every filter can be used alone, and no filter keeps everything."""
    assert ["one", "two", "three"] == names(three.filter())
    assert ["two"] == names(three.filter(name="two"))
    assert ["three"] == names(three.filter(description="about thr"))
    assert ["one", "two", "three"] == names(three.filter(dataset_id="small/idle"))


@each_row(
    ("wanted", "found"),
    [
        ({"Type": "ToolUsageTask"}, NAMES),
        ({"Type": "tooluseagetask"}, []),
        ({"Type": "ToolUsageTask", "name": "Multiverse Math"}, NAMES[3:]),
        ({"name": "multiverse math"}, []),
        ({"name": "Multiverse"}, []),
        ({"description": "TYPEWRITER"}, NAMES[:2]),
        ({"description": "alphabet", "dataset_id": "tool_usage/typewriter_26"}, NAMES[1:2]),
        ({"description": "alphabet", "dataset_id": "tool_usage/typewriter_1"}, []),
        ({"description": ""}, NAMES),
    ],
)
def test_filters(wanted: dict[str, str], found: list[str]) -> None:
    """Type, dataset id and name must be equal, the description contains the text in any case."""
    filtered = registry.filter(**wanted)
    assert (isinstance(filtered, Registry), names(filtered)) == (True, found)


def test_a_registry_reads_as_a_table() -> None:
    """The four columns have whole cells; long cells are wrapped, and no line is too long."""
    lines = repr(registry).splitlines()
    assert re.fullmatch(r"Name +Type +Dataset ID +Description", lines[0])
    for found in registry:
        row = next(line for line in lines if line.startswith(found.name))
        assert row.split("  ")[0] == found.name
        assert f" {found.type} " in row
        assert f" {found.dataset_id} " in row
    start = lines[0].index("Description")
    assert " ".join(line[start:].strip() for line in lines[1:]) == " ".join(
        found.description for found in registry
    )
    assert max(map(len, lines)) <= start + 60
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_task_reads_as_a_table(three: Registry) -> None:
    """One row per field, without anything that differs from run to run."""
    assert repr(three["two"]).splitlines() == [
        "Name         two",
        "Type         ToolUsageTask",
        "Dataset ID   small/idle",
        "Description  About TWO.",
    ]


def test_an_empty_registry_reads_as_its_head() -> None:
    """No tasks, no rows."""
    assert repr(Registry()) == "Name  Type  Dataset ID  Description"


def test_subclasses_have_their_own_type() -> None:
    """The type is the name of the class."""

    class OtherTask(ToolUsageTask):
        """Another kind."""

    other = OtherTask("o", "small", "idle", "d", "i", lambda: Environment(()))
    assert ["o"] == names(Registry([task("t"), other]).filter(Type="OtherTask"))
    assert replace(other, name="p").type == "OtherTask"


@pytest.mark.parametrize("found", registry, ids=lambda found: found.category)
def test_tasks_are_complete(found: ToolUsageTask) -> None:
    """Every task has a description and instructions, and says where its cases are."""
    assert found.suite == "tool_usage"
    assert len(found.description) > 100
    assert len(found.instructions) > 100
    assert found.create_environment().tools
