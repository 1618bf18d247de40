"""Submissions with one name are told apart by their ids, on every page."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import cache

import pytest

from site_templates.board_index import index_board
from site_templates.distinct_names import DistinctNames
from site_templates.parts.history.past_names import PastNames
from tests.each_row import each_row
from tests.site_templates import site_history
from tests.site_templates.rendered import render

LONG = "a-provider-of-models-with-a-long-name-and-a-model-that-is-instructed"
NAMES = {
    "run-1": "One name",
    "run-2": " One  name",
    "one": "one name",
    "first": f"{LONG}-v1",
    "second": f"{LONG}-v2",
}


@each_row(
    "id_, length, shown",
    [
        ("run-1", 80, "One name (run-1)"),
        ("run-2", 80, "One name (run-2)"),
        ("one", 80, "one name"),
        ("one", 6, "one n…"),
        ("first", 30, "a-provider-of-models-… (first)"),
        ("second", 20, "a-provider… (second)"),
        ("run-1", 15, "run-1"),
        ("run-1", 4, "run…"),
        ("gone", 80, "gone"),
    ],
)
def test_an_id_follows_a_name_that_several_have(id_: str, length: int, shown: str) -> None:
    """A name is cut before its id, and only one's own name is shown without it."""
    assert DistinctNames(NAMES).of(id_, length) == shown
    assert len(shown) <= length


@cache
def files() -> dict[str, bytes]:
    """The site of a board with a history, on which all submissions have one name."""
    board = site_history.board()
    renamed = [
        dataclasses.replace(one, card=dataclasses.replace(one.card, name="One name"))
        for one in board.submissions
    ]
    return render(dataclasses.replace(board, submissions=tuple(renamed)))


@pytest.mark.large
def test_every_page_tells_submissions_of_one_name_apart() -> None:
    """Only citations and the titles of links have the name alone."""
    alone = set()
    named = set()
    for path, content in files().items():
        text = content.decode("utf-8", "ignore")
        if path.endswith(".html") or path.startswith("data/compare/"):
            text = re.sub(r'title = \{\{One name on .*|title="One name"', "", text)
            if "One name (" in text:
                named.add(path.split("/")[0])
            if re.search(r"One name(?! \([a-z-]+\))", text):
                alone.add(path)

    assert not alone
    assert named >= {"index.html", "all", "compare", "cases", "embed", "history", "suites", "data"}


@pytest.mark.large
def test_data_keeps_the_name_of_the_card() -> None:
    """It has the id in a field of its own."""
    data = json.loads(files()["data/submissions/model-a.json"])

    assert (data["submission"], data["name"]) == ("model-a", "One name")


def test_a_removed_submission_is_told_apart_from_the_one_that_took_its_name() -> None:
    """Pages of the history show both. Other pages show only the one that the board has."""
    board = site_history.board()
    first, *others = board.states
    state = dataclasses.replace(first, names={"old-a": "Model A"})
    index = index_board(dataclasses.replace(board, states=(state, *others)))
    names = PastNames(index)

    assert names.submission("old-a").label == "Model A (old-a)"
    assert names.submission("model-a").label == "Model A (model-a)"
    assert index.names.of("model-a") == "Model A"
