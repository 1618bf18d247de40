"""What changed between two states of a board, and the history made of such differences.

`scoring.changes` computes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from leaderboard.ids import WHOLE

# The inputs of a score. Labels measure the judges and change no score.
CauseKind = Literal[
    "responses", "cards", "cases", "prompts", "judges", "cassettes", "rules", "labels"
]
How = Literal["changed", "added", "removed"]

# The parts of a suite. Its texts are titles and descriptions, which change no score.
PartKind = Literal["case", "tools", "weight", "policy", "texts"]

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a suite that changed: a case by its id, a weight by its category.

    `name` is empty for parts that exist once.
    """

    kind: PartKind
    name: str
    how: How


@dataclass(frozen=True, slots=True)
class Cause:
    """An input that changed, with its name in the manifest, its suite and submission if any.

    `parts` says what changed in a suite. Old snapshots do not record it.
    """

    kind: CauseKind
    name: str
    how: How
    suite: str | None = None
    submission: str | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictFlip:
    """A verdict that changed. Scores are 0..1, or None when unscored.

    `judged`: a judge decided it before or now, or has yet to decide it.
    """

    category: str
    case_id: str
    trial: int
    metric: str
    old: str
    new: str
    old_score: float | None
    new_score: float | None
    old_reason: str
    new_reason: str
    judged: bool


@dataclass(frozen=True, slots=True)
class Move:
    """A score that changed, of a category or the whole suite (`*`).

    `old_scored` and `new_scored` count the scored verdicts, `old_unscored` and `new_unscored` the
    others.
    """

    category: str
    metric: str
    old: float | None
    new: float | None
    old_scored: int
    new_scored: int
    old_unscored: int = 0
    new_unscored: int = 0

    @property
    def by(self) -> float | None:
        """The difference; None if either score is missing."""
        return None if self.old is None or self.new is None else self.new - self.old


@dataclass(frozen=True, slots=True)
class Change:
    """What changed for one submission on one suite.

    `added` and `removed` count verdicts on cases or trials that only one state has. `reworded`
    counts those with the same outcome and score and another reason. A change without `causes` is
    an alarm, because no input has changed.
    """

    submission: str
    suite: str
    moves: tuple[Move, ...]
    flips: tuple[VerdictFlip, ...]
    causes: tuple[Cause, ...]
    added: int = 0
    removed: int = 0
    reworded: int = 0

    def move(self, metric: str) -> Move | None:
        """The change of the score of the whole suite."""
        of_suite = (move for move in self.moves if move.category == WHOLE)
        return next((move for move in of_suite if move.metric == metric), None)


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A submission on a suite that only one state has, with its scores by metric, and its rank."""

    submission: str
    suite: str
    scores: Mapping[str, float | None]
    rank: Range | None = None


@dataclass(frozen=True, slots=True)
class RankMove:
    """A rank that changed; None if the submission has no rank. The status says why, as in RANKS."""

    submission: str
    suite: str
    category: str
    old: Range | None
    new: Range | None
    old_status: str | None = None
    new_status: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two states, sorted by suite, submission and category.

    `recased` names the suites that gained or lost cases, so that their scores are not comparable.
    """

    base: str
    new: str
    inputs: tuple[Cause, ...]
    added: tuple[BoardEntry, ...]
    removed: tuple[BoardEntry, ...]
    changed: tuple[Change, ...]
    ranks: tuple[RankMove, ...]
    recased: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether no score, verdict or rank changed."""
        return not (self.added or self.removed or self.changed or self.ranks)

    @property
    def alarms(self) -> tuple[Change, ...]:
        """The changes that no changed input explains."""
        return tuple(change for change in self.changed if not change.causes)


@dataclass(frozen=True, slots=True)
class Step:
    """A submission on a suite at one time, if that differs from the time before.

    Scores are of the whole suite by the ranked metric, and `flips` counts changed verdicts of that
    metric. A step that changes only a rank has no causes: other submissions changed. `recased`:
    the suite had other cases before, so that the two scores are not comparable.
    """

    state: str
    sequence: int | None
    as_of: str | None
    suite: str
    metric: str
    how: How
    old: float | None
    new: float | None
    old_rank: Range | None
    new_rank: Range | None
    flips: int
    causes: tuple[Cause, ...]
    taken: str | None
    recased: bool


@dataclass(frozen=True, slots=True)
class Era:
    """One state in a history, and its difference from the one before; None for the first.

    `taken` is the day on which it was kept, if recorded. `as_of` is the date of its newest
    submission.
    """

    state: str
    sequence: int | None
    label: str | None
    as_of: str | None
    digest: str
    submissions: int
    difference: Difference | None
    taken: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A board's states, and the steps of each submission ever on it, both oldest first."""

    eras: tuple[Era, ...]
    steps: Mapping[str, tuple[Step, ...]]
