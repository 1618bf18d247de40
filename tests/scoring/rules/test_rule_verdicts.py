"""The verdicts of rules: lists that stay short, mistakes in order."""

from __future__ import annotations

from leaderboard.types import Verdict
from scoring.rules.rule_verdicts import (
    CallMistake,
    alternatives,
    gravity,
    listed,
    mistaken,
    sentence,
)


def test_lists_of_names_and_values_stay_short() -> None:
    """Three names or two values are shown, the rest counted; no value at all is said in words."""
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed("abcde") == "a, b, c and 2 more"
    assert alternatives([1]) == "1"
    assert alternatives([1, "x"]) == '1 or "x"'
    assert alternatives([1, 2, 3, 4]) == "1 or 2 or 2 more"
    assert alternatives([]) == "nothing"


def test_sentence() -> None:
    """Up to three parts, one full stop."""
    assert sentence(["a"]) == "a."
    assert sentence(["a."]) == "a."
    assert sentence(["a…"]) == "a…"
    assert sentence("abc") == "a; b; c."
    assert sentence("abcde") == "a; b; c; and 2 more."


def test_the_gravest_mistake_gives_the_reason() -> None:
    """The gravest mistakes come first: tool, missing, unexpected, value."""
    reasons = ["wrong_value", "unexpected_argument", "missing_argument", "wrong_function"]
    assert sorted(reasons, key=gravity) == reasons[::-1]
    found = mistaken(
        "correct", [CallMistake("wrong_value", "b"), CallMistake("missing_argument", "a")], "f: "
    )
    assert found == Verdict("correct", "fail", 0.0, "missing_argument", "f: a; b.")
