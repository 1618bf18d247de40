"""The answers on the page of a case: their calls beside the expected ones."""

from __future__ import annotations

import dataclasses

import pytest

from leaderboard.types import Call, Response
from site_templates.board_index import index_board
from site_templates.indexed_rows import Answer
from site_templates.parts.answers.case_answers import (
    _underscored,
    category_context,
    groups,
    identity,
)
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


CALLS = (Call("geometry.area", {"base": 3}), Call("geometry.area", {"base": 4}))


def grouped(*given: tuple[Call, ...], malformed: str | None = None) -> list[Answer]:
    """One answer of each group on a page, if submissions make these calls, in these orders."""
    board = site_board.board()
    records = dict(board.records)
    names = [name for name, suite in records if suite == "match"][: len(given)]
    for name, calls in zip(names, given, strict=True):
        sent = records[name, "match"]
        changed = [
            dataclasses.replace(response, key=name.encode(), calls=calls, malformed=malformed)
            for response in sent.responses
        ]
        records[name, "match"] = dataclasses.replace(sent, responses=changed)
    index = index_board(dataclasses.replace(board, records=records))
    suite = board.suite_of("match")
    answers = [
        answer._replace(outcome="fail", reason="wrong_value", detail=f"Of {number}.")
        for number, answer in enumerate(index.answered("match", suite.cases[0].id))
        if answer.submission.id in names
    ]
    context = category_context(index, suite, "parallel_function")
    return [group.answer for group in groups(context, suite.cases[0], answers)]


@pytest.mark.parametrize("malformed", [None, "a call without a name"])
def test_calls_in_another_order_are_in_one_group(malformed: str | None) -> None:
    """If the rule takes them in any order. The words of the verdict follow the order."""
    (same,) = grouped(CALLS, CALLS[::-1], malformed=malformed)
    one, other = grouped(CALLS, CALLS[:1], malformed=malformed)

    assert same.response is not None
    assert len(same.response.calls) == 2
    assert identity(one) != identity(other)


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
