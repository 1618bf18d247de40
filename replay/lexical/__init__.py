"""The rules of the embedded judge, one per category: pure functions of the quoted texts.

They compare words, numbers and names, and understand nothing. Each returns a `RuleFinding`: the
word of the verdict, and one sentence that names the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from replay.lexical.argument_values import same_value
from replay.lexical.clarifying_questions import same_question
from replay.lexical.faulty_requests import same_fault
from replay.lexical.general_knowledge import same_fact
from replay.lexical.normalisation import normalise
from replay.lexical.question_answers import same_answer
from replay.lexical.shared_rules import LONGEST, RuleFinding, Texts, different
from replay.lexical.solved_status import answer_status, execution_status, preference
from replay.lexical.unsupported_requests import says_no

__all__ = [
    "CATEGORIES",
    "COMPARING_RULES",
    "LONGEST",
    "STATUS_RULES",
    "RuleFinding",
    "Texts",
    "find",
]

Rule = Callable[[Texts], RuleFinding]

# These find whether the given text is equivalent to the accepted one.
COMPARING_RULES: Final[Mapping[str, Rule]] = {
    "tool_selection": same_value,
    "no_tool": same_fact,
    "clarifying": same_question,
    "error": same_fault,
    "not_supported": says_no,
    "qa": same_answer,
}
# These find whether an answer solves a query, or which of two answers is better.
STATUS_RULES: Final[Mapping[str, Rule]] = {
    "answer_status": answer_status,
    "final_answer": answer_status,
    "execution_status": execution_status,
    "preference": preference,
}
# What a prompt of each category asks, for people who write prompts.
CATEGORIES: Final[Mapping[str, str]] = {
    "tool_selection": "do two values of an argument mean the same?",
    "no_tool": "does an answer contain the key words of the accepted one?",
    "clarifying": "does a reply ask the user for the same as the accepted question?",
    "error": "does a reply name the same fault of the request as the accepted one?",
    "not_supported": "does a reply say that the system cannot do what was asked?",
    "qa": "does an answer contain all words and numbers of the accepted one?",
    "answer_status": "does an answer solve the query, judged by the answer alone?",
    "final_answer": "the same as `answer_status`, for a suite's `final_answer` setting",
    "execution_status": "does an answer solve the query, judged by the tool replies?",
    "preference": "which of two answers is better?",
}


def find(category: str, texts: Texts) -> RuleFinding | None:
    """Applies the rule of a category to the texts; None for a category that has no rule."""
    if category in STATUS_RULES:
        return STATUS_RULES[category](texts)
    if category not in COMPARING_RULES:
        return None
    if len(texts.got) > LONGEST:
        return different(f"The given text has more than {LONGEST:,} characters.")
    if not normalise(texts.got).words:
        return different("The given text has no words.")
    return COMPARING_RULES[category](texts)
