"""Expected beside got: which arguments and which characters are marked, and as what."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.types import Call, ExpectedArgument, ExpectedCall
from site_templates.parts.argument_diff import Judgement, Piece, diffs, pairs, pieces, similar

FAIL = Judgement("fail", "wrong_value", judged=False)


def expect(
    name: str | None, *, closed: bool = True, absent: bool = False, **accepted: list[Any]
) -> ExpectedCall:
    """An expected call with lists of accepted values."""
    return ExpectedCall(
        name, tuple(ExpectedArgument(k, tuple(v), closed, absent) for k, v in accepted.items())
    )


def marks(
    expected: ExpectedCall, call: Call, judgement: Judgement = FAIL
) -> list[tuple[str, str, str]]:
    """Mark, tone and name of each line of the one diff."""
    (found,), _ = diffs([expected], [call], judgement)
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


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        (1, 1.0, True),
        (25, "25", True),
        ("New York", "new-york", True),
        ("a", "b", False),
        (True, 1, False),
        (None, "none", False),
        (None, None, True),
        ([1, "A"], [1.0, "a"], True),
        ([1], [1, 2], False),
        ({"a": [1, 2]}, {"a": 2}, True),
        ({"a": [1, 2]}, {"a": 3}, False),
        ({"a": 1}, {"b": 1}, False),
        ("x", ["x"], False),
        ("-", "", False),
    ],
)
def test_similar_is_spelling_alone(expected: Any, got: Any, same: bool) -> None:
    """Case, spaces, punctuation and number formats do not count. Booleans and null do."""
    assert similar(expected, got) is same


def test_pairs_take_the_call_that_fits_then_the_name_then_the_order() -> None:
    """Each expected call gets its likest call; what is left over is returned."""
    one, two, other = Call("f", {"a": 1}), Call("f", {"a": 2}), Call("g", {})
    matched, free = pairs([expect("f", a=[2]), expect("f", a=[3])], [one, two, other])

    assert [made for _, made in matched] == [two, one]
    assert free == [other]


def test_pairs_take_equal_calls_once_each() -> None:
    """One call object made twice serves two expected calls."""
    call = Call("f", {"a": 1})

    assert pairs([expect("f", a=[1])] * 2, [call, call]) == ([(expect("f", a=[1]), call)] * 2, [])


def test_pairs_know_names_shown_with_underscores() -> None:
    """A model that was shown a_b for a.b is paired with a.b."""
    call = Call("a_b", {})

    assert pairs([expect("a.b"), expect("c")], [Call("d", {}), call], underscored=True)[0][0] == (
        expect("a.b"),
        call,
    )


def test_wrong_missing_and_unexpected_arguments_are_marked() -> None:
    """Each kind of difference has its mark."""
    expected = expect("f", a=[1], b=["x"], c=[2])
    call = Call("f", {"a": 1, "b": "y", "d": True})

    assert marks(expected, call) == [("≠", "bad", "b"), ("−", "bad", "c"), ("+", "bad", "d")]


def test_optional_arguments_may_be_left_out() -> None:
    """An argument that may be absent and is absent counts as equal."""
    assert diffs([expect("f", absent=True, a=[1])], [Call("f", {})], FAIL) == ((), [])


def test_another_accepted_value_is_no_difference() -> None:
    """Any accepted value counts, not only the first."""
    assert diffs([expect("f", a=["x", "y"])], [Call("f", {"a": "y"})], FAIL) == ((), [])


def test_spelling_is_no_mistake_where_something_else_is() -> None:
    """What is only written differently is not marked wrong beside what is."""
    expected = expect("f", a=["New York"], b=["x"])

    assert marks(expected, Call("f", {"a": "new york", "b": "z"})) == [
        ("≈", "may", "a"),
        ("≠", "bad", "b"),
    ]


def test_spelling_is_the_mistake_where_nothing_else_is() -> None:
    """If a value is wrong and all are alike, the differently written one is what is wrong."""
    assert marks(expect("f", a=[45]), Call("f", {"a": "45"})) == [("≠", "bad", "a")]


def test_judged_values_are_marked_as_judged() -> None:
    """An open value is marked wrong only if a judge failed it."""
    expected, call = expect("f", closed=False, a=["Contract"]), Call("f", {"a": "The deal"})

    assert marks(expected, call, Judgement("pass", "judge_equivalent", judged=True)) == [
        ("≈", "may", "a")
    ]
    assert marks(expected, call, Judgement("unscored", "judge_missing", judged=True)) == [
        ("≈", "may", "a")
    ]
    assert marks(expected, call, Judgement("fail", "judge_different", judged=True)) == [
        ("≠", "bad", "a")
    ]


def test_open_value_beside_a_mistake_was_never_judged() -> None:
    """If the call is wrong already, a different open value was not judged and is not wrong."""
    (found,), _ = diffs(
        [expect("f", closed=False, a=["x"], b=["y"])],
        [Call("f", {"a": "z"})],
        Judgement("fail", "missing_argument", judged=False),
    )

    assert [line.sign.meaning for line in found.lines] == [
        "not judged, because the call is wrong already",
        "missing",
    ]


def test_another_tool_is_one_line() -> None:
    """For a wrong tool, the diff shows its name and its arguments."""
    assert marks(expect("f", a=[1]), Call("g", {"a": 1})) == [
        ("≠", "bad", "tool"),
        ("+", "bad", "a"),
    ]


def test_calls_not_made_share_a_table() -> None:
    """Expected calls that nobody made are lines of one table; a call too many is returned."""
    found, free = diffs(
        [expect("f", a=[1]), expect(None)], [], Judgement("fail", "wrong_count", judged=False)
    )

    assert [(diff.name, [line.got_none for line in diff.lines]) for diff in found] == [
        ("calls", ["not made", "not made"])
    ]
    assert free == []
    assert diffs([], [Call("h", {})], FAIL) == ((), [Call("h", {})])
