"""Final answers of agents, decided by the facts of a query and the replies to its calls."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.facts.accepted_forms import DateForm, NumberForm, TimeForm
from leaderboard.facts.fact_shapes import Fact, Facts
from leaderboard.facts.text_forms import parse_form
from scoring.facts.api_answers.api_final_answers import MOST_WORDS, decide_replied, lines_of
from scoring.facts.fact_findings import FactFinding
from tests.each_row import each_row

QUERY = "When does the night boat to Sorrel leave, what does it cost for three, and is it delayed?"
REPLIES: list[Any] = [
    {"boat": "Night Heron", "departs": "20:15", "arrives": "06:40", "date": "2031-05-17"},
    {"total": 81.5, "currency": "ARV", "per_person": 24.5, "seats": 310},
    {"status": "late", "minutes": 25},
]
FACTS = Facts(
    (
        Fact("departure", "the departure, 20:15", (TimeForm("20:15"),)),
        Fact("fare", "the fare, 81.5 ARV", (NumberForm(81.5, "arv"),)),
        Fact(
            "delay",
            "that the boat is delayed",
            (parse_form("delay*"), parse_form("late"), parse_form("!not on time")),
            excludes=(parse_form("on time"),),
            source=(parse_form("status late"),),
        ),
    )
)
GOOD = "The boat leaves at 8.15 p.m. and costs 81.50 ARV. It is delayed by 25 minutes."


def finding_of(
    answer: str, replies: list[Any] = REPLIES, facts: Facts = FACTS, query: str = QUERY
) -> FactFinding:
    return decide_replied(facts, query, answer, replies, errors=[], support=replies)


def decided(answer: str, replies: list[Any] = REPLIES, facts: Facts = FACTS) -> tuple[str, str]:
    finding = finding_of(answer, replies, facts)
    return finding.decided, finding.reason


@each_row(
    "answer",
    [
        GOOD,
        "20:15, 81.5 ARV, late.",
        "Departure: a quarter past eight in the evening\nFare: 81.50 ARV\nStatus: delayed",
        "It has no cabins and leaves at 20:15; 81.5 ARV in total. It is not on time.",
        "It leaves at 21:00. No, that was a slip: it leaves at 20:15. 81.5 ARV, delayed.",
        "Um Viertel nach acht am Abend; es kostet 81,50 ARV und ist um 25 Minuten verspätet.",
        "Il part à 20 h 15 et coûte 81,50 ARV ; il a du retard.",
        "At 20:15, delayed. 81.5 ARV, or 27.17 ARV a person.",
        "It leaves at 20:15 and would have gone at 20:40 with its 25 minutes. 81.5 ARV, delayed.",
        "At 20:15, delayed; up to 310 seats, 81.5 ARV, more than 24.5.",
        "At 20:15, delayed. 81.5 ARV; three single tickets are 3 × 24.5 ARV, so you save 8 ARV.",
        "At 20:15, with a delay. Three pay 81.5 ARV, so that is 8 ARV more than 3 × 24.5 ARV.",
    ],
)
@pytest.mark.large
def test_every_fact_stated(answer: str) -> None:
    """Times, amounts and words in any form, order and length are a pass."""
    assert decided(answer) == ("pass", "facts_stated")


def test_a_number_with_hundreds_of_digits() -> None:
    """A factorial, for example. It is too large for a float."""
    replies = [*REPLIES, {"factorial": "9" * 400, "text": "9" * 400 + " minutes"}]
    for answer in (GOOD, f"{GOOD} It is {'9' * 400}."):
        assert decided(answer, replies) == ("pass", "facts_stated")


def test_what_is_struck_out_states_nothing() -> None:
    """Neither a right value nor a wrong one."""
    assert decided(GOOD.replace("8.15 p.m.", "~~21:00~~ 20:15"))[0] == "pass"
    assert decided(GOOD.replace("8.15 p.m.", "~~20:15~~ night")) == ("fail", "fact_missing")


def test_a_number_beside_the_exact_one() -> None:
    """A round number before the replied one, in brackets, is another way to say it."""
    facts = Facts((Fact("walk", "the walk, 16 minutes", (NumberForm(16, "minute"),)),))
    replies = [{"walk": "16 minutes", "distance": "1.3 km"}]
    for right in ("A quarter of an hour (16 minutes).", "17 minutes (16 to be exact)."):
        assert decided(right, replies, facts) == ("pass", "facts_stated"), right
    for wrong in ("25 minutes (16 minutes).", "15 minutes [16 minutes].", "16 or 15 min (14 min)."):
        assert decided(wrong, replies, facts) == ("fail", "invented"), wrong


def test_a_limit_of_a_replied_number() -> None:
    """More than a number that is not far below, or less than one that is not far above."""
    facts = Facts((Fact("felt", "the reports, 1,240", (NumberForm(1240),)),))
    replies = [{"reports": 1240}]
    for right in ("1,240, more than a thousand.", "Over 900: 1,240.", "1,240, so under 1,800."):
        assert decided(right, replies, facts) == ("pass", "facts_stated"), right
    for wrong in ("1,240, more than 800.", "1,240, more than 1,400.", "1,240, less than 1,900."):
        assert decided(wrong, replies, facts) == ("fail", "invented"), wrong
    minutes = [{"reports": 1240}, {"minutes": 70}]
    assert decided("1,240; it took more than 65 minutes.", minutes, facts)[0] == "pass"
    assert decided("1,240; it is more than 65 km away.", minutes, facts) == ("fail", "invented")


def test_the_hour_of_a_query_is_known() -> None:
    """A full hour with its part of the day is a time, in words too."""
    facts = Facts((Fact("bus", "the bus, 18:30", (TimeForm("18:30"),)),))
    for query, answer, reason in (
        ("It is two in the afternoon. When is the next bus?", "After two o'clock: 18:30.", ""),
        (
            "It is two in the afternoon. When is the next bus?",
            "The first after 14:00 is at 18:30.",
            "",
        ),
        (
            "It is two in the morning. When is the next bus?",
            "The first after 14:00 is at 18:30.",
            "invented",
        ),
        ("Two of us take the bus. When is the next?", "After two o'clock: 18:30.", "invented"),
    ):
        found = finding_of(answer, [{"departs": "18:30"}], facts, query)
        assert found.reason == (reason or "facts_stated"), (query, answer)


def test_a_number_that_counts_its_own_thing() -> None:
    """In "rent for 12 L crates: 144" nothing is exchanged."""
    items = (
        Fact("crates", "the number of crates, 12", (NumberForm(12),)),
        Fact("rent", "the rent, 144", (NumberForm(144),)),
    )
    replies = [{"crates": 12, "rent": 144, "size": "L"}]
    for right in ("A dozen. Renting 12 L crates: 144.", "Renting 12 crates costs 144."):
        assert decided(right, replies, Facts(items)) == ("pass", "facts_stated"), right
    assert decided("The crates: 144, the rent: 12.", replies, Facts(items))[1] == "mixed_up"


def test_a_value_of_another_record() -> None:
    """It may be right for the fact, and wrong for the name beside it."""
    facts = Facts((Fact("wait", "the wait, 25 minutes", (NumberForm(25, "minute"),)),))
    replies = [
        {"clinic": "Quayside", "minutes": 25, "telephone": "220 44"},
        {"clinic": "Castle", "minutes": 70, "telephone": "220 57"},
    ]
    assert decided("Quayside: 25 minutes, 220 44", replies, facts)[0] == "pass"
    assert decided("Quayside: 25 minutes, 220 57", replies, facts) == ("fail", "mixed_up")


@each_row(
    ("answer", "reason"),
    [
        ("It leaves at 20:15 and is delayed.", "fact_missing"),
        ("It leaves at 8:15 a.m., costs 81.5 ARV and is delayed.", "fact_missing"),
        ("It leaves at 20:15, costs 81.5 BRP and is delayed.", "fact_missing"),
        ("20:15. No, that was a slip. It costs 81.5 ARV and is delayed.", "fact_missing"),
        ("It leaves not at 20:15 but later, costs 81.5 ARV and is delayed.", "fact_missing"),
        ("It leaves at 20:15, costs 81.5 ARV, and is not delayed.", "fact_missing"),
        ("It leaves at 20:15 and costs 81.5 ARV. Not late: it is on time.", "fact_missing"),
        ("20:15, 81.5 ARV. The delay is over: it runs on time.", "contradiction"),
        ("It leaves at 20:15 or 06:40. 81.5 ARV, delayed.", "contradiction"),
        ("20:15, 24.5 or possibly 81.5 ARV. It is delayed.", "contradiction"),
        (f"{GOOD} It arrives at 07:55.", "invented"),
        (f"{GOOD} There are 280 seats.", "invented"),
        (f"{GOOD} There is a delay of 25 hours.", "invented"),
        (f"{GOOD} There is a delay of 15 hours.", "invented"),
        (f"{GOOD} Sorrel is 40 miles away.", "invented"),
        (f"{GOOD} The total is 64.50 ARV after 17 % off.", "invented"),
        (f"{GOOD} The next one is on 19 June 2031.", "invented"),
        (f"{GOOD} But I made this up.", "withdrawn"),
        (f"{GOOD} {'Have a pleasant trip over the sea. ' * (MOST_WORDS // 7)}", "pasted"),
    ],
)
def test_answers_that_fail(answer: str, reason: str) -> None:
    """A fact that is missing, denied, contradicted or invented is a fail with its own reason."""
    assert decided(answer) == ("fail", reason)


def test_the_detail_names_the_fact() -> None:
    """A reader sees which fact is missing."""
    finding = finding_of("It costs 81.5 ARV and is delayed.")
    assert finding.detail == "The departure, 20:15 is missing."
    finding = finding_of("20:15, 81.5 ARV.")
    assert finding.detail == "The answer does not say that the boat is delayed."
    assert [found.chars is not None for found in finding.found] == [True, True, False]
    finding = finding_of("It is delayed.")
    assert finding.detail == "Missing: the departure, 20:15; the fare, 81.5 ARV."


def test_a_right_answer_without_replies() -> None:
    """Nothing shows that such an answer is not invented."""
    assert decided(GOOD, []) == ("fail", "fact_unsupported")
    assert decided(GOOD, REPLIES[:2]) == ("fail", "fact_unsupported")


def test_general_knowledge_needs_no_reply() -> None:
    """A fact that everybody may know counts without a call."""
    known = Facts((Fact("orbit", "the orbit", (NumberForm(10759, "day"),), known=True),))
    assert decided("Saturn needs 10,759 days.", [], known) == ("pass", "facts_stated")
    assert decided("Saturn needs 10,759 years.", [], known) == ("fail", "fact_missing")


def test_a_number_worked_out_from_replies() -> None:
    """A product of two replied numbers supports a fact."""
    facts = Facts((Fact("price", "the price of three nights", (NumberForm(4350, "nlk"),)),))
    replies = [{"nights": 3}, {"price_per_night": 1450, "currency": "NLK"}]
    assert decided("Three nights cost 4,350 NLK.", replies, facts) == ("pass", "facts_stated")
    assert decided("Three nights cost 4,350 NLK.", replies[:1], facts)[0] == "fail"


def test_values_of_two_records_swapped() -> None:
    """A value beside the name of another record is a fail, before and after the name."""
    facts = Facts(
        (
            Fact("three", "line 3, 18:04", (TimeForm("18:04"),)),
            Fact("seven", "line 7, 18:10", (TimeForm("18:10"),)),
        ),
        pairs=(("line 3", ("18:04",)), ("line 7", ("18:10",))),
    )
    replies = [{"time": "18:04", "line": "3"}, {"time": "18:10", "line": "7"}]
    for right in ("Line 3 at 18:04 and line 7 at 18:10.", "18:04 (line 3), 18:10 (line 7)"):
        assert decided(right, replies, facts) == ("pass", "facts_stated"), right
    for wrong in ("Line 7 at 18:04 and line 3 at 18:10.", "18:04 (line 7), 18:10 (line 3)"):
        assert decided(wrong, replies, facts) == ("fail", "mixed_up"), wrong


def test_a_proper_name_with_a_wrong_letter() -> None:
    """A long name may be misspelled, but another word that looks like the right one is wrong."""
    items = (
        Fact("town", "the town, Oststrand", (parse_form("oststrand"),)),
        Fact("moon", "the waxing moon", (parse_form("waxing"),)),
    )
    replies = [{"town": "Oststrand", "moon": "waxing"}]
    assert decided("Oststrend, waxing.", replies, Facts(items)) == ("pass", "facts_stated")
    assert decided("Oststrand, waning.", replies, Facts(items)) == ("fail", "fact_missing")
    assert decided("Not Oststrend, waxing.", replies, Facts(items)) == ("fail", "fact_missing")


def test_values_of_two_facts_exchanged() -> None:
    """A value belongs to the words of its fact's label, or to words that mean the same."""
    items = (
        Fact("departure", "the departure, 18:30", (TimeForm("18:30"),)),
        Fact("arrival", "the arrival, 20:05", (TimeForm("20:05"),)),
    )
    replies = [{"departs": "18:30", "arrives": "20:05"}]
    for right in (
        "It leaves at 18:30 and arrives at 20:05.",
        "Arrival: 20:05\nDeparture: 18:30",
        "At 18:30 it leaves, at 20:05 it arrives.",
        "From 18:30 to 20:05.",
    ):
        assert decided(right, replies, Facts(items)) == ("pass", "facts_stated"), right
    for wrong in (
        "It leaves at 20:05 and arrives at 18:30.",
        "Arrival: 18:30\nDeparture: 20:05",
        "20:05 departure, 18:30 arrival",
    ):
        assert decided(wrong, replies, Facts(items)) == ("fail", "mixed_up"), wrong


def test_values_with_the_unit_or_the_noun_of_another_fact() -> None:
    """A number belongs to the fact whose unit or noun follows it. A unit may name a fact."""
    items = (
        Fact("paint", "the paint, 10 litres", (NumberForm(10, "litre"),)),
        Fact("price", "its price, 65", (NumberForm(65),)),
        Fact("days", "the days, 22", (NumberForm(22),)),
    )
    replies = [{"litres": 10, "price": 65, "days": 22}]
    for right in (
        "Paint: 10 litres. Price: 65. Days: 22.",
        "It takes 22 days and 10 litres of paint, which cost 65.",
        "10 L at 65 in all, and 22 days.",
    ):
        assert decided(right, replies, Facts(items)) == ("pass", "facts_stated"), right
    for wrong in (
        "Paint: 10 litres. Price: 22. Days: 65.",
        "It takes 65 litres, which cost 10. It is 22 days.",
        "It costs 22, and takes 65 days. You need 10 litres.",
    ):
        assert decided(wrong, replies, Facts(items)) == ("fail", "mixed_up"), wrong


def test_order() -> None:
    """Facts with an order are stated in that order."""
    items = tuple(Fact(name, name, (parse_form(name),)) for name in ("nespola", "basso"))
    facts, replies = Facts(items, order=("nespola", "basso")), ["Nespola 4.5, Basso 4.1"]
    assert decided("Nespola, then Basso.", replies, facts) == ("pass", "facts_stated")
    assert decided("Basso, then Nespola.", replies, facts) == ("fail", "wrong_order")


GERMAN = "Das Nachtboot nach Sorrel geht um 20:15 Uhr ab und kostet zusammen 81,5 ARV"


def test_another_language_is_translated() -> None:
    """All facts must be there, in words that have a translation."""
    assert decided(f"{GERMAN}, hat aber eine Verspätung.") == ("pass", "facts_stated")
    later = f"{GERMAN}, doch es ist heute etwas später dran."
    assert decided(later) == ("fail", "fact_missing")
    assert decided("Das Nachtboot nach Sorrel hat leider eine Verspätung.")[0] == "fail"
    assert decided(f"{GERMAN.replace('20:15', '21:15')}, mit Verspätung.")[0] == "fail"


def test_a_value_that_is_compared_with_a_name_belongs_to_another() -> None:
    """One name in a sentence need not own what stands before "compared with"."""
    facts = Facts(
        (Fact("snow", "the snow, 60 cm", (NumberForm(60, "cm"),)),),
        pairs=(("dome", ("145",)), ("horn", ("60",))),
    )
    replies = [{"peak": "Dome", "cm": 145}, {"peak": "Horn", "cm": 60}]
    assert decided("Only 60 cm there, compared with Dome.", replies, facts)[0] == "pass"
    assert decided("There are 60 cm on Dome.", replies, facts) == ("fail", "mixed_up")


def test_a_value_directly_before_its_name() -> None:
    """In "Dome has a, against b on Horn" each value has its name, on one side or the other."""
    facts = Facts(
        (Fact("snow", "the snow, 60 cm", (NumberForm(60, "cm"),)),),
        pairs=(("dome", ("145",)), ("horn", ("60",))),
    )
    replies = [{"peak": "Dome", "cm": 145}, {"peak": "Horn", "cm": 60}]
    for right in ("Dome has 145 cm: a lot, against 60 cm on Horn.", "Dome 145 cm, Horn 60 cm."):
        assert decided(right, replies, facts)[0] == "pass", right
    for wrong in ("Dome has 60 cm: a lot, against 145 cm on Horn.", "Dome 60 cm, Horn 145 cm."):
        assert decided(wrong, replies, facts) == ("fail", "mixed_up"), wrong


def test_minutes_between_two_times_are_known() -> None:
    """The length of a trip follows from its start and its end."""
    replies = [{"departs": "06:07", "arrives": "20:43"}]
    facts = Facts((Fact("end", "the end, 20:43", (TimeForm("20:43"),)),))
    assert decided("It ends at 20:43, after 14 hours and 36 minutes.", replies, facts)[0] == "pass"
    assert decided("It ends at 20:43, after 14 hours and 46 minutes.", replies, facts)[0] == "fail"


def test_dates_and_months() -> None:
    """A date may lack its year, and a month that no reply has is invented."""
    facts = Facts((Fact("day", "the day", (DateForm("2031-05-17"),)),))
    assert decided("On 17 May.", REPLIES, facts) == ("pass", "facts_stated")
    assert decided("On 17 May, until July.", REPLIES, facts) == ("fail", "invented")


def test_replies_as_lines() -> None:
    """Nested replies become lines of a key and a value."""
    reply = {"a": [{"time": "18:04"}, {"time": "18:10"}], "open": True, "none": None, "n": 2}
    assert list(lines_of(reply)) == ["time 18:04", "time 18:10", "open true", "n 2"]
    assert list(lines_of("Say: TAH-ka")) == ["Say: TAH-ka"]


def test_a_number_after_an_equals_sign_is_worked_out() -> None:
    """The result of "2 × 310 = 620" is, and so is a multiple of what the answer states."""
    assert decided(f"{GOOD} For two boats: 2 × 310 = 620 seats.")[0] == "pass"
    assert decided(f"{GOOD} For two boats with 310 seats: 620 seats.")[0] == "pass"
    assert decided(f"{GOOD} That is 620 seats.") == ("fail", "invented")
    assert decided(f"{GOOD} For three boats with 310 seats: 620.") == ("fail", "invented")
    assert decided(f"{GOOD} 25 minutes and 310 seats, 335 minutes.") == ("fail", "invented")


def test_a_total_is_not_the_price_of_one() -> None:
    """The fare of three is not that of each."""
    replies = [REPLIES[0], {**REPLIES[1], "passengers": 3}, REPLIES[2]]
    assert decided("20:15, 81.5 ARV for the three of you, delayed.", replies)[0] == "pass"
    assert decided("20:15, 81.5 ARV each, delayed.", replies) == ("fail", "contradiction")


# Texts of answers and replies: words, numbers, times and dates, signs, and nothing.
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "…", "20:15", "81.5 ARV", "2031-05-17", "+99 3 220", "-1", "²", "a 1"]),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
ROWS = st.lists(st.fixed_dictionaries({"name": TEXTS, "a": SCALARS}), min_size=2, max_size=4)


@pytest.mark.large
@given(replies=st.lists(VALUES | ROWS, max_size=4), parts=st.lists(TEXTS, max_size=8))
def test_any_replies_and_any_answer_are_decided(replies: list[Any], parts: list[str]) -> None:
    """No reply and no answer stops a run. An answer without the facts fails."""
    answer = " ".join(parts)
    assert decided(answer, replies)[0] == "fail"
    assert decided(f"{GOOD} {answer}", [*REPLIES, *replies])[0] in ("pass", "fail")


def test_one_word_introduces_one_value() -> None:
    """A filler before every value of a reply is no sentence about it."""
    tables = [*REPLIES, {"fares": [{"class": f"c{n}", "fare": 100 + n} for n in range(9)]}]
    for words in (["behold"] * 9, ["lo", "see", "hark", "mark", "mind", "hail", "oh", "ah", "so"]):
        filled = " ".join(f"{word} {100 + n}" for n, word in enumerate(words))
        assert decided(f"{GOOD} {filled}", tables) == ("fail", "pasted")


@pytest.mark.large
def test_a_long_answer_is_refused_before_its_values_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Comparing each of thousands of numbers with all others would take hours."""
    monkeypatch.setattr("scoring.facts.api_answers.api_final_answers.is_sourced", None)
    assert decided(f"{GOOD} {'144; 1800; ' * MOST_WORDS}") == ("fail", "pasted")
