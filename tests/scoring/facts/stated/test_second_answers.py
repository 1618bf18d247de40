"""Answers that are given twice: changed, called the answer at the end, or offered as a choice."""

from __future__ import annotations

from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

QUERY = "Which city is the coldest right now?"
CITY = {
    "id": "city",
    "label": "the city, Oslo",
    "accepts": ["oslo"],
    "rivals": ["lima", "rome", "cairo", "quito", "bern"],
}
STRINGS = {
    "id": "strings",
    "label": "the number of strings, 4",
    "accepts": [{"number": 4, "unit": "string*"}],
}


def decided(answer: str) -> str:
    return finding_of(QUERY, answer, facts=[CITY]).decided


@each_row(
    ("answer", "expected"),
    [
        # Changed.
        ("Oslo is the coldest city. Actually, Rome.", "fail"),
        ("Rome is the coldest city. Actually, Oslo.", "pass"),
        ("Oslo is the coldest city. Or rather, it is Old Rome.", "fail"),
        ("Oslo is the coldest city. Actually, the coldest city is Rome.", "fail"),
        ("Oslo. Actually, Rome was colder yesterday.", "pass"),
        ("Oslo. Actually, Rome.  Actually, Oslo.", "pass"),
        ("Actually, Oslo is the coldest. Rome is far away.", "pass"),
        ("Lima. Actually, Rome. Actually, Cairo. Actually, Quito. Actually, Oslo.", "fail"),
        ("Oslo is the coldest city. After checking again I get Rome.", "fail"),
        ("Rome. After checking again I get Oslo.", "pass"),
        ("Oslo. I checked again: it is Rome.", "fail"),
        ("Oslo. After checking again I get the same.", "pass"),
        ("Oslo. After checking again, Rome is the largest of them.", "pass"),
        ("I'd say Oslo, but it is really Rome.", "fail"),
        ("I'd say Rome, but it is really Oslo.", "pass"),
        # Corrected in the sentence after it.
        ("Oslo. Sorry, I misread the table. The correct value is Rome.", "fail"),
        ("Rome. Sorry, I misread the table. The correct value is Oslo.", "pass"),
        ("Oslo is the coldest city. Sorry, I was mistaken. It is Rome.", "fail"),
        ("Oslo is the coldest city. The previous sentence is false.", "fail"),
        ("Oslo is the coldest city. What I just said is wrong.", "fail"),
        ("Oslo is the coldest city. The previous sentence is all you need.", "pass"),
        ("Oslo is the coldest city. Sorry for the short answer.", "pass"),
        ("My previous answer was wrong. Oslo is the coldest city.", "pass"),
        # Called the answer.
        ("Oslo is the coldest city.\n\n**Final answer:** Rome", "fail"),
        ("Oslo is the coldest city.\nAnswer: Rome, which has 3 degrees.", "fail"),
        ("Rome has 15 degrees, Lima 20.\n\nFinal answer: Oslo", "pass"),
        ("Rome first. Final answer: not Rome but Oslo.", "pass"),
        # Offered as a choice.
        ("Oslo is the coldest city. If that is wrong, it is Rome.", "fail"),
        ("Oslo is the coldest city. Otherwise Rome.", "fail"),
        ("I like Rome. Alternatively, the coldest city is Oslo.", "fail"),
        ("Oslo. Otherwise I would fly to Rome.", "pass"),
        ("Oslo. Or, in full, Oslo in Norway. Rome is far away.", "pass"),
        # In other languages.
        ("Das ist Oslo. Eigentlich Rome.", "fail"),
        ("C'est la ville d'Oslo. En fait, Rome.", "fail"),
        ("Es la ciudad de Oslo. Si no, Rome.", "fail"),
        ("La città è Oslo. Oppure Rome.", "fail"),
        ("Die Stadt ist Oslo. Eigentlich war Rome gestern dran.", "pass"),
    ],
)
def test_a_name_that_is_given_again(answer: str, expected: str) -> None:
    """It counts if its sentence says no more than that; else it may explain the answer."""
    assert decided(answer) == expected


@each_row(
    ("answer", "expected"),
    [
        ("Answer: Rome. Answer: Oslo.", "fail"),
        ("Answer: Oslo. Other answer: Rome.", "fail"),
        ("Choice: Rome. Next choice: Lima. Next choice: Oslo.", "fail"),
        ("Rome is a city but Oslo is coldest.", "pass"),
        ("Rome is one city. But Oslo is one city.", "open"),
    ],
)
def test_candidates_with_equal_labels(answer: str, expected: str) -> None:
    """Labels give every name of a list the same weight, so the first one counts."""
    assert decided(answer) == expected


@each_row(
    ("answer", "expected"),
    [
        ("It has four strings. Actually, six.", "fail"),
        ("It has four strings.\n\nFinal answer: 5", "fail"),
        ("It has four strings. If that is wrong, it is five strings.", "fail"),
        ("It has four strings. Actually, the bow is 75 cm long.", "pass"),
        ("It has four strings. Or rather: 4.", "pass"),
        ("It has four strings, made in 1990. Final answer: 4", "pass"),
        ("It is wood. Actually, I paid 300 dollars for it.", "fail"),
    ],
)
def test_a_number_that_is_given_again(answer: str, expected: str) -> None:
    """Another number of the same kind replaces the right one."""
    query = "How many strings does a violin have?"
    assert finding_of(query, answer, facts=[STRINGS]).decided == expected
