"""Programs that read the surface of a question: shared words, and the kinds of words in it.

They are no baselines without understanding: they know the tools, or that something is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leaderboard.types import Case
from runners.baselines.keyword_router import choose
from tests.understanding.question_parts import capitals
from tests.understanding.text_strategies import TextStrategy

_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)

# What looks wrong in a question, and what is said about it. The first that is found counts.
_SUSPECTS = (
    (rf"\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTHS}|{_MONTHS} \d+", "{} is no valid date."),
    (r"[-−]\d+|minus \w+|\bzero\b|\b0\b", "{} is not possible: it must be positive."),
    (r"\S+@\S+", "{} is no valid e-mail address."),
)


def _requested(names: Sequence[str]) -> str:
    *most, last = (f"the {name.replace('_', ' ')}" for name in names)
    return f"Could you tell me {', '.join(most)}{' and ' * bool(most)}{last}?"


def asks_for_everything(case: Case) -> str:
    """All required parameters of the tool that shares most words with the question."""
    chosen = choose(case.query, case.tools)
    names = [p.name for p in chosen.tool.parameters if p.required] if chosen else []
    return _requested(names) if names else ""


def asks_for_the_rest(case: Case) -> str:
    """Those for which the question has no number, date, name or quotation."""
    chosen = choose(case.query, case.tools)
    return _requested(chosen.missing) if chosen and chosen.missing else asks_for_everything(case)


def guesses_the_fault(case: Case) -> str:
    """A date, a number or a name in the question is wrong, whichever is there."""
    for suspect, sentence in _SUSPECTS:
        if found := re.search(suspect, case.query):
            return sentence.format(found[0])
    names = capitals(case.query)
    return f"There is no such thing as {names[-1]}." if names else "That does not exist."


def of_all_categories(case: Case) -> str:
    """A refusal, a guessed fault and a question: something for each category of requests."""
    return f"I can't do that. {guesses_the_fault(case)} {asks_for_the_rest(case)}"


def faults_and_questions(case: Case) -> str:
    """The same without the refusal."""
    return f"{guesses_the_fault(case)} {asks_for_the_rest(case)}"


def refusals_and_questions(case: Case) -> str:
    """The same without the fault."""
    return f"I can't do that. {asks_for_the_rest(case)}"


ACROSS: Sequence[TextStrategy] = (of_all_categories, faults_and_questions, refusals_and_questions)

READERS: dict[str, Sequence[TextStrategy]] = {
    "clarifying": (asks_for_everything, asks_for_the_rest),
    "error": (guesses_the_fault,),
}
