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
from scoring.facts.canonical_text.number_notations import LONGEST_NUMBER, plain_number
from scoring.facts.canonical_text.tokens import Token, is_number, rewritten, word_at

_SHORT: Final = frozenset(SHORT_ORDINALS.values())
_STARTS: Final = frozenset((*SMALL, *TENS, *SCALES, *ORDINALS, "a", "half")) - _SHORT
_VALUES: Final = {**SMALL, **TENS, **ORDINALS}
_LONGEST: Final = 16  # words of one number
_CLOSING: Final = 1000  # a scale from this one on ends a group: "two thousand"


class _Found(NamedTuple):
    """A number, and how many words it has."""

    number: Decimal
    words: int
    ordinal: bool = False


def read_numbers(tokens: Sequence[Token]) -> Sequence[Token]:
    """Merges the words of each number. "one" alone stays a word: it may be a pronoun."""
    return rewritten(tokens, _number, _STARTS)


def _number(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    word = tokens[at].word
    if not is_number(word):
        found = _with_article(tokens, at) or _year(tokens, at) or _spelled(tokens, at)
    else:
        found = _extended(tokens, at, _Found(Decimal(word), 1))
    if found is None or (found.words == 1 and (word == "one" or is_number(word))):
        return None
    return (_written(found),), found.words


def _written(found: _Found) -> str:
    number = plain_number(format(found.number, "f"))
    if found.ordinal:
        return SHORT_ORDINALS.get(int(found.number), f"{number}th")
    return number


def _with_article(tokens: Sequence[Token], at: int) -> _Found | None:
    """A hundred, half a million, half a dozen."""
    words = tuple(word_at(tokens, at + place) for place in range(3))
    if words[:2] == ("half", "a") and words[2] in SCALES:
        return _Found(Decimal(SCALES[words[2]]) / 2, 3)
    if words[0] != "a" or words[1] not in SCALES:
        return None
    # In "two a hundred" there are two numbers.
    before = word_at(tokens, at - 1)
    if before in _VALUES or before[-1:].isdigit():
        return None
    found = _spelled(tokens, at + 1)
    return found and found._replace(words=found.words + 1)


def _spelled(tokens: Sequence[Token], at: int) -> _Found | None:
    """A number that starts with a word of its own."""
    # In "two million three hundred", 2,000,000 is closed, and 300 is the open group.
    closed, group, place = 0, None, at
    if word_at(tokens, at) in SCALES:
        group = 1
    while place - at < _LONGEST:
        word = word_at(tokens, place)
        if word in SCALES and group is not None:
            group *= SCALES[word]
            if SCALES[word] >= _CLOSING:
                closed, group = closed + group, None
        elif word == "and" and place > at:
            if not _may_follow(closed, group, word_at(tokens, place + 1)):
                break
        elif _may_follow(closed, group, word):
            group = (group or 0) + _VALUES[word]
            if word in ORDINALS:
                return _Found(Decimal(closed + group), place - at + 1, True)
        else:
            break
        place += 1
    if place == at:
        return None
    return _extended(tokens, at, _Found(Decimal(closed + (group or 0)), place - at))


def _may_follow(closed: int, group: int | None, word: str) -> bool:
    """Whether a word continues a number: "twenty" and "one", "hundred" and "five"."""
    value = _VALUES.get(word)
    if value is None:
        return False
    if group is None:
        return closed > 0 or word not in _SHORT
    if group % 100 == 0:
        return 0 < value < 100 <= group
    is_tens = group % 10 == 0 and group % 100 >= 20
    return is_tens and 0 < value < 10


def _year(tokens: Sequence[Token], at: int) -> _Found | None:
    """A year in pairs: nineteen eighty-nine, twenty thirty-one, eighteen oh five.

    "At ten thirty" is none.
    """
    first = SMALL.get(word_at(tokens, at), TENS.get(word_at(tokens, at), 0))
    is_hour = first <= 12 and word_at(tokens, at - 1) == "at"
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


def _extended(tokens: Sequence[Token], at: int, found: _Found) -> _Found:
    """A number with what follows it: "point five", "and a half", "million", "tenths"."""
    number, place = found.number, at + found.words
    digits = _digits_after_point(tokens, place)
    if digits and number == int(number):
        number, place = Decimal(f"{number}.{digits}"), place + 1 + len(digits)
    if _is_and_a_half(tokens, place):
        # "A million and a half" is half a million more.
        whole = SCALES.get(word_at(tokens, place - 1), 1)
        number, place = number + Decimal(whole) / 2, place + 3
    while word_at(tokens, place) in SCALES and place - at < _LONGEST:
        number, place = number * SCALES[word_at(tokens, place)], place + 1
    if word_at(tokens, place) in PARTS:
        number, place = number * PARTS[word_at(tokens, place)], place + 1
    return _Found(number, place - at)


def _digits_after_point(tokens: Sequence[Token], at: int) -> str:
    """The digits of "point two five". Empty if there are none."""
    digits = ""
    if word_at(tokens, at) == "point":
        while len(digits) < LONGEST_NUMBER:
            digit = SMALL.get(word_at(tokens, at + 1 + len(digits)), 10)
            if digit > 9:
                break
            digits += str(digit)
    return digits


def _is_and_a_half(tokens: Sequence[Token], at: int) -> bool:
    """Whether "and a half" follows, and not the time "and a half past six"."""
    words = tuple(word_at(tokens, at + place) for place in range(4))
    return words[:3] == ("and", "a", "half") and words[3] not in {"past", "to"}
