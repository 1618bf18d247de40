"""Lists of questions or of faults, which would fit any request of the shipped suite."""

from __future__ import annotations

import time

import pytest

from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import Workspace
from scoring.facts.decisions import decide
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped
from tests.each_row import each_row

shipped("datasets/tool_selection")

MOST = 0.15  # of a category, as docs/no-understanding.md promises for programs


def share_passed(category_id: str, text: str) -> float:
    suite = load_suite(Workspace(PROJECT), "tool_selection", KINDS)
    category = suite.category(category_id)
    found = [decide(case, text, category) for case in category.cases]
    return sum(one is not None and one.decided == "pass" for one in found) / len(found)


@pytest.mark.large
@each_row(
    ("category", "text"),
    [
        (
            "clarifying",
            (
                "Could you tell me the area, endpoints, weekday, timeframe, hours, words, "
                "participants, addressee, tongue, timespan, taste, symbols, rate? Could you "
                "tell me the item, content, width, weight, months, money, value, turn, "
                "titles, title, problems?"
            ),
        ),
        (
            "clarifying",
            (
                "Could you tell me the county, weekday, brand, timespan, theme? And flavour, "
                "timeframe, leaving, in which, headcount, term, wording, price, address, "
                "entrants, month?"
            ),
        ),
        ("clarifying", "Could you tell me the 40 of what, area, both ends, price?"),
        (
            "error",
            (
                "It is not on any calendar and negative number of and legendary city and "
                "mismatch and past 23 and not an real figure and not reached yet and at least "
                "two and same time and invalid address and can not below and too long and not "
                "on earth and 59."
            ),
        ),
        (
            "error",
            (
                "It is not real and order of date and square positive and no such called and "
                "only future and has no value and mismatch and unreachable and start and end "
                "same."
            ),
        ),
        (
            "error",
            "No such called. The date is over. Only positive. No number times 0. Apples. Too long.",
        ),
    ],
)
def test_a_list_that_fits_every_request_fits_none(category: str, text: str) -> None:
    """One text for all cases passes few of them, however many phrases it joins."""
    assert share_passed(category, text) <= MOST


@pytest.mark.large
@pytest.mark.parametrize("category_id", ["clarifying", "error"])
@pytest.mark.parametrize("filler", [" a?", " Which?", " Hm, x.", " is no"])
def test_t12_many_sentences_are_decided_in_little_time(category_id: str, filler: str) -> None:
    """A right answer with 6,000 characters of them is compared with about 80 requests."""
    suite = load_suite(Workspace(PROJECT), "tool_selection", KINDS)
    category = suite.category(category_id)
    case = category.cases[3]
    start = time.process_time()
    decide(case, ((case.ground_truth.text or "") + filler * 3000)[:6000], category)
    assert time.process_time() - start < 2
