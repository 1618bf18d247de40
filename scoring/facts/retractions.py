"""What a passage takes back: claims it denies, answers it labels as wrong, and what it disowns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from scoring.facts.canonical_text.canonical_words import BOUNDARIES, COMMA
from scoring.facts.form_search import FormSet, Match
from scoring.facts.sentences import Passage, Span
from scoring.facts.toml_tables import phrases, read_table

_TABLE: Final = read_table("retractions.toml")
_CLAIM_ENDS: Final = frozenset(";:(–—")


def _forms(name: str) -> FormSet:
    return FormSet(phrases(_TABLE[name]), tight=True)


_UNTRUE: Final = _forms("untrue")
_AFTER_CLAIM: Final = frozenset(_TABLE["after_claim"].split())
_ASKING: Final = frozenset(_TABLE["asking"].split())
_LABEL: Final = _forms("label")
_LABEL_VERB: Final = _forms("label_verb")
_AFTER_LABEL: Final = frozenset(_TABLE["after_label"].split())
_AVOIDING: Final = frozenset(_TABLE["avoiding"].split())
_POINTING: Final = frozenset(_TABLE["pointing"].split())
# After a verdict on something else than what was said before.
_INTRODUCING: Final = tuple((word,) for word in ("that", "to", "of", "for", "with"))
_CONTRAST: Final = _forms("contrast")
_ALL_BEFORE: Final = _forms("all_before")
_DISOWNED: Final = _forms("disowned")
_ONE_BEFORE: Final = _forms("one_before")


@lru_cache(maxsize=1024)
def untrue_claims(passage: Passage) -> tuple[Span, ...]:
    """What a passage says is not true: the rest of "It is not true that …"."""
    claims = (_claim(passage, match.end) for match in _UNTRUE.find(passage))
    return tuple(claim for claim in claims if claim.first < claim.end)


def _claim(passage: Passage, first: int) -> Span:
    sentence = passage.sentence_at(first - 1)
    for clause in passage.clauses:
        if first < clause.first < sentence.end and _ends_claim(passage, clause, sentence):
            return Span(first, clause.first)
    return Span(first, sentence.end)


def _ends_claim(passage: Passage, clause: Span, sentence: Span) -> bool:
    """Whether a clause no longer belongs to a claim: "…, but it is Vantris"."""
    word, before = passage.words[clause.first], passage.words[clause.first - 1]
    asks = sentence in passage.asking and before == COMMA and word in _ASKING
    return asks or word in _AFTER_CLAIM or _is_set_off(passage, clause)


def _is_set_off(passage: Passage, clause: Span) -> bool:
    """Whether a semicolon, a colon, a bracket or a dash is before a clause."""
    end_before = passage.chars_of(Span(clause.first - 2, clause.first - 1)).end
    between = slice(end_before, passage.chars_of(clause).start)
    return not _CLAIM_ENDS.isdisjoint(passage.canonical.original[between])


def labelled_wrong(passage: Passage) -> Iterator[Span]:
    """What follows a label such as "A wrong answer: …", with the label. It ends with the sentence.

    "I won't give you a wrong answer: …" is no such label, and neither is "A wrong answer is 0: …".
    """
    for forms in (_LABEL, _LABEL_VERB):
        for match in forms.find(passage):
            content = _after_label(passage, match, forms)
            if content is None or _CONTRAST.first(passage, passage.sentence_at(content)):
                continue
            first = passage.clause_at(match.first).first
            end = passage.sentence_at(first).end
            yield Span(first, end)
            if content >= end:  # a list below its label
                yield passage.sentence_at(content)


def _after_label(passage: Passage, label: Match, forms: FormSet) -> int | None:
    """The first word after the colon that ends a label; None if it is none."""
    words = passage.words
    end = label.end
    while end < len(words) and words[end] not in BOUNDARIES:
        end += 1
    between = words[label.end : end]
    known = _POINTING if forms is _LABEL_VERB else _AFTER_LABEL
    before = words[passage.sentence_at(label.first).first : label.first]
    if not known.issuperset(between) or not _AVOIDING.isdisjoint((*before, *between)):
        return None
    return end + 1 if _colon_at(passage, end) else None


def _colon_at(passage: Passage, boundary: int) -> bool:
    """Whether a boundary between two words is a colon."""
    if boundary + 1 >= len(passage.words) or passage.words[boundary] not in BOUNDARIES:
        return False
    before, after = Span(boundary - 1, boundary), Span(boundary + 1, boundary + 2)
    between = slice(passage.chars_of(before).end, passage.chars_of(after).start)
    return ":" in passage.canonical.original[between]


def taken_back_before(passage: Passage) -> Iterator[Span]:
    """The sentences before a verdict on all of them, or the one before a verdict on it alone."""
    for position, sentence in enumerate(passage.sentences):
        if _is_verdict(passage, sentence, _ALL_BEFORE):
            yield from passage.sentences[:position]
        elif _is_verdict(passage, sentence, _DISOWNED):
            yield from passage.sentences[max(0, position - 1) : position]


def called_wrong(passage: Passage) -> Iterator[Span]:
    """The sentences that the next one calls wrong: "That is wrong."."""
    for position, sentence in enumerate(passage.sentences):
        if position and _is_verdict(passage, sentence, _ONE_BEFORE):
            yield passage.sentences[position - 1]


def _is_verdict(passage: Passage, sentence: Span, forms: FormSet) -> bool:
    """Whether a sentence starts with a verdict, and not as "It is not true that …" does."""
    match = forms.at_start(passage, sentence)
    return match is not None and passage.words[match.end : match.end + 1] not in _INTRODUCING
