"""The phrases of vocabulary.toml, as forms. A word in braces stands for a list of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from leaderboard.fact_forms import Either, Form, Phrase, Words, parse_form
from scoring.facts.forms import FormSet
from scoring.facts.word_tables import read_table

VOCABULARY: Final[Mapping[str, Any]] = read_table("vocabulary.toml")

# What each word in braces stands for.
Lists = Mapping[str, Sequence[str]]

_NOTHING: Final[Lists] = {}


def form_set(texts: Iterable[str], lists: Lists = _NOTHING, *, tight: bool = True) -> FormSet:
    """Compiles forms. One with braces is left out if nothing is given for them."""
    forms = (_filled(parse_form(text), lists) for text in texts)
    return FormSet((form for form in forms if form), tight=tight)


def _filled(form: Form, lists: Lists) -> Form | None:
    if "{" not in form.text:
        return form
    try:
        phrases = tuple(_filled_phrase(phrase, lists) for phrase in form.phrases)
    except KeyError:
        return None
    return replace(form, phrases=phrases)


def _filled_phrase(phrase: Phrase, lists: Lists) -> Phrase:
    pieces: list[Any] = []
    for piece in phrase:
        match piece:
            case Either():
                options = tuple(_filled_phrase(option, lists) for option in piece.options)
                pieces.append(Either(options))
            case Words() if "{" in piece.text:
                pieces += _filled_words(piece.text, lists)
            case _:
                pieces.append(piece)
    return tuple(pieces)


def _filled_words(text: str, lists: Lists) -> Iterable[Words | Either]:
    for word in text.split():
        if word.startswith("{"):
            yield Either(tuple(map(_phrase, lists[word.strip("{}")])))
        else:
            yield Words(word)


@lru_cache(maxsize=4096)
def _phrase(text: str) -> Phrase:
    return parse_form(text).phrases[0]


def phrases_of(section: str, name: str, lists: Lists = _NOTHING) -> FormSet:
    """The forms of a list in a section."""
    return form_set(VOCABULARY[section][name], lists)
