"""Names with a wrong letter or two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

from scoring.facts.form_search import FormSet, Match
from scoring.facts.sentences import Passage

_LONG_WORD: Final = 6  # letters
_MOST_WRONG: Final = 2  # letters of a long word


def long_words(label: str, accepts: FormSet) -> tuple[str, ...]:
    """The long words of a fact's accepted forms that its label has, too."""
    labelled = set(re.findall(r"\w+", label.casefold()))
    texts = [form.text for form in accepts.forms]
    words = {word for text in texts for word in text.split()}
    alone = words.intersection(texts) or words  # "einstein", but not "albert"
    names = {word for word in alone & labelled if len(word) >= _LONG_WORD and word.isalpha()}
    return tuple(sorted(names))


def misspelled(passage: Passage, names: Sequence[str]) -> list[Match]:
    """The words of a passage that are a misspelling of one of some names."""
    words = enumerate(passage.words)
    return [Match(at, at + 1) for at, word in words if _is_misspelled(word, names)]


def _is_misspelled(word: str, names: Iterable[str]) -> bool:
    return any(
        word != other
        and word[0] == other[0]
        and abs(len(word) - len(other)) <= _MOST_WRONG
        and _close(word, other)
        for other in names
    )


def _close(word: str, other: str) -> bool:
    """Whether two words differ in one letter, or in two of nine or more."""
    matcher = SequenceMatcher(None, word, other, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return max(len(word), len(other)) - same <= (2 if len(word) >= 9 else 1)
