"""Letters that look like those of another script: Unicode TR 39, "Unicode Security Mechanisms"."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

LIKE_LATIN: Final = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LISU"})


def as_ascii(letter: str) -> str:
    """The ASCII letter that a small letter or its capital looks like; otherwise the letter."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    if letter.isascii() or script not in {*LIKE_LATIN, "LATIN"}:
        return letter
    for form in (letter, letter.upper()):
        prototype = prototypes().get(form, form).lower()
        if prototype.isascii() and prototype.isalpha():
            return prototype
    return letter


@cache
def prototypes() -> dict[str, str]:
    """The one character that stands for each confusable one, ASCII if there is one.

    The data hold pairs in both directions. A pair with several characters, such as m and rn, is
    left out, because it would make ordinary words alike.
    """
    from confusable_homoglyphs import confusables  # noqa: PLC0415 - it reads a megabyte

    leaders: dict[str, str] = {}

    def leader(char: str) -> str:
        while leaders.get(char, char) != char:
            char = leaders[char]
        return char

    for char, alike in confusables.confusables_data.items():
        for other in alike:
            if len(other["c"]) == 1 == len(char):
                first, second = sorted((leader(char), leader(other["c"])), key=_by_plainness)
                leaders[second] = first
    return {char: leader(char) for char in leaders}


def _by_plainness(char: str) -> tuple[bool, bool, bool, str]:
    return not char.isascii(), not char.islower(), not char.isalpha(), char
