"""All pairs of a field of submissions: which differences one test finds, a block at a time.

A board of a thousand submissions has half a million pairs. Polars counts the discordant cases of
a block of pairs at once. Python only sees what a p-value is needed for, once per distinct tally.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import polars as pl

from scoring.statistics.sign_flips import sign_flip
from scoring.tables.packed_scores import PackedScores, Step, Tally

# Enough pairs for Polars to be fast, and few enough for the memory.
_BLOCK: Final = 1 << 18
_WORD: Final = 64

# With fair signs |Σ ±v| reaches its standard deviation with a probability of at least 3/16
# (Dvořák & Klein, arXiv 2104.10005). If the level is below that, a smaller difference needs no
# test.
_NEVER_BELOW: Final = 3 / 16


class Differences(NamedTuple):
    """The pairs with a p-value of at most alpha, and the squared differences of all pairs.

    `found` has a row per pair: `better`, `worse` (positions of submissions) and `p`. `squares` has
    Σd² over all pairs and cases of each category, in squared levels. `deviation` is
    the median over pairs of √Σ(u d)², where a case counts u, at most 1. Of two middle pairs it is
    the lower one: one outlier among four submissions is in three of the six pairs.
    """

    found: pl.DataFrame
    squares: Sequence[int]
    deviation: float


class CategoryPairs:
    """The pairs of some submissions in a category. All have a score for every case there.

    A pair has the key of its tally, which is a number: equal tallies have equal keys.
    """

    def __init__(self, chosen: Sequence[PackedScores], scale: int) -> None:
        self.cases = chosen[0].scored.bit_count()
        self._chosen = chosen
        self._scale = scale
        self._keys: dict[Tally, int] = {}
        self._tallies: list[Tally] = []
        self._words: list[tuple[pl.Series, pl.Series]] | None = None
        if all(one.at.keys() <= {0, scale} for one in chosen):
            count = -(-max(one.scored.bit_length() for one in chosen) // _WORD)
            passes = _words([one.at.get(scale, 0) for one in chosen], count)
            fails = _words([one.at.get(0, 0) for one in chosen], count)
            self._words = list(zip(passes, fails, strict=True))

    def count(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """The `key` of the tally of each pair, and its `total` and `squares` in levels."""
        if self._words is None:
            return self._count_levels(pairs)
        first, second = pairs["first"], pairs["second"]
        ahead = pl.zeros(pairs.height, pl.UInt32, eager=True)
        behind = ahead
        for passes, fails in self._words:
            ahead += (passes.gather(first) & fails.gather(second)).bitwise_count_ones()
            behind += (fails.gather(first) & passes.gather(second)).bitwise_count_ones()
        ahead, behind = ahead.cast(pl.Int64), behind.cast(pl.Int64)
        return pl.DataFrame(
            {
                "key": ahead * (self.cases + 1) + behind,
                "total": self._scale * (ahead - behind),
                "squares": self._scale**2 * (ahead + behind),
            }
        )

    def _count_levels(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """The same for scores of several levels, such as those of trials."""
        rows = []
        for first, second in pairs.select("first", "second").iter_rows():
            tally = self._chosen[first].tally(self._chosen[second])
            key = self._keys.setdefault(tally, len(self._keys))
            if key == len(self._tallies):
                self._tallies.append(tally)
            rows.append((key, tally.total, tally.squares))
        schema = dict.fromkeys(("key", "total", "squares"), pl.Int64)
        return pl.DataFrame(rows, schema=schema, orient="row")

    def tally(self, key: int) -> Tally:
        """The tally with this key."""
        if self._words is None:
            return self._tallies[key]
        ahead, behind = divmod(key, self.cases + 1)
        return Tally(self.cases, ((self._scale, ahead, behind),) if ahead or behind else ())


def _words(bits: Sequence[int], count: int) -> list[pl.Series]:
    """The bits of each submission, in `count` columns of 64."""
    mask = (1 << _WORD) - 1
    columns = []
    for word in range(count):
        column = [number >> (_WORD * word) & mask for number in bits]
        columns.append(pl.Series(column, dtype=pl.UInt64))
    return columns


@dataclass(frozen=True, slots=True)
class PairTest:
    """The sign-flip test of every pair over some categories.

    `units` are what a case of each category counts, in whole units.
    """

    categories: Sequence[CategoryPairs]
    units: Sequence[int]
    submissions: int
    alpha: float
    _known: dict[tuple[int, ...], float] = field(default_factory=dict)

    @property
    def pairs(self) -> int:
        return self.submissions * (self.submissions - 1) // 2

    def differences(self) -> Differences:
        """Tests all pairs."""
        blocks, variances, squares = [], [], [0] * len(self.categories)
        for pairs in _blocks(self.submissions):
            counted = [category.count(pairs) for category in self.categories]
            for place, columns in enumerate(counted):
                squares[place] += int(columns["squares"].cast(pl.Int128).sum())
            weighted = self._weighted(pairs, counted)
            variances.append(weighted["variance"])
            blocks.append(self._found(weighted))
        typical = pl.concat(variances).to_frame().quantile(0.5, "lower").item()
        return Differences(pl.concat(blocks), squares, math.sqrt(typical))

    def _found(self, weighted: pl.DataFrame) -> pl.DataFrame:
        """The pairs of a block with a p-value of at most alpha."""
        frame = self._with_p_values(weighted.filter(self._needs_test()))
        frame = frame.filter(pl.col("p") <= self.alpha)
        is_first = pl.col("lead") > 0
        return frame.select(
            better=pl.when(is_first).then("first").otherwise("second"),
            worse=pl.when(is_first).then("second").otherwise("first"),
            p="p",
        )

    def _weighted(self, pairs: pl.DataFrame, counted: Sequence[pl.DataFrame]) -> pl.DataFrame:
        """Adds the keys, and the `lead` of the first over all categories with its `variance`.

        The variance is that of fair signs.
        """
        largest = max(self.units)
        lead = pl.zeros(pairs.height, pl.Float64, eager=True)
        variance = lead
        for unit, columns in zip(self.units, counted, strict=True):
            lead += unit / largest * columns["total"]
            variance += (unit / largest) ** 2 * columns["squares"]
        keys = [columns["key"].alias(key) for key, columns in zip(self._keys, counted, strict=True)]
        return pairs.with_columns(lead.alias("lead"), variance.alias("variance"), *keys)

    def _needs_test(self) -> pl.Expr:
        """Whether the difference of a pair is large enough to be found, see `_NEVER_BELOW`."""
        if self.alpha < _NEVER_BELOW:
            return pl.col("lead") ** 2 > pl.col("variance")
        return pl.col("variance") > 0

    def _with_p_values(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Adds `p`: a bound where it is small enough, else the exact p-value.

        If Hoeffding's bound is below the first step of Holm's procedure, p is smaller still, and
        rejected first.
        """
        bound = 2 * (-(pl.col("lead") ** 2) / (2 * pl.col("variance"))).exp()
        frame = frame.with_columns(p=pl.when(bound < self.alpha / self.pairs).then(bound))
        keys = self._keys
        tallies = frame.filter(pl.col("p").is_null()).select(keys).unique(maintain_order=True)
        exact = pl.Series(map(self._p, tallies.iter_rows()), dtype=pl.Float64)
        tested = tallies.with_columns(exact=exact)
        frame = frame.join(tested, on=keys, how="left", maintain_order="left")
        return frame.with_columns(p=pl.coalesce("p", "exact"))

    @property
    def _keys(self) -> list[str]:
        """The columns with the key of a pair's tally in each category."""
        return [f"key{place}" for place in range(len(self.categories))]

    def _p(self, keys: tuple[int, ...]) -> float:
        """The p-value of a pair, by the keys of its tallies."""
        if keys not in self._known:
            steps: list[Step] = []
            for unit, category, key in zip(self.units, self.categories, keys, strict=True):
                steps += category.tally(key).weighted_steps(unit)
            self._known[keys] = sign_flip(steps)
        return self._known[keys]


def _blocks(submissions: int) -> Iterator[pl.DataFrame]:
    """All pairs of positions, `first` before `second`, some rows of them at a time."""
    start = 0
    while start < submissions - 1:
        rows = max(1, _BLOCK // (submissions - start))
        end = min(start + rows, submissions - 1)
        firsts = pl.DataFrame({"first": pl.int_range(start, end, dtype=pl.UInt32, eager=True)})
        after = pl.int_ranges(pl.col("first") + 1, submissions, dtype=pl.UInt32)
        yield firsts.with_columns(second=after).explode("second")
        start = end
