"""Claims that are denied, answers labelled as wrong, and verdicts on what was said before."""

from __future__ import annotations

from scoring.facts.retractions import called_wrong, labelled_wrong, untrue_claims
from scoring.facts.sentences import read_passage
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

CAPITAL = "Which city is the capital of Australia?"
CANBERRA = [{"id": "city", "label": "Canberra", "accepts": ["canberra"], "rivals": ["sydney"]}]
NO_DAY = {"type": "no_such_day", "day": "2026-11-31"}


@each_row(
    ("text", "claim"),
    [
        ("It is not true that Sydney is the capital.", "sydney is the capital"),
        (
            "It's false that Sydney, by far the largest city, is it.",
            "sydney , by far the largest city , is it",
        ),
        ("It would be a lie to claim that it is Sydney, but many do.", "it is sydney ,"),
        ("It's not the case that Sydney is the capital; Canberra is.", "sydney is the capital ,"),
        ("It's a myth that it is Sydney – Canberra is.", "it is sydney ,"),
        ("It is untrue that I know, so which city?", "i know ,"),
        ("It is true that it is Canberra.", ""),
        ("That is not true. It is Canberra.", ""),
    ],
)
def test_where_a_denied_claim_ends(text: str, claim: str) -> None:
    """At the end of its sentence, or before a clause that says something else."""
    passage = read_passage(text)
    claims = [passage.text_of(one) for one in untrue_claims(passage)]
    assert claims == ([claim] if claim else [])


@each_row(
    ("answer", "expected"),
    [
        ("It is not true that the capital, a rather small city, is Canberra.", "fail"),
        ("It's inaccurate to state that the name of that city is Canberra.", "fail"),
        ("An incorrect reply: the capital is Canberra.", "fail"),
        ("What many mistakenly believe about it: the capital is Canberra.", "fail"),
        ("It would be misleading to write this: Canberra.", "fail"),
        ("Never answer this: Canberra.", "fail"),
        ("The following answer is false: Canberra.", "fail"),
        ("A made-up answer:\n\nCanberra.", "fail"),
        ("My neighbour says: Canberra. My own view is different.", "fail"),
        ("> It is Canberra.\n\nThe text above is rubbish.", "fail"),
        ("It is Canberra. That is simply untrue.", "fail"),
        ("It is Canberra. None of this is true.", "fail"),
        ("I don't for a moment believe that the capital of that country is Canberra.", "fail"),
        ("No one who knows it says that the capital of that country is Canberra.", "fail"),
        ("It is Canberra. The contrary is true.", "fail"),
        ("It is Canberra. The contrary is true of Sydney.", "pass"),
        ("I don't think that it's Sydney, but Canberra.", "pass"),
        ("It is Canberra. I believe they were mistaken.", "fail"),
        ("It is not true that Sydney is the capital; Canberra is.", "pass"),
        ("It's a misconception that the capital is Sydney. It is Canberra.", "pass"),
        ("It would be wrong to say that it is Sydney: it is Canberra.", "pass"),
        ("That's wrong: it is Canberra.", "pass"),
        ("Canberra. Wrong answers would be: Sydney.", "pass"),
        ("A wrong answer: Sydney. The right answer: Canberra.", "pass"),
        ("What people wrongly say: Sydney. In fact it is Canberra.", "pass"),
        ("A common misconception: Sydney. It is Canberra.", "pass"),
        ("Myth: Sydney.\n\nFact: Canberra.", "pass"),
        ("Wrong answer: Sydney.\n\nThe capital is Canberra.", "pass"),
        ("You say that it is Sydney. That is wrong: it is Canberra.", "pass"),
        ("It's a myth that it is Sydney: it is Canberra.", "pass"),
        ("It's a misconception that it is Sydney (it is Canberra).", "pass"),
        ("Canberra. Many name Sydney. I disagree with them.", "pass"),
        ("Canberra. Some say there is none. None of this is true.", "pass"),
        ("Canberra. Some hold that it is Sydney. The opposite is true.", "pass"),
        ("Wrong answer: Sydney. Canberra is the capital.", "pass"),
        ("Others say Sydney. My answer is different: Canberra.", "pass"),
        ("Canberra. It is not true that it is Sydney.", "pass"),
        ("Canberra. That is not Sydney.", "pass"),
    ],
)
def test_an_answer_that_is_taken_back_states_nothing(answer: str, expected: str) -> None:
    """What is said of a wrong answer does not count, and neither does the wrong answer."""
    assert finding_of(CAPITAL, answer, facts=CANBERRA).decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("It is not true that 31 November does not exist.", "fail"),
        ("It's false that November has only 30 days, so 31 November is fine.", "fail"),
        ("Here is an incorrect reply: 31 November does not exist.", "fail"),
        ("31 November does not exist. My real answer is something else.", "fail"),
        ("31 November does not exist. I disagree with that.", "fail"),
        ("It is not true that November has 31 days: it has 30.", "pass"),
        ("That's wrong: there is no 31 November.", "pass"),
        ("The date is wrong: November has only 30 days.", "pass"),
        ("31 November does not exist. That is wrong, so which day is it?", "pass"),
        ("Your request has a false date: there is no 31 November.", "pass"),
    ],
)
def test_a_fault_that_is_called_untrue_is_not_named(answer: str, expected: str) -> None:
    """A false claim that is called untrue names the fault. "That is wrong" confirms it."""
    query = "Remind me of it on 31 November 2026."
    assert finding_of(query, answer, fault=NO_DAY).decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("It is not true that I need to know in which city.", "fail"),
        ("It is not true that I need to know this: in which city?", "pass"),
        ("A silly response: In which city?", "fail"),
        ("In which city? The above is nonsense.", "fail"),
        ("In which city? This is nonsense.", "fail"),
        ("It's not true that I know where you live, so in which city?", "pass"),
        ("In which city? It would be wrong to guess.", "pass"),
        ("I don't believe that you said where you are. In which city?", "pass"),
        ("It would be wrong to say something now: in which city?", "pass"),
    ],
)
def test_a_question_that_is_taken_back_asks_nothing(answer: str, expected: str) -> None:
    """What the question is about may be denied."""
    finding = finding_of("What is the weather like there?", answer, asks=["place"])
    assert finding.decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("It is untrue that I am unable to cancel the booking.", "fail"),
        ("I can't cancel it. That is not my answer.", "fail"),
        ("Something that nobody should say: I can't cancel bookings.", "fail"),
        ("It isn't true that I can cancel it: I have no tool for that.", "pass"),
        ("I can't cancel bookings. It would be wrong to say that I could.", "pass"),
        ("I don't think that I'm able to cancel bookings.", "pass"),
        ("I don't think that's possible.", "pass"),
        ("It would be a lie to say that I can cancel it. I can't.", "pass"),
    ],
)
def test_a_refusal_that_is_taken_back_is_none(answer: str, expected: str) -> None:
    """To deny an ability is a refusal."""
    assert finding_of("Cancel the booking.", answer, refuses="action").decided == expected


@each_row(
    ("text", "labelled"),
    [
        ("A wrong answer: Oslo. Bergen. Actually, Rome.", ["a wrong answer , oslo"]),
        ("Rome – a common lie: Oslo. Bergen.", ["a common lie , oslo"]),
        ("A wrong answer to it:\n\n- Oslo\n\nCorrect: Rome", ["a wrong answer to it", "oslo"]),
        ("The wrong answer is Oslo. Rome: yes.", []),
        ("A wrong answer is Oslo: Rome is right.", []),
        ("I won't give you a made-up answer: Rome.", []),
        ("To avoid a wrong answer: Rome.", []),
        ("Myths aside: Rome.", []),
        ("You get a false sentence: 4 = 9.", []),
    ],
)
def test_what_a_label_is_about(text: str, labelled: list[str]) -> None:
    """The rest of its sentence, or the sentence below it. Who avoids a wrong answer gives none."""
    passage = read_passage(text)
    assert sorted({passage.text_of(one) for one in labelled_wrong(passage)}) == sorted(labelled)


def test_a_verdict_without_a_sentence_before_it_takes_nothing_back() -> None:
    """The user's own claim is what it is about."""
    assert not [*called_wrong(read_passage("That is wrong. It is Rome."))]
