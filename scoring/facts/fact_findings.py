"""What facts decide about an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from leaderboard.types import FoundFact

# What follows is not read, so that no answer takes long. An answer with more fails: otherwise a
# judge would read what no fact has seen.
LONGEST: Final = 6000  # characters


@dataclass(frozen=True, slots=True)
class FactFinding:
    """What facts decide: pass, fail, or open for a judge.

    `reason` is a code of `leaderboard.reasons`, and `detail` one sentence that names the fact.
    """

    decided: Literal["pass", "fail", "open"]
    reason: str
    detail: str
    found: tuple[FoundFact, ...] = ()


def is_too_long(answer: str) -> bool:
    """Whether an answer is longer than what facts read of it."""
    return bool(answer[LONGEST:].strip())


def too_long(found: tuple[FoundFact, ...] = ()) -> FactFinding:
    """Fails an answer that is too long."""
    return FactFinding(
        "fail", "too_long", f"The answer has more than {LONGEST:,} characters.", found
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
