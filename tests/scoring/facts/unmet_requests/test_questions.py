"""Clarifying questions: what they ask for, and what they must not."""

from __future__ import annotations

import re

import pytest

from leaderboard.facts.fact_shapes import SLOTS as NAMES
from scoring.facts.unmet_requests.slots import SLOTS
from tests.conftest import PROJECT
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

HOTEL = "Book me a hotel in Porto."
DATES = ["check_in", "check_out|nights"]
BRIDGE, LANGUAGE = "Translate 'The bridge is closed' for me.", "target_language"


def decided(answer: str, *asks: str, query: str = HOTEL) -> str:
    return finding_of(query, answer, asks=list(asks or DATES), may_ask=["guests", "price"]).decided


@each_row(
    ("asks", "detail"),
    [
        (["day"], "It does not ask for the day."),
        (["people"], "It does not ask how many people."),
        (["end_time"], "It does not ask until when the room is needed."),
    ],
)
def test_the_detail_completes_what_is_not_asked(asks: list[str], detail: str) -> None:
    """A label that starts with a question word follows "ask" directly."""
    assert detail == finding_of("Book a room.", "Which floor?", asks=asks).detail


def test_the_detail_names_each_thing_once() -> None:
    """Two alternatives may have the same first choice."""
    finding = finding_of("Is it clear?", "Which road is it?", asks=["road|start", "road|end"])
    assert "It asks for the road or route." == finding.detail


def test_every_slot_has_phrases() -> None:
    """The names that data sets may use are those of the vocabulary."""
    assert set(SLOTS) == NAMES


def test_the_page_on_facts_lists_every_slot() -> None:
    """The message about an unknown slot leads there."""
    page = (PROJECT / "docs/facts.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^The slots are (.*?)\.", page, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`(\w+)`", listed)) == NAMES


@each_row(
    "answer",
    [
        "When do you arrive, and how many nights will you stay?",
        "For which dates would you like the room?",
        "I just need:\n\n1. **Check-in date**\n2. **Check-out date**\n",
        "Check-in and check-out, please.",
        "I've got everything except the days of arrival and departure.",
        "From when to when will you stay in Porto?",
        "When do you arrive and when do you leave?",
        "Wann reisen Sie an und wann reisen Sie ab?",
        "Quel jour arrivez-vous, et combien de nuits ?",
        "¿Qué día llegas y cuántas noches te quedas?",
        "I'd need the day of arrival and the day of departure. For how many people is it?",
        "It would be nice to have your check-in date and your check-out date.",
        "Quais são as datas de chegada e de partida?",
        "Van welke dag tot welke dag wilt u blijven?",
        "¿Qué día llega usted y qué día se marcha?",
        "The trip takes about 3 hours. When do you arrive, and when do you leave?",
        "On which day do you arrive, and when do you leave? Otherwise I'll assume two guests.",
        "I can do that, but not without the days of arrival and departure.",
    ],
)
@pytest.mark.large
def test_asking_for_everything_missing_passes(answer: str) -> None:
    """In a question, a request, a list, or with something else that the tool can use."""
    assert decided(answer) == "pass"


@each_row(
    ("answer", "detail"),
    [
        ("When do you arrive?", "It does not ask for the day of departure."),
        ("I can't book hotels.", "It asks for nothing."),
        ("Could you give me more details?", "It does not ask for the day of arrival."),
        ("Booked from 3 to 5 May! Other dates?", "It assumes what it should ask for"),
        ("I'll assume you arrive today. When do you leave?", "It assumes"),
        ("Which dates, which language and which address?", "nothing to do with the request"),
        ("Book me a hotel in Porto?", "It asks for nothing."),
        ("What kind of book and hotel and Porto?", "It asks for nothing."),
        ("From where to where, and on which dates?", "nothing to do with the request"),
        ("Wann reisen Sie an?", "It does not ask for the day of departure."),
    ],
)
@pytest.mark.large
def test_what_fails(answer: str, detail: str) -> None:
    """The detail names what is missing, or says what is wrong."""
    finding = finding_of(HOTEL, answer, asks=DATES, may_ask=["guests"])
    assert (finding.decided, finding.reason) == ("fail", "missing_not_asked")
    assert detail in finding.detail


@each_row(
    ("answer", "expected"),
    [
        ("Which day?", "pass"),
        ("Which day, meeting?", "pass"),
        ("Day and meeting?", "fail"),
        ("Which one and day?", "pass"),
        ("Which day and which one?", "pass"),
        ("Which day, remind, meeting?", "fail"),
        ("Could you remind: which day, meeting?", "pass"),
        ("Which day are they to remind, meeting?", "pass"),
    ],
)
@pytest.mark.large
def test_words_of_the_request_alone_ask_for_nothing(answer: str, expected: str) -> None:
    """A list of them, or three without a word that shows that somebody asks."""
    assert decided(answer, "day", query="Remind me of the day of that meeting.") == expected


def test_found_words_have_their_characters() -> None:
    """A reader sees which words ask for what."""
    answer = "Your arrival? And how many nights?"
    finding = finding_of(HOTEL, answer, asks=DATES)
    ranges = [one.chars for one in finding.found if one.chars]
    assert [answer[slice(*chars)] for chars in ranges] == ["arrival", "nights"]


def test_examples_ask_for_what_they_are_examples_of() -> None:
    """Two units in a question ask for the unit."""
    query = "Convert 12.5 miles for me."
    assert decided("12.5 miles to … kilometres, yards?", "target_unit", query=query) == "pass"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Tell me which airport you mean, and I'll check the route.", "fail"),
        ("Tell me which airport you mean and where you start, and I'll check.", "pass"),
        ("Which airport? And I will need to know where you start.", "pass"),
    ],
)
def test_what_the_speaker_will_do_asks_for_nothing(answer: str, expected: str) -> None:
    """A promise names things that nobody is asked for."""
    query = "How bad is the jam on my way to the airport?"
    assert decided(answer, "start|road", "end|road", query=query) == expected


def test_one_example_beside_a_question_for_something_else() -> None:
    """A day beside "at what time" is no question for the day."""
    query, asks = "Remind me of my pills.", ["day", "time"]
    assert finding_of(query, "At what time tomorrow?", asks=asks).decided == "fail"
    assert finding_of(query, "Tomorrow? And at what time?", asks=asks).decided == "pass"


def test_something_told_does_not_count() -> None:
    """A clause about what the request says asks for nothing."""
    query, asks = "Is it snowing at my parents' place?", ["place"]
    told = ["(are/do) you (in/live)"]
    assert finding_of(query, "Which town do you live in?", asks=asks, told=told).decided == "fail"
    assert finding_of(query, "Which town is it?", asks=asks, told=told).decided == "pass"


CLIENT = "Our client says she has been up for hours. What time is it over there?"
ASKED_OF_USER = "(are/do) you (in/live/now/)"


@each_row(
    ("answer", "expected"),
    [
        ("For which city do you need the time?", "pass"),
        ("Which city do you mean?", "pass"),
        ("In which city are you?", "fail"),
        ("In which city do you live?", "fail"),
        ("What town are you want to be about?", "fail"),
        ("Tell me the city. Are you", "pass"),
        ("Tell me in which city are you", "fail"),
    ],
)
def test_what_the_user_needs_is_not_told(answer: str, expected: str) -> None:
    """The request names the user's own city, but not the one that it is about."""
    finding = finding_of(CLIENT, answer, asks=["place|time_zone"], told=[ASKED_OF_USER])
    assert finding.decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("Quick question: in which city is your client?", "pass"),
        ("Just to check: In which city is your client?", "pass"),
        ("**Answer:** In which city is your client?", "pass"),
        ("Quick question - in which city is your client?", "pass"),
        ("One question – in which city is your client?", "pass"),
        ("Tell me the city,", "pass"),
        ("My answer and question, in which city is your client?", "fail"),
        ("Question, answer, bill: in which city is your client?", "fail"),
        ("Date: in which city is your client, and what bill, item and cuisine?", "fail"),
    ],
)
def test_a_lead_in_asks_for_nothing(answer: str, expected: str) -> None:
    """A few words before a colon or a dash only say that a question follows."""
    assert decided(answer, "place|time_zone", query=CLIENT) == expected


def test_the_sentence_before_says_which_one_is_meant() -> None:
    """A question without a noun asks for what the sentence before names."""
    query, asks = "What does that word mean?", ["word"]
    answer = "I'm not sure which word that is. Could you tell me?"
    assert finding_of(query, answer, asks=asks).decided == "pass"


@pytest.mark.parametrize("answer", ["¿Qué quieres?", "Milyen étterem legyen hozzád közel?"])
def test_another_language_asks_only_in_words_that_are_translated(answer: str) -> None:
    """Otherwise a judge would read what no fact has checked."""
    assert decided(answer, "event") == "fail"


def test_a_short_question_may_offer_one_example() -> None:
    """A question such as "In kilometres?" asks for the unit."""
    query = "Convert 12.5 miles for me."
    assert decided("In kilometres?", "target_unit", query=query) == "pass"
    assert decided("I'll convert it. Kilometres!", "target_unit", query=query) == "fail"


def test_where_something_goes_is_no_other_question() -> None:
    """A word that asks for what is missing does not count as one that asks for something else."""
    query = "Send 'The gate code is 4410' to our caretaker by e-mail."
    assert decided("Where should I send it?", "address", query=query) == "pass"


@pytest.mark.parametrize("when", ["By which day", "At what time", "In which city", "When"])
def test_what_belongs_to_another_question_asks_for_nothing(when: str) -> None:
    """A question for a day, a time or a place asks for no price, whatever its verb is."""
    query = "Invoice the Lindqvist family for 6 piano lessons, in euros."
    assert decided(f"{when} do they have to pay?", "price_each", query=query) == "fail"
    assert decided("Which price do they have to pay?", "price_each", query=query) == "pass"


def test_an_amount_may_be_asked_for_in_words_of_the_request() -> None:
    """The words of an amount ask, wherever they are in the question."""
    assert decided("15 per cent of how much?", "bill", query="How much is 15 per cent?") == "pass"


def test_a_date_may_be_repeated_without_its_year() -> None:
    """Only a value that the request does not have is a result."""
    query = "Remind me on 4 June 2027 to return the books."
    assert decided("Noted for 4 June. What time?", "time", query=query) == "pass"
    assert decided("Noted for 5 June. What time?", "time", query=query) == "fail"


def test_declining_is_not_asking() -> None:
    """A statement that something is unknown asks for it only without a refusal."""
    query = "What do I have in my calendar?"
    unknown = "I don't know which day you mean"
    assert decided(f"{unknown}.", "day", query=query) == "pass"
    assert decided(f"{unknown}, so I can't show you anything.", "day", query=query) == "fail"


@each_row(
    ("answer", "expected"),
    [
        ("You want it in kilometres?", "pass"),
        ("All right. You want it in kilometres?", "pass"),
        ("Do you want it in kilometres?", "fail"),
    ],
)
def test_a_question_with_one_example_has_five_words_at_most(answer: str, expected: str) -> None:
    """A longer one may only mention the example."""
    assert decided(answer, "target_unit", query="Convert 12.5 miles for me.") == expected


@each_row(
    ("extra", "expected"),
    [("budget, breakfast and parking", "pass"), ("budget, breakfast, parking and pets", "fail")],
)
def test_three_more_things_may_be_asked_for(extra: str, expected: str) -> None:
    """A fourth one is too much, even if the tool can use it."""
    answer = f"When do you arrive and when do you leave? And the {extra}?"
    assert decided(answer) == expected


@each_row(
    ("place", "expected"), [("which town", "pass"), ("which town, and at which place", "fail")]
)
def test_where_may_be_asked_once(place: str, expected: str) -> None:
    """Several places would fit too many requests."""
    answer = f"When do you arrive, and in {place}?"
    finding = finding_of(HOTEL, answer, asks=["check_in"], may_ask=["place"])
    assert finding.decided == expected


def test_what_may_be_asked_for_can_be_one_of_two_things() -> None:
    """As what must be asked for can be."""
    answer = "When do you arrive, and in which town?"
    finding = finding_of(HOTEL, answer, asks=["check_in"], may_ask=["guests|place"])
    assert finding.decided == "pass"


@each_row(("friends", "expected"), [("friends", "pass"), ("old friends", "fail")])
def test_an_item_of_a_list_has_ten_words_at_most(friends: str, expected: str) -> None:
    """A longer one is a sentence that asks for nothing."""
    answer = f"I need the following.\n- the day when you and all of your {friends} arrive\n"
    assert decided(f"{answer}- the day when you leave") == expected


@each_row(
    ("answer", "expected"),
    [
        ("Sorry, which city.", "pass"),
        ("Miles which city.", "fail"),
        ("Which place is it, and on which day?", "fail"),
    ],
)
def test_a_question_for_the_place_alone(answer: str, expected: str) -> None:
    """It starts with a question word, or has one after a comma, and asks for no day."""
    query = "Is it snowing at my parents' place?"
    assert decided(answer, "place", query=query) == expected


@each_row(
    ("answer", "asks", "passes"),
    [
        ("Should it be cheap, or a fancier place?", "place", False),
        ("In which city? Or shall I look for a place by the sea?", "place", True),
        ("Head count: missing", "people", True),
        ("Hur mycket väger paketet?", "weight", True),
        ("What did you supply?", "goods", True),
        ("That is 70.5 ounces. Tell me the weight.", "weight", False),
    ],
)
def test_single_things(answer: str, asks: str, passes: bool) -> None:
    """What asks for one thing, and what only looks as if it did."""
    query = "Find me a place for dinner." if asks == "place" else "Please do it."
    assert (decided(answer, asks, query=query) == "pass") is passes


@each_row(
    ("query", "asks", "answer", "expected"),
    [
        ("What is in my calendar?", "day", "For what period?", "pass"),
        ("Translate my sentence.", "text", "What would you like to say in Danish?", "pass"),
        ("Email our caretaker.", "address", "I need the caretaker's email. What is it?", "pass"),
        ("Email our caretaker.", "address", "I need the purpose of the email.", "fail"),
        ("Log my ticket.", "cost", "Which currency did you pay in?", "fail"),
        ("Find a lawyer.", "place", "To do it, the town would have to be known.", "pass"),
        ("Find a lawyer.", "place", "Report back which town you mean.", "pass"),
        ("Find a lawyer.", "place", "I have the day but no town.", "pass"),
        ("Find a lawyer.", "place", "As soon as you've named your town, I start.", "pass"),
        ("Find a lawyer.", "place", "You'll have to pass on the town.", "pass"),
        ("Find a lawyer.", "place", "The town you've measured? Which town?", "pass"),
        ("Find a lawyer.", "place", "Let me have a look at the towns.", "fail"),
        ("Invoice me.", "price_each", "Six lessons at how much each? I'll draw it up.", "pass"),
        ("Translate it.", "text", "Which language is your sentence written in?", "fail"),
        ("Find me a recipe.", "ingredients", "How much time in the kitchen?", "fail"),
        ("Find me a recipe.", "ingredients", "What is in your kitchen?", "pass"),
        ("What does it mean?", "word", "Is it an English word or a French one?", "fail"),
        ("Is there a jam?", "road", "Geen idee. Noem me een weg.", "pass"),
        ("Start a timer.", "duration", "5 or 10. How many should I count down?", "pass"),
        ("Start a timer.", "duration", "The timer is on. How long should it run?", "fail"),
        ("Start a timer.", "duration", "Timer's running. For how long?", "fail"),
        ("Start a timer.", "duration", "Before the timer is running: for how long?", "pass"),
        ("Remind me.", "text", "I've put it down. What should I remind you of?", "fail"),
        ("How far is it?", "distance", "The distance is not in your message.", "pass"),
        ("Turn it into Danish.", "text", "Could you paste what you want?", "pass"),
        ("Turn stones into kilos.", "reading", "Just read me the number.", "pass"),
        ("When is sunset?", "day", "Anything from 15:40 to 22:00, tell me the day.", "pass"),
        ("Book a hotel.", "place", "Tell me where you're going and I'll start.", "pass"),
        ("Log my ticket.", "cost", "What did you pay, and in which currency?", "pass"),
    ],
)
@pytest.mark.large
def test_words_of_several_slots(query: str, asks: str, answer: str, expected: str) -> None:
    """A word counts for the slot that the words around it tell."""
    finding = finding_of(query, answer, asks=[asks], may_ask=["currency", "time"])
    assert finding.decided == expected


def test_t12_an_answer_has_few_sentences() -> None:
    """More than 50 fail, because each is compared with all other requests."""
    answer = "When do you arrive, and how many nights will you stay?" + " Well, yes." * 49
    assert finding_of(HOTEL, answer, asks=DATES).decided == "pass"
    finding = finding_of(HOTEL, answer + " Well.", asks=DATES)
    assert (finding.decided, finding.reason) == ("fail", "too_long")


@each_row(
    ("answer", "decided"),
    [
        ("Today is 20 November 2026. When do you arrive, and when do you leave?", "pass"),
        ("When do you arrive, and when do you leave? (It's 20 November 2026 today.)", "pass"),
        (
            "Arriving and leaving on which days? If you mean tomorrow, that is 21 November 2026.",
            "pass",
        ),
        ("Which dates? Do you mean tomorrow? That is 21 November 2026.", "pass"),
        ("You arrive on 5 May 2027. Did you mean other dates?", "fail"),
        ("Rooms are free on 21 November 2026. When do you arrive, and when do you leave?", "fail"),
        ("You mean 21 November 2026.", "fail"),
    ],
)
def test_today_and_a_proposed_day_are_no_results(answer: str, decided: str) -> None:
    """Models are told today's date. Any other day is assumed, unless the user may mean it."""
    finding = finding_of(HOTEL, answer, date="2026-11-20", asks=DATES)
    assert finding.decided == decided


def test_simple_or_compound_interest_is_no_topic() -> None:
    """It asks about the rate, which is what is missing."""
    query = "How much interest will 2,000 euros earn me?"
    answer = "To work out the interest, I need the rate. Is it simple or compound interest?"
    assert finding_of(query, f"{answer} Is the interest paid?", asks=["rate"]).decided == "pass"


@each_row(
    ("query", "asks", "answer", "expected"),
    [
        (BRIDGE, LANGUAGE, 'In French, that\'s "Le pont est fermé." Which language?', "fail"),
        (BRIDGE, LANGUAGE, '"Die Brücke ist gesperrt." Which language, please?', "fail"),
        (BRIDGE, LANGUAGE, "Le pont est fermé – which language do you need?", "fail"),
        (BRIDGE, LANGUAGE, "It translates to De brug is gesloten. Which language?", "fail"),
        (BRIDGE, LANGUAGE, "I assumed German – which language did you want?", "fail"),
        (BRIDGE, LANGUAGE, 'I can translate "The bridge is closed". Which language?', "pass"),
        (BRIDGE, LANGUAGE, "Bien sûr! Which language do you need?", "pass"),
        (BRIDGE, LANGUAGE, 'Which language? For example, it is "cerrado" in Spanish.', "pass"),
        (BRIDGE, LANGUAGE, "I have French and German, say. Which language?", "pass"),
        (BRIDGE, LANGUAGE, "Dans quelle langue faut-il traduire la phrase ?", "pass"),
        ("Give me the weather.", "place", "It's sunny in London. Which city?", "fail"),
        ("Give me the weather.", "place", "It's partly cloudy in Rome – which city?", "fail"),
        ("Give me the weather.", "place", "It could be snowing or not. Which city?", "pass"),
        ("Give me the weather.", "place", "It's sunny in some towns. Which city?", "pass"),
        ("Give me the weather.", "place", "It's hot here and cold in others. Which city?", "pass"),
        ("Give me the weather.", "place", "Here you go: I just need the city. Which?", "pass"),
        ("Give me the weather.", "place", "Here you go: sunny. Which city?", "fail"),
        ("Find a lawyer.", "place", "I found some lawyers in Rome. Which city?", "fail"),
        ("Find a lawyer.", "place", "I found Smith and Jones. Which city?", "fail"),
        ("Find a lawyer.", "place", "I found no city in your message. Which one?", "pass"),
        ("Note 40.", "currency", "I'll record it as 40 euros. Is it that currency?", "fail"),
        ("Note 40.", "currency", "I'll record it then. Is the currency euros?", "pass"),
        ("Note 40.", "currency", "Which currency? I went ahead and booked it in euros.", "fail"),
        ("Note 40.", "currency", "I went ahead and checked. Which currency is it?", "pass"),
        ("Note 40.", "currency", "Which currency? I haven't gone ahead and booked it.", "pass"),
        ("Convert 5 miles.", "target_unit", "5 miles it is. Into which unit?", "pass"),
        ("Convert 5 miles.", "target_unit", "I know units. Do you want to hear more?", "fail"),
        ("Convert 5 miles.", "target_unit", "I know units. Anything else?", "fail"),
        ("Convert 5 miles.", "target_unit", "I'd like to know more: which unit?", "pass"),
        ("Convert 5 miles.", "target_unit", "Anything else? Into which unit?", "pass"),
        ("Convert 5 miles.", "target_unit", "Do you want to see more, and in which unit?", "pass"),
        ("Eat in Ghent.", "cuisine", "It goes to Italian, so let me know the cuisine.", "pass"),
    ],
)
@pytest.mark.large
def test_a_guess_with_its_result_fails(query: str, asks: str, answer: str, expected: str) -> None:
    """A question after it does not help. Examples and words of the request are no guesses."""
    assert finding_of(query, answer, asks=[asks]).decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("You won't need a coat. Which city?", "fail"),
        ("You'll need a coat, but which city are you in?", "fail"),
        ("If it rains, you'll need a coat. Which city?", "pass"),
        ("Which city are you in?", "pass"),
    ],
)
def test_a_case_can_list_results_that_are_guesses(answer: str, expected: str) -> None:
    """Its results may have words that no other request has."""
    query, guesses = "Will I need a coat?", ["you (will/) (not/) need a coat"]
    assert finding_of(query, answer, asks=["place"], guesses=guesses).decided == expected
