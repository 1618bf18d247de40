"""What a comparison of two submissions on one suite says. `scoring.tables.comparer` works it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# Who passes a case: both, the first or the second alone, neither; or it is unscored for one of them.
Standing = Literal["both", "first", "second", "neither", "unscored"]


@dataclass(frozen=True, slots=True)
class Paired:
    """Two submissions on the cases of one category, or of the whole suite (`*`).

    cases: in the category; shared: those that have a score for both, on which all else rests; unscored: the others.
    both, only_first, only_second, neither: who passes a case, that is scores 1 in every scored trial of it.
    first, second: mean scores over the shared cases (in `*` weighted by category), shares of 1; difference: first - second,
    with its 95 % interval low, high; p: two-sided, of this test alone; holm: the same corrected for all categories of the
    suite, None in `*`. test: the name of the test. smallest_gap: the smallest difference that this pair's test would find
    four times in five. None where nothing can be said.
    """

    category: str
    cases: int
    shared: int
    unscored: int
    both: int
    only_first: int
    only_second: int
    neither: int
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    holm: float | None
    test: str
    smallest_gap: float | None

    @property
    def told_apart(self) -> bool:
        """Whether the difference is hardly chance: p < 0.05, and the interval leaves out 0."""
        if self.p is None or self.low is None or self.high is None:
            return False
        return self.p < 0.05 and not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two submissions on one suite, by one metric: the whole, then each category that has cases, as the suite lists them.

    trials: the most trials of a case, of each. rest: the mean score of the second where the first alone passes, and the other
    way round, shares of 1, None where no case is passed by one alone. parts: whether one of them has a case that is neither
    quite right nor quite wrong. plain: the difference without the categories' weights. All but `trials` are of the categories
    that count in `whole`.
    """

    suite: str
    metric: str
    first: str
    second: str
    whole: Paired
    categories: tuple[Paired, ...]
    trials: tuple[int, int] = (1, 1)
    rest: tuple[float | None, float | None] = (None, None)
    parts: bool = False
    plain: float | None = None

    @property
    def lines(self) -> Iterator[Paired]:
        yield self.whole
        yield from self.categories


@dataclass(frozen=True, slots=True)
class Side:
    """One submission at one case: its score (mean over scored trials, None without any), trials, and reasons, each once."""

    score: float | None
    passes: int
    trials: int
    reasons: tuple[str, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class CasePair:
    """Two submissions at one case. `differs` also where both fall short of a pass, but not by the same."""

    category: str
    case_id: str
    standing: Standing
    differs: bool
    first: Side
    second: Side
