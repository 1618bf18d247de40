"""The calls that answers report are carried out; that run's state and replies count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from leaderboard.types import (
    Call,
    Case,
    Category,
    GroundTruth,
    Json,
    Response,
    Suite,
    Trajectory,
)
from runners.environments.confirmed_steps import confirmed_steps
from scoring.rules import KINDS
from tests.each_row import each_row

ONE = "Tool Usage - Typewriter (1 tool)"
MANY = "Tool Usage - Typewriter (26 tools)"
LOOKUPS = "Tool Usage - Relational Data"
MATHS = "Multiverse Math"
D_F = (Call("d", {}, "OK"), Call("f", {}, "OK"))


def confirmed(
    *calls: Call, state: Json = None, environment: str | None = MANY, **fields: Any
) -> Response:
    """What is left of an answer to a case that expects "df" on the paper, if that is a state."""
    has_state = environment not in (LOOKUPS, MATHS)
    truth = GroundTruth(trajectory=Trajectory((("d", "f"),), state="df", has_state=has_state))
    case = Case("c_1", "c", "df", truth, (), {}, "")
    category = Category("c", "C", "", 1.0, None, (case,), environment)
    suite = Suite("s", "S", "", KINDS["tool_usage"], (category,), {}, "", {case.id: case})
    return confirmed_steps(suite, case, answer(*calls, state=state, **fields))


def answer(*calls: Call, state: Json = None, **fields: Any) -> Response:
    return Response("c_1", b"", calls, "df", state=state, has_state=state is not None, **fields)


def typed(letter: str) -> Call:
    return Call("type_letter", {"letter": letter}, "OK")


def seen(response: Response) -> tuple[Json, Json, str | None]:
    assert response.has_state
    return response.state, response.reported_state, response.not_replayed


def test_t7_a_state_without_steps_is_not_believed() -> None:
    """An answer without calls has the state in which every case starts, whatever it reports."""
    assert ("", "df", None) == seen(confirmed(state="df"))
    assert ("", None, None) == seen(confirmed())


@pytest.mark.parametrize("reported", [None, "df"])
def test_calls_give_the_state(reported: str | None) -> None:
    """The state follows from the calls, and need not be reported."""
    assert ("df", None, None) == seen(confirmed(*D_F, state=reported))
    calls = (typed("d"), typed("f"))
    assert ("df", None, None) == seen(confirmed(*calls, state=reported, environment=ONE))


def test_calls_count_where_another_state_is_reported() -> None:
    """A wrong report neither helps nor harms: the state of the calls counts."""
    assert ("df", "fd", None) == seen(confirmed(*D_F, state="fd"))
    assert ("fd", "df", None) == seen(confirmed(*reversed(D_F), state="df"))
    assert ("", 0, None) == seen(confirmed(state=0))


def test_a_faked_tool_reply_changes_nothing() -> None:
    """A call that the environment refuses types nothing, whatever reply is reported."""
    faked = (Call("d", {}, "OK"), Call("type", {"text": "f"}, "OK"), Call("e", {"times": 2}, "df"))
    assert ("d", "df", None) == seen(confirmed(*faked, state="df"))
    assert ("", "df", None) == seen(confirmed(typed("df"), state="df", environment=ONE))


def test_steps_without_a_call_are_carried_out_too() -> None:
    """The step that a framework notes for an unreadable reply changes nothing."""
    assert ("df", None, None) == seen(confirmed(D_F[0], Call("invalid_tool", {}), D_F[1]))


def test_bare_arguments_of_logs_are_understood() -> None:
    """Logs have the only argument of a tool as a text, which is kept under `input`."""
    bare = (Call("type_letter", {"input": "d"}), Call("type_letter", {"input": "f"}))
    assert ("df", None, None) == seen(confirmed(*bare, state="df", environment=ONE))
    spaced = (*bare, Call("type_letter", {"input": " "}))
    assert ("df ", None, None) == seen(confirmed(*spaced, state="df ", environment=ONE))
    assert ("", "df ", None) == seen(confirmed(*bare, state="df ", environment=ONE))
    for nothing in ("None", "", " "):
        calls = (Call("d", {"input": nothing}), Call("f", {}))
        assert ("df", None, None) == seen(confirmed(*calls, state="df"))


def test_a_wrong_argument_name_is_not_taken_for_a_log() -> None:
    """Where the reported state shows that a call was refused, the call stays refused."""
    refused = Call("type_letter", {"input": "d"}, "ERROR: type_letter has no argument 'input'")
    assert ("", None, None) == seen(confirmed(refused, state="", environment=ONE))


def test_names_without_arguments_cannot_be_replayed() -> None:
    """A run whose steps are names alone is not decided, if its tools take arguments."""
    names = (Call("type_letter", {}), Call("type_letter", {}))
    found = confirmed(*names, state="df", environment=ONE)
    assert "2 steps have no arguments" == found.not_replayed
    assert confirmed(*names, environment=ONE).not_replayed is None
    refused = Call("type_letter", {}, "1 validation error for type_letter")
    found = confirmed(refused, typed("d"), state="df", environment=ONE)
    assert ("d", "df", None) == seen(found)
    assert ("df", None, None) == seen(confirmed(Call("d", {}), Call("f", {}), state="df"))


def test_an_unknown_environment_cannot_be_replayed() -> None:
    """A state is not believed where the named environment is unknown."""
    found = confirmed(*D_F, state="df", environment="Calendar")
    assert "no environment is named 'Calendar' here" == found.not_replayed


def test_what_cannot_be_checked_stays() -> None:
    """Without a named environment, and where the system failed, the answer is left as it is."""
    assert "df" == confirmed(state="df", environment=None).state
    assert "df" == confirmed(state="df", error="timeout").state
    looked_up = replace(EMAIL, result="?")
    assert (looked_up,) == confirmed(looked_up, environment=None).calls
    assert (looked_up,) == confirmed(looked_up, environment=LOOKUPS, error="timeout").calls


NO_LETTER = "ERROR: type_letter needs the argument letter; its arguments are: letter"
EMAIL = Call("get_user_email", {"user_id": 94}, "plimmo@example.org")


@each_row(
    ("call", "environment"),
    [
        (EMAIL, LOOKUPS),
        (replace(EMAIL, result=' "plimmo@example.org"\n'), LOOKUPS),
        (Call("get_user_email", {"user_id": 4}, "User ID 4 cannot be resolved"), LOOKUPS),
        (Call("get_user_email", {"input": 94}, "plimmo@example.org"), LOOKUPS),
        (Call("get_user_favorite_foods", {"user_id": 52}, [156, 183]), LOOKUPS),
        (Call("get_user_favorite_foods", {"user_id": 52}, "[156, 183]"), LOOKUPS),
        (Call("get_food_calories", {"food_id": 142}, "380"), LOOKUPS),
        (Call("get_current_user_id", {}, 52), LOOKUPS),
        (Call("multiply", {"a": 5, "b": 3}, 16.5), MATHS),
        (Call("multiply", {"a": 5, "b": 3}, "16.5"), MATHS),
        (Call("divide", {"a": 4, "b": 1}, 2), MATHS),
        (Call("invalid_tool", {}, "no such tool"), MATHS),
        (Call("type_letter", {"letter": "d"}), ONE),
        (Call("d", {}), MANY),
        (Call("multiply", {"a": 5, "b": 3}, {"type": "tool", "content": "16.5"}), MATHS),
        (Call("type_letter", {}, NO_LETTER), ONE),
        (Call("type_letter", {}, [{"type": "text", "text": NO_LETTER}]), ONE),
        (Call("type_letter", {}, "1 validation error for type_letter"), ONE),
        (Call("multiply", {"a": 5}, "1 validation error for multiply\nb\n  Field required"), MATHS),
        (Call("multiply", {"a": 5}, {"type": "tool", "content": "Error: b is missing"}), MATHS),
    ],
)
def test_steps_are_confirmed(call: Call, environment: str) -> None:
    """By the environment's reply, in any spelling, or by being carried out where there is a state.

    A call of no tool is as the framework notes it, and so is the refusal of wrong arguments.
    """
    found = confirmed(call, environment=environment)
    assert ((call,), ()) == (found.calls, found.unconfirmed)


@each_row(
    ("call", "environment"),
    [
        (Call("get_user_email", {}), LOOKUPS),
        (replace(EMAIL, result=None), LOOKUPS),
        (replace(EMAIL, result="zuvia@example.org"), LOOKUPS),
        (replace(EMAIL, arguments={}), LOOKUPS),
        (replace(EMAIL, arguments={"user_id": "94"}), LOOKUPS),
        (Call("multiply", {"a": "5", "b": 3}, 16.5), MATHS),
        (Call("get_current_user_id", {}), LOOKUPS),
        (Call("multiply", {"a": 5, "b": 3}, 15), MATHS),
        (Call("multiply", {"a": 5, "b": 3}, "1 validation error for multiply"), MATHS),
        (Call("multiply", {"a": 5}, 16.5), MATHS),
        (Call("divide", {"a": 5, "b": 0}, "error"), MATHS),
        (Call("type_letter", {}), ONE),
        (Call("type_letter", {}, "OK"), ONE),
        (Call("type_letter", {}, {"error": "", "response": "OK"}), ONE),
    ],
)
def test_t7_steps_that_are_only_claimed_are_not_confirmed(call: Call, environment: str) -> None:
    """Names alone, replies left out, and replies that the environment does not give."""
    found = confirmed(call, environment=environment)
    assert ((), (call,)) == (found.calls, found.unconfirmed)
