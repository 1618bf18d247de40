"""Ground truths and responses as lines."""

from __future__ import annotations

from dataclasses import replace

from leaderboard.texts.case_words import expected_lines, given_lines
from leaderboard.types import (
    Call,
    Case,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Response,
    ShownAnswer,
    Trajectory,
)
from tests.each_row import each_row

ARGUMENT = ExpectedArgument("n", (3, "three"), closed=True, may_be_absent=True)
LEFT_OUT = ExpectedArgument("n", ("",), closed=True, may_be_absent=True)
FORMULA = ExpectedArgument("n", ("2 + 2",), closed=False, may_be_absent=False, result=4)


@each_row(
    ("truth", "lines"),
    [
        (
            GroundTruth((ExpectedCall("f", (ARGUMENT,)), ExpectedCall(None, ()))),
            ['f(n=3 | "three" | absent)', "a tool that is not offered"],
        ),
        (GroundTruth((ExpectedCall("f", (LEFT_OUT,)),)), ["f(n=absent)"]),
        (GroundTruth((ExpectedCall("f", (replace(LEFT_OUT, accepted=()),)),)), ["f(n=absent)"]),
        (
            GroundTruth((ExpectedCall("f", (FORMULA,)),)),
            ['f(n="2 + 2" | a formula with the result 4)'],
        ),
        (GroundTruth(text="Paris."), ["Paris."]),
        (GroundTruth(), ["no call"]),
        (GroundTruth(any_call=True), ["any call"]),
        (
            GroundTruth(
                trajectory=Trajectory((("a", "a", "b"), ()), state={"x": 1}, has_state=True)
            ),
            ["a × 2 → b | no call", 'state: {"x": 1}'],
        ),
        (GroundTruth(apis=(("Tram", "next"),)), ["APIs: Tram / next"]),
        (GroundTruth(shown=(ShownAnswer("number", "4 ± 0.1"),)), ["number: 4 ± 0.1"]),
        (GroundTruth(text="x", shown=(ShownAnswer("reference", "x"),)), ["reference: x"]),
    ],
)
def test_a_ground_truth_in_words(truth: GroundTruth, lines: list[str]) -> None:
    """Every kind of ground truth has its lines."""
    assert lines == list(expected_lines(Case("1", "c", "?", truth, (), {}, "")))


@each_row(
    ("response", "lines"),
    [
        (None, ["no record"]),
        (Response("1", b"", (), None), ["nothing"]),
        (Response("1", b"", (Call("f", {"n": 3}, "ok"),), "Done."), ['f(n=3) → "ok"', "Done."]),
        (Response("1", b"", (), None, "down", "no name"), ["unreadable: no name", "error: down"]),
        (Response("1", b"", (), "x", state="", has_state=True), ['state: ""', "x"]),
        (Response("1", b"", (), None, state="", has_state=True), ['state: ""']),
        (
            Response("1", b"", (Call("f", {"n": 10**5000}),), None),
            ["f(n=a number of very many digits)"],
        ),
    ],
)
def test_a_response_in_words(response: Response | None, lines: list[str]) -> None:
    """Calls with replies, texts, errors and states; no answer says so."""
    assert lines == list(given_lines(response))
