"""The words of requests and tools that say what they are about: all but stop words."""

from __future__ import annotations

import re
from typing import Final

# A word, or a part of one in camelCase or snake_case.
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_STOP_WORDS: Final = frozenset(
    """
    a about after all also am an and any api apis are as at be been before but by can could
    data details did do does for from get give had has have help her here him his how i if in
    info information into is it its just know let like list look make many may me more most
    much my need no not of on one or other our out over please provide see she should show so
    some such tell than that the their them then there these they this those to too tool tools
    up us use want was we were what when where which while who why will with would you your
    """.split()  # noqa: SIM905 - a list of quoted words would fill two pages
)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning: in lower case, as singulars, without stop words."""
    lowered = (word.casefold() for word in _WORD.findall(text))
    return frozenset(
        _singular(word) for word in lowered if word not in _STOP_WORDS and len(word) > 1
    )


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word
