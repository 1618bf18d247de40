"""A comparison of two submissions in words, for the pages and for `lb compare`."""

from __future__ import annotations

from typing import Final

from leaderboard.board.comparison import Comparison, Paired
from leaderboard.board.preferences import Preferences

_NARROW_SPACE: Final = "\u202f"  # before %


def verdict_in_words(found: Paired, first: str = "A", second: str = "B") -> str:
    """Returns who is ahead and how sure that is, without a full stop."""
    cases = _cases(found.shared)
    if found.difference is None or found.p is None:
        reason = "no case has" if not found.shared else "a category has no case with"
        return f"{first} and {second} cannot be compared: {reason} a score for both"
    if found.told_apart:
        ahead, sign = (first, 1) if found.difference > 0 else (second, -1)
        by = f"{points(abs(found.difference))} points{_limits(found, sign)}"
        return f"{ahead} is ahead by {by}, {p_value(found.p)}"
    if found.smallest_gap is None:
        same = f"they score the same on each of these {cases}"
        return f"{first} and {second} cannot be told apart: {same}"
    gap = f"a difference under {points(found.smallest_gap)} points would go unseen"
    by = f"{points(found.difference, signed=True)} points{_limits(found, 1)}"
    measured = f"{first} − {second} is {by}, {p_value(found.p)}"
    return f"{first} and {second} cannot be told apart on these {cases}; {gap} ({measured})"


def _limits(found: Paired, sign: int) -> str:
    if found.low is None or found.high is None:
        return ""
    low, high = sorted((sign * found.low, sign * found.high))
    return f" ({points(low)} to {points(high)})"


def counting_rule(found: Comparison) -> str:
    """Returns how a case with part of a score counts; "" when the comparison has none.

    Full scores decide who passes a case, the difference takes all scores: the two may disagree.
    """
    if not found.whole.shared or not (found.parts or max(found.trials) > 1):
        return ""
    if max(found.trials) > 1:
        passes, takes = "if every scored trial of it passes", "the share of trials that pass"
        other_side = "passes {} of its trials"
    else:
        passes, takes, other_side = "with a full score", "part scores too", "scores {}"
    rule = f"A case counts as passed, or right, only {passes}; the difference takes {takes}."

    rest = []
    for winner, loser, share in zip("AB", "BA", found.rest, strict=True):
        if share is not None:
            reached = other_side.format(f"{points(share)}{_NARROW_SPACE}%")
            rest.append(f"where {winner} alone is right, {loser} {reached}")
    return f"{rule} W{'; '.join(rest)[1:]}." if rest else rule


def weighting_effect(found: Comparison) -> str:
    """Returns the unweighted difference where it has the opposite sign; otherwise ""."""
    plain = found.plain or 0.0
    if (found.whole.difference or 0.0) * plain >= 0:
        return ""
    return (
        "Categories weigh as the suite declares; if all cases weighed the same, A − B would be "
        f"{points(plain, signed=True)} points."
    )


def win_rate_in_words(found: Preferences) -> str:
    """Returns the win rate of the first submission, or its bounds while verdicts are missing."""
    cases, bounds = _cases(len(found.cases)), found.win_bounds
    if bounds is None:
        return "unknown: neither answered a case"
    if found.win_rate is not None:
        return f"{100 * found.win_rate:.1f} % of {cases}"
    low, high = (f"{100 * bound:.1f}" for bound in bounds)
    return f"unknown until {found.count('open'):,} of {cases} are judged, from {low} to {high} %"


def _cases(number: int) -> str:
    return f"{number:,} {'case' if number == 1 else 'cases'}"


def points(share: float, *, signed: bool = False) -> str:
    """Formats a share in points: `5.2`, `−0.4`, with `signed` `+5.2`. Zero has no sign."""
    text = f"{abs(100 * share):.1f}"
    if text == "0.0":
        return text
    if share < 0:
        return f"−{text}"
    return f"+{text}" if signed else text


def p_value(p: float) -> str:
    """Formats `p = 0.043`: three decimals below 0.1, otherwise two, and at least `p < 0.001`."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
