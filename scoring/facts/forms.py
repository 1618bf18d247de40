"""Compiled forms, and where they match in a passage."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from leaderboard.fact_forms import Either, Form, Phrase, Prefix, Scope, WordGap, Words, parse_form
from scoring.facts.canonical import canonical
from scoring.facts.sentences import Passage, Span

_LONGEST_GAP: Final = 7  # words

# A gap crosses no end of a sentence. A tight one does not cross a comma either.
_LOOSE: Final = rf"(?:(?: ,)? [^\s.?,]\S*){{0,{_LONGEST_GAP}}}?(?: ,)?"
_TIGHT: Final = rf"(?: [^\s.?,]\S*){{0,{_LONGEST_GAP}}}?"

_DATE: Final = re.compile(r"d(\d{4}|-)(-\d\d-\d\d)")
_TIME: Final = re.compile(r"([th])(\d\d):(\d\d)")


class Match(NamedTuple):
    """The words from `first` up to `end`. `negative`: the form holds its own negation.

    `form` is the position of the form in its set.
    """

    first: int
    end: int
    form: int
    negative: bool = False

    @property
    def span(self) -> Span:
        return Span(self.first, self.end)


class FormSet:
    """Forms that are searched together. Gaps of `tight` forms do not cross commas."""

    __slots__ = ("_joined", "_phrases", "forms")

    def __init__(self, forms: Iterable[Form | str], *, tight: bool = False) -> None:
        self.forms = tuple(parse_form(form) if isinstance(form, str) else form for form in forms)
        gap = _TIGHT if tight else _LOOSE
        patterns = [[_pattern(phrase, gap) for phrase in form.phrases] for form in self.forms]
        # Longer phrases come first, so that a match shows as much as possible.
        simple = sorted(
            (at for at, form in enumerate(self.forms) if form.scope == "phrase"),
            key=lambda at: (-len(patterns[at][0]), at),
        )
        text = "|".join(f"(?P<f{at}>{patterns[at][0]})" for at in simple)
        self._phrases = _whole(text) if simple else None
        self._joined: tuple[tuple[int, Scope, tuple[re.Pattern[str], ...]], ...] = tuple(
            (at, form.scope, tuple(map(_whole, patterns[at])))
            for at, form in enumerate(self.forms)
            if form.scope != "phrase"
        )

    def __bool__(self) -> bool:
        return bool(self.forms)

    def find(self, passage: Passage, within: Span | None = None) -> Iterator[Match]:
        """Every match in the passage, or in a stretch of it, that overlaps no earlier one."""
        text, offsets = passage.canonical.text, passage.canonical.offsets
        start, end = _part(passage, within)
        if self._phrases:
            for found in self._phrases.finditer(text, start, end):
                form = int((found.lastgroup or "f0")[1:])
                first, last = _words(offsets, found)
                yield Match(first, last, form, self.forms[form].negative)
        for form, scope, phrases in self._joined:
            if all(phrase.search(text, start, end) for phrase in phrases):
                yield from self._find_joined(passage, form, scope, phrases, within)

    def _find_joined(
        self,
        passage: Passage,
        form: int,
        scope: Scope,
        phrases: Sequence[re.Pattern[str]],
        within: Span | None,
    ) -> Iterator[Match]:
        text, offsets = passage.canonical.text, passage.canonical.offsets
        for stretch in passage.clauses if scope == "clause" else passage.sentences:
            if within and not (within.first <= stretch.first and stretch.end <= within.end):
                continue
            start, end = _part(passage, stretch)
            found = [phrase.search(text, start, end) for phrase in phrases]
            if all(found):
                places = [_words(offsets, one) for one in found if one]
                first, last = min(places)[0], max(place[1] for place in places)
                yield Match(first, last, form, self.forms[form].negative)

    def first(self, passage: Passage, within: Span | None = None) -> Match | None:
        """The first match that is found, if there is one."""
        return next(self.find(passage, within), None)


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


def _part(passage: Passage, stretch: Span | None) -> tuple[int, int]:
    """The part of the canonical text that a stretch of words takes."""
    text, offsets = passage.canonical.text, passage.canonical.offsets
    if stretch is None or not offsets:
        return 0, len(text)
    end = offsets[stretch.end] - 1 if stretch.end < len(offsets) else len(text)
    return offsets[stretch.first], end


def _words(offsets: Sequence[int], found: re.Match[str]) -> tuple[int, int]:
    """The words of a match in canonical text: the first one, and the one after the last."""
    start, end = found.span()
    return bisect_right(offsets, start) - 1, bisect_right(offsets, end - 1)


@lru_cache(maxsize=65536)
def _literal(text: str) -> str:
    """The pattern of plain words in canonical text."""
    return " ".join(map(_word, canonical(text).words))


def _word(word: str) -> str:
    if found := _DATE.fullmatch(word):
        # A year that one of the two leaves out is no difference.
        year = r"(?:\d{4}|-)" if found[1] == "-" else rf"(?:{found[1]}|-)"
        return f"d{year}{found[2]}"
    if found := _TIME.fullmatch(word):
        hour, minute = int(found[2]), found[3]
        open_half = f"h{hour % 12:02}:{minute}"
        closed = [f"t{hour:02}:{minute}"]
        if found[1] == "h":
            closed.append(f"t{(hour + 12) % 24:02}:{minute}")
        return f"(?:{'|'.join((*closed, open_half))})"
    return re.escape(word)


def _pattern(phrase: Phrase, gap: str) -> str:
    """The pattern of a phrase. Each piece brings the blank before it."""
    pattern, follows = "", False
    for piece in phrase:
        blank = " " if follows else ""
        if isinstance(piece, WordGap):
            pattern += gap
            continue
        if isinstance(piece, Words):
            pattern += blank + _literal(piece.text)
        elif isinstance(piece, Prefix):
            pattern += blank + re.escape(_stem(piece.text)) + r"\w*"
        else:
            options, optional = _options(piece, gap)
            if optional and not follows:
                pattern += f"(?:{options} )?"
                continue
            pattern += f"(?:{blank}{options})?" if optional else blank + options
        follows = True
    return pattern


def _options(piece: Either, gap: str) -> tuple[str, bool]:
    """The pattern of an alternative, and whether it may be left out."""
    patterns = sorted((_pattern(option, gap) for option in piece.options if option), key=len)
    return f"(?:{'|'.join(reversed(patterns))})", not all(piece.options)


def _stem(text: str) -> str:
    """The start of a word in canonical spelling."""
    words = canonical(text).words
    return words[0] if len(words) == 1 else text.lower()
