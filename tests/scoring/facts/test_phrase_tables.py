"""Lists of phrases: words in braces, and lists without them."""

from __future__ import annotations

from scoring.facts.form_search import FormSet
from scoring.facts.phrase_tables import form_set, listed
from scoring.facts.sentences import read_passage


def test_braces_stand_for_a_list() -> None:
    """Each member of the list will do, also inside brackets."""
    forms = FormSet(
        listed("(only/just) {last} day, (no/not {last})", {"last": ["30", "thirty one"]})
    )
    assert forms.first(read_passage("It has just 31 days."))
    assert forms.first(read_passage("That is not 30."))
    assert not forms.first(read_passage("It has just 29 days."))


def test_gaps_of_listed_phrases_cross_no_comma() -> None:
    """What follows a comma may be about something else."""
    forms = form_set("must .. (begin/start)")
    assert forms.first(read_passage("It must always start there."))
    assert not forms.first(read_passage("It must end, and we start there."))


def test_a_phrase_without_its_list_is_left_out() -> None:
    """A case gives only what its fault is made of."""
    assert len(listed("{name} is new, is old")) == 1
