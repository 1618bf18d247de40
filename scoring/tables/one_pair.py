"""Two submissions on one suite: who passes which cases, and their paired difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from leaderboard.board.comparison import (
    SIGNIFICANCE_LEVEL,
    CasePair,
    CaseSide,
    Comparison,
    Paired,
    standing,
)
from leaderboard.ids import WHOLE
from leaderboard.types import Suite
from scoring.statistics.detectable_difference import smallest_gap
from scoring.statistics.intervals import Interval
from scoring.statistics.multiple_tests import holm
from scoring.statistics.paired_intervals import DifferenceSums, difference_interval
from scoring.statistics.sign_flips import sign_flip, whole_units
from scoring.tables.packed_scores import Step, SuiteBits, Tally, suite_bits
from scoring.tables.scores import (
    SumsRow,
    case_scores,
    category_sums,
    groups,
    is_in_part,
    parts_of,
    weighted_mean,
    weights_of,
)


class _Counts(NamedTuple):
    """Two submissions on some of a suite's cases.

    `first_sum` and `second_sum` are sums of levels over the shared cases. `second_rest` is the
    sum of the second's levels where only the first passes, `first_rest` the reverse. `judged`
    counts discordant cases in which a judge decided one of the two, `stepped` categories with
    scores that are no passes and above 0.
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
    judged: int
    stepped: int


class _Part(NamedTuple):
    """Two submissions in one category."""

    counts: _Counts
    tally: Tally


# A category's weight, and the tally of two submissions there.
_Stratum = tuple[float, Tally]


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares any two submissions to one suite by one metric. Made by `comparer`.

    `sums` has the rows of `category_sums`, by submission and category. `trials` is the highest
    number of trials per case, by submission.
    """

    suite: Suite
    metric: str
    bits: SuiteBits
    sums: Mapping[str, Mapping[str, SumsRow]]
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

    def passes(self, submission: str) -> tuple[bool | None, ...]:
        """Whether each case of the suite is passed, None where it has no score."""
        passes: list[bool | None] = []
        for category in self.suite.categories:
            passes += self.bits.of(category.id, submission).passes(len(category.cases))
        return tuple(passes)

    def compare(self, first: str, second: str) -> Comparison:
        """Compares `first` with `second`. Raises KeyError if one of them did not take the suite.

        The test is that of the ranks: the weighted sign-flip test, which is McNemar's exact test
        if all cases count the same. The interval is Tango's score interval on the effective sample
        size. It is extended to 0 if the test does not reject 0. Nothing is tested where a case is
        unscored for one of the two, or anywhere if one was asked only a part of the suite.
        """
        trials = self.trials[first], self.trials[second]
        parts = {
            category.id: self._part(category.id, len(category.cases), first, second)
            for category in self.suite.categories
        }
        weights = weights_of(self.suite)
        total = _together([parts[category].counts for category in weights])
        return Comparison(
            self.suite.id,
            self.metric,
            first,
            second,
            self._line(WHOLE, first, second, weights, parts),
            _adjusted([self._line(name, first, second, {name: 1.0}, parts) for name in parts]),
            trials=trials,
            rest=(
                self._share(total.second_rest, total.only_first),
                self._share(total.first_rest, total.only_second),
            ),
            parts=total.stepped > 0,
            plain=self._share(total.first_sum - total.second_sum, total.shared),
        )

    def _part(self, category: str, cases: int, first: str, second: str) -> _Part:
        mine, its = self.bits.of(category, first), self.bits.of(category, second)
        shared = mine.scored & its.scored
        same = sum(here & its.at.get(level, 0) for level, here in mine.at.items())
        only_first = mine.passed & shared & ~its.passed
        only_second = its.passed & shared & ~mine.passed
        counts = _Counts(
            cases=cases,
            shared=shared.bit_count(),
            both=(mine.passed & its.passed).bit_count(),
            only_first=only_first.bit_count(),
            only_second=only_second.bit_count(),
            first_sum=mine.total(shared),
            second_sum=its.total(shared),
            first_rest=mine.total(only_second),
            second_rest=its.total(only_first),
            judged=(shared & ~same & (mine.judged | its.judged)).bit_count(),
            stepped=bool(mine.in_part | its.in_part),
        )
        return _Part(counts, mine.tally(its))

    def _share(self, levels: int, cases: int) -> float | None:
        """The mean score of some cases, from the sum of their levels."""
        return levels / (cases * self.bits.scale) if cases else None

    def _line(
        self,
        name: str,
        first: str,
        second: str,
        weights: Mapping[str, float],
        parts: Mapping[str, _Part],
    ) -> Paired:
        """The comparison over some categories with their weights. Its means are those of SCORES."""
        counts = [parts[category].counts for category in weights]
        line = _untested(name, _together(counts))
        if line.unscored or self._is_in_part(first) or self._is_in_part(second):
            return line
        mine, its = (parts_of(self.sums[submission], weights) for submission in (first, second))
        strata = [(weight, parts[category].tally) for category, weight in weights.items()]
        test, p = _tested(strata)
        low, high = self._limits(strata, p)
        return replace(
            line,
            first=weighted_mean(mine, "mean", "answered"),
            second=weighted_mean(its, "mean", "answered"),
            difference=self._difference(strata),
            p=p,
            test=test,
            smallest_gap=_smallest_gap(strata, self.bits.scale),
            low=low,
            high=high,
        )

    def _is_in_part(self, submission: str) -> bool:
        return is_in_part(self.suite, self.sums.get(submission, {}))

    def _limits(self, strata: Sequence[_Stratum], p: float) -> Interval | tuple[None, None]:
        """The 95 % interval of the weighted difference. None if scores can be above 1."""
        if not self.bits.bounded:
            return None, None
        scale = self.bits.scale
        low, high = difference_interval([_sums(weight, tally, scale) for weight, tally in strata])
        return (low, high) if p < SIGNIFICANCE_LEVEL else (min(low, 0.0), max(high, 0.0))

    def _difference(self, strata: Sequence[_Stratum]) -> float:
        """The weighted mean difference."""
        total = math.fsum(weight for weight, _ in strata) * self.bits.scale
        return math.fsum(weight * tally.total / tally.cases for weight, tally in strata) / total


def comparer(verdicts: pl.DataFrame, suite: Suite, metric: str) -> Comparer:
    """The Comparer of a VERDICTS frame. Verdicts of cases outside the suite are left out."""
    of_suite = pl.col("case_id").is_in([case.id for case in suite.cases])
    cases = case_scores(verdicts.filter(of_suite, suite=suite.id, metric=metric))
    found = groups(category_sums(cases), [suite])
    sums = {submission: rows for (submission, _, _), rows in found.items()}
    # A submission that took the suite is included even if none of its answers is scored.
    taken = verdicts.filter(suite=suite.id).group_by("submission").agg(pl.col("trial").max())
    trials = dict(taken.select(pl.col("submission").cast(pl.String), "trial").iter_rows())
    return Comparer(suite, metric, suite_bits(cases, suite), sums, trials)


def _together(counts: Sequence[_Counts]) -> _Counts:
    """The sums over some categories."""
    nothing = _Counts(*[0] * len(_Counts._fields))
    return _Counts(*map(sum, zip(nothing, *counts, strict=True)))


def _adjusted(lines: Sequence[Paired]) -> tuple[Paired, ...]:
    """Adds Holm's p-values, over all lines that are tested."""
    adjusted = iter(holm([line.p for line in lines if line.p is not None]))
    return tuple(line if line.p is None else replace(line, holm=next(adjusted)) for line in lines)


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
        judged=counts.judged,
    )


def _tested(strata: Sequence[_Stratum]) -> tuple[str, float]:
    """The name and the p-value of the test of a pair over its categories."""
    units = whole_units([weight for weight, _ in strata], [tally.cases for _, tally in strata])
    steps: list[Step] = []
    for unit, (_, tally) in zip(units, strata, strict=True):
        steps += tally.weighted_steps(unit)
    name = "exact McNemar" if len({unit for unit, _, _ in steps}) <= 1 else "sign flip"
    return name, sign_flip(steps)


def _sums(weight: float, tally: Tally, scale: int) -> DifferenceSums:
    """What `difference_interval` needs of a category."""
    ahead = sum(size * first for size, first, _ in tally.steps)
    behind = sum(size * second for size, _, second in tally.steps)
    squares = tally.squares / scale**2
    return DifferenceSums(weight, tally.cases, ahead / scale, behind / scale, squares)


def _smallest_gap(strata: Sequence[_Stratum], scale: int) -> float | None:
    gap = smallest_gap((weight, tally.discordance(scale), tally.cases) for weight, tally in strata)
    return gap or None


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
            score=math.fsum(scores) / len(scores) if len(scores) == len(outcomes) else None,
            passes=outcomes.count("pass"),
            trials=len(outcomes),
            reasons=tuple(dict.fromkeys(reasons)),
            detail=details[0],
        )
        for case_id, outcomes, scores, reasons, details in rows
    }


def _case_pair(category: str, case_id: str, first: CaseSide, second: CaseSide) -> CasePair:
    who = standing(first.passed, second.passed)
    differs = who != "unscored" and first.score != second.score
    return CasePair(category, case_id, who, differs=differs, first=first, second=second)
