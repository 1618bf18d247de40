"""The keyword router: which tool it picks, which arguments it fills, and that neither varies."""

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
from runners.baselines.keyword_router import choose, fill, ranked
from tests.conftest import PROJECT
from tests.each_row import each_row


def tool(
    name: str, description: str = "", required: tuple[str, ...] = (), **properties: dict[str, Any]
) -> Tool:
    schema = {"type": "dict", "properties": properties, "required": list(required)}
    return tool_from_record({"name": name, "description": description, "parameters": schema})


STRING = {"type": "string"}
INTEGER = {"type": "integer"}
WEATHER = tool("get_weather", "Rain and wind at a place.", ("location",), location=STRING)
STOCK = tool("get_stock_price", "Gets the price of a share.", ("symbol",), symbol=STRING)
TRIANGLE = tool(
    "calc_triangle_area",
    "Area of a triangle.",
    ("base", "height"),
    base=INTEGER,
    height=INTEGER,
    rounding=INTEGER,
)
TOOLS = [WEATHER, STOCK, TRIANGLE]


@each_row(
    ("query", "name", "arguments", "missing"),
    [
        ("What is the weather in Porto?", "get_weather", {"location": "Porto"}, ()),
        ("What is the weather?", "get_weather", {}, ("location",)),
        ("The price of 'TSLA', please", "get_stock_price", {"symbol": "TSLA"}, ()),
        ("Triangle with 3 and 4", "calc_triangle_area", {"base": 3, "height": 4}, ()),
        ("Triangle with 3", "calc_triangle_area", {"base": 3}, ("height",)),
    ],
)
def test_the_best_tool_and_its_arguments(
    query: str, name: str, arguments: dict[str, Any], missing: tuple[str, ...]
) -> None:
    """The router picks by words, fills by type, and says what is missing."""
    choice = choose(query, TOOLS)
    assert choice is not None
    assert (choice.tool.name, choice.arguments, choice.missing) == (name, arguments, missing)
    assert (choice.fits, choice.is_complete) == (True, not missing)


def test_one_word_of_a_name_or_two_of_a_description_fit() -> None:
    """A single word of the description is not enough, and the tool is still the best one."""
    for query, fits in (("Weather?", True), ("Wind and rain?", True), ("Wind?", False)):
        choice = choose(query, TOOLS)
        assert choice is not None
        assert (choice.tool.name, choice.fits) == ("get_weather", fits)


def test_a_word_that_many_tools_share_counts_less() -> None:
    """Both tools are about areas; the rarer word decides."""
    circle = tool("calc_circle_area", "Area of a circle.")
    names = [choice.tool.name for choice in ranked("area of a circle", [TRIANGLE, circle])]
    assert names == ["calc_circle_area", "calc_triangle_area"]
    shared = choose("the area", [TRIANGLE, circle])
    alone = choose("the area", [TRIANGLE])
    assert shared is not None
    assert alone is not None
    assert (shared.points, alone.points) == (1.0, 2.0)


def test_parameters_describe_a_tool_too() -> None:
    """Words of parameter names and descriptions count like words of the description."""
    by_name = tool("f", "", (), passenger=STRING)
    by_description = tool("g", "", (), x={"type": "string", "description": "The passenger."})
    points = [choice.points for choice in ranked("one passenger", [by_name, by_description])]
    assert points == [0.5, 0.5]


def test_without_a_shared_word_no_tool_fits() -> None:
    """The first tool is the best one, with 0 points."""
    choice = choose("Hm?", [TRIANGLE, STOCK])
    assert choice is not None
    assert (choice.tool.name, choice.points, choice.fits) == ("calc_triangle_area", 0.0, False)


def test_without_tools_there_is_no_choice() -> None:
    """A case that offers no tools gets none."""
    assert choose("What is the weather in Porto?", []) is None


def test_a_forced_call_has_every_required_argument() -> None:
    """Missing arguments are empty text; optional ones stay out."""
    choice = choose("Triangle with 3", TOOLS)
    assert choice is not None
    assert choice.forced_arguments == {"base": 3, "height": ""}


@each_row(
    ("schema", "query", "value"),
    [
        ({"type": "float"}, "a mass of 2.5 kg", 2.5),
        ({"type": "integer"}, "a mass of 2.5 kg, or 3", 3),
        ({"type": "integer"}, "a mass of 2.5 kg", None),
        ({"type": "number"}, "a mass of 2 kg", 2),
        ({"type": "number"}, "a mass of -1,250.5 kg", -1250.5),
        ({"type": "number"}, "a mass of 2kg", 2),
        ({"type": "number"}, "v2 of it", None),
        ({"type": "number"}, "9" * 5000, None),
        ({"type": "boolean"}, "include the mass", True),
        ({"type": "boolean"}, "include nothing", None),
        ({"type": "string", "enum": ["heavy", "light"]}, "something Light", "light"),
        ({"type": "string", "enum": ["", "light"]}, "by lightning", None),
        ({"type": "integer", "enum": [10, 20]}, "take 20", 20),
        ({"type": "string"}, "call it 'Bo'", "Bo"),
        ({"type": "string"}, "call it whatever", None),
        ({"type": "array", "items": {"type": "integer"}}, "numbers 1, 2 and 3", [1, 2, 3]),
        ({"type": "array", "items": {"type": "string"}}, "ask 'Bo' and 'Al'", ["Bo", "Al"]),
        ({"type": "array", "items": {"type": "dict"}}, "ask 'Bo' and 'Al'", None),
        ({"type": "array", "items": {"type": "string"}}, "ask nobody", None),
        ({"type": "array"}, "ask 'Bo'", None),
        ({"type": "tuple", "items": {"type": "float"}}, "at 3, 4", [3, 4]),
        ({"type": "any"}, "a mass of 2 kg", 2),
        ({"type": "any"}, "call it 'Bo'", "Bo"),
        ({"type": "dict"}, "a mass of 2 kg", None),
        ({"type": "strange"}, "a mass of 2 kg", None),
    ],
)
def test_arguments_are_filled_by_type(schema: dict[str, Any], query: str, value: Any) -> None:
    """A required parameter gets the request's first value of its type."""
    filled = fill(query, tool("weigh", "", ("mass",), mass=schema))
    assert filled == ({} if value is None else {"mass": value})


@each_row(
    ("query", "day"),
    [
        ("on 2031-01-02", "2031-01-02"),
        ("on 14 March 2026", "2026-03-14"),
        ("on March 14th, 2026", "2026-03-14"),
        ("the 2nd of sept 2026", "2026-09-02"),
        ("on 30 February 2027, or 1 March 2027", "2027-03-01"),
        ("on 2026-02-30", None),
        ("on 0000-01-01", None),
        ("on 30 May", None),
        ("no day here, maybe 12", None),
    ],
)
@each_row(
    "schema",
    [
        {"type": "string", "format": "date"},
        {"type": "string", "description": "The day, as YYYY-MM-DD."},
    ],
)
def test_dates_are_read_in_words_and_numbers(
    query: str, day: str | None, schema: dict[str, Any]
) -> None:
    """Dates become YYYY-MM-DD; days that do not exist are skipped."""
    assert fill(query, tool("f", "", ("when",), when=schema)) == ({"when": day} if day else {})


def test_a_parameter_named_date_takes_a_date() -> None:
    """Two dates fill two parameters in order, and are no numbers."""
    stay = tool(
        "f", "", ("start_date", "end_date", "n"), start_date=STRING, end_date=STRING, n=INTEGER
    )
    filled = fill("from 1 May 2027 to 2027-05-04 for 2", stay)
    assert filled == {"start_date": "2027-05-01", "end_date": "2027-05-04", "n": 2}


def test_quotations_of_every_kind_and_names_are_texts() -> None:
    """All usual quotation marks count, an apostrophe does not, nor a capital after a full stop."""
    parameters = [f"p{number}" for number in range(7)]
    many = tool("f", "", tuple(parameters), **dict.fromkeys(parameters, STRING))
    query = """He's got "one", “two”, 'it's three', ‘four’ and « five ». Then Marie Curie came."""
    texts = list(fill(query, many).values())
    assert texts == ["one", "two", "it's three", "four", "five", "Marie Curie"]


def test_what_is_used_once_is_not_used_again() -> None:
    """Two parameters of one type take two values, and an optional one takes none."""
    two = tool("pair", "", ("first", "second"), first=STRING, second=STRING, third=STRING)
    assert fill("Compare 'Bo', 'Al' and 'Cy'", two) == {"first": "Bo", "second": "Al"}
    twice = tool("area", "", ("a", "b"), a=INTEGER, b=INTEGER)
    assert fill("5 by 5", twice) == {"a": 5, "b": 5}
    assert fill("5 alone", twice) == {"a": 5}


SCRIPT = """
from tests.runners.baselines.test_keyword_router import TOOLS
from runners.baselines.keyword_router import choose
for query in ("The weather in Porto", "share price and a triangle", "7 by 9", "area and price"):
    choice = choose(query, TOOLS)
    print(choice.tool.name, choice.points, list(choice.arguments.items()), choice.missing)
"""


@pytest.mark.large
def test_the_choice_does_not_depend_on_the_hash_seed() -> None:
    """Two processes with different hash seeds choose and fill the same."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=PROJECT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PROJECT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].splitlines()[0] == "get_weather 2.0 [('location', 'Porto')] ()"


@pytest.mark.large
@given(st.text(max_size=60), st.text(max_size=12), st.text(max_size=30))
def test_no_request_and_no_tool_break_the_router(query: str, name: str, description: str) -> None:
    """The choice is one of the tools, and its required parameters are filled or missing."""
    made = tool(name, description, ("location", name), location=STRING, **{name: INTEGER})
    choice = choose(query, [made, TRIANGLE])
    assert choice is not None
    required = {p.name for p in choice.tool.parameters if p.required}
    assert required == {n for n in choice.arguments if n in required} | set(choice.missing)


RUBBLE = [*"0123456789", " ", ":", "-", "/", ".", "th", "March", "May", "to", "of", "T", "٣", "²"]


@given(st.lists(st.sampled_from(RUBBLE), max_size=24))
def test_no_mix_of_dates_and_numbers_breaks_the_router(parts: list[str]) -> None:
    """Rubble of dates and numbers is read without an error, and dates have ten characters."""
    when = tool("f", "", ("date", "n"), date=STRING, n={"type": "number"})
    filled = fill("".join(parts), when)
    assert len(filled.get("date", "2026-01-01")) == 10
    assert isinstance(filled.get("n", 0), int | float)
