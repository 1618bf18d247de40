"""The grammar of forms, and what is broken."""

from __future__ import annotations

import pytest

from leaderboard.facts.text_forms import Either, Prefix, WordGap, Words, parse_form
from tests.each_row import each_row


def test_every_piece_of_a_form() -> None:
    """Words, prefixes, alternatives and gaps are read in order."""
    form = parse_form("the old key* .. (red/dark blu*)")
    options = ((Words("red"),), (Words("dark"), Prefix("blu")))
    assert form.phrases == ((Words("the old"), Prefix("key"), WordGap(), Either(options)),)
    assert (form.scope, form.negative) == ("phrase", False)


def test_joined_phrases() -> None:
    """& joins within a sentence, ~ within a clause; ! marks an own negation."""
    assert parse_form("a & b").scope == "sentence"
    assert parse_form("!not a ~ b").scope == "clause"
    assert parse_form("!not a ~ b").negative


BROKEN = {
    "": "at least one word",
    "..": "at least one word",
    "()": "at least one word",
    "(/)": "at least one word",
    "(paris/)": "in a bracket that may be empty",
    "(the/) .. (old/) & key": "in a bracket that may be empty",
    "a ..": "between words",
    "a .. b .. c .. d": "at most 2 gaps",
    "ke*": "at least 3 letters",
    "k*ey": "at the end of a word",
    "(a": "closed",
    "(a (b)/c)": "not nested",
    "(a .. b/c)": "outside brackets",
    "a & b ~ c": "not with both",
    "a" * 301: "at most 300",
}


@each_row(("text", "reason"), BROKEN.items())
def test_broken_forms(text: str, reason: str) -> None:
    """A broken form says why."""
    with pytest.raises(ValueError, match=reason):
        parse_form(text)
