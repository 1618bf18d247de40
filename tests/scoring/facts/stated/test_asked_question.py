"""The question of a case: what it compares, and what it wants lacking."""

from __future__ import annotations

from scoring.facts.stated.asked_question import AskedQuestion


def test_opposites_are_those_of_the_comparing_words() -> None:
    """A question with words of both sides has none."""
    coldest = AskedQuestion.of("Which city is the coldest?")
    either = AskedQuestion.of("Which city is the coldest, and which the warmest?")

    assert "coldest" in coldest.alike
    assert "warmest" in coldest.opposite
    assert either.alike == either.opposite == frozenset()


def test_what_a_question_wants_lacking() -> None:
    """It follows "no" or "without"."""
    assert AskedQuestion.of("Which food contains no nuts?").lacking == {"nut"}
    assert AskedQuestion.of("Which food contains nuts?").lacking == frozenset()
