"""Facts that an answer must state: names, numbers, times, sets, pairs."""

from __future__ import annotations

import time
from typing import Any

import pytest

from leaderboard.files.fact_reader import read_facts
from leaderboard.files.findings import Findings
from leaderboard.types import Case, GroundTruth
from scoring.facts.copied_text import without_copies
from scoring.facts.decisions import decide
from scoring.facts.fact_findings import FactFinding
from scoring.facts.stated import statements
from tests.each_row import each_row

AUTHOR = {
    "id": "author",
    "label": "the author, Tove Jansson",
    "accepts": ["tove jansson", "jansson"],
    "rivals": ["astrid lindgren", "lindgren", "lagerlof", "blyton", "milne"],
    "excludes": ["illustrated by jansson"],
}
KEYS = {
    "id": "keys",
    "label": "the number of keys, 88",
    "accepts": [{"number": 88, "unit": "key*"}],
}
SEAS = {
    "id": "seas",
    "label": "both seas",
    "at_least": 2,
    "only": True,
    "any": [
        {"id": "baltic", "label": "the Baltic Sea", "accepts": ["baltic"]},
        {"id": "north", "label": "the North Sea", "accepts": ["north sea"]},
    ],
    "rivals": ["adriatic"],
}
TRAM = {"id": "tram", "label": "the departure, 18:04", "accepts": [{"time": "18:04"}]}
HEAT = {
    "id": "heat",
    "label": "the temperature, 61 °F",
    "accepts": [{"number": 61, "unit": "fahrenheit"}],
}


def case(*facts: Any, query: str = "Who wrote it?", text: str = "", **more: Any) -> Case:
    findings = Findings("cases.json", b"")
    read = read_facts({"facts": list(facts), **more}, findings, ())
    assert findings.found == []
    return Case("C1", "texts", query, GroundTruth(text=text, facts=read), (), {}, "")


def finding(of: Case, text: str) -> FactFinding:
    found = decide(of, text)
    assert found is not None
    return found


def check(of: Case, text: str) -> tuple[str, str]:
    found = finding(of, text)
    return found.decided, found.reason


PASS = ("pass", "facts_stated")
MISSING = ("fail", "fact_missing")
WRONG = ("fail", "contradiction")
OPEN = ("open", "facts_open")

NAMES = [
    ("Tove Jansson.", PASS),
    ("It's by JANSSON, not by Lindgren.", PASS),
    ("None other than Tove Jansson", PASS),
    ("Jansson wrote it. Lindgren is another author.", PASS),
    ("Astrid Lindgren.", MISSING),
    ("It is not by Jansson.", MISSING),
    ("Was it Jansson?", MISSING),
    ("Jansson or Lindgren.", WRONG),
    ("Either Lindgren or Jansson.", WRONG),
    ("Lindgren wrote it, followed by Jansson.", MISSING),
    ("Lindgren, who took over from Jansson.", MISSING),
    ("Jansson, ahead of the young Lindgren and the Blyton of her day.", PASS),
    ("Jansson is the name that most people give, but it's by Lindgren.", WRONG),
    ("It was Jansson, but don't quote me on it.", OPEN),
    ("Jansson, Lindgren.", WRONG),
    ("It was illustrated by Jansson.", WRONG),
    ("It was Jansson or somebody like her.", OPEN),
    ("It was Jansson. I made this up.", OPEN),
    ("It was Jansson. Correction: it was Lindgren.", MISSING),
    ("Janson wrote it.", PASS),
    ("Janson wrote it. No, Lindgren.", MISSING),
    ("Not Janson.", MISSING),
    ("Lindgren: no, it was Jansson.", PASS),
    ("- Lindgren: no, it was Jansson.", PASS),
    ("Name: Jansson: no, Lindgren", MISSING),
    ("Jansson and Lindgren are the ones who wrote it.", WRONG),
    ("People often say Lindgren, but it's actually Jansson.", PASS),
    ("People often say Jansson, but it's actually Lindgren.", WRONG),
    ("Although Lindgren comes to mind, Jansson is right.", PASS),
    ("Lindgren, though some say Jansson.", WRONG),
    ("It is a misconception that it was Lindgren (or Blyton). It was Jansson.", PASS),
    ("Jansson, Lindgren, Lagerlöf, Blyton, Milne", WRONG),
    ("Das Buch ist von einer Finnin.", MISSING),
    # Words of the question are said of both, of one of them, or of none.
    ("Lindgren wrote one but Jansson wrote one.", OPEN),
    ("Lindgren drew it but Jansson wrote it.", PASS),
    ("Lindgren wrote it but Jansson drew it.", WRONG),
    ("Jansson drew it, so Lindgren wrote it.", WRONG),
    ("Jansson wrote it and Lindgren drew the pictures.", PASS),
    ("Good books. Jansson. Lindgren lived there too.", PASS),
    ("Great question! It's Jansson. Lindgren wrote it down.", PASS),
    ("Who wrote it? Lindgren wrote it. Jansson drew it.", WRONG),
    ("Good books. Lindgren lived there too. Jansson.", WRONG),
    ("Lindgren was at home that day. That leaves Jansson.", PASS),
    ("Lindgren was at home that day. Jansson leaves.", WRONG),
    ("A letter from Lindgren made her hurry: Jansson.", PASS),
    ("Lindgren made her hurry at last: Jansson.", PASS),
    ("Lindgren made her hurry at last: Jansson, Blyton.", WRONG),
    ("Jansson did: friends of hers were Blyton, Milne.", PASS),
    ("She wrote more than any Lindgren of her time: Jansson.", PASS),
    ("Good books. Jansson. Lindgren, Lagerlof and Blyton lived there too.", PASS),
    ("Good books. Jansson. Lindgren, Lagerlof, Blyton and Milne lived there too.", WRONG),
]


@pytest.mark.large
@each_row(("text", "expected"), NAMES)
def test_names(text: str, expected: tuple[str, str]) -> None:
    """A name is stated, denied, missing, or offered beside another."""
    assert check(case(AUTHOR), text) == expected


NUMBERS = [
    ("88", PASS),
    ("It has eighty-eight keys: 52 white ones and 36 black ones.", PASS),
    ("52 + 36 = 88", PASS),
    ("It has 85 keys.", MISSING),
    ("It weighs 88 kilos but has 85 keys.", MISSING),
    ("88 hammers but 85 keys.", WRONG),
    ("52 white ones plus 36 black ones make 88.", PASS),
    ("88 or 85.", WRONG),
    ("88, 85 or 97. I hope that helps.", WRONG),
    ("It has 85 to 88 keys.", WRONG),
    ("Between 88 and 97 keys.", WRONG),
    ("88–97 keys.", WRONG),
    ("It has 88 keys, from A0 to C8.", PASS),
    ("It took from 85 to 88 to add the last keys.", WRONG),
    ("It has 52 white keys and 88 more, so 140 keys.", WRONG),
    ("85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95", WRONG),
    ("88 kilometres", MISSING),
    ("88 pairs of keys", MISSING),
    ("88 keys, in rows of pairs", PASS),
    ("Most people guess 85, but it has 88.", PASS),
    ("It has not 85 keys but 88.", PASS),
    ("176, that is 88 for each of the two.", WRONG),
    ("Most people guess 88, but it has 85.", WRONG),
    ("85 black and white keys and 3 more make 88.", PASS),
]


@each_row(("text", "expected"), NUMBERS)
def test_numbers(text: str, expected: tuple[str, str]) -> None:
    """A number is right, wrong, or lost among others."""
    assert check(case(KEYS, query="How many keys does a piano have?"), text) == expected


@each_row(
    ("text", "expected"),
    [
        ("61°F", PASS),
        ("16.1 °C", PASS),
        ("61 degrees", PASS),
        ("61 °C", MISSING),
        ("61 km", MISSING),
        (f"61.{'0' * 30}1 °F", PASS),
        (f"{'1' * 400} °F", MISSING),
    ],
)
def test_units_are_converted(text: str, expected: tuple[str, str]) -> None:
    """Another unit of the same amount is right, the same number of another unit is not."""
    assert check(case(HEAT), text) == expected


@each_row(
    ("number", "unit", "text", "expected"),
    [
        (61, "fahrenheit", "20 °C", MISSING),
        (10, "square kilometres", "10 km²", PASS),
        (10, "square kilometres", "3.86 square miles", PASS),
        (10, "square kilometres", "10 km", MISSING),
        (-5, "celsius", "Minus five degrees.", PASS),
        (-5, "celsius", "5 °C", MISSING),
        (88, "pair*", "88 pairs of keys.", PASS),
        (1, "key*", "One key.", PASS),
        (1, "key*", "One hour.", MISSING),
        (1945, "", "On 30 May 1945.", PASS),
        (1945, "", "In the spring of '45.", PASS),
        (1945, "", "In the spring of '46.", MISSING),
        (1945, "", "On 30 May 1946.", MISSING),
    ],
)
def test_numbers_with_their_units(
    number: int, unit: str, text: str, expected: tuple[str, str]
) -> None:
    """Units of several words, negative numbers, "one", and the year of a date."""
    accepted = {"number": number, **({"unit": unit} if unit else {})}
    fact = {"id": "number", "label": "the number", "accepts": [accepted]}
    assert check(case(fact, query="How much is it?"), text) == expected


def test_a_number_within_an_accepted_form_contradicts_nothing() -> None:
    """The form says the same as the number: "85 and three more"."""
    keys = {**KEYS, "accepts": [*KEYS["accepts"], "85 keys .. 3 more"]}
    of = case(keys, query="How many keys does a piano have?")
    assert check(of, "It has 85 keys and 3 more, all in all 88.") == PASS
    assert check(of, "It has 85 keys, all in all 88.") == WRONG


def test_a_longer_name_is_not_the_right_one() -> None:
    """A form inside a rival's longer name states nothing."""
    fact = {**AUTHOR, "accepts": ["jansson"], "rivals": ["lars jansson"]}
    assert check(case(fact), "It was Lars Jansson.") == MISSING
    assert check(case(fact), "It was Jansson.") == PASS


def test_every_fact_is_needed_and_the_missing_one_is_named() -> None:
    """The detail names the fact for readers."""
    both = case(AUTHOR, TRAM)
    assert check(both, "Jansson, at four past six in the evening") == PASS
    stated = finding(both, "Jansson, 18:04").detail
    assert stated == "States the author, Tove Jansson and the departure, 18:04."
    found = finding(both, "Jansson, at 6:04 am")
    assert found.detail == "The departure, 18:04, is missing."
    assert [(one.label, one.chars is not None) for one in found.found] == [
        ("the author, Tove Jansson", True),
        ("the departure, 18:04", False),
    ]


def test_a_short_label_needs_no_comma() -> None:
    """The sentence reads well with and without an apposition."""
    assert finding(case(SEAS), "The Baltic.").detail == "The North Sea is missing."


def test_the_words_of_a_fact_have_their_place() -> None:
    """The characters are those of the words in the answer as it was written."""
    text = "It leaves at **6.04 p.m.**!"
    (found,) = finding(case(TRAM), text).found
    assert found.chars is not None
    assert text[slice(*found.chars)] == "6.04 p.m."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Baltic and the North Sea.", PASS),
        ("The Baltic.", MISSING),
        ("The Baltic, the North Sea and the Adriatic.", WRONG),
    ],
)
def test_groups(text: str, expected: tuple[str, str]) -> None:
    """As many members as needed, and nothing else."""
    assert check(case(SEAS), text) == expected


def test_a_value_belongs_to_its_record() -> None:
    """A right time with another line's name is a contradiction."""
    times = [{**TRAM, "id": f"t{t[-2:]}", "label": t, "accepts": [t]} for t in ("07:30", "07:45")]
    lines = case(*times, pairs={"Line 2": "07:30", "Line 5": "07:45"})
    assert check(lines, "Line 2 leaves at 7:30, line 5 at 7:45.") == PASS
    assert check(lines, "At 7:30 line 2, at 7:45 line 5.") == PASS
    assert check(lines, "At 7:30 and 7:45.") == PASS
    assert check(lines, "Line 5 leaves at 7:30, line 2 at 7:45.") == WRONG


def test_details_of_the_reference_are_not_contradicted() -> None:
    """A year that the reference gives, too, must be that year. Further years are free."""
    dated = case(AUTHOR, text="Tove Jansson wrote it around 1945.")
    assert check(dated, "Jansson, in 1945") == PASS
    assert check(dated, "Jansson, in 1946") == PASS
    assert check(dated, "Jansson (born 1914), in 1945") == PASS
    assert check(dated, "Jansson, in 1845") == WRONG


def test_what_is_copied_from_the_question_states_nothing() -> None:
    """An echo gives no answer, and a judge does not read it."""
    asked = case(AUTHOR, query="Which of the two wrote the books, Jansson or Lindgren?")
    echo = "Which of the two wrote the books, Jansson or Lindgren?"
    assert check(asked, echo) == MISSING
    assert check(asked, f"{echo} Jansson.") == PASS
    assert without_copies(asked, f"You ask: {echo} Well, hm.") == "You ask: Well, hm."


def test_a_fact_in_copied_words_alone_is_not_called_missing() -> None:
    """The verdict says why it does not count: the words are there."""
    weight = {"id": "w", "label": "up to 10 kg", "accepts": [{"number": 10, "unit": "kg"}]}
    rules = "May dogs stay? House rules: dogs up to 10 kg are welcome for 15 euros a night."
    copied = finding(case(weight, query=rules), "Yes, dogs up to 10 kg are welcome for €15 a night")
    assert copied.reason == "fact_missing"
    assert copied.detail == "Up to 10 kg is stated only in words that are copied from the question."
    assert check(case(weight, query=rules), "Yes, if they weigh 10 kg at most") == PASS
    named = finding(case(weight, query=rules), "Yes, dogs up to 20 kg are welcome for €15 a night")
    assert "copied" not in named.detail


def test_reasons_are_left_to_the_judge() -> None:
    """Explanations have too many right words to fail by rule."""
    why = case(AUTHOR, query="Why is it so famous?")
    assert check(why, "Because of its language.") == OPEN


def test_long_answers_are_left_to_the_judge() -> None:
    """More than 150 words may hold anything."""
    assert check(case(AUTHOR), "Jansson. " + "It is a good book. " * 40) == OPEN


@pytest.mark.large
def test_no_text_takes_long() -> None:
    """A hundred times the text does not take longer, and a longer text never passes by rule."""

    def seconds(times: int) -> float:
        text = "Jansson, not Lindgren. Blyton or Jansson? 88 keys, 1945. " * times
        start = time.process_time()
        assert finding(case(AUTHOR, KEYS), text).decided != "pass"
        return time.process_time() - start

    seconds(10)
    assert seconds(10_000) < 3 * min(seconds(100) for _ in range(3)) + 0.2


@pytest.mark.large
def test_t12_offered_choices_are_read_once() -> None:
    """What each "or" offers is looked up. It is not searched for in the whole answer again."""

    def seconds(text: str) -> float:
        start = time.process_time()
        assert check(case(AUTHOR), (text * 1000)[:5990]) == OPEN
        return time.process_time() - start

    seconds("Jansson so ")
    assert seconds("Jansson or ") < 4 * seconds("Jansson so ") + 0.2


@pytest.mark.large
def test_t12_each_number_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is denied is asked for each fact and each check, and worked out once."""
    looked_at: list[object] = []

    def denied(_passage: object, match: object, _repeated: object) -> bool:
        looked_at.append(match)
        return False

    monkeypatch.setattr(statements, "denied", denied)
    assert check(case(KEYS), "88, " * 200) == OPEN
    assert len(set(looked_at)) == len(looked_at) == 200


def test_a_case_without_facts_is_not_decided() -> None:
    """Suites without facts go to the judge as before."""
    bare = Case("C1", "texts", "Who?", GroundTruth(text="Jansson"), (), {}, "")
    assert decide(bare, "Jansson") is None


YEAR = {"id": "year", "label": "the year, 1945", "accepts": [{"number": 1945}]}


@each_row(
    ("answer", "decided"),
    [
        ("It was 1946, a year after the war ended in 1945.", "fail"),
        ("1945, a year before 1946.", "pass"),
        ("Not 1946, but 1945.", "pass"),
        ("1914 or 1945.", "fail"),
        ("It was in 1914, or maybe in 1945.", "fail"),
        ("It was in 1945, or in 1914.", "fail"),
        ("Here it is. 1914 or 1945.", "fail"),
        ("It was in 1945. Or in winter.", "pass"),
        ("1945 or 1914.", "fail"),
        ("It was in 1945 or in the late 1914.", "fail"),
        ("It was in 1945 or in the very late 1914.", "open"),
        ("It was in 1945, or", "pass"),
    ],
)
def test_another_number_that_opens_an_answer_is_its_answer(answer: str, decided: str) -> None:
    """What follows explains it, unless it concludes something else."""
    assert check(case(YEAR, query="In which year?"), answer)[0] == decided


def test_a_candidate_that_opens_an_answer_is_its_answer() -> None:
    """The right name in the explanation that follows does not help."""
    answer = "Astrid Lindgren, since Tove Jansson only drew it."
    assert check(case(AUTHOR), answer)[0] == "fail"
    assert check(case(AUTHOR), "Tove Jansson was the second one.")[0] == "fail"
    assert check(case(AUTHOR), "Lindgren; Tove Jansson was the second.")[0] == "fail"
    assert check(case(AUTHOR), "Enid Mary Blyton, who met Tove Jansson.")[0] == "fail"
    assert check(case(AUTHOR), "Es war Lindgren, nicht Jansson.")[0] == "fail"


@each_row(
    ("text", "expected"),
    [
        ("Jansson. Lindgren wrote a book.", PASS),
        ("Jansson. Lindgren wrote a famous book.", OPEN),
        ("Jansson. Lindgren sold the most.", OPEN),
    ],
)
def test_three_words_of_the_question_make_a_rival_a_second_answer(
    text: str, expected: tuple[str, str]
) -> None:
    """A word that compares counts as three."""
    asked = case(AUTHOR, query="Who wrote the most famous book about summer?")
    assert check(asked, text) == expected


@each_row(
    ("text", "expected"),
    [
        ("Your place is colder; Vantris has the higher temperature.", PASS),
        ("Your place is colder than Vantris.", PASS),
        ("Vantris beats your place.", PASS),
        ("Your place is not colder than Vantris.", MISSING),
        ("Vantris has the lower temperature.", MISSING),
        ("Your place beats Vantris.", MISSING),
        ("Vantris is colder. Your place is warmer.", MISSING),
        ("Vantris has the lower rainfall and is warmer.", PASS),
    ],
)
def test_the_losing_side_of_a_comparison(text: str, expected: tuple[str, str]) -> None:
    """What is said to be the opposite of what is asked loses, and what follows "than" wins."""
    warmer = {
        "id": "place",
        "label": "the warmer place, Vantris",
        "accepts": ["vantris"],
        "rivals": ["your place"],
    }
    assert check(case(warmer, query="Is it warmer in Vantris or at my place?"), text) == expected


def test_values_of_something_else_do_not_contradict_details() -> None:
    """A span around the value of the reference, and a year in a sentence of its own."""
    of = case(AUTHOR, text="Tove Jansson wrote it in 1945.")
    assert check(of, "Tove Jansson wrote it in 1946.")[0] == "fail"
    assert check(of, "Tove Jansson (1914–2001).")[0] == "pass"
    assert check(of, "Tove Jansson, who was born in 1914.")[0] == "pass"
    assert check(of, "Tove Jansson, in 1946, long before she died.")[0] == "fail"
    assert check(of, "Tove Jansson. In 1966 she got a medal.")[0] == "open"


@each_row(
    ("text", "expected"),
    [
        ("Jansson. Lindgren.", WRONG),
        ("Jansson - Lindgren", WRONG),
        ("Jansson, the Lindgren", WRONG),
        ("Final answer: Jansson / Lindgren", WRONG),
        ("Jansson wrote it. Lindgren.", PASS),
        ("Jansson, Lindgren. Would you like to know more?", WRONG),
        ("Jansson, Lindgren. Let me know if you need anything else.", WRONG),
        ("Jansson, Lindgren. Both are famous.", WRONG),
        ("Jansson, Blyton or Lindgren wrote it.", WRONG),
        ("Possible answers: Jansson, Lindgren. I hope that helps.", WRONG),
        ("I thought it was Jansson, but Lindgren wrote it.", WRONG),
        ("I thought it was Lindgren, but Jansson wrote it.", PASS),
        ("It was said to be Jansson, yet it was Lindgren.", WRONG),
        ("Jansson; Blyton and Lindgren wrote others.", PASS),
        ("Jansson. Would you like to know more?", PASS),
    ],
)
def test_a_list_of_names_is_no_answer(text: str, expected: tuple[str, str]) -> None:
    """It must say something of the right one. Small words and signs say nothing."""
    assert check(case(AUTHOR, query="Who wrote The Summer Book?"), text) == expected


def test_what_is_not_read_to_its_end_cannot_pass() -> None:
    """Blanks would hide a correction from the facts, and pages show none of them."""
    hidden = "." + " " * 6000 + "No, all of that is wrong."
    asked = case(AUTHOR)
    assert check(asked, "It was Jansson.") == PASS
    finding = decide(asked, f"It was Jansson{hidden}")
    assert finding is not None
    assert (finding.decided, finding.reason) == ("fail", "too_long")
    assert check(asked, "It was Jansson." + " " * 6000) == PASS


@pytest.mark.large
def test_what_facts_do_not_read_reaches_no_judge() -> None:
    """A preface, foreign or long, would let a judge read a list that no fact has seen."""
    names = "jansson lindgren lagerlof blyton milne"
    foreign = "Ich denke, das ist so, und die Sache ist nicht sehr einfach. "
    for preface in (foreign, foreign * 10, foreign * 200, "It is a good book. " * 400):
        assert check(case(AUTHOR), preface + names)[0] == "fail"
    assert check(case(AUTHOR), "Das Buch ist von Tove Jansson.") == PASS
