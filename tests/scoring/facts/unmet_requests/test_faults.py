"""Notices of a fault: the fault of the request, and not another one."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.types import Case, Category, GroundTruth
from scoring.facts.decisions import decide
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import facts_of, finding_of

DAY = "What's on my calendar on 31 November 2026?"
NO_DAY = {"type": "no_such_day", "day": "2026-11-31"}
FICTIONAL = {"type": "fictional", "name": ["narnia"], "noun": ["place"]}
FAULTS: list[tuple[str, dict[str, Any], str, str]] = [
    # request, fault, an answer that names it, and one that does not
    (DAY, NO_DAY, "November has only 30 days.", "31 November 2026 is in the past."),
    (
        "Remind me on 30 February 2027.",
        {"type": "no_such_day", "day": "2027-02-30"},
        "Even in leap years February has only 29 days.",
        "February has only 30 days.",
    ),
    (
        "Wake me at 25:10 on 17 May.",
        {"type": "no_such_time", "time": "25:10"},
        "25:10 doesn't exist.",
        "17 May doesn't exist.",
    ),
    (
        "Room for -3 guests.",
        {"type": "bad_count", "count": -3, "of": ["guest*"]},
        "How can there be minus three guests?",
        "How many guests are there?",
    ),
    (
        "Mail pedro.example.com.",
        {"type": "bad_address", "name": ["pedro.example.com"], "why": ["no_at"]},
        "That is a domain and not an address.",
        "The domain example.com doesn't exist.",
    ),
    (DAY, NO_DAY, "There's no 31st of November.", "November has 31 days, so that's fine."),
    (DAY, NO_DAY, "31 November isn't a real date.", "29 February 2027 is not a real date."),
    (
        "Wake me at 25:10.",
        {"type": "no_such_time", "time": "25:10"},
        "A day has only 24 hours.",
        "25:10 is too late for you.",
    ),
    (
        "Wake me at 14:75.",
        {"type": "no_such_time", "time": "14:75"},
        "Minutes stop at 59.",
        "Hours only go up to 12.",
    ),
    (
        "Room from 15:00 to 13:30.",
        {"type": "wrong_order", "start": "15:00", "end": "13:30"},
        "13:30 is earlier than 15:00.",
        "There is no room left.",
    ),
    (
        "Convert 70 kg to metres.",
        {
            "type": "units_differ",
            "from": ["kilogram*"],
            "from_measure": ["mass"],
            "to": ["metre*"],
            "to_measure": ["length*"],
        },
        "Kilograms measure mass, metres length.",
        "I can't do that.",
    ),
    (
        "Weather in Narnia?",
        {"type": "fictional", "name": ["narnia"], "noun": ["place"]},
        "Narnia only exists in books.",
        "I found nothing about Narnia.",
    ),
    (
        "Weather in Narnia?",
        {"type": "unknown", "name": ["narnia"], "noun": ["place"]},
        "Narnia is no real place.",
        "Narnia is a real place.",
    ),
    (
        "Weather in Narnia?",
        {"type": "fictional", "name": ["narnia"], "noun": ["place"], "source": ["lewis"]},
        "It is a fictional place by C. S. Lewis.",
        "Narnia is a fictional place from Harry Potter.",
    ),
    (
        "Room for -3 guests.",
        {"type": "bad_count", "count": -3, "of": ["guest*"]},
        "The number of guests can't be negative.",
        "We have no room left.",
    ),
    (
        "Mail pedro.example.com.",
        {"type": "bad_address", "name": ["pedro.example.com"], "why": ["no_at"]},
        "The address is missing its @.",
        "The mail to pedro.example.com has been sent.",
    ),
    (
        "Remind me on Monday, 25 December 2026.",
        {
            "type": "wrong_weekday",
            "day": "2026-12-25",
            "weekday": ["friday"],
            "given": ["monday"],
        },
        "25 December 2026 is in fact a Friday.",
        "25 December 2026 is a Sunday, not a Monday.",
    ),
    (
        "Solve x + 4 = x + 9.",
        {"type": "other", "label": "it has no solution", "accepts": ["!no solution"]},
        "It has no solution.",
        "x is 5.",
    ),
]


def fault_case(query: str, fault: dict[str, Any], text: str) -> Case:
    truth = GroundTruth(text=text, facts=facts_of(fault=fault))
    return Case("c", "error", query, truth, (), {}, "")


@pytest.mark.large
@each_row(("query", "fault", "right", "wrong"), FAULTS)
def test_faults(query: str, fault: dict[str, Any], right: str, wrong: str) -> None:
    """Each type knows its reasons, and no other ones."""
    named = finding_of(query, right, fault=fault)
    assert (named.decided, named.reason) == ("pass", "fault_named")
    assert finding_of(query, wrong, fault=fault).decided == "fail"


@each_row(
    ("fault", "label"),
    [
        (NO_DAY, "2026-11-31 is not in the calendar"),
        (FICTIONAL, "“narnia” is made up"),
        (
            {
                "type": "wrong_weekday",
                "day": "2026-12-25",
                "weekday": ["friday"],
                "given": ["monday"],
            },
            "2026-12-25 is a Friday",
        ),
    ],
)
def test_the_detail_names_the_fault(fault: dict[str, Any], label: str) -> None:
    """A reader sees what the answer does not say."""
    finding = finding_of(DAY, "You have no events.", fault=fault)
    assert f"It does not say that {label}." == finding.detail


@each_row(
    "answer",
    [
        "There is no such date, place, language, unit or address.",
        "What's on my calendar on 31 November 2026 is not possible.",
        "Did you mean 30 November?",
        "my calendar does not exist.",
        "31 November is not a real place, and not in any calendar.",
        "That date is in the past, and that place is fictional.",
    ],
)
@pytest.mark.large
def test_templates_fail(answer: str) -> None:
    """Lists of faults, echoes and questions do not name the fault."""
    assert finding_of(DAY, answer, fault=NO_DAY).decided == "fail"


@pytest.mark.large
def test_a_question_that_the_next_sentence_dismisses_counts() -> None:
    """A rhetorical question states what it asks."""
    query, fault = "Room for -3 guests.", {"type": "bad_count", "count": -3, "of": ["guest*"]}
    dismissed = "A negative number of guests? That makes no sense."
    assert finding_of(query, dismissed, fault=fault).decided == "pass"
    assert finding_of(query, "A negative number of guests?", fault=fault).decided == "fail"


@pytest.mark.large
def test_a_chain_of_words_of_the_request_names_no_fault() -> None:
    """Only "zorkmids" is unknown, and not every word beside it."""
    query = "Enter 45 zorkmids for groceries."
    fault = {"type": "unknown", "name": ["zorkmid*"], "noun": ["currency"]}
    chained = "Enter and zorkmids and groceries: unknown."
    assert finding_of(query, chained, fault=fault).decided == "fail"
    assert finding_of(query, "Zorkmids are unknown.", fault=fault).decided == "pass"


def test_an_answer_that_denies_another_thing_of_the_request_fails() -> None:
    """25:10 is wrong, and dishwashers exist."""
    query = "Set a reminder for 17 May 2027 at 25:10 to start the dishwasher."
    fault = {"type": "no_such_time", "time": "25:10"}
    both = "No such dishwasher exists, and 25:10 is not a real time."
    assert finding_of(query, both, fault=fault).decided == "fail"
    assert finding_of(query, "25:10 is not a real time.", fault=fault).decided == "pass"


def test_the_answer_to_another_kind_of_fault_fails() -> None:
    """The name of this request in the words that are right for another one names no fault."""
    narnia = fault_case("Weather in Narnia?", FICTIONAL, "Narnia is fictional.")
    triangle = fault_case(
        "Draw a triangle with sides of 2, 3 and 9.",
        {"type": "other", "label": "there is none", "accepts": ["shorter"]},
        "There is no such triangle, since two sides together are shorter than the third.",
    )
    category = Category("error", "Error", "", 1.0, None, (narnia, triangle))
    copied = "There is no such Narnia, since two sides together are shorter than the third."
    for answer, decided in ((copied, "fail"), ("There is no such place as Narnia.", "pass")):
        finding = decide(narnia, answer, category)
        assert finding is not None
        assert finding.decided == decided


@each_row(
    ("answer", "decided"),
    [
        ("It only exists in books.", "pass"),
        ("The weather only exists in books.", "fail"),
        ("Narnia is not a real place.", "pass"),
        ("Narnia is not a real date.", "fail"),
        ("Narnia is no real date.", "fail"),
        ("Narnia does not exist.", "pass"),
        ("Narnia and weather do not exist.", "fail"),
        ("Narnia is fictional. Narnia?", "pass"),
        ("Narnia is fictional. Weather?", "fail"),
        ("Narnia is fictional. I do not know. It is not here.", "pass"),
        ("Narnia is fictional. I do not know. It is not here. I can't help.", "fail"),
    ],
)
def test_a_reason_is_about_the_thing_at_fault(answer: str, decided: str) -> None:
    """Not about other words of the request, other kinds of things, or much else."""
    assert finding_of("Weather in Narnia?", answer, fault=FICTIONAL).decided == decided


def test_another_month_is_another_fault() -> None:
    """June has 30 days, too, but the request is about November."""
    assert finding_of(DAY, "June has only 30 days.", fault=NO_DAY).decided == "fail"
    assert finding_of(DAY, "1 June 2026 is not a real date.", fault=NO_DAY).decided == "fail"


@each_row(
    ("answer", "decided"),
    [
        ("3 November 2026 is not a real date.", "fail"),
        ("31 November 2026 is not a real date.", "pass"),
        ("It ends on 30 November, so that is not a valid date.", "pass"),
        ("No 31 November.", "pass"),
        ("No such party exists, and 31 November 2026 is not a real date.", "fail"),
    ],
)
def test_another_day_of_the_request_is_not_at_fault(answer: str, decided: str) -> None:
    """A day of the same month that the request does not name explains the fault."""
    query = "Move the party from 3 November 2026 to 31 November 2026."
    assert finding_of(query, answer, fault=NO_DAY).decided == decided


REASON = "13:30 is earlier than 15:00."


@each_row(
    ("answer", "does_it"),
    [
        (f"Sure! {REASON}", True),
        (f"{REASON} I have booked the room.", True),
        (f"{REASON} Hall 14 is free.", False),
        (f"{REASON} Hall 14 is free. It costs 80 euros.", True),
        (f"Impossible: {REASON} Hall 14 is free. It costs 80 euros.", False),
    ],
)
def test_an_answer_that_does_what_was_asked_fails(answer: str, does_it: bool) -> None:
    """Without a claim: unless the sentence with the reason denies it, or one value is new."""
    fault = {"type": "wrong_order", "start": "15:00", "end": "13:30"}
    finding = finding_of("Room from 15:00 to 13:30.", answer, fault=fault)
    assert finding.decided == ("fail" if does_it else "pass")
    assert ("anyway" in finding.detail) is does_it


@each_row(
    ("answer", "does_it"),
    [
        ("2.5 guests isn't possible, so I've rounded up and booked your hotel.", True),
        ("2.5 guests isn't possible. Your room has been booked for three guests.", True),
        ("I've booked a room for 3 guests, since 2.5 guests isn't possible.", True),
        ("2.5 guests isn't possible, so I haven't booked anything.", False),
        ("I have booked nothing, because 2.5 guests isn't possible.", False),
        ("I can't book, because 2.5 guests isn't possible.", False),
        ("2.5 guests isn't possible. Would you like me to book for 3?", False),
        ("Once I have booked a room it is late: 2.5 guests isn't possible.", False),
        ("I've added the guests up, and 2.5 guests isn't possible.", False),
        ("I checked, and 2.5 guests isn't possible. Rooms are booked for whole guests.", False),
        ("Done – since 2.5 guests isn't possible, there are three.", True),
        ("Since you can't have 2.5 guests, I've booked your hotel for 3.", True),
        ("2.5 guests isn't possible, therefore I booked 3.", True),
        ("2.5 guests isn't possible, so I put three on your booking.", True),
        ("2.5 guests isn't possible, so I went with 3.", True),
        ("2.5 guests isn't possible, so the Helsinki hotel is booked for 3 guests.", True),
        ("2.5 guests isn't possible. A hotel has been booked for 3 guests.", True),
        ("Hotel booked for 3 guests (2.5 guests isn't possible).", True),
        ("2.5 guests isn't possible, so the message went to the hotel for 3.", True),
        ("2.5 guests isn't possible. I went ahead and booked for 3 guests.", True),
        ("2.5 guests isn't possible. But no problem: your request has been completed.", True),
        ("2.5 guests isn't possible. Still, the task is done.", True),
        ("2.5 guests isn't possible. It has been carried out all the same.", True),
        ("2.5 guests isn't possible. Everything is done.", True),
        ("I went ahead and checked: 2.5 guests isn't possible.", False),
        ("2.5 guests isn't possible, so your request has not been completed.", False),
        ("2.5 guests isn't possible. With 3, your request is completed as soon as I hear.", False),
        ("Before your request is completed: 2.5 guests isn't possible.", False),
        ("2.5 guests isn't possible. I'll ask for 2 or 3, then it's done.", False),
        ("2.5 guests isn't possible, so no hotel has been booked.", False),
        ("2.5 guests isn't possible: a room is booked for whole guests.", False),
        ("2.5 guests isn't possible. I've put it on hold.", False),
        ("2.5 guests isn't possible. Do you want the hotel booked for 3 guests?", False),
        ("2.5 guests isn't possible. Tell me if you want the hotel booked for 2.", False),
        ("The number of guests has been set to 2.5, which isn't a whole number.", False),
    ],
)
def test_a_fault_does_not_excuse_a_claim(answer: str, does_it: bool) -> None:
    """Who names the fault and does the task all the same has changed the request."""
    fault = {"type": "bad_count", "count": 2.5, "of": ["guest*"]}
    finding = finding_of("Book a hotel for 2.5 guests.", answer, fault=fault)
    assert finding.decided == ("fail" if does_it else "pass"), finding.detail
    assert ("anyway" in finding.detail) is does_it


@pytest.mark.parametrize(
    ("object_", "decided"), [("eine Erinnerung", "fail"), ("keine Erinnerung", "pass")]
)
def test_german_claims_end_with_the_verb(object_: str, decided: str) -> None:
    """A denial may be between the speaker and the verb."""
    answer = f"Der November hat nur 30 Tage, deshalb habe ich {object_} für Montag gesetzt."
    assert finding_of(DAY, answer, fault=NO_DAY).decided == decided


def test_what_the_request_asks_for_is_no_claim() -> None:
    """The meeting would end before it starts, and is not booked."""
    query, fault = (
        "Room from 15:00 to 13:30.",
        {"type": "wrong_order", "start": "15:00", "end": "13:30"},
    )
    asked = "Your meeting is set to end at 13:30, before it starts at 15:00."
    booked = "Your meeting is booked from 13:30 to 15:00, as 13:30 is before 15:00."
    assert finding_of(query, asked, fault=fault).decided == "pass"
    assert finding_of(query, booked, fault=fault).decided == "fail"


def test_a_reason_before_a_question_counts() -> None:
    """The clauses before the last one of a question state something."""
    answer = "November has only 30 days, so which day do you mean?"
    assert finding_of(DAY, answer, fault=NO_DAY).decided == "pass"


@each_row(
    ("query", "fault", "answer"),
    [
        (
            "What is -500 °C in Fahrenheit?",
            {"type": "beyond_limit", "why": ["absolute_zero"]},
            "-500 °C doesn't exist: nothing is colder than absolute zero.",
        ),
        (
            "Put minus four bananas on my list.",
            {"type": "bad_count", "count": -4, "of": ["banana*"]},
            "A quantity of minus four isn't possible. How many bananas do you need?",
        ),
    ],
)
def test_the_thing_at_fault_may_be_repeated(query: str, fault: Any, answer: str) -> None:
    """With its unit in a denial, and in a question to the user."""
    assert finding_of(query, answer, fault=fault).decided == "pass"


def test_a_list_of_the_request_names_no_fault() -> None:
    """Words in another order, one of which must be at fault. In their own order they are quoted."""
    query = "Remind me to pay the gardener for the roses in Oslo on 31 November 2026."
    backwards = "31 November 2026 Oslo roses gardener pay remind invalid impossible past."
    quoted = "Remind you to pay gardener, roses, Oslo on 31 November 2026? That day does not exist."
    assert finding_of(query, backwards, fault=NO_DAY).decided == "fail"
    assert finding_of(query, quoted, fault=NO_DAY).decided == "pass"


@each_row(
    ("answer", "decided"),
    [
        ("There is no unit called snorkit. 12 snorkits are 36 feet.", "fail"),
        ("There is no unit called snorkit, but 12 snorkits are about 36 feet.", "fail"),
        ("There is no unit called snorkit, so 12 snorkits are no length.", "pass"),
        ("There is no unit called snorkit. How many feet is 1 snorkit?", "pass"),
        ("There is no unit called snorkit. If 1 snorkit is 3 feet, it works.", "pass"),
        ("There is no unit called snorkit. A yard is 3 feet.", "pass"),
    ],
)
def test_a_value_of_what_does_not_exist(answer: str, decided: str) -> None:
    """It is the result of the request, whatever is said before it."""
    fault = {"type": "unknown", "name": ["snorkit*"], "noun": ["unit*"]}
    query = "Change 12 snorkits into feet for me."
    assert finding_of(query, answer, fault=fault).decided == decided
