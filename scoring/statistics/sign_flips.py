"""The weighted sign-flip test of two submissions on the same cases, in whole numbers.

It is McNemar's exact test where all cases count the same.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import Final

# Up to this many list entries, or bits of one number that counts all sums, the p-value is exact.
# Above, it is approximated.
MOST_ENTRIES: Final = 65536
MOST_BITS: Final = 2**20

# Above this Σ M u⁴ / (Σ M u²)² a few cases count much more than the others, and the sum has several
# peaks. A saddlepoint approximation assumes one.
_UNEVEN: Final = 0.05

# So many sums of heavy cases are enumerated at most.
_MOST_HEAVY: Final = 256

# A number of discordant cases that all count the same: the whole unit, and how many there are.
_Group = tuple[int, int]

# All sums of a half, how many throws give each, and how many give it or more.
_Sums = tuple[list[int], list[int], list[int]]

# Lists of up to this many entries are kept, so that the cache stays small.
_SHORT: Final = 2048


def whole_units(weights: Sequence[float], cases: Sequence[int]) -> tuple[int, ...]:
    """What one case of each category counts, w/n, as the smallest whole numbers in proportion.

    Weights are read as the decimals that they are written as.
    """
    values = [Fraction(repr(w)) / n for w, n in zip(weights, cases, strict=True)]
    common = math.lcm(*(value.denominator for value in values))
    whole = [int(value * common) for value in values]
    divisor = math.gcd(*whole)
    return tuple(unit // divisor for unit in whole)


def sign_flip(outcomes: Iterable[tuple[int, int, int]]) -> float:
    """The p-value of a difference Σ u (b - c), if every discordant case could as well be reversed.

    Each outcome is (u, b, c): what a case counts in whole units, how many cases the first wins,
    and how many the second. Cases that count the same are one group, and one group alone is
    McNemar's exact test (McNemar 1947). Exact up to MOST_ENTRIES list entries, or
    up to MOST_BITS bits of one number that counts all sums.
    """
    sizes: defaultdict[int, int] = defaultdict(int)
    difference = 0
    for unit, first, second in outcomes:
        if first or second:
            sizes[unit] += first + second
            difference += unit * (first - second)
    if difference == 0:
        return 1.0
    groups = tuple(sorted(sizes.items()))
    difference = abs(difference)
    if len(groups) == 1 and groups[0][1] < MOST_ENTRIES:
        unit, coins = groups[0]
        return _binomial_tails(coins)[(coins - difference // unit) // 2]
    if halves := _halves(groups):
        return _exact(*halves, difference)
    if _digits(groups) * (_coins(groups) + 1) <= MOST_BITS:
        return _from_one_number(groups, difference)
    return given_heavy(groups, difference)


@lru_cache(maxsize=2048)
def _binomial_tails(coins: int) -> array[float]:
    """2 P(X <= k) for k below coins/2, with X binomial(coins, 1/2)."""
    outcomes, term, total = 1 << coins, 1, 0
    tails = array("d")
    for k in range((coins + 1) // 2):
        total += term
        tails.append(2 * total / outcomes)
        term = term * (coins - k) // (k + 1)
    return tails


def _halves(groups: Sequence[_Group]) -> tuple[tuple[_Group, ...], tuple[_Group, ...]] | None:
    """Splits the groups so that both lists together are shortest. None if they are too long.

    A list has at most Π (M + 1) entries. The best half is the one with the largest product that
    is at most the square root of the whole.
    """
    whole = math.prod(size + 1 for _, size in groups)
    if 4 * whole > MOST_ENTRIES**2:
        return None
    by_product: dict[int, tuple[_Group, ...]] = {1: ()}
    for group in groups:
        for product, chosen in list(by_product.items()):
            larger = product * (group[1] + 1)
            if larger * larger <= whole:
                by_product.setdefault(larger, (*chosen, group))
    length = max(by_product)
    if length + whole // length > MOST_ENTRIES:
        return None
    half = by_product[length]
    return half, tuple(group for group in groups if group not in half)


def _exact(first: tuple[_Group, ...], second: tuple[_Group, ...], difference: int) -> float:
    sums, counts, own_tails = _listed(first)
    others, _, tails = _listed(second)
    # Below `start` no sum of the second half is enough, from `end` on every one is.
    start = bisect_left(sums, difference - others[-1])
    end = bisect_left(sums, difference - others[0])
    missing = [difference - value for value in sums[start:end]]
    places = map(bisect_left, repeat(others), missing)
    favourable: int = own_tails[end] * tails[0]
    favourable += sum(map(mul, counts[start:end], map(tails.__getitem__, places)))
    return min(1.0, 2 * favourable / (1 << _coins((*first, *second))))


def _listed(groups: tuple[_Group, ...]) -> _Sums:
    """`_sums`, from a cache if the lists are short."""
    short = math.prod(size + 1 for _, size in groups) <= _SHORT
    return _cached_sums(groups) if short else _sums(groups)


def _sums(groups: tuple[_Group, ...]) -> _Sums:
    """All sums Σ u (heads - tails) in rising order, and how many throws give each.

    The last list has the throws that give each sum or more, and a 0 for sums that none reaches.
    """
    throws = {0: 1}
    for unit, size in groups:
        steps = [(unit * (2 * heads - size), math.comb(size, heads)) for heads in range(size + 1)]
        longer: defaultdict[int, int] = defaultdict(int)
        for value, count in throws.items():
            for step, ways in steps:
                longer[value + step] += count * ways
        throws = longer
    sums = sorted(throws)
    counts = [throws[value] for value in sums]
    tails = list(accumulate(reversed(counts), initial=0))
    tails.reverse()
    return sums, counts, tails


_cached_sums = lru_cache(maxsize=2048)(_sums)


def _coins(groups: Sequence[_Group]) -> int:
    return sum(size for _, size in groups)


def _digits(groups: Sequence[_Group]) -> int:
    """How many sums there are at most: they lie on a grid, two steps of the units apart."""
    step = math.gcd(*(unit for unit, _ in groups))
    return sum(unit * size for unit, size in groups) // step + 1


def _from_one_number(groups: Sequence[_Group], difference: int) -> float:
    """The exact p-value where many cases have a size of their own, as with scores of parts.

    The digits of one number count the throws that give each sum, the lowest sum first. A case
    adds them to themselves, as many digits further as it counts. No digit ever overflows.
    """
    step = math.gcd(*(unit for unit, _ in groups))
    width = _coins(groups) + 1
    throws = 1
    for unit, size in groups:
        for _ in range(size):
            throws += throws << unit // step * width
    first = (difference // step + _digits(groups)) // 2
    # A number and its digits have the same remainder by the base less 1.
    favourable = (throws >> first * width) % ((1 << width) - 1)
    return min(1.0, 2 * favourable / (1 << width - 1))


def saddlepoint(groups: Sequence[_Group], difference: int) -> float:
    """The p-value of |Σ u (heads - tails)| >= difference > 0, after Lugannani & Rice 1980.

    K(t) = Σ M ln cosh(ut). Newton's method for K'(t) = s starts left of the root and never
    overshoots, because K' is concave. Rounded to 12 digits.
    """
    largest = max(unit for unit, _ in groups)
    terms = [(unit / largest, size) for unit, size in groups]
    s = difference / largest
    if difference == sum(unit * size for unit, size in groups):
        return 2.0 ** (1 - _coins(groups))
    t = s / math.fsum(size * unit * unit for unit, size in terms)
    for _ in range(200):
        slopes = [(unit, size, math.tanh(unit * t)) for unit, size in terms]
        curvature = math.fsum(size * unit * unit * (1 - tanh * tanh) for unit, size, tanh in slopes)
        step = (s - math.fsum(size * unit * tanh for unit, size, tanh in slopes)) / curvature
        t += step
        if step <= 1e-14 * t:
            break
    level = math.fsum(size * _log_cosh(unit * t) for unit, size in terms)
    w, v = math.sqrt(max(0.0, 2 * (t * s - level))), t * math.sqrt(curvature)
    p = math.erfc(w / math.sqrt(2))
    if w > 0.01:  # below, both corrections cancel, and only rounding remains
        density = math.exp(-w * w / 2) / math.sqrt(2 * math.pi)
        p += 2 * density * (1 / v - 1 / w)
    return float(f"{min(1.0, p):.12g}")


def given_heavy(groups: Sequence[_Group], difference: int) -> float:
    """The same p-value, by enumeration of the cases that count much more than the others.

    For each of their sums, the others have to reach the rest of the difference. Only the
    probability of that is approximated. `groups` rise by their unit.
    """
    light, heavy, outcomes = list(groups), [], 1
    while len(light) > 1 and _is_uneven(light):
        outcomes *= light[-1][1] + 1
        if outcomes > _MOST_HEAVY:
            break
        heavy.append(light.pop())
    sums, counts, _ = _sums(tuple(heavy))
    tails = [_tail(light, difference - value) for value in sums]
    favourable = math.fsum(map(mul, counts, tails))
    throws = 1 << _coins(heavy)
    return float(f"{min(1.0, 2 * favourable / throws):.12g}")


def _is_uneven(groups: Sequence[_Group]) -> bool:
    largest = max(unit for unit, _ in groups)
    squares = math.fsum(size * (unit / largest) ** 2 for unit, size in groups)
    fourths = math.fsum(size * (unit / largest) ** 4 for unit, size in groups)
    return fourths > _UNEVEN * squares**2


def _tail(groups: Sequence[_Group], least: int) -> float:
    """P(Σ u (heads - tails) >= least), of any sign, by the saddlepoint approximation.

    The sums lie on a grid. The limit is half a step below the lowest sum that is enough, so that
    the tails of both signs add up to 1. The probability of the highest sum is exact.
    """
    largest = sum(unit * size for unit, size in groups)
    half_step = math.gcd(*(unit for unit, _ in groups))
    if least > largest:
        return 0.0
    if least <= -largest:
        return 1.0
    steps_below = (largest - least) // (2 * half_step)
    limit = largest - (2 * steps_below + 1) * half_step if steps_below else largest
    if limit == 0:
        return 0.5
    beyond = saddlepoint(groups, abs(limit)) / 2
    return beyond if limit > 0 else 1 - beyond


def _log_cosh(x: float) -> float:
    return x + math.log1p(math.exp(-2 * x)) - math.log(2)
