"""Whether an answer is in another language, so that facts do not know its words."""

from __future__ import annotations

from scoring.facts.sentences import Passage
from scoring.facts.tokens import BOUNDARIES
from scoring.facts.word_tables import FOREIGN_WORDS, SMALL_WORDS

_LAST_LATIN = "\u036f"


def is_foreign(passage: Passage) -> bool:
    """Whether a passage has words in another script, or more small words of other languages."""
    words = [word for word in passage.words if word not in BOUNDARIES]
    if any(len(word) > 1 and word[0] > _LAST_LATIN and word[0].isalpha() for word in words):
        return True
    small = sum(word in SMALL_WORDS for word in words)
    return sum(word in FOREIGN_WORDS for word in words) > small
