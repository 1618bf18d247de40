"""Which answers to a case are the same."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.types import (
    Call,
    Case,
    Category,
    GroundTruth,
    Record,
    Records,
    Response,
    Suite,
    Trajectory,
)
from scoring.rules import KINDS
from scoring.tables.equal_answers import answers
from tests.scoring.verdict_tables import suite


def call(name: str, **arguments: Any) -> Call:
    return Call(name, arguments)


def response(text: str | None = None, *calls: Call, **more: Any) -> Response:
    return Response("a0", repr((text, calls, more)).encode(), calls, text, **more)


def digests(truth: GroundTruth, *given: Response) -> list[int | None]:
    """The answers of several responses to one case."""
    one = Case("a0", "a", "", truth, (), {}, "")
    made = Suite(
        "s",
        "s",
        "",
        KINDS["call_match"],
        (Category("a", "a", "", 1.0, None, (one,)),),
        {},
        "",
        {"a0": one},
    )
    records = {
        (f"m{place}", "s"): Records.of([Record(answer, 1)]) for place, answer in enumerate(given)
    }
    return answers([made], records)["answer"].to_list()


def test_calls_are_the_same_answer_whatever_is_said_beside_them() -> None:
    """The order of arguments and the words around a call are ignored. Names and values are not."""
    one, two, *others = digests(
        GroundTruth(),
        response(None, call("f", a=1, b="x")),
        response("Let me see.", call("f", b="x", a=1)),
        response(None, call("f", a=2, b="x")),
        response(None, call("g", a=1, b="x")),
        response(None, call("f", a=1, b="x"), call("f", a=1, b="x")),
    )
    assert one == two
    assert 4 == len({one, *others})


def test_texts_are_the_same_answer_but_for_blanks_and_letter_case() -> None:
    """What a reader would call the same words."""
    one, two, other = digests(
        GroundTruth(), response("Which  Unit?\n"), response("which unit?"), response("which one?")
    )
    assert one == two != other


@pytest.mark.parametrize("truth", [GroundTruth(trajectory=Trajectory(((),))), GroundTruth(apis=())])
def test_an_agents_answer_is_its_last_words_and_state(truth: GroundTruth) -> None:
    """However it got there."""
    one, two, other = digests(
        truth,
        response("42", call("f")),
        response("42", call("g")),
        response("42", call("f"), state={"n": 1}, has_state=True),
    )
    assert one == two != other


def test_silence_and_failure_are_no_answer() -> None:
    """Systems that answer nothing, fail, or are unreadable have not given the same answer."""
    silent = (
        response(),
        response("  "),
        response("x", error="timeout"),
        response("x", malformed="a call without a name"),
    )
    assert [None] * 4 == digests(GroundTruth(), *silent)


def test_answers_of_other_suites_are_left_out() -> None:
    """Records of a suite that is not asked about make no rows."""
    records = {("m1", "t"): Records.of([Record(response("x"), 1)])}
    assert 0 == answers([suite("s", a=(1, 1.0))], records).height
