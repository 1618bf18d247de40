"""How the final answer of a response is found, and how texts are compared."""

from __future__ import annotations

from scoring.rules.final_answers import final_answer, normal_form


def test_the_last_mark_counts() -> None:
    """An answer that corrects itself is read at its end; without a mark there is none."""
    assert final_answer("Answer: 1\nThe answer is: 2\n(3)") == "2"
    assert final_answer("No mark") is None


def test_a_text_of_marks_alone_is_kept() -> None:
    """A text that would vanish is compared as it is."""
    assert normal_form('"') == '"'
    assert normal_form(" U.S. ") == normal_form("u.s")
