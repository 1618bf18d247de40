"""Where a passage states the number or the time of a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leaderboard.facts.accepted_forms import NumberForm, TimeForm
from scoring.facts.api_answers.answer_values import (
    currency_near,
    dotted_time,
    unit_after,
    unit_name,
    written_number,
)
from scoring.facts.api_answers.value_closeness import is_converted, rounds_to
from scoring.facts.canonical_text.canonical_words import MEASURES
from scoring.facts.canonical_text.tokens import is_date
from scoring.facts.sentences import Passage

_HOUR_BEFORE: Final = frozenset(
    ("at", "by", "from", "until", "till", "to", "between", "opens", "closes", "around", "about")
)
_HOUR_AFTER: Final = frozenset(("uhr", "hour", "to", "in", "until"))
_HEAT: Final = "temperature"


def find_number(form: NumberForm, passage: Passage) -> Iterator[int]:
    """The positions of the words that state a number."""
    for at, word in enumerate(passage.words):
        if _states(form, passage, at, word):
            yield at


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
