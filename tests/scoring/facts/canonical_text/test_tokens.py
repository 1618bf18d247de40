"""Words without their endings. Tokens are tested with canonical text."""

from __future__ import annotations

from scoring.facts.canonical_text.tokens import base_form, stem


def test_stems_have_three_letters_or_more() -> None:
    """Endings of short words belong to them."""
    words = ("parks", "looked", "boxes", "going", "has")
    assert [stem(word) for word in words] == ["park", "look", "box", "going", "has"]


def test_a_superlative_has_the_base_form_of_its_adjective() -> None:
    """Other words have the same stem in both."""
    words = ("coldest", "best", "parks")
    assert [base_form(word) for word in words] == ["cold", "best", "park"]
    assert [stem(word) for word in words] == ["coldest", "best", "park"]
