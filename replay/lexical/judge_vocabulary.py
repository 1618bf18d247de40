"""The embedded judge's vocabulary, read from judge_vocabulary.toml, which explains every list."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from leaderboard.texts.short_text import single_spaced

_FILE: Final[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("judge_vocabulary.toml").read_text(encoding="utf-8")
)


def _words(name: str) -> frozenset[str]:
    return frozenset(_FILE[name].split())


def _phrases(text: str) -> tuple[str, ...]:
    """Splits at commas. A phrase may be broken over two lines."""
    return tuple(map(single_spaced, text.split(",")))


def _synonyms(name: str) -> dict[str, str]:
    """Maps every phrase of a table to the key that it counts as, and every key to itself."""
    found: dict[str, str] = {}
    for main, others in _FILE[name].items():
        found[main] = main
        found.update(dict.fromkeys(_phrases(others), main))
    return found


def _lands() -> dict[str, tuple[str, ...]]:
    """Maps each city to the lands that it is in."""
    lands: dict[str, tuple[str, ...]] = {}
    for land, cities in _FILE["lands"].items():
        for city in _phrases(cities):
            lands[city] = (*lands.get(city, ()), land)
    return lands


def any_of(words: Iterable[str]) -> str:
    """A regular expression that matches each of these words, the longest first."""
    return (
        "(?:" + "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) + ")"
    )


def pattern(name: str) -> re.Pattern[str]:
    """Compiles a pattern of the vocabulary. It matches whole words."""
    deeds, folded = any_of(_words("deeds")), any_of(_words("folded_deeds"))
    alternatives = "|".join(_FILE["patterns"][name])
    alternatives = alternatives.replace("{deed}", deeds).replace("{folded_deed}", folded)
    return re.compile(rf"\b(?:{alternatives})\b")


ARTICLES: Final = _words("articles")
LETTERED: Final = _words("lettered")
WEEKDAYS: Final = _words("weekdays")
NEGATIONS: Final = _words("negations")
FILLER: Final = _words("filler")
GENERIC: Final = _words("generic")
PLAIN_VERBS: Final = _words("plain_verbs")
JOINERS: Final = _words("joiners")
FREE_ARGUMENTS: Final = _words("free_arguments")
WEAK_FAULTS: Final = _words("weak_faults")
ASKING: Final = _words("asking")
REQUESTING: Final = _words("requesting")

# Maps each character to what replaces it.
SIGNS: Final = {
    character: sign for sign, characters in _FILE["signs"].items() for character in characters
}
PHRASES: Final = _synonyms("phrases")
WORDS: Final = _synonyms("words")
SHORT_UNITS: Final = _synonyms("short_units")
LANGUAGE_CODES: Final = _synonyms("language_codes")
CHOICES: Final = _synonyms("choices")
FAULTS: Final = _synonyms("faults")
STATES: Final[Mapping[str, str]] = _FILE["states"]
LANDS: Final = _lands()
TOPICS: Final = {topic: _phrases(text) for topic, text in _FILE["topics"].items()}
ACCEPTED_TOPICS: Final = {topic: _phrases(text) for topic, text in _FILE["accepted_topics"].items()}

MONTHS: Final = {
    name: number for number, names in enumerate(_FILE["months"], start=1) for name in names.split()
}
TENS: Final = {name: 10 * number for number, name in enumerate(_FILE["tens"].split(), start=2)}
_COUNTED: Final = {name: number for number, name in enumerate(_FILE["numbers"].split())}
HOURS: Final = {name: number for name, number in _COUNTED.items() if 1 <= number <= 12}
# "one" is missing here because it is a pronoun as often as a number.
NUMBERS: Final = {name: number for name, number in _COUNTED.items() if name != "one"} | TENS
