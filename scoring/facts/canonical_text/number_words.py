"""Numbers in words as digits: "two and a half" is 2.5, "9.8 million" is 9800000."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from scoring.facts.canonical_text.canonical_words import (
    ORDINALS,
    PARTS,
    SCALES,
    SHORT_ORDINALS,
    SMALL,
    TENS,
)
from scoring.facts.canonical_text.tokens import (
    LONGEST_NUMBER,
    Token,
    is_number,
    plain_number,
    rewritten,
    word_at,
)

_SHORT: Final = frozenset(SHORT_ORDINALS.values())
_STARTS: Final = frozenset((*SMALL, *TENS, *SCALES, *ORDINALS, "a", "half")) - _SHORT
_VALUES: Final = {**SMALL, **TENS, **ORDINALS}
_LONGEST: Final = 16  # words of one number


class _Found(NamedTuple):
    number: Decimal
    words: int
    ordinal: bool = False


def read_numbers(tokens: Sequence[Token]) -> Sequence[Token]:
    """Merges the words of each number. "one" alone stays a word: it may be a pronoun."""
    return rewritten(tokens, _number, _STARTS)


def _number(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    word = tokens[at].word
    if is_number(word):
        found = _scaled(tokens, at, Decimal(word), 1) if len(word) <= LONGEST_NUMBER else None
    else:
        found = _special(tokens, at) or _spelled(tokens, at)
    if found is None or (found.words == 1 and word == "one"):
        return None
    return (_written(found),), found.words


def _written(found: _Found) -> str:
    number = plain_number(format(found.number, "f"))
    if found.ordinal:
        return SHORT_ORDINALS.get(int(found.number), f"{number}th")
    return number


def _special(tokens: Sequence[Token], at: int) -> _Found | None:
    """A hundred, half a million, half a dozen."""
    words = tuple(word_at(tokens, at + place) for place in range(3))
    if words[:2] == ("half", "a") and words[2] in SCALES:
        return _Found(Decimal(SCALES[words[2]]) / 2, 3)
    if words[0] != "a" or words[1] not in SCALES:
        return None
    # In "two a hundred" there are two numbers.
    before = tokens[at - 1].word if at else ""
    return None if before in _VALUES or before[-1:].isdigit() else _spelled(tokens, at + 1, 1)


def _spelled(tokens: Sequence[Token], at: int, before: int = 0) -> _Found | None:
    """A number that starts here. `before` counts the words that belong to it already."""
    if year := _year(tokens, at):
        return year
    total, current, place = 0, None, at
    if word_at(tokens, at) in SCALES:
        current = 1
    while place - at < _LONGEST:
        word = word_at(tokens, place)
        if word in SCALES and current is not None:
            grown = current * SCALES[word]
            total, current = (total, grown) if SCALES[word] < 1000 else (total + grown, None)
        elif word == "and" and place > at:
            if not _may_follow(total, current, word_at(tokens, place + 1)):
                break
        elif _may_follow(total, current, word):
            current = (current or 0) + _VALUES[word]
            if word in ORDINALS:
                return _Found(Decimal(total + current), place - at + 1 + before, True)
        else:
            break
        place += 1
    if place == at:
        return None
    number = Decimal(total + (current or 0))
    return _scaled(tokens, at, number, place - at, before) or _Found(number, place - at + before)


def _may_follow(total: int, current: int | None, word: str) -> bool:
    """Whether a word goes on with a number: "twenty" and "one", "hundred" and "five"."""
    value = _VALUES.get(word)
    if value is None:
        return False
    if current is None:
        return total > 0 or word not in ORDINALS or word not in _SHORT
    room = 100 if current % 100 == 0 else 10 if current % 10 == 0 and current % 100 >= 20 else 0
    return current > 0 and 0 < value < room


def _year(tokens: Sequence[Token], at: int) -> _Found | None:
    """A year in pairs: nineteen eighty-nine, twenty thirty-one, eighteen oh five.

    "At ten thirty" is none.
    """
    first = SMALL.get(word_at(tokens, at), TENS.get(word_at(tokens, at), 0))
    is_hour = first <= 12 and at and tokens[at - 1].word == "at"
    if not 10 <= first <= 20 or is_hour:
        return None
    second, third = word_at(tokens, at + 1), word_at(tokens, at + 2)
    if second == "oh" and 0 < SMALL.get(third, 0) < 10:
        return _Found(Decimal(first * 100 + SMALL[third]), 3)
    if second in TENS:
        unit = SMALL.get(third, 0)
        more = unit if 0 < unit < 10 else 0
        return _Found(Decimal(first * 100 + TENS[second] + more), 3 if more else 2)
    if 10 <= SMALL.get(second, 0) <= 19:
        return _Found(Decimal(first * 100 + SMALL[second]), 2)
    return None


def _scaled(
    tokens: Sequence[Token], at: int, number: Decimal, words: int, before: int = 0
) -> _Found | None:
    """What follows a number: "point five", "and a half", "million", "tenths". Else None."""
    place = at + words
    if word_at(tokens, place) == "point" and number == int(number):
        digits = ""
        while len(digits) < LONGEST_NUMBER and SMALL.get(word_at(tokens, place + 1), 10) < 10:
            place += 1
            digits += str(SMALL[word_at(tokens, place)])
        if digits:
            number, place = Decimal(f"{number}.{digits}"), place + 1
    half = tuple(word_at(tokens, place + n) for n in range(4))
    if half[:3] == ("and", "a", "half") and half[3] not in {"past", "to"}:
        # "A million and a half" is half a million more.
        whole = SCALES.get(word_at(tokens, place - 1), 1)
        number, place = number + Decimal(whole) / 2, place + 3
    while word_at(tokens, place) in SCALES and place - at < _LONGEST:
        number, place = number * SCALES[word_at(tokens, place)], place + 1
    if word_at(tokens, place) in PARTS:
        number, place = number * PARTS[word_at(tokens, place)], place + 1
    return _Found(number, place - at + before) if place > at + words else None
