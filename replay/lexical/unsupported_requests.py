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
)

_DONE: Final = pattern("done")
_ALL_DONE: Final = re.compile(r"^(?:done|all set|all done|consider it do(?:ne)?)\b")
_UNABLE: Final = pattern("unable")
_ANNOUNCED: Final = re.compile(
    r"\bi (?:will|shall|am going to|am about to) (?:now |just |gladly |go ahead )?(?:and )?(\w+)"
)


def says_no(texts: Texts) -> RuleFinding:
    """Judges whether a reply says that the system cannot do what was asked."""
    if claims_done(texts.got):
        return different("The given text claims to have done it.")
    if _announces(texts):
        return different("The given text says that it will do it.")
    if not refuses(texts.got):
        return different("The given text does not say that it cannot be done.")
    return equivalent("The given text says that it cannot be done.")


def claims_done(text: str) -> bool:
    """Returns whether a text claims success: "I have booked it", "Done!"."""
    said = [normalised_line(part) for part in sentences(text) if not is_question(part)]
    return any(_DONE.search(part) or _ALL_DONE.search(part) for part in said)


def refuses(text: str) -> bool:
    """Returns whether a statement of a text says that something cannot be done."""
    return any(
        _UNABLE.search(normalised_line(part)) for part in sentences(text) if not is_question(part)
    )


def _announces(texts: Texts) -> bool:
    """Returns whether a sentence announces what was asked for, and no inability."""
    asked = normalise(texts.question).stems
    for sentence in sentences(texts.got):
        said = normalised_line(sentence)
        found = _ANNOUNCED.search(said)
        if found and stem(found[1]) in asked and not _UNABLE.search(said):
            return True
    return False
