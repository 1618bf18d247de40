"""The baselines: what each answers, and that only the oracle reads the ground truth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.tool_selection import read_tool_selection
from leaderboard.files.findings import Findings
from leaderboard.files.tool_records import tool_from_record
from leaderboard.types import Case, ExpectedArgument, ExpectedCall, GroundTruth
from runners.baselines.acting_baselines import NO_IDEA
from runners.baselines.baselines import BASELINES, NO_TOOL, REFUSAL
from tests.each_row import each_row

TOOLS = tuple(
    tool_from_record(record)
    for record in (
        {
            "name": "get_weather",
            "description": "Reports the weather.",
            "parameters": [{"name": "location", "type": "string", "description": "Where."}],
        },
        {
            "name": "find_restaurant",
            "description": "Finds restaurants.",
            "parameters": [
                {"name": "cuisine_type", "type": "string", "description": "Kind."},
                {"name": "location", "type": "string", "description": "Where."},
                {
                    "name": "price_range",
                    "type": "string",
                    "description": "How dear.",
                    "required": False,
                },
            ],
        },
    )
)


def case(query: str, truth: GroundTruth = GroundTruth(), tools: Any = TOOLS) -> Case:  # noqa: B008 (immutable)
    return Case("X1", "cat", query, truth, tools, {}, "")


def answer(name: str, asked: Case) -> dict[str, Any]:
    reply = BASELINES[name].reply
    assert reply is not None
    return reply(asked)


def expected(name: str | None, *arguments: ExpectedArgument) -> GroundTruth:
    return GroundTruth(calls=(ExpectedCall(name, arguments),))


def argument(
    name: str, *accepted: Any, kind: str = "string", items: str | None = None, required: bool = True
) -> ExpectedArgument:
    absent = "" in accepted and not required
    return ExpectedArgument(
        name, accepted, closed=True, may_be_absent=absent, type=kind, items=items, required=required
    )


def test_the_seven_baselines() -> None:
    """Each has its own name, a title and a description; one only acts in environments."""
    assert list(BASELINES) == [
        "oracle",
        "silent",
        "refuse",
        "keyword",
        "eager",
        "first-tool",
        "planner",
    ]
    assert [name for name, baseline in BASELINES.items() if baseline.reply is None] == ["planner"]
    assert all(
        name == baseline.name and baseline.title and baseline.description
        for name, baseline in BASELINES.items()
    )


def test_silent_says_nothing_and_refuse_one_sentence() -> None:
    """The two constant baselines give every case the same answer."""
    asked = case("Is it raining in Porto?", expected("get_weather", argument("location", "Porto")))
    assert answer("silent", asked) == {"model_function_call": None, "model_text": None}
    assert answer("refuse", asked) == {"model_function_call": None, "model_text": REFUSAL}


def test_first_tool_calls_the_first_tool() -> None:
    """It calls the first tool with trivial arguments, and nothing without a tool."""
    call = {"name": "get_weather", "arguments": {"location": ""}}
    assert answer("first-tool", case("Where can I eat?")) == {
        "model_function_call": call,
        "model_text": None,
    }
    assert answer("first-tool", case("Where can I eat?", tools=())) == {
        "model_function_call": None,
        "model_text": None,
    }


def test_keyword_calls_asks_back_or_gives_up() -> None:
    """It calls with all arguments, asks for the first missing one, and else has no idea."""
    call = {"name": "get_weather", "arguments": {"location": "Porto"}}
    assert answer("keyword", case("What is the weather in Porto?")) == {
        "model_function_call": call,
        "model_text": None,
    }
    assert (
        answer("keyword", case("Find a restaurant"))["model_text"]
        == "Which cuisine type do you mean?"
    )
    assert answer("keyword", case("Who was Ada Lovelace?"))["model_text"] == NO_IDEA
    assert answer("keyword", case("Is it raining in Porto?", tools=()))["model_text"] == NO_IDEA


def test_eager_always_calls() -> None:
    """It calls the best tool, or the first, and leaves unknown required arguments empty."""
    found = answer("eager", case("Find a Thai restaurant"))["model_function_call"]
    assert found == {
        "name": "find_restaurant",
        "arguments": {"cuisine_type": "Thai", "location": ""},
    }
    assert answer("eager", case("Hm?"))["model_function_call"] == {
        "name": "get_weather",
        "arguments": {"location": ""},
    }
    assert answer("eager", case("Hm?", tools=())) == {
        "model_function_call": None,
        "model_text": None,
    }


def test_oracle_answers_with_the_first_accepted_values() -> None:
    """It leaves out what may be absent, and repeats an expected text."""
    optional = ExpectedArgument(
        "price_range", ("cheap",), closed=True, may_be_absent=True, required=False
    )
    truth = expected(
        "find_restaurant",
        argument("cuisine_type", "thai", "Thai"),
        argument("location", "Porto"),
        optional,
    )
    call = {"name": "find_restaurant", "arguments": {"cuisine_type": "thai", "location": "Porto"}}
    assert answer("oracle", case("?", truth)) == {"model_function_call": call, "model_text": None}
    text = answer("oracle", case("?", GroundTruth(text="In 1815.")))
    assert text == {"model_function_call": None, "model_text": "In 1815."}
    assert answer("oracle", case("?"))["model_text"] == NO_TOOL


@each_row(
    ("wanted", "given_value"),
    [
        (argument("p", "a", "b"), {"p": "a"}),
        (argument("p", "", "b", required=False), {"p": "b"}),
        (argument("p", "", required=False), {}),
        (argument("p", "", required=True), {"p": ""}),
        (argument("p"), {}),
        (argument("p", 0, kind="integer"), {"p": 0}),
        (argument("p", False, kind="boolean"), {"p": False}),
        (argument("p", [3, 4], kind="array", items="float"), {"p": [3, 4]}),
        (
            argument("p", {"k": ["x", "y"], "l": ["", 5], "m": [""]}, kind="dict"),
            {"p": {"k": "x", "l": 5, "m": ""}},
        ),
        (
            argument("p", {"k": {"inner": [1, 2]}, "l": 9}, kind="dict"),
            {"p": {"k": {"inner": 1}, "l": 9}},
        ),
        (
            argument("p", [{"k": ["x"]}, {"k": ["y"]}], kind="array", items="dict"),
            {"p": [{"k": "x"}, {"k": "y"}]},
        ),
        (argument("p", {"k": ["x"]}, kind="string"), {"p": {"k": ["x"]}}),
        (argument("unknown", "x"), {}),
    ],
)
def test_oracle_builds_a_value_from_the_allowed_ones(
    wanted: ExpectedArgument, given_value: dict[str, Any]
) -> None:
    """It takes the first value that is not "", and for objects one allowed value per key."""
    tool = tool_from_record(
        {"name": "t", "description": "", "parameters": {"properties": {"p": {"type": "string"}}}}
    )
    found = answer("oracle", case("?", expected("t", wanted), (tool,)))
    assert found["model_function_call"] == {"name": "t", "arguments": given_value}


def test_oracle_leaves_out_calls_that_cannot_be_met() -> None:
    """A call of no offered tool is left out; several calls are a list, none is null."""
    calls = tuple(ExpectedCall(name, ()) for name in ("get_weather", None, "find_restaurant"))
    found = answer("oracle", case("?", GroundTruth(calls=calls)))["model_function_call"]
    assert found == [
        {"name": "get_weather", "arguments": {}},
        {"name": "find_restaurant", "arguments": {}},
    ]
    assert answer("oracle", case("?", expected(None))) == {
        "model_function_call": None,
        "model_text": None,
    }


@pytest.mark.parametrize("name", ["silent", "refuse", "keyword", "eager"])
def test_only_the_oracle_reads_the_ground_truth(name: str) -> None:
    """The other baselines answer the same whatever the ground truth says."""
    truths = (
        GroundTruth(),
        GroundTruth(text="No."),
        expected("find_restaurant", argument("location", "Ulm")),
    )
    answers = [answer(name, case("Is it raining in Porto?", truth)) for truth in truths]
    assert answers[0] == answers[1] == answers[2]


RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text(min_size=1, max_size=5),
            "user_query": st.text(max_size=40),
            "ground_truth": st.one_of(
                st.fixed_dictionaries({"text": st.none() | st.text(max_size=9)}),
                st.fixed_dictionaries(
                    {
                        "function_call": st.fixed_dictionaries(
                            {
                                "name": st.sampled_from(
                                    ["get_weather", "find_restaurant", "other"]
                                ),
                                "arguments": st.dictionaries(
                                    st.sampled_from(["location", "cuisine_type", "x"]),
                                    st.integers() | st.text(max_size=5),
                                ),
                            }
                        )
                    }
                ),
            ),
        }
    ),
    max_size=3,
)


@pytest.mark.large
@given(RECORDS)
def test_no_case_that_loads_breaks_a_baseline(records: list[dict[str, Any]]) -> None:
    """Every baseline answers every loaded record with a call, calls, text or nothing."""
    for read in read_tool_selection(
        CategoryCases(records, "tool_selection", TOOLS, False, Findings("f", b"[]"))
    ):
        for name in (name for name, baseline in BASELINES.items() if baseline.reply):
            said = answer(name, read)
            assert list(said) == ["model_function_call", "model_text"]
            assert said["model_function_call"] is None or said["model_text"] is None
