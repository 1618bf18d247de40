"""Units and currencies in one spelling: "61°F" is `61 fahrenheit`, "$5" is `5 usd`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from scoring.facts.canonical_text.canonical_words import COMMA, MEASURES, UNIT_NAMES, UNIT_SHORTS
from scoring.facts.canonical_text.number_notations import plain_number
from scoring.facts.canonical_text.tokens import Token, is_number, rewritten, word_at

_LONGEST: Final = max(map(len, UNIT_NAMES))
UNIT_WORDS: Final = max(len(name.split()) for name in MEASURES)
_FIRST_WORDS: Final = frozenset(name[0] for name in (*UNIT_NAMES, *UNIT_SHORTS))
CURRENCIES: Final = frozenset(("usd", "eur", "gbp", "jpy"))
_COUNTS: Final = frozenset(("a", "an", "one", "half"))
_HOUR: Final = Decimal(60)


def read_measures(tokens: Sequence[Token]) -> Sequence[Token]:
    """Writes every unit in one spelling, after its number, and hours and minutes as minutes."""
    spelled = rewritten(tokens, _units, _FIRST_WORDS)
    if spelled is tokens:
        return tokens
    return rewritten(spelled, _duration, _COUNTS)


def read_amounts(tokens: Sequence[Token]) -> Sequence[Token]:
    """Puts every currency sign after its number: "$5" is `5 usd`."""
    return rewritten(tokens, _amount, CURRENCIES)


def measure_at(words: Sequence[str], at: int) -> str | None:
    """The measure that canonical words name from a place on."""
    for used in range(UNIT_WORDS, 0, -1):
        name = " ".join(words[at : at + used])
        if name in MEASURES:
            return name
    return None


def _units(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    counted = at > 0 and is_number(tokens[at - 1].word)
    for used in range(_LONGEST, 0, -1):
        name = tuple(token.word for token in tokens[at : at + used])
        unit = UNIT_NAMES.get(name) or (UNIT_SHORTS.get(name) if counted else None)
        if unit and len(name) == used:
            return unit.split(), used
    return None


def _amount(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    unit, number = tokens[at], word_at(tokens, at + 1)
    if unit.word not in CURRENCIES or not number or not is_number(number):
        return None
    return ((number, unit.word), 2) if tokens[at + 1].start == unit.end else None


def _duration(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    """Adds up hours and minutes: "an hour and 42 minutes" is `102 minute`."""
    found = _minutes([token.word for token in tokens[at : at + 6]])
    return ((plain_number(f"{found[0]:f}"), "minute"), found[1]) if found else None


# What starts a duration below an hour, and what follows "an hour" in a longer one, in minutes.
_SHORT: Final[dict[tuple[str, ...], int]] = {
    ("half", "an", "hour"): 30,
    ("a", "quarter", "of", "an", "hour"): 15,
    ("3", "quarters", "of", "an", "hour"): 45,
}
_FRACTIONS: Final[dict[tuple[str, ...], int]] = {
    ("and", "a", "half"): 30,
    ("and", "a", "quarter"): 15,
}


def _minutes(words: Sequence[str]) -> tuple[Decimal, int] | None:
    """The minutes of a duration, and the number of its words."""
    for short, length in _SHORT.items():
        if tuple(words[: len(short)]) == short:
            return Decimal(length), len(short)
    hours = _count(words[0])
    if hours is None or words[1:2] != ["hour"]:
        return None
    if fraction := _FRACTIONS.get(tuple(words[2:5])):
        return hours * _HOUR + fraction, 5
    # "Just short of an hour, 55 minutes" is no sum, but "an hour, 9 minutes and …" is one.
    is_list = words[0] not in {"a", "an"} or list(words[4:6]) == ["minute", "and"]
    joints = (["and"], [COMMA]) if is_list else (["and"],)
    place = 3 if words[2:3] in joints else 2
    minutes = _count(words[place]) if len(words) > place else None
    # "2.5 hours (145 minutes)" says the same twice.
    if minutes is None or words[place] in {"a", "an"} or minutes >= _HOUR or hours != int(hours):
        return None
    is_short = place == 2 and words[3:4] == ["metre"]  # "1h 20m"
    if is_short or words[place + 1 : place + 2] == ["minute"]:
        return hours * _HOUR + minutes, place + 2
    # "1 h 42"
    is_bare = place == 2 and len(words[2]) == 2 and len(words[0]) == 1
    return (hours * _HOUR + minutes, 3) if is_bare else None


def _count(word: str) -> Decimal | None:
    if word in {"a", "an", "one"}:
        return Decimal(1)
    return Decimal(word) if is_number(word) else None
