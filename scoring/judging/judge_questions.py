"""Questions to a judge: how one is put, how the reply is read, and what the replies of a panel come to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal

from leaderboard.types import JudgeReply, Outcome, Prompt, Question, Verdict
from scoring.rules.details import cut, printable, show

Grade = Literal["equivalent", "different"]

_Said = Literal["equivalent", "different", "missing", "unparseable"]

# "not correct" is none of them: a judge that is asked for CORRECT or INCORRECT and answers so has not settled on either.
_GRADES: Final[Mapping[str, Grade]] = {
    "equivalent": "equivalent",
    "different": "different",
    "not equivalent": "different",
    "correct": "equivalent",
    "incorrect": "different",
}
_OUTCOMES: Final[tuple[tuple[Grade, Outcome, float], ...]] = (
    ("equivalent", "pass", 1.0),
    ("different", "fail", 0.0),
)

SENTENCE: Final = 200  # characters of a judge's words in a verdict

_DECORATION: Final = " *_\"'`.:,#[]()!"
# A grade in quotation marks or backticks may be a quotation of the text under test: only in the first line is it the judge's.
_UNQUOTED: Final = " *_.:,#[]()!"
_LABEL: Final = re.compile(
    r"^[*_# ]*(?:final )?(?:grade|comparison|verdict)[*_ ]*[:=]", re.IGNORECASE
)
# At the start of a sentence only: in the middle of one it may be a quotation.
_LABELLED: Final = re.compile(
    r"(?:^|[.!?;]\s)[*_# ]*(?:final )?(?:grade|comparison|verdict)[*_ ]*:[*_ ]*(correct|incorrect)\b(?!\W*or\b)",
    re.IGNORECASE | re.MULTILINE,
)
# What makes a last word something other than a plain grade: "not correct", "partially correct", "it claims to be correct".
_DOUBT: Final = re.compile(
    r"n['\u2019]t\b|\b(?:not|cannot|no|never|neither|nor|hardly|barely|partial\w*|partly|most\w*|almost|nearly|half|somewhat|far"
    r"|if|or|whether|unless|but|except|would|could|might|may|should|seem\w*|un(?:able|certain|clear|likely|sure)\w*"
    r"|claim\w*|assert\w*|pretend\w*|says|writes|wrote)\b",
    re.IGNORECASE,
)


def render(prompt: Prompt, question: Question) -> str:
    """The prompt as one judge is asked it.

    The fence around the texts under test is a word that none of them holds, so that none can end it and speak as the judge.
    """
    texts = f"{question.query}\0{question.subject}\0{question.expected}\0{question.got}"
    values = {
        "question": question.query,
        "subject": question.subject,
        "expected": question.expected,
        "got": question.got,
        "fence": _fence(texts),
    }
    return "".join([values[part] if place % 2 else part for place, part in enumerate(prompt.parts)])


# Replies repeat themselves: a judge says "the same words" of thousands of answers.
@lru_cache(maxsize=4096)
def parse(reply: str) -> Grade | None:
    """The grade that a reply gives, or None where it gives none that can be relied on.

    The grades are equivalent and different, or correct and incorrect, which say the same. Of the lines that are a grade and
    nothing else, perhaps labelled (`GRADE: CORRECT`), the last one counts. Without any, the first line counts if its first word
    is a grade: `equivalent: same city`, `**Different**, because ...`. Then what all labels inside the text agree on; then the
    last word, if it is `correct` or `incorrect` and nothing in its line casts a doubt on it. `not equivalent` is different;
    `not correct`, `correct or incorrect` and all else is no grade.
    """
    lines = _lines(reply)
    alone = [grade for line in lines if (grade := _alone(line))]
    if alone:
        return alone[-1]
    if not lines:
        return None
    return _leading(lines[0])[0] or _labelled(reply) or _closing(lines[-1])


def settle(metric: str, detail: str, replies: Mapping[str, Sequence[JudgeReply]]) -> Verdict:
    """The verdict of a panel. `replies` maps each judge's name to its replies, one per question of the referral.

    A judge passes an answer by finding every part equivalent, fails it by finding one different, and has no say where a reply
    is missing or cannot be read. More than half of the whole panel decides. Where neither side has that many the answer is
    unscored: it waits for a reply or, after a tie, for another judge. `detail` is the sentence that says what differs.
    """
    says = {judge: _said(given) for judge, given in replies.items()}
    keys = " ".join(dict.fromkeys(reply.key for given in replies.values() for reply in given))
    for grade, outcome, score in _OUTCOMES:
        agreeing = [judge for judge, said in says.items() if said == grade]
        if 2 * len(agreeing) > len(replies):
            told = f"{detail} {_agreement(grade, len(agreeing), len(replies))}{_reasoning(grade, replies[agreeing[0]])}"
            return Verdict(metric, outcome, score, f"judge_{grade}", told, "judge", keys)
    reason = (
        "judge_unparseable"
        if "unparseable" in says.values() and "missing" not in says.values()
        else "judge_missing"
    )
    told = " ".join([detail, *_obstacles(replies, says)])
    return Verdict(metric, "unscored", None, reason, told, "judge", keys or None)


# ---------------------------------------------------------------- reading one reply


def _lines(reply: str) -> list[str]:
    """The lines that hold more than decoration, every run of blanks in them one space."""
    lines = (" ".join(line.split()) for line in reply.splitlines())
    return [line for line in lines if line.strip(_DECORATION)]


def _alone(line: str) -> Grade | None:
    """The grade that the line is, if it is nothing else."""
    return _GRADES.get(_LABEL.sub("", line).strip(_UNQUOTED).lower())


def _leading(line: str) -> tuple[Grade | None, str]:
    """The grade that the line begins with, and the words after it."""
    words = line.strip(_DECORATION).split()
    plain = [word.strip(_DECORATION).lower() for word in words[:2]]
    length = 2 if plain[:1] == ["not"] else 1
    grade = _GRADES.get(" ".join(plain[:length]))
    if plain[1:] == ["or"] or (
        grade and _describes(words)
    ):  # the instruction echoed: "equivalent or different"
        grade = None
    return grade, " ".join(words[length:]).lstrip(" -–—") if grade else line


def _describes(words: Sequence[str]) -> bool:
    """Whether "correct" describes what follows ("Correct answers name both") instead of being the judge's word on its own."""
    first, following = words[0], " ".join(words[1:2])
    if (
        "correct" not in first.lower()
        or first.strip(_DECORATION).isupper()
        or first[-1] in _DECORATION
    ):
        return False
    return following.isalpha() and following.lower() not in ("because", "since", "as")


def _labelled(reply: str) -> Grade | None:
    """The grade after every label in the text, if they agree."""
    found = {_GRADES[word.lower()] for word in _LABELLED.findall(reply)}
    return found.pop() if len(found) == 1 else None


def _closing(line: str) -> Grade | None:
    """The grade that the line ends with, if nothing before it casts a doubt on it."""
    *before, last = line.split()
    word = last.strip(_UNQUOTED).lower()
    return (
        _GRADES[word]
        if word in ("correct", "incorrect") and not _DOUBT.search(" ".join(before))
        else None
    )


@lru_cache(maxsize=4096)
def _sentence(reply: str) -> str:
    """What the judge says beside the grade, on one line, cut."""
    lines = _lines(reply)
    if lines and not _alone(lines[0]):
        lines[0] = _leading(lines[0])[1]
    words = " ".join(line for line in lines if line and not _alone(line))
    return cut(printable(words), SENTENCE)


# ---------------------------------------------------------------- what several replies come to


def _said(replies: Sequence[JudgeReply]) -> _Said:
    """What one judge says of an answer: one part found different settles it, whatever the replies on the others."""
    grades = [parse(reply.text) for reply in replies if reply.text is not None]
    if "different" in grades:
        return "different"
    if len(grades) < len(replies):
        return "missing"
    return "unparseable" if None in grades or not grades else "equivalent"


def _agreement(grade: Grade, agreeing: int, judges: int) -> str:
    if judges == 1:
        return f"Judged {grade}"
    return f"Judged {grade} by {agreeing} of {judges} judges"


def _reasoning(grade: Grade, replies: Sequence[JudgeReply]) -> str:
    """The words of the first reply that gives this grade and says more than it."""
    texts = (
        reply.text for reply in replies if reply.text is not None and parse(reply.text) == grade
    )
    words = next((sentence for text in texts if (sentence := _sentence(text))), "")
    return f": {words}" if words else "."


def _obstacles(replies: Mapping[str, Sequence[JudgeReply]], says: Mapping[str, _Said]) -> list[str]:
    """For each judge that has no say, why; for all others, how they stand."""
    told = []
    for judge, given in replies.items():
        if says[judge] == "missing":
            told.append(_unanswered(judge, next(reply for reply in given if reply.text is None)))
        elif says[judge] == "unparseable":
            text = next(
                (
                    reply.text
                    for reply in given
                    if reply.text is not None and parse(reply.text) is None
                ),
                "",
            )
            told.append(f"The reply of {judge} cannot be read: {show(text, SENTENCE)}.")
    standing = [(grade, sum(said == grade for said in says.values())) for grade, _, _ in _OUTCOMES]
    counted = " and ".join(f"{count} {grade}" for grade, count in standing if count)
    return [*told, f"Of {len(replies)} judges, {counted}: no majority."] if counted else told


def _unanswered(judge: str, reply: JudgeReply) -> str:
    told = f"No recorded reply of {judge}"
    if reply.nearest:
        differs = f" ({cut(printable(reply.difference), SENTENCE)})" if reply.difference else ""
        told += f"; the nearest recorded call is {reply.nearest[:16]}{differs}"
    return f"{told}."


def _fence(texts: str) -> str:
    """Eight hexadecimal digits that stand nowhere in the texts, the same for the same texts."""
    digest = sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:8] in texts:
        digest = sha256(digest.encode()).hexdigest()
    return digest[:8]
