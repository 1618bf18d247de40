"""Canonical text: one spelling for everything, characters of the original, linear time."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.facts.canonical_text.canonical import canonical
from scoring.facts.canonical_text.tokens import is_date, is_number, is_time
from tests.each_row import each_row

SPELLINGS = [
    ("It can't be, won't it?", "it can not be , will not it ?"),
    ("Nine point eight million people", "9800000 people"),
    ("9.8 million", "9800000"),
    ("1,200 and 1\u00a0200 and 1'200", "1200 and 1200 and 1200"),
    ("two and a half cups, 2½ cups", "2.5 cup , 2.5 cup"),
    ("nineteen eighty-nine", "1989"),
    ("a hundred and five", "105"),
    ("two hundred and five thousand and six", "205006"),
    ("No one of them", "no one of them"),
    ("the twenty-first of June", "the d--06-21"),
    ("minus five, −5, -5.0", "minus 5 , -5 , -5"),
    ("61°F or 61 degrees Fahrenheit", "61 fahrenheit or 61 fahrenheit"),
    ("$12.50, 12.5 dollars, €5", "12.5 usd , 12.5 usd , 5 eur"),
    ("12 EUR (▼1.8 %), ↑ 3 %, 4% ↓", "12 eur , down 1.8 percent , up 3 percent , 4 percent down"),
    ("three ARV seventy each, 12 euros 50", "3.7 arv each , 12.5 eur"),
    ("12 ARV 30 minutes, the 2 new 50", "12 arv 30 minute , the 2 new 50"),
    ("1.03 percentage points", "1.03 percent"),
    ("80 km/h, 10 km²", "80 kilometre per hour , 10 square kilometre"),
    ("an hour and 42 minutes", "102 minute"),
    ("half an hour; 1 hour, 5 minutes", "30 minute , 65 minute"),
    ("an hour and a quarter", "75 minute"),
    ("an hour and a half later", "90 minute later"),
    ("1 hour 42 minutes later, 1 h 42", "102 minute later , 102 minute"),
    (
        "9h05m, 1h42min, 1h5m, 1h42, 1h5",
        "545 minute , 102 minute , 65 minute , 102 minute , 1 h5",
    ),
    ("2 hours, 25 minutes, 2 hours (59 minutes)", "145 minute , 179 minute ,"),
    ("2 hours (60 minutes), 2 hours (120 min)", "2 hour , 60 minute , 2 hour , 120 minute ,"),
    ("höchstens zu zweit, das macht 12 pro Kopf", "at most 2 , the makes 12 each"),
    ("Het duurt een uur of twee: Bones of the Bay", "the duurt a hour or 2 , bones of the bay"),
    ("two and a half hours (145 min)", "2.5 hour , 145 minute ,"),
    (f"1{'0' * 29} hours 20 minutes", f"6{'0' * 30} minute"),
    ("2.5 hours, 25 minutes", "2.5 hour , 25 minute"),
    ("three quarters of an hour", "45 minute"),
    ("a quarter of an hour", "15 minute"),
    ("10 h 30, 1 h 5, 1 h 60", "10 hour 30 , 1 hour 5 , 1 hour 60"),
    ("1 hour, 42, or 1 hour and 42", "1 hour , 42 , or 1 hour and 42"),
    ("a day and a half, half hour and a half", "a day and a half , half hour and a half"),
    ("C is 5, m is 5 m", "c is 5 , m is 5 metre"),
    ("just under an hour, 55 minutes", "just under an hour , 55 minute"),
    ("from ten till six", "from 10 till 6"),
    ("78 per cent, 78%", "78 percent , 78 percent"),
    ("6.04 pm, 6:04 p.m., 18:04", "t18:04 , t18:04 , t18:04"),
    ("quarter to six in the evening", "t17:45 in the evening"),
    ("at 18.40; at noon", "at t18:40 , at t12:00"),
    ("May 30th, 2031, 30.5.2031, 2031-05-30", "d2031-05-30 , d2031-05-30 , d2031-05-30"),
    ("the fourteenth of March", "the d--03-14"),
    ("from 10 to 13 May 2031", "from d2031-05-10 to d2031-05-13"),
    ("10–13 May, May 10-13, 2031", "d--05-10 to d--05-13 , d2031-05-10 to d2031-05-13"),
    ("10th-13th May, May 10th–13th", "d--05-10 to d--05-13 , d--05-10 to d--05-13"),
    ("from the 10th until the 13th of May", "from the d--05-10 to d--05-13"),
    ("between 10 and 13 May", "between d--05-10 to d--05-13"),
    ("between May 10 and 13, 2031", "between d2031-05-10 to d2031-05-13"),
    ("2031-03-14T23:20:00", "d2031-03-14 t23:20"),
    ("*Tove* **Jansson’s** `book`", "tove jansson book"),
    ("| a | b |\n|---|---|\n| c | d |", "a , b . c , d ,"),
    ("1. First\n2. Second", "first . second"),
    ("5k, 2.5k, 5K", "5000 , 2500 , 5 kelvin"),
    ("9.82M, 5m, 1.5 m, 2h 30m", "9820000 , 5 metre , 1.5 metre , 150 minute"),
    ("18:04:59, 18:04:00", "t18:04:59 , t18:04"),
    ("1.5.2031, 12/13/2031, 13/12/2031", "d2031-05-01 , d2031-12-13 , d2031-12-13"),
    ("one\nmore\nTime, 1\nmore", "one more . time , 1 . more"),
    ("l'heure, O'Brien, C's", "l heure , obrien , c"),
    ("O−, C++, C#, H₂O, Ångström", "o- , c++ , c# , h2o , angstrom"),
    ("plimmo@example.org.", "plimmo@example.org ."),
    ("e-mail, color", "email , colour"),
    ("O-negative", "o negative"),
    ("B-pos, A-positive x-rays", "b pos , a positive xrays"),
    ("type O\u207b", "type o-"),
    ("two dozen, half a dozen, dozens", "24 , 6 , dozens"),
    ("a million and a half, a dozen and a half", "1500000 , 18"),
    ("at half seven, at seven fifteen, six ten pm", "at h07:30 , at h07:15 , t18:10"),
    ("at ten thirty, 1h 20m, £3bn", "at h10:30 , 80 minute , 3000000000 gbp"),
    ("What?! Yes...", "what ? yes ."),
]

COLLISIONS = [
    ("12 and a quarter to six", "12 and h05:45"),
    ("from 10 to 18", "from 10 to 18"),
    ("from 10 to six", "from h05:50"),
    ("10-18", "10 to 18"),
    ("It leaves at 6 p.m. Then it rains.", "it leaves at t18:00 . then it rains ."),
    ("at 6 p.m. on Monday", "at t18:00 on monday"),
    ("at 9.80 euros", "at 9.8 eur"),
    ("covid-19 and 5-3", "covid 19 and 5 to 3"),
    ("In May 2031 you may 5", "in may 2031 you d--05-05"),
    ("10 and 13 May, May 10 and 13 guests", "10 and d--05-13 , d--05-10 and 13 guests"),
    ("May 30 to 2 June, May 10 to June 13", "d--05-30 to d--06-02 , d--05-10 to d--06-13"),
    ("May 10 to 13 June, 13 to 10 May", "d--05-10 to d--06-13 , 13 to d--05-10"),
    (
        "2 to 3 people on 5 May, May 5 to 12 dollars",
        "2 to 3 people on d--05-05 , d--05-05 to 12 usd",
    ),
    ("six seven", "6 7"),
    ("the second of 60 seconds", "the second of 60 sec"),
    ("v1.2.3 costs 1,2; rows 1,2,3", "v1 2.3 costs 1.2 , rows 1 , 2 , 3"),
    ("from ten to six", "from 10 to 6"),
    ("Food no. 142, or no. Then?", "food number 142 , or no . then ?"),
    ("by C. S. Lewis. At 8 P.M. Then", "by cs lewis . at t20:00 . then"),
    ("a one-in-five chance, one in 5 days", "a 20 percent chance , one in 5 day"),
    ("rain: three out of ten; 4 out of 5 stars", "rain , 3 out of 10 , 4 out of 5 stars"),
    ("a risk of two chances in ten", "a risk of 20 percent"),
    ("at 11 in the morning, 3 in the morning", "at t11:00 in the morning , 3 in the morning"),
    ("34 hundredths, 0,675 s", "0.34 , 0.675 sec"),
    ("Dr. Who", "dr who"),
    ("1861–65, 2005-11, 2031-05", "1861 to 1865 , 2005 to 11 , 2031 to 5"),
    ("1989's protests", "1989 protests"),
    ("an hour, 9 minutes and 5 seconds", "69 minute and 5 sec"),
    ("Wich adress?", "which address ?"),
    ("in '14, the '90s, the 1990s", "in '14 , the '90s , the 1990s"),
    ("Say '14 cars'.", "say 14 cars ."),
    ("two a hundred, six ten", "2 a 100 , 6 10"),
    ("6 to 8 pm, ten to eight pm", "6 to t20:00 , t19:50"),
    ("in ten sixty-six", "in 1066"),
    ("sentence.Next", "sentence next"),
]

# The last value that is a date, a time or a number in words, and the first one that is not.
LIMITS = [
    ("June 31 or May 39, 39 May", "d--06-31 or d--05-39 , d--05-39"),
    ("May 40 or 40 May, May 0 or 0 May", "may 40 or 40 may , may 0 or 0 may"),
    ("May 123 or 123 May", "may 123 or 123 may"),
    ("31 May 1000, 31 May 999", "d1000-05-31 , d--05-31 999"),
    ("31 May 2999, 31 May 3000", "d2999-05-31 , d--05-31 3000"),
    ("May the 30th, 2031 or the 30th of May", "d2031-05-30 or the d--05-30"),
    ("In May 5 dollars", "in may 5 usd"),
    ("at 0.30, at 23.59, at 23.60", "at t00:30 , at t23:59 , at 23.6"),
    ("at 9.30 kg, 23.59 at night", "at 9.3 kilogram , 23.59 at night"),
    ("ten to noon, ten past noon", "t11:50 , t12:10"),
    ("quarter to midnight, quarter past midnight", "t23:45 , t00:15"),
    ("59 minutes past 7 pm", "t19:59"),
    ("60 minutes past 7 pm", "60 minute past t19:00"),
    ("quarter past one, quarter past thirteen", "h01:15 , quarter past 13"),
    ("quarter past twelve, ten past 1 pm", "h00:15 , t13:10"),
    ("20 to 7 pm, 20 to 7", "t18:40 , 20 to 7"),
    ("between 3 to 7 pm", "between 3 to t19:00"),
    ("5:59 at night, 6:00 at night", "t05:59 at night , t18:00 at night"),
    ("0:30 at night, 12:59 pm, 1:00 pm", "t00:30 at night , t12:59 , t13:00"),
    ("24:00, 25:00, 13.14.2031", "t00:00 , 25 , 0 , 13 , 14 , 2031"),
    ("1:02:59, 1:02:60", "t01:02:59 , 1 , 2 , 60"),
    ("12 midnight, 12 noon", "t00:00 , t12:00"),
    ("half a dozen, a dozen, half a million", "6 , 12 , 500000"),
    ("eighteen oh five, eighteen oh ten", "1805 , 18 oh 10"),
    ("nineteen ten, nineteen eighty, nine ten", "1910 , 1980 , 9 10"),
    ("ninety-nine, ninety ten", "99 , 90 10"),
    ("two point five million, two and a half past six", "2500000 , 2 and h06:30"),
]


@each_row(("text", "expected"), [*SPELLINGS, *COLLISIONS, *LIMITS])
def test_one_spelling(text: str, expected: str) -> None:
    """Everything that can be written in several ways has one spelling."""
    assert canonical(text).text == expected


PIECES = """
a an and half one two six ten twenty thirty hundred thousand million dozen point oh quarter to past
at pm am p.m. o'clock noon midnight in the evening morning May may June 30 31st 5 2031 18.04 18:04
12 0 -5 9.8 1,200 first second twenty-first hour hours minutes minute km/h $ $5 € % °F °C isn't
can't it's let's dogs' , . ? ! ; : ( ) - – — | * ** " ' x b12 e-mail O- C++ d2031-05-30 t18:04
h05:45 d--05-30 a@b.org https://example.org/x. e.g. U.S. Dr. of c m s"""
ODD = ["\n", " ", "é", "ß", "İ", "½", "①", "２", "\u00a0", "degrees Fahrenheit"]
VOCABULARY = st.sampled_from([*PIECES.split(), *ODD])
MIXTURES = st.one_of(st.lists(VOCABULARY, max_size=12).map(" ".join), st.text(max_size=40))


@each_row("address", ["30a@b.org30", "1@x.y2", "-5@b.org5", "d@b.org-12"])
def test_an_address_is_neither_a_number_nor_a_date(address: str) -> None:
    """It may start and end with digits. One such answer would stop the scoring of all."""
    word = canonical(f"Write to {address}").words[-1]

    assert word == address
    assert not any(is_kind(word) for is_kind in (is_number, is_date, is_time))


@pytest.mark.large
@given(st.lists(VOCABULARY, max_size=12), st.sampled_from(["", " "]))
def test_words_lead_back_to_the_original(words: list[str], blank: str) -> None:
    """Each word has characters in the original text, and the words keep their order."""
    text = blank.join(words)
    found = canonical(text)
    ranges = [found.chars_of(at, at + 1) for at in range(len(found.words))]

    assert all(0 <= chars.start < chars.end <= len(text) for chars in ranges)
    assert ranges == sorted(ranges, key=lambda chars: chars.start)


@pytest.mark.large
@given(st.text())
def test_any_text_has_a_canonical_form(text: str) -> None:
    """No text raises, and every word starts where its offset says."""
    found = canonical(text)

    assert [found.text[at:].split(" ")[0] for at in found.offsets] == list(found.words)


@pytest.mark.large
@given(MIXTURES)
def test_canonical_text_is_canonical(text: str) -> None:
    """Canonical text in English stays as it is, so that facts may be written in it.

    "Two a hundred" does not: its canonical text, "2 100", is also a way to write 2100. Nor does
    "$5 ten", because "5 usd 10" is also a way to write $5.10.
    """
    once = canonical(text).text
    again = canonical(once)
    assume(not again.foreign and not re.search(r"\d (\d{3}|[a-z]{3} \d\d?)(?!\d)", once))

    assert again.text == once


def test_a_word_leads_to_what_was_written() -> None:
    """The words that make a time, a date or a number are one range of characters."""
    text = "It leaves at QUARTER to six in the evening, on the 30th of May, with 1,200 guests."
    found = canonical(text)
    shown = {
        word: text[slice(*found.chars_of(at, at + 1))]
        for at, word in enumerate(found.words)
        if word[-1].isdigit()
    }

    assert shown == {"t17:45": "QUARTER to six", "d--05-30": "30th of May", "1200": "1,200"}


HOSTILE = {
    "letters": "a",
    "commas in numbers": "1,",
    "digits": "9",
    "dots": "a.",
    "addresses": "a@",
    "clocks": "1:",
    "apostrophes": "x'",
    "half hours": "half an hour and ",
    "number words": "twenty ",
    "scales": "9 million million ",
    "times": "6 to ",
    "dashes": " -",
    "list items": "\n1. a",
    "accents": "é",
    "abbreviations": "p.m. ",
    "months": "may ",
}


@pytest.mark.large
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_length_alone(piece: str) -> None:
    """Eight times the text takes about eight times as long, not sixty-four times."""

    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.process_time()
        canonical(text)
        return time.process_time() - start

    seconds(1000)
    short = min(seconds(4_000) for _ in range(3))
    assert min(seconds(32_000) for _ in range(2)) < 24 * short + 0.02


def test_signs_of_addresses_and_symbols() -> None:
    """An @ sign alone is words, and question marks inside a symbol end no sentence."""
    assert canonical("It has no @.").text == "it has no at sign ."
    assert canonical('The ticker "??%%" is new. Why?').text.count("?") == 1
    assert canonical("What?! Where??").text == "what ? where ?"
