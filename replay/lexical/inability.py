"""not_supported: a plain "I cannot", and (for other rules too) claims to have done it."""

from __future__ import annotations

import re
from typing import Final

from replay.lexical.normalised_words import stem
from replay.lexical.quoted_texts import (
    Finding,
    Texts,
    different,
    equivalent,
    is_question,
    one_of,
    pattern,
    sentences,
    spoken,
    stems,
)

_DEEDS: Final = one_of(
    "booked sent ordered set scheduled created cancelled canceled deleted transferred played turned switched reserved added "
    "printed moved placed started locked opened posted blocked installed paid purchased bought changed restarted completed "
    "saved updated called phoned emailed texted made arranged renewed recorded copied scanned charged"
)
# "sent" and its like are folded to their verb by then, so both forms are looked for.
_FOLDED: Final = one_of("send make begin buy telephone")
_DONE: Final = pattern(
    rf"i (?:have |just |now |already |successfully |gone ahead and )+(?:{_DEEDS}|{_FOLDED})",
    rf"i {_DEEDS}",
    rf"(?:has|have|is|are) been (?:\w+ )?(?:{_DEEDS}|{_FOLDED})",
    "is now (?:on|off|locked|booked|playing|set|open)",
    "are now (?:on|off|locked|booked|set)",
    "now playing",
    "playing now",
)
_ALL_DONE: Final = re.compile(r"^(?:done|all set|all done|consider it do(?:ne)?)\b")
_UNABLE: Final = pattern(
    "can not",
    "unable",
    "(?:not|impossible) (?:currently )?(?:able|possible|available|capable|for me|something|among|within)",
    "impossible",
    "incapable",
    "no (?:\\w+ )?"
    + one_of(
        "way means access ability control tool option capability permission function feature figure"
    ),
    "(?:do|does) not (?:currently )?(?:support|offer|provide)",
    "not (?:currently )?(?:supported|designed|equipped|set up|in position)",
    "do not (?:currently )?have(?! to)",
    "have no",
    "(?:beyond|outside)(?: of)? (?:my|me|what)",
    "i lack",
)
_AHEAD: Final = re.compile(
    r"\bi (?:will|shall|am going to|am about to) (?:now |just |gladly |go ahead )?(?:and )?(\w+)"
)


def says_no(texts: Texts) -> Finding:
    """Whether a reply says that the system cannot do what was asked."""
    if claims_done(texts.got):
        return different("The given text claims to have done it.")
    if _announces(texts):
        return different("The given text announces to do it.")
    if not any(
        _UNABLE.search(spoken(part)) for part in sentences(texts.got) if not is_question(part)
    ):
        return different("The given text does not say that it cannot be done.")
    return equivalent("Both say that it cannot be done.")


def claims_done(text: str) -> bool:
    """Whether a text claims that what was asked has been done: "I have booked it", "Done!"."""
    said = [spoken(part) for part in sentences(text) if not is_question(part)]
    return any(_DONE.search(part) or _ALL_DONE.search(part) for part in said)


def _announces(texts: Texts) -> bool:
    """Whether a sentence without any "cannot" announces the very thing asked for: "I will book it now"."""
    asked = stems(texts.question)
    said = [spoken(part) for part in sentences(texts.got)]
    found = [(part, match) for part in said if (match := _AHEAD.search(part))]
    return any(stem(match[1]) in asked and not _UNABLE.search(part) for part, match in found)
