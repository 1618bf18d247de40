"""Defects of the earlier tool-selection tester: one test per known defect, named after it."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.responses.response_records import read_message
from leaderboard.types import (
    Call,
    Case,
    Category,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Json,
    JudgeReply,
    Parameter,
    Prompt,
    Question,
    Referral,
    Response,
    Suite,
    Tool,
    Verdict,
)
from scoring.judging.panel_questions import render
from scoring.judging.panel_verdicts import settle_by_majority
from scoring.judging.replies import EQUIVALENCE, parse
from scoring.rules import KINDS
from scoring.rules.json_equality import equal
from tests.each_row import each_row

BOOK = Tool(
    "book_table",
    "Books a table.",
    (
        Parameter("place", "string", "", True, {}),
        Parameter("guests", "integer", "", True, {}),
        Parameter("area", "string", "", False, {}),
    ),
)
QUERY = "A table for two at the Blue Door, please."
ARGUMENTS = {"place": "The Blue Door", "guests": 2}


def suite(prompt: str | None = "booking", **policy: str) -> Suite:
    category = Category("booking", "Booking", "", 1.0, prompt, ())
    return Suite("tools", "Tools", "", KINDS["tool_selection"], (category,), policy, "", {})


def call_case(**arguments: Json) -> Case:
    expected = tuple(
        ExpectedArgument(name, (value,), False, False) for name, value in arguments.items()
    )
    return Case(
        "A1",
        "booking",
        QUERY,
        GroundTruth((ExpectedCall("book_table", expected),)),
        (BOOK,),
        {},
        "",
    )


def text_case(text: str) -> Case:
    return Case("C1", "booking", QUERY, GroundTruth((), text), (BOOK,), {}, "")


def called(name: str = "book_table", /, **arguments: Json) -> Response:
    return Response("A1", b"", (Call(name, arguments),), None)


def said(text: str | None, **more: Any) -> Response:
    return Response("C1", b"", (), text, **more)


def finding(case: Case, response: Response, of: Suite | None = None) -> Verdict | Referral:
    (found,) = KINDS["tool_selection"].decide(of or suite(), case, response)
    return found


def decided(case: Case, response: Response, of: Suite | None = None) -> tuple[str, str]:
    found = finding(case, response, of)
    assert isinstance(found, Verdict), "code alone must decide this"
    return found.outcome, found.reason


def referred(case: Case, response: Response) -> tuple[Question, ...]:
    found = finding(case, response)
    assert isinstance(found, Referral), "only a judge can decide this"
    return found.questions


@pytest.mark.parametrize("given", [{}, {"guests": 2}, {"place": "The Blue Door"}])
def test_b_01_missing_argument_is_wrong_without_a_judge(given: dict[str, Json]) -> None:
    """A call that leaves out an argument, or all of them, is wrong and no judge is asked."""
    assert decided(call_case(**ARGUMENTS), called(**given)) == ("fail", "missing_argument")


@pytest.mark.parametrize("extra", ["area", "music"])
def test_b_02_unexpected_argument_is_wrong_without_a_judge(extra: str) -> None:
    """An unexpected argument is wrong, whether the tool has it or not."""
    assert decided(call_case(**ARGUMENTS), called(**ARGUMENTS, **{extra: "x"})) == (
        "fail",
        "unexpected_argument",
    )


@each_row(
    ("given", "reason"),
    [
        ({"place": "The Blue Door", "guests": 3}, "wrong_value"),
        ({"place": "Blue Door", "guests": 3}, "wrong_value"),
        ({"place": "Blue Door", "guests": "3"}, "wrong_value"),
        ({"guests": 3}, "missing_argument"),
        ({"place": "The Blue Door", "guests": 3, "area": "x"}, "unexpected_argument"),
    ],
)
def test_b_03_a_wrong_number_decides(given: dict[str, Json], reason: str) -> None:
    """A wrong number fails by rule, even if other arguments need a judge."""
    assert decided(call_case(**ARGUMENTS), called(**given)) == ("fail", reason)


@each_row("text", [None, "", " \n"])
@each_row("prompt", ["booking", None])
def test_b_04_no_text_where_text_is_expected_is_a_fail(
    text: str | None, prompt: str | None
) -> None:
    """An empty answer to a text case is one fail, with a judge or without, and stops nothing."""
    assert decided(text_case("At what time?"), said(text), suite(prompt)) == (
        "fail",
        "empty_response",
    )


def test_b_04_a_failed_system_is_a_fail_of_its_own() -> None:
    """An error of the system on one case is a fail that says so."""
    assert decided(text_case("At what time?"), said(None, error="rate limit")) == (
        "fail",
        "response_error",
    )


def test_b_04_without_a_judge_other_text_is_wrong() -> None:
    """Other words without a judge are wrong, and do not crash."""
    assert decided(text_case("At what time?"), said("When?"), suite(None)) == (
        "fail",
        "wrong_value",
    )


@each_row(
    ("given", "outcome"),
    [
        ({"name": "book_table", "arguments": None}, ("fail", "missing_argument")),
        ({"name": "book_table"}, ("fail", "missing_argument")),
        (
            {"name": "book_table", "arguments": '{"place": "The Blue Door", "guests": 2}'},
            ("pass", "exact"),
        ),
        ({"name": "book_table", "arguments": [1]}, ("fail", "malformed_call")),
        ({"name": "book_table", "arguments": "{"}, ("fail", "malformed_call")),
        ({"arguments": {}}, ("fail", "malformed_call")),
        ({}, ("fail", "empty_response")),
        (None, ("fail", "empty_response")),
    ],
)
def test_b_07_one_odd_record_spoils_nothing(given: Json, outcome: tuple[str, str]) -> None:
    """Null, missing, textual or wrong arguments and empty calls each get a verdict of their own."""
    response = read_message({"id": "A1", "model_function_call": given})
    assert decided(call_case(**ARGUMENTS), response) == outcome


def test_b_07_an_empty_call_in_a_text_case_is_no_call() -> None:
    """`{}` where text is expected is no call; the text counts."""
    record = {"id": "C1", "model_function_call": {}, "model_text": "At what time?"}
    response = read_message(record)
    assert decided(text_case("At what time?"), response) == ("pass", "exact")


@each_row(
    ("left", "right"),
    [
        ("007", "7"),
        ("1_000", "1000"),
        ("9007199254740993", "9007199254740992"),
        (12345678901234567890, 12345678901234567891),
        ("٣", "3"),
        (None, "none"),
        (None, ""),
    ],
)
def test_b_08_text_is_not_turned_into_numbers_at_will(left: Json, right: Json) -> None:
    """Only plain decimal text is a number; long ids keep every digit; null is not a word."""
    assert not equal(left, right)
    assert not equal(right, left)


def test_b_08_blank_text_is_empty_text() -> None:
    """Spaces around a text are ignored, so spaces alone equal empty text. Null equals neither."""
    assert equal("", " ")
    assert not equal(None, " ")


@each_row("value", [float("nan"), float("inf"), float("-inf"), [float("nan")], "nan", "inf"])
def test_b_09_not_a_number_and_infinity_equal_themselves(value: Json) -> None:
    """The values that are no ordinary numbers equal themselves, alone and inside others."""
    assert equal(value, value)
    assert decided(call_case(guests=value), called(guests=value)) == ("pass", "exact")


@each_row(
    ("left", "right", "same"),
    [
        ([1], [1.0], True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": [{"b": 1}]}, {"a": [{"b": "1.0"}]}, True),
        (["p", "q"], ["q", "p"], False),
        ({"A": 1}, {"a": 1}, False),
        ([1], "[1]", False),
    ],
)
def test_b_10_lists_and_objects_are_compared_as_such(left: Json, right: Json, same: bool) -> None:
    """Lists and objects are compared member by member, never by how they print."""
    assert equal(left, right) is same


def test_b_11_a_number_for_a_word_is_judged() -> None:
    """Where a word is expected and a number comes, the judge reads the number as text."""
    (question,) = referred(call_case(guests="two"), called(guests=2))
    assert (question.expected, question.got) == ("two", "2")


def test_b_12_asterisks_in_arguments_reach_the_judge() -> None:
    """Argument values keep their asterisks. Free text loses only those that are emphasis."""
    (question,) = referred(call_case(place="5*3"), called(place="5*3 please"))
    assert question.got == "5*3 please"
    (question,) = referred(text_case("It is fifteen."), said("**5*3** is *15*"))
    assert question.got == "5*3 is 15"


@each_row(
    "text",
    [
        "equivalent",
        "Equivalent",
        "equivalent.",
        "**equivalent**",
        '"equivalent"',
        "equivalent \nx",
        "equivalent\r\n",
        "equivalent: yes",
    ],
)
def test_b_13_a_grade_is_read_through_its_decoration(text: str) -> None:
    """A grade in bold or quotes, or with a full stop, a space or a word after it, is a grade."""
    assert parse(text, EQUIVALENCE) == "equivalent"


@pytest.mark.parametrize("text", ["", "yes", "I would say so.", "equivalence"])
def test_b_13_what_is_no_grade_is_not_different(text: str) -> None:
    """A reply that gives no grade leaves the verdict open."""
    verdict = settle_by_majority("correct", "It differs.", {"j": [JudgeReply("k", text)]})
    assert (verdict.outcome, verdict.reason) == ("unscored", "judge_unparseable")


def test_b_14_a_judge_that_fails_is_not_a_wrong_answer() -> None:
    """Without a reply the answer is unscored: neither right nor wrong, and it has no score."""
    verdict = settle_by_majority("correct", "It differs.", {"j": [JudgeReply("k", None)]})
    assert (verdict.outcome, verdict.score, verdict.reason) == ("unscored", None, "judge_missing")


def test_b_15_the_judge_is_told_what_the_values_are() -> None:
    """The question names the tool and the argument, and carries the user's request."""
    (question,) = referred(call_case(**ARGUMENTS), called(place="Blue Door", guests=2))
    assert question == Question(
        QUERY, "argument `place` of `book_table`", "The Blue Door", "Blue Door"
    )
    parts = ("", "question", "|", "subject", "|", "expected", "|", "got", "")
    asked = render(Prompt("tools", "booking", parts, ""), question)
    assert asked == f"{QUERY}|argument `place` of `book_table`|The Blue Door|Blue Door"


def test_b_16_what_was_judged_different_keeps_its_judge_calls() -> None:
    """A fail by a judge names every judge call and the judge's words, as a pass does."""
    replies = [
        JudgeReply("k1", "equivalent\nSame place."),
        JudgeReply("k2", "different\nAnother party."),
    ]
    verdict = settle_by_majority("correct", "It differs.", {"j": replies})
    assert (verdict.outcome, verdict.reason) == ("fail", "judge_different")
    assert verdict.judge_call == "k1 k2"
    assert verdict.detail == "It differs. Judged different: Another party."


def test_b_21_names_are_compared_letter_for_letter() -> None:
    """A call that no tool would receive is wrong, unless the suite ignores letter case."""
    assert decided(call_case(**ARGUMENTS), called("Book_Table", **ARGUMENTS)) == (
        "fail",
        "wrong_function",
    )
    lenient = suite(function_case="ignore")
    assert decided(call_case(**ARGUMENTS), called("Book_Table", **ARGUMENTS), lenient) == (
        "pass",
        "equal_values",
    )


@pytest.mark.parametrize("prompt", ["booking", None])
def test_b_34_optional_arguments_do_not_depend_on_the_judge(prompt: str | None) -> None:
    """The suite's policy says whether optional arguments may be set, with and without a judge."""
    given = called(**ARGUMENTS, area="terrace")
    assert decided(call_case(**ARGUMENTS), given, suite(prompt)) == ("fail", "unexpected_argument")
    assert decided(call_case(**ARGUMENTS), given, suite(prompt, optional_arguments="allow")) == (
        "pass",
        "exact",
    )
