"""Values that an agent puts into a call and gets back are no reply."""

from __future__ import annotations

from typing import Any

from leaderboard.types import Call
from scoring.rules.echoed_values import without_echoes

CONVERT = Call("convert", {"value": 432, "from": "km"}, {"value": 432.0, "result": "432", "ok": 1})
TRAINS = Call("trains", {"city": "Velmora"}, {"city": "Velmora", "train": "IC 204"})
PRICE = Call("price", {"train": "IC 204"}, [{"train": "IC 204", "price": 21.4}])


def replies(query: str, *calls: Call, named: tuple[str, ...] = ()) -> list[Any]:
    return without_echoes(query, calls, named.__contains__)


def test_an_argument_that_comes_back_is_dropped() -> None:
    """432 is no result: the agent sent it, and nobody else knows it."""
    assert [{"ok": 1}] == replies("How far is it?", CONVERT)


def test_values_of_the_query_and_of_other_replies_stay() -> None:
    """An agent passes on what it was asked, and what it learned."""
    assert [CONVERT.result] == replies("How many km are 432 km?", CONVERT)
    assert [{"train": "IC 204"}, PRICE.result] == replies("Which train?", TRAINS, PRICE)


def test_apis_that_the_query_names_may_repeat() -> None:
    """They were made for it: a city that has such a market is an answer."""
    assert [TRAINS.result] == replies("Which train?", TRAINS, named=("trains",))
