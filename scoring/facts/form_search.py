"""Compiled forms, and where they match in a passage."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple

from leaderboard.facts.text_forms import Either, Form, Phrase, Prefix, WordGap, Words, parse_form
from scoring.facts.canonical_text.canonical import canonical
from scoring.facts.sentences import KEY, Passage, Span

_LONGEST_GAP: Final = 7  # words

# A gap crosses no end of a sentence. A tight one does not cross a comma either.
# After "but" comes something else: "the day does not exist, but the hour does".
_ANY: Final = r" (?!but )[^\s.?,]\S*"
_LOOSE: Final = rf"(?:(?: ,)?{_ANY}){{0,{_LONGEST_GAP}}}?(?: ,)?"
_TIGHT: Final = rf"(?:{_ANY}){{0,{_LONGEST_GAP}}}?"

_DATE: Final = re.compile(r"d(\d{4}|-)(-\d\d-\d\d)")
_TIME: Final = re.compile(r"([th])(\d\d):(\d\d)")


class Match(NamedTuple):
    """The words from `first` up to `end`. `negative`: the form holds its own negation.

    `form` is the position of the form in its set. It is -1 for words that match no form.
    """

    first: int
    end: int
    form: int = -1
    negative: bool = False

    @property
    def span(self) -> Span:
        return Span(self.first, self.end)


@dataclass(frozen=True, slots=True)
class _Search:
    """A pattern of whole words, and the first letters of the words that it may start with.

    It is compiled when an answer has a word that it may start with: a run needs few of hundreds.
    """

    source: str
    keys: frozenset[str]

    @classmethod
    def of(cls, pattern: str, phrases: Iterable[Phrase]) -> _Search:
        keys = frozenset(key for phrase in phrases for key in _keys(phrase))
        return cls(rf"(?:{pattern})(?!\S)", keys)

    def find(self, passage: Passage, within: Span | None) -> Iterator[tuple[Span, str | None]]:
        """The words of each match, and the name of its group. No match overlaps another."""
        keys = self.keys.intersection(passage.starts)
        if not keys:
            return
        span = within or Span(0, len(passage.words))
        done = span.first
        for at in sorted(at for key in keys for at in _inside(span, passage.starts[key])):
            if at < done:
                continue
            if found := self.at(passage, at, span):
                done = found[0].end
                yield found

    def at(self, passage: Passage, first: int, within: Span) -> tuple[Span, str | None] | None:
        """The words of a match that starts with the word `first`, and the name of its group."""
        if passage.words[first][:KEY] not in self.keys:
            return None
        offsets = passage.canonical.offsets
        pattern = _compiled(self.source)
        found = pattern.match(passage.canonical.text, offsets[first], _end(passage, within))
        if found is None:
            return None
        return Span(first, bisect_right(offsets, found.end() - 1)), found.lastgroup


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class FormSet:
    """Forms that are searched together. Gaps of `tight` forms do not cross commas."""

    def __init__(self, forms: Iterable[Form | str], *, tight: bool = False) -> None:
        self.forms = tuple(parse_form(form) if isinstance(form, str) else form for form in forms)
        self._gap = _TIGHT if tight else _LOOSE

    @cached_property
    def _searches(self) -> tuple[_Search | None, Sequence[tuple[int, Sequence[_Search]]]]:
        """One search for all simple forms, and several for each of the others.

        It is made when it is needed, because most runs search for few of the sets.
        """
        simple: dict[int, str] = {}
        joined: list[tuple[int, list[_Search]]] = []
        for at, form in enumerate(self.forms):
            if form.scope == "phrase":
                simple[at] = _pattern(form.phrases[0], self._gap)
            else:
                joined.append((at, [self._search_of(phrase) for phrase in form.phrases]))
        if not simple:
            return None, joined
        # Longer phrases come first, so that a match shows as much as possible.
        order = sorted(simple, key=lambda at: (-len(simple[at]), at))
        pattern = "|".join(f"(?P<f{at}>{simple[at]})" for at in order)
        return _Search.of(pattern, (self.forms[at].phrases[0] for at in order)), joined

    def _search_of(self, phrase: Phrase) -> _Search:
        return _Search.of(_pattern(phrase, self._gap), [phrase])

    def __bool__(self) -> bool:
        return bool(self.forms)

    def find(self, passage: Passage, within: Span | None = None) -> Iterator[Match]:
        """Every match in the passage, or in a span of it, that overlaps no earlier one."""
        simple, joined = self._searches
        if simple:
            for span, group in simple.find(passage, within):
                yield self._match(span, group)
        for form, searches in joined:
            if all(search.keys.intersection(passage.starts) for search in searches):
                yield from self._find_joined(passage, form, searches, within)

    def _match(self, span: Span, group: str | None) -> Match:
        form = int((group or "f0")[1:])
        return Match(*span, form, self.forms[form].negative)

    def _find_joined(
        self, passage: Passage, form: int, searches: Sequence[_Search], within: Span | None
    ) -> Iterator[Match]:
        in_clauses = self.forms[form].scope == "clause"
        for span in passage.clauses if in_clauses else passage.sentences:
            if within and not span.inside(within):
                continue
            found = [next(search.find(passage, span), None) for search in searches]
            if all(found):
                spans = [one[0] for one in found if one]
                first, end = min(spans)[0], max(span.end for span in spans)
                yield Match(first, end, form, self.forms[form].negative)

    def spans(self, passage: Passage, within: Span | None = None) -> list[Span]:
        """The words of every match."""
        return [match.span for match in self.find(passage, within)]

    def first(self, passage: Passage, within: Span | None = None) -> Match | None:
        """The first match that is found, if there is one."""
        return next(self.find(passage, within), None)

    def at_start(self, passage: Passage, span: Span) -> Match | None:
        """The match of a form of one phrase that a span starts with."""
        simple, _ = self._searches
        if simple is None or span.first == span.end:
            return None
        # Only the start is searched: this is asked of every match, and the rest can be long.
        found = simple.at(passage, span.first, span)
        return self._match(*found) if found else None


def _inside(span: Span, indexes: Sequence[int]) -> Sequence[int]:
    """Those of the sorted indexes that are in a span."""
    return indexes[bisect_left(indexes, span.first) : bisect_left(indexes, span.end)]


def _end(passage: Passage, within: Span) -> int:
    """The offset in the canonical text where the words of a span end."""
    offsets = passage.canonical.offsets
    if within.end >= len(offsets):
        return len(passage.canonical.text)
    return max(0, offsets[within.end] - 1)


def _keys(phrase: Phrase) -> Iterator[str]:
    """The first letters of all words that a phrase may start with."""
    for piece in phrase:
        if isinstance(piece, Prefix):
            yield _stem(piece.text)[:KEY]
        elif isinstance(piece, Words):
            yield from _first_letters(next(iter(_words(piece.text)), piece.text))
        elif isinstance(piece, Either):
            for option in piece.options:
                yield from _keys(option)
            if not all(piece.options):
                continue
        return


def _first_letters(word: str) -> Iterable[str]:
    if _DATE.fullmatch(word):
        return ("d-", *(f"d{digit}" for digit in range(10)))
    if _TIME.fullmatch(word):
        return (f"{sign}{digit}" for sign in "th" for digit in range(3))
    return (word[:KEY],)


@lru_cache(maxsize=65536)
def _words(text: str) -> Sequence[str]:
    return canonical(text).words


def _literal(text: str) -> str:
    """The pattern of plain words in canonical text."""
    return " ".join(map(_word, _words(text)))


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
