"""Text in one letter case, without accents and typographic signs, with the way back."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

# Signs that compatibility forms do not unify. The narrow blanks group digits, so they stay.
_SIGNS: Final = {
    **dict.fromkeys("‘’‚‛ʼʹ′´＇", "'"),
    **dict.fromkeys("“”„‟«»″＂", '"'),
    **dict.fromkeys("‐‑−⁻﹣－", "-"),
    **dict.fromkeys("–—―‒", "–"),
    **dict.fromkeys("\u00a0\u2009\u202f", "\u00a0"),
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", (f"^{digit}" for digit in range(10)), strict=True)),
    "½": ".5",
    "¼": ".25",
    "¾": ".75",
    "\u00ad": "",
    "\u200b": "",
    "\ufeff": "",
    "×": "x",
}


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    # Twice, because letter case can bring marks back: İ becomes i and a dot.
    for _ in range(2):
        parts = unicodedata.normalize("NFKD", character)
        character = "".join(part for part in parts if not unicodedata.combining(part)).casefold()
    return character


def fold(text: str) -> tuple[str, Sequence[int]]:
    """The folded text and, for each of its characters, the place in the text."""
    if text.isascii():
        return text.lower(), range(len(text))
    pieces = list(map(_folded, text))
    places = [place for place, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), places
