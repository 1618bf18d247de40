"""The phrases of TOML files, as forms. A word in braces stands for a list of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from leaderboard.facts.text_forms import Either, Form, Phrase, Prefix, WordGap, Words, parse_form
from scoring.facts.form_search import FormSet
from scoring.facts.toml_tables import phrases

# What each word in braces stands for.
Lists = Mapping[str, Sequence[str]]

_NOTHING: Final[Lists] = {}


def listed(text: str, lists: Lists = _NOTHING) -> list[Form]:
    """The forms of a list. One with braces is left out if the case gives nothing for them."""
    forms = (_filled(parse_form(phrase), lists) for phrase in phrases(text))
    return [form for form in forms if form]


def form_set(text: str) -> FormSet:
    """The forms of a list, to search them together."""
    return FormSet(listed(text), tight=True)


def _filled(form: Form, lists: Lists) -> Form | None:
    if "{" not in form.text:
        return form
    try:
        filled = tuple(_filled_phrase(phrase, lists) for phrase in form.phrases)
    except KeyError:
        return None
    return replace(form, phrases=filled)


def _filled_phrase(phrase: Phrase, lists: Lists) -> Phrase:
    pieces: list[Words | Prefix | WordGap | Either] = []
    for piece in phrase:
        if isinstance(piece, Either):
            pieces.append(Either(tuple(_filled_phrase(one, lists) for one in piece.options)))
        elif isinstance(piece, Words) and "{" in piece.text:
            pieces += _filled_words(piece.text, lists)
        else:
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
