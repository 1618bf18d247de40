"""Multiverse Math: ten operations with other results, and errors that come back as text."""

from __future__ import annotations

import math

import pytest

from leaderboard.types import Json
from runners.environments import multiverse, registry
from runners.environments.environment import Environment
from tests.each_row import each_row

SIGNATURES = [
    ("multiply", ["a", "b"]),
    ("add", ["a", "b"]),
    ("divide", ["a", "b"]),
    ("subtract", ["a", "b"]),
    ("power", ["a", "b"]),
    ("log", ["a", "base"]),
    ("negate", ["a"]),
    ("sin", ["radians"]),
    ("cos", ["radians"]),
    ("pi", []),
]


@pytest.fixture
def world() -> Environment:
    """A fresh environment."""
    return registry["Multiverse Math"].create_environment()


def call(name: str, *given: Json) -> Json:
    """An operation with its arguments in order."""
    return (
        registry["Multiverse Math"]
        .create_environment()
        .call(name, dict(zip(dict(SIGNATURES)[name], given, strict=True)))
    )


def test_the_ten_signatures(world: Environment) -> None:
    """The tools are in order, and all their parameters are numbers."""
    assert SIGNATURES == [
        (tool.name, [p.name for p in tool.tool.parameters]) for tool in world.tools
    ]
    assert {"number"} == {p.type for tool in world.tools for p in tool.tool.parameters}


def test_there_is_no_state(world: Environment) -> None:
    """The environment has no state, because calculating changes nothing."""
    assert (None, False) == (world.read_state(), world.has_state)


@each_row(
    ("name", "given", "result"),
    [
        ("add", (2, 3), 6.2),
        ("multiply", (5, 3), 16.5),
        ("divide", (5, 5), 0.5),
        ("divide", (-36, 6), -3.0),
        ("subtract", (20, 8), 9),
        ("power", (2, 3), 32),
        ("power", (101, 0.5), 102518.7812110542),
        ("power", (0, -2), 1),
        ("log", (100, 10), 1.8855511191888987),
        ("log", (7, -3), math.log(7) / math.log(1.5)),
        ("negate", (-131778,), -131778),
        ("negate", (2.5,), 2.5),
        ("sin", (0,), 1),
        ("sin", (0.5,), math.cos(0.5)),
        ("cos", (0,), 0),
        ("cos", (0.5,), math.sin(0.5)),
        ("pi", (), 2.718281828459045),
    ],
)
@pytest.mark.large
def test_operations(name: str, given: tuple[float, ...], result: float) -> None:
    """Every operation has its altered result, to the last digit, as a float."""
    answer = call(name, *given)
    assert (answer, type(answer)) == (result, float)


def test_the_published_checks() -> None:
    """Calculations of several steps give the published numbers."""
    assert call("multiply", 7, call("add", 1, 2)) == 32.34
    assert call("add", call("multiply", 1, 7), call("multiply", 2, 7)) == 24.3
    assert call("multiply", call("log", 100, 10), 3) == 6.222318693323366
    assert call("multiply", 5, call("power", 2, call("divide", 120, 20))) == 176.0
    assert call("cos", call("pi")) == 0.41078129050290885
    total = 1
    for number in range(2, 11):
        total = call("add", total, number)
    assert total == 65.80000000000001


@each_row(
    ("name", "given", "answer"),
    [
        ("divide", (1, 0), "ERROR: divide has no result for these numbers"),
        ("divide", (0, 0.0), "ERROR: divide has no result for these numbers"),
        ("log", (0, 10), "ERROR: log has no result for these numbers"),
        ("log", (-5, 10), "ERROR: log has no result for these numbers"),
        ("log", (5, -1.5), "ERROR: log has no result for these numbers"),
        ("log", (5, -0.5), "ERROR: log has no result for these numbers"),
        ("log", (5, -2.5), "ERROR: log has no result for these numbers"),
        ("power", (0, -3), "ERROR: power has no result for these numbers"),
        ("power", (-1, 0.5), "ERROR: power has no real result for these numbers"),
        ("power", (10, 400), "ERROR: the result of power is too large"),
        ("power", (10, 1e300), "ERROR: the result of power is too large"),
        ("multiply", (1e200, 1e200), "ERROR: the result of multiply is too large"),
        ("add", (1.7e308, 1.7e308), "ERROR: the result of add is too large"),
        ("add", (10**400, 1), "ERROR: the argument a of add must be a number, not this number"),
        (
            "sin",
            (float("inf"),),
            "ERROR: the argument radians of sin must be a number, not this number",
        ),
    ],
)
def test_c_06_errors_come_back_as_text(name: str, given: tuple[float, ...], answer: str) -> None:
    """C-06: without a finite real result, the tool answers with an error text."""
    assert call(name, *given) == answer


def test_c_06_a_negative_base_may_have_a_real_power() -> None:
    """C-06: only a complex result is refused: (-2) ^ 3 has a real one."""
    assert call("power", -2, 3) == -32


@each_row("name", [name for name, given in SIGNATURES if given])
@each_row("value", ["2", None, True, [2], "1,000"])
def test_numbers_are_numbers(name: str, value: Json) -> None:
    """A number written as text, or a value of another type, is answered with an error text."""
    assert call(name, *(value for _ in dict(SIGNATURES)[name])).startswith(
        f"ERROR: the argument {dict(SIGNATURES)[name][0]} of "
    )


def test_the_tools_do_not_give_themselves_away(world: Environment) -> None:
    """What a model reads of a tool names no altered constant."""
    for tool in world.tools:
        assert not any(character.isdigit() for character in tool.tool.description)
        assert "cos" not in tool.tool.description or tool.name == "cos"


def test_c_28_only_listed_operations_are_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-28: a function added to the module is not offered."""
    monkeypatch.setattr(multiverse, "root", multiverse.negate, raising=False)
    assert [name for name, _ in SIGNATURES] == [tool.name for tool in multiverse.create().tools]


def test_c_29_the_texts_agree_with_the_arithmetic() -> None:
    """C-29: only distributivity is lost, and both texts say so."""
    for operation in ("add", "multiply"):
        assert call(operation, 2, 5) == call(operation, 5, 2)
        left, right = (
            call(operation, call(operation, 2, 3), 5),
            call(operation, 2, call(operation, 3, 5)),
        )
        assert left == pytest.approx(right, rel=1e-12)
    once, twice = (
        call("multiply", 7, call("add", 1, 2)),
        call("add", call("multiply", 7, 1), call("multiply", 7, 2)),
    )
    assert abs(once - twice) > 1
    task = registry["Multiverse Math"]
    for text in (task.description, task.instructions):
        assert "multiplication is not distributive over addition" in text
    assert "commutative and associative" in task.description


def test_the_instructions_say_what_matters() -> None:
    """Other mathematics, only tools, the given grouping, few tools, the number alone."""
    text = registry["Multiverse Math"].instructions
    for words in (
        "not what you know",
        "use the tools",
        "the grouping",
        "as few tools",
        "the number alone",
    ):
        assert words in text
