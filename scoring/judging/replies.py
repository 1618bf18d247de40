"""How a judge's reply is read: one grammar with three vocabularies."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scoring.rules.details import cut, printable

QUOTED: Final = 200  # characters of a judge's words in a verdict

_DECORATION: Final = " *_\"'`.:,;#[](){}!"
# A grade in quotation marks or backticks may be a quotation of the text under test. It is the
# judge's own only at the beginning of the first line.
_UNQUOTED: Final = " *_.:,;#[](){}!"
_LABEL: Final = (
    r"[*_# ]*(?:(?:the )?(?:final )?(?:answer )?(?:grade|comparison|verdict|status)|answer_?status)"
    r"[*_ \"']*"
)
_LABEL_OF_LINE: Final = re.compile(rf"^{_LABEL}[:=.]", re.IGNORECASE)
_OBJECT: Final = re.compile(r"\{.*\}", re.DOTALL)
# What makes a last word something other than a grade: "not correct", "it claims to be correct".
_DOUBT: Final = re.compile(
    r"n['\u2019]t\b|\b(?:not|cannot|no|never|neither|nor|hardly|barely|partial\w*|partly|most\w*"
    r"|almost|nearly|half|somewhat|far|if|or|whether|unless|but|except|would|could|might|may|should"
    r"|seem\w*|un(?:able|certain|clear|likely|sure)\w*|claim\w*|assert\w*|pretend\w*|says|writes"
    r"|wrote)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words that a judge may answer with.

    - `grades`: the grade by word. "not correct" is no word: it says neither of two grades.
    - `labelled`: the words that count after a label inside a text. "Comparison: different wording"
      must not.
    - `closing`: the words that count at the end of the last line.
    - `keys`: the members of a JSON object that may hold the grade.
    """

    grades: Mapping[str, str]
    labelled: Sequence[str]
    closing: Sequence[str] = ()
    keys: Sequence[str] = ()

    def grade_after_labels(self, text: str) -> str | None:
        """The grade after every label in the text, if they agree.

        A label counts at the start of a sentence. Elsewhere it may be a quotation.
        """
        words = "|".join(self.labelled)
        pattern = rf"(?:^|[.!?;]\s){_LABEL}[:=.][*_ ]*({words})\b(?!\W*or\b)"
        found = re.findall(pattern, text, re.IGNORECASE | re.MULTILINE)
        grades = {self.grades[word.lower()] for word in found}
        return grades.pop() if len(grades) == 1 else None


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
    keys=("answer_status", "answerstatus", "status", "grade", "verdict"),
)
PREFERENCE: Final = Vocabulary(
    {"first": "first", "second": "second", "tie": "tie"}, labelled=("first", "second", "tie")
)


# Cached, because judges repeat themselves.
@lru_cache(maxsize=8192)
def parse(reply: str, vocabulary: Vocabulary) -> str | None:
    """The grade that a reply gives, or None if it gives none that is reliable.

    The first of these that is found counts:

    1. a JSON object with a member for the grade
    2. the last line that is a grade and nothing else, perhaps labelled (`GRADE: CORRECT`)
    3. the first word of the first line: `equivalent: same city`, `**Solved**, because ...`
    4. the grade that all labels inside the text agree on
    5. the last word, if nothing in its line casts doubt on it

    Letter case and decoration never matter. Anything else, such as `correct or incorrect` or
    `partially solved`, is no grade.
    """
    found = _object(reply, vocabulary)
    if found is not None:
        return next(
            (_alone(str(found[k]), vocabulary) for k in vocabulary.keys if k in found), None
        )
    lines = _lines(reply)
    if not lines:
        return None
    for line in reversed(lines):
        if grade := _alone(line, vocabulary):
            return grade
    return (
        _leading(lines[0], vocabulary)[0]
        or vocabulary.grade_after_labels(reply)
        or _closing(lines[-1], vocabulary)
    )


@lru_cache(maxsize=8192)
def comment(reply: str, vocabulary: Vocabulary) -> str:
    """What a judge says beside the grade, on one line, cut."""
    found = _object(reply, vocabulary)
    if found is not None:
        reason = found.get("reason")
        lines = reason.split() if isinstance(reason, str) else []
    else:
        lines = _lines(reply)
        if lines and not _alone(lines[0], vocabulary):
            lines[0] = _leading(lines[0], vocabulary)[1]
        lines = [line for line in lines if line and not _alone(line, vocabulary)]
    return cut(printable(" ".join(lines)), QUOTED)


def _object(reply: str, vocabulary: Vocabulary) -> Mapping[str, object] | None:
    """The JSON object in a reply with its keys in lower case. None if it holds no grade."""
    found = _OBJECT.search(reply) if vocabulary.keys else None
    if found is None:
        return None
    try:
        value = json.loads(found[0], strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    named = {str(key).strip().lower(): item for key, item in value.items()}
    return named if any(key in named for key in vocabulary.keys) else None


def _lines(reply: str) -> list[str]:
    """The lines that hold more than decoration, with single spaces."""
    lines = (" ".join(line.split()) for line in reply.splitlines())
    return [line for line in lines if line.strip(_DECORATION)]


def _alone(line: str, vocabulary: Vocabulary) -> str | None:
    """The grade, if the line is a grade and nothing else."""
    words = _LABEL_OF_LINE.sub("", line).strip(_UNQUOTED).lower().split()
    return vocabulary.grades.get(" ".join(words))


def _leading(line: str, vocabulary: Vocabulary) -> tuple[str | None, str]:
    """The grade that the line begins with, and the words after it."""
    words = line.lstrip(_DECORATION).split()
    plain = [word.strip(_DECORATION).lower() for word in words[:3]]
    for length in (2, 1):
        grade = vocabulary.grades.get(" ".join(plain[:length]))
        # "equivalent or different" repeats the instruction.
        if grade and plain[length : length + 1] != ["or"] and not _describes(words):
            return grade, " ".join(words[length:]).lstrip(" -–—:")
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
