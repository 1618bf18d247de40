"""The comparison of two submissions on one suite. `scoring.tables` computes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

SIGNIFICANCE_LEVEL: Final = 0.05  # a difference with a smaller p-value is significant

# Who passes a case: both, only the first or the second, neither; or one of them is unscored.
Standing = Literal["both", "first", "second", "neither", "unscored"]


def standing(first: bool | None, second: bool | None) -> Standing:
    """Who passes a case: each of the two passes it, or not, or (None) has no score for it."""
    if first is None or second is None:
        return "unscored"
    if first:
        return "both" if second else "first"
    return "second" if second else "neither"


@dataclass(frozen=True, slots=True)
class Paired:
    """Two submissions on the cases of one category, or of the whole suite (`*`).

    - `cases`: all of the category. `shared`: those with a score for both; all else is about these.
      `unscored`: the others. With any of them nothing is tested, nor in any category if one of the
      two was asked only a part of the suite.
    - `judged`: cases with different scores in which a judge decided one of the two.
    - `both`, `only_first`, `only_second`, `neither`: who passes a case, in every scored trial.
    - `first`, `second`: mean scores, 0..1; in `*` weighted by category.
    - `difference`: first - second, with its 95 % interval `low`, `high`.
    - `p`: two-sided, of this test alone. `holm`: corrected for all categories; None in `*`.
    - `test`: the name of the test. `smallest_gap`: the smallest difference that it would find four
      times in five, for this pair alone.

    None means that nothing can be said.
    """

    category: str
    cases: int
    shared: int
    unscored: int
    both: int
    only_first: int
    only_second: int
    neither: int
    judged: int = 0
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    holm: float | None = None
    test: str = ""
    smallest_gap: float | None = None

    @property
    def told_apart(self) -> bool:
        """Whether the difference is significant. The paired test alone decides, as for ranks."""
        return self.p is not None and self.p < SIGNIFICANCE_LEVEL

    @property
    def test_and_interval_disagree(self) -> bool:
        """Whether the difference is significant, but its approximate interval includes 0."""
        if not self.told_apart or self.low is None or self.high is None:
            return False
        return self.low <= 0 <= self.high

    @property
    def detectable(self) -> float | None:
        """The `smallest_gap`; None if it is smaller than half of the interval.

        A category in which the two never differ adds nothing to the gap, as if this were certain.
        The interval allows for other cases, so it can be much wider.
        """
        if self.smallest_gap is None or self.low is None or self.high is None:
            return self.smallest_gap
        return self.smallest_gap if self.smallest_gap >= (self.high - self.low) / 2 else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two submissions on one suite by one metric: the whole, then the categories.

    - `trials`: the most trials of a case, for each submission.
    - `rest`: the mean score of the second where only the first passes, and the other way round;
      None if no case is passed by one alone.
    - `parts`: a case of either has part of a score. `plain`: the difference without weights.
    """

    suite: str
    metric: str
    first: str
    second: str
    whole: Paired
    categories: tuple[Paired, ...]
    trials: tuple[int, int]
    rest: tuple[float | None, float | None]
    parts: bool
    plain: float | None

    @property
    def lines(self) -> Iterator[Paired]:
        yield self.whole
        yield from self.categories


@dataclass(frozen=True, slots=True)
class CaseSide:
    """One submission at one case.

    `score` is the mean over the trials, or None if one is unscored. `reasons` has each reason once.
    """

    score: float | None
    passes: int
    trials: int
    reasons: tuple[str, ...]
    detail: str

    @property
    def passed(self) -> bool | None:
        """Whether every trial passes; None if one is unscored."""
        return None if self.score is None else self.passes == self.trials


@dataclass(frozen=True, slots=True)
class CasePair:
    """Two submissions at one case. `differs`: they have different scores."""

    category: str
    case_id: str
    standing: Standing
    differs: bool
    first: CaseSide
    second: CaseSide
