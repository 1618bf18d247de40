"""What facts decide about an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoring.facts.canonical import Place


@dataclass(frozen=True, slots=True)
class Found:
    """A fact of the case, and where the answer states it. `place` is None if it does not."""

    id: str
    label: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class FactFinding:
    """What facts decide: pass, fail, or open for a judge.

    `reason` is a code of `leaderboard.reasons`, and `detail` one sentence that names the fact.
    """

    decided: Literal["pass", "fail", "open"]
    reason: str
    detail: str
    found: tuple[Found, ...] = ()
