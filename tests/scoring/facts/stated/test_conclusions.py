"""Answers that show their working: the conclusion decides, and dumping everything does not help."""

from __future__ import annotations

from scoring.facts.decisions import decide
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of
from tests.scoring.facts.made_up_answers import cases, suite

QUERY = "Which of the cities Lima, Oslo and Rome is the coldest right now?"
CITY = {
    "id": "city",
    "label": "the city, Oslo",
    "accepts": ["oslo"],
    "rivals": ["lima", "rome", "cairo"],
}
WORKING = "- Lima: 20 degrees\n- Oslo: 3 degrees\n- Rome: 15 degrees\n\n"


@each_row(
    ("answer", "decided"),
    [
        (f"{WORKING}Oslo is the coldest.", "pass"),
        (f"{WORKING}Oslo is the coldest. Let me know if you need anything else!", "pass"),
        (f"{WORKING}Oslo is the coldest. Shall I look up Cairo?", "pass"),
        (f"{WORKING}Lima has 20 degrees and Rome has 15, so it is Oslo.", "pass"),
        (WORKING, "fail"),
        (f"{WORKING}Rome is the coldest.", "fail"),
        (f"{WORKING}Oslo or Rome is the coldest.", "fail"),
        (f"{WORKING}I like Oslo.", "fail"),
        (f"{WORKING}Rome is the coldest city right now. Oslo is the coldest.", "fail"),
        (f"Rome. {WORKING}Oslo is the coldest.", "fail"),
        (f"{WORKING}Oslo is the coldest. No wait, it is Rome.", "fail"),
        ("Oslo has 3 degrees, Lima 20. Rome is the coldest.", "fail"),
    ],
)
def test_a_conclusion_decides(answer: str, decided: str) -> None:
    """It says what is asked, alone and last, and no sentence says as much about a rival."""
    assert decided == finding_of(QUERY, answer, facts=[CITY]).decided


@each_row(
    ("answer", "decided"),
    [
        ("380 calories in total, so 280 on average.", "pass"),
        ("280 calories in total, so 93 on average.", "fail"),
        ("280 calories on average, so 14 % of a day.", "pass"),
        ("The sum is 840 calories, so the average is 280. So it is 3 foods, 280 calories.", "pass"),
        ("280 calories on average. So not 300.", "pass"),
    ],
)
def test_the_number_after_so_is_the_answer(answer: str, decided: str) -> None:
    """Another one contradicts, unless it is denied or counts something else."""
    average = {"id": "n", "label": "280", "accepts": [{"number": 280, "unit": "calorie"}]}
    query = "How many calories does a food have on average?"
    assert decided == finding_of(query, answer, facts=[average]).decided


@each_row(
    ("answer", "decided"),
    [
        ("The city that has no port is Oslo.", "pass"),
        ("The city without a port is Oslo.", "fail"),
        ("The city with no sea is Oslo.", "fail"),
    ],
)
def test_a_denial_of_the_question_denies_no_answer(answer: str, decided: str) -> None:
    """Only the same words: a denial of anything else before a name denies the name."""
    query = "Which city has no port?"
    assert decided == finding_of(query, answer, facts=[CITY]).decided


@each_row(
    ("answer", "decided"),
    [
        ("Lentil Soup contains no milk. Mushroom Risotto and Cheese Toast both do.", "pass"),
        ("Risotto: milk. Toast: milk, wheat. So Lentil Soup contains no milk.", "pass"),
        ("Fanno, Snowmere, crimson, teal, Vantris, 370, 545, 840. Lentil Soup.", "fail"),
        ("Lentil Soup. Fanno, Snowmere, crimson, teal, Vantris, 370, 545, 840.", "fail"),
    ],
)
def test_names_of_other_answers_beside_a_conclusion(answer: str, decided: str) -> None:
    """In a closed world they explain a sentence that answers the question, and no bare name."""
    (case,) = (one for one in cases("tool_usage", "relational_data") if one.id == "tu-108")
    category = suite("tool_usage").category("relational_data")
    finding = decide(case, answer, category)
    assert finding is not None
    assert decided == finding.decided
