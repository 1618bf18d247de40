"""Intervals, paired tests and agreement: formulas with their sources, without suites or tables.

Scores and differences are shares (0..1 unless a metric says otherwise). P-values are two-sided.
Counts and sums are integers where possible, so that row order is irrelevant.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, groupby
from operator import mul
from statistics import NormalDist
from typing import Final, NamedTuple

Interval = tuple[float, float]

# Standard normal quantiles of 97.5 % and 80 %.
Z95: Final = 1.959963984540054
Z80: Final = 0.8416212335729143

# Up to this many outcomes the weighted sign-flip test is exact. Above, it is normal.
EXACT_OUTCOMES: Final = 2000

# Up to this many discordant cases the binomial tails are kept in a table of exact values.
_TABLED: Final = 2000


# ---------------------------------------------------------------- distributions


def normal_p(z: float) -> float:
    """P(|Z| >= |z|) of a standard normal Z."""
    return math.erfc(abs(z) / math.sqrt(2.0))


def t_p(t: float, df: float) -> float:
    """P(|T| >= |t|) of a Student t with `df` degrees of freedom.

    The incomplete beta function I(df/2, 1/2) at df / (df + t²), Abramowitz & Stegun 26.7.1 and
    26.5.8. Raises ValueError unless df > 0.
    """
    if df <= 0:
        raise ValueError(f"a Student t needs at least one degree of freedom, not {df}")
    square = t * t
    if square == 0:
        return 1.0
    if math.isinf(square):
        return 0.0
    inner, outer = df / (df + square), square / (df + square)
    a = df / 2
    # x**a * y**(1/2) / B(a, 1/2). log1p keeps the digits of the power if df is large.
    front = math.exp(_log_gamma_ratio(a) - a * math.log1p(square / df)) * math.sqrt(outer / math.pi)
    if inner < (a + 1) / (a + 2.5):
        return min(1.0, front * _beta_fraction(a, 0.5, inner) / a)
    return max(0.0, 1.0 - front * _beta_fraction(0.5, a, outer) / 0.5)


def _log_gamma_ratio(a: float) -> float:
    """ln(Γ(a + 1/2) / Γ(a)), for large a by its asymptotic series, which loses no digits."""
    if a < 100:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    x = 1 / a
    series = 1 + x * (
        -1 / 8 + x * (1 / 128 + x * (5 / 1024 + x * (-21 / 32768 - x * 399 / 262144)))
    )
    return 0.5 * math.log(a) + math.log(series)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method.

    Abramowitz & Stegun 26.5.8.
    """
    tiny = 1e-300
    upper, lower = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1) or tiny)
    value = lower
    for m in range(1, 100_000):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            lower = 1.0 / (1.0 + factor * lower or tiny)
            upper = 1.0 + factor / upper or tiny
            value *= upper * lower
        if abs(upper * lower - 1.0) < 1e-15:
            break
    return value


@lru_cache(maxsize=4096)
def t_quantile(p: float, df: int) -> float:
    """The value that a Student t with `df` degrees of freedom stays below with probability `p`.

    Newton's method from the normal quantile. The distribution function is concave right of 0 and
    the normal quantile is left of the root, so no step overshoots. Rounded to 12 significant
    digits, because mathematical libraries differ in the last one. Raises ValueError unless
    0 < p < 1 and df >= 1.
    """
    if not 0 < p < 1 or df < 1:
        raise ValueError(f"no Student t quantile for p = {p}, df = {df}")
    if p < 0.5:
        return -t_quantile(1 - p, df)
    tail = 2 * (1 - p)
    t = NormalDist().inv_cdf(p)
    for _ in range(200):
        step = (t_p(t, df) - tail) / (2 * _t_density(t, df))
        t += step
        if step <= 1e-14 * t:
            break
    return float(f"{t:.12g}")


def _t_density(t: float, df: int) -> float:
    a = df / 2
    return math.exp(_log_gamma_ratio(a) - (a + 0.5) * math.log1p(t * t / df)) / math.sqrt(
        df * math.pi
    )


# ---------------------------------------------------------------- intervals of one score


def wilson(passes: float, n: int, z: float = Z95) -> Interval:
    """The Wilson score interval of `passes` out of `n` (Wilson 1927).

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). `passes` may be a sum of scores between 0
    and 1: their variance is at most that of passes and fails, so the interval is wide enough.
    Raises ValueError unless n >= 1 and 0 <= passes <= n.
    """
    if n < 1 or not 0 <= passes <= n:
        raise ValueError(f"no interval for {passes} passes of {n}")
    p, square = passes / n, z * z
    centre = (p + square / (2 * n)) / (1 + square / n)
    half = z * math.sqrt(p * (1 - p) / n + square / (4 * n * n)) / (1 + square / n)
    # At the ends the limits are exactly 0 and 1. The difference of two rounded numbers is not.
    low = 0.0 if passes == 0 else max(0.0, centre - half)
    high = 1.0 if passes == n else min(1.0, centre + half)
    return low, high


class CaseMeans(NamedTuple):
    """The mean scores of a category's cases, as sums.

    `spread` is Σ (m - mean)². `binary` means that every case has one trial that passes or fails,
    `bounded` that no mean is above 1.
    """

    cases: int
    total: float
    spread: float
    binary: bool
    bounded: bool


def mean_interval(means: CaseMeans) -> Interval | None:
    """The 95 % interval of the score of a category. None if nothing bounds it.

    Wilson's if every case has one trial that passes or fails. Otherwise mean ± t(C-1) s / √C, with
    s² = Σ (m - mean)² / (C-1): the trials of one case are a cluster, and each case counts once
    (Miller, arXiv 2411.00640). It is clipped at 0, and at 1 if no mean is above 1. If the cases do
    not differ, they say nothing about how cases vary: then it is Wilson's, with each case as one
    observation.
    """
    cases, total, spread, binary, bounded = means
    if not cases:
        return None
    if binary or (spread == 0 and bounded):
        return wilson(total, cases)
    if spread == 0:
        return None
    half = t_quantile(0.975, cases - 1) * math.sqrt(spread / (cases - 1) / cases)
    low, high = max(0.0, total / cases - half), total / cases + half
    return low, min(1.0, high) if bounded else high


def weighted_interval(
    weights: Sequence[float], parts: Sequence[CaseMeans], score: float
) -> Interval | None:
    """The 95 % interval of the score of a suite. None if a category has no interval.

    Wilson's over all cases if every case passes or fails and the weights are proportional to the
    numbers of cases. Otherwise the intervals of the categories are `combined`.
    """
    total, cases = math.fsum(weights), sum(part.cases for part in parts)
    proportional = all(
        abs(weight * cases - total * part.cases) <= 1e-9 * total * part.cases
        for weight, part in zip(weights, parts, strict=True)
    )
    if proportional and all(part.binary for part in parts):
        return wilson(math.fsum(part.total for part in parts), cases)
    intervals = []
    for part in parts:
        interval = mean_interval(part)
        if interval is None:
            return None
        intervals.append(interval)
    return combined(weights, [part.total / part.cases for part in parts], intervals, score)


def combined(
    weights: Sequence[float],
    scores: Sequence[float],
    intervals: Sequence[Interval],
    mean: float | None = None,
) -> Interval:
    """The interval of a weighted mean Σ w_c p_c, from the intervals (l_c, h_c) of its parts.

    low = p - √(Σ w_c² (p_c - l_c)²) and high = p + √(Σ w_c² (h_c - p_c)²), with normalised
    weights: variances recovered from the limits (Zou & Donner 2008 after Newcombe 1998; for linear
    functions of proportions Zou, Huang & Zhang 2009). The plain √(Σ w_c² Var_c) has no width if
    every part is at 0 or at 1, which no number of cases justifies. `mean` is p, if it is known.
    """
    total = math.fsum(weights)
    if mean is None:
        mean = math.fsum(w * p for w, p in zip(weights, scores, strict=True)) / total
    down, up = [], []
    for weight, score, (low, high) in zip(weights, scores, intervals, strict=True):
        down.append((weight * (score - low)) ** 2)
        up.append((weight * (high - score)) ** 2)
    # Below the lowest limit or above the highest there is only rounding.
    least, most = min(low for low, _ in intervals), max(high for _, high in intervals)
    low = max(least, mean - math.sqrt(math.fsum(down)) / total)
    return low, min(most, mean + math.sqrt(math.fsum(up)) / total)


# ---------------------------------------------------------------- two submissions on the same cases


def mcnemar(only_first: int, only_second: int) -> float:
    """The p-value of McNemar's exact test, from the cases that only one of the two passes.

    min(1, 2 P(X <= min)) with X binomial(only_first + only_second, 1/2). McNemar 1947.
    """
    fewer, discordant = min(only_first, only_second), only_first + only_second
    if 2 * fewer == discordant:
        return 1.0
    if discordant <= _TABLED:
        return _tails(discordant)[fewer]
    return _tail(fewer, discordant)


@lru_cache(maxsize=_TABLED + 1)
def _tails(n: int) -> array[float]:
    """2 P(X <= k) for k below n/2, with X binomial(n, 1/2): exact integers, divided once."""
    coins, term, total = 1 << n, 1, 0
    tails = array("d")
    for k in range((n + 1) // 2):
        total += term
        tails.append(2 * total / coins)
        term = term * (n - k) // (k + 1)
    return tails


@lru_cache(maxsize=65536)
def _tail(fewer: int, n: int) -> float:
    """2 P(X <= fewer) for n above the table: the other terms by their ratios to the largest."""
    largest = math.exp(
        math.lgamma(n + 1) - math.lgamma(fewer + 1) - math.lgamma(n - fewer + 1) - n * math.log(2)
    )
    total, term = 1.0, 1.0
    for k in range(fewer, 0, -1):
        term *= k / (n - k + 1)
        total += term
        if term < 1e-17 * total:
            break
    return min(1.0, 2 * largest * total)


def sign_flip(strata: Iterable[tuple[float, int, int]]) -> float:
    """The p-value of a weighted difference D = Σ v_c (b_c - c_c) under random reversals.

    Each stratum is (v_c, b_c, c_c): what one case of category c counts (w_c / n_c), the cases that
    only the first passes, and those that only the second passes. Every discordant case could as
    well be reversed. Exact up to EXACT_OUTCOMES outcomes, otherwise normal with the variance
    Σ v_c² (b_c + c_c). Equal v_c are one group, and one group alone is McNemar's test.
    """
    groups: dict[float, list[int]] = {}
    for value, first, second in strata:
        if first or second:
            # Twelve digits: 1/3 reached by two ways of dividing is one value.
            both = groups.setdefault(float(f"{value:.12g}"), [0, 0])
            both[0] += first
            both[1] += second
    if len(groups) <= 1:
        return mcnemar(*next(iter(groups.values()), (0, 0)))
    values = sorted(groups)
    sizes = [sum(groups[value]) for value in values]
    difference = abs(math.fsum(value * (groups[value][0] - groups[value][1]) for value in values))
    if math.prod(size + 1 for size in sizes) > EXACT_OUTCOMES:
        return weighted_p(
            (value, first - second, first + second) for value, (first, second) in groups.items()
        )
    # Sums that differ by rounding alone are the same outcome.
    least = difference - 1e-9 * math.fsum(v * size for v, size in zip(values, sizes, strict=True))
    return min(1.0, 2 * _upper_tail(values, sizes, least)) if least > 0 else 1.0


def _upper_tail(values: Sequence[float], sizes: Sequence[int], least: float) -> float:
    """P(Σ v_g (heads - tails) >= least), from outcomes of one half and tails of the other."""
    states = list(accumulate((size + 1 for size in sizes), mul))
    cut = next(i for i, count in enumerate(states, 1) if count * count >= states[-1])
    totals, tails = _ordered(tuple(values[cut:]), tuple(sizes[cut:]))
    left = _outcomes(tuple(values[:cut]), tuple(sizes[:cut]))
    return math.fsum(chance * tails[bisect_left(totals, least - total)] for total, chance in left)


@lru_cache(maxsize=1024)
def _outcomes(values: tuple[float, ...], sizes: tuple[int, ...]) -> tuple[tuple[float, float], ...]:
    """The values of Σ v_g (heads - tails) and their probabilities: m_g coins are worth v_g."""
    outcomes = [(0.0, 1.0)]
    for value, size in zip(values, sizes, strict=True):
        steps = [
            (value * (2 * heads - size), math.comb(size, heads) / 2**size)
            for heads in range(size + 1)
        ]
        outcomes = [
            (total + step, chance * share) for total, chance in outcomes for step, share in steps
        ]
    return tuple(outcomes)


@lru_cache(maxsize=1024)
def _ordered(
    values: tuple[float, ...], sizes: tuple[int, ...]
) -> tuple[array[float], array[float]]:
    """The same values in rising order, and the probability of each value or a higher one."""
    outcomes = sorted(_outcomes(values, sizes), reverse=True)
    tails = array("d", accumulate((chance for _, chance in outcomes), initial=0.0))
    return array("d", (total for total, _ in reversed(outcomes))), tails[::-1]


def weighted_p(strata: Iterable[tuple[float, float, float]]) -> float:
    """The p-value of D = Σ v_c Σd for partial scores: normal with the variance Σ v_c² Σd².

    Each stratum is (v_c, Σd, Σd²): what one case counts (w_c / n_c), and the sums of the
    differences and of their squares.
    """
    kept = [(value, total, squares) for value, total, squares in strata if squares]
    if not kept:
        return 1.0
    difference = math.fsum(value * total for value, total, _ in kept)
    return normal_p(
        difference / math.sqrt(math.fsum(value * value * squares for value, _, squares in kept))
    )


def paired_p(cases: int, total: int, squares: int) -> float:
    """The p-value of a paired t test, from the number of shared cases, Σd and Σd² in any unit.

    t = d̄ / (sd(d) / √n) with n - 1 degrees of freedom. Equal differences have no sd. They count
    as n coins on one side.
    """
    if total == 0:
        return 1.0
    spread = cases * squares - total * total
    if spread <= 0:
        return mcnemar(cases, 0)
    return t_p(math.sqrt(total * total * (cases - 1) / spread), cases - 1)


@lru_cache(maxsize=65536)
def paired_score_interval(first: int, second: int, cases: int) -> Interval:
    """The 95 % score interval of p₁ - p₂, two shares of passes on the same cases.

    Tango, Statistics in Medicine 17, 891 (1998). `first` and `second` are the cases that only the
    first or only the second passes. The interval holds the differences D with
    |b - c - nD| <= z √(n (2q + D(1 - D))), where q is the likeliest share of cases that only the
    second passes if the difference is D. At D = 0 this is McNemar's test without correction.
    Unlike d̄ ± t sd/√n, the interval has a width if no two answers differ, and stays within -1..1.
    Raises ValueError unless cases >= 1 and the counts fit into them.
    """
    if cases < 1 or min(first, second) < 0 or first + second > cases:
        raise ValueError(f"no interval for {first} and {second} of {cases} cases")
    return _lowest_difference(first, second, cases), 0.0 - _lowest_difference(second, first, cases)


def _lowest_difference(first: int, second: int, cases: int) -> float:
    """The lower limit, by bisection: the score statistic falls as D rises."""
    if second == cases:
        return -1.0
    low, high = -1.0, (first - second) / cases
    for _ in range(60):
        middle = (low + high) / 2
        b = (2 * cases - first + second) * middle - first - second
        root = math.sqrt(max(0.0, b * b + 8 * cases * second * middle * (1 - middle)))
        variance = cases * ((root - b) / (2 * cases) + middle * (1 - middle))
        if first - second - cases * middle > Z95 * math.sqrt(max(0.0, variance)):
            low = middle
        else:
            high = middle
    return float(f"{low:.12g}")


def paired_interval(cases: int, total: int, squares: int, scale: int = 1) -> Interval | None:
    """The 95 % interval of a mean paired difference: d̄ ± t(n-1) sd(d)/√n.

    Σd and Σd² are in units of 1/scale and 1/scale². None if the differences are equal or fewer
    than two, because they have no sd.
    """
    spread = cases * squares - total * total
    if cases < 2 or spread <= 0:
        return None
    mean = total / cases / scale
    half = t_quantile(0.975, cases - 1) * math.sqrt(spread / (cases - 1)) / cases / scale
    return mean - half, mean + half


def smallest_gap(strata: Iterable[tuple[float, float, float]]) -> float:
    """The smallest difference that a paired 5 % test finds with 80 % power.

    (z.975 + z.80) √(Σ w_c² δ_c / n_c). Each stratum is (w_c, δ_c, n_c): weight, share of discordant
    cases, cases. Miller, arXiv 2411.00640, with the discordance as the variance of a difference.
    """
    parts = tuple(strata)
    weights = math.fsum(weight for weight, _, _ in parts)
    return (Z95 + Z80) * math.sqrt(math.fsum(w * w * share / n for w, share, n in parts)) / weights


# ---------------------------------------------------------------- many tests


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values: the largest of (m - i + 1) p_(i) so far, at most 1. Holm 1979."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = largest
    return tuple(adjusted)


def holm_cutoff(counts: Mapping[float, int], alpha: float) -> float | None:
    """The largest p-value that Holm's procedure rejects at level `alpha`, None if it rejects none.

    `counts` is how often each p-value occurs. Equal p-values are rejected together.
    """
    left, cutoff = sum(counts.values()), None
    for p in sorted(counts):
        if p * left > alpha:
            break
        cutoff = p
        left -= counts[p]
    return cutoff


# ---------------------------------------------------------------- trials


def pass_hat_k(counts: Iterable[tuple[int, int]], k: int) -> float | None:
    """pass^k: the mean over cases of C(c, k) / C(n, k), the chance that k drawn trials all pass.

    `counts` holds the passes c and the trials n of each case. Cases with fewer than k trials are
    left out. None if no case is left. Yao et al., arXiv 2406.12045.
    """
    return _mean(
        Fraction(math.comb(passes, k), math.comb(trials, k))
        for passes, trials in counts
        if trials >= k
    )


def pass_at_k(counts: Iterable[tuple[int, int]], k: int) -> float | None:
    """pass@k: the mean over cases of 1 - C(n-c, k) / C(n, k), the chance that one of k passes.

    `counts` as for `pass_hat_k`. Chen et al., arXiv 2107.03374.
    """
    return _mean(
        1 - Fraction(math.comb(trials - passes, k), math.comb(trials, k))
        for passes, trials in counts
        if trials >= k
    )


def _mean(shares: Iterable[Fraction]) -> float | None:
    counted = Counter(shares)
    if not counted:
        return None
    return float(
        sum((share * times for share, times in counted.items()), Fraction(0)) / counted.total()
    )


# ---------------------------------------------------------------- agreement


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's τ-b of two rankings: (concordant - discordant) / √((N - ties1)(N - ties2)).

    N = n(n-1)/2 is the number of pairs. None if all values of one ranking are equal. Takes
    n log n comparisons. Raises ValueError on unequal lengths.
    """
    pairs = sorted(zip(first, second, strict=True))
    every = len(pairs) * (len(pairs) - 1) // 2
    ties_first = _tied(x for x, _ in pairs)
    ties_second = _tied(sorted(second))
    ties_both = _tied(pairs)
    if every in (ties_first, ties_second):
        return None
    score = every - ties_first - ties_second + ties_both - 2 * _inversions(y for _, y in pairs)
    return score / math.sqrt((every - ties_first) * (every - ties_second))


def _tied(ordered: Iterable[Hashable]) -> int:
    """How many pairs of an ordered sequence are equal."""
    return sum(n * (n - 1) // 2 for n in (sum(1 for _ in group) for _, group in groupby(ordered)))


def _inversions(values: Iterable[float]) -> int:
    """How many pairs are in falling order."""
    count = 0
    before: list[float] = []
    for value in values:
        place = bisect_right(before, value)
        count += len(before) - place
        before.insert(place, value)
    return count


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two readers agree: cases, share of equal labels, share expected by chance, κ."""

    cases: int
    observed: float
    expected: float
    kappa: float | None


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Agreement:
    """Cohen's κ = (p_o - p_e) / (1 - p_e) of two readers' labels of the same cases. Cohen 1960.

    p_o is the share of equal labels, p_e the sum over labels of the product of both readers'
    shares. κ is None if both gave one and the same label to all. Raises ValueError on unequal
    lengths or no labels.
    """
    n = len(first)
    if n == 0:
        raise ValueError("no labels to compare")
    equal = sum(a == b for a, b in zip(first, second, strict=True))
    mine, theirs = Counter(first), Counter(second)
    chance = sum(mine[label] * theirs[label] for label in mine)
    kappa = (equal * n - chance) / (n * n - chance) if chance != n * n else None
    return Agreement(n, equal / n, chance / (n * n), kappa)


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float | None:
    """The true share of passes behind an imperfect judge's: (p + sp - 1) / (se + sp - 1).

    Rogan & Gladen 1978, clipped to 0..1. None if sensitivity + specificity <= 1, because such a
    judge is no better than chance.
    """
    informative = sensitivity + specificity - 1
    if informative <= 0:
        return None
    return min(1.0, max(0.0, (share + specificity - 1) / informative))
