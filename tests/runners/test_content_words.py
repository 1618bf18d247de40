"""Words in common: what counts as a word, and what does not."""

from __future__ import annotations

from runners.content_words import content_words


def test_names_come_apart_and_words_are_singular() -> None:
    """Names in camelCase and snake_case come apart; plurals become singulars; case is folded."""
    words = content_words("getStockPrices_forThe URLParser, cities and glass")
    assert words == {"stock", "price", "url", "parser", "city", "glass"}


def test_words_without_meaning_do_not_count() -> None:
    """Stop words and single letters are left out; numbers and other scripts are words."""
    assert content_words("Please tell me what a tool is: x, 42, 天気") == {"42", "天気"}
