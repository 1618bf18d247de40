"""Expected beside got: which arguments and which characters are marked, and as what."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.types import Call, ExpectedArgument, ExpectedCall, Outcome
from scoring.rules import call_match, tool_selection
from site_templates.parts.answers.argument_diff import Judgement, Piece, diffs, pairs, pieces
from tests.site_templates import site_board

SUITE = site_board.tool_suite()


def rule(expected: ExpectedCall, call: Call) -> dict[str, str]:
    return tool_selection.faults(SUITE, SUITE.cases[0], expected, call, False)


def strict(expected: ExpectedCall, call: Call) -> dict[str, str]:
    """The rule that also compares types; the model was shown names with underscores."""
    return call_match.faults(SUITE, SUITE.cases[0], expected, call, True)


def judgement(outcome: Outcome, reason: str, *, judged: bool) -> Judgement:
    return Judgement(outcome, reason, judged, rule)


FAIL = judgement("fail", "wrong_value", judged=False)


def expect(
    name: str | None, *, closed: bool = True, absent: bool = False, **accepted: list[Any]
) -> ExpectedCall:
    """An expected call with lists of accepted values."""
    return ExpectedCall(
        name, tuple(ExpectedArgument(k, tuple(v), closed, absent) for k, v in accepted.items())
    )


def marks(
    expected: ExpectedCall, call: Call, given: Judgement = FAIL
) -> list[tuple[str, str, str]]:
    """Mark, tone and name of each line of the one diff."""
    (found,), _, _ = diffs([expected], [call], given)
    return [(line.sign.mark, line.sign.tone, line.name) for line in found.lines]


def test_pieces_mark_the_characters_that_differ() -> None:
    """Of two alike values only the differing part is marked."""
    left, right = pieces('"2026-06-18T15:30"', '"2026-06-18T13:30"')

    assert left == (Piece("", '"2026-06-18T'), Piece("del", "15"), Piece("", ':30"'))
    assert right == (Piece("", '"2026-06-18T'), Piece("ins", "13"), Piece("", ':30"'))


def test_pieces_mark_unlike_values_whole() -> None:
    """Where little is alike, marks within would be noise; the quotation marks stay unmarked."""
    quote = Piece("", '"')

    assert pieces('"Europe/Berlin"', '"UTC"') == (
        (quote, Piece("del", "Europe/Berlin"), quote),
        (quote, Piece("ins", "UTC"), quote),
    )


def test_pieces_of_very_long_values_are_quick() -> None:
    """A hundred thousand characters are marked whole instead of compared."""
    left, right = pieces("a b " * 25_000, "b a " * 25_000)

    assert [piece.kind for piece in (*left, *right)] == ["del", "ins"]


def test_pairs_take_the_call_that_fits_then_the_name_then_the_order() -> None:
    """Each expected call gets its likest call; what is left over is returned."""
    one, two, other = Call("f", {"a": 1}), Call("f", {"a": 2}), Call("g", {})
    matched, free = pairs([expect("f", a=[2]), expect("f", a=[3])], [one, two, other], rule)

    assert [made for _, made in matched] == [two, one]
    assert free == [other]


def test_pairs_take_equal_calls_once_each() -> None:
    """One call object made twice serves two expected calls."""
    call = Call("f", {"a": 1})

    assert pairs([expect("f", a=[1])] * 2, [call, call], rule) == (
        [(expect("f", a=[1]), call)] * 2,
        [],
    )


def test_pairs_know_names_shown_with_underscores() -> None:
    """A model that was shown a_b for a.b is paired with a.b."""
    call = Call("a_b", {})

    matched, _ = pairs([expect("a.b"), expect("c")], [Call("d", {}), call], strict)
    assert matched[0] == (expect("a.b"), call)


def test_wrong_missing_and_unexpected_arguments_are_marked() -> None:
    """Each kind of difference has its mark."""
    expected = expect("f", a=[1], b=["x"], c=[2])
    call = Call("f", {"a": 1, "b": "y", "d": True})

    assert marks(expected, call) == [("≠", "bad", "b"), ("−", "bad", "c"), ("+", "bad", "d")]


@pytest.mark.large
def test_of_very_many_arguments_some_are_shown() -> None:
    """A record of 2 MB cannot make a page of 90 MB."""
    call = Call("f", {f"a{number}": number for number in range(20_000)})
    (found,), _, _ = diffs([expect("f")], [call], FAIL)

    assert len(found.lines) == 51
    assert found.lines[-1].got_none == "19,950 more"


def test_optional_arguments_may_be_left_out() -> None:
    """An argument that may be absent and is absent counts as equal."""
    call = Call("f", {})
    assert diffs([expect("f", absent=True, a=[1])], [call], FAIL) == ((), [call], [])


def test_another_accepted_value_is_no_difference() -> None:
    """Any accepted value counts, not only the first."""
    call = Call("f", {"a": "y"})
    assert diffs([expect("f", a=["x", "y"])], [call], FAIL) == ((), [call], [])


def test_b8_marks_of_a_difference_are_those_of_the_rule() -> None:
    """What the rule accepts is no mistake, and what it rejects is one, however alike they look."""
    expected = expect("f", a=["New York"], b=["x"], c=[45])
    call = Call("f", {"a": "new  york", "b": "z", "c": "45"})
    assert [("≈", "ok", "a"), ("≠", "bad", "b"), ("≈", "ok", "c")] == marks(expected, call)

    by_type = Judgement("fail", "wrong_value", judged=False, faults=strict)
    call = Call("f", {"a": "new  york", "b": "x", "c": "45"})
    assert [("≈", "ok", "a"), ("≠", "bad", "c")] == marks(expected, call, by_type)


def test_an_optional_parameter_that_the_suite_allows_is_no_mistake() -> None:
    """The suite allows optional parameters; other arguments are not expected."""
    expected, call = expect("set_alarm", time=["7"]), Call("set_alarm", {"time": "7", "label": "x"})
    assert [("+", "ok", "label")] == marks(expected, call)
    assert [("+", "bad", "tone")] == marks(expected, Call("set_alarm", {"time": "7", "tone": 1}))


def test_judged_values_are_marked_as_judged() -> None:
    """An open value is marked wrong only if a judge failed it."""
    expected, call = expect("f", closed=False, a=["Contract"]), Call("f", {"a": "The deal"})

    assert marks(expected, call, judgement("pass", "judge_equivalent", judged=True)) == [
        ("≈", "may", "a")
    ]
    assert marks(expected, call, judgement("unscored", "judge_missing", judged=True)) == [
        ("≈", "may", "a")
    ]
    assert marks(expected, call, judgement("fail", "judge_different", judged=True)) == [
        ("≠", "bad", "a")
    ]


def test_open_value_beside_a_mistake_was_never_judged() -> None:
    """If the call is wrong already, a different open value was not judged and is not wrong."""
    (found,), _, _ = diffs(
        [expect("f", closed=False, a=["x"], b=["y"])],
        [Call("f", {"a": "z"})],
        judgement("fail", "missing_argument", judged=False),
    )

    assert [line.sign.meaning for line in found.lines] == [
        "not judged, because the call is wrong already",
        "missing",
    ]


def test_another_tool_is_one_line() -> None:
    """For a wrong tool, the diff shows its name; an equal argument is no difference."""
    assert marks(expect("f", a=[1]), Call("g", {"a": 1})) == [("≠", "bad", "tool")]


def test_calls_not_made_share_a_table() -> None:
    """Expected calls that nobody made are lines of one table; a call too many is returned."""
    found, right, free = diffs(
        [expect("f", a=[1]), expect(None)], [], judgement("fail", "wrong_count", judged=False)
    )

    assert [(diff.name, [line.got_none for line in diff.lines]) for diff in found] == [
        ("calls", ["not made", "not made"])
    ]
    assert (right, free) == ([], [])
    assert diffs([], [Call("h", {})], FAIL) == ((), [], [Call("h", {})])


@pytest.mark.parametrize(
    ("others", "shown"),
    [(["g"], ["cannot be read"]), (["g", "h"], ["not made, or cannot be read"] * 2)],
)
def test_a_call_that_cannot_be_read_is_not_missing(others: list[str], shown: list[str]) -> None:
    """Of several, nobody knows which of them were made."""
    malformed = judgement("fail", "malformed_call", judged=False)
    expected = [expect(name) for name in ("f", *others)]
    (found,), right, _ = diffs(expected, [Call("f", {})], malformed)

    assert [line.got_none for line in found.lines] == shown
    assert right == [Call("f", {})]
