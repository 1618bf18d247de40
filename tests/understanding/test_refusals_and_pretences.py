"""Refusals and pretended abilities: both ask something, and only one says that it cannot be done.

The answers beside this file were labelled by docs/labelling.md before any rule read them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from leaderboard.types import Case
from tests.conftest import shipped
from tests.understanding.shipped_scores import CategoryScores

shipped("datasets/tool_selection")

ANSWERS = Path(__file__).parent / "refusals_and_pretences.jsonl"
MOST = 0.05  # of either, that may be decided wrong


@cache
def scores() -> CategoryScores:
    return CategoryScores("tool_selection", "not_supported")


def passed(*, right: bool) -> tuple[list[str], int]:
    """The answers with a label that pass, and how many there are."""
    by_query: dict[str, Case] = {case.query: case for case in scores().category.cases}
    records = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    labelled = [one for one in records if one["right"] is right]
    accepted = [
        one["answer"]
        for one in labelled
        if scores().score(by_query[one["query"]], ((), one["answer"]))
    ]
    return accepted, len(labelled)


@pytest.mark.large
def test_refusals_that_also_ask_pass() -> None:
    """Offers of other help, and questions for it, do not make a refusal worse."""
    accepted, number = passed(right=True)
    assert number == 92
    assert number - len(accepted) <= MOST * number


@pytest.mark.large
def test_pretended_abilities_fail() -> None:
    """A detail that the user could give is missing, so the task itself seems possible."""
    accepted, number = passed(right=False)
    assert number == 89
    assert len(accepted) <= MOST * number, accepted
