"""answer_status, execution_status, preference: whether an answer solves a query, and which of two answers is the better one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from replay.lexical.inability import says_no
from replay.lexical.normalised_words import Reading, is_number, reading
from replay.lexical.quoted_texts import (
    Texts,
    is_question,
    listed,
    one_of,
    pattern,
    sentences,
    spoken,
)

Status = Literal["Solved", "Unsure", "Unsolved"]
Word = Literal["Solved", "Unsure", "Unsolved", "first", "second", "tie"]

_APOLOGY: Final = pattern("sorry", "apologi[sz]e", "apology", "unfortunately")
_FAILED: Final = pattern(
    "(?:could|can|did|was|were|am) not (?:be )?(?:able|find|found|retrieve|get|answer|help|access|complete|determine|obtain)",
    "(?:unable|failed) to",
    "no (?:result|answer|data|information)",
    "iteration limit",
    one_of("error timeout"),
)
_AHEAD: Final = pattern("i (?:will|shall|am going to|need to|would)", "let me")
_LINE: Final = re.compile(r"^(.*?\)) -> (\(failed\) )?(.*)$", re.MULTILINE)
_UNTOLD: Final = "(the reply is not told)"
_ORDER: Final[tuple[Word, ...]] = ("Unsolved", "Unsure", "Solved")
_LONGEST: Final = 20_000  # characters of an answer that is read
_LEAST_SHARED: Final = (
    0.5  # of the telling words of an answer, those that the query or a reply holds
)


@dataclass(frozen=True, slots=True)
class StatusFinding:
    """Whether the query is solved, or which answer is better, and why, in one sentence."""

    status: Word
    why: str


def answer_status(texts: Texts) -> StatusFinding:
    """What an answer alone shows: whether it is one at all. Whether it is right cannot be told from words, so never Solved."""
    if len(texts.got) > _LONGEST:
        return StatusFinding("Unsolved", "The answer is far too long to be one.")
    if not reading(texts.got).words:
        return StatusFinding("Unsolved", "The answer holds no words.")
    told = [part for part in sentences(texts.got) if reading(part).content]
    if told and all(map(is_question, told)):
        return StatusFinding("Unsolved", "The answer only asks back.")
    put_off = [part for part in told if _puts_off(part, texts)]
    facts = [
        part
        for part in told
        if part not in put_off and not is_question(part) and _says_something(part, texts)
    ]
    if put_off and not facts:
        return StatusFinding("Unsolved", "The answer is an apology or says that it cannot be done.")
    if not facts:
        return StatusFinding("Unsolved", "The answer says nothing beyond the query.")
    return StatusFinding(
        "Unsure", "The answer speaks to the query; whether it is right, the tools must say."
    )


def execution_status(texts: Texts) -> StatusFinding:
    """What an answer says, held against the replies of the tools."""
    calls = _LINE.findall(texts.expected)
    if not calls:
        return StatusFinding("Unsure", "No tool was called, so nothing bears the answer out.")
    replies = [reply for _, failed, reply in calls if not failed and reply != _UNTOLD]
    if not replies:
        if any(reply == _UNTOLD for *_, reply in calls):
            return StatusFinding("Unsure", "What the tools replied is not told.")
        return StatusFinding("Unsolved", "Every tool call failed.")
    got, asked, known = reading(texts.got), reading(texts.question), reading(" ".join(replies))
    foreign = [
        number
        for number in dict.fromkeys(got.numbers)
        if number not in _numbers(known) | _numbers(asked)
    ]
    if len(foreign) > 1 and 2 * len(foreign) > len(set(got.numbers)):
        return StatusFinding("Unsolved", f"No tool replied these numbers: {listed(foreign[:3])}.")
    return _borne_out(got, asked, known)


def preference(texts: Texts) -> StatusFinding:
    """The better of two answers, by what each alone and then its tools' replies say of it; else a tie."""
    first, second = (_stands(texts.question, side) for side in (texts.expected, texts.got))
    if first.status == second.status:
        return StatusFinding("tie", f"Both are {first.status.lower()}.")
    better: Word = "first" if _ORDER.index(first.status) > _ORDER.index(second.status) else "second"
    return StatusFinding(
        better, f"The first is {first.status.lower()}, the second {second.status.lower()}."
    )


def _stands(question: str, side: str) -> StatusFinding:
    """Whether one side solves the query, in both stages."""
    replies, _, answer = side.rpartition("\n\nFinal answer: ")
    alone = answer_status(Texts(question, "", "", answer))
    return (
        execution_status(Texts(question, "", replies, answer))
        if alone.status == "Unsure"
        else alone
    )


def _borne_out(got: Reading, asked: Reading, known: Reading) -> StatusFinding:
    """Whether enough of an answer's words come from the replies, and some of them from nowhere else."""
    words = frozenset(word for word in got.telling if not is_number(word))
    from_replies = words & known.telling | (_numbers(got) & _numbers(known))
    new = from_replies - asked.telling - _numbers(asked)
    if not new:
        return StatusFinding("Unsure", "The answer passes on nothing of what the tools replied.")
    if len(words & (known.telling | asked.telling)) < _LEAST_SHARED * len(words):
        return StatusFinding("Unsure", "Most of the answer's words stand in no reply.")
    number = "1 word or number" if len(new) == 1 else f"{len(new)} words and numbers"
    return StatusFinding(
        "Solved",
        f"The answer passes on what the tools replied: {number} that the query does not hold.",
    )


def _puts_off(sentence: str, texts: Texts) -> bool:
    said = spoken(sentence)
    if _APOLOGY.search(said) or _FAILED.search(said) or _AHEAD.search(said):
        return True
    return says_no(Texts(texts.question, "", "", sentence)).equivalent


def _says_something(sentence: str, texts: Texts) -> bool:
    """Whether a sentence holds a word or number that the query does not."""
    read, asked = reading(sentence), reading(texts.question)
    return bool(read.telling - asked.telling or _numbers(read) - _numbers(asked))


def _numbers(text: Reading) -> frozenset[str]:
    return frozenset(text.numbers)


RULES: Final[Mapping[str, Callable[[Texts], StatusFinding]]] = MappingProxyType(
    {
        "answer_status": answer_status,
        "final_answer": answer_status,
        "execution_status": execution_status,
        "preference": preference,
    }
)


def find_status(category: str, texts: Texts) -> StatusFinding | None:
    """What the rule of a category says; None for a category that has no rule."""
    rule = RULES.get(category)
    return None if rule is None else rule(texts)
