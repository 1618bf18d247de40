"""The names in a model's reply."""

from __future__ import annotations

import pytest

from runners.agents.selection_reply import chosen_names
from tests.each_row import each_row
from tests.runners.apis.selections import BOTH, names, select


@each_row(
    ("reply", "chosen"),
    [
        ('["Stock_price","News_top"]', BOTH),
        ('```json\n["Stock_price","News_top"]\n```', BOTH),
        ('```\n["Stock_price",\n"News_top"]\n```\n', BOTH),
        ('["Stock_price","News_top"] These two fit best.', BOTH),
        ('{"tools":["Stock_price"]}', ["Stock_price"]),
        ('["stock_price"]', ["Stock_price"]),
        ('["Weather now"]', ["Weather_now"]),
        ('["Stock_price","New', ["Stock_price"]),
        (
            '["News_top","Hotel_find","Stock_price","the_map_tool"]',
            ["News_top", "Hotel_find", "Stock_price"],
        ),
        ('["Stock_price", 5, null, "News_top"]', BOTH),
        ('["Stock_price", "no_such_tool", "News_top"]', BOTH),
    ],
)
def test_the_upstream_vectors(reply: str, chosen: list[str]) -> None:
    """The upstream replies with the tools that they name."""
    selection = select(reply)
    assert (chosen, "model") == (names(selection), selection.source)


@pytest.mark.parametrize(
    "reply",
    [
        'Here you go: ["Stock_price","News_top"]',
        'Tools [for you]:\n["Stock_price","News_top"]\nEnjoy',
        'I thought [1, 2] about it. ["Stock_price","News_top"]',
        'Sure!\n```json\n["Stock_price","News_top"]\n```',
    ],
)
def test_a_21_text_before_the_array_is_skipped(reply: str) -> None:
    """A-21: the array may start anywhere."""
    assert BOTH == names(select(reply))


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ('```json\n["Stock_price",\n"News_top"', BOTH),
        ('```\n["Stock_price",\n"News_top"]', BOTH),
        ('```["Stock_price"]```', ["Stock_price"]),
        ('```json["Stock_price"]```', ["Stock_price"]),
    ],
)
def test_a_22_a_cut_fence_loses_no_line(reply: str, chosen: list[str]) -> None:
    """A-22: a reply without its closing fence keeps its last line."""
    assert chosen == names(select(reply))


def test_a_23_repeated_names_count_once() -> None:
    """A-23: repetitions do not use up the selection."""
    assert BOTH == names(select('["Stock_price","Stock_price","Stock_price","News_top"]'))
    assert BOTH == names(
        select('["Stock_price","STOCK_PRICE","Stock_price","News_top","News_top"]')
    )


def test_names_in_an_object_are_found() -> None:
    """The array may be in an object, and names may contain escapes and brackets."""
    assert ('a"b', "c]d") == chosen_names('{"why": "best", "tools": ["a\\"b", "c]d"]}')
