"""How a judge's reply is read: one grammar with three vocabularies."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from leaderboard.judge_providers import NO_TEXT
from leaderboard.kinds import Kind
from leaderboard.responses.solved_grades import POINTS
from leaderboard.texts.short_text import cut, single_spaced
from leaderboard.texts.shown_values import printable

QUOTED: Final = 200  # characters of a judge's words in a verdict

_UNQUOTED: Final = " *_.:,;#[](){}!"
_DECORATION: Final = _UNQUOTED + "\"'`\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_WHOLE_FENCE: Final = re.compile(r"\A(```+)[ \w-]*\n([^`]*)\n\1\Z")
# Within a line: code, and texts in quotation marks. An apostrophe is no quotation mark. None holds
# its opening mark, so that the search is linear on hostile text.
_QUOTATION: Final = re.compile(
    r"`+[^`]*`+|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|\u201c[^\u201c\u201d]*\u201d"
    r"|\u201e[^\u201e\u201c\u201d]*[\u201c\u201d]|\u2018[^\u2018\u2019]*\u2019(?!\w)"
    r"|\u00ab[^\u00ab\u00bb]*\u00bb"
)
_ELLIPSIS: Final = "\u2026"  # replaces a quotation
_LABEL: Final = (
    r"[*_# ]*(?:(?:the )?(?:final )?(?:answer )?(?:grade|comparison|verdict|status)|answer_?status)"
    r"[*_ \"']*"
)
_LABEL_OF_LINE: Final = re.compile(rf"^{_LABEL}[:=.]", re.IGNORECASE)
# What makes a last word something other than a grade: "not correct", "it claims to be correct".
_DOUBT: Final = re.compile(
    r"n['\u2019]t\b|\b(?:not|cannot|no|never|neither|nor|hardly|barely|partial\w*|partly|most\w*"
    r"|almost|nearly|half|somewhat|far|if|or|whether|unless|but|except|would|could|might|may|should"
    r"|seem\w*|un(?:able|certain|clear|likely|sure)\w*|claim\w*|assert\w*|pretend\w*|says|writes"
    r"|wrote)\b",
    re.IGNORECASE,
)


# The members of a JSON object that may hold the grade.
_KEYS: Final = ("answer_status", "answerstatus", "status", "grade", "verdict")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words that a judge may answer with.

    - `grades`: the grade by word. "not correct" is no word: it says neither of two grades.
    - `labelled`: the words that count after a label inside a text. "Comparison: different wording"
      must not.
    - `closing`: the words that count at the end of the last line.
    """

    grades: Mapping[str, str]
    labelled: Sequence[str]
    closing: Sequence[str] = ()

    def grades_after_labels(self, line: str) -> set[str]:
        """The grades after the labels in a line.

        A label counts at the start of a sentence. Elsewhere it may be a quotation.
        """
        words = "|".join(self.labelled)
        pattern = rf"(?:^|[.!?;]\s){_LABEL}[:=.][*_ ]*({words})\b(?!\W*or\b)"
        found = re.findall(pattern, line, re.IGNORECASE)
        # "\u017folved" matches too, but is no word of the vocabulary.
        return {self.grades[word] for word in map(str.lower, found) if word in self.grades}


EQUIVALENCE: Final = Vocabulary(
    {
        "equivalent": "equivalent",
        "correct": "equivalent",
        "different": "different",
        "not equivalent": "different",
        "incorrect": "different",
    },
    labelled=("correct", "incorrect"),
    closing=("correct", "incorrect"),
)
SOLVED: Final = Vocabulary(
    {
        "solved": "solved",
        "unsure": "unsure",
        "not sure": "unsure",
        "unsolved": "unsolved",
        "not solved": "unsolved",
    },
    labelled=("solved", "unsure", "not sure", "unsolved", "not solved"),
)
PREFERENCE: Final = Vocabulary(
    {"first": "first", "second": "second", "tie": "tie"}, labelled=("first", "second", "tie")
)


@lru_cache(maxsize=64)
def vocabulary_of(labels: tuple[str, ...]) -> Vocabulary:
    """The vocabulary of a suite's own labels, which are single words in lower case."""
    # The longest first, so that "good-enough" is not read as "good".
    labelled = [re.escape(label) for label in sorted(labels, key=len, reverse=True)]
    return Vocabulary({label: label for label in labels}, labelled)


def vocabulary_of_grades(points: Mapping[str, float]) -> Vocabulary:
    """The vocabulary of grades that count points: those of solved queries, or a suite's labels."""
    return SOLVED if points.keys() == POINTS.keys() else vocabulary_of(tuple(points))


def vocabulary_of_kind(kind: Kind) -> Vocabulary:
    """The vocabulary of the judges of a suite of this kind."""
    return vocabulary_of_grades(kind.grades) if kind.averages_grades else EQUIVALENCE


# Cached, because judges repeat themselves.
@lru_cache(maxsize=8192)
def parse(reply: str, vocabulary: Vocabulary) -> str | None:
    """The grade that a reply gives, or None if it gives none that is reliable.

    A reply gives its grade as one of these:

    1. the only word of the reply, in any decoration
    2. a member of a JSON object that is the whole reply
    3. a line that is a grade and nothing else, perhaps labelled (`GRADE: CORRECT`)
    4. the word that a line begins with: `equivalent: same city`. In the first line without a colon
       too: `**Solved**, because ...`
    5. the word after a label inside a line
    6. the last word, if nothing in its line casts doubt on it

    A reply that gives two different grades gives none. What is quoted is not the judge's own word:
    in quotation marks, as code, in a fence or behind `>`. But quotations can be arranged so that
    the judge's own words seem quoted. So if the first line gives no grade, a quoted grade that
    differs makes the reply unreadable.

    Letter case and decoration never matter. Anything else, such as `correct or incorrect` or
    `partially solved`, is no grade. A refusal is none either, whatever it says.
    """
    if reply.startswith(NO_TEXT):
        return None
    text = _unwrapped(reply)
    whole = vocabulary.grades.get(single_spaced(text.strip(_DECORATION).lower()))
    if whole:
        return whole
    members = _members(text)
    if members is not None:
        return _grade_of_members(members, vocabulary)
    grades = _grades(_own_lines(text), vocabulary)
    if len(grades) != 1:
        return None
    first = _own_lines(text.partition("\n")[0])
    starts_with_grade = first and _first_grades(first[0], vocabulary)
    if not starts_with_grade and _quoted_grades(text, vocabulary) - grades:
        return None
    return grades.pop()


@lru_cache(maxsize=8192)
def comment(reply: str, vocabulary: Vocabulary) -> str:
    """What a judge says beside the grade, on one line, cut."""
    text = _unwrapped(reply)
    members = _members(text)
    if members is not None:
        reasons = [value for name, value in members if name == "reason"]
        lines = [value for value in reasons[:1] if isinstance(value, str)]
    else:
        lines = _lines(text)
        if lines and not _alone(lines[0], vocabulary):
            lines[0] = _leading(lines[0], vocabulary)[1]
        lines = [line for line in lines if line and not _alone(line, vocabulary)]
    return cut(printable(single_spaced(" ".join(lines))), QUOTED)


def _unwrapped(reply: str) -> str:
    """The reply without a fence around all of it."""
    text = "\n".join(reply.strip().splitlines())
    fence = _WHOLE_FENCE.match(text)
    return fence[2].strip() if fence else text


def _members(text: str) -> list[tuple[str, object]] | None:
    """The members of the JSON object that the text is, keys in lower case; repeated keys stay."""
    if not text.startswith("{"):
        return None
    try:
        members = json.loads(text, strict=False, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    return [(key.strip().lower(), value) for key, value in members]


def _grade_of_members(members: Sequence[tuple[str, object]], vocabulary: Vocabulary) -> str | None:
    """The grade that all members for a grade give."""
    grades = {_alone(str(value), vocabulary) for name, value in members if name in _KEYS}
    return grades.pop() if len(grades) == 1 else None


def _grades(lines: Sequence[str], vocabulary: Vocabulary) -> set[str]:
    """The different grades that lines give."""
    if not lines:
        return set()
    grades: set[str | None] = {_closing(lines[-1], vocabulary)}
    grades |= _first_grades(lines[0], vocabulary)
    for line in lines:
        grades |= vocabulary.grades_after_labels(line)
        grades |= {_alone(line, vocabulary), _before_colon(line, vocabulary)}
    return {grade for grade in grades if grade}


def _first_grades(line: str, vocabulary: Vocabulary) -> set[str]:
    """The grades that the first line begins with: none, one, or two that contradict each other."""
    alone = _alone(line, vocabulary)
    if alone:
        return {alone}
    leading, rest = _leading(line, vocabulary)
    first, _, further = rest.partition(" ")
    rest = further if first.lower() in ("and", "but", "then", "or") else rest
    following = _leading(rest, vocabulary)[0] if leading and rest else None
    return {grade for grade in (leading, following) if grade}


def _quoted_grades(text: str, vocabulary: Vocabulary) -> set[str]:
    """The grades that a reader of the text finds who overlooks what is quoted."""
    lines = (line.lstrip("> ").translate(_NO_MARKS) for line in _lines(text))
    return _grades([line for line in lines if line.strip()], vocabulary)


_NO_MARKS: Final = {ord(mark): None for mark in _DECORATION if mark not in _UNQUOTED}


def _lines(text: str) -> list[str]:
    """The lines that hold more than decoration, with single spaces."""
    lines = (single_spaced(line) for line in text.splitlines())
    return [line for line in lines if line.strip(_DECORATION)]


def _own_lines(text: str) -> list[str]:
    """The lines without what is quoted."""
    own: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" " + fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        elif not line.lstrip().startswith(">"):
            own.append(_QUOTATION.sub(_ELLIPSIS, line))
    return _lines("\n".join(own))


def _alone(line: str, vocabulary: Vocabulary) -> str | None:
    """The grade, if the line is a grade and nothing else."""
    words = _LABEL_OF_LINE.sub("", line).strip(_UNQUOTED).lower().split()
    return vocabulary.grades.get(" ".join(words))


def _before_colon(line: str, vocabulary: Vocabulary) -> str | None:
    """The grade before a colon at the start of a line."""
    before, colon, _ = line.partition(":")
    return vocabulary.grades.get(before.strip(_UNQUOTED).lower()) if colon else None


def _leading(line: str, vocabulary: Vocabulary) -> tuple[str | None, str]:
    """The grade that the line begins with, and the words after it."""
    words = line.lstrip(_UNQUOTED).split()
    plain = [word.strip(_UNQUOTED).lower() for word in words[:3]]
    for length in (2, 1):
        grade = vocabulary.grades.get(" ".join(plain[:length]))
        # "equivalent or different" repeats the instruction.
        if grade and plain[length : length + 1] != ["or"] and not _describes(words):
            return grade, " ".join(words[length:]).lstrip(" -\u2013\u2014:")
    return None, line


def _describes(words: Sequence[str]) -> bool:
    """Whether "correct" describes the next word ("Correct answers name both")."""
    first, following = words[0], " ".join(words[1:2])
    plain = first.strip(_DECORATION)
    if "correct" not in plain.lower() or plain.isupper() or first[-1] in _DECORATION:
        return False
    return following.isalpha() and following.lower() not in ("because", "since", "as")


def _closing(line: str, vocabulary: Vocabulary) -> str | None:
    """The grade that the line ends with, if nothing before it casts doubt on it."""
    *before, last = line.split()
    word = last.strip(_UNQUOTED).lower()
    if word not in vocabulary.closing or _DOUBT.search(" ".join(before)):
        return None
    return vocabulary.grades[word]
