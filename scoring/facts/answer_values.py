"""The times, dates and numbers of a passage, and when two of them are the same."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from leaderboard.facts import NumberForm, TimeForm
from scoring.facts.canonical_text.canonical_words import MEASURES, MONTHS, UNIT_NAMES
from scoring.facts.canonical_text.tokens import is_number
from scoring.facts.sentences import Passage

_UNIT_WORDS: Final = max(len(name.split()) for name in MEASURES)
_ROUNDED: Final = 0.02  # how far a rounded number may be from the number
_CONVERTED: Final = 0.02  # how far a number may be from its value in another unit
_HOUR_BEFORE: Final = frozenset(
    ("at", "by", "from", "until", "till", "to", "between", "opens", "closes", "around", "about")
)
_HOUR_AFTER: Final = frozenset(("uhr", "hour", "to", "in", "until"))
_MOST_OPERANDS: Final = 60  # each two of them are combined
_DOTTED: Final = re.compile(r"([01]?[0-9]|2[0-3])\.([0-5][0-9])")
_DECIMAL: Final = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
# Days of a week, months of a year.
FACTORS: Final = (7.0, 12.0, 24.0, 60.0, 365.25, 1000.0)
_RANGE: Final = (("to",), ("and",))
_WHOLE: Final = (("full",), ("whole",))
_DAY: Final = 1440  # minutes
_HOURS: Final = frozenset(map(str, range(1, 13)))
_HOURS_LATER: Final[dict[tuple[str, ...], int]] = {
    ("in", "the", "morning"): 0,
    ("in", "the", "afternoon"): 12,
    ("in", "the", "evening"): 12,
}
_HEAT: Final = "temperature"
NEARLY: Final = 0.07  # how far a number may be that is given as "about"
SHARE: Final = "percent"
DATE: Final = "date"  # what the numbers of dates count, in place of a unit
_LONGEST_KEY: Final = 3  # words
_MOST_COMBINED: Final = 8  # numbers of an answer
_MONTH: Final = re.compile(r"\b\d{4}-(0[1-9]|1[0-2])(?![\d-])")
_MONTH_NAMES: Final = {word: number for word, number in MONTHS.items() if len(word) > 3}


@dataclass(slots=True)
class Values:
    """The values of some passages.

    - `clock`: the hours, minutes and seconds of their times.
    - `units`: for each number, the units that it has. None is one of them if it also has none,
      and `DATE` if it is the day or the year of a date.
    """

    numbers: set[float] = field(default_factory=set)
    clock: set[float] = field(default_factory=set)
    units: dict[float, set[str | None]] = field(default_factory=dict)
    times: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    months: set[int] = field(default_factory=set)

    @property
    def spans(self) -> set[float]:
        """The minutes from each time to each other one, on the same day or the next."""
        minutes = [60 * int(time[:2]) + int(time[3:5]) for time in self.times]
        return {float((one - other) % _DAY) for one in minutes for other in minutes}

    def add(self, passage: Passage) -> None:
        """Adds all values of a passage."""
        self.months |= {int(month) for month in _MONTH.findall(passage.canonical.original)}
        for at, word in enumerate(passage.words):
            if is_number(word):
                self.add_number(float(word), _unit_beside(passage.words, at))
                self._add_hour(passage.words, at)
            elif is_time(word):
                hours, minutes = int(word[1:3]), int(word[4:6])
                self.times.add(word[1:6])
                self.clock |= {hours, hours % 12, minutes, float(word[7:] or 0)}
                self.add_number(60 * hours + minutes, "minute")
            elif is_date(word):
                self.add_date(word)
            elif word in _MONTH_NAMES:
                self.months.add(_MONTH_NAMES[word])

    def _add_hour(self, words: tuple[str, ...], at: int) -> None:
        """Adds the time of a full hour: "it is two in the afternoon"."""
        later = _HOURS_LATER.get(words[at + 1 : at + 4])
        if later is not None and words[at] in _HOURS:
            self.times.add(f"{int(words[at]) % 12 + later:02}:00")

    def add_number(self, number: float, unit: str | None = None) -> None:
        """Adds a number and its unit."""
        self.numbers.add(abs(number))
        self.units.setdefault(abs(number), set()).add(unit)

    def add_date(self, word: str) -> None:
        """Adds a date in canonical form."""
        self.days.add(word[-5:])
        self.months.add(int(word[-5:-3]))
        self.add_number(float(word[-2:]), DATE)
        if word[1:5].isdigit():
            self.add_number(float(word[1:5]), DATE)
            self.add_number(float(word[3:5]), DATE)

    def measures(self, number: float, unit: str | None) -> bool:
        """Whether a number is known with a unit of the same dimension, if the unit is a measure."""
        if unit not in MEASURES:
            return True
        units = self.units.get(number, ())
        return any(
            one in MEASURES and MEASURES[one].dimension == MEASURES[unit].dimension for one in units
        )

    def only(self, number: float, unit: str) -> bool:
        """Whether a number is known with this unit alone."""
        return self.units.get(number) == {unit}


def is_time(word: str) -> bool:
    """Whether a canonical word is a time of day."""
    return word[0] in "th" and word[3:4] == ":" and word[1:3].isdigit()


def is_date(word: str) -> bool:
    """Whether a canonical word is a date."""
    return word[0] == "d" and word[-3:-2] == "-" and word[-2:].isdigit()


def month_of(word: str) -> int | None:
    """The number of a month that a canonical word names."""
    return _MONTH_NAMES.get(word)


def unit_name(text: str) -> str:
    """The canonical spelling of a unit, or the text of another one, such as a currency."""
    return UNIT_NAMES.get(tuple(text.split()), text)


def unit_after(words: tuple[str, ...], at: int) -> str | None:
    """The unit directly after a number, or after the range that it starts: "57 to 77 °F".

    "Two full years" are two years.
    """
    if words[at + 1 : at + 2] in _RANGE and at + 2 < len(words) and is_number(words[at + 2]):
        at += 2
    if words[at + 1 : at + 2] in _WHOLE:
        at += 1
    for length in range(_UNIT_WORDS, 0, -1):
        name = " ".join(words[at + 1 : at + 1 + length])
        if name in MEASURES:
            return name
    return None


def _unit_beside(words: tuple[str, ...], at: int) -> str | None:
    """The unit after a number, or in the key of a reply before it: "wait_minutes 14"."""
    if unit := unit_after(words, at):
        return unit
    for first in range(max(0, at - _UNIT_WORDS), at):
        name = " ".join(words[first:at])
        if name in MEASURES:
            # "in_5_days 3", "grams_per_kwh 18"
            before = words[first - 1] if first else "."
            return None if before == "per" or is_number(before) else name
    key = words[max(0, at - _LONGEST_KEY) : at]
    is_share = SHARE in key and all(map(str.isalpha, key[key.index(SHARE) :]))  # "percent_off 15"
    return SHARE if is_share else None


def currency_near(passage: Passage, at: int) -> str | None:
    """The code of a currency, three capital letters, directly after or before a number."""
    places = [at + 1]
    if at > 1 and not is_number(passage.words[at - 2]):
        places.append(at - 1)
    for place in places:
        if 0 <= place < len(passage.words):
            start, end = passage.canonical.place(place, place + 1)
            code = passage.canonical.original[start:end]
            if len(code) == 3 and code.isalpha() and code.isupper():
                return code.lower()
    return None


def find_number(form: NumberForm, passage: Passage) -> Iterator[int]:
    """The positions of the words that state a number."""
    for at, word in enumerate(passage.words):
        if _states(form, passage, at, word):
            yield at


def written_number(passage: Passage, at: int) -> float | None:
    """A number, also where it looks like a time: "at 11.5"."""
    word = passage.words[at]
    if is_number(word):
        return float(word)
    if not is_time(word):
        return None
    start, end = passage.canonical.place(at, at + 1)
    text = passage.canonical.original[start:end]
    text = text.replace(",", ".")
    return float(text) if _DECIMAL.fullmatch(text) else None


def _states(form: NumberForm, passage: Passage, at: int, word: str) -> bool:
    if is_date(word) and currency_near(passage, at):
        # "March 29 ARV" looks like a date.
        return float(word[-2:]) == form.number
    value = written_number(passage, at)
    if value is None:
        return False
    wanted = unit_name(form.unit) if form.unit else None
    unit = unit_after(passage.words, at) or currency_near(passage, at)
    is_degree = unit == "degree" and wanted in MEASURES and MEASURES[wanted].dimension == _HEAT
    if wanted is None or unit is None or unit == wanted or is_degree:
        return rounds_to(value, form.number, form.tolerance)
    if unit not in MEASURES or wanted not in MEASURES:
        return unit not in MEASURES and wanted in MEASURES and value == form.number
    return is_converted(value, unit, form.number, wanted)


def rounds_to(value: float, number: float, tolerance: float = 0.0) -> bool:
    """Whether a number is another one, or is rounded from it to two digits or more."""
    if abs(value - number) <= tolerance * abs(number) + 1e-9:
        return True
    if abs(value - number) > _ROUNDED * abs(number):
        return False
    digits = max(2, len(f"{value:.6f}".strip("-0.").rstrip("0").replace(".", "")))
    unit = 10.0 ** (math.floor(math.log10(abs(number))) + 1 - digits)
    return abs(value - number) <= unit / 2 + 1e-9


def is_converted(value: float, unit: str, number: float, other: str) -> bool:
    """Whether a number of a unit is about another number of another unit."""
    mine, its = MEASURES[unit], MEASURES[other]
    if mine.dimension != its.dimension:
        return False
    expected = (its.of(number) - mine.offset) / mine.factor
    return abs(value - expected) <= _CONVERTED * abs(expected) + (0.5 if abs(expected) > 20 else 0)


def find_time(form: TimeForm, passage: Passage) -> Iterator[int]:
    """The positions of numbers that state a time: "opens at 10", "08.15", "20 h 43"."""
    hour, minute = map(int, form.time.split(":")[:2])
    hours = {str(hour), str(hour % 12 or 12)}
    minutes = str(60 * hour + minute)
    words = passage.words
    for at, word in enumerate(words):
        dotted = dotted_time(passage, at)
        if dotted is not None:
            if dotted == (hour, minute):
                yield at
        elif word in hours and _is_hour(words, at, minute):
            yield at
        elif words[at : at + 2] == (minutes, "minute"):
            yield at  # "8 h 15"


def _is_hour(words: tuple[str, ...], at: int, minute: int) -> bool:
    """Whether the words around a number make it the hour of a time with these minutes."""
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    return minute == 0 and (before in _HOUR_BEFORE or after in _HOUR_AFTER)


def dotted_time(passage: Passage, at: int) -> tuple[int, int] | None:
    """Hour and minute of a number that is written like 08.15."""
    start, end = passage.canonical.place(at, at + 1)
    found = _DOTTED.fullmatch(passage.canonical.original[start:end])
    return (int(found[1]), int(found[2])) if found else None


def is_derived(
    value: float, known: Values, unit: str | None = None, *, about: bool = False
) -> bool:
    """Whether a number is the sum, difference, product, quotient or percentage of two known ones.

    A share adds to no amount, and neither does a day: 15 % off 129 is not 114. `unit` is that of
    the number, and one of the two has it, too, if it is a measure. With `about`, a number nearby
    is enough.
    """
    operands = (*sorted(known.numbers)[:_MOST_OPERANDS], *FACTORS)
    measured = frozenset(number for number in operands if known.measures(number, unit))
    shares = frozenset(number for number in operands if known.only(number, SHARE))
    dates = frozenset(number for number in operands if known.only(number, DATE))
    is_share = unit == SHARE
    pairs = (
        (first, second)
        for first in operands
        for second in operands
        if (first in dates) is (second in dates)
        and (is_share or second in FACTORS or not measured.isdisjoint((first, second)))
    )
    return any(
        _is_close(result, value, about=about)
        for pair in pairs
        for result in (_as_share(*pair) if is_share else _as_amount(*pair, shares))
    )


def is_combined(value: float, stated: Iterable[float]) -> bool:
    """Whether a number adds up from three others: "200 − 15 − 184", or "81.5 − 3 × 24.5"."""
    some = tuple(dict.fromkeys(stated))[:_MOST_COMBINED]
    return any(
        _is_close(abs(result), value)
        for first, second, third in permutations(some, 3)
        for result in (
            first + second + third,
            first - second - third,
            first + second - third,
            first * second - third,
            first * second + third,
        )
    )


def _is_close(result: float, value: float, *, about: bool = False) -> bool:
    decimals = len(f"{value:.6f}".rstrip("0").partition(".")[2])
    near = NEARLY * value if about else 0.5 * 10**-decimals + 1e-9
    return abs(result - value) <= near


def _as_share(first: float, second: float) -> Iterator[float]:
    yield first + second
    yield first - second
    if second:
        yield 100 * first / second
        yield 100 * (first - second) / second


def _as_amount(first: float, second: float, shares: Collection[float]) -> Iterator[float]:
    if second in shares:
        yield first * second / 100
        yield first * (1 - second / 100)
        yield first * (1 + second / 100)
    elif first not in shares:
        yield first + second
        yield first - second
        yield first * second
        if second:
            yield first / second
