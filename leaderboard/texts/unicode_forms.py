"""Normal forms of Unicode for texts of strangers, in linear time."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

# More marks on one character are no text: "Stream-Safe Text Format" of Unicode Standard Annex 15.
# Sorting them takes quadratic time.
_TOO_MANY: Final = re.compile(rb"[^\0]{31}")


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


@lru_cache(maxsize=4096)
def _apart(character: str) -> str:
    return unicodedata.normalize("NFKD", character)
