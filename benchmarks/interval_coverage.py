"""How often intervals, p-values and rank ranges are right, by simulation.

    python benchmarks/interval_coverage.py [--boards 4000] [--only scores,trials]

Coverage is the share of simulated boards whose 95 % interval contains the true value. `side` is the
larger share of misses on one side. Everything is seeded: the same options print the same figures,
but for the times.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from scoring.judging.corrected_scores import judged_interval
from scoring.statistics.intervals import CategorySums, Interval, score_interval
from scoring.statistics.judged_scores import LabelCounts
from scoring.statistics.paired_intervals import DifferenceSums, difference_interval
from scoring.statistics.sign_flips import given_heavy, sign_flip, whole_units
from scoring.tables.packed_scores import PackedScores, SuiteBits
from scoring.tables.rank_ranges import field_of, ranges_of

SUITES: Final = {
    "82/47/47/49/48": (82, 47, 47, 49, 48),
    "20/29/26/20": (20, 29, 26, 20),
    "6 × 8–9": (8, 8, 8, 8, 8, 9),
}
SHARES: Final = (0.5, 0.9, 0.95, 0.98)
REAL: Final = Path(__file__).parents[2] / "shared" / "real" / "bfcl" / "expected.json"


class Coverage(NamedTuple):
    """How often an interval contains the truth, its misses on the worse side, its mean width."""

    share: float
    side: float
    width: float

    def __str__(self) -> str:
        return f"{self.share:.3f} (side {self.side:.3f}, width {self.width:.3f})"


def coverage(truth: float, intervals: Iterable[Interval]) -> Coverage:
    """The coverage of a truth by intervals."""
    boards, below, above, width = 0, 0, 0, 0.0
    for low, high in intervals:
        boards += 1
        below += high < truth - 1e-12
        above += low > truth + 1e-12
        width += high - low
    return Coverage(1 - (below + above) / boards, max(below, above) / boards, width / boards)


@cache
def _binomial(n: int, p: float) -> list[float]:
    """The distribution function of a binomial."""
    return list(accumulate(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)))


def binomial(source: random.Random, n: int, p: float) -> int:
    """A binomial draw, by one random number."""
    return min(n, bisect_left(_binomial(n, p), source.random()))


# ---------------------------------------------------------------- scores


def scores(sizes: Sequence[int], shares: Sequence[float], boards: int, seed: int) -> Coverage:
    """Categories of equal weight, one trial per case."""
    source = random.Random(seed)

    @cache
    def interval(counts: tuple[int, ...]) -> Interval:
        parts = zip(sizes, counts, strict=True)
        return score_interval([CategorySums(1.0, n, k, k) for n, k in parts])

    def drawn() -> Iterator[Interval]:
        for _ in range(boards):
            pairs = zip(sizes, shares, strict=True)
            yield interval(tuple(binomial(source, n, p) for n, p in pairs))

    return coverage(math.fsum(shares) / len(shares), drawn())


def trial_chances(share: float, correlation: float, trials: int) -> list[float]:
    """The chances of 0, 1, ... passes of a case: beta-binomial with this correlation of trials."""
    if not correlation:
        binary = (share**k * (1 - share) ** (trials - k) for k in range(trials + 1))
        return [math.comb(trials, k) * chance for k, chance in enumerate(binary)]
    a, b = (side * (1 / correlation - 1) for side in (share, 1 - share))

    def log_beta(x: float, y: float) -> float:
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    return [
        math.comb(trials, k) * math.exp(log_beta(k + a, trials - k + b) - log_beta(a, b))
        for k in range(trials + 1)
    ]


def trial_scores(
    sizes: Sequence[int], share: float, correlation: float, boards: int, seed: int
) -> Coverage:
    """Categories of equal weight, three trials per case."""
    source, chances = random.Random(seed), trial_chances(share, correlation, 3)

    def drawn() -> Iterator[Interval]:
        for _ in range(boards):
            parts = []
            for n in sizes:
                passes = source.choices(range(4), chances, k=n)
                squares = sum(k * k for k in passes) / 9
                parts.append(CategorySums(1.0, n, sum(passes) / 3, squares))
            yield score_interval(parts)

    return coverage(share, drawn())


# ---------------------------------------------------------------- differences


def differences(
    sizes: Sequence[int], shares: tuple[float, float], trials: int, boards: int, seed: int
) -> Coverage:
    """`shares` of the cases only the first, or only the second passes. Trials are independent."""
    source = random.Random(seed)
    ahead, behind = shares
    rest = 1 - ahead - behind

    def category(n: int) -> DifferenceSums:
        steps = source.choices((1, -1, 0), (ahead, behind, rest), k=n * trials)
        d = [sum(steps[i : i + trials]) / trials for i in range(0, n * trials, trials)]
        up, down = sum(x for x in d if x > 0), -sum(x for x in d if x < 0)
        return DifferenceSums(1.0, n, up, down, sum(x * x for x in d))

    def drawn() -> Iterator[tuple[float, float]]:
        for _ in range(boards):
            yield difference_interval([category(n) for n in sizes])

    return coverage(ahead - behind, drawn())


# ---------------------------------------------------------------- p-values


class JudgedBy(NamedTuple):
    """A judge that decides a share of the cases, and its labelled pairs, so many each way."""

    sensitivity: float
    specificity: float
    share: float
    labels: int


class Approximation(NamedTuple):
    """Approximated / exact p: the 5 % and 95 % points, and the worst. Exact µs per pair."""

    low: float
    high: float
    worst: float
    microseconds: float


def p_values(sizes: Sequence[int], pairs: int, seed: int) -> Approximation:
    """Random pairs with exact p-values between 1e-5 and .06."""
    source = random.Random(seed)
    units = whole_units([1.0] * len(sizes), sizes)
    ratios: list[float] = []
    spent, tested = 0.0, 0
    while len(ratios) < pairs:
        drawn = []
        for unit, n in zip(units, sizes, strict=True):
            discordant = binomial(source, n, 0.3)
            drawn.append((unit, first := binomial(source, discordant, 0.62), discordant - first))
        start = time.perf_counter()
        p = sign_flip(drawn)
        spent += time.perf_counter() - start
        tested += 1
        if 1e-5 <= p <= 0.06:
            groups: dict[int, int] = {}
            for unit, first, second in drawn:
                groups[unit] = groups.get(unit, 0) + first + second
            difference = abs(sum(unit * (first - second) for unit, first, second in drawn))
            kept = [(unit, size) for unit, size in sorted(groups.items()) if size]
            ratios.append(given_heavy(kept, difference) / p)
    ratios.sort()
    worst = max(ratios, key=lambda ratio: abs(math.log(ratio)))
    cut = len(ratios) // 20
    return Approximation(ratios[cut], ratios[-1 - cut], worst, 1e6 * spent / tested)


# ---------------------------------------------------------------- rank ranges


class Ranges(NamedTuple):
    """Rank ranges of one row, and of all rows at once: how often right, and how wide.

    `row` is the mean over rows, `worst` the row that is right least often, `top` the row that came
    out on top, `every` all rows at once.
    """

    row: float
    worst: float
    top: float
    every: float
    width: float
    width_of_all: float


def _true_ranks(skills: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The best and the worst rank of each skill: equal skills share their ranks."""
    for own in skills:
        better = sum(other > own for other in skills)
        worse = sum(other < own for other in skills)
        yield 1 + better, len(skills) - worse


def rank_ranges(skills: Sequence[float], cases: int, boards: int, seed: int) -> Ranges:
    """Submissions with these chances to pass a case, in a suite of one category."""
    source = random.Random(seed)
    number = len(skills)
    truth = list(_true_ranks(skills))
    right, top, every, width, width_of_all = [0] * number, 0, 0, 0.0, 0.0
    for _ in range(boards):
        bits = [_bits(source, cases, skill) for skill in skills]
        found = ranges(bits, cases)
        held = [
            low <= best and high >= worst
            for (low, high, _, _), (best, worst) in zip(found, truth, strict=True)
        ]
        right = [count + one for count, one in zip(right, held, strict=True)]
        passes = [one.bit_count() for one in bits]
        top += held[passes.index(max(passes))]
        every += all(
            low <= best and high >= worst
            for (_, _, low, high), (best, worst) in zip(found, truth, strict=True)
        )
        width += sum(high - low for low, high, _, _ in found) / number
        width_of_all += sum(high - low for _, _, low, high in found) / number
    total = sum(right) / number / boards
    return Ranges(
        total,
        min(right) / boards,
        top / boards,
        every / boards,
        width / boards,
        width_of_all / boards,
    )


def _bits(source: random.Random, cases: int, chance: float) -> int:
    return int("".join("1" if source.random() < chance else "0" for _ in range(cases)), 2)


def ranges(passed: Sequence[int], cases: int) -> list[tuple[int, int, int, int]]:
    """The ranges of submissions, from the cases that each passes, as bits."""
    names = [f"{place:04}" for place in range(len(passed))]
    full = (1 << cases) - 1
    at = {
        ("a", name): PackedScores({1: own, 0: full & ~own}, passed=own)
        for name, own in zip(names, passed, strict=True)
    }
    field = field_of({"a": 1.0}, SuiteBits(1, bounded=True, bits=at), names, 0.05)
    scores_here: dict[str, float | None] = {
        name: own.bit_count() / cases for name, own in zip(names, passed, strict=True)
    }
    found = ranges_of(field, scores_here, 0.05)
    return [found[name] for name in names]


def real_models(number: int, seed: int) -> tuple[list[int], int] | None:
    """Submissions made of four published models: each answers a case as one of them did.

    Which one is drawn anew for each case, with weights of the submission's own. None without the
    published verdicts.
    """
    if not REAL.exists():
        return None
    source = random.Random(seed)
    columns = []
    for model in orjson.loads(REAL.read_bytes()).values():
        column: list[int] = []
        for name, cell in model["categories"].items():
            failing = set(cell["failing"])
            column += [f"{name}_{i}" not in failing for i in range(cell["total"])]
        columns.append(column)
    made = []
    for _ in range(number):
        weights = [source.expovariate(1.0) for _ in columns]
        chosen = source.choices(columns, weights, k=len(columns[0]))
        made.append(int("".join(str(int(one[i])) for i, one in enumerate(chosen)), 2))
    return made, len(columns[0])


# ---------------------------------------------------------------- judged scores


def judged_scores(
    share: float, judge: JudgedBy, boards: int, seed: int
) -> tuple[Coverage, Coverage]:
    """The limits of a score with pooled labels, and with labels of each category."""
    source = random.Random(seed)
    sizes = SUITES["82/47/47/49/48"]

    def board() -> list[tuple[float, dict[str, Any]]]:
        parts = []
        for n in sizes:
            asked = round(judge.share * n)
            right = binomial(source, asked, share)
            passed = binomial(source, right, judge.sensitivity)
            passed += binomial(source, asked - right, 1 - judge.specificity)
            ruled = binomial(source, n - asked, share)
            sums = {"answered": n, "judged_cases": asked, "by_judge": passed, "ruled": ruled}
            sums |= {"ruled_squares": ruled, "lenient": ruled + asked}
            parts.append((1.0, sums | {"lenient_squares": ruled + asked}))
        return parts

    def labelled() -> LabelCounts:
        n = judge.labels
        passed, failed = (
            binomial(source, n, chance) for chance in (judge.sensitivity, judge.specificity)
        )
        return LabelCounts(n, passed, n, failed)

    together, apart = [], []
    for _ in range(boards):
        parts, counts = board(), [labelled() for _ in sizes]
        together.append(judged_interval(parts, counts[0]))
        apart.append(judged_interval(parts, counts))
    return coverage(share, together), coverage(share, apart)


# ---------------------------------------------------------------- tables


def print_scores(boards: int) -> None:
    print("Score, one trial, equal weights")
    for name, sizes in SUITES.items():
        for share in SHARES:
            found = scores(sizes, [share] * len(sizes), boards, 1)
            print(f"  {name:<16} p = {share:<4}  {found}")
        for label, shares in (
            ("1, …, 1, .5", [1.0] * (len(sizes) - 1) + [0.5]),
            (".82–.98", [0.82 + 0.16 * i / (len(sizes) - 1) for i in range(len(sizes))]),
        ):
            print(f"  {name:<16} p = {label:<10}  {scores(sizes, shares, boards, 1)}")


def print_trials(boards: int) -> None:
    print("Score, three trials, by correlation of the trials")
    for name, sizes in (("49 cases", (49,)), ("273 cases", SUITES["82/47/47/49/48"])):
        for share in (0.5, 0.9, 0.98):
            for correlation in (0.0, 0.5, 0.95):
                found = trial_scores(sizes, share, correlation, boards, 2)
                print(f"  {name:<10} p = {share:<4}  correlation {correlation:<4}  {found}")


def print_differences(boards: int) -> None:
    print("Paired difference, by the shares of cases that one alone passes")
    for name, sizes in SUITES.items():
        for ahead, behind in ((0.1, 0.1), (0.15, 0.05), (0.3, 0.1), (0.02, 0.02)):
            for trials in (1, 3):
                found = differences(sizes, (ahead, behind), trials, boards // 4, 3)
                print(f"  {name:<16} {ahead:<4} / {behind:<4}  trials {trials}  {found}")


def print_p_values(boards: int) -> None:
    print("Approximated / exact p from 1e-5 to .06: 5 %–95 % (worst); the time of the exact one")
    for name, sizes in SUITES.items():
        found = p_values(sizes, max(50, boards // 10), 4)
        print(
            f"  {name:<16} {found.low:.2f}–{found.high:.2f} ({found.worst:.2f})"
            f"  {found.microseconds:.0f} µs"
        )


def print_ranks(boards: int) -> None:
    print("Rank ranges: one row (worst row; row on top), all rows at once; widths")
    blocks = [0.5 + 0.05 * (i // 10) for i in range(71)]
    halves = [0.6] * 36 + [0.7] * 35
    for name, skills, cases in (
        ("71 equal, 273 cases", [0.8] * 71, 273),
        ("blocks of 10 equal, 1,240 cases", blocks, 1240),
        ("two halves equal, 1,240 cases", halves, 1240),
    ):
        it = rank_ranges(skills, cases, max(10, boards // 40), 5)
        print(
            f"  {name:<32} {it.row:.3f} ({it.worst:.3f}; {it.top:.3f})  {it.every:.3f}"
            f"  {it.width:.1f} and {it.width_of_all:.1f}"
        )
    if made := real_models(71, 6):
        found = ranges(*made)
        one = sum(high - low for low, high, _, _ in found) / 71
        every = sum(high - low for _, _, low, high in found) / 71
        print(f"  four real models made into 71: {one:.1f} and {every:.1f}: {one / every:.2f}")
    else:
        print(f"  skipped: needs the published verdicts of four models at {REAL}")


def print_judged(boards: int) -> None:
    print("Judged score, 82/47/47/49/48: pooled labels; labels of each category")
    for se, sp in ((0.95, 0.92), (0.7, 0.75), (0.55, 0.6), (0.5, 0.5)):
        for judged, labels in ((1.0, 30), (1.0, 100), (0.3, 30), (0.3, 100)):
            for share in (0.3, 0.7, 0.98):
                judge = JudgedBy(se, sp, judged, labels)
                together, apart = judged_scores(share, judge, boards // 8, 7)
                print(
                    f"  se {se:.2f} sp {sp:.2f}  judged {judged:.0%}  labels {labels}"
                    f"  p = {share}  {together}; {apart}"
                )


TABLES: Final[dict[str, Callable[[int], None]]] = {
    "scores": print_scores,
    "trials": print_trials,
    "differences": print_differences,
    "p": print_p_values,
    "ranks": print_ranks,
    "judged": print_judged,
}


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--boards", type=int, default=4000)
    options.add_argument("--only", default=",".join(TABLES), help="a comma-separated list")
    chosen = options.parse_args()
    for name in chosen.only.split(","):
        start = time.perf_counter()
        TABLES[name](chosen.boards)
        print(f"  {time.perf_counter() - start:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
