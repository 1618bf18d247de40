"""Environments: unsuitable calls are answered in words, and nothing changes from outside."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from runners.environments.environment import Environment, ToolError, parameter, tool_from_function
from tests.each_row import each_row

SHELF: list[list[str]] = [["atlas"], ["novel"]]


def store(title: str, copies: int, weight: float) -> list[Any]:
    """Stores a book."""
    return [title, copies, weight]


def titles() -> list[list[str]]:
    """All titles."""
    return SHELF


def refuse() -> str:
    """Refuses."""
    raise ToolError("not today")


def fail() -> str:
    """Fails."""
    raise ZeroDivisionError


DESCRIBED = {"title": "The title.", "copies": "How many.", "weight": "In grams."}


def library() -> Environment:
    """An environment of four tools, whose state is the shelf."""
    tools = (
        tool_from_function(store, DESCRIBED),
        *(tool_from_function(function) for function in (titles, refuse, fail)),
    )
    return Environment(tools, lambda: SHELF)


def test_a_tool_is_described_by_its_function() -> None:
    """Name, docstring and annotations make the tool; every parameter is required and described."""
    tool = library().tools[0]
    assert ("store", "Stores a book.") == (tool.name, tool.tool.description)
    assert tool.tool.parameters == (
        parameter("title", "string", "The title."),
        parameter("copies", "integer", "How many."),
        parameter("weight", "number", "In grams."),
    )
    assert tool.tool.parameters[1].schema == {"type": "integer", "description": "How many."}


def test_a_function_that_is_not_described_is_no_tool() -> None:
    """A missing docstring and a missing description of a parameter are errors."""

    def silent() -> str:
        return ""

    with pytest.raises(ValueError, match="silent has no docstring"):
        tool_from_function(silent)
    with pytest.raises(KeyError, match="copies"):
        tool_from_function(store, {"title": "The title."})


def test_tools_have_different_names() -> None:
    """Two tools of one name are an error when the environment is made."""
    with pytest.raises(ValueError, match="2 tools of the environment are named 'titles'"):
        Environment((tool_from_function(titles), tool_from_function(titles)))


def test_an_environment_cannot_be_changed() -> None:
    """Neither its tools nor a tool's function can be replaced."""
    environment = library()
    with pytest.raises(FrozenInstanceError):
        environment.tools = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        environment.tools[0].function = titles  # type: ignore[misc]


def test_arguments_arrive_in_their_declared_types() -> None:
    """3.0 is read as an integer, and an integer that is given for a number as a float."""
    result = library().call("store", {"weight": 300, "copies": 2.0, "title": "é"})
    assert result == ["é", 2, 300.0]
    assert [type(value) for value in result] == [str, int, float]


NO_TOOL = "ERROR: there is no tool named %s; the tools are: store, titles, refuse, fail"
NEEDS = "ERROR: store needs the argument %s; its arguments are: title, copies, weight"


@each_row(
    ("name", "arguments", "answer"),
    [
        ("lend", {}, NO_TOOL % "'lend'"),
        ("Titles", {}, NO_TOOL % "'Titles'"),
        ("\ud800\n" + "x" * 99, {}, NO_TOOL % rf"'\ud800\n{'x' * 78}...'"),
        ("store", None, NEEDS % "title"),
        ("store", {"title": "a", "copies": 1}, NEEDS % "weight"),
        (
            "store",
            {"name": "a"},
            "ERROR: store has no argument 'name'; its arguments are: title, copies, weight",
        ),
        ("titles", {"title": "a"}, "ERROR: titles has no argument 'title'; it takes none"),
        ("titles", [], "ERROR: the arguments of titles must be an object, not a list"),
        ("titles", "{}", "ERROR: the arguments of titles must be an object, not this text"),
        ("refuse", {}, "not today"),
    ],
)
def test_a_call_that_does_not_fit_is_answered(name: str, arguments: Any, answer: str) -> None:
    """Unknown tools and unsuitable arguments get answers that say what to do instead."""
    assert library().call(name, arguments) == answer


@pytest.mark.parametrize(
    ("argument", "value", "answer"),
    [
        ("title", None, "a text, not null"),
        ("title", 5, "a text, not this number"),
        ("title", ["a"], "a text, not a list"),
        ("title", "half a pair: \ud83d", "a text, not this text"),
        ("copies", "2", "an integer, not this text"),
        ("copies", 2.5, "an integer, not this number"),
        ("copies", True, "an integer, not true or false"),
        ("copies", 2**63, "an integer, not this number"),
        pytest.param("copies", 10**5000, "an integer, not this number", id="copies-endless"),
        ("weight", "heavy", "a number, not this text"),
        ("weight", False, "a number, not true or false"),
        ("weight", {"grams": 3}, "a number, not an object"),
        ("weight", float("inf"), "a number, not this number"),
        ("weight", float("nan"), "a number, not this number"),
        pytest.param("weight", 10**5000, "a number, not this number", id="weight-endless"),
    ],
)
def test_a_mistyped_argument_is_answered(argument: str, value: Any, answer: str) -> None:
    """A value of another type is not converted, and not repeated, because it may be long."""
    given = {"title": "a", "copies": 1, "weight": 1.5, argument: value}
    assert (
        library().call("store", given)
        == f"ERROR: the argument {argument} of store must be {answer}"
    )


def test_refused_arguments_are_told_from_calls_without_a_result() -> None:
    """Only the arguments count, so nothing is called."""
    assert library().refuses("store", {"title": "atlas"})
    assert not library().refuses("store", {"title": "atlas", "copies": 1, "weight": 2.5})
    assert not library().refuses("refuse", {})
    assert not library().refuses("fail", None)


def test_a_fault_raises_an_exception() -> None:
    """An exception that no tool means keeps its traceback."""
    with pytest.raises(ZeroDivisionError):
        library().call("fail", {})


def test_results_and_states_are_copies() -> None:
    """Changing a result or a state, however deep, changes a copy."""
    environment = library()
    for value in (
        environment.call("titles"),
        environment.call("titles", {}),
        environment.read_state(),
    ):
        value[0].append("scribble")
        value.clear()
    assert environment.read_state() == SHELF == [["atlas"], ["novel"]]


def test_an_environment_without_state_reads_none() -> None:
    """`has_state` distinguishes a state of None from no state."""
    without, empty = Environment(()), Environment((), lambda: None)
    assert [(None, False), (None, True)] == [
        (world.read_state(), world.has_state) for world in (without, empty)
    ]
