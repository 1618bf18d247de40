"""Calls that equal those of another submission, with others beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from leaderboard.load import load_contents
from leaderboard.workspace import Workspace
from replay.asker import open_asker
from scoring.changes.near_copies import NearCopy, near_copies
from scoring.rules import KINDS
from scoring.scorer import score_all
from tests.conftest import Folder, call_case
from tests.runners.agents.agents_board import NEXT, STATUS, SUITE, Scene, queries

Call = tuple[str, dict[str, Any]]

PLACES = [f"{number}" for number in range(1, 31)]
RIGHT, WRONG = "The tram leaves at 18:04.", "No tram leaves."


@pytest.fixture
def trams(folder: Folder) -> Folder:
    """Thirty queries over simulated APIs. The time of the tram is a fact of each."""
    folder.write("datasets/apis/suite.toml", SUITE)
    fact = {"id": "first", "label": "the first tram, 18:04", "accepts": [{"time": "18:04"}]}
    asked = queries({place: Scene(f"When is the tram from {place}?", ()) for place in PLACES})
    cases = [{**query, "ground_truth": {"facts": [fact]}} for query in asked]
    folder.write("datasets/apis/queries.json", cases)
    return folder


def path(place: str, stop: str = "Stop") -> list[Call]:
    """Two calls, which no other query needs."""
    return [(NEXT, {"stop": f"{stop} {place}"}), (STATUS, {"line": place})]


def executes(
    board: Folder, submission: str, paths: Sequence[Sequence[Call]], texts: Sequence[str]
) -> None:
    """Submits an execution for each query. Each text ends with words of the submission."""
    reply = "The first tram leaves at 18:04."
    records = []
    for place, calls, text in zip(PLACES, paths, texts, strict=True):
        said = f"{text} {submission} {place}"
        finish = ("Finish", {"return_type": "give_answer", "final_answer": said})
        details = [
            {
                "role": "tool",
                "message": json.dumps({"name": name, "arguments": arguments, "response": reply}),
                "next": [],
            }
            for name, arguments in [*calls, finish]
        ]
        records.append({"id": place, "answer": {"final_answer": said, "answer_details": details}})
    board.submission(submission, records, suite="apis")


def copies(board: Folder, submission: str = "mine") -> list[NearCopy]:
    contents = load_contents(Workspace(board.root), KINDS)
    with open_asker(board.root, offline=True) as ask:
        verdicts = score_all(contents, contents.leaderboard.panel, ask).verdicts
    return list(near_copies(contents, verdicts, [submission]))


PATHS = [path(place) for place in PLACES]
FAILED = [WRONG] * 10 + [RIGHT] * 20


def test_reworded_executions_over_apis_are_a_near_copy(trams: Folder) -> None:
    """Their calls are the same, with the same arguments. Ten texts lack the fact."""
    executes(trams, "theirs", PATHS, [RIGHT] * 30)
    executes(trams, "mine", PATHS, FAILED)

    expected = NearCopy("mine", "apis", "theirs", False, 30, 30, 10, 10, compared="API calls")
    assert copies(trams) == [expected]


@pytest.mark.large
@pytest.mark.parametrize(("others", "is_near"), [(3, True), (4, False)])
def test_nine_of_ten_equal_paths_over_apis_are_a_near_copy(
    trams: Folder, others: int, is_near: bool
) -> None:
    """Two honest agents rarely agree so often on several calls."""
    own = [path(place, "Square") for place in PLACES[30 - others :]]
    executes(trams, "theirs", PATHS, FAILED)
    executes(trams, "mine", [*PATHS[: 30 - others], *own], FAILED)

    assert bool(copies(trams)) is is_near


@pytest.mark.parametrize(("failed", "is_near"), [(9, False), (10, True)])
def test_two_good_agents_make_the_same_calls_over_apis(
    trams: Folder, failed: int, is_near: bool
) -> None:
    """Equal paths prove something only if ten texts fail."""
    executes(trams, "theirs", PATHS, [RIGHT] * 30)
    executes(trams, "mine", PATHS, [WRONG] * failed + [RIGHT] * (30 - failed))

    assert bool(copies(trams)) is is_near


@pytest.mark.large
def test_a_single_equal_call_over_apis_proves_nothing(trams: Folder) -> None:
    """With arguments or without, and if one agent makes another call beside it."""
    single = [calls[:1] for calls in PATHS]
    executes(trams, "theirs", single, [WRONG] * 30)
    executes(trams, "mine", PATHS, [WRONG] * 30)
    executes(trams, "third", [[*calls, (STATUS, {})] for calls in single], [WRONG] * 30)

    assert copies(trams) == copies(trams, "third") == []


@pytest.mark.large
def test_more_calls_in_another_order_hide_no_copied_path(trams: Folder) -> None:
    """Some of them have no arguments, and some names are written in another way."""
    more = [
        [(name.replace("_", " "), arguments) for name, arguments in calls[::-1]]
        + [(STATUS, {}), ("other", {"at": place})]
        for place, calls in zip(PLACES, PATHS, strict=True)
    ]
    executes(trams, "theirs", PATHS, FAILED)
    executes(trams, "mine", more, FAILED)

    assert [copy.equal for copy in copies(trams)] == [30]
    assert [copy.equal for copy in copies(trams, "theirs")] == [30]


AMOUNTS = {f"A{number:03}": number for number in range(1, 21)}


@pytest.fixture
def units(folder: Folder) -> Folder:
    """Twenty cases of one call."""
    cases = [call_case(key, number, "yards") for key, number in AMOUNTS.items()]
    folder.write("datasets/small/tool_selection.json", cases)
    return folder


def converts(board: Folder, submission: str, wrong: int, *, more: int = 0, off: int = 100) -> None:
    """Submits calls, so many of them with an amount that is `off`, and so many with others."""
    records = []
    for place, (key, number) in enumerate(AMOUNTS.items()):
        value = number + off if place < wrong else number
        calls: list[dict[str, Any]] = [
            {"name": "convert_units", "arguments": {"value": value, "to_unit": "yards"}}
        ]
        if place < more:
            calls += [{"name": f"other_{place}", "arguments": {}}]
            calls += [{"name": "convert_units", "arguments": {"value": place, "to_unit": "feet"}}]
        records.append({"id": key, "model_function_call": calls})
    board.submission(submission, records)


@pytest.mark.parametrize("mine", ["theirs", "copy"])
def test_more_calls_beside_wrong_ones_hide_no_copy(units: Folder, mine: str) -> None:
    """Whichever of the two has more: calls of tools that nobody has, or of those that are there."""
    converts(units, "theirs", 12)
    converts(units, "copy", 12, more=12)
    (copy,) = copies(units, mine)

    assert (copy.exact, copy.equal, copy.equal_wrong) == (True, 20, 12)


def test_more_calls_beside_right_ones_make_other_answers(units: Folder) -> None:
    """One passes and the other does not. Many systems make the right call and others."""
    converts(units, "good", 0)
    converts(units, "mine", 0, more=12)

    assert copies(units) == copies(units, "good") == []


def test_calls_beside_other_wrong_ones_are_other_answers(units: Folder) -> None:
    """They must contain all of the calls."""
    converts(units, "theirs", 12, more=12)
    converts(units, "mine", 12, more=12, off=200)

    assert copies(units) == []
