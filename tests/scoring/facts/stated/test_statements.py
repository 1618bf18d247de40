"""What an answer states, and what of its text states nothing."""

from __future__ import annotations

from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

QUERY = "Which city is the coldest right now?"
CITY = {
    "id": "city",
    "label": "the city, Oslo",
    "accepts": ["oslo"],
    "rivals": ["lima", "rome"],
}


@each_row(
    ("answer", "expected"),
    [
        ("~~Oslo~~ Rome", "fail"),
        ("~~Rome~~ **Oslo**", "pass"),
        ("It's ~~Rome or\nLima~~ Oslo.", "pass"),
        ("~~Rome\n\nOslo~~", "fail"),
        ("About ~5 degrees in Oslo, and ~20 in Rome.", "pass"),
    ],
)
def test_what_is_struck_out_states_nothing(answer: str, expected: str) -> None:
    """Markdown's two tildes withdraw what is between them, within a paragraph."""
    assert finding_of(QUERY, answer, facts=[CITY]).decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("Oslo is warmer than Rome, which is the coldest.", "fail"),
        ("Oslo is milder than Rome, which is the coldest.", "fail"),
        ("Oslo is colder than Rome, which is the second coldest.", "pass"),
        ("Oslo is colder than Lima, but not as cold as Rome.", "fail"),
        ("Oslo is the coldest, but not as wet as Rome.", "pass"),
        ("Oslo is the coldest; Rome is not as cold.", "pass"),
        ("Oslo; the others are warmer.", "pass"),
        ("Oslo is cold, but Rome is the coldest.", "fail"),
        ("Oslo; it is warmer than Rome.", "fail"),
        ("Oslo; warmer than Rome.", "fail"),
        ("Oslo; the warmest.", "fail"),
        ("Oslo; which is the warmest", "fail"),
        ("**Oslo**; no, it is warmer than where you are.", "fail"),
        ("Oslo, since Rome and Lima are milder.", "pass"),
        ("Oslo, at 28 °F; Rome is milder.", "pass"),
        ("Oslo, while Rome is warmer.", "pass"),
        ("Oslo, which is warmer than Rome.", "fail"),
        ("While Oslo is warmer than Rome, both are nice.", "fail"),
        ("I looked it up. While Oslo is warmer than Rome, both are nice.", "fail"),
        ("I looked it up. While Rome is warmer, Oslo is the coldest.", "pass"),
        ("I looked it up. Whereas Oslo is warmer, while Rome is the coldest.", "fail"),
    ],
)
def test_a_relative_clause_after_than_is_about_the_name_there(answer: str, expected: str) -> None:
    """Another name is the answer if it has more. What is said of it is not said of the first."""
    assert finding_of(QUERY, answer, facts=[CITY]).decided == expected


@each_row(
    ("query", "answer", "expected"),
    [
        ("Which city is closest?", "Oslo is farther than Rome.", "fail"),
        ("Which city is closest?", "Oslo is nearer than Rome, which is farther.", "pass"),
        ("Where is the soil hardest?", "Oslo has softer soil than Rome.", "fail"),
        ("Where does it get dark later?", "Oslo is earlier.", "fail"),
        ("Where does it get dark later?", "Oslo; it is earlier in Rome.", "pass"),
        ("Where does it get dark later?", "Oslo (23:20), in Rome it is earlier.", "pass"),
        ("Where does it get dark later?", "Oslo has it earlier than Rome.", "fail"),
        ("Where is the soil hardest?", "Oslo is the softest.", "fail"),
        ("Which city is closest?", "Oslo, even at its farthest.", "pass"),
        ("Which city is closest?", "Oslo; Rome is farther than Oslo.", "pass"),
        ("Where is the soil hardest?", "Oslo has it, above all softer stones.", "pass"),
        ("Where are the most parks?", "Oslo has many, but not as many as Rome.", "fail"),
        ("Where is the soil hardest?", "Oslo is second to none.", "pass"),
        ("Which city is farthest?", "Oslo is far, but not as far as Rome.", "fail"),
        ("Which city is biggest?", "Oslo is big, but not as big as Rome.", "fail"),
        ("Which city is largest?", "Oslo is large, but not as large as Rome.", "fail"),
        ("Which city is driest?", "Oslo is dry, but not as dry as Rome.", "fail"),
        ("Which train is fastest?", "Oslo is the fastest, but not as far as Rome.", "pass"),
        ("Which route is longest?", "Oslo is the longest, but not as low as Rome.", "pass"),
    ],
)
def test_opposites_of_comparing_words(query: str, answer: str, expected: str) -> None:
    """The opposite of what is asked makes a name the losing one."""
    assert finding_of(query, answer, facts=[CITY]).decided == expected


@each_row(
    ("query", "answer", "expected"),
    [
        ("Which city is able to grow oranges?", "Oslo can't grow oranges.", "fail"),
        ("Which city is able to grow oranges?", "Oslo is unable to grow oranges.", "fail"),
        ("Which city is able to grow oranges?", "Oslo can grow oranges.", "pass"),
        ("Which city is able to grow oranges?", "Oslo; Rome can't grow oranges.", "pass"),
        ("Which city is able to grow oranges?", "Oslo can't complain: it grows them.", "pass"),
        ("Which city has no river?", "Oslo has a river, too.", "fail"),
        ("Which city has no river?", "Oslo also has a river.", "fail"),
        ("Which city has no river?", "Oslo has no river. Rome has no river, either.", "fail"),
        ("Which city has no river?", "Oslo has no river.", "pass"),
        ("Which city has no river?", "Oslo does not have any river.", "pass"),
        ("Which city has no river?", "Oslo. Rome and Lima have a river.", "pass"),
        ("Which city has no river?", "Oslo has hills, and Rome has a river.", "pass"),
    ],
)
def test_a_name_without_what_is_asked(query: str, answer: str, expected: str) -> None:
    """It cannot do what is asked, or has what the question wants lacking."""
    assert finding_of(query, answer, facts=[CITY]).decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("Of Lima, Oslo and Rome, Oslo is the coldest.", "pass"),
        ("Of Lima, Oslo and Rome, Rome is the coldest.", "fail"),
        ("Among Lima, Rome, and Oslo, it is Oslo.", "pass"),
        ("The coldest of Lima, Rome and Oslo is Oslo.", "pass"),
        ("One of Lima, Oslo and Rome.", "fail"),
        ("The city of Oslo.", "pass"),
        ("It is Oslo Rome.", "fail"),
    ],
)
def test_candidates_of_which_one_is_chosen(answer: str, expected: str) -> None:
    """A list after "of" says what was asked. It states none of its names."""
    assert finding_of(QUERY, answer, facts=[CITY]).decided == expected


@each_row(
    ("answer", "expected"),
    [
        ("No.", "pass"),
        ("No, they can't.", "pass"),
        ("No worries, everybody can stay.", "fail"),
        ("Everybody can stay, no doubt.", "fail"),
    ],
)
def test_an_idiom_with_no_is_no_answer(answer: str, expected: str) -> None:
    """It only looks as if it stated the answer "no"."""
    no = {"id": "no", "label": "no", "accepts": ["no"], "rivals": ["yes"]}
    assert finding_of("Can somebody stay?", answer, facts=[no]).decided == expected
