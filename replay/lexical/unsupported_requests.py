"""Category not_supported: does a reply plainly say that the system cannot do it?"""

from __future__ import annotations

import re
from typing import Final

from replay.lexical.judge_vocabulary import pattern
from replay.lexical.normalisation import normalise, stem
from replay.lexical.shared_rules import (
    RuleFinding,
    Texts,
    different,
    equivalent,
    is_question,
    normalised_line,
    sentences,
    statements,
)

_DONE: Final = pattern("done")
_ALL_DONE: Final = re.compile(r"^(?:done|all set|all done|consider it do(?:ne)?)\b")
_UNABLE: Final = pattern("unable")
_THE_REQUEST: Final = frozenset(("it", "that", "this", "these", "those", "them", "so"))
_ANNOUNCED: Final = re.compile(
    r"\bi (?:will|shall|am going to|am about to) (?:now |just |gladly |go ahead )?(?:and )?(\w+)"
)


def says_no(texts: Texts) -> RuleFinding:
    """Judges whether a reply says that the system cannot do what was asked."""
    why_not = _why_no_refusal(texts.question, texts.got)
    if why_not:
        return different(why_not)
    if not _refuses_this(texts):
        return different("The given text says that something else cannot be done.")
    return equivalent("The given text says that it cannot be done.")


def says_no_to(question: str, text: str) -> bool:
    """Whether a text says that the system cannot do what a question asks."""
    return _why_no_refusal(question, text) is None


def _why_no_refusal(question: str, text: str) -> str | None:
    if claims_done(text):
        return "The given text claims to have done it."
    if _announces(question, text):
        return "The given text says that it will do it."
    if not refuses(text):
        return "The given text does not say that it cannot be done."
    return None


def claims_done(text: str) -> bool:
    """Whether a text claims success: "I have booked it", "Done!"."""
    said = [normalised_line(part) for part in sentences(text) if not is_question(part)]
    return any(_DONE.search(part) or _ALL_DONE.search(part) for part in said)


def refuses(text: str) -> bool:
    """Whether a statement of a text says that something cannot be done."""
    return any(
        _UNABLE.search(normalised_line(part)) for part in sentences(text) if not is_question(part)
    )


def _refuses_this(texts: Texts) -> bool:
    """Whether a refusal is about the question: by its words, or because nothing else is said."""
    asked = normalise(texts.question).key_stems | normalise(texts.expected).key_stems
    told = statements(texts.got)
    refusals = [part for part in told if not is_question(part) and refuses(part)]
    if len(refusals) == len(told):
        return True
    return any(
        normalise(part).key_stems & asked or _THE_REQUEST.intersection(normalise(part).words)
        for part in refusals
    )


def _announces(question: str, text: str) -> bool:
    """Whether a sentence announces what was asked for, and no inability."""
    asked = normalise(question).stems
    for sentence in sentences(text):
        said = normalised_line(sentence)
        found = _ANNOUNCED.search(said)
        if found and stem(found[1]) in asked and not _UNABLE.search(said):
            return True
    return False
