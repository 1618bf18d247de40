"""Category error: does a reply say what is wrong with the request?"""

from __future__ import annotations

import re
from typing import Final

from replay.lexical.judge_vocabulary import FAULTS, WEAK_FAULTS, pattern
from replay.lexical.normalisation import is_number, normalise, stem
from replay.lexical.shared_rules import (
    RuleFinding,
    Texts,
    different,
    equivalent,
    has_meaning,
    is_question,
    normalised_line,
    quoted,
    sentences,
)
from replay.lexical.unsupported_requests import claims_done

_FAULT: Final = pattern("fault")
_DENIAL: Final = pattern("denial")
_SPEAKER_UNABLE: Final = re.compile(
    r"\bi (?:am )?(?:sorry )?(?:but )?(?:i )?(?:can not|(?:am )?(?:not able|unable) to)\b.*"
)
_REASON: Final = re.compile(r"\b(?:because|since|as|due to)\b.*")


def same_fault(texts: Texts) -> RuleFinding:
    """Judges whether a reply names the same fault of the request as the accepted reply."""
    if claims_done(texts.got):
        return different("The given text claims to have done it.")
    said = [part for part in sentences(texts.got) if not is_question(part)]
    if not any(map(_names_fault, said)):
        return different("The given text does not say that something is wrong with the request.")
    expected, asked, given = _marks(texts.expected), _marks(texts.question), _marks(" ".join(said))
    if len(given - expected - asked) > 25 + 3 * len(expected):
        return different("The given text has too many words that the accepted reply does not have.")
    if _foreign_numbers(expected & asked, given, expected | asked) or _foreign_names(texts):
        return different("The given text names other numbers or names.")
    reasons, subjects = (expected - asked) & given, expected & asked & given
    if _same_reason(expected - asked, reasons, subjects):
        shared = _words_with(reasons | subjects, texts.expected)
        return equivalent(f"It names the same fault: {quoted(shared, texts.expected)}.")
    return different("It does not name the same fault as the accepted reply.")


def _same_reason(wanted: frozenset[str], reasons: frozenset[str], subjects: frozenset[str]) -> bool:
    """Whether the shared marks identify the fault.

    That takes a specific reason and a subject, two specific reasons, or "not valid" of a subject.
    """
    specific, about = reasons - WEAK_FAULTS, subjects - WEAK_FAULTS
    if not wanted or "valid" in reasons:
        return bool(about) or len(specific) >= 2
    return bool(specific) and (bool(subjects) or len(specific) >= 2)


def _foreign_numbers(wanted: frozenset[str], given: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a text names only numbers of its own in place of those of the request."""
    meant, numbers = frozenset(filter(is_number, wanted)), frozenset(filter(is_number, given))
    return bool(meant) and not meant & numbers and bool(numbers - known)


def _foreign_names(texts: Texts) -> bool:
    """Whether a text uses a name of its own in place of the request's."""
    asked, expected, got = map(normalise, (texts.question, texts.expected, texts.got))
    meant = asked.names.intersection(expected.words)
    own = (got.names | _leading_name(texts)).difference(asked.words, expected.words)
    return bool(meant) and meant.isdisjoint(got.words) and bool(own)


def _leading_name(texts: Texts) -> frozenset[str]:
    """The given text's first word, if it has a capital and is not a small word of the question."""
    first = re.match(r"[^\W\d_]+", texts.got)
    if first is None or not first[0][0].isupper():
        return frozenset()
    if re.search(rf"\b{re.escape(first[0].casefold())}\b", texts.question):
        return frozenset()
    return frozenset(filter(has_meaning, normalise(first[0]).words))


def _names_fault(sentence: str) -> bool:
    """Whether a sentence says that something is wrong.

    The speaker's own inability does not count, but the reason given for it does.
    """
    said = normalised_line(sentence)
    unable = _SPEAKER_UNABLE.search(said)
    if unable:
        reason = _REASON.search(unable[0])
        said = said[: unable.start()] + (reason[0] if reason else " ")
    return bool(_FAULT.search(said))


def _words_with(marks: frozenset[str], text: str) -> list[str]:
    """The words of a text that have one of these marks."""
    return [word for word in normalise(text).words if not marks.isdisjoint(_marks_of(word))]


def _marks(text: str) -> frozenset[str]:
    """The marks of a text's words, and `valid` if it denies something."""
    words = normalise(text).words
    found = {mark for word in words for mark in _marks_of(word)}
    if _DENIAL.search(" ".join(words)):
        found.add("valid")
    return frozenset(found)


def _marks_of(word: str) -> list[str]:
    """What a word with meaning counts as: the word for all its synonyms, or its stem.

    A date counts without its year too.
    """
    if not has_meaning(word) and word not in FAULTS:
        return []
    mark = FAULTS.get(word, stem(word))
    return [mark, f"@d{word[-6:]}"] if word.startswith("@d") else [mark]
