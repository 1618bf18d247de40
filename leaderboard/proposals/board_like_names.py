"""Names that read like words of the board: a rank, a score, "verified", or a name with more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from leaderboard.proposals.look_alikes import at_a_glance
from leaderboard.texts.unicode_forms import bare
from leaderboard.types import Submission

_WORDS: Final = frozenset(
    {
        "approved",
        "certified",
        "champion",
        "endorsed",
        "leaderboard",
        "official",
        "officially",
        "ranked",
        "score",
        "verified",
        "winner",
    }
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_RANK: Final = re.compile(
    r"[#№]\s*\d|\b(?:no|nr|number|rank|place)\b\.?\s*\d|\b1st\b|[🥇🥈🥉🏆🏅👑]"
)
_MARK: Final = re.compile(r"[✅✓✔☑]")
_PERCENTAGE: Final = re.compile(r"\d\s*(?:%|percent)")
# "98.5" is no version or size, such as "4.1", "v10.2" and "10.7B".
_SCORE: Final = re.compile(r"(?<![\w.])\d{2,3}\.\d+(?![\w.])")
_IN_BRACKETS: Final = re.compile(r"[(\[{<].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BoardLikeName:
    """A field of a card that reads like words of the board. `what`: "contains a rank".

    `other` is the submission to whose name it adds more, or empty.
    """

    field: str
    value: str
    what: str
    other: str = ""


def board_like_names(
    submission: Submission, others: Iterable[Submission]
) -> Iterator[BoardLikeName]:
    """Yields what readers can take for words of the board. Honest names may have them, too."""
    card = submission.card
    known = {
        at_a_glance(other.card.name): other.id for other in others if other.id != submission.id
    }
    start = _IN_BRACKETS.sub("", bare(card.name))
    if start != bare(card.name) and (other := known.get(at_a_glance(start))):
        yield BoardLikeName("name", card.name, "adds words in brackets to the name of", other)
    for field, value in (("name", card.name), ("organization", card.organization)):
        for what in _claims(value):
            yield BoardLikeName(field, value, what)


def _claims(name: str) -> Iterator[str]:
    plain = bare(name)
    if _RANK.search(name) or _RANK.search(plain):
        yield "contains a rank"
    if _MARK.search(name):
        yield "contains a check mark"
    if _PERCENTAGE.search(plain):
        yield "contains a percentage"
    if _SCORE.search(plain):
        yield "contains a score"
    for word in sorted(_WORDS.intersection(_WORD.findall(plain))):
        yield f"contains the word {word}"
