"""Two submissions on one suite, case by case: who passes what, the paired difference, and how sure it is.

A comparison is a few operations on whole numbers whose bits are the cases, so that each row of a large board can be compared
with its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from leaderboard.board.comparison import CasePair, Comparison, Paired, Side, Standing
from leaderboard.types import Category, Record, Records, Suite
from scoring import statistics
from scoring.statistics import Interval
from scoring.tables.aggregate import WHOLE, case_scores
from scoring.tables.ranking import common_scale

_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class _Answers:
    """One submission in one category. Bit i of `scored` and `passed` is the category's case i; levels are scores × scale."""

    scored: int = 0
    passed: int = 0
    binary: bool = True
    levels: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tally:
    """Two submissions in one category: shared cases, who passes them, both sums of levels, Σd and Σd² of their differences.

    `rests` sums the second's levels where the first alone passes, and the other way round.
    """

    category: Category
    shared: int
    both: int
    only_first: int
    only_second: int
    binary: bool
    sums: tuple[int, int]
    squares: int
    rests: tuple[int, int] = (0, 0)

    @property
    def total(self) -> int:
        return self.sums[0] - self.sums[1]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The scores of every submission to one suite, by one metric, laid out for comparing. Made by `sheet`.

    `bounded` says that no score is above 1; `trials` holds the most trials of a case, by submission.
    """

    suite: Suite
    metric: str
    scale: int
    bounded: bool
    answers: Mapping[str, Mapping[str, _Answers]]
    trials: Mapping[str, int]

    @property
    def submissions(self) -> tuple[str, ...]:
        """The submissions that took the suite, by id."""
        return tuple(sorted(self.answers))

    def levels(self, submission: str) -> tuple[int | None, ...]:
        """Its score at every case of the suite, in the suite's order, times `scale`; None where it has none."""
        answers, none = self.answers[submission], _Answers()
        found = ((c, answers.get(c.id, none).levels) for c in self.suite.categories)
        return tuple(level for c, levels in found for level in (levels or (None,) * len(c.cases)))

    def compare(self, first: str, second: str) -> Comparison:
        """`first` against `second`. Raises KeyError for a submission that did not take the suite.

        A category is tested as ranks are: passes and fails by McNemar's exact test with Tango's score interval, means over
        trials and part scores by a paired t test with its interval. `*` is tested over all cases together where the weights
        are proportional to the cases shared, otherwise by the weighted sign-flip test, and its interval combined from
        those of the categories, low = D - √(Σ w_c² (d_c - l_c)²) and high alike: variances recovered from the limits, Zou &
        Donner, Statistics in Medicine 27, 1693 (2008), for linear functions of proportions Zou, Huang & Zhang,
        Computational Statistics & Data Analysis 53, 1080 (2009). An interval reaches to 0 where the test, which is exact,
        does not reject 0.
        """
        mine, its = self.answers[first], self.answers[second]
        none = _Answers()
        tallies = [
            _tally(c, mine.get(c.id, none), its.get(c.id, none), self.scale)
            for c in self.suite.categories
            if c.cases
        ]
        lines = _corrected([self._category(tally) for tally in tallies])
        counted = [tally for tally in tallies if tally.category.weight > 0]
        return Comparison(
            self.suite.id,
            self.metric,
            first,
            second,
            self._whole(tallies, lines),
            lines,
            trials=(self.trials[first], self.trials[second]),
            rest=(
                self._share(sum(t.rests[0] for t in counted), sum(t.only_first for t in counted)),
                self._share(sum(t.rests[1] for t in counted), sum(t.only_second for t in counted)),
            ),
            parts=not all(tally.binary for tally in counted),
            plain=self._share(
                sum(tally.total for tally in counted), sum(tally.shared for tally in counted)
            ),
        )

    def _share(self, levels: int, cases: int) -> float | None:
        """The mean score of so many cases with this sum of levels."""
        return levels / (cases * self.scale) if cases else None

    def _category(self, tally: _Tally) -> Paired:
        n = tally.shared
        line = _counts(tally.category.id, [tally])
        if not n:
            return line
        name, p = self._test(tally)
        low, high = _limits(self._interval(tally), p)
        unit = n * self.scale
        return replace(
            line,
            first=tally.sums[0] / unit,
            second=tally.sums[1] / unit,
            difference=tally.total / unit,
            p=p,
            test=name,
            smallest_gap=_gap([(1.0, self._discordance(tally), n)]),
            low=low,
            high=high,
        )

    def _test(self, tally: _Tally) -> tuple[str, float]:
        if tally.binary:
            return "exact McNemar", statistics.mcnemar(tally.only_first, tally.only_second)
        return "paired t", statistics.paired_p(tally.shared, tally.total, tally.squares)

    def _interval(self, tally: _Tally) -> Interval | None:
        n = tally.shared
        if tally.binary:
            return statistics.paired_score_interval(tally.only_first, tally.only_second, n)
        found = statistics.paired_interval(n, tally.total, tally.squares, self.scale)
        if found is not None:
            return max(-1.0, found[0]) if self.bounded else found[0], min(
                1.0, found[1]
            ) if self.bounded else found[1]
        if not self.bounded:
            return None
        # Differences that are all alike tell nothing of how they vary; at most they vary as passes and fails do.
        low, high = statistics.wilson((tally.total / self.scale + n) / 2, n)
        return 2 * low - 1, 2 * high - 1

    def _discordance(self, tally: _Tally) -> float:
        return tally.squares / self.scale**2 / tally.shared

    def _whole(self, tallies: Sequence[_Tally], lines: Sequence[Paired]) -> Paired:
        counted = [tally for tally in tallies if tally.category.weight > 0]
        line = _counts(WHOLE, counted)
        if not counted or not all(tally.shared for tally in counted):
            return line
        if len(counted) == 1 or _proportional(counted):
            together = _together(counted)
            return replace(
                self._category(together), category=WHOLE, cases=line.cases, unscored=line.unscored
            )
        weights = [tally.category.weight for tally in counted]
        parts = {part.category: part for part in lines}
        chosen = [parts[tally.category.id] for tally in counted]
        name, p = self._weighted_test(counted)
        low, high = _limits(self._combined(counted), p)
        return replace(
            line,
            first=_mean(weights, [part.first for part in chosen]),
            second=_mean(weights, [part.second for part in chosen]),
            difference=_mean(weights, [part.difference for part in chosen]),
            p=p,
            test=name,
            smallest_gap=_gap(
                [
                    (tally.category.weight, self._discordance(tally), tally.shared)
                    for tally in counted
                ]
            ),
            low=low,
            high=high,
        )

    def _weighted_test(self, tallies: Sequence[_Tally]) -> tuple[str, float]:
        values = [tally.category.weight / tally.shared for tally in tallies]
        if all(tally.binary for tally in tallies):
            strata = [
                (value, tally.only_first, tally.only_second)
                for value, tally in zip(values, tallies, strict=True)
            ]
            return "weighted sign flip", statistics.sign_flip(strata)
        scaled = [
            (value, tally.total, tally.squares)
            for value, tally in zip(values, tallies, strict=True)
        ]
        return "weighted normal", statistics.weighted_p(scaled)

    def _combined(self, tallies: Sequence[_Tally]) -> Interval | None:
        intervals = [
            interval for tally in tallies if (interval := self._interval(tally)) is not None
        ]
        if len(intervals) < len(tallies):
            return None
        weights = [tally.category.weight for tally in tallies]
        differences = [tally.total / tally.shared / self.scale for tally in tallies]
        return statistics.combined(weights, differences, intervals)


# ---------------------------------------------------------------- the sheet


def sheet(verdicts: pl.DataFrame, suite: Suite, metric: str) -> Sheet:
    """The Sheet of a VERDICTS frame. Verdicts of cases that the suite does not have are left out."""
    cases = case_scores(verdicts.filter(suite=suite.id, metric=metric)).filter(
        pl.col("mean").is_not_null()
    )
    scale = common_scale(cases["mean"])
    places = [
        (category.id, case.id, place)
        for category in suite.categories
        for place, case in enumerate(category.cases)
    ]
    schema = {"category": pl.String, "case_id": pl.String, "place": pl.Int64}
    key = ["category", "case_id"]
    rows = (
        cases.select(
            pl.col("submission", *key).cast(pl.String),
            "mean",
            level=(pl.col("mean") * scale).round(0).cast(pl.Int64),
        )
        .join(pl.DataFrame(places, schema=schema, orient="row"), on=key)
        .group_by("submission", "category")
        .agg("place", "level", binary=pl.col("mean").is_in([0.0, 1.0]).all())
        .sort("submission", "category")
    )
    sizes = {category.id: len(category.cases) for category in suite.categories}
    answers: dict[str, dict[str, _Answers]] = {}
    for submission, category, here, levels, binary in rows.iter_rows():
        laid = _lay(sizes[category], here, levels, scale, binary=binary)
        answers.setdefault(submission, {})[category] = laid
    # Whoever took the suite is in it, also where nothing is scored.
    taken = verdicts.filter(suite=suite.id).group_by("submission").agg(pl.col("trial").max())
    trials = dict(taken.select(pl.col("submission").cast(pl.String), "trial").iter_rows())
    for submission in trials:
        answers.setdefault(submission, {})
    return Sheet(suite, metric, scale, bool((cases["mean"] <= 1).all()), answers, trials)


def _lay(
    size: int, places: Sequence[int], levels: Sequence[int], scale: int, *, binary: bool
) -> _Answers:
    laid: list[int | None] = [None] * size
    for place, level in zip(places, levels, strict=True):
        laid[place] = level
    scored = _bits(level is not None for level in laid)
    passed = _bits(level is not None and level >= scale for level in laid)
    return _Answers(scored, passed, binary, tuple(laid))


def _bits(flags: Iterable[bool]) -> int:
    """A whole number whose bit i is flag i."""
    return int("".join("1" if flag else "0" for flag in flags)[::-1] or "0", 2)


# ---------------------------------------------------------------- pairs


def _tally(category: Category, first: _Answers, second: _Answers, scale: int) -> _Tally:
    shared = first.scored & second.scored
    mine, its = first.passed & shared, second.passed & shared
    only_first, only_second = (mine & ~its).bit_count(), (its & ~mine).bit_count()
    binary = first.binary and second.binary
    rests = (0, 0)
    if binary:
        sums = (mine.bit_count() * scale, its.bit_count() * scale)
        squares = (only_first + only_second) * scale * scale
    else:
        pairs = [
            (a, b)
            for a, b in zip(first.levels, second.levels, strict=False)
            if a is not None and b is not None
        ]
        sums = (sum(a for a, _ in pairs), sum(b for _, b in pairs))
        squares = sum((a - b) ** 2 for a, b in pairs)
        rests = (
            sum(b for a, b in pairs if b < scale <= a),
            sum(a for a, b in pairs if a < scale <= b),
        )
    both = (mine & its).bit_count()
    return _Tally(
        category, shared.bit_count(), both, only_first, only_second, binary, sums, squares, rests
    )


def _together(tallies: Sequence[_Tally]) -> _Tally:
    return _Tally(
        tallies[0].category,
        sum(tally.shared for tally in tallies),
        sum(tally.both for tally in tallies),
        sum(tally.only_first for tally in tallies),
        sum(tally.only_second for tally in tallies),
        all(tally.binary for tally in tallies),
        (sum(tally.sums[0] for tally in tallies), sum(tally.sums[1] for tally in tallies)),
        sum(tally.squares for tally in tallies),
    )


def _proportional(tallies: Sequence[_Tally]) -> bool:
    """Whether the weights are as the numbers of shared cases, so that all cases count alike."""
    number, weights = (
        sum(tally.shared for tally in tallies),
        math.fsum(tally.category.weight for tally in tallies),
    )
    return all(
        math.isclose(tally.category.weight * number, tally.shared * weights) for tally in tallies
    )


def _counts(category: str, tallies: Sequence[_Tally]) -> Paired:
    """A line with its numbers of cases and nothing else."""
    cases = sum(len(tally.category.cases) for tally in tallies)
    shared, both = sum(tally.shared for tally in tallies), sum(tally.both for tally in tallies)
    only_first, only_second = (
        sum(tally.only_first for tally in tallies),
        sum(tally.only_second for tally in tallies),
    )
    return Paired(
        category=category,
        cases=cases,
        shared=shared,
        unscored=cases - shared,
        both=both,
        only_first=only_first,
        only_second=only_second,
        neither=shared - both - only_first - only_second,
        first=None,
        second=None,
        difference=None,
        low=None,
        high=None,
        p=None,
        holm=None,
        test="",
        smallest_gap=None,
    )


def _limits(interval: Interval | None, p: float) -> tuple[float | None, float | None]:
    if interval is None or p < _ALPHA:
        return interval or (None, None)
    return min(interval[0], 0.0), max(interval[1], 0.0)


def _corrected(lines: Sequence[Paired]) -> tuple[Paired, ...]:
    """The lines with Holm's p-values over all that were tested."""
    adjusted = iter(statistics.holm([line.p for line in lines if line.p is not None]))
    return tuple(line if line.p is None else replace(line, holm=next(adjusted)) for line in lines)


def _mean(weights: Sequence[float], values: Sequence[float | None]) -> float:
    total = math.fsum(
        weight * value for weight, value in zip(weights, values, strict=True) if value is not None
    )
    return total / math.fsum(weights)


def _gap(strata: Sequence[tuple[float, float, float]]) -> float | None:
    gap = statistics.smallest_gap(strata)
    return gap or None


# ---------------------------------------------------------------- cases


def case_pairs(
    verdicts: pl.DataFrame, suite: Suite, metric: str, first: str, second: str
) -> tuple[CasePair, ...]:
    """Every case of the suite with what each of the two made of it, in the suite's order."""
    mine, its = _sides(verdicts, suite, metric, first), _sides(verdicts, suite, metric, second)
    none = Side(None, 0, 0, (), "")
    return tuple(
        _pair(category.id, case.id, mine.get(case.id, none), its.get(case.id, none))
        for category in suite.categories
        for case in category.cases
    )


def _sides(verdicts: pl.DataFrame, suite: Suite, metric: str, submission: str) -> dict[str, Side]:
    rows = verdicts.filter(suite=suite.id, metric=metric, submission=submission).sort(
        "case_id", "trial"
    )
    columns = rows.select("case_id", "outcome", "score", "reason", "detail").iter_rows()
    trials: dict[str, list[tuple[str, float | None, str, str]]] = {}
    for case_id, *rest in columns:
        trials.setdefault(case_id, []).append((rest[0], rest[1], rest[2], rest[3]))
    return {case_id: _side(rows) for case_id, rows in trials.items()}


def _side(trials: Sequence[tuple[str, float | None, str, str]]) -> Side:
    scores = [score for _, score, _, _ in trials if score is not None]
    return Side(
        score=math.fsum(scores) / len(scores) if scores else None,
        passes=sum(outcome == "pass" for outcome, _, _, _ in trials),
        trials=len(trials),
        reasons=tuple(dict.fromkeys(reason for _, _, reason, _ in trials)),
        detail=trials[0][3],
    )


def _pair(category: str, case_id: str, first: Side, second: Side) -> CasePair:
    if first.score is None or second.score is None:
        return CasePair(category, case_id, "unscored", differs=False, first=first, second=second)
    standing = _standing(passed=first.score >= 1, other=second.score >= 1)
    return CasePair(
        category, case_id, standing, differs=first.score != second.score, first=first, second=second
    )


def _standing(*, passed: bool, other: bool) -> Standing:
    if passed:
        return "both" if other else "first"
    return "second" if other else "neither"


def same_answers(
    records: Mapping[tuple[str, str], Records], suite_id: str, first: str, second: str
) -> tuple[int, int]:
    """How many answers of the two are the same to the letter, and how many cases and trials both answered."""
    mine, its = (dict(_keys(records.get((name, suite_id), Records()))) for name in (first, second))
    shared = mine.keys() & its.keys()
    return sum(mine[place] == its[place] for place in shared), len(shared)


def _keys(records: Iterable[Record]) -> Iterator[tuple[tuple[str, int], bytes]]:
    for record in records:
        yield (record.response.case_id, record.trial), record.response.key
