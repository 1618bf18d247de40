"""Normal forms of Unicode for texts of strangers, in linear time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from leaderboard.texts.confusable_letters import as_ascii

# More marks on one character are no text: "Stream-Safe Text Format" of Unicode Standard Annex 15.
# Sorting them takes quadratic time.
_TOO_MANY: Final = re.compile(rb"[^\0]{31}")
_CONTROLS: Final = {code: None for code in (*range(32), 127) if not chr(code).isspace()}
# Letters of Hangul that show nothing.
BLANK_HANGUL: Final = frozenset("\u115f\u1160\u3164\uffa0")


def normalised(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """The text in a normal form. It stays as it is if a character has more than 30 marks."""
    if text.isascii() or has_piled_marks(text):
        return text
    return unicodedata.normalize(form, text)


def has_piled_marks(text: str) -> bool:
    """Whether a character of a text has more than 30 accents and other marks."""
    if text.isascii():
        return False
    apart = "".join(map(_apart, text))  # a character may be made of several marks
    return _TOO_MANY.search(bytes(map(unicodedata.combining, apart))) is not None


def mark_runs(text: str) -> Iterator[tuple[str, int]]:
    """Each character, with the number of marks up to it that are on the same letter."""
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        yield char, marks


def bare(text: str) -> str:
    """The text in one case and compatible form, without accents and without what shows nothing.

    Letters that look like ASCII letters become those. It takes linear time, whatever marks are
    piled up.
    """
    if text.isascii():
        return text.translate(_CONTROLS).lower()
    return unicodedata.normalize("NFC", "".join(map(_bare, text)))


@lru_cache(maxsize=4096)
def _bare(character: str) -> str:
    for _ in range(2):  # letter case can bring marks back: İ becomes i and a dot
        kept = "".join(filter(_shows, unicodedata.normalize("NFKD", character)))
        character = kept.casefold()
    return "".join(map(as_ascii, character))


def _shows(character: str) -> bool:
    """Whether a character is a letter, digit, sign or blank. Blanks are the lines' ends, too."""
    if character in BLANK_HANGUL:
        return False
    return character.isspace() or unicodedata.category(character)[0] not in "CM"


@lru_cache(maxsize=4096)
def _apart(character: str) -> str:
    return unicodedata.normalize("NFKD", character)
