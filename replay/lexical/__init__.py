"""The rules of the embedded judge, one per category: pure functions of the quoted texts.

They compare words, numbers and names; they do not understand. Each answers with a `Finding`: whether the given text counts as
equivalent, and one sentence that says by what rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from replay.lexical.argument_values import same_value
from replay.lexical.clarifying_questions import same_question
from replay.lexical.final_answers import same_answer
from replay.lexical.general_knowledge import same_fact
from replay.lexical.inability import says_no
from replay.lexical.named_errors import same_fault
from replay.lexical.normalised_words import reading
from replay.lexical.quoted_texts import Finding, Texts, different

__all__ = ["LONGEST", "RULES", "Finding", "Texts", "find"]

LONGEST: Final = 20_000  # characters; a longer answer is not read

RULES: Final[Mapping[str, Callable[[Texts], Finding]]] = MappingProxyType(
    {
        "tool_selection": same_value,
        "no_tool": same_fact,
        "clarifying": same_question,
        "error": same_fault,
        "not_supported": says_no,
        "qa": same_answer,
    }
)


def find(category: str, texts: Texts) -> Finding | None:
    """What the rule of a category says of the texts; None for a category that has no rule."""
    rule = RULES.get(category)
    if rule is None:
        return None
    if len(texts.got) > LONGEST:
        return different("The given text is far too long to be an answer.")
    if not reading(texts.got).words:
        return different("The given text holds no words.")
    return rule(texts)
