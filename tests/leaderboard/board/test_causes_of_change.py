"""What the inputs that explain a change are called."""

from __future__ import annotations

from leaderboard.board.board_changes import Cause, Part
from leaderboard.board.causes_of_change import InputGroup, group_inputs


def test_inputs_are_grouped_by_kind_and_suites_by_their_parts() -> None:
    """Each kind is listed once, in order. Parts of a suite are grouped by what they are."""
    causes = [
        Cause("prompts", "s/a", "changed"),
        Cause(
            "cases",
            "s",
            "changed",
            "s",
            parts=(Part("case", "x", "changed"), Part("case", "y", "added")),
        ),
        Cause(
            "cases",
            "t",
            "changed",
            "t",
            parts=(Part("case", "x", "removed"), Part("policy", "", "changed")),
        ),
        Cause("prompts", "s/b", "removed"),
        Cause("cases", "u", "added", "u"),
        Cause("cases", "v", "changed", "v"),
    ]
    assert (
        InputGroup("judge prompts", None, (("s/a", "changed"), ("s/b", "removed"))),
        InputGroup("cases", "s", (("x", "changed"), ("y", "added"))),
        InputGroup("cases", "t", (("x", "removed"),)),
        InputGroup("policy", "t", ()),
        InputGroup("suites", None, (("u", "added"),)),
        InputGroup("cases, tools, weights or policy", None, (("v", "changed"),)),
    ) == group_inputs(causes)
