"""A comparison of two submissions in words, for the pages and for `lb compare`."""

from __future__ import annotations

from leaderboard.board.comparison import Comparison, Paired
from leaderboard.board.preferences import Preferences
from leaderboard.texts.counted_nouns import counted
from site_templates import formatting


def verdict_in_words(paired: Paired, first: str = "A", second: str = "B") -> str:
    """Who is ahead and how sure that is, without a full stop."""
    is_one = paired.shared == 1
    cases = "this case" if is_one else f"these {paired.shared:,} cases"
    if paired.difference is None or paired.p is None:
        unscored = counted(paired.unscored, "case")
        return (
            f"{first} and {second} cannot be compared: {unscored} without a score for one of them"
        )
    if paired.told_apart:
        ahead, sign = (first, 1) if paired.difference > 0 else (second, -1)
        by = f"{formatting.points(abs(paired.difference))} points{_limits(paired, sign)}"
        includes_0 = ", although its approximate 95 % interval includes 0"
        said = f"{ahead} is ahead by {by}, {_p(paired.p)}"
        return said + includes_0 if paired.test_and_interval_disagree else said
    if paired.smallest_gap is None:
        each = "" if is_one else "each of "
        return f"{first} and {second} score the same on {each}{cases}"
    by = f"{formatting.signed(paired.difference)} points{_limits(paired, 1)}"
    measured = f"{first} − {second} is {by}, {_p(paired.p)}"
    said = f"{first} and {second} do not differ significantly: {measured}"
    if paired.detectable is None:
        return said
    if paired.detectable > 1:
        return f"{said}. No difference can be detected on {cases} alone"
    points = formatting.points(paired.detectable)
    return f"{said}. On {cases}, a difference under {points} points is hard to detect"


def _limits(paired: Paired, sign: int) -> str:
    if paired.low is None or paired.high is None:
        return ""
    low, high = sorted((sign * paired.low, sign * paired.high))
    return f" ({formatting.points(low)} to {formatting.points(high)})"


def counting_rule(comparison: Comparison) -> str:
    """How a case with part of a score counts; "" when the comparison has none.

    Full scores decide who passes a case, the difference uses all scores: the two may disagree.
    """
    if not comparison.whole.shared or not (comparison.parts or max(comparison.trials) > 1):
        return ""
    if max(comparison.trials) > 1:
        passes, takes = "if every scored trial of it passes", "the share of trials that pass"
        other_side = "passes {} of its trials"
    else:
        passes, takes, other_side = "with a full score", "partial scores too", "scores {}"
    rule = f"A case counts as passed, or right, only {passes}; the difference uses {takes}."

    rest = []
    for winner, loser, share in zip("AB", "BA", comparison.rest, strict=True):
        if share is not None:
            reached = other_side.format(f"{formatting.points(share)}{formatting.NARROW}%")
            rest.append(f"where {winner} alone is right, {loser} {reached}")
    return f"{rule} {formatting.capitalised('; '.join(rest))}." if rest else rule


def weighting_effect(comparison: Comparison) -> str:
    """The unweighted difference where it has the opposite sign; otherwise ""."""
    plain = comparison.plain or 0.0
    if (comparison.whole.difference or 0.0) * plain >= 0:
        return ""
    return (
        "Categories weigh as the suite declares; if all cases weighed the same, A − B would be "
        f"{formatting.signed(plain)} points."
    )


def win_rate_in_words(preferences: Preferences) -> str:
    """The win rate of the first submission, or its bounds while verdicts are missing."""
    cases, bounds = counted(len(preferences.cases), "case"), preferences.win_bounds
    if bounds is None:
        return "unknown: neither answered a case"
    if preferences.win_rate is not None:
        return f"{formatting.percent(preferences.win_rate)} % of {cases}"
    low, high = map(formatting.percent, bounds)
    waiting = preferences.count("open")
    return f"unknown until {waiting:,} of {cases} are judged, from {low} to {high} %"


def _p(p: float) -> str:
    text = formatting.p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
