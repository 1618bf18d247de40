"""Forms: what they match, and where."""

from __future__ import annotations

from unittest.mock import patch

from scoring.facts.form_search import FormSet
from scoring.facts.sentences import Span, read_passage
from tests.each_row import each_row


def found(form: str, text: str, **options: bool) -> list[str]:
    """The parts of the original text that a form matches."""
    passage = read_passage(text)
    matches = FormSet([form], **options).find(passage)
    return [text[slice(*passage.chars_of(match.span))] for match in matches]


MATCHES = [
    ("tove jansson", "It was TOVE  Jansson's book.", "TOVE  Jansson's"),
    ("key*", "It has 88 keys.", "keys"),
    ("(red/dark blue) car", "A dark-blue car.", "dark-blue car"),
    ("(the/) baltic sea", "the Baltic Sea", "the Baltic Sea"),
    ("(the/) baltic sea", "On Baltic Sea beaches", "Baltic Sea"),
    ("vitamin c", "It has vitamin C.", "vitamin C"),
    ("color*", "two colours", "colours"),
    ("17:45", "at quarter to six", "quarter to six"),
    ("the (great/) wall", "The wall, the great wall", "The wall"),
    ("june .. short*", "June is, as you know, too short.", "June is, as you know, too short"),
    ("june & 30 day*", "There are 30 days in June.", "30 days in June"),
    ("june ~ rain*", "In June much rain falls.", "June much rain"),
    ("18:04", "at four minutes past six in the evening", "four minutes past six"),
    ("18:04", "at 6.04 p.m.", "6.04 p.m."),
    ("quarter to six", "at 17:45", "17:45"),
    ("30 may", "on 2031-05-30", "2031-05-30"),
    ("may 30, 2031", "on 30 May", "30 May"),
    ("can not", "I can't.", "can't"),
    ("1.5 million", "1,500,000 people", "1,500,000"),
]


@each_row(("form", "text", "expected"), MATCHES)
def test_forms_match_all_spellings(form: str, text: str, expected: str) -> None:
    """A form matches what means the same, and shows the words that the answer used."""
    assert found(form, text)[:1] == [expected]


OTHERS = [
    ("car", "cars"),
    ("june .. short*", "In June. It is short."),
    ("june & 30 day*", "In June it rains. There are 30 days."),
    ("june ~ 30 day*", "In June it rains, for 30 days."),
    ("18:04", "at 6.04 am"),
    ("30 may 2031", "30 May 2032"),
    ("june .. a b", "June one two three four five six seven eight a b"),
]


@each_row(("form", "text"), OTHERS)
def test_forms_do_not_match_more(form: str, text: str) -> None:
    """A form matches whole words within its sentence, clause or gap."""
    assert found(form, text) == []


def test_a_tight_gap_crosses_no_comma() -> None:
    """Gaps of contradictions stay in their clause, gaps of facts only in their sentence."""
    text = "The stew (35 minutes) and the salad, the quickest."
    assert found("stew .. quickest", text)
    assert not found("stew .. quickest", text, tight=True)


def test_every_occurrence_is_found_within_a_span() -> None:
    """A search may be limited to some words. What is partly outside is not found."""
    passage = read_passage("Red and blue. Red again.")
    forms = FormSet(["red", "blue"])
    assert [match.form for match in forms.find(passage)] == [0, 1, 0]
    assert [match.form for match in forms.find(passage, passage.sentences[1])] == [0]
    assert not FormSet(["red & blue"]).first(passage, passage.sentences[1])
    assert not FormSet(["vitamin c"]).first(read_passage("Vitamin C."), Span(0, 1))


def test_a_part_starts_with_its_first_match_or_with_none() -> None:
    """A match further on does not count, and nothing starts a part without words."""
    passage = read_passage("Red and blue.")
    forms = FormSet(["red", "blue"])
    assert forms.at_start(passage, Span(0, 3)) == (0, 1, 0, False)
    assert forms.at_start(passage, Span(1, 3)) is None
    assert forms.at_start(passage, Span(0, 0)) is None


def test_the_start_of_a_part_is_found_without_a_search_of_the_rest() -> None:
    """It is asked of every match, so in a long sentence a search would take minutes."""
    passage = read_passage("seven " * 50)
    forms = FormSet(["seven is", "seven was"])
    search, _ = forms._searches
    assert search is not None
    with patch.object(type(search), "at", autospec=True, return_value=None) as looked:
        assert forms.at_start(passage, Span(0, 50)) is None
    assert looked.call_count == 1
