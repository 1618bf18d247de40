"""The words of canonical text, read once from the TOML files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from scoring.facts.toml_tables import phrases, read_table

_WORDS: Final = read_table("canonical_text/canonical_words.toml")
_NUMBERS: Final = read_table("canonical_text/number_words.toml")


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit. A number of it is `factor` times as many of the first unit, plus `offset`."""

    dimension: str
    factor: float
    offset: float = 0.0

    def of(self, number: float) -> float:
        """The number in the first unit of the dimension."""
        return number * self.factor + self.offset


def _names(text: str) -> list[tuple[str, ...]]:
    return [tuple(name.split()) for name in phrases(text)]


# Boundaries. Everything that ends a sentence is "." but the question mark, and ends of clauses
# are ",".
STOP: Final = "."
ASKED: Final = "?"
COMMA: Final = ","
BOUNDARIES: Final = frozenset((STOP, ASKED, COMMA))

CONTRACTIONS: Final[Mapping[str, str]] = _WORDS["contractions"]
ENDINGS: Final[Mapping[str, str]] = _WORDS["endings"]
IS_AFTER: Final = frozenset(_WORDS["is_after"]["words"].split())
SIGN_WORDS: Final = frozenset(_WORDS["sign"]["words"].split())
SPELLINGS: Final[Mapping[str, str]] = _WORDS["spellings"]
SCALES: Final[Mapping[str, int]] = _NUMBERS["scales"]
PARTS: Final = {word: Decimal(share) for word, share in _NUMBERS["parts"].items()}
ABBREVIATIONS: Final = frozenset(_WORDS["abbreviations"]["words"].split())

SMALL_WORDS: Final = frozenset(_WORDS["small"]["words"].split())
FOREIGN_WORDS: Final = frozenset(_WORDS["small"]["foreign"].split())

SMALL: Final[dict[str, int]] = {
    word: value for value, word in enumerate(_NUMBERS["numbers"]["small"].split())
}
TENS: Final[dict[str, int]] = {
    word: 10 * n for n, word in enumerate(_NUMBERS["numbers"]["tens"].split(), 2)
}
ORDINALS: Final[dict[str, int]] = {
    **{word: value for value, word in enumerate(_NUMBERS["numbers"]["ordinals"].split(), 1)},
    **{word: 10 * n for n, word in enumerate(_NUMBERS["numbers"]["ordinal_tens"].split(), 2)},
}
SHORT_ORDINALS: Final[dict[int, str]] = {
    value: word for word, value in ORDINALS.items() if value <= 12
}

MONTHS: Final[dict[str, int]] = {
    word: number
    for number, words in enumerate(_WORDS["calendar"]["months"], 1)
    for word in words.split()
}
CLOCK: Final[dict[str, str]] = {
    word: meaning for meaning, words in _WORDS["clock"].items() for word in words.split()
}

Units = dict[tuple[str, ...], str]


def _read_measures() -> tuple[dict[str, Measure], Units, Units]:
    """The measures by unit, and the units by their names and by their short names."""
    measures: dict[str, Measure] = {}
    names: Units = {}
    shorts: Units = {}
    for dimension, units in read_table("canonical_text/measures.toml").items():
        for unit, fields in units.items():
            measures[unit] = Measure(dimension, fields["factor"], fields.get("offset", 0.0))
            names.update(dict.fromkeys(_names(fields["names"]), unit))
            names[tuple(unit.split())] = unit
            shorts.update(dict.fromkeys(_names(fields.get("short", "")), unit))
    return measures, names, shorts


MEASURES, UNIT_NAMES, UNIT_SHORTS = _read_measures()
