"""Labels that read like words of the board: a rank, a score, "verified", or a name with more."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.proposals.look_alikes import at_a_glance
from leaderboard.texts.unicode_forms import bare
from leaderboard.types import Card, Json, Submission

_APPROVAL: Final = frozenset(
    {"approved", "audited", "certified", "champion", "endorsed", "trusted", "verified", "winner"}
)
# A framework or a link may be official, and a setting may be the least score of a search.
_WORDS_IN_NAMES: Final = _APPROVAL | {
    "leaderboard",
    "official",
    "officially",
    "ranked",
    "score",
    "sota",
}
# What a row is compared with. A baseline may say so.
_REFERENCES: Final = frozenset({"baseline", "human", "humans"})
_WORD: Final = re.compile(r"[^\W\d_]+")
# "C# 12" is a language.
_RANK: Final = re.compile(
    r"(?<!\b[CcFf])[#№]\s*\d|\b(?:no|nr|number|rank|place)\b\.?\s*\d|\b1st\b|[🥇🥈🥉🏆🏅🎖👑]"
    r"|^\s*\d{1,3}[.):]\s|\btop[ -]?1\b|\bfirst place\b"
)
# In the name of a character. Stars read like a mark that somebody gave.
_MARKS: Final = {
    "a check mark": re.compile(r"\bCHECK\b"),
    "a star": re.compile(r"\bSTAR\b"),
    "a number with a frame": re.compile(r"\bCIRCLED (?:DIGIT|NUMBER)\b|\bKEYCAP\b"),
}
_PERCENTAGE: Final = re.compile(r"\d\s*(?:[%\u066a\u2030]|percent)")
_SAID_SCORE: Final = re.compile(r"\bscores?\b\W*\d")
# In a name, "98.5" is no version or size, such as "4.1", "v10.2" and "10.7B". "10/10" is a score.
_SCORE: Final = re.compile(
    r"(?<![\w.])\d{2,3}(?:\.\d+|,\d{1,2})(?![\w.])|\b\d{1,3}\s*/\s*100?\b|\U0001f4af"
)
_IN_BRACKETS: Final = re.compile(r"[(\[{<].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BoardLikeName:
    """A field of a card that reads like words of the board. `what`: "contains a rank".

    `other` is the submission to whose name it adds more, or empty.
    """

    field: str
    value: str
    what: str
    other: str = ""


def board_like_names(
    submission: Submission, others: Iterable[Submission]
) -> Iterator[BoardLikeName]:
    """Yields what readers can take for words of the board. Honest names may have them, too."""
    card = submission.card
    known = {
        at_a_glance(other.card.name): other.id for other in others if other.id != submission.id
    }
    start = _IN_BRACKETS.sub("", bare(card.name))
    if start != bare(card.name) and (other := known.get(at_a_glance(start))):
        yield BoardLikeName("name", card.name, "adds words in brackets to the name of", other)
    names = {"name": card.name, "organization": card.organization, "model": card.model}
    words = _WORDS_IN_NAMES if card.kind == "baseline" else _WORDS_IN_NAMES | _REFERENCES
    for field, value in names.items():
        for what in _claims(value, words, is_name=True):
            yield BoardLikeName(field, value, what)
    for field, value in _other_labels(card):
        for what in _claims(value, _APPROVAL):
            yield BoardLikeName(field, value, what)


def board_words(text: str) -> list[str]:
    """The ranks and words of approval in a longer text, each once, in order: "verified"."""
    plain = bare(text)
    found = [*_RANK.finditer(plain), *(w for w in _WORD.finditer(plain) if w[0] in _APPROVAL)]
    return list(dict.fromkeys(one[0].strip() for one in sorted(found, key=re.Match.start)))


def _other_labels(card: Card) -> Iterator[tuple[str, str]]:
    """What else of a card stands among the board's own facts, with its field."""
    yield "framework", card.framework or ""
    yield "licence", card.license or ""
    yield "number of parameters", card.parameters or ""
    yield from (("link name", name) for name in card.links)
    yield from (("setting name", name) for name in _setting_names(card.settings))


def _setting_names(settings: Mapping[str, Json]) -> Iterator[str]:
    for name, value in settings.items():
        yield name
        if isinstance(value, dict):
            yield from _setting_names(value)


def _claims(text: str, words: frozenset[str], *, is_name: bool = False) -> Iterator[str]:
    plain = bare(text)
    if _RANK.search(text) or _RANK.search(plain):
        yield "contains a rank"
    names = [unicodedata.name(char, "") for char in text if not char.isascii()]
    for mark, pattern in _MARKS.items():
        if any(map(pattern.search, names)):
            yield f"contains {mark}"
    if _PERCENTAGE.search(plain):
        yield "contains a percentage"
    if _SAID_SCORE.search(plain) or (is_name and _SCORE.search(plain)):
        yield "contains a score"
    for word in sorted(words.intersection(_WORD.findall(plain))):
        yield f"contains the word {word}"
