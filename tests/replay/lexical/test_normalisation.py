"""How the embedded judge normalises texts."""

from __future__ import annotations

import time

import pytest

from replay.lexical.normalisation import normalise, singular, stem, written_words
from tests.each_row import each_row


@each_row(
    ("text", "expected"),
    [
        (
            "At half past three in the afternoon on Thursday 18 June 2026",
            ("at", "@t15:30", "on", "@d2026-06-18"),
        ),
        ("2026-06-18T15:30:00", ("@d2026-06-18", "@t15:30")),
        ("June 18th, 2026 3:30 p.m.", ("@d2026-06-18", "@t15:30")),
        ("31.09.2027 at noon", ("@d2027-09-31", "at", "@t12:00")),
        ("12/25/2025 or 25/12/2025", ("@d2025-12-25", "or", "@d2025-12-25")),
        ("05/06/2027", ("05", "06", "2027")),
        ("quarter to midnight", ("@t23:45",)),
        ("2,340.50 km/h", ("2340.5", "kph")),
        ("twenty-one guests, one each", ("21", "guest", "one", "each")),
        ("(5*3)**2 - 4", ("(", "5", "*", "3", ")", "^", "2", "-", "4")),
        ("**Paris** is *not* `Lyon`", ("paris", "is", "not", "lyon")),
        ("can't, cannot, won't, isn't", ("can", "not", "can", "not", "will", "not", "is", "not")),
        ("Đà Nẵng, Łódź, Zürich, Reykjavík", ("da", "nang", "lodz", "zurich", "reykjavik")),
        ("-500 °C", ("-500", "celsius")),
        ("kim@example.com.", ("kim@example.com",)),
        ("vitamin A, a pill", ("vitamin", "a", "pill")),
        ("@d2026-01-01", ("d", "2026", "-", "01", "-", "01")),
        ("x²", ("x", "^", "2")),
    ],
)
def test_equal_things_become_equal_tokens(text: str, expected: tuple[str, ...]) -> None:
    """Dates, times, numbers, units, Markdown and accents get one form, however they are written."""
    assert expected == normalise(text).words


def test_names_are_capitalised_inside_a_sentence() -> None:
    """First words of sentences, months and "I" do not count as names."""
    assert {"armstrong", "neil", "nasa"} == normalise(
        "That was Neil Armstrong in July. NASA sent him, I think."
    ).names


@each_row(
    ("word", "expected"),
    [("berries", "berry"), ("boxes", "box"), ("cars", "car"), ("glass", "glass"), ("bus", "bus")],
)
def test_singulars(word: str, expected: str) -> None:
    """Plural endings go, and what only looks like one stays."""
    assert expected == singular(word)


def test_stems_join_the_forms_of_a_word() -> None:
    """Booking, booked and book are one; so are setting and set."""
    assert ({"book"}, {"set"}) == (
        {stem(word) for word in ("booking", "booked", "book")},
        {stem(word) for word in ("setting", "set")},
    )


def test_words_are_found_as_they_are_written() -> None:
    """The stem of a word leads to the word itself, with its capitals, accents and ending."""
    written = written_words("Serendipity in São Paulo, serendipity 7, and chess (CO₂)")
    assert {
        "serendipit": "Serendipity",
        "in": "in",
        "sao": "São",
        "paulo": "Paulo",
        "and": "and",
        "ches": "chess",
        "co": "CO",
    } == written


@pytest.mark.large
@pytest.mark.parametrize("part", ["\n", "a.", "-", "_", "a+b"])
def test_normalising_takes_linear_time(part: str) -> None:
    """100,000 characters take less than ten seconds, where quadratic time would be minutes."""
    start = time.monotonic()
    normalise(part * (100_000 // len(part)) + "x")
    assert time.monotonic() - start < 10


def test_items_and_headings_lose_their_marks() -> None:
    """Blanks around a mark change nothing, and an item without a text is left out."""
    text = "\n \n# One\n\n- two \n\n  * three\n-\n- four - five"
    assert normalise(text).words == ("one", "2", "3", "4", "-", "5")
