"""How good a judge is on labelled answers, and the limits of a score that it decides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from scoring.statistics.intervals import Z95, Z95_SQUARED, Interval, combined


class LabelCounts(NamedTuple):
    """A judge on labelled answers: what it gives to `right` and to `wrong` answers.

    `passed` is the sum of its grades of right answers, `failed` the sum of 1 - grade of wrong ones.
    A judge that is unsure may give a half.
    """

    right: int
    passed: float
    wrong: int
    failed: float

    @property
    def sensitivity(self) -> float:
        return self.passed / self.right

    @property
    def specificity(self) -> float:
        return self.failed / self.wrong

    @property
    def youden_j(self) -> float:
        """How far the judge is from chance, which has 0: sensitivity + specificity - 1."""
        return self.sensitivity + self.specificity - 1

    @property
    def smoothed_sensitivity(self) -> float:
        """With one success and one error added, so that a few answers are not certainty."""
        return (self.passed + 1) / (self.right + 2)

    @property
    def smoothed_specificity(self) -> float:
        return (self.failed + 1) / (self.wrong + 2)

    @property
    def smoothed_youden_j(self) -> float:
        return self.smoothed_sensitivity + self.smoothed_specificity - 1

    @property
    def variances(self) -> tuple[float, float]:
        """The variances of the smoothed sensitivity and specificity."""
        se, sp = self.smoothed_sensitivity, self.smoothed_specificity
        return se * (1 - se) / (self.right + 2), sp * (1 - sp) / (self.wrong + 2)


# A value and its limits.
_Estimate = tuple[float, Interval]

# Where a judge decides nothing, its errors do not count.
_FAULTLESS: Final = LabelCounts(10**15, 10**15, 10**15, 10**15)


def youden(counts: LabelCounts) -> tuple[float, float, float] | None:
    """Youden's J = sensitivity + specificity - 1, and its 95 % interval after Agresti & Caffo 2000.

    A judge that grades at random has J = 0. None without answers of both labels.
    """
    if not counts.right or not counts.wrong:
        return None
    centre = counts.smoothed_youden_j
    half = Z95 * math.sqrt(sum(counts.variances))
    return counts.youden_j, max(-1.0, centre - half), min(1.0, centre + half)


class JudgedPart(NamedTuple):
    """A category of a judged score, as shares of its cases.

    `ruled`: passed by rules. `judged`: decided by the judge. `passed`: passed by the judge.
    """

    weight: float
    cases: int
    ruled: float
    judged: float
    passed: float


class _Line(NamedTuple):
    """A weighted sum over categories: A, Q, W and S² of `_limits`, in this order."""

    ruled: float
    passed: float
    judged: float
    variance: float


def judged_limits(parts: Sequence[JudgedPart], counts: LabelCounts) -> Interval | None:
    """The limits of a score with the judge's error, after Lang & Reiczigel 2014.

    `counts` is about answers of all categories together. None if they do not show that the judge
    is better than chance.
    """
    return _limits(_line(parts, _pseudo_cases(parts), counts), counts)


def judged_limits_by_category(
    parts: Sequence[JudgedPart], counts: Sequence[LabelCounts]
) -> Interval:
    """The same with labels of each category on its own, joined by their limits.

    A category whose judge is not better than chance adds its whole range: from the lower limit
    with every judged answer failed to the upper limit with every one passed.
    """
    least, most = [], []
    for part, pseudo, labels in zip(parts, _pseudo_cases(parts), counts, strict=True):
        judge = labels if part.judged else _FAULTLESS
        single = _single(part, pseudo, judge)
        least.append(single or _ruled(part, pseudo, part.ruled))
        most.append(single or _ruled(part, pseudo, part.ruled + part.judged))
    weights = [part.weight for part in parts]
    low, _ = combined(weights, [value for value, _ in least], [limits for _, limits in least])
    _, high = combined(weights, [value for value, _ in most], [limits for _, limits in most])
    return low, high


def _single(part: JudgedPart, pseudo: float, counts: LabelCounts) -> _Estimate | None:
    """One category. None without a judge better than chance."""
    line = _line([part], [pseudo], counts)
    limits = _limits(line, counts)
    if limits is None:
        return None
    return line.ruled + _excess(line, counts) / counts.smoothed_youden_j, limits


def _ruled(part: JudgedPart, pseudo: float, share: float) -> _Estimate:
    """One category as if rules passed this share of it."""
    ruled = part._replace(ruled=share, judged=0.0, passed=0.0)
    line = _line([ruled], [pseudo], _FAULTLESS)
    return line.ruled, _limits(line, _FAULTLESS) or (0.0, 1.0)


def _pseudo_cases(parts: Sequence[JudgedPart]) -> list[float]:
    """e_c = n_c z² / N₀."""
    total = math.fsum(part.weight for part in parts)
    inverse = math.fsum((part.weight / total) ** 2 / part.cases for part in parts)
    return [part.cases * Z95_SQUARED * inverse for part in parts]


def _line(parts: Sequence[JudgedPart], pseudo: Sequence[float], counts: LabelCounts) -> _Line:
    """The sums over the categories, each with its pseudo-cases, half of which pass."""
    total = math.fsum(part.weight for part in parts)
    specificity, youden_j = counts.smoothed_specificity, counts.smoothed_youden_j
    wrongly = 1 - specificity
    sums = []
    for part, more in zip(parts, pseudo, strict=True):
        w, n, j = part.weight / total, part.cases + more, part.judged
        ruled = (part.cases * part.ruled + more * (1 - j) / 2) / n
        passed = (part.cases * part.passed + more * j / 2) / n
        mean = youden_j * ruled + passed - wrongly * j
        squares = youden_j**2 * ruled + specificity**2 * passed
        squares += wrongly**2 * (j - passed)
        sums.append((w * ruled, w * passed, w * j, w * w / n * (squares - mean**2)))
    return _Line(*map(math.fsum, zip(*sums, strict=True)))


def _excess(line: _Line, counts: LabelCounts) -> float:
    """T = Q - W(1 - sp): what the judge passes beyond its false passes."""
    return line.passed - line.judged * (1 - counts.smoothed_specificity)


def _limits(line: _Line, counts: LabelCounts) -> Interval | None:
    """The limits: A plus the two roots x of (J x - T)² = z² (S² + x² var(se) + (W - x)² var(sp)).

    As a quadratic, this is a x² - 2 b x + c = 0.
    """
    of_right, of_wrong = counts.variances
    youden_j, excess = counts.smoothed_youden_j, _excess(line, counts)
    a = youden_j**2 - Z95_SQUARED * (of_right + of_wrong)
    if youden_j <= 0 or a <= 0:
        return None
    b = excess * youden_j - Z95_SQUARED * line.judged * of_wrong
    c = excess**2 - Z95_SQUARED * (line.variance + line.judged**2 * of_wrong)
    root = math.sqrt(max(0.0, b * b - a * c))
    return line.ruled + (b - root) / a, line.ruled + (b + root) / a
