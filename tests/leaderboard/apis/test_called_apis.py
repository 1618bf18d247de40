"""Which APIs a response called, by whatever names, and how the calls went."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.apis.called_apis import CalledApis, called_apis
from leaderboard.types import Call, CalledApi, Case, GroundTruth, Response
from tests.each_row import each_row

RECORD = {
    "api_list": [
        {"category_name": "Data", "tool_name": "AI News Global_v2", "api_name": "get all"},
        {"category_name": "Data", "tool_name": "TramLine", "api_name": "next departures"},
    ],
    "relevant APIs": [["Gold", "only here"]],
}
CASE = Case("1", "c", "?", GroundTruth(), (), RECORD, "")


def called(*calls: Call, **fields: Any) -> CalledApis:
    found = called_apis(CASE, Response("1", b"", calls, None, **fields))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "name",
    ["AI News Global_v2_get all", "AI_News_Global_v2_get_all", "get_all_for_ai_news_global_v2"],
)
def test_every_spelling_leads_to_the_pair(name: str) -> None:
    """Wrapper, sanitised and StableToolBench names work; no name is cut at an underscore."""
    assert (CalledApi("AI News Global_v2", "get all"),) == called(Call(name, {})).apis


def test_gold_apis_are_known_without_being_candidates() -> None:
    """A query may name as gold what its list of candidates lacks."""
    assert (("Gold", "only here"),) == called(Call("Gold_only_here", {})).pairs


def test_a_07_unknown_names_are_listed_and_never_cut() -> None:
    """A-07: each is listed once as it was written. No part of it passes for a tool or an API."""
    names = ("Other_x y", "mystery", "_x", "mystery")
    found = called(*(Call(name, {}, "r") for name in names))
    assert ((), ("Other_x y", "mystery", "_x")) == (found.apis, found.unresolved)


def test_order_and_repeats_are_kept() -> None:
    """And Finish is no API."""
    calls = [
        Call("TramLine_next departures", {}),
        Call("Gold_only_here", {}),
        Call("TramLine_next departures", {}),
        Call("Finish", {}),
    ]
    assert ["TramLine", "Gold", "TramLine"] == [api.pair[0] for api in called(*calls).apis]
    assert ["TramLine", "Gold"] == [tool for tool, _ in called(*calls).pairs]


def test_declared_apis_take_their_outcome_from_the_calls() -> None:
    """A declared status counts first; one successful call is enough; without calls: unknown."""
    declared = (
        CalledApi("Tool_x", "a_b"),
        CalledApi("Tool_x", "c", True),
        CalledApi("Tool_x", "d"),
        CalledApi("Finish", ""),
    )
    calls = [
        Call("Tool_x_a_b", {}, ""),
        Call("Tool_x_a_b", {}, "r"),
        Call("Tool_x_c", {}, "r"),
        Call("Gold_only here", {}, "r"),
    ]
    found = called(*calls, declared=declared)
    assert [False, True, None] == [api.failed for api in found.apis]
    assert (frozenset({("Tool_x", "a_b")}), frozenset({("Tool_x", "d")})) == (
        found.succeeded,
        found.uncertain,
    )


@each_row(
    ("results", "failed"),
    [
        ((None,), None),
        (("",), True),
        (("r",), False),
        ((None, ""), True),
        (("", None, "r", ""), False),
    ],
)
def test_several_calls_of_one_api(results: tuple[Any, ...], failed: bool | None) -> None:
    """It failed only if no call came to something, and is open only if none says."""
    calls = [Call("TramLine_next departures", {}, result) for result in results]
    (found,) = called(*calls, declared=(CalledApi("TramLine", "next departures"),)).apis
    assert failed is found.failed


def test_what_is_not_told_is_not_known() -> None:
    """A record without steps and without a list has unknown calls."""
    assert None is called_apis(CASE, Response("1", b"", (), "x", steps_told=False))
    assert () == called(declared=(), steps_told=False).apis
