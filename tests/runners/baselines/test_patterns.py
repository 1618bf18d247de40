"""The finders of the keyword baseline: what they read in a request, and what they leave alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.baselines.patterns import FINDERS, dates, days, moment, names, numbers, quoted, time

FOUND = [
    ("location", "Is it windy in Porto today?", "Porto"),
    ("location", "Weather near San Sebastián, Spain please", "San Sebastián, Spain"),
    ("location", "How cold is it in the Isle of Man?", "Isle of Man"),
    ("location", "What's Oslo's weather like?", "Oslo"),
    ("location", "A French bistro in May in Nice", "Nice"),
    ("location", "A table in French style", None),
    ("location", "what is the weather like", None),
    ("timezone", "What time is it in America/Argentina/Ushuaia?", "America/Argentina/Ushuaia"),
    ("timezone", "current time in UTC?", "UTC"),
    ("timezone", "The time in Tokyo, not in Berlin", "Asia/Tokyo"),
    ("timezone", "What time is it in Gotham?", None),
    ("text", 'Translate "good night" into Greek', "good night"),
    ("text", "Translate where is the exit to Finnish.", "where is the exit"),
    ("text", "How do you say thank you in Welsh?", "thank you"),
    ("text", "What is the Polish word for bread?", "bread"),
    ("target_language", "Translate 'French toast' into greek", "Greek"),
    ("target_language", "What is the Polish word for bread?", "Polish"),
    ("target_language", "Translate this for me", None),
    ("start_location", "Route from Porto to Lisbon by train", "Porto"),
    ("end_location", "Route from Porto to Lisbon by train", "Lisbon"),
    ("start_location", "How far is it between Ghent and Bruges?", "Ghent"),
    ("end_location", "How far is it between Ghent and Bruges?", "Bruges"),
    ("start_location", "How do I get to Bruges from Ghent?", "Ghent"),
    ("end_location", "How do I get to Bruges from Ghent?", "Bruges"),
    ("start_location", "way from the old harbour to the museum, please", "the old harbour"),
    ("end_location", "How do I get to Bruges?", "Bruges"),
    ("start_location", "How do I get to Bruges?", None),
    ("transport_mode", "to Bruges on foot", "walking"),
    ("transport_mode", "by bike", "cycling"),
    ("transport_mode", "with the subway", "transit"),
    ("transport_mode", "driving there", "driving"),
    ("transport_mode", "to Bruges", None),
    ("city", "A room in Turin for two adults", "Turin"),
    ("check_in_date", "from 2031-04-05 to 2031-04-09", "2031-04-05"),
    ("check_out_date", "from 2031-04-05 to 2031-04-09", "2031-04-09"),
    ("check_out_date", "from 30 March 2031, three nights", "2031-04-02"),
    ("check_out_date", "arriving 30 March 2031", None),
    ("guests", "a room for two adults", 2),
    ("guests", "a room for 11 guests", 11),
    ("guests", "a room", None),
    ("symbol", "price of ticker Z", "Z"),
    ("symbol", "How is ORCL doing on the NYSE?", "ORCL"),
    ("symbol", "BRK.B in USD", "BRK.B"),
    ("symbol", "Microsoft shares", "MSFT"),
    ("symbol", "shares of the bakery", None),
    ("recipient", "Mail ann.lee+news@mail.example.org, please", "ann.lee+news@mail.example.org"),
    ("recipient", "Mail Ann", None),
    ("subject", "Mail a@b.cd with subject 'Hello you' saying fine", "Hello you"),
    ("subject", "Mail a@b.cd, subject: Lunch, saying fine", "Lunch"),
    ("subject", "Mail a@b.cd", None),
    ("message", "Mail a@b.cd with subject 'Hello' and message 'See you.'", "See you."),
    ("message", "Mail a@b.cd with subject Lunch saying that I am late.", "I am late"),
    ("topic", "headlines about coral reefs in Dutch", "coral reefs"),
    ("topic", "latest chess news", "chess"),
    ("topic", "show me the latest news", None),
    ("language", "headlines about coral reefs in Dutch", "Dutch"),
    ("language", "headlines about the French league", None),
    ("value", "Convert 1,250.5 feet to metres", 1250.5),
    ("value", "Convert -40 °C to °F", -40),
    ("value", "Convert some feet", None),
    ("from_unit", "Convert 12 square feet into acres", "square feet"),
    ("from_unit", "How many inches are in 5 ells?", "ells"),
    ("to_unit", "How many inches are in 5 ells?", "inches"),
    ("to_unit", "Convert 90km/h to miles per hour, please", "miles per hour"),
    ("from_unit", "Convert 90km/h to miles per hour, please", "km/h"),
    ("from_unit", "Convert -40 degrees Celsius to °F", "Celsius"),
    ("to_unit", "Convert -40 degrees Celsius to °F", "°F"),
    ("event", "Remind me to water the ferns on 2031-05-02 at 18:00.", "water the ferns"),
    ("event", "Set a reminder for 2 May 2031 at 6 pm to call Bo", "call Bo"),
    ("event", "Remind me", None),
    ("datetime", "Remind me to water the ferns on 2031-05-02 at 6:05 pm.", "2031-05-02T18:05"),
    ("datetime", "at 2031-05-02T07:30", "2031-05-02T07:30"),
    ("datetime", "Remind me on 2031-05-02", None),
    ("datetime", "Remind me at 6 pm", None),
    ("cuisine_type", "a cheap ramen place", "ramen"),
    ("cuisine_type", "a place to eat", None),
    ("price_range", "something affordable", "cheap"),
    ("price_range", "an upscale place", "expensive"),
    ("price_range", "a mid-range place", "moderate"),
    ("price_range", "a place", None),
    ("date", "What's on the 2nd of June 2031?", "2031-06-02"),
    ("date", "What's on June 31st, 2031?", None),
    ("date", "What's on 2 June?", None),
    ("problem", "What is 7 + 12?", "7 + 12"),
    ("problem", "Please solve x^2 = 9.", "x^2 = 9"),
    ("word", "What does 'petrichor' mean?", "petrichor"),
    ("word", "Define the word zugzwang.", "zugzwang"),
    ("word", "What does the term red herring mean?", "red herring"),
    ("word", "Hello there", None),
    ("route", "Is there a jam on the A7 near Kassel?", "A7"),
    ("route", "Traffic from Ghent to Bruges?", "Ghent to Bruges"),
    ("route", "Traffic on the Golden Gate Bridge?", "Golden Gate Bridge"),
    ("route", "Traffic?", None),
]


@pytest.mark.parametrize(("parameter", "text", "expected"), FOUND)
def test_a_finder_reads_one_kind_of_argument(parameter: str, text: str, expected: Any) -> None:
    """Each finder finds what its table row says, or nothing."""
    assert FINDERS[parameter](text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 March 2026", ("2026-03-14",)),
        ("March 14th, 2026", ("2026-03-14",)),
        ("Sept. 3 2026", ("2026-09-03",)),
        ("3 to 7 June 2026", ("2026-06-03", "2026-06-07")),
        ("June 3-7, 2026", ("2026-06-03", "2026-06-07")),
        ("from 30 May to 2 June 2026", ("2026-05-30", "2026-06-02")),
        ("30 May 2026 until 2 June", ("2026-05-30", "2026-06-02")),
        ("2026-02-30", ()),
        ("29 February 2027", ()),
        ("30 May 2026 and then 31 June 2026", ()),
        ("30 May", ()),
        ("no date here, maybe 12", ()),
        ("0000-01-01", ()),
    ],
)
def test_dates_in_words_and_numbers(text: str, expected: tuple[str, ...]) -> None:
    """Dates become YYYY-MM-DD; a missing year is borrowed, and a day that does not exist makes all of them unknown."""
    assert dates(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 14:30", "14:30"),
        ("at 7:05 a.m. sharp", "07:05"),
        ("at 12 am", "00:00"),
        ("at 12 pm", "12:00"),
        ("by noon", "12:00"),
        ("at midnight", "00:00"),
        ("at 25:10", None),
        ("at 13 pm", None),
        ("at 9", None),
        ("the ratio 3:1", None),
    ],
)
def test_times_of_day(text: str, expected: str | None) -> None:
    """Times become HH:MM on a 24-hour clock; what is no time is not read as one."""
    assert time(text) == expected


def test_numbers_leave_out_dates_and_times() -> None:
    """The numbers of a request are those in digits that belong to no date and no time."""
    assert numbers("Pay 1,200 or -3.5 on 2031-01-02 at 10:30, v2, 7%") == (1200, -3.5, 7)
    assert [type(n) for n in numbers("5 and 5.0")] == [int, float]


def test_absurdly_long_numbers_are_not_numbers() -> None:
    """A row of thousands of digits, which Python refuses to read, is passed over by every finder."""
    row = "9" * 5000
    text = f"{row} miles for {row} guests and {row} nights, {row} pm, {row} May 2026, 2026-05-06"
    assert numbers(text) == (2026,)
    assert [finder(text) for name, finder in FINDERS.items() if name in ("guests", "value")] == [
        None,
        2026,
    ]


def test_quotations_of_every_kind() -> None:
    """All the usual quotation marks count, an apostrophe does not."""
    text = """He's got "one", “two”, 'it's three', ‘four’ and « five »"""
    assert sorted(quoted(text)) == ["five", "four", "it's three", "one", "two"]


def test_names_leave_out_the_opening_of_sentences_and_the_calendar() -> None:
    """A capital at the start of a sentence, a month and a weekday are no names."""
    assert names("Compare Marie Curie with Bohr. Then go on Monday in May to Ulm.") == (
        "Marie Curie",
        "Bohr",
        "Ulm",
    )


@given(st.text(max_size=80), st.sampled_from(sorted(FINDERS)))
def test_no_text_breaks_a_finder(text: str, parameter: str) -> None:
    """Whatever the request, a finder gives a plain value or None, and never raises."""
    assert isinstance(FINDERS[parameter](text), str | int | float | None)


@given(
    st.lists(
        st.sampled_from(
            [
                *"0123456789",
                " ",
                ":",
                "-",
                "/",
                ".",
                "th",
                "March",
                "May",
                "to",
                "of",
                "pm",
                "noon",
                "T",
                "٣",
                "²",
            ]
        ),
        max_size=24,
    )
)
def test_no_mix_of_dates_and_times_breaks_reading_them(parts: list[str]) -> None:
    """Rubble of dates and times is read without an error, and what is found exists in the calendar's form."""
    text = "".join(parts)
    found = moment(text)
    assert found is None or len(found) == len("2026-01-01T00:00")
    assert all(len(day) == 10 for day in dates(text))
    assert all(day.start <= day.end for day in days(text))
