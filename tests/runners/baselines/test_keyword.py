"""The keyword router: which tool it picks, which arguments it fills, and that nothing about it is random."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.files.tool_records import tool_from_record
from leaderboard.types import Tool
from runners.baselines.keyword import choose, fill, words
from tests.conftest import PROJECT


def tool(
    name: str, description: str = "", required: tuple[str, ...] = (), **properties: dict[str, Any]
) -> Tool:
    schema = {"type": "dict", "properties": properties, "required": list(required)}
    return tool_from_record({"name": name, "description": description, "parameters": schema})


STRING = {"type": "string"}
WEATHER = tool("get_weather", "Reports the weather at a place.", ("location",), location=STRING)
STOCK = tool("get_stock_price", "Gets the price of a share.", ("symbol",), symbol=STRING)
TRIANGLE = tool(
    "calc_triangle_area",
    "Area of a triangle.",
    ("base", "height"),
    base={"type": "integer"},
    height={"type": "integer"},
    rounding={"type": "integer"},
    unit=STRING,
)


def test_words_are_stemmed_and_come_apart() -> None:
    """Names in camelCase and snake_case come apart, endings and words without meaning go."""
    assert words("getStockPrices_forThe walking cats") == {"stock", "price", "walk", "cats"}


@pytest.mark.parametrize(
    ("query", "name", "arguments", "missing"),
    [
        ("Is it raining in Porto?", "get_weather", {"location": "Porto"}, ()),
        ("Is it raining?", "get_weather", {}, ("location",)),
        ("The share price of Tesla, please", "get_stock_price", {"symbol": "TSLA"}, ()),
        (
            "Triangle area for height 7 and base of 12",
            "calc_triangle_area",
            {"base": 12, "height": 7},
            (),
        ),
        ("Triangle with 3 and 4", "calc_triangle_area", {"base": 3, "height": 4}, ()),
        (
            "Triangle with 3, rounding to 2",
            "calc_triangle_area",
            {"base": 3, "rounding": 2},
            ("height",),
        ),
    ],
)
def test_the_best_tool_and_its_arguments(
    query: str, name: str, arguments: dict[str, Any], missing: tuple[str, ...]
) -> None:
    """The router picks by words, fills by name and then by type, and says what is missing."""
    choice = choose(query, [WEATHER, STOCK, TRIANGLE])
    assert choice is not None
    assert (choice.tool.name, choice.arguments, choice.missing) == (name, arguments, missing)
    assert choice.is_candidate


def test_a_known_tool_needs_one_of_its_trigger_words() -> None:
    """Common words alone make no known tool a candidate, though it is still the nearest one."""
    choice = choose("What is the highest place in Peru?", [STOCK, WEATHER])
    assert choice is not None
    assert (choice.tool.name, choice.is_candidate) == ("get_weather", False)


def test_without_any_common_word_the_first_tool_is_nearest() -> None:
    """Where nothing fits, the first tool is the one given, and it is no candidate."""
    choice = choose("Hm?", [TRIANGLE, STOCK])
    assert choice is not None
    assert (choice.tool.name, choice.points, choice.is_candidate) == (
        "calc_triangle_area",
        0,
        False,
    )


def test_without_tools_there_is_no_choice() -> None:
    """A case that offers no tools gets none."""
    assert choose("Is it raining in Porto?", []) is None


@pytest.mark.parametrize(
    ("schema", "query", "value"),
    [
        ({"type": "float"}, "a mass of 2.5 kg", 2.5),
        ({"type": "integer"}, "a mass of 2.5 kg", None),
        ({"type": "number"}, "a mass of 2 kg", 2),
        ({"type": "boolean"}, "include the mass", True),
        ({"type": "boolean"}, "include nothing", None),
        ({"type": "string", "enum": ["heavy", "light"]}, "something Light", "light"),
        ({"type": "string"}, "call it 'Bo'", "Bo"),
        ({"type": "string"}, "call it whatever", None),
        ({"type": "array", "items": {"type": "integer"}}, "numbers 1, 2 and 3", [1, 2, 3]),
        ({"type": "array", "items": {"type": "float"}}, "2 lists, first [1.5, 2]", [1.5, 2]),
        ({"type": "array", "items": {"type": "string"}}, "ask 'Bo' and 'Al'", ["Bo", "Al"]),
        ({"type": "array", "items": {"type": "dict"}}, "ask 'Bo' and 'Al'", None),
        ({"type": "array", "items": {"type": "string"}}, "ask nobody", None),
        ({"type": "tuple", "items": {"type": "float"}}, "at 3, 4", [3, 4]),
        ({"type": "any"}, "a mass of 2 kg", 2),
        ({"type": "any"}, "call it 'Bo'", "Bo"),
        ({"type": "dict"}, "a mass of 2 kg", None),
        ({"type": "strange"}, "a mass of 2 kg", None),
    ],
)
def test_arguments_are_filled_by_type(schema: dict[str, Any], query: str, value: Any) -> None:
    """A required parameter whose name is not known is filled from what the request holds of its type."""
    filled = fill(query, tool("weigh", "", ("mass",), mass=schema))
    assert filled == ({} if value is None else {"mass": value})


def test_what_is_used_once_is_not_used_again() -> None:
    """Two parameters of one type take two different values, and an optional one takes none without being named."""
    two = tool("pair", "", ("first", "second"), first=STRING, second=STRING, third=STRING)
    assert fill("Compare 'Bo', 'Al' and 'Cy'", two) == {"first": "Bo", "second": "Al"}
    twice = tool("area", "", ("a", "b"), a={"type": "integer"}, b={"type": "integer"})
    assert fill("5 by 5", twice) == {"a": 5, "b": 5}
    assert fill("5 alone", twice) == {"a": 5}


def test_a_finder_of_another_type_gives_way() -> None:
    """A parameter that is named like a known one and has another type is filled by its type."""
    assert fill("value 2.5 of 3", tool("f", "", ("value",), value={"type": "float"})) == {
        "value": 2.5
    }
    assert fill("on 2031-01-02 it is 7", tool("f", "", ("date",), date={"type": "integer"})) == {
        "date": 7
    }


SCRIPT = """
from tests.test_runners_keyword import STOCK, TRIANGLE, WEATHER
from runners.baselines.keyword import choose
for query in ("Is it raining in Porto?", "Apple share price and a triangle", "7 by 9", "the area of a price"):
    choice = choose(query, [WEATHER, STOCK, TRIANGLE])
    print(choice.tool.name, choice.points, list(choice.arguments.items()), choice.missing)
"""


def test_the_choice_does_not_depend_on_the_hash_seed() -> None:
    """Two processes with different hash seeds choose and fill the same."""
    root = PROJECT
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].splitlines()[0] == "get_weather 10 [('location', 'Porto')] ()"


@given(st.text(max_size=60), st.text(max_size=12), st.text(max_size=30))
def test_no_request_and_no_tool_break_the_router(query: str, name: str, description: str) -> None:
    """Whatever the words, a choice among given tools is one of them, and required parameters are filled or missing."""
    made = tool(
        name, description, ("location", name), location=STRING, **{name: {"type": "integer"}}
    )
    choice = choose(query, [made, TRIANGLE])
    assert choice is not None
    required = {p.name for p in choice.tool.parameters if p.required}
    assert required == {n for n in choice.arguments if n in required} | set(choice.missing)
