"""What moved between two states of a board, and why; and a board's history made of that. `scoring.changes.score_history.difference` works it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

# What a score rests on. Labels are what judges are measured with: they move no score.
CauseKind = Literal["responses", "cases", "prompts", "judges", "cassettes", "rules", "labels"]
How = Literal["changed", "added", "removed"]

# What of a suite can change. Its texts are titles and descriptions, on which no score rests.
PartKind = Literal["case", "tools", "weight", "policy", "texts"]

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """What of a suite is not the same: a case by its id, a weight by its category; `name` is empty for what there is one of."""

    kind: PartKind
    name: str
    how: How


@dataclass(frozen=True, slots=True)
class Cause:
    """An input that is not the same: its kind, its name in the manifest, and its suite and submission where it has one.

    `parts` say what of a suite changed; there are none where a state was kept before digests told them apart.
    """

    kind: CauseKind
    name: str
    how: How
    suite: str | None = None
    submission: str | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictFlip:
    """A verdict that is another now. Scores are 0..1, None where unscored."""

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
    judged: bool  # a judge decided it, before or now, or is waited for


@dataclass(frozen=True, slots=True)
class Move:
    """A score that is another now: of a category or of the whole suite (`*`), with the numbers of scored verdicts."""

    category: str
    metric: str
    old: float | None
    new: float | None
    old_scored: int
    new_scored: int

    @property
    def by(self) -> float | None:
        """How far it moved, None where either is missing."""
        return None if self.old is None or self.new is None else self.new - self.old


@dataclass(frozen=True, slots=True)
class Change:
    """What moved of one submission on one suite.

    `added` and `removed` count verdicts on cases or trials that only one state has; `reworded` those with the same outcome and
    score for another reason. Without `causes` it is an alarm: nothing it rests on has changed.
    """

    submission: str
    suite: str
    moves: tuple[Move, ...]
    flips: tuple[VerdictFlip, ...]
    causes: tuple[Cause, ...]
    added: int = 0
    removed: int = 0
    reworded: int = 0

    def move(self, metric: str, category: str = "*") -> Move | None:
        return next(
            (move for move in self.moves if (move.metric, move.category) == (metric, category)),
            None,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A submission on a suite that only one of two states has, with its scores of the whole suite by metric, and its rank."""

    submission: str
    suite: str
    scores: Mapping[str, float | None]
    rank: Range | None = None


@dataclass(frozen=True, slots=True)
class RankMove:
    """A range of ranks that is another now; None where the submission has no rank."""

    submission: str
    suite: str
    category: str
    old: Range | None
    new: Range | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that differs between two states. All tuples are sorted by suite, submission and category."""

    base: str
    new: str
    inputs: tuple[Cause, ...]
    added: tuple[Entry, ...]
    removed: tuple[Entry, ...]
    changed: tuple[Change, ...]
    ranks: tuple[RankMove, ...]

    @property
    def nothing(self) -> bool:
        """Whether no score, verdict or rank moved."""
        return not (self.added or self.removed or self.changed or self.ranks)

    @property
    def alarms(self) -> tuple[Change, ...]:
        """Changes that no changed input explains."""
        return tuple(change for change in self.changed if not change.causes)


@dataclass(frozen=True, slots=True)
class Step:
    """One submission on one suite at one time, where that differs from the time before.

    Scores are of the whole suite by the ranked metric; `flips` counts the verdicts of that metric that turned. Where a rank
    alone moved there are no causes: others came, went or changed.
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
    taken: str | None = None


@dataclass(frozen=True, slots=True)
class Era:
    """One state in a history, and how it differs from the one before; None for the first.

    `taken` is the day on which it was kept, None where that was not recorded; `as_of` its newest submission's.
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
    """A board's states, oldest first, and the steps of each submission that was ever on it, oldest first."""

    eras: tuple[Era, ...]
    steps: Mapping[str, tuple[Step, ...]]
