"""Names that readers take for another name: Unicode TR 39, "Unicode Security Mechanisms"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from leaderboard.errors import Problem
from leaderboard.texts.confusable_letters import LIKE_LATIN, prototypes
from leaderboard.types import Submission
from leaderboard.workspace import card_file

_ASCII_PROTOTYPES: Final = str.maketrans("`0I1|", "'olll")
_WORD: Final = re.compile(r"\w+")
# The names of letters with a stroke, of small capitals and of letters on a square or circle.
_LETTER: Final = re.compile(r".*LATIN .*LETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH STROKE)?")
# "Castle." reads like "Castle", but "4.1" is not "41".
_PUNCTUATION: Final = re.compile(r"(?<!\d)[^\w\s+]|[^\w\s+](?!\d)")
# A Hebrew sign that looks like "l", and is missing in the tables of look-alike characters.
_PASEQ: Final = "\u05c0"
# Two rows may be of one organization or model, however it is written.
_SHARED: Final = frozenset({"organization", "model"})
_CONFUSED: Final = {"id": ("id", "name"), "name": ("name", "id")}


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A field of a submission that reads like one of another. `same`: it is the same text."""

    field: str
    value: str
    other: str
    other_field: str
    other_value: str
    same: bool

    @property
    def whose(self) -> str:
        """What it reads like, in words: "that" for the same field, otherwise "the id"."""
        return "that" if self.field == self.other_field else f"the {self.other_field}"


def look_alikes(submission: Submission, others: Iterable[Submission]) -> Iterator[LookAlike]:
    """Yields the names of a submission that can be confused with a name on the board.

    The same organization or model, in any case, is expected. The same name is not. An id is
    also compared with the names on the board, and a name with the ids: pages show the one, and
    addresses the other.
    """
    mine = {"id": submission.id, **_names(submission)}
    for other in others:
        if other.id == submission.id:
            continue
        names = {"id": other.id, **_names(other)}
        for field, value in mine.items():
            for other_field in _CONFUSED.get(field, (field,)):
                theirs = names[other_field]
                if field in _SHARED and value.casefold() == theirs.casefold():
                    continue
                if at_a_glance(value) == at_a_glance(theirs):
                    yield LookAlike(field, value, other.id, other_field, theirs, value == theirs)
                    break


def refused_names(
    submissions: Iterable[Submission], before: Iterable[Submission]
) -> Iterator[Problem]:
    """Yields a problem for each name of a submission that reads like that of another one.

    Of two such names, the one that the board did not have `before` is the problem, then the one
    that is less plain, then the later id. A word in two scripts that look alike is a problem too.
    The same name twice is for reviewers to judge.
    """
    had = {submission.id: _names(submission) for submission in before}

    def order(submission: Submission) -> tuple[bool, int, str]:
        names = _names(submission)
        not_ascii = sum(not char.isascii() for char in "".join(names.values()))
        return had.get(submission.id) != names, not_ascii, submission.id

    first: dict[tuple[str, str], tuple[str, str]] = {}
    for submission in sorted(submissions, key=order):
        for field, name in _names(submission).items():
            file = card_file(submission.id)
            fix = "write it in plain letters, so that nobody confuses the two"
            other, known = first.setdefault((field, skeleton(name)), (submission.id, name))
            if known.casefold() != name.casefold():
                what = f"{name!r} reads like {known!r} of {other}"
                yield Problem(file, what, fix, at=f"$.{field}")
            elif any(map(mixed_scripts, _WORD.findall(name))):
                what = f"{name!r} mixes letters that look alike, of several scripts, in one word"
                yield Problem(file, what, "write the word in one script", at=f"$.{field}")


def _names(submission: Submission) -> dict[str, str]:
    """The names on a card, by field."""
    card = submission.card
    return {"name": card.name, "organization": card.organization, "model": card.model}


def at_a_glance(text: str) -> str:
    """The skeleton without what a reader overlooks. Too coarse to refuse a name for it."""
    plain = _PUNCTUATION.sub("", text.replace(_PASEQ, "l")).replace("_", "")
    plain = "".join(char for char in plain if not _is_small_mark(char))
    return skeleton(plain).replace("rn", "m").replace("vv", "w")


def _is_small_mark(char: str) -> bool:
    """Whether a character is a raised letter, digit or sign, or a mark between letters."""
    if char.isascii():
        return False
    is_mark = unicodedata.category(char) in {"Lm", "Sk"}
    return is_mark or unicodedata.decomposition(char).startswith("<super>")


def mixed_scripts(text: str) -> bool:
    """Whether a text mixes Latin letters with those of a script that looks like Latin."""
    if text.isascii():
        return False
    from confusable_homoglyphs import categories  # noqa: PLC0415

    scripts = categories.unique_aliases(text)
    return "LATIN" in scripts and not scripts.isdisjoint(LIKE_LATIN)


def skeleton(text: str) -> str:
    """One text for all texts that look alike, in any case and with any blanks."""
    if text.isascii():  # usual, and the tables of all other characters take a while to read
        return text.replace(" ", "").translate(_ASCII_PROTOTYPES).casefold()
    known = prototypes()
    folded = unicodedata.normalize("NFKC", text.replace(_PASEQ, "l"))
    plain = unicodedata.normalize("NFD", folded)
    visible = (char for char in plain if unicodedata.category(char) not in {"Cf", "Zs", "Mn", "Me"})
    return "".join(known.get(char, char) for char in map(_plain, visible)).casefold()


def _plain(char: str) -> str:
    """The digit or Latin letter that a character is a form of; otherwise the character."""
    if char.isascii():
        return char
    if char.isdigit():
        return str(unicodedata.digit(char))
    letter = _LETTER.fullmatch(unicodedata.name(char, ""))
    return letter[1].lower() if letter else char
