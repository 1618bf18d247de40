"""What an answer says in words of its own."""

from __future__ import annotations

from scoring.facts.unmet_requests.answer_reading import (
    new_words,
    other_subject,
    read_answer,
    strange_numbers,
)

QUERY = "How warm is it in the city of Graz at this minute, please?"


def test_echoes_are_no_part_of_an_answer() -> None:
    """Words copied from the request are blank, and the others keep their place."""
    answer = "How warm is it in the city of Graz at this minute? Where?"
    reading = read_answer(QUERY, answer)
    (sentence,) = reading.kept
    assert reading.answer.chars_of(sentence).start == answer.index("Where")


def test_new_words_say_something_that_the_request_does_not() -> None:
    """Small words, general words and words of the request are none."""
    reading = read_answer(QUERY, "Please tell me the city and the altitude.")
    assert new_words(reading, reading.kept[0]) == ["altitude"]


def test_strange_numbers_are_results() -> None:
    """Numbers that count things or that the request has are no results."""
    reading = read_answer("Add 4 and 5.", "I need two things. 4 and 5 make 9.")
    assert [strange_numbers(reading, one) for one in reading.kept] == [[], ["9"]]


def test_the_day_that_models_are_told_is_no_result() -> None:
    """With or without its year. The next day is a result."""
    answer = "Today is 20 November 2026. 20 November or 21 November?"
    reading = read_answer(QUERY, answer, "2026-11-20")
    assert [strange_numbers(reading, one) for one in reading.kept] == [[], ["d--11-21"]]


def test_other_languages_are_recognised() -> None:
    """By their small words, or by their letters."""
    assert read_answer(QUERY, "Wo ist das?").foreign
    assert read_answer(QUERY, "Где это?").foreign
    assert not read_answer(QUERY, "Where is that?").foreign


def test_subjects_of_other_requests() -> None:
    """A question about a hotel has nothing to do with the weather."""
    reading = read_answer("What's the weather like?", "Which hotel? Which weather?")
    hotel, weather = reading.kept
    assert other_subject(reading, [hotel])
    assert not other_subject(reading, [hotel, weather])
