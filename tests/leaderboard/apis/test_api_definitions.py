"""APIs of query files and catalogues, as tools for models."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.apis.api_definitions import (
    ApiParameter,
    argument_names,
    definition,
    definitions_of,
    gold_pairs,
    json_type,
    parameters_of,
    tool_categories,
    with_unique_names,
)
from leaderboard.apis.api_names import ApiName
from tests.each_row import each_row

TRAM = ApiName("Transportation", "TramLine", "next departures")


@each_row(
    ("declared", "kind"),
    [
        *(
            ("STRING", "string"),
            ("str", "string"),
            ("INTEGER", "integer"),
            ("int", "integer"),
            ("NUMBER", "number"),
        ),
        *(
            ("Float", "number"),
            ("DOUBLE", "number"),
            ("BOOLEAN", "boolean"),
            ("bool", "boolean"),
            ("ARRAY", "array"),
        ),
        *(
            ("OBJECT", "object"),
            ("ENUM", "string"),
            ("DATE (YYYY-MM-DD)", "string"),
            ("BINARY", "string"),
            ("", "string"),
        ),
    ],
)
def test_types_are_translated(declared: str, kind: str) -> None:
    """Types become JSON Schema types, in any letter case; unknown ones are string."""
    assert kind == json_type(declared)


def test_a_29_descriptions_and_optional_parameters_survive() -> None:
    """A-29: a tool for a model keeps each parameter's description and whether it is required."""
    record = {
        "required_parameters": [
            {"name": "stop", "type": "STRING", "description": "stop name", "default": "Main Street"}
        ],
        "optional_parameters": [
            {"name": "limit", "type": "NUMBER", "description": "", "default": 5}
        ],
    }
    tool = definition(TRAM, "Trams", "Departures", parameters_of(record)).as_tool()
    shown = [(p.name, p.required, p.type, p.description) for p in tool.parameters]
    assert [
        ("stop", True, "string", "stop name Example: Main Street"),
        ("limit", False, "number", "Example: 5"),
    ] == shown


def test_a_definition_describes_itself() -> None:
    """The descriptions of tool and API with a blank line between; a plain sentence without both."""
    assert "Trams\n\nDepartures" == definition(TRAM, "Trams", "Departures", ()).description
    assert "Departures" == definition(TRAM, "", "Departures", ()).description
    assert "Call TramLine next departures API" == definition(TRAM, "", "", ()).description


def test_definitions_are_each_taken_once() -> None:
    """The first of two entries for one API counts, and the order of the file stays."""
    one, two = definition(TRAM, "first", "", ()), definition(ApiName("A", "B", "c"), "", "", ())
    again = definition(TRAM, "second", "", ())
    assert ["first", ""] == [
        found.tool_description for found in with_unique_names([one, two, again])
    ]


def test_candidate_apis_of_a_query() -> None:
    """`available_tools` counts only without `api_list`; APIs without a category are in Data."""
    api = {"tool_name": "T", "api_name": "x"}
    assert ["Data"] == [found.name.category for found in definitions_of({"api_list": [api]})]
    assert ["x"] == [found.name.api for found in definitions_of({"available_tools": [api]})]
    assert () == definitions_of({"query": "?"})


def test_the_first_category_that_queries_give_a_tool() -> None:
    """It comes from the candidate APIs: `available_tools` counts only without `api_list`."""
    news, media = ({"tool_name": "Wire", "category_name": name} for name in ("News", "Media"))
    bare = {"tool_name": "Wire", "category_name": ""}
    assert {"Wire": "Media"} == tool_categories([{"available_tools": [media]}])
    assert {"Wire": "News"} == tool_categories([{"available_tools": [media], "api_list": [news]}])
    assert {"Wire": "News"} == tool_categories([{"api_list": [bare, news]}, {"api_list": [media]}])
    assert {} == tool_categories([{"api_list": [bare, {"tool_name": "Bare"}]}, {"query": "?"}])


def test_gold_pairs_come_from_the_first_key_that_has_any() -> None:
    """The spaced key goes first, an empty one is passed over, a repeated pair counts once."""
    assert (("a", "b"),) == gold_pairs(
        {"relevant APIs": [["a", "b"], ["a", "b"]], "relevant_apis": [["c", "d"]]}
    )
    assert (("c", "d"),) == gold_pairs({"relevant APIs": [], "relevant_apis": [["c", "d"]]})


def test_a_10_a_query_without_gold_has_none() -> None:
    """A-10: the candidate APIs are not taken for gold ones."""
    assert () == gold_pairs({"api_list": [{"tool_name": "T", "api_name": "x"}]})


def test_parameter_names_for_frameworks() -> None:
    """A leading underscore is replaced, and no two names become one."""
    shown = argument_names(["_limit", "param_limit", "_", "city"])
    assert {
        "param_limit_2": "_limit",
        "param_limit": "param_limit",
        "param_": "_",
        "city": "city",
    } == dict(shown)


@pytest.mark.large
@given(st.lists(st.text("_aé-. 2", max_size=3), unique=True, max_size=6))
def test_parameter_names_are_injective(names: list[str]) -> None:
    """Each parameter has one shown name of its own."""
    shown = argument_names(names)
    assert sorted(names) == sorted(shown.values())


def test_an_example_is_no_default() -> None:
    """What files call a default is shown as an example and nowhere else."""
    parameter = ApiParameter("n", "integer", "How many.", False, 5).as_parameter()
    assert {"type": "integer", "description": "How many. Example: 5"} == dict(parameter.schema)
