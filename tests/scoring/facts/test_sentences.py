"""Stretches of a text."""

from __future__ import annotations

from scoring.facts.sentences import LONGEST_SENTENCE, Span, read_passage
from tests.each_row import each_row


@each_row(
    ("first", "end", "overlaps", "inside"),
    [
        (0, 3, False, False),
        (0, 4, True, False),
        (3, 7, True, True),
        (4, 6, True, True),
        (6, 8, True, False),
        (7, 8, False, False),
    ],
)
def test_spans_that_only_touch_share_no_word(
    first: int, end: int, overlaps: bool, inside: bool
) -> None:
    """The end of a span is the index after its last word."""
    span, other = Span(first, end), Span(3, 7)

    assert (span.overlaps(other), other.overlaps(span)) == (overlaps, overlaps)
    assert span.inside(other) is inside
    assert span.is_part_of(other) is (inside and span != other)


def test_no_clause_is_empty() -> None:
    """Signs that follow each other, and a word that begins a clause after one, end nothing."""
    passage = read_passage("It is Rome, because, while you slept, they voted.")

    assert [passage.text_of(clause) for clause in passage.clauses] == [
        "it is rome",
        "because",
        "while you slept",
        "they voted",
    ]


def test_words_are_given_as_the_text_writes_them() -> None:
    """Also those over two lines, and the mark before them."""
    passage = read_passage("Sum = **Two\neuros**")

    assert passage.written(Span(1, 3)) == "Two euros"
    assert passage.follows_mark(Span(1, 2), "=")
    assert not passage.follows_mark(Span(2, 3), "=")


def test_a_text_without_marks_has_sentences_of_bounded_length() -> None:
    """Rules compare what they find with its whole sentence, so a long one would take minutes."""
    passage = read_passage("seven is " * LONGEST_SENTENCE + "all. Why not?")
    lengths = [span.end - span.first for span in passage.sentences]
    assert lengths == [LONGEST_SENTENCE, LONGEST_SENTENCE, 1, 2]
    assert passage.asking == {passage.sentences[-1]}
    assert passage.clauses[1].first == LONGEST_SENTENCE


def test_a_span_is_split_at_words() -> None:
    """No part is empty."""
    assert [*Span(2, 9).split_at([2, 5, 6])] == [Span(3, 5), Span(7, 9)]
    assert [*Span(2, 9).split_at([8])] == [Span(2, 8)]
    assert [*Span(2, 2).split_at([])] == []


@each_row(
    ("text", "sentences"),
    [
        ("Paris – would you like to know more?", ["paris", "would you like to know more"]),
        ("It is 5, but shall I go on?", ["it is 5", "but shall i go on"]),
        ("Paris; is there anything else?", ["paris", "is there anything else"]),
        ("Which day, and would you like a seat?", ["which day , and would you like a seat"]),
        ("Is it Paris, shall I look?", ["is it paris , shall i look"]),
        ("Would you like Paris?", ["would you like paris"]),
    ],
)
def test_an_offer_after_an_answer_is_a_question_of_its_own(text: str, sentences: list[str]) -> None:
    """The answer before it would be read as asked. After another question it is a part of that."""
    passage = read_passage(text)

    assert [passage.text_of(sentence) for sentence in passage.sentences] == sentences
    assert passage.asking == {passage.sentences[-1]}
