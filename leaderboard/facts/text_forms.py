"""The small language in which facts write accepted texts.

A form is a list of words: `word*` is a prefix, `(a/b c)` an alternative and `..` a gap of a few
words. `A & B` needs both in one sentence, `A ~ B` both in one clause. `!` at the start marks a
form that holds its own negation, such as `!not on time`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

Scope = Literal["phrase", "clause", "sentence"]

SHORTEST_PREFIX: Final = 3
MOST_GAPS: Final = 2  # per phrase: each gap multiplies the time of a search
LONGEST_FORM: Final = 300

_SIGNS: Final = ("(", ")", "*", "..")  # of a phrase that is more than words
_PIECE: Final = re.compile(r"\([^()]*\)|\.\.|[^\s()]+")
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_JOINTS: Final[tuple[tuple[str, Scope], ...]] = (("&", "sentence"), ("~", "clause"))


@dataclass(frozen=True, slots=True)
class Words:
    """Words as an answer may write them, one after the other."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """The start of a word."""

    text: str


@dataclass(frozen=True, slots=True)
class WordGap:
    """Up to a few words."""


@dataclass(frozen=True, slots=True)
class Either:
    """One of several phrases. An empty phrase makes the others optional."""

    options: tuple[Phrase, ...]


Phrase = tuple[Words | Prefix | WordGap | Either, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A form that was read. All phrases must occur in one sentence or clause, as `scope` says."""

    text: str
    phrases: tuple[Phrase, ...]
    scope: Scope
    negative: bool


def parse_form(text: str) -> Form:
    """Reads a form. Raises ValueError with the reason if it is broken."""
    if len(text) > LONGEST_FORM:
        raise ValueError(f"a form has at most {LONGEST_FORM} characters")
    negative = text.startswith("!")
    body = text.removeprefix("!")
    joints = [(sign, scope) for sign, scope in _JOINTS if f" {sign} " in body]
    if len(joints) > 1:
        raise ValueError("a form joins its parts with & or with ~, not with both")
    sign, scope = joints[0] if joints else ("&", "phrase")
    parts = body.split(f" {sign} ")
    return Form(text, tuple(map(_phrase, parts)), scope, negative)


def _phrase(text: str) -> Phrase:
    words = text.split()
    if words and not any(sign in text for sign in _SIGNS):  # as most are
        return (Words(" ".join(words)),)
    if re.search(r"[()]", _BRACKETS.sub("", text)):
        raise ValueError("brackets of a form are closed, and not nested")
    pieces: list[Words | Prefix | WordGap | Either] = []
    for plain, run in groupby(_PIECE.findall(text), _is_plain):
        if plain:
            pieces.append(Words(" ".join(run)))
        else:
            pieces.extend(map(_special, run))
    if all(map(_may_be_empty, pieces)):
        raise ValueError("a form has at least one word, and not in a bracket that may be empty")
    gaps = [place for place, piece in enumerate(pieces) if isinstance(piece, WordGap)]
    if len(gaps) > MOST_GAPS:
        raise ValueError(f"a phrase has at most {MOST_GAPS} gaps")
    if 0 in gaps or len(pieces) - 1 in gaps:
        raise ValueError("a gap must be between words")
    return tuple(pieces)


def _is_plain(piece: str) -> bool:
    return not piece.startswith("(") and piece != ".." and "*" not in piece


def _may_be_empty(piece: Words | Prefix | WordGap | Either) -> bool:
    return isinstance(piece, WordGap) or (isinstance(piece, Either) and () in piece.options)


def _special(piece: str) -> Prefix | WordGap | Either:
    if piece == "..":
        return WordGap()
    if piece.startswith("("):
        options = [option.strip() for option in piece[1:-1].split("/")]
        if any(".." in option for option in options):
            raise ValueError("a gap must be outside brackets")
        return Either(tuple(_phrase(option) if option else () for option in options))
    stem = piece.removesuffix("*")
    if "*" in stem or len(stem) < SHORTEST_PREFIX or not stem.isalnum():
        raise ValueError(f"* follows at least {SHORTEST_PREFIX} letters at the end of a word")
    return Prefix(stem)
