"""Strategies that understand nothing: constants, echoes, lists, and templates filled in.

Each strategy makes an answer of a question. Most of them are generated from the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

from scoring.facts.phrase_tables import VOCABULARY
from scoring.facts.polarity import phrases

Strategy = Callable[[str], str]

THINGS = (
    *("city", "date", "time", "unit", "language", "topic", "text", "word", "company", "address"),
    *("amount", "duration", "currency", "price", "name"),
)
QUESTION_WORDS = (
    *("Where?", "When?", "Where and when?", "Which one?", "What do you mean?", "How much?"),
    *("How many?", "How long?", "Who?", "What is it?", "From where to where?"),
    *("From when to when?", "How much and when?", "How many and how long?", "What is it about?"),
    *("Where, when, who, what and how much?", "What is it about, who gets it and when?"),
    "Please tell me what, where and when.",
    "What exactly do you need, where and when?",
    "Could you give me the missing information?",
    "Could you tell me the place, the day and the time?",
)
DENIALS = (
    "{} does not exist.",
    "{} is not valid.",
    "There is no {}.",
    "{} is fictional and does not exist.",
    "{} is impossible, because it contradicts itself.",
    "I know of no {}; it does not exist.",
    "{} is not a valid number, date or time.",
    "I cannot find {}, because it is wrong.",
)
FAULTS = (
    "That is not possible.",
    "That does not exist.",
    "That date does not exist.",
    "That is not a valid date, time, place, unit, language, number, address or symbol.",
    "That date is in the past.",
    "The end is before the start.",
    "There must be at least one.",
    "There is only one.",
    "The number must be positive.",
    "The number must be a whole number above zero.",
    "The result is undefined, and there is no solution.",
    "One cannot be converted into the other.",
    "You can't have both at the same time.",
    "It is not a real place, language, company or unit.",
    "It exceeds the limit of 24 hours.",
    "A year has 12 months, a month 30 days, a day 24 hours and an hour 60 minutes.",
    "This is negative, zero or a fraction.",
    "There is not enough of it.",
    "The request contradicts itself.",
    "It is an island in the ocean.",
)


def questions() -> Iterator[tuple[str, Strategy]]:
    """Strategies for clarifying cases."""
    for slot in VOCABULARY["slots"].values():
        yield from _constants(f"What is {slot['label']}?", f"Please tell me {slot['label']}.")
    for noun in (noun for text in VOCABULARY["families"].values() for noun in phrases(text)):
        yield from _constants(f"Which {noun}?")
    yield from _constants(*QUESTION_WORDS)
    for some in (*combinations(THINGS[:10], 2), *list(combinations(THINGS, 3))[::9]):
        yield from _constants(f"What is the {', the '.join(some[:-1])} and the {some[-1]}?")
    yield from _constants(f"I need {', '.join(THINGS)}.")
    for name, part in _parts():
        for text in ("Which {}?", "What {} do you mean?", "How much {}, and where and when?"):
            yield f"{text} {name}", _filled(text, part)
    for text in ("{}?", "{} – which one?", "{} – where and when?"):
        yield f"{text} question", _filled(text, lambda query: query.rstrip("?!."))


def faults() -> Iterator[tuple[str, Strategy]]:
    """Strategies for cases with a fault."""
    for type_ in VOCABULARY["faults"].values():
        yield from _constants(re.sub(r"\{\w+\}", "it", type_["label"]).capitalize() + ".")
    yield from _constants(*FAULTS)
    for name, part in (*_parts(), ("question", lambda query: query.rstrip("?!."))):
        for text in DENIALS:
            yield f"{text} {name}", _filled(text, part)
    yield "all words", lambda query: " ".join(f"{word} is not valid." for word in _words(query))


def _constants(*texts: str) -> Iterator[tuple[str, Strategy]]:
    for text in texts:
        yield text, _constant(text)


def _constant(text: str) -> Strategy:
    return lambda _: text


def _filled(text: str, part: Strategy) -> Strategy:
    return lambda query: text.format(part(query))


def _parts() -> Iterator[tuple[str, Strategy]]:
    """Parts of a question that a template can be filled with."""
    for count in (1, 2, 3, 4):
        yield f"last {count}", _last_words(count)
    yield "longest", lambda query: max(_words(query), key=len)
    yield "last name", _last_name
    yield "first number", lambda query: _number(query, 0)
    yield "last number", lambda query: _number(query, -1)


def _last_words(count: int) -> Strategy:
    return lambda query: " ".join(_words(query)[-count:])


def _words(query: str) -> list[str]:
    return re.findall(r"[\w@.:'-]+", query.rstrip(".?!"))


def _last_name(query: str) -> str:
    names = re.findall(r"(?<=[a-z,] )[A-Z]\w+(?: [A-Z]\w+)*", query)
    return names[-1] if names else max(_words(query), key=len)


def _number(query: str, place: int) -> str:
    numbers = re.findall(r"-?\d[\d.:-]*", query)
    return numbers[place] if numbers else _words(query)[-1]
