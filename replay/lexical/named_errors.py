"""error: what is wrong with a request, named or not."""

from __future__ import annotations

import re
from typing import Final

from replay.lexical.inability import claims_done
from replay.lexical.normalised_words import is_number, reading, stem
from replay.lexical.quoted_texts import (
    Finding,
    Texts,
    different,
    equivalent,
    is_question,
    leading_name,
    listed,
    one_of,
    pattern,
    sentences,
    spoken,
    tells,
)
from replay.lexical.wordlists import FAULTS, WEAK_FAULTS

_WRONG: Final = pattern(
    "not "
    + one_of(
        "valid real exist possible correct allowed existing recognized recognised actual defined legitimate proper"
    ),
    "not (?:number|word|leap|know|aware|find)",
    one_of(
        "invalid impossible nonexistent incorrect undefined incompatible malformed wrong error mistake typo"
    ),
    one_of("fictional fictitious imaginary invented mythical legendary legend"),
    "there (?:is|are) no",
    "no such",
    "(?:has|have|know of|know) no",
    r"no \w+(?: \w+)?(?: [\w+-]+)* exist",
    "do(?:es)? not (?:exist|have|appear|seem|look|measure)",
    "(?:is|are) not",
    "can not (?:be|walk|drive|divide|have|exist|travel)",
    "(?:must|has to|have to) be",
    "only (?:ha(?:s|ve)|go|exist|appear|in|be|run|from)",
    "exist only",
    "in past",
    "already passed",
    one_of("before earlier after below negative"),
    "different " + one_of("kind type quantity thing dimension measure property unit"),
    "measure",
    "same day",
    "at least",
    "(?:problem|issue) with",
)
_SPEAKER_UNABLE: Final = re.compile(
    r"\bi (?:am )?(?:sorry )?(?:but )?(?:i )?(?:can not|(?:am )?(?:not able|unable) to)\b.*"
)
_REASON: Final = re.compile(r"\b(?:because|since|as|due to)\b.*")
_DENIED: Final = pattern(
    "there (?:is|are) no",
    "no such",
    r"no \w+(?: \w+)?(?: [\w+-]+)* exist",
    "not (?:number|word|leap)",
    "(?:is|are) not",
    "know (?:of )?no",
    "can not",
    "has no",
    "no (?:road|route)",
)


def same_fault(texts: Texts) -> Finding:
    """Whether a reply says that the request is faulty, and names the same fault as the accepted reply."""
    if claims_done(texts.got):
        return different("The given text claims to have done it.")
    said = [part for part in sentences(texts.got) if not is_question(part)]
    if not any(map(_names_fault, said)):
        return different("The given text does not say that something is wrong with the request.")
    expected, asked, given = _marks(texts.expected), _marks(texts.question), _marks(" ".join(said))
    if len(given - expected - asked) > 25 + 3 * len(expected):
        return different("The given text holds far more than a notice of what is wrong.")
    if _foreign_numbers(expected & asked, given, expected | asked) or _foreign_names(texts):
        return different("The given text speaks of other numbers or names.")
    reasons, subjects = (expected - asked) & given, expected & asked & given
    if _same_reason(expected - asked, reasons, subjects):
        return equivalent(f"It names the same fault: {listed(sorted(reasons | subjects))}.")
    return different("It does not name the same fault as the accepted reply.")


def _same_reason(wanted: frozenset[str], reasons: frozenset[str], subjects: frozenset[str]) -> bool:
    """Whether the shared marks are enough: a telling reason of the subject, two such reasons, or "not valid" of the subject."""
    telling, about = reasons - WEAK_FAULTS, subjects - WEAK_FAULTS
    if not wanted or "valid" in reasons:
        return bool(about) or len(telling) >= 2
    return bool(telling) and (bool(subjects) or len(telling) >= 2)


def _foreign_numbers(wanted: frozenset[str], given: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a text names numbers of its own where it should name those of the request."""
    meant, numbers = frozenset(filter(is_number, wanted)), frozenset(filter(is_number, given))
    return bool(meant) and not meant & numbers and bool(numbers - known)


def _foreign_names(texts: Texts) -> bool:
    """Whether a text speaks of a name of its own where it should speak of the request's."""
    asked, expected, got = reading(texts.question), reading(texts.expected), reading(texts.got)
    meant = asked.names & frozenset(expected.words)
    own = (
        (got.names | leading_name(texts.got, texts.question))
        - frozenset(asked.words)
        - frozenset(expected.words)
    )
    return bool(meant) and not meant & frozenset(got.words) and bool(own)


def _names_fault(sentence: str) -> bool:
    """Whether a sentence says that something is wrong; the speaker's own inability alone does not count."""
    return bool(_WRONG.search(_SPEAKER_UNABLE.sub(_reason_in, spoken(sentence))))


def _reason_in(match: re.Match[str]) -> str:
    """Of "I cannot do it because of this", the part from the reason on."""
    reason = _REASON.search(match[0])
    return reason[0] if reason else " "


def _marks(text: str) -> frozenset[str]:
    """What a text says of a fault: its telling words, those of one meaning folded into one; dates also without their year."""
    words = reading(text).words
    found = {FAULTS.get(word, stem(word)) for word in words if tells(word) or word in FAULTS}
    found |= {f"@d{word[-6:]}" for word in words if word.startswith("@d")}
    return frozenset(found | {"valid"} if _DENIED.search(" ".join(words)) else found)
