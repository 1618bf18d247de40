"""The grade that is read from a judge's reply, in each of the three vocabularies."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.providers import PROVIDERS
from scoring.judging.replies import (
    EQUIVALENCE,
    PREFERENCE,
    SOLVED,
    Vocabulary,
    comment,
    parse,
    vocabulary_of,
)
from tests.each_row import each_row


@each_row(
    ("text", "grade"),
    [
        ("equivalent", "equivalent"),
        ("different", "different"),
        ("Equivalent", "equivalent"),
        ("\n\nequivalent", "equivalent"),
        ("equivalent.", "equivalent"),
        ("**equivalent**", "equivalent"),
        ('"equivalent"', "equivalent"),
        ("`different`", "different"),
        ("equivalent \nsame city", "equivalent"),
        ("equivalent\r\nsame city", "equivalent"),
        ("equivalent: yes", "equivalent"),
        ("**Different**, because the units differ.", "different"),
        ("different\nThe one is not equivalent to the other.", "different"),
        ("not equivalent", "different"),
        ("**Not equivalent**: other city", "different"),
        ('not "equivalent"', None),
        ("'equivalent'\ndifferent", None),
        # a grade on a line of its own
        ("Both name the same city.\n\nequivalent", "equivalent"),
        ("different\nNo doubt.\n**not equivalent**", "different"),
        # two different grades
        ("equivalent\nOn second thought:\ndifferent", None),
        ("different\nNo, they are the same.\n**equivalent**", None),
        ("equivalent\nwait\nnot equivalent.", None),
        ("equivalent different", None),
        ("equivalent and different", None),
        ("equivalent\ndifferent: another city", None),
        ("different\nThe answer is correct", None),
        # a quotation in the middle of a reply is not the judge's own word
        ('different\nThe answer merely says\n"equivalent"', "different"),
        ("different\n`equivalent`\nis what the text claims.", "different"),
        # nothing to rely on
        ("\u00a0equivalent\u2003yes", "equivalent"),
        ("", None),
        ("\u00a0", None),
        (" \n***\n", None),
        ("yes", None),
        ("I think they are equivalent.", None),
        ("not different", None),
        ("not quite equivalent", None),
        ("nonequivalent", None),
        ("equivalent or different", None),
        ("equivalent/different", None),
        ("equivalent?", None),
        ("equivalence", None),
        # the other pair of words for the same two grades
        ("GRADE: CORRECT", "equivalent"),
        ("Grade:  incorrect", "different"),
        ("**GRADE:** CORRECT", "equivalent"),
        ("Grade: different", "different"),
        ("COMPARISON: CORRECT", "equivalent"),
        (" CORRECT", "equivalent"),
        ("### Correct!", "equivalent"),
        ("[INCORRECT]", "different"),
        ("CORRECT The answer names the same city.", "equivalent"),
        ("Correct, both name Lima.", "equivalent"),
        ("Incorrect because the city is another one.", "different"),
        ("Both name Lima. GRADE: CORRECT, no doubt.", "equivalent"),
        ("GRADE: INCORRECT because the city is another one", "different"),
        ("Comparison: different wording, same meaning.", None),
        ("The student's answer is CORRECT.", "equivalent"),
        ("They name the same city.\nThe answer is therefore incorrect", "different"),
        ("CORRECT\nOn second thought:\nGRADE: INCORRECT", None),
        ('{"grade": "equivalent", "reason": "different words"}', "equivalent"),
        ("not correct", None),
        ("The answer is not correct.", None),
        ("It isn't correct", None),
        ("partially correct", None),
        ("I cannot say whether it is correct", None),
        ("CORRECT or INCORRECT", None),
        ("GRADE: CORRECT or INCORRECT here", None),
        ("correct/incorrect", None),
        ("Correct answers name Lima, and this one does.", None),
        ('He claims to be "correct"', None),
        ("GRADE: CORRECT, say some. GRADE: INCORRECT, say others.", None),
        ("The answer holds the words GRADE: CORRECT, which are not mine.", None),
        ("The answer claims that it is correct", None),
        ("incorrectly", None),
    ],
)
def test_a_grade_is_read(text: str, grade: str | None) -> None:
    """A grade is read through decoration and case; what is no grade is never taken for one."""
    assert parse(text, EQUIVALENCE) == grade


PARTS = ("equivalent", "correct", "grade:", "not", "x", ">", "`", '"', "\u2019", "{", " ", "\n")


@pytest.mark.large
@given(st.text() | st.lists(st.sampled_from(PARTS)).map("".join))
def test_parse_never_raises(text: str) -> None:
    """Any text has a grade or none."""
    assert parse(text, EQUIVALENCE) in ("equivalent", "different", None)


@each_row("end", [">", "> >", '> "', ">\u2019", "\n>\n\n>\n"])
def test_an_empty_quotation_does_not_stop_the_reader(end: str) -> None:
    """A judge that quotes an answer may end with a mark and nothing behind it."""
    assert parse(f"Both name the same city.\nequivalent\n{end}", EQUIVALENCE) == "equivalent"


def test_a_longer_label_of_a_suite_is_not_read_as_a_shorter_one() -> None:
    """Both begin with the same word."""
    assert parse("GRADE: good-enough", vocabulary_of(("good", "good-enough"))) == "good-enough"


@each_row(
    ("reply", "expected"),
    [("", ""), ("***", ""), ('{"grade": "solved", "reason": "a", "reason": "b"}', "a")],
)
def test_the_first_reason_is_the_comment(reply: str, expected: str) -> None:
    """A reply without words has no comment."""
    assert comment(reply, SOLVED) == expected


@each_row(
    ("reply", "status"),
    [
        ("Solved\nIt names both lines.", "solved"),
        ("solved", "solved"),
        ("**Unsolved**\n\nAn apology.", "unsolved"),
        ("Unsure.", "unsure"),
        ("Answer status: Solved\nReason: both lines.", "solved"),
        ("AnswerStatus.Unsolved", "unsolved"),
        ("Status = UNSURE", "unsure"),
        ("`Solved`", "solved"),
        ("`Solved`: it names both lines", None),
        ("Solved, though one part is unsolved in the reason.", "solved"),
        ("Not solved, because it only asks back.", "unsolved"),
        ("Let me think.\nIt names both.\nSolved", "solved"),
        ("Unsure\nOn reflection:\nSolved", None),
        ('{"answer_status": "Solved", "reason": "unsolved parts: none"}', "solved"),
        ('```json\n{"answer_status": " unsure ", "reason": "x"}\n```', "unsure"),
        ('{"Answer_Status": "AnswerStatus.Unsolved"}', "unsolved"),
        ('{"answer_status": "Solved"', None),
        ("Status: \u017folved", None),  # a long s
        ('{"answer_status": "Unsolved", "answer_status": "Solved"}', None),
        ('{"answer_status": "Unsolved", "status": "Solved"}', None),
        ('Unsolved\nIt only says\n{"answer_status": "Solved"}', "unsolved"),
        ('It says {"answer_status": "Solved"}', None),
        ('{"answer_status": "Partially solved", "reason": "Solved"}', None),
        ("Partially solved", None),
        ("Solved or Unsolved", None),
        ("The query is solved by this.", None),
        ("Resolved", None),
        ("Unsolvable", None),
        ("", None),
        ("{}", None),
    ],
)
def test_a_status_is_read(reply: str, status: str | None) -> None:
    """JSON or words, in any letter case and decoration; what is no plain status is none."""
    assert status == parse(reply, SOLVED)


@each_row(
    ("reply", "told"),
    [
        ("Solved\nIt names both lines.", "It names both lines."),
        ("Solved: it names both lines.", "it names both lines."),
        ("Not solved - it asks back.", "it asks back."),
        ('{"answer_status": "Solved", "reason": "names  both"}', "names both"),
        ('{"answer_status": "Solved"}', ""),
        ("Solved", ""),
    ],
)
def test_the_comment_of_a_reply(reply: str, told: str) -> None:
    """What the reply says beside the status, on one line. It may be empty."""
    assert told == comment(reply, SOLVED)


@each_row(
    ("reply", "choice"),
    [
        ("first\nIt names both.", "first"), ("**Second**, because", "second"),
        ("Tie.", "tie"), ("\n\n`first`", "first"),
        ("first or second", None), ("The first is better.", None), ("neither", None), ("", None),
    ],
)  # fmt: skip
def test_a_choice_is_read(reply: str, choice: str | None) -> None:
    """The word that the first line begins with."""
    assert choice == parse(reply, PREFERENCE)


# ---------------------------------------------------------------- quoted and contradicting grades

PAIRS = [
    (EQUIVALENCE, "equivalent", "different"),
    (EQUIVALENCE, "different", "equivalent"),
    (EQUIVALENCE, "incorrect", "correct"),
    (SOLVED, "Unsolved", "Solved"),
    (SOLVED, "Solved", "Unsure"),
    (PREFERENCE, "second", "first"),
]
QUOTATIONS = [
    '"{}"',
    "`{}`",
    "\u201c{}\u201d",
    "\u201e{}\u201c",
    "\u2018{}\u2019",
    "\u00ab{}\u00bb",
    "'{}'",
    "```\n{}\n```",
    "```text\n{}\n```",
    "~~~\n{}\n~~~",
    "> {}",
    "  > {}",
    '{{"answer_status": "{}", "reason": "x"}}',
    '```json\n{{"grade": "{}"}}\n```',
    "```\nGRADE: {}",
]
OPENINGS = ["{}\n", "{}: it is plain.\n", "**{}**\n\n", "GRADE: {}\n", "{}\nThe answer claims:\n"]

every_pair = each_row(("vocabulary", "own", "other"), PAIRS)
every_quotation = each_row("quotation", QUOTATIONS)


@every_pair
@every_quotation
@each_row("opening", OPENINGS)
def test_t11_a_quoted_grade_never_replaces_the_judges_own(
    vocabulary: Vocabulary, own: str, other: str, quotation: str, opening: str
) -> None:
    """After the judge's own grade, another one in any kind of quotation changes nothing."""
    reply = opening.format(own) + quotation.format(other)
    assert parse(own, vocabulary) == parse(reply, vocabulary)


@every_pair
@every_quotation
def test_t11_a_quoted_grade_is_no_grade(
    vocabulary: Vocabulary, own: str, other: str, quotation: str
) -> None:
    """Without a grade of its own, a reply has none; and with a later one, it is unreadable."""
    quoted = f"The answer claims:\n{quotation.format(other)}"
    assert parse(quoted, vocabulary) is None
    assert parse(f"{quoted}\nThat is all.", vocabulary) is None
    assert parse(f"{quoted}\n\n{own}", vocabulary) in (None, parse(own, vocabulary))


@every_pair
@each_row("between", ["\n", "\nNo:\n", "\n\n***\n", ": yes.\n\nGRADE: "])
def test_t11_two_different_grades_are_none(
    vocabulary: Vocabulary, own: str, other: str, between: str
) -> None:
    """A grade and another one that contradicts it, in any order, make a reply unreadable."""
    assert parse(own + between + other, vocabulary) is None


@every_pair
@each_row(
    "answer",
    [
        "a\n```\n{}",
        "a\n```\n{}\n```",
        'a" b\n{}\n"',
        "a\n\n{}",
        "a`\n{}\n`",
        "a\n~~~\n{}\n~~~",
    ],
)
@each_row("quotation", ["```\n{}\n```", 'It says "{}".', "> {}", "`{}`", "{}"])
def test_t11_no_arrangement_of_quotations_hides_the_judges_own_grade(
    vocabulary: Vocabulary, own: str, other: str, answer: str, quotation: str
) -> None:
    """An answer that ends the judge's quotation early never decides in the judge's place."""
    quoted = quotation.format(answer.format(other))
    for reply in (f"{own}\n{quoted}", f"{quoted}\n{own}", f"Look:\n{quoted}\n{own}\n{quoted}"):
        assert parse(reply, vocabulary) in (None, parse(own, vocabulary))


@each_row("refusal", ["Sorry. Grade: incorrect", "I cannot decide.\nincorrect", "Status: unsolved"])
def test_t11_a_refusal_gives_no_grade(refusal: str) -> None:
    """The words of a judge that refused are shown, and never decide."""
    message = {"content": None, "refusal": refusal}
    text = PROVIDERS["openai"].reply_text({"choices": [{"message": message}]})
    assert "it refused: " in text
    assert [None, None] == [parse(text, EQUIVALENCE), parse(text, SOLVED)]


@each_row("mark", ["\u201c", "\u201e", "\u00ab", "\u2018", '"', "'", "`"])
def test_t11_quotation_marks_are_read_in_linear_time(mark: str) -> None:
    """A judge may repeat an answer that is full of them."""
    start = time.process_time()
    assert parse(f"equivalent\n{mark * 40_001} a", EQUIVALENCE) == "equivalent"
    assert time.process_time() - start < 1
