"""The typewriters: the paper holds what was typed, and nothing else."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import pytest

from leaderboard.types import Json
from runners.environments import registry, typewriter
from runners.environments.environment import Environment, parameter

LETTER = "The letter, digit or space to type, one character."


@pytest.fixture
def one() -> Environment:
    """The typewriter with one tool."""
    return registry["Tool Usage - Typewriter (1 tool)"].create_environment()


@pytest.fixture
def many() -> Environment:
    """The typewriter with 26 tools."""
    return registry["Tool Usage - Typewriter (26 tools)"].create_environment()


def test_one_tool_takes_a_letter(one: Environment) -> None:
    """There is one tool, `type_letter`, with one required text."""
    assert [("type_letter", (parameter("letter", "string", LETTER),))] == [
        (tool.name, tool.tool.parameters) for tool in one.tools
    ]


def test_letters_are_appended(one: Environment) -> None:
    """Every letter is answered with OK and follows the ones before; the paper is blank at first."""
    assert one.read_state() == ""
    assert ["OK", "OK", "OK"] == [one.call("type_letter", {"letter": letter}) for letter in "abb"]
    assert (one.read_state(), one.has_state) == ("abb", True)


@pytest.mark.parametrize("letter", ["", "ab", "  ", "e\u0301"])
def test_anything_but_one_character_is_refused(one: Environment, letter: str) -> None:
    """No character, or several: an error text, and the paper stays as it is."""
    one.call("type_letter", {"letter": "x"})
    answer = one.call("type_letter", {"letter": letter})
    assert answer == f"ERROR: a letter is one character, not {len(letter)}; nothing was typed"
    assert one.read_state() == "x"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"letter": 1}, {"letter": None}, {"text": "a"}, {"letter": "a", "more": "b"}, ["a"], "a"],
)
def test_arguments_that_do_not_fit_type_nothing(one: Environment, arguments: Json) -> None:
    """A call that does not fit is answered with an error text, and the paper stays as it is."""
    assert one.call("type_letter", arguments).startswith("ERROR: ")
    assert one.read_state() == ""


def test_26_tools_are_the_alphabet(many: Environment) -> None:
    """The tools are `a` to `z`, in that order, none of which takes an argument."""
    assert [(letter, ()) for letter in ascii_lowercase] == [
        (tool.name, tool.tool.parameters) for tool in many.tools
    ]


def test_each_tool_types_its_own_letter(many: Environment) -> None:
    """Every tool is answered with OK and appends the letter that it is named after."""
    assert ["OK"] * 26 == [many.call(tool.name, {}) for tool in many.tools]
    assert many.read_state() == ascii_lowercase


def test_the_seed_vector(many: Environment) -> None:
    """The fourth and the sixth tool type d and f."""
    assert many.read_state() == ""
    assert ("OK", "OK") == (many.call("d", {}), many.call("f", {}))
    assert many.read_state() == "df"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("a", {"letter": "a"}), ("A", {}), ("ab", {}), ("type_letter", {"letter": "a"})],
)
def test_a_wrong_call_types_nothing(
    many: Environment, name: str, arguments: dict[str, Any]
) -> None:
    """A surplus argument or an unknown tool gets an error text, and the paper stays as it is."""
    assert many.call(name, arguments).startswith("ERROR: ")
    assert many.read_state() == ""


@pytest.mark.parametrize("index", [0, 1])
def test_every_environment_has_its_own_paper(index: int) -> None:
    """What is typed in one environment does not show in the next."""
    first, second = registry[index].create_environment(), registry[index].create_environment()
    first.call(*(("type_letter", {"letter": "q"}) if index == 0 else ("q", {})))
    assert ("q", "", "") == (
        first.read_state(),
        second.read_state(),
        registry[index].create_environment().read_state(),
    )


def test_c_19_descriptions_fit_their_own_typewriter() -> None:
    """C-19: descriptions and instructions name the tools of their own typewriter."""
    one, many = typewriter.ONE_TOOL, typewriter.TWENTY_SIX_TOOLS
    assert "a single tool" in one.description
    assert "the tools 'a'" not in one.description
    assert "26 tools" in many.description
    assert "the tools 'a', 'b' and 'c'" in many.description
    assert "no arguments" in many.instructions
    assert "no arguments" not in one.instructions
    for task in (one, many):
        for rule in ("one letter at a time", "in the order of the text", "no other text"):
            assert rule in task.instructions
    assert [1, 26] == [len(task.create_environment().tools) for task in (one, many)]


@pytest.mark.parametrize("character", ["\n", "é", "字", "7", " ", "\U0001f600"])
def test_c_19_a_wrong_character_shows_on_the_paper(one: Environment, character: str) -> None:
    """C-19: any single character is typed as it is, so that a wrong one counts."""
    assert (one.call("type_letter", {"letter": character}), one.read_state()) == ("OK", character)


def test_c_19_half_a_character_is_none(one: Environment) -> None:
    """C-19: half of a surrogate pair, which no file could hold, is refused."""
    assert one.call("type_letter", {"letter": "\ud83d"}).startswith("ERROR: ")
    assert one.read_state() == ""
