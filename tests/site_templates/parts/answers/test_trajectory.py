"""Expected steps beside steps taken, in order and in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leaderboard.types import Call, Case, GroundTruth, Response, Trajectory
from site_templates.parts.answers.trajectory import StepTable, accepted_paths, step_table
from tests.each_row import each_row


def case(
    paths: Sequence[str], *, order: bool = True, calls: Sequence[dict[str, Any]] | None = None
) -> Case:
    """A case whose paths are words: one tool per letter."""
    truth = Trajectory(tuple(tuple(path) for path in paths), order_matters=order, reference="x")
    outputs = {"expected_calls": calls} if calls else {}
    return Case("c", "k", "?", GroundTruth(trajectory=truth), (), {"outputs": outputs}, "d")


def laid(given: Case, taken: str | Sequence[Call], **more: Any) -> StepTable:
    calls = tuple(Call(name, {}) for name in taken) if isinstance(taken, str) else tuple(taken)
    trajectory = given.ground_truth.trajectory
    assert trajectory is not None
    return step_table(given, trajectory, Response("c", b"", calls, None, **more))


def lines(found: StepTable) -> list[str]:
    """Each line as expected, mark, taken; a dot where a side has nothing."""
    shown = []
    for row in found.rows:
        expected = row.expected.name if row.expected else "."
        taken = row.taken.name if row.taken else "."
        shown.append(f"{expected}{row.sign.mark}{taken}")
    return shown


@each_row(
    ("path", "taken", "expected"),
    [
        ("abc", "abc", ["a=a", "b=b", "c=c"]),
        ("abc", "abxc", ["a=a", "b=b", ".+x", "c=c"]),
        ("abc", "ac", ["a=a", "b−.", "c=c"]),
        ("abc", "x", ["a≠x", "b−.", "c−."]),
        ("abc", "", ["a−.", "b−.", "c−."]),
        ("a", "xya", [".+x", ".+y", "a=a"]),
        ("abcd", "acbd", ["a=a", "b−.", "c=c", ".+b", "d=d"]),
        ("", "ab", [".+a", ".+b"]),
        ("", "", []),
    ],
)
def test_steps_are_aligned_by_their_longest_common_subsequence(
    path: str, taken: str, expected: list[str]
) -> None:
    """Equal steps share a line. Missing and additional steps are in between."""
    found = laid(case([path]), taken)

    assert expected == lines(found)


def test_places_count_each_side_for_itself() -> None:
    """The numbers beside the lines are those of the path and those of the response."""
    found = laid(case(["abc"]), "axc")

    assert [(r.expected and r.expected.place, r.taken and r.taken.place) for r in found.rows] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    assert [r.sign.meaning for r in found.rows] == ["equal", "wrong tool", "equal"]


def test_in_any_order_steps_are_paired_by_name() -> None:
    """If order does not matter, rows follow the steps taken, and missing steps come last."""
    found = laid(case(["abc"], order=False), "cxa")

    assert lines(found) == ["c=c", ".+x", "a=a", "b−."]
    assert not found.equal


def test_of_several_paths_the_closest_is_shown_and_said_so() -> None:
    """The path with the fewest names too many and too few; one alone needs no words."""
    found = laid(case(["abc", "xy"]), "xyz")

    assert lines(found) == ["x=x", "y=y", ".+z"]
    assert found.beside == "the closest of 2 accepted paths"
    assert laid(case(["abc"]), "abc").beside == ""


def test_same_tool_with_other_arguments_is_marked() -> None:
    """The rule compares names only. The mark shows that the arguments differ."""
    given = case(
        ["ab"], calls=[{"name": "a", "arguments": {"n": 1}}, {"name": "b", "arguments": {}}]
    )
    found = laid(given, [Call("a", {"n": 2}), Call("b", {})])

    assert [tuple(r.sign) for r in found.rows] == [
        ("ok", "≈", "same tool, other arguments"),
        ("ok", "=", "equal"),
    ]
    assert not found.equal


def test_of_two_equal_names_the_one_with_equal_arguments_is_taken() -> None:
    """If a call was made twice, the one with the right arguments is paired."""
    given = case(["a"], calls=[{"name": "a", "arguments": {"n": 1}}])

    assert lines(laid(given, [Call("a", {"n": 2}), Call("a", {"n": 1})])) == [".+a", "a=a"]
    assert lines(laid(case(["a"], order=False, calls=given.record["outputs"]["expected_calls"]),
                      [Call("a", {"n": 2}), Call("a", {"n": 1})])) == [".+a", "a=a"]  # fmt: skip


def test_replies_of_tools_are_shown_with_the_steps() -> None:
    """Texts as they are, other values as JSON, nothing for nothing; long ones are cut."""
    given = [
        Call("a", {}, "Lund"),
        Call("a", {}, {"t": 14}),
        Call("a", {}),
        Call("a", {}, "w" * 1000),
    ]
    answered = [row.taken.reply for row in laid(case(["aaaa"]), given).rows if row.taken]

    assert answered[:3] == ["Lund", '{"t": 14}', ""]
    assert len(answered[3]) == 300


def test_arguments_unknown_to_the_case_are_not_compared() -> None:
    """A case that tells only names shows dots for arguments, and any are equal."""
    found = laid(case(["a"]), [Call("a", {"n": 2})])

    assert [(r.sign.mark, r.expected and r.expected.arguments) for r in found.rows] == [("=", "…")]
    assert found.equal


def test_names_as_the_model_was_shown_them() -> None:
    """A model that was shown underscores for dots is read that way, and only such a one."""
    truth = Trajectory((("office.close",),), reference="x")
    given = Case("c", "k", "?", GroundTruth(trajectory=truth), (), {}, "d")
    taken = [Call("office_close", {})]

    assert lines(laid(given, taken, underscored=True)) == ["office_close=office_close"]
    assert lines(laid(given, taken)) == ["office.close≠office_close"]


def test_endless_steps_are_cut() -> None:
    """Of a thousand steps sixty lines are shown, and how many more there are."""
    found = laid(case(["abc"]), "abc" + "x" * 1000)

    assert (len(found.rows), found.more, found.taken) == (60, 943, 1003)


def test_accepted_paths_have_the_arguments_of_the_record() -> None:
    """Arguments are read from expected and alternative calls; a path without them has dots."""
    truth = Trajectory((("a",), ("b", "b"), ("c",)), reference="x")
    outputs = {
        "expected_calls": [{"name": "a", "arguments": {"n": 1, "s": "é"}}],
        "alternative_calls": [
            [{"name": "b", "arguments": {}}, {"name": "b", "arguments": {"n": 2}}]
        ],
    }
    found = accepted_paths(
        Case("c", "k", "?", GroundTruth(trajectory=truth), (), {"output": outputs}, "d")
    )

    assert [[s.arguments for s in path] for path in found] == [
        ['n=1, s="é"'],
        ["", "n=2"],
        ["…"],
    ]
