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


def test_a_value_that_is_nearly_the_argument_is_no_echo() -> None:
    """Times in seconds and coordinates differ in their last digits."""
    sent = {"after": 1716000000, "at": 48.8566}
    found = {"next": 1716000123, "at": 48.85663}
    assert [found] == replies("When is the next bus?", Call("bus", sent, found))


def test_a_long_number_of_the_query_stays() -> None:
    order = Call("order", {"id": 12345678}, {"id": "12345678", "ok": 1})
    assert [order.result] == replies("Where is order 12345678?", order)
