"""Other languages than English: whether a text is in one, and what its common words mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from scoring.facts.canonical_text.canonical_words import (
    ASKED,
    BOUNDARIES,
    FOREIGN_WORDS,
    MONTHS,
    SMALL_WORDS,
    STOP,
)
from scoring.facts.canonical_text.one_word_numbers import NUMBER_WORDS, CompoundNumbers
from scoring.facts.canonical_text.tokens import Token, expanded, is_number
from scoring.facts.toml_tables import read_table

_LAST_LATIN: Final = "\u036f"
_LONGEST: Final = 6  # words of an entry
_FEWEST: Final = 2  # small words of a language in a text
_SHORTEST: Final = 3  # words of a text that is mostly in the words of a language
_MOSTLY: Final = 0.6


@dataclass(frozen=True, slots=True)
class Language:
    """A language of translations/. Its file has `small`, `meanings` and perhaps `joint` and `half`.

    `meanings` are in English, by the words of an entry. `words` are all that occur in entries, and
    `firsts` those that entries begin with.
    """

    small: frozenset[str]
    words: frozenset[str]
    firsts: frozenset[str]
    meanings: Mapping[tuple[str, ...], tuple[str, ...]]
    numbers: CompoundNumbers | None

    def meaning(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What words mean in English, if they have a translation or are a compound number."""
        known = self.meanings.get(words)
        if known or self.numbers is None or len(words) > 1:
            return known
        return self.numbers.read(words[0])

    def knows(self, word: str) -> bool:
        """Whether a word is one of a translated entry."""
        return word in self.small or word in self.words


@cache
def _languages() -> tuple[Language, ...]:
    files = sorted(Path(__file__).with_name("translations").glob("*.toml"))
    return tuple(
        _language(read_table(f"canonical_text/translations/{file.name}")) for file in files
    )


def _language(table: Mapping[str, Any]) -> Language:
    meanings = {tuple(entry.split()): _english(it) for entry, it in table["meanings"].items()}
    numbers = None
    if "joint" in table:
        numbers = CompoundNumbers.of(meanings, table["joint"], table.get("half", ()))
    words = frozenset(word for entry in meanings for word in entry)
    firsts = frozenset(entry[0] for entry in meanings)
    return Language(frozenset(table["small"].split()), words, firsts, meanings, numbers)


def _english(text: str) -> tuple[str, ...]:
    return tuple(word for one in text.split() for word in expanded(one))


def is_foreign(words: Sequence[str]) -> bool:
    """Whether a text has words in another script, or more small words of other languages."""
    some = [word for word in words if word not in BOUNDARIES]
    if any(len(word) > 1 and word[0] > _LAST_LATIN and word[0].isalpha() for word in some):
        return True
    small = sum(word in SMALL_WORDS for word in some)
    return sum(word in FOREIGN_WORDS for word in some) > small


def in_english(tokens: Sequence[Token]) -> Sequence[Token]:
    """Replaces the common words of a text in another language. Others stay as they are."""
    language = _language_of([token.word for token in tokens])
    return _joined_numbers(list(_translated(tokens, language))) if language else tokens


def _joined_numbers(tokens: Sequence[Token]) -> Sequence[Token]:
    """Writes numbers beside each other in English, to be read as one: "treinta y cinco"."""
    places = [at for at, one in enumerate(tokens) if one.spelled and one.word in NUMBER_WORDS]
    read = list(tokens)
    for at, then in pairwise(places):
        between = [token.word for token in tokens[at + 1 : then]]
        if between in ([], ["and"]) and tokens[at].word != "1":
            for place in (at, then):
                read[place] = tokens[place]._replace(word=NUMBER_WORDS[tokens[place].word])
    return read


def _language_of(words: Sequence[str]) -> Language | None:
    """The language with the most small words in a text, if English has fewer of its own."""
    language = max(
        _languages(),
        key=lambda one: (sum(map(one.small.__contains__, words)), sum(map(one.knows, words))),
    )
    number = sum(word in language.small for word in words)
    english = sum(
        word in SMALL_WORDS and word not in language.small and (word,) not in language.meanings
        for word in words
    )
    letters = [word for word in words if word.isalpha()]
    known_words = sum(map(language.knows, letters))
    mostly = len(letters) >= _SHORTEST and known_words >= _MOSTLY * len(letters)
    short_question = ASKED in words and known_words == len(letters)
    if mostly and known_words == len(letters) and not english:
        return language  # "grön = blått + gult" has no small words
    enough = number >= _FEWEST or (number and (mostly or short_question))
    return language if enough and number > english else None


def _translated(tokens: Sequence[Token], language: Language) -> Iterator[Token]:
    at, before = 0, ""
    while at < len(tokens):
        longest = min(_LONGEST, len(tokens) - at) if tokens[at].word in language.firsts else 1
        for used in range(longest, 0, -1):
            some = tokens[at : at + used]
            meaning = language.meaning(tuple(token.word for token in some))
            if meaning:
                break
        else:
            used, some, meaning = 1, tokens[at : at + 1], (tokens[at].word,)
        if used == 1 and _is_in_english_name(tokens, at, language):
            meaning = (tokens[at].word,)
        if not _is_dot_of_day(before, tokens, at, language):
            before = meaning[-1]
            for word in meaning:
                yield Token(word, some[0].start, some[-1].end, some[0].spelled)
        at += used


def _is_in_english_name(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Whether a small word of both languages is beside one of English alone: "of the"."""
    beside = [token.word for token in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])]
    return tokens[at].word in SMALL_WORDS and any(
        word in SMALL_WORDS and not language.knows(word) for word in beside
    )


def _is_dot_of_day(before: str, tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Whether a dot belongs to a day: "31. November"."""
    if tokens[at].word != STOP or not before or not is_number(before) or at + 1 == len(tokens):
        return False
    month = tokens[at + 1].word
    return language.meanings.get((month,), (month,))[0] in MONTHS
