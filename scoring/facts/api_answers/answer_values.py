"""The times, dates and numbers of a passage, with their units."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from scoring.facts.canonical_text.canonical_words import MEASURES, MONTHS, UNIT_NAMES
from scoring.facts.canonical_text.measures import UNIT_WORDS, measure_at
from scoring.facts.canonical_text.tokens import is_date, is_number, is_time
from scoring.facts.sentences import Passage, Span

_DOTTED: Final = re.compile(r"([01]?[0-9]|2[0-3])\.([0-5][0-9])")
_DECIMAL: Final = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_RANGE: Final = (("to",), ("and",))
_WHOLE: Final = (("full",), ("whole",))
DAY: Final = 1440  # minutes
_HOURS: Final = frozenset(map(str, range(1, 13)))
_HOURS_LATER: Final[dict[tuple[str, ...], int]] = {
    ("in", "the", "morning"): 0,
    ("in", "the", "afternoon"): 12,
    ("in", "the", "evening"): 12,
}
SHARE: Final = "percent"
DATE: Final = "date"  # what the numbers of dates count, in place of a unit
_LONGEST_KEY: Final = 3  # words
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

    def has_times_apart(self, minutes: float) -> bool:
        """Whether one time is this long after another one, on the same day or the next."""
        if not minutes.is_integer() or minutes >= DAY:
            return False
        times = set(map(minutes_of, self.times))
        return any((time + minutes) % DAY in times for time in times)

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

    def add_number(self, number: float, unit: str | None) -> None:
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


def minutes_of(time: str) -> int:
    """The minutes from midnight to a time HH:MM."""
    return 60 * int(time[:2]) + int(time[3:5])


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
    return measure_at(words, at + 1)


def _unit_beside(words: tuple[str, ...], at: int) -> str | None:
    """The unit after a number, or in the key of a reply before it: "wait_minutes 14"."""
    if unit := unit_after(words, at):
        return unit
    for first in range(max(0, at - UNIT_WORDS), at):
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
    beside = [at + 1]
    if at > 1 and not is_number(passage.words[at - 2]):
        beside.append(at - 1)
    for index in beside:
        if 0 <= index < len(passage.words):
            code = passage.written(Span(index, index + 1))
            if len(code) == 3 and code.isalpha() and code.isupper():
                return code.lower()
    return None


def written_number(passage: Passage, at: int) -> float | None:
    """A number, also where it looks like a time: "at 11.5"."""
    word = passage.words[at]
    if is_number(word):
        return float(word)
    if not is_time(word):
        return None
    text = passage.written(Span(at, at + 1)).replace(",", ".")
    return float(text) if _DECIMAL.fullmatch(text) else None


def dotted_time(passage: Passage, at: int) -> tuple[int, int] | None:
    """Hour and minute of a number that is written like 08.15."""
    found = _DOTTED.fullmatch(passage.written(Span(at, at + 1)))
    return (int(found[1]), int(found[2])) if found else None
