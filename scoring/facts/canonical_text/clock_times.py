"""Times of day as `t18:04`: "6.04 pm", "noon", "quarter to six in the evening".

`h05:45` is a time that leaves open which half of the day it is in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from scoring.facts.canonical_text.canonical_words import CLOCK, UNIT_NAMES, UNIT_SHORTS
from scoring.facts.canonical_text.tokens import Token, rewritten, word_at

_HALF_DAY: Final = 12 * 60
_NIGHT_ENDS: Final = 6 * 60
_TIME: Final = re.compile(r"([th])(\d\d):(\d\d)((?::\d\d)?)")
_HOUR: Final = re.compile(r"(\d{1,2})(?:\.(\d\d?))?")
_MARKS: Final = frozenset(("am", "pm"))
_FRACTIONS: Final = {"quarter": 15, "half": 30}
_NAMED: Final = {"noon": 12 * 60, "midnight": 24 * 60}
_STARTS: Final = frozenset((*_FRACTIONS, "a", *(word for word in CLOCK if CLOCK[word] in _NAMED)))
# "From 3 to 7 pm" is a range, and not three minutes before seven.
_RANGE_STARTS: Final = frozenset(("from", "between"))
# Before a number, these words may start a time: "at 11 in the morning".
_LED_BY: Final = frozenset(("at", "from", "until", "till", "to", "by", "around", "about", "and"))
# "At half seven" is half past seven.
_LED_HALF: Final = frozenset(("at", "from", "until", "till"))
# These words may be between a time and the part of the day.
_LEADING: Final = frozenset(("in", "the", "at", "this", "during", "early", "late", "local", "time"))


def read_times(tokens: Sequence[Token]) -> Sequence[Token]:
    """Merges the words of each time of day."""
    return rewritten(tokens, _read, _STARTS)


class _Clock(NamedTuple):
    """A time that was found, and its number of tokens. `is_open`: the half of the day is open."""

    minutes: int
    used: int
    is_open: bool
    seconds: str = ""


def _read(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    for reader in (_digital, _half, _to_or_past, _spoken, _hour, _named):
        if found := reader(tokens, at):
            return _in_half(tokens, at, found)
    return None


def _meaning(tokens: Sequence[Token], at: int) -> str:
    return CLOCK.get(word_at(tokens, at), "")


def _digital(tokens: Sequence[Token], at: int) -> _Clock | None:
    found = _TIME.fullmatch(tokens[at].word)
    if found is None:
        return None
    return _Clock(int(found[2]) * 60 + int(found[3]), 1, found[1] == "h", found[4])


def _named(tokens: Sequence[Token], at: int) -> _Clock | None:
    """Noon, 12 midnight."""
    used = 2 if tokens[at].word == "12" else 1
    minutes = _NAMED.get(_meaning(tokens, at + used - 1))
    return None if minutes is None else _Clock(minutes, used, False)


def _hour(tokens: Sequence[Token], at: int) -> _Clock | None:
    """6 pm, 6.04 pm, 6 o'clock; after "at" also 18.04 and "6 in the evening"."""
    token, after = tokens[at], word_at(tokens, at + 1)
    found = _HOUR.fullmatch(token.word)
    if found is None:
        return None
    # 18.40 was read as the number 18.4.
    hour, minute = int(found[1]), int((found[2] or "0").ljust(2, "0"))
    if hour > 23 or minute > 59:
        return None
    clock = _Clock(hour * 60 + minute, 1, 0 < hour <= 12)
    if (after in _MARKS and clock.is_open) or after == "oclock":
        return clock
    led = word_at(tokens, at - 1) in _LED_BY
    if led and clock.is_open and after in ("in", "at") and _part_of_day(tokens, at + 1):
        return clock
    two_digits = token.end - token.start >= len("6.04")
    if found[2] and two_digits and word_at(tokens, at - 1) == "at":
        unit = (after,)
        return None if unit in UNIT_NAMES or unit in UNIT_SHORTS else clock._replace(is_open=False)
    return None


def _half(tokens: Sequence[Token], at: int) -> _Clock | None:
    """Half past six, as "at half six"."""
    led = word_at(tokens, at - 1) in _LED_HALF
    if tokens[at].word != "half" or not led or not _is_hour(word_at(tokens, at + 1)):
        return None
    return _Clock(60 * int(tokens[at + 1].word) + 30, 2, True)


def _spoken(tokens: Sequence[Token], at: int) -> _Clock | None:
    """Hour and minutes in letters: "at six ten", "seven fifteen in the evening"."""
    hour, minute = tokens[at].word, word_at(tokens, at + 1)
    if not (_is_hour(hour) and minute.isdigit() and len(minute) == 2 and int(minute) < 60):
        return None
    led = word_at(tokens, at - 1) in _LED_BY
    half = word_at(tokens, at + 2) in _MARKS or _part_of_day(tokens, at + 2)
    in_letters = tokens[at].spelled and tokens[at + 1].spelled
    return _Clock(60 * int(hour) + int(minute), 2, True) if in_letters and (led or half) else None


def _to_or_past(tokens: Sequence[Token], at: int) -> _Clock | None:
    """A quarter to six, twenty minutes past 7 pm.

    "10 to 18" and "from ten till six" are ranges, "10 to six" is a time.
    """
    place = at + 1 if tokens[at].word == "a" else at
    word = word_at(tokens, place)
    minutes = _FRACTIONS.get(word) or (int(word) if word.isdigit() and len(word) < 3 else 0)
    place += 2 if word_at(tokens, place + 1) in {"minute", "minutes"} else 1
    is_dash = place < len(tokens) and tokens[place].end - tokens[place].start == 1
    direction = "" if is_dash else _meaning(tokens, place)
    if not 0 < minutes < 60 or direction not in {"to", "past"}:
        return None
    sign = 1 if direction == "past" else -1
    named, hour = _meaning(tokens, place + 1), word_at(tokens, place + 1)
    if named in _NAMED:
        return _Clock(_NAMED[named] + sign * minutes, place + 2 - at, False)
    if hour == "one":
        hour = "1"
    if not _is_hour(hour):
        return None
    certain = tokens[place + 1].spelled or word in _FRACTIONS
    hours = sign < 0 and minutes <= 12 and not tokens[at].spelled  # "6 to 8 pm"
    alike = tokens[at].spelled == tokens[place + 1].spelled  # "open from ten to six"
    is_range = word not in _FRACTIONS and (alike or word_at(tokens, place) == "till")
    if is_range and word_at(tokens, at - 1) in _RANGE_STARTS:
        return None
    if not certain and (hours or word_at(tokens, place + 2) not in _MARKS):
        return None
    return _Clock(int(hour) * 60 + sign * minutes, place + 2 - at, True)


def _is_hour(word: str) -> bool:
    return word.isdigit() and len(word) < 3 and 1 <= int(word) <= 12


def _in_half(tokens: Sequence[Token], at: int, clock: _Clock) -> tuple[Sequence[str], int]:
    """The time in the half of the day that the next words name."""
    minutes, used, is_open, seconds = clock
    marks = []
    while (word := word_at(tokens, at + used)) in _MARKS or word == "oclock":
        marks.append(word)
        used += 1
    half = _part_of_day(tokens, at + used) or next((m for m in marks if m in _MARKS), "")
    if half == "night":
        half = "am" if minutes < _NIGHT_ENDS else "pm"
    if half and (is_open or 60 <= minutes < 13 * 60):
        minutes = minutes % _HALF_DAY + (_HALF_DAY if half == "pm" else 0)
        is_open = False
    sign = "h" if is_open else "t"
    minutes %= _HALF_DAY if is_open else 2 * _HALF_DAY
    return (f"{sign}{minutes // 60:02}:{minutes % 60:02}{seconds}",), used


def _part_of_day(tokens: Sequence[Token], place: int) -> str:
    """The half of the day that "in the evening" or "at night" names directly after a time."""
    while word_at(tokens, place) in _LEADING:
        place += 1
    meaning = _meaning(tokens, place)
    return {"morning": "am", "evening": "pm", "night": "night"}.get(meaning, "")
