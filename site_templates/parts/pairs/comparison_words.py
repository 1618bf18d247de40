"""A comparison of two submissions in words, for the pages and for `lb compare`."""

from __future__ import annotations

from leaderboard.board.comparison import Comparison, Paired
from leaderboard.board.preferences import Preferences
from site_templates import formatting


def verdict_in_words(found: Paired, first: str = "A", second: str = "B") -> str:
    """Returns who is ahead and how sure that is, without a full stop."""
    cases = formatting.count(found.shared, "case")
    if found.difference is None or found.p is None:
        unscored = formatting.count(found.unscored, "case")
        return (
            f"{first} and {second} cannot be compared: {unscored} without a score for one of them"
        )
    if found.told_apart:
        ahead, sign = (first, 1) if found.difference > 0 else (second, -1)
        by = f"{formatting.points(abs(found.difference))} points{_limits(found, sign)}"
        return f"{ahead} is ahead by {by}, {_p(found.p)}"
    if found.smallest_gap is None:
        return f"{first} and {second} score the same on each of these {cases}"
    by = f"{formatting.signed(found.difference)} points{_limits(found, 1)}"
    measured = f"{first} − {second} is {by}, {_p(found.p)}"
    needed = f"On these {cases}, a difference under {formatting.points(found.smallest_gap)} points"
    needed += " is hard to detect"
    if found.smallest_gap > 1:
        needed = f"These {cases} are too few to detect any difference"
    return f"{first} and {second} do not differ significantly: {measured}. {needed}"


def _limits(found: Paired, sign: int) -> str:
    if found.low is None or found.high is None:
        return ""
    low, high = sorted((sign * found.low, sign * found.high))
    return f" ({formatting.points(low)} to {formatting.points(high)})"


def counting_rule(found: Comparison) -> str:
    """Returns how a case with part of a score counts; "" when the comparison has none.

    Full scores decide who passes a case, the difference uses all scores: the two may disagree.
    """
    if not found.whole.shared or not (found.parts or max(found.trials) > 1):
        return ""
    if max(found.trials) > 1:
        passes, takes = "if every scored trial of it passes", "the share of trials that pass"
        other_side = "passes {} of its trials"
    else:
        passes, takes, other_side = "with a full score", "partial scores too", "scores {}"
    rule = f"A case counts as passed, or right, only {passes}; the difference uses {takes}."

    rest = []
    for winner, loser, share in zip("AB", "BA", found.rest, strict=True):
        if share is not None:
            reached = other_side.format(f"{formatting.points(share)}{formatting.NARROW}%")
            rest.append(f"where {winner} alone is right, {loser} {reached}")
    return f"{rule} {formatting.capitalised('; '.join(rest))}." if rest else rule


def weighting_effect(found: Comparison) -> str:
    """Returns the unweighted difference where it has the opposite sign; otherwise ""."""
    plain = found.plain or 0.0
    if (found.whole.difference or 0.0) * plain >= 0:
        return ""
    return (
        "Categories weigh as the suite declares; if all cases weighed the same, A − B would be "
        f"{formatting.signed(plain)} points."
    )


def win_rate_in_words(found: Preferences) -> str:
    """Returns the win rate of the first submission, or its bounds while verdicts are missing."""
    cases, bounds = formatting.count(len(found.cases), "case"), found.win_bounds
    if bounds is None:
        return "unknown: neither answered a case"
    if found.win_rate is not None:
        return f"{formatting.percent(found.win_rate)} % of {cases}"
    low, high = map(formatting.percent, bounds)
    return f"unknown until {found.count('open'):,} of {cases} are judged, from {low} to {high} %"


def _p(p: float) -> str:
    text = formatting.p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
