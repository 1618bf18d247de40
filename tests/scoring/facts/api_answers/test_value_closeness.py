"""Numbers that are rounded, or worked out from others."""

from __future__ import annotations

from scoring.facts.api_answers.answer_values import Values
from scoring.facts.api_answers.value_closeness import is_combined, is_derived, rounds_to
from scoring.facts.sentences import read_passage


def test_rounded_numbers() -> None:
    """Two digits are enough, if they are the right ones."""
    assert rounds_to(9_800_000, 9_820_000)
    assert rounds_to(32, 31.6)
    assert not rounds_to(31, 31.6)
    assert not rounds_to(30, 34)
    assert rounds_to(34, 33.4, tolerance=0.02)


def test_numbers_worked_out() -> None:
    """Sums, differences, products, quotients and percentages of two numbers."""
    known = Values()
    known.add(read_passage("129 now, 39.9 before, 34.9 after, 15 percent off, on 2031-05-20"))
    assert is_derived(129 * 0.85, known)
    assert is_derived(5, known)
    assert not is_derived(41, known)
    assert not is_derived(129 - 15, known)
    assert is_derived(14.3, known, "percent")
    assert not is_derived(129 / 39.9, known, "percent")
    assert is_combined(129 - 39.9 - 34.9, [129, 39.9, 34.9])
    assert is_combined(129 - 3 * 34.9, [129, 3, 34.9])
    assert not is_combined(41, [129, 39.9, 34.9])
