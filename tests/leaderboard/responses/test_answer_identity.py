"""Equal answers have equal keys, however they are written."""

from __future__ import annotations

import pytest

from leaderboard.responses.answer_identity import answer_key
from leaderboard.responses.response_records import read_acted, read_message
from leaderboard.types import Case, GroundTruth, Json, Tool, Trajectory
from scoring.rules.json_equality import equal
from tests.each_row import each_row

TOOLS = (Tool("math.add", "", ()), Tool("add", "", ()))
CASE = Case("c", "add", "Add 1 and 2.", GroundTruth(), TOOLS, {}, "")
ACTED = Case("c", "desk", "Open it.", GroundTruth(trajectory=Trajectory((("open",),))), (), {}, "")


def key(calls: Json, text: str | None = None, *, underscored: bool = False) -> bytes | None:
    record = {"id": "c", "model_function_call": calls, "model_text": text}
    return answer_key(CASE, read_message(record, underscored=underscored))


ADD = {"name": "math.add", "arguments": {"a": 1, "b": {"x": 2, "y": 3}}}


@pytest.mark.parametrize(
    "same",
    [
        key([{"name": "math.add", "arguments": {"b": {"y": 3, "x": 2}, "a": 1}}]),
        key([ADD], "I add them."),
        key([{**ADD, "name": "math_add"}], underscored=True),
        key([ADD], underscored=True),
    ],
)
def test_the_same_calls_are_one_answer(same: bytes | None) -> None:
    """In any order of arguments, with any text beside them, with names as they were shown."""
    assert same == key([ADD])


@each_row(
    "other",
    [
        key([ADD, ADD]),
        key([{**ADD, "name": "add"}]),
        key([{**ADD, "name": "math_add"}]),
        key([{"name": "math.add", "arguments": {"a": 1, "b": {"x": 2, "y": "3"}}}]),
        key(None, "Three."),
        key(None),
    ],
)
def test_other_calls_are_another_answer(other: bytes | None) -> None:
    """Another number, tool or value; a name that was not shown so; a text; nothing."""
    assert other != key([ADD])


def test_texts_are_equal_but_for_blanks_and_letter_case() -> None:
    """Without calls the text is the answer, and an empty text is none."""
    assert key(None, "It is  three.\n") == key([], "it is three.") != key(None, "It is 3.")
    assert key(None, " ") is None


def test_an_error_is_no_answer() -> None:
    """Two systems that fail have not given the same answer."""
    assert answer_key(CASE, read_message({"id": "c", "model_text": "x", "error": "lost"})) is None
    assert key([{"name": "add", "arguments": "{"}]) is None


def test_the_answer_of_an_agent_is_its_end() -> None:
    """The final text and state, whatever the steps."""

    def acted(steps: Json, text: str, state: Json) -> bytes | None:
        record = {"id": "c", "actual_steps": steps, "output": text, "state": state}
        return answer_key(ACTED, read_acted(record))

    one = acted([{"name": "open", "arguments": {}}], "Done.", {"a": 1, "b": 2})
    assert one == acted([], "done.", {"b": 2, "a": 1}) is not None
    assert one != acted([], "Done.", {"a": 1})


def test_folded_answers_do_not_depend_on_a_reported_state() -> None:
    """It decides nothing, so a copy with another state in each record stays a copy."""

    def acted(state: Json, tool: str = "open") -> bytes | None:
        record = {"id": "c", "actual_steps": [tool], "output": "Done.", "state": state}
        return answer_key(ACTED, read_acted(record), folded=True)

    assert acted("x1") == acted("x2") != acted("x1", "close")


def folded_key(value: Json) -> bytes | None:
    call = {"name": "add", "arguments": {"value": value}}
    record = {"id": "c", "model_function_call": call, "model_text": None}
    return answer_key(CASE, read_message(record), folded=True)


@each_row(
    ("one", "other"),
    [
        (1, 1.0),
        (1, "1"),
        (2.5, "2.50"),
        (-3, "-3.0"),
        (0, "-0.0"),
        (5, "5e0"),
        (5, 5 + 1e-11),
        (1200, "1.2E3"),
        (10**400, "1e400"),
        (True, " True"),
        ([False], ["false"]),
    ],
)
def test_t14_folded_values_do_not_depend_on_their_spelling(one: Json, other: Json) -> None:
    """Rules find them equal, so a copy with other spellings stays a copy."""
    assert equal(one, other)
    assert folded_key(one) == folded_key(other)


def test_t14_folded_calls_have_no_order() -> None:
    """A rule may accept parallel calls in any order, so a reversed copy stays a copy."""
    calls: list[Json] = [ADD, {**ADD, "arguments": {"a": 2}}]
    records = [
        {"id": "c", "model_function_call": given, "model_text": None}
        for given in (calls, calls[::-1])
    ]
    one, other = (answer_key(CASE, read_message(record), folded=True) for record in records)
    assert one == other is not None
    assert key(calls) != key(calls[::-1])


def test_the_order_of_calls_does_not_matter_if_the_kind_says_so() -> None:
    """Each call still counts as often as it is made."""
    calls: list[Json] = [ADD, {**ADD, "arguments": {"a": 2}}]

    def in_any_order(given: list[Json]) -> bytes | None:
        record = {"id": "c", "model_function_call": given, "model_text": None}
        return answer_key(CASE, read_message(record), in_any_order=True)

    assert in_any_order(calls) == in_any_order(calls[::-1]) != in_any_order([*calls, ADD])


def test_t14_folded_calls_ignore_repetition_and_the_spelling_of_names() -> None:
    """A copy stays one with each call twice, or with a blank after the names of arguments."""
    spelt = {**ADD, "arguments": {"a ": 1, "b ": {"x ": 2, "y": 3}}}
    for calls in ([ADD, ADD], [spelt]):
        record = {"id": "c", "model_function_call": calls, "model_text": None}
        changed = answer_key(CASE, read_message(record), folded=True)
        plain = answer_key(
            CASE, read_message({**record, "model_function_call": [ADD]}), folded=True
        )
        assert changed == plain is not None
        assert key(calls) != key([ADD])


@each_row(("one", "other"), [(1, 10), (1, -1), (1, 1.000001), (1, True), (True, False)])
def test_other_folded_values_are_another_answer(one: Json, other: Json) -> None:
    """Signs, zeros and decimals of numbers matter."""
    assert folded_key(one) != folded_key(other)
