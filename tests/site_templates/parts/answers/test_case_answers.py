"""The answers on the page of a case: their calls beside the expected ones."""

from __future__ import annotations

import dataclasses

import pytest

from leaderboard.types import Call, Response
from site_templates.board_index import index_board
from site_templates.parts.answers.case_answers import _underscored
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of
from tests.site_templates.site_html import Html, parse


def page_of_calls(*calls: Call) -> Html:
    """The page of the case that model-b answers first, with these calls as its answer."""
    given = site_board.board()
    sent = given.records["model-b", "tools"]
    wrong = dataclasses.replace(sent.responses[0], calls=calls)
    records = dataclasses.replace(sent, responses=(wrong, *sent.responses[1:]))
    given = dataclasses.replace(given, records={**given.records, ("model-b", "tools"): records})
    path = index_board(given).paths.case("tools", wrong.case_id)
    return parse(file_of(given, path))


@pytest.mark.large
def test_of_very_many_calls_some_are_shown() -> None:
    """Otherwise a large record would make a page that is many times larger."""
    call = Call("find_route", {f"a{number}": number for number in range(60)})
    found = page_of_calls(*[call] * 55)
    words = " ".join(found.text.split())

    assert len(found.all("div", class_="call")) <= 51
    assert "10 more" in words
    assert "And 4 more calls." in words


@pytest.mark.large
def test_arguments_of_a_wrong_tool_are_compared_with_the_ground_truth() -> None:
    """The page does not say that an argument was not expected if the ground truth has it."""
    found = page_of_calls(Call("find_route", {"time": "07:30", "start": "here"}))
    rows = {"".join(row.text.split()) for row in found.all("tr", role="row")}

    assert {"≠differstoolset_alarmfind_route", '+notexpectedstartnone"here"', "=equaltime"} <= rows


def test_names_that_were_shown_with_underscores_are_explained() -> None:
    """The ground truth has the dot. An answer with the expected name needs no note."""
    suite = site_board.tool_suite()
    case = next(case for case in suite.cases if case.ground_truth.calls)
    (call,) = case.ground_truth.calls
    dotted = dataclasses.replace(call, name="clock.set_alarm")
    truth = dataclasses.replace(case.ground_truth, calls=(dotted,))
    answers = [
        Response(case.id, b"", (Call(name, {}),), None, underscored=underscored)
        for name, underscored in (
            ("clock_set_alarm", True),
            ("clock_set_alarm", False),
            ("clock.set_alarm", True),
        )
    ]

    assert [_underscored(truth, answer) for answer in answers] == [True, False, False]
