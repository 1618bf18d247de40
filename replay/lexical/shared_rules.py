"""What the rules share: a prompt's texts, the finding, and questions about words and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from replay.lexical.judge_vocabulary import FILLER, GENERIC, NEGATIONS, PLAIN_VERBS
from replay.lexical.normalisation import OPERATORS, is_number, normalise, stem, written_words

LONGEST: Final = 20_000  # characters; a longer answer is not read
_MOST_NAMED: Final = 5  # words or numbers that a sentence names before it only counts


@dataclass(frozen=True, slots=True)
class Texts:
    """What a judge prompt quotes: question, argument (or nothing), accepted text, given text."""

    question: str
    subject: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """The judge's word (`equivalent`, `Solved`, …), and why, in one sentence."""

    word: str
    why: str


def equivalent(why: str) -> RuleFinding:
    return RuleFinding("equivalent", why)


def different(why: str) -> RuleFinding:
    return RuleFinding("different", why)


def listed(tokens: Iterable[str]) -> str:
    """Joins topics, numbers, dates and times for a sentence."""
    shown = [re.sub(r"^@(?:d-?|t)", "", token) for token in tokens]
    if len(shown) > _MOST_NAMED:
        shown = [*shown[:_MOST_NAMED], f"{len(shown) - _MOST_NAMED} more"]
    if len(shown) < 2:
        return "".join(shown) or "none"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def quoted(tokens: Iterable[str], text: str) -> str:
    """Joins tokens of a text for a sentence: words as the text writes them, in quotation marks.

    A judge's grade does not count in quotation marks, so these words cannot pass for one.
    """
    written = written_words(text)
    found = {one if one in written or stem(one) not in written else stem(one) for one in tokens}
    words = [word for stemmed, word in written.items() if stemmed in found]
    others = sorted(found.difference(written))
    return listed(one if is_number(one) else f'"{one}"' for one in [*words, *others])


def sentences(text: str) -> list[str]:
    """Splits a text into sentences, each with its full stop or question mark."""
    return [part.strip() for part in re.split(r"(?<=[.?!])\s+|\n+", text) if part.strip()]


def normalised_line(text: str) -> str:
    """The normalised words of a text, separated by blanks, for patterns to search."""
    return " ".join(normalise(text).words)


def is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'»”’)] ").endswith("?")


def statements(text: str) -> list[str]:
    """The sentences that hold more than filler."""
    return [part for part in sentences(text) if normalise(part).content]


def only_asks(text: str) -> bool:
    """Whether a text has statements, and all of them are questions."""
    told = statements(text)
    return bool(told) and all(map(is_question, told))


def no_answer(texts: Texts, unsure: re.Pattern[str]) -> str | None:
    """Why the given text is no answer at all, or None. `unsure` finds evasive phrases."""
    got = normalise(texts.got)
    if unsure.search(" ".join(got.words)):
        return "The given text is unsure or declines to answer."
    if only_asks(texts.got):
        return "The given text only asks a question."
    if len(got.key_stems) > 60 + 6 * len(normalise(texts.expected).key_stems):
        return "The given answer has far more words than the accepted one."
    return None


_WITHOUT_MEANING: Final = FILLER | GENERIC | NEGATIONS | PLAIN_VERBS | OPERATORS | {"(", ")"}


def has_meaning(word: str) -> bool:
    """Whether a word identifies something: filler, negations and generic words do not."""
    return word not in _WITHOUT_MEANING


def is_negated(words: tuple[str, ...], places: list[int]) -> bool:
    """Whether a negation precedes each of these places by at most three words.

    "Not only" negates nothing.
    """
    return bool(places) and all(_follows_negation(words, place) for place in places)


def _follows_negation(words: tuple[str, ...], place: int) -> bool:
    before = pairwise(words[max(0, place - 3) : place + 1])
    return any(word in NEGATIONS and after != "only" for word, after in before)


def same_day(one: str, other: str) -> bool:
    """Whether two tokens are equal, or the same day with one of the two years missing."""
    if one == other or not (one.startswith("@d") and other.startswith("@d")):
        return one == other
    return one[-6:] == other[-6:] and "" in (one[2:-6], other[2:-6])
