"""pass^k and pass@k: how reliably a submission passes a case that it answers several times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import polars as pl

from leaderboard.frames import TRIALS
from leaderboard.ids import WHOLE
from leaderboard.types import Suite
from scoring.tables.scores import weights_of

# The passes and the scored trials of every case.
_Counts = Sequence[tuple[int, int]]


def trials(verdicts: pl.DataFrame, suites: Iterable[Suite]) -> pl.DataFrame:
    """The TRIALS frame of a VERDICTS frame, by the ranked metric of each suite.

    It has rows for submissions that answered a suite more than once: for each category and for
    `*`, and for k from 1 to the number of scored trials that every case there has. `*` has the
    weights of the suite's score. At k = 1 both figures are the share of passing trials, which is
    the score where there are no part scores. Sorted by submission, suite, category (`*` first, then
    in the suite's order) and k.
    """
    rows: list[tuple[str, str, str, int, int, float, float]] = []
    for suite in suites:
        chosen = verdicts.filter(suite=suite.id, metric=suite.kind.ranked)
        for submission, counts in _counts(chosen).items():
            rows.extend((submission, suite.id, *row) for row in _suite_rows(suite, counts))
    rows.sort(key=lambda row: row[:2])
    return pl.DataFrame(rows, schema=TRIALS, orient="row")


def _counts(verdicts: pl.DataFrame) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """The counts of every submission that has a second trial, by category."""
    several = verdicts.filter(pl.col("trial") > 1).select("submission").unique()
    keys = ["submission", "category"]
    table = (
        verdicts.join(several, on="submission", how="semi")
        .group_by(*keys, "case_id")
        .agg(
            passes=(pl.col("outcome") == "pass").sum(),
            scored=(pl.col("outcome") != "unscored").sum(),
        )
    )
    counts: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for submission, category, passes, scored in table.select(*keys, "passes", "scored").iter_rows():
        counts.setdefault(submission, {}).setdefault(category, []).append((passes, scored))
    return counts


def _suite_rows(
    suite: Suite, counts: Mapping[str, _Counts]
) -> Iterator[tuple[str, int, int, float, float]]:
    """The rows of one submission on one suite: `*`, then its categories."""
    single = {c.id: _for_each_k(counts[c.id]) for c in suite.categories if c.id in counts}
    weights = {id_: weight for id_, weight in weights_of(suite).items() if id_ in counts}
    total = math.fsum(weights.values())
    number = sum(len(counts[category]) for category in weights)
    for k in range(1, min(map(len, single.values())) + 1):
        hats, ats = zip(*(single[category][k - 1] for category in weights), strict=True)
        yield WHOLE, k, number, _sum(weights, hats) / total, _sum(weights, ats) / total
    for category, figures in single.items():
        for k, (hat, at) in enumerate(figures, start=1):
            yield category, k, len(counts[category]), hat, at


def _sum(weights: Mapping[str, float], figures: Sequence[float]) -> float:
    return math.fsum(w * figure for w, figure in zip(weights.values(), figures, strict=True))


def _for_each_k(counts: _Counts) -> list[tuple[float, float]]:
    """pass^k and pass@k for every k that all cases have trials for."""
    fewest = min(scored for _, scored in counts)
    return [(_pass_hat_k(counts, k), _pass_at_k(counts, k)) for k in range(1, fewest + 1)]


def _pass_hat_k(counts: _Counts, k: int) -> float:
    """pass^k: the mean over cases of C(c, k) / C(n, k), the chance that k drawn trials all pass.

    A case has c passes in n >= k trials. Yao et al., arXiv 2406.12045.
    """
    return _mean(Fraction(math.comb(passes, k), math.comb(trials, k)) for passes, trials in counts)


def _pass_at_k(counts: _Counts, k: int) -> float:
    """pass@k: the mean over cases of 1 - C(n-c, k) / C(n, k), the chance that one of k passes.

    Chen et al., arXiv 2107.03374.
    """
    return _mean(
        1 - Fraction(math.comb(trials - passes, k), math.comb(trials, k))
        for passes, trials in counts
    )


def _mean(shares: Iterable[Fraction]) -> float:
    counted = Counter(shares)
    total = sum((share * times for share, times in counted.items()), Fraction(0))
    return float(total / counted.total())
