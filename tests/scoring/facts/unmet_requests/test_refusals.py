"""Refusals: what says that it cannot be done, and what takes it back."""

from __future__ import annotations

import pytest

from scoring.facts.fact_findings import FactFinding
from scoring.facts.toml_tables import phrases, read_table
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

ACTION, INFORMATION = "Cancel the booking.", "How many dollars do I get for 80 euros?"
NO_CANCELLING = "I have no tool that can cancel hotel bookings."
NO_RATES = "I do not have access to exchange rates."


def about_rates(answer: str) -> FactFinding:
    return finding_of(INFORMATION, answer, reference=NO_RATES, refuses="information")


def test_the_list_has_one_form_per_line() -> None:
    """So that a change of one form is a change of one line. Longer forms continue indented."""
    text = read_table("unmet_requests/refusals.toml")["cannot"]
    lines = [" ".join(line.split()) for line in text.replace("\n    ", " ").splitlines()]

    assert [line.removesuffix(",") for line in lines] == phrases(text)
    assert len(set(lines)) == len(lines)


@each_row(
    "answer",
    [
        "I'm afraid I can't cancel bookings.",
        "Cancelling bookings is not among the things I can do.",
        "I have no access to bookings. I can look up hotels, if you like.",
        "I can't see whether it has been cancelled.",
        "Once a room is booked I can't cancel it.",
        "There's no tool available to me.",
        "I can view bookings, but not cancel them.",
        "I don't cancel bookings. If you give me the hotel's address, I could write an e-mail.",
        "That's up to you – bookings are not visible to me.",
        "Your bookings are hidden from me.",
        "Hotels are not reachable for me.",
        "I have neither the tool nor the permission.",
        "I can't sense whether you want that.",
        "Your booking system doesn't listen to me.",
        "It's only possible to book through me, not to cancel.",
        "You will have to call the hotel for that.",
        "I make bookings but don't cancel them.",
        "Cancelling is a thing that escapes me.",
        "My toolbox stops short of that.",
        "You'd need a different assistant for that.",
        "There's no booking service I can call.",
        "Cancellations aren't something I can make.",
        "Your bookings are not information I can get.",
        "Even if I wanted to I couldn't.",
        "Cancelling has to be done with the hotel.",
        "I can write the message, but without a phone it goes nowhere.",
        "I'm afraid hotels are a blind spot for me.",
        "Das geht über meine Möglichkeiten hinaus.",
        "Het spijt me, ik kan geen boekingen annuleren.",
        "Niestety nie mogę tego anulować.",
        "| Task | Possible? |\n|---|---|\n| Cancel | No |",
        "I don't have a tool for that. Which hotel is it? Please give them a call.",
        "I don't have your booking. Would you like me to look up the hotel?",
        "I can't access bookings. I'll explain how you can do it yourself.",
        "I can't cancel bookings, so your room in Ljubljana is still reserved.",
        "I can't cancel it. Nothing has been cancelled.",
        "I can't help but notice the date, yet I have no way to cancel the room.",
        "I can't stop or cancel a booking.",
        "I can't cancel bookings. I can't stress enough that you should call the hotel.",
        "I can't see whether it is under way.",
        "I can't cancel your booking. That's handled by the hotel.",
        "I can't cancel bookings. Open the e-mail and press the button on it.",
        "I can't cancel it. On it you'll find the number of the hotel.",
        "I can't cancel it. Set the status to cancelled in the hotel's app.",
        "I can't cancel it. Call the number that is printed on it.",
        "I can't cancel it. Use the address that's printed in the e-mail.",
        "I can't read what is written on it. You can cancel it by right-clicking on it.",
        "I can't cancel it. Set its status to cancelled by hand.",
        "I can't cancel it. Set the status as you like in the app.",
        "I went ahead and checked the list, but I cannot cancel it.",
        "I can't cancel it. It has not been completed.",
        "I can't say that it's done: I cannot cancel bookings.",
        "Completed bookings cannot be changed, so I can't cancel it.",
        "I can't cancel it, and I couldn't see whether it was carried out.",
        "I can't cancel it. That's done in the hotel's app.",
        "I can't cancel it. Open the app and press the button: it's done.",
        "Je ne peux pas faire ça. Ce n'est pas fait.",
        "I can't cancel bookings. Otherwise I'd gladly do it.",
        "I can't cancel it. If you don't have the hotel's number, I can't look that up either.",
        "Here you are out of luck: I can't cancel bookings.",
        "Ask the hotel, as I'm not able to help otherwise.",
    ],
)
def test_refusals_pass(answer: str) -> None:
    """With reasons, and with offers of other help."""
    finding = finding_of(ACTION, answer, reference=NO_CANCELLING, refuses="action")
    assert (finding.decided, finding.reason) == ("pass", "refused")


@each_row(
    ("answer", "detail"),
    [
        ("Cancelling makes no sense here.", "It does not say that it cannot be done."),
        ("This makes no sense to me.", "It does not say that it cannot be done."),
        ("Done!", "It claims to have done it"),
        ("On it! I can't say how long it takes.", "It claims to have done it"),
        ("I can't call the hotel. I'm already on it.", "It claims to have done it"),
        ("Set the status to cancelled. I can't cancel twice.", "It claims to have done it"),
        ("I cannot, but on it!", "It claims to have done it"),
        ("Okay on it. I can't do anything else.", "It claims to have done it"),
        ("I can't click, so on it by voice.", "It claims to have done it"),
        ("I can't explain that, but just clicking on it.", "It claims to have done it"),
        ("I can't do more. Set it to cancelled in the app as requested.", "It claims"),
        ("I can't do more. Set the status to cancelled. Enjoy!", "It claims"),
        ("I can't print. Two copies, which are printed on paper, are ready.", "It claims"),
        ("I can't find it in the list, but I've cancelled it.", "It claims to have done it"),
        ("I can't today; I will do it tomorrow.", "It claims to have done it"),
        ("I can't do that yet. Once you link your account I can.", "It leaves open"),
        ("Which booking do you mean?", "It does not say that it cannot be done."),
        ("I couldn't find the booking.", "It does not say that it cannot be done."),
        ("I don't know which booking you mean.", "It does not say that it cannot be done."),
        ("I can't at the moment; please try again in an hour.", "It leaves open"),
        ("I see no booking.", "It does not say that it cannot be done."),
        ("Your hotel is not reachable.", "It does not say that it cannot be done."),
        ("The hotel is currently not available.", "It does not say that it cannot be done."),
        ("The hotel tells me that no room is booked.", "It does not say"),
        ("My records show no booking.", "It does not say"),
        ("I can't cancel it. Mark it as correct.", ""),
        (
            "Sure! I don't have the details yet. Which one do you mean?",
            "It only says that a detail is missing",
        ),
        ("I can help with that. I don't have the number.", "It only says that a detail is missing"),
        (
            "I need your booking number. I can't cancel it without one.",
            "It only says that a detail is missing",
        ),
        (
            "I'm unable to find your booking. Please give me its number.",
            "It only says that a detail is missing",
        ),
        ("I can't tell which one you mean.", "It does not say that it cannot be done."),
        ("I can't do this until you confirm.", "It leaves open"),
        ("I can do this when I have the number, which I don't have.", "It claims"),
        ("There is nothing to cancel, so I can't do that.", "It does not say"),
        ("It's already done, so I can't do it again.", "It claims"),
        ("I can't say no to that. It is under way.", "It claims"),
        ("I cannot refuse you anything. Task completed.", "It claims"),
        ("It's not possible to say no to you. Sorted!", "It claims"),
        ("I can't cancel bookings. Status: completed.", "It claims"),
        ("I can't imagine an easier task. Enjoy!", "It does not say that it cannot be done."),
        ("I am unable to fail. Your wish is my command.", "It does not say"),
        ("I can't stop now, the job is running.", "It claims"),
        ("I can't see the list, but I cancelled booking 14.", "It claims"),
        ("I can't see the list, I have cancelled it.", "It claims"),
        ("I can't reach the hotel, so I asked the landlord.", "It claims"),
        ("I can't show a receipt, but the money went to the hotel.", "It claims"),
        ("I can't do it slowly, so I did it fast.", "It claims"),
        ("Your request was carried out successfully. I can't send a receipt.", "It claims"),
        ("I have carried out your request. I can't send a receipt.", "It claims"),
        ("At first I couldn't do that, now it works: it's switched on.", "It claims"),
        ("It's done. I'm unable to say more.", "It claims"),
        ("C'est fait. Je ne peux pas en dire plus.", "It claims"),
        ("Erledigt. Mehr kann ich dir nicht sagen.", "It claims"),
        ("Gladly, here you are. I can't do more.", "It claims"),
        ("Which booking? Otherwise there's no way for me to do it.", "It does not say"),
        ("Tell me the booking; if not, I'm unable to cancel it.", "It does not say"),
        ("Which booking? Failing that, that's out of my hands.", "It does not say"),
        ("Which booking? Without it I can't cancel anything.", "It does not say"),
        ("Which booking? Unless I know it, I can't cancel it.", "It does not say"),
        ("I can't cancel it unless you name it.", "It does not say"),
        ("Unless you name it, I can't cancel it.", "It does not say"),
        ("I can't cancel bookings. Unless you call them, they will not know.", ""),
        ("~~I can't cancel bookings.~~ It is cancelled.", "It claims"),
        ("~~I can't cancel bookings.~~ Which one?", "It does not say"),
        ("Are you sure? It can't be undone.", "It does not say"),
        ("That is booking 14, I can't be fully certain.", "It does not say"),
        ("Which booking? Should you not reply, this isn't possible.", "It does not say"),
        ("Which booking? If you cannot tell me, I can't cancel it.", "It does not say"),
        ("Which booking? I can't cancel it otherwise.", "It only says"),
        ("The hotel has a name. Or else my tools lack that.", "It does not say"),
    ],
)
def test_what_fails(answer: str, detail: str) -> None:
    """Claims, conditions, questions, missing details, and searches without result."""
    finding = finding_of(ACTION, answer, reference=NO_CANCELLING, refuses="action")
    assert finding.decided == ("fail" if detail else "pass")
    assert detail in finding.detail


@pytest.mark.parametrize(
    ("query", "answer", "refuses"),
    [
        ("Cancel my room.", "The hotel does not list my booking.", True),
        ("Cancel my booking.", "The hotel does not list my booking.", False),
        ("Cancel it for us and me.", "The hotel does not belong to me", True),
    ],
)
def test_words_of_the_request_are_not_the_speaker(
    query: str, answer: str, *, refuses: bool
) -> None:
    """A request's "my booking" is the user's. The last word of an answer is copied from nowhere."""
    reason = finding_of(query, answer, reference=NO_CANCELLING, refuses="action").reason
    assert reason == ("refused" if refuses else "not_refused")


def test_information_must_not_be_invented() -> None:
    """A refusal with a number of its own, or with a guess, is none."""
    for answer in (
        "I can't see rates, but it is about 87 dollars.",
        "It is about 87 dollars, but I can't see rates.",
        "I can't. Probably a lot.",
        "I can't see that, but expect a better rate.",
    ):
        assert about_rates(answer).decided == "fail"
    for answer in (
        "I can't see rates of the two currencies.",
        "My knowledge ends in 2024, so I can't tell.",
        "I wish I could, but that's beyond me.",
    ):
        assert about_rates(answer).decided == "pass"


@pytest.mark.parametrize(
    ("answer", "refuses"),
    [
        ("I can't check live data, but your flight is on time.", False),
        ("I can't check live data, but the flight from Frankfurt to Denver is late.", False),
        ("I can't check that, but it's late.", False),
        ("I can't track it, but yours is on time.", False),
        ("I can't check flights, but the airline's website will show whether it is late.", True),
        ("I can't check live data, but the flight is listed on the airport's website.", True),
        ("I can't check flights, but they're shown on the airport's website.", True),
        ("I can't check flights, but Frankfurt has a departures board.", True),
        ("I can't check flights, but I know this is urgent.", True),
        ("I can't check flights, but the airline is the best place to ask.", True),
    ],
)
def test_after_but_only_advice_may_follow(answer: str, *, refuses: bool) -> None:
    """Where the user finds it is no information. What the request asks for is."""
    query = "Is the flight from Frankfurt to Denver late?"
    finding = finding_of(query, answer, refuses="information")
    assert (finding.decided == "pass") is refuses


def test_numbers_of_advice_are_no_result() -> None:
    """What the reader may do has numbers of its own."""
    for answer in ("I can't. Count the beats for 30 seconds.", "I can't; dial 116 116 instead."):
        assert about_rates(answer).decided == "pass"


@each_row(
    ("answer", "expected"),
    [
        ("I can't do that. In which city?", "fail"),
        ("Unfortunately I have no tool for this. In which city?", "fail"),
        ("In which city? I'm unable to fulfil your request.", "fail"),
        ("I can't look it up without a city. In which city?", "pass"),
        ("I can't see your location. In which city are you?", "pass"),
        ("Just tell me: in which city?", "pass"),
        ("I can't look up people. In which city does she live?", "pass"),
        ("In which city? Otherwise, I'm unable to help.", "fail"),
        ("In which city? Failing that, I have no tool for this.", "fail"),
        ("In which city? Without it I can't look up the weather.", "pass"),
        ("In which city? Otherwise I can't look up the weather.", "pass"),
        ("I need the city; otherwise I can't do that.", "pass"),
    ],
)
def test_a_refusal_of_any_request_asks_for_nothing(answer: str, expected: str) -> None:
    """A limit that is about something may stand beside a question."""
    finding = finding_of("What is the weather like there?", answer, asks=["place"])
    assert finding.decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("I can't do that. It is Oslo.", "fail"),
        ("It is Oslo. I have no tool for that.", "fail"),
        ("No tool needed: it is Oslo.", "pass"),
        ("I can't give you a link, but it is Oslo.", "pass"),
        ("Oslo. I can't blame you for the doubt.", "pass"),
    ],
)
def test_a_refusal_of_any_request_answers_nothing(answer: str, expected: str) -> None:
    """Such a refusal costs what follows it, so that it wins nothing beside a right answer."""
    oslo = [{"id": "city", "label": "Oslo", "accepts": ["oslo"]}]
    assert finding_of("What is Norway's capital?", answer, facts=oslo).decided == expected


@each_row(
    ("answer", "decided"),
    [
        ("Which hotel is it? I cannot play music.", "open"),
        ("It is the booking for 3 May. I'm unable to send faxes.", "open"),
        ("Which hotel is it? I have no further access.", "open"),
        ("I don't have your booking number. Which is it? I cannot play music.", "open"),
        ("I cannot play music. I can't change reservations of hotels either.", "pass"),
        ("I cannot reach the internet, so I can't cancel it.", "pass"),
        ("Cancelling isn't among the things I can do.", "pass"),
        ("No can do, I'm afraid.", "pass"),
    ],
)
def test_a_refusal_of_something_else_is_left_to_a_judge(answer: str, decided: str) -> None:
    """Else one sentence about faxes after every answer would refuse whatever cannot be done."""
    finding = finding_of(ACTION, answer, reference=NO_CANCELLING, refuses="action")
    assert finding.decided == decided
