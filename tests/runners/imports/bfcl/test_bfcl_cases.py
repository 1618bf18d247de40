"""The questions and possible answers of BFCL as cases."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runners.imports.bfcl.bfcl_source import AREA, PLAY, PREFIX, Source


def test_a_case_has_its_tools_and_accepted_values(source: Source) -> None:
    """The tools are unchanged.

    Each expected argument has its type, items, whether it is required, and the allowed values.
    """
    source.load()
    assert source.cases("simple") == [
        {
            "id": "simple_0",
            "type": "simple",
            "user_query": "Area?",
            "tools": [AREA],
            "ground_truth": {
                "no_call": False,
                "calls": [
                    {
                        "name": "shape.area",
                        "parameters": {
                            "sides": {
                                "type": "array",
                                "items": "float",
                                "required": True,
                                "allowed": [[1.0]],
                            },
                            "unit": {"type": "string", "required": False, "allowed": ["", "m"]},
                        },
                    }
                ],
            },
        }
    ]


def test_relevance_expects_no_call_and_needs_no_answers(source: Source) -> None:
    """A relevance case has no possible answers, because no call is right."""
    source.add("relevance", PLAY, None)
    source.load()
    assert source.cases("relevance")[0]["ground_truth"] == {"no_call": True, "calls": []}


@pytest.mark.parametrize(
    ("truth", "names"),
    [
        ({"play_1": {"song": ["a"]}, "play_2": {"song": ["b"]}}, ["play", "play"]),
        ({"play 1": {"song": ["a"]}, "play 12": {"song": ["b"]}}, ["play", "play"]),
        ([{"play": {"song": ["a"]}}, {"play": {"song": ["b"]}}], ["play", "play"]),
        ({"play_2x": {"song": ["a"]}, "Play": {"song": ["b"]}, "stop_1": {}}, [None, None, None]),
        ({"play": {"song": ["a"]}, "deck": [[], ""]}, ["play", None]),
    ],
)
def test_keys_of_parallel_calls_name_an_offered_tool(
    source: Source, truth: Any, names: list[str | None]
) -> None:
    """A number at the end of a key is dropped if the rest is an offered tool.

    The key of a tool that is not offered gets a null name.
    """
    source.add("parallel_multiple_function", [AREA, PLAY], truth)
    source.load()
    calls = source.cases("parallel_multiple_function")[0]["ground_truth"]["calls"]
    assert [call["name"] for call in calls] == names


def test_a_tool_whose_own_name_ends_in_a_number_keeps_it(source: Source) -> None:
    """An offered name wins over the same name without its number."""
    numbered = {**PLAY, "name": "play_2"}
    source.add("parallel_function", [PLAY, numbered], {"play_2": {"song": ["a"]}})
    source.load()
    assert source.cases("parallel_function")[0]["ground_truth"]["calls"][0]["name"] == "play_2"


def test_in_a_simple_case_the_name_of_the_tool_counts(source: Source) -> None:
    """The key of the answer may spell it differently. The offered tool is the expected one."""
    source.add("simple", PLAY, {"music.play": {"song": ["a"]}})
    source.load()
    assert source.cases("simple")[0]["ground_truth"]["calls"][0]["name"] == "play"


def test_parameters_only_in_the_tool_or_only_in_the_answer(source: Source) -> None:
    """A parameter that the tool lacks gets a null type.

    A required one without an answer gets no allowed value.
    """
    source.add("multiple_function", [PLAY, AREA], {"play": {"speed": [2, ""]}})
    source.load()
    assert source.cases("multiple_function")[0]["ground_truth"]["calls"][0]["parameters"] == {
        "speed": {"type": None, "required": False, "allowed": [2, ""]},
        "song": {"type": "string", "required": True, "allowed": []},
    }


def test_upstream_file_names_are_known(source: Source) -> None:
    """Files are also found under the long names of the published versions."""
    for name in ("questions", "answers"):
        (source.root / name / "simple.json").rename(source.root / name / f"{PREFIX}simple.json")
    assert dict(source.load().cases) == {"simple": 1}


def test_two_functions_of_one_name_are_refused(source: Source) -> None:
    """A question with two tools of one name is reported."""
    source.add("multiple_function", [PLAY, PLAY], {"play": {"song": ["a"]}})
    assert source.problems() == [
        (
            "questions/multiple_function.json:1: multiple_function_0 offers two functions"
            " of the same name "
            '(write a question as {"id", "question": text, "function": doc or [docs]})'
        )
    ]
