"""What a comparison of two submissions on one suite says. `scoring.tables.paired_tests` works it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

# Who passes a case: both, the first or the second alone, neither; or it is unscored for one of them.
Standing = Literal["both", "first", "second", "neither", "unscored"]

_NARROW: Final = "\u202f"  # thin no-break space, before %
_WEIGHED: Final = (
    "Categories weigh as the suite declares; if all cases weighed the same, A − B would be"
)


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
        return self.p is not None and self.p < 0.05 and self._leaves_out_zero()

    def _leaves_out_zero(self) -> bool:
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def said(self, first: str = "A", second: str = "B") -> str:
        """The verdict in words, without a full stop. Names go in as they are."""
        if self.difference is None or self.p is None:
            return f"{first} and {second} cannot be compared: {self._lacking()}"
        if self.told_apart:
            ahead, sign = (first, 1) if self.difference > 0 else (second, -1)
            return f"{ahead} is ahead by {points(abs(self.difference))} points{self._limits(sign)}, {p_value(self.p)}"
        if self.smallest_gap is None:
            return f"{first} and {second} cannot be told apart: they score the same on each of these {self._number()}"
        gap = f"a difference under {points(self.smallest_gap)} points would go unseen"
        measured = f"{first} − {second} is {points(self.difference, signed=True)} points{self._limits(1)}, {p_value(self.p)}"
        return f"{first} and {second} cannot be told apart on these {self._number()}; {gap} ({measured})"

    def _number(self) -> str:
        return f"{self.shared:,} case" if self.shared == 1 else f"{self.shared:,} cases"

    def _lacking(self) -> str:
        if not self.shared:
            return "no case has a score for both"
        return "a category has no case with a score for both"

    def _limits(self, sign: int) -> str:
        if self.low is None or self.high is None:
            return ""
        low, high = sorted((sign * self.low, sign * self.high))
        return f" ({points(low)} to {points(high)})"


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
    def graded(self) -> str:
        """How a case counts that is neither quite right nor quite wrong, where there may be any; else nothing.

        Who passes a case is told by full scores, the difference by all of them: the two may point either way.
        """
        if not self.whole.shared:
            return ""
        if max(self.trials) > 1:
            counts = "A case counts as passed, or right, only if every scored trial of it passes"
            by, does = "the share of trials that pass", "passes {} of its trials"
        elif self.parts:
            counts, by, does = (
                "A case counts as passed, or right, only with a full score",
                "part scores too",
                "scores {}",
            )
        else:
            return ""
        sides = [
            (one, other, rest)
            for one, other, rest in zip("AB", "BA", self.rest, strict=True)
            if rest is not None
        ]
        where = (
            f"where {a} alone is right, {b} {does.format(f'{points(rest)}{_NARROW}%')}"
            for a, b, rest in sides
        )
        said = "; ".join(where)
        return f"{counts}; the difference takes {by}." + (
            f" {said[0].upper()}{said[1:]}." if said else ""
        )

    @property
    def weighed(self) -> str:
        """That weights turn the difference against that of all cases alike, where they do; else nothing."""
        turned = (self.whole.difference or 0.0) * (self.plain or 0.0) < 0
        return f"{_WEIGHED} {points(self.plain or 0.0, signed=True)} points." if turned else ""

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


def points(share: float, *, signed: bool = False) -> str:
    """A share in points with one decimal: `5.2`, `−0.4`, with `signed` also `+5.2`. What rounds to 0 has no sign."""
    text = f"{abs(100 * share):.1f}"
    sign = "" if text == "0.0" else "−" if share < 0 else "+" if signed else ""
    return sign + text


def p_value(p: float) -> str:
    """`p = 0.043`, with three decimals below 0.1 and two above; `p < 0.001` below that."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
