"""What facts decide about an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from leaderboard.limits import FACTS_LENGTH
from leaderboard.types import FoundFact


@dataclass(frozen=True, slots=True)
class FactFinding:
    """What facts decide: pass, fail, or open for a judge.

    `reason` is a code of `leaderboard.reasons`, and `detail` one sentence that names the fact.
    """

    decided: Literal["pass", "fail", "open"]
    reason: str
    detail: str
    found: tuple[FoundFact, ...] = ()

    def failing(self, reason: str, detail: str) -> FactFinding:
        """The same facts are found, but the answer fails."""
        return replace(self, decided="fail", reason=reason, detail=detail)


def is_too_long(answer: str) -> bool:
    """Whether an answer is longer than what facts read of it."""
    return bool(answer[FACTS_LENGTH:].strip())


def too_long(found: tuple[FoundFact, ...] = ()) -> FactFinding:
    """Fails an answer that is too long."""
    return FactFinding(
        "fail", "too_long", f"The answer has more than {FACTS_LENGTH:,} characters.", found
    )


class Doubt(NamedTuple):
    """Why an answer does not pass: it fails, or a judge has to read it."""

    decided: Literal["fail", "open"]
    reason: str
    detail: str


def fails(reason: str, detail: str) -> Doubt:
    return Doubt("fail", reason, detail[:1].upper() + detail[1:])


def leaves_open(detail: str) -> Doubt:
    return Doubt("open", "facts_open", detail[:1].upper() + detail[1:])
