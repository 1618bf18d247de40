"""Numbers that a language writes as one word: "fünfunddreißig" is 5 + joint + 30."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from scoring.facts.canonical_text.canonical_words import SCALES, SMALL, TENS

# The English word of each number that has one: "30" is "thirty".
NUMBER_WORDS: Final = {str(value): word for word, value in {**SCALES, **SMALL, **TENS}.items()}
_HALF: Final = ("and", "a", "half")
_LONGEST: Final = 40  # letters


@dataclass(frozen=True, slots=True)
class CompoundNumbers:
    """The compound numbers of a language. `values` are the numbers of their parts, as digits."""

    values: Mapping[str, str]
    joint: str
    whole: re.Pattern[str]
    part: re.Pattern[str]

    @classmethod
    def of(
        cls,
        meanings: Mapping[tuple[str, ...], tuple[str, ...]],
        joint: str,
        halves: Iterable[str],
    ) -> CompoundNumbers:
        """From the words of a language, its joint, and the ends that add a half: "einhalb"."""
        values = {
            words[0]: meaning[0] if meaning != ("a",) else "1"
            for words, meaning in meanings.items()
            if len(words) == 1 and (meaning == ("a",) or meaning[0] in NUMBER_WORDS)
        }
        some = "|".join(sorted(values, key=len, reverse=True))
        more = rf"(?:{joint})?(?:{some})"
        half = "|".join(halves) or r"(?!)"
        whole = re.compile(rf"(?:{some})(?:(?:{more})+(?:{half})?|{half})")
        return cls(values, joint, whole, re.compile(rf"{half}|{some}|{joint or some}"))

    def read(self, word: str) -> tuple[str, ...] | None:
        """The English words of a compound number."""
        if len(word) > _LONGEST or not self.whole.fullmatch(word):
            return None
        english: list[str] = []
        is_joined = False
        for part in self.part.findall(word):
            if part not in self.values:
                is_joined = part == self.joint
                english += () if is_joined else _HALF
                continue
            number = NUMBER_WORDS[self.values[part]]
            # The tens come after the joint, and before the unit in English.
            place = len(english) - (is_joined and number in TENS)
            english.insert(place, number)
            is_joined = False
        return tuple(english)
