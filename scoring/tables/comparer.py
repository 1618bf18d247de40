"""Two submissions on one suite: who passes which cases, and their paired difference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import polars as pl

from leaderboard.board.comparison import CasePair, CaseSide, Comparison, Paired, Standing
from leaderboard.types import Suite
from scoring import statistics
from scoring.statistics import Interval
from scoring.tables.aggregate import WHOLE, case_scores
from scoring.tables.pairs import (
    Stratum,
    SuiteBits,
    Tally,
    lay_out,
    single_interval,
    single_test,
    weighted_interval,
    weighted_test,
)

_ALPHA: Final = 0.05


class _Counts(NamedTuple):
    """Two submissions on some of a suite's cases.

    `first_sum` and `second_sum` are sums of levels over the shared cases. `second_rest` is the
    sum of the second's levels where only the first passes, `first_rest` the reverse. `stepped`
    counts categories with other scores than 0 and 1.
    """

    cases: int
    shared: int
    both: int
    only_first: int
    only_second: int
    first_sum: int
    second_sum: int
    first_rest: int
    second_rest: int
    squares: int
    stepped: int

    @property
    def tally(self) -> Tally:
        return Tally(self.shared, self.first_sum - self.second_sum, self.squares, not self.stepped)


def _together(counts: Iterable[_Counts]) -> _Counts:
    rows = list(counts)
    return _Counts(*(sum(column) for column in zip(*rows, strict=True))) if rows else _NOTHING


_NOTHING: Final = _Counts(*[0] * len(_Counts._fields))


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares any two submissions to one suite by one metric. Made by `comparer`.

    `trials` is the highest number of trials per case, by submission.
    """

    suite: Suite
    metric: str
    bits: SuiteBits
    trials: Mapping[str, int]

    @property
    def submissions(self) -> tuple[str, ...]:
        """The ids of the submissions that took the suite, sorted."""
        return tuple(sorted(self.trials))

    def levels(self, submission: str) -> tuple[int | None, ...]:
        """The score at each case of the suite times `bits.scale`, None where it has none."""
        levels: list[int | None] = []
        for category in self.suite.categories:
            levels += self.bits.of(category.id, submission).levels(len(category.cases))
        return tuple(levels)

    def compare(self, first: str, second: str) -> Comparison:
        """Compares `first` with `second`. Raises KeyError if one of them did not take the suite.

        A category is tested as for ranks: passes and fails by McNemar's exact test with Tango's
        score interval, means over trials and part scores by a paired t test with its interval.
        `*` is tested over all cases together if the weights are proportional to the shared cases,
        otherwise by the weighted sign-flip test. Its interval is then combined from the intervals
        of the categories. An interval is extended to 0 if the exact test does not reject 0.
        """
        trials = self.trials[first], self.trials[second]
        parts = {
            category.id: self._count(category.id, len(category.cases), first, second)
            for category in self.suite.categories
            if category.cases
        }
        lines = [self._line(category, counts) for category, counts in parts.items()]
        tested = [line.p for line in lines if line.p is not None]
        adjusted = iter(statistics.holm(tested))
        lines = [line if line.p is None else replace(line, holm=next(adjusted)) for line in lines]

        weights = {c.id: c.weight for c in self.suite.categories if c.cases and c.weight > 0}
        total = _together(parts[category] for category in weights)
        return Comparison(
            self.suite.id,
            self.metric,
            first,
            second,
            self._whole(weights, parts, total, lines),
            tuple(lines),
            trials=trials,
            rest=(
                self._share(total.second_rest, total.only_first),
                self._share(total.first_rest, total.only_second),
            ),
            parts=total.stepped > 0,
            plain=self._share(total.tally.total, total.shared),
        )

    def _count(self, category: str, cases: int, first: str, second: str) -> _Counts:
        mine, its = self.bits.of(category, first), self.bits.of(category, second)
        tally = mine.tally(its)
        shared = mine.scored & its.scored
        only_first = mine.passed & shared & ~its.passed
        only_second = its.passed & shared & ~mine.passed
        return _Counts(
            cases=cases,
            shared=tally.cases,
            both=(mine.passed & its.passed).bit_count(),
            only_first=only_first.bit_count(),
            only_second=only_second.bit_count(),
            first_sum=mine.total(shared),
            second_sum=its.total(shared),
            first_rest=mine.total(only_second),
            second_rest=its.total(only_first),
            squares=tally.squares,
            stepped=not tally.binary,
        )

    def _share(self, levels: int, cases: int) -> float | None:
        """The mean score of some cases, from the sum of their levels."""
        return levels / (cases * self.bits.scale) if cases else None

    def _line(self, category: str, counts: _Counts) -> Paired:
        """The comparison over cases that all count the same."""
        line = _untested(category, counts)
        if not counts.shared:
            return line
        scale, tally = self.bits.scale, counts.tally
        name, p = single_test(tally, scale)
        low, high = _limits(single_interval(tally, scale, bounded=self.bits.bounded), p)
        return replace(
            line,
            first=self._share(counts.first_sum, counts.shared),
            second=self._share(counts.second_sum, counts.shared),
            difference=self._share(tally.total, counts.shared),
            p=p,
            test=name,
            smallest_gap=_smallest_gap([(1.0, tally)], scale),
            low=low,
            high=high,
        )

    def _whole(
        self,
        weights: Mapping[str, float],
        parts: Mapping[str, _Counts],
        total: _Counts,
        lines: Iterable[Paired],
    ) -> Paired:
        """The comparison over all categories that have a weight."""
        counted = [parts[category] for category in weights]
        if not counted or not all(counts.shared for counts in counted):
            return _untested(WHOLE, total)
        if len(weights) == 1 or _proportional(weights, parts, total.shared):
            return self._line(WHOLE, total)

        strata = [(weight, parts[category].tally) for category, weight in weights.items()]
        scale = self.bits.scale
        name, p = weighted_test(strata, scale)
        low, high = _limits(weighted_interval(strata, scale, bounded=self.bits.bounded), p)
        chosen = [line for line in lines if line.category in weights]
        shares = list(weights.values())
        return replace(
            _untested(WHOLE, total),
            first=_mean(shares, [line.first for line in chosen]),
            second=_mean(shares, [line.second for line in chosen]),
            difference=_mean(shares, [line.difference for line in chosen]),
            p=p,
            test=name,
            smallest_gap=_smallest_gap(strata, scale),
            low=low,
            high=high,
        )


def comparer(verdicts: pl.DataFrame, suite: Suite, metric: str) -> Comparer:
    """The Comparer of a VERDICTS frame. Verdicts of cases outside the suite are left out."""
    bits = lay_out(case_scores(verdicts.filter(suite=suite.id, metric=metric)), suite)
    # A submission that took the suite is included even if none of its answers is scored.
    taken = verdicts.filter(suite=suite.id).group_by("submission").agg(pl.col("trial").max())
    trials = dict(taken.select(pl.col("submission").cast(pl.String), "trial").iter_rows())
    return Comparer(suite, metric, bits, trials)


def _proportional(weights: Mapping[str, float], parts: Mapping[str, _Counts], shared: int) -> bool:
    """Whether the weights are proportional to the shared cases, so that all cases count alike."""
    total = math.fsum(weights.values())
    return all(
        math.isclose(weight * shared, parts[category].shared * total)
        for category, weight in weights.items()
    )


def _untested(category: str, counts: _Counts) -> Paired:
    passed = counts.both + counts.only_first + counts.only_second
    return Paired(
        category=category,
        cases=counts.cases,
        shared=counts.shared,
        unscored=counts.cases - counts.shared,
        both=counts.both,
        only_first=counts.only_first,
        only_second=counts.only_second,
        neither=counts.shared - passed,
    )


def _limits(interval: Interval | None, p: float) -> tuple[float | None, float | None]:
    if interval is None or p < _ALPHA:
        return interval or (None, None)
    return min(interval[0], 0.0), max(interval[1], 0.0)


def _smallest_gap(strata: Sequence[Stratum], scale: int) -> float | None:
    gap = statistics.smallest_gap(
        (weight, tally.discordance(scale), tally.cases) for weight, tally in strata
    )
    return gap or None


def _mean(weights: Sequence[float], values: Sequence[float | None]) -> float:
    pairs = zip(weights, values, strict=True)
    return math.fsum(weight * (value or 0.0) for weight, value in pairs) / math.fsum(weights)


# ---------------------------------------------------------------- cases


def case_pairs(
    verdicts: pl.DataFrame, suite: Suite, metric: str, first: str, second: str
) -> tuple[CasePair, ...]:
    """Each case of the suite with the results of both submissions, in the suite's order."""
    chosen = verdicts.filter(suite=suite.id, metric=metric)
    mine, its = (_sides(chosen.filter(submission=name)) for name in (first, second))
    none = CaseSide(None, 0, 0, (), "")
    return tuple(
        _case_pair(case.category, case.id, mine.get(case.id, none), its.get(case.id, none))
        for case in suite.cases
    )


def _sides(verdicts: pl.DataFrame) -> dict[str, CaseSide]:
    """One submission's result at each case."""
    trials = verdicts.sort("case_id", "trial").group_by("case_id", maintain_order=True)
    rows = trials.agg("outcome", pl.col("score").drop_nulls(), "reason", "detail").iter_rows()
    return {
        case_id: CaseSide(
            score=math.fsum(scores) / len(scores) if scores else None,
            passes=outcomes.count("pass"),
            trials=len(outcomes),
            reasons=tuple(dict.fromkeys(reasons)),
            detail=details[0],
        )
        for case_id, outcomes, scores, reasons, details in rows
    }


def _case_pair(category: str, case_id: str, first: CaseSide, second: CaseSide) -> CasePair:
    if first.score is None or second.score is None:
        return CasePair(category, case_id, "unscored", differs=False, first=first, second=second)
    standing: Standing = "neither"
    if first.score >= 1:
        standing = "both" if second.score >= 1 else "first"
    elif second.score >= 1:
        standing = "second"
    differs = first.score != second.score
    return CasePair(category, case_id, standing, differs=differs, first=first, second=second)
