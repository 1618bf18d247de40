"""Categories answer_status, execution_status and preference: does an answer solve a query?"""

from __future__ import annotations

import re
from typing import Final

from replay.lexical.judge_vocabulary import pattern
from replay.lexical.normalisation import NormalisedText, is_number, normalise
from replay.lexical.shared_rules import (
    LONGEST,
    RuleFinding,
    Texts,
    is_question,
    listed,
    normalised_line,
    only_asks,
    statements,
)
from replay.lexical.unsupported_requests import says_no_to

_PUTS_OFF: Final = (pattern("apology"), pattern("failed_attempt"), pattern("announcement"))
# The arguments are JSON. What a text in them says is no reply.
_CALL: Final = re.compile(
    r'^[^(\n]*\(\{(?:[^"\n]|"(?:[^"\\\n]|\\.)*")*?\}\) -> (\(failed\) )?(.*)$', re.MULTILINE
)
_UNTOLD: Final = "(the reply is not told)"
_ORDER: Final = ("Unsolved", "Unsure", "Solved")
_LEAST_SHARED: Final = 0.5  # of an answer's key words, those that the query or a reply holds


def answer_status(texts: Texts) -> RuleFinding:
    """Judges by the answer alone whether it is one. It is never Solved: words cannot show that."""
    return _status_alone(texts.question, texts.got)


def _status_alone(question: str, answer: str) -> RuleFinding:
    if len(answer) > LONGEST:
        return RuleFinding("Unsolved", f"The answer has more than {LONGEST:,} characters.")
    if not normalise(answer).words:
        return RuleFinding("Unsolved", "The answer has no words.")
    if only_asks(answer):
        return RuleFinding("Unsolved", "The answer only asks a question.")
    told = statements(answer)
    put_off = [part for part in told if _puts_off(part, question)]
    facts = [part for part in told if part not in put_off and _adds_facts(part, question)]
    if facts:
        why = "The answer gives information that only the tools' replies can confirm."
        return RuleFinding("Unsure", why)
    if put_off:
        return RuleFinding(
            "Unsolved",
            "The answer only apologises, announces something or says that it cannot be done.",
        )
    return RuleFinding("Unsolved", "The answer adds nothing to the words of the query.")


def execution_status(texts: Texts) -> RuleFinding:
    """Judges an answer by the replies of the tools."""
    calls = _CALL.findall(texts.expected)
    if not calls and _UNTOLD in texts.expected:  # The answer lists the APIs that it called.
        return RuleFinding("Unsure", "The replies of the tools are not reported.")
    if not calls:
        return RuleFinding("Unsure", "No tool was called, so no reply supports the answer.")
    replies = [reply for failed, reply in calls if not failed and reply != _UNTOLD]
    if not replies:
        if any(reply == _UNTOLD for _, reply in calls):
            return RuleFinding("Unsure", "The replies of the tools are not reported.")
        return RuleFinding("Unsolved", "Every tool call failed.")
    got, asked, known = map(normalise, (texts.got, texts.question, " ".join(replies)))
    numbers = dict.fromkeys(got.numbers)
    foreign = [one for one in numbers if one not in known.numbers and one not in asked.numbers]
    if len(foreign) > 1 and 2 * len(foreign) > len(numbers):
        why = f"These numbers are in no tool reply and not in the query: {listed(foreign)}."
        return RuleFinding("Unsolved", why)
    return _supported(got, asked, known)


def preference(texts: Texts) -> RuleFinding:
    """Judges which of two answers is better, by the status that each one reaches."""
    first = _status_with_tools(texts.question, texts.expected)
    second = _status_with_tools(texts.question, texts.got)
    if first == second:
        return RuleFinding("tie", f"Both answers have the status {first}.")
    better = "first" if _ORDER.index(first) > _ORDER.index(second) else "second"
    why = f"The first answer has the status {first}, and the second {second}."
    return RuleFinding(better, why)


def _status_with_tools(question: str, side: str) -> str:
    # The first mark counts: replies have no empty line, and an answer may imitate a reply.
    *replies, answer = side.split("\n\nFinal answer: ", 1)
    alone = _status_alone(question, answer).word
    if alone != "Unsure":
        return alone
    return execution_status(Texts(question, "", "".join(replies), answer)).word


def _supported(got: NormalisedText, asked: NormalisedText, known: NormalisedText) -> RuleFinding:
    """Judges whether an answer's words are in the replies, and some of them only there."""
    words = frozenset(word for word in got.key_stems if not is_number(word))
    from_replies = words & known.key_stems | set(got.numbers).intersection(known.numbers)
    new = from_replies.difference(asked.key_stems, asked.numbers)
    if not new:
        return RuleFinding(
            "Unsure", "The answer repeats nothing from the tools' replies that is not in the query."
        )
    if len(words & (known.key_stems | asked.key_stems)) < _LEAST_SHARED * len(words):
        return RuleFinding(
            "Unsure", "Most words of the answer are neither in the query nor in a tool's reply."
        )
    number = "1 word or number" if len(new) == 1 else f"{len(new)} words and numbers"
    verb = "is" if len(new) == 1 else "are"
    why = f"The answer repeats {number} from the tools' replies that {verb} not in the query."
    return RuleFinding("Solved", why)


def _puts_off(sentence: str, question: str) -> bool:
    """Whether a sentence apologises, announces, or says that something is impossible."""
    said = normalised_line(sentence)
    if any(pattern.search(said) for pattern in _PUTS_OFF):
        return True
    return says_no_to(question, sentence)


def _adds_facts(sentence: str, question: str) -> bool:
    """Whether a statement holds a word or a number that the query does not."""
    if is_question(sentence):
        return False
    read, asked = normalise(sentence), normalise(question)
    return not (read.key_stems <= asked.key_stems and set(read.numbers) <= set(asked.numbers))
