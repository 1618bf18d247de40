"""Comparing two submissions: who passes what, the paired difference, its interval, its words."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence

import polars as pl
import pytest

from leaderboard.board.comparison import Comparison, Paired
from leaderboard.types import Suite
from scoring.statistics.multiple_tests import holm
from scoring.statistics.paired_intervals import DifferenceSums, difference_interval, tango
from scoring.statistics.sign_flips import sign_flip, whole_units
from scoring.tables.one_pair import case_pairs, comparer
from site_templates.parts.pairs.comparison_words import (
    counting_rule,
    verdict_in_words,
    weighting_effect,
)
from tests.scoring.verdict_tables import ranked, scored, submission, suite, verdicts

Marks = str | Sequence[str | float]

UNSEEN = (
    "one and two do not differ significantly: one − two is +1.0 points (−3.8 to 5.9), p = 0.83. "
    "On these 200 cases, a difference under 6.6 points is hard to detect"
)
TWO = suite("s", a=(10, 1.0), b=(4, 1.0))


def paired(suite_: Suite, first: Mapping[str, Marks], second: Mapping[str, Marks]) -> Paired:
    """The whole-suite line of two submissions given as marks."""
    frame = pl.concat(
        [verdicts("m1", "s", "correct", **first), verdicts("m2", "s", "correct", **second)]
    )
    return comparer(frame, suite_, "correct").compare("m1", "m2").whole


def test_the_four_ways_a_case_can_fall() -> None:
    """Both, only the first, only the second, neither. Unscored cases are left out."""
    frame = pl.concat(
        [verdicts("m1", a="++++-----?", b="++--"), verdicts("m2", a="+++--++--+", b="++-+")]
    )
    found = comparer(frame, TWO, "correct").compare("m1", "m2")
    whole, (a, b) = found.whole, found.categories
    assert ("a", 10, 9, 1, 3, 1, 2, 3) == (
        a.category,
        a.cases,
        a.shared,
        a.unscored,
        a.both,
        a.only_first,
        a.only_second,
        a.neither,
    )
    assert (4, 2, 0, 1, 1) == (b.shared, b.both, b.only_first, b.only_second, b.neither)
    assert ("*", 14, 13, 1) == (whole.category, whole.cases, whole.shared, whole.unscored)
    assert (5, 1, 3, 4) == (whole.both, whole.only_first, whole.only_second, whole.neither)


def test_scores_are_those_on_shared_cases_weighted_as_the_suite_says() -> None:
    """The difference is the weighted mean of the differences, and so is each side's score."""
    weighed = suite("s", a=(4, 3.0), b=(4, 1.0))
    whole = paired(weighed, {"a": "+++-", "b": "----"}, {"a": "+---", "b": "++--"})
    assert pytest.approx(3 / 4 * 3 / 4) == whole.first
    assert pytest.approx(3 / 4 * 1 / 4 + 1 / 4 * 1 / 2) == whole.second
    assert pytest.approx(3 / 4 * 1 / 2 - 1 / 4 * 1 / 2) == whole.difference


def test_passes_and_fails_get_mcnemar_and_the_score_interval() -> None:
    """Nine to one of forty: the exact p-value, and Tango's limits, which leave out 0."""
    one = suite("s", a=(40, 1.0))
    line = paired(one, {"a": "+" * 9 + "-" + "+" * 30}, {"a": "-" * 9 + "+" + "+" * 30})
    assert ("exact McNemar", sign_flip([(1, 9, 1)])) == (line.test, line.p)
    assert tango(9, 1, 40) == (line.low, line.high)
    assert line.told_apart
    assert line.low is not None
    assert line.low > 0


def test_an_interval_reaches_to_zero_where_the_exact_test_does_not_reject() -> None:
    """Five to none: the score interval leaves out 0 (z² = 5), but the exact p is 0.0625."""
    one = suite("s", a=(40, 1.0))
    line = paired(one, {"a": "+" * 40}, {"a": "-" * 5 + "+" * 35})
    assert tango(5, 0, 40)[0] > 0
    assert (0.0625, 0.0, False) == (line.p, line.low, line.told_apart)


def test_means_over_trials_are_tested_by_sign_flips() -> None:
    """Two trials a case: differences of means, tested as the rank test does."""
    one = suite("s", a=(6, 1.0))
    first, second = ["++", "++", "+-", "++", "-+", "++"], ["+-", "--", "+-", "-+", "--", "++"]
    line = paired(one, {"a": first}, {"a": second})
    # In halves: 1, 2, 0, 1, 1, 0.
    assert ("sign flip", sign_flip([(1, 3, 0), (2, 1, 0)])) == (line.test, line.p)
    assert pytest.approx(5 / 12) == line.difference
    low, high = difference_interval([DifferenceSums(1, 6, 2.5, 0.0, 1.75)])
    assert (min(low, 0.0), high) == (line.low, line.high)


def test_a_score_just_below_1_is_no_pass() -> None:
    """The counts, the list of cases and the means agree with the verdicts and with SCORES."""
    one = suite("s", a=(2, 1.0))
    frame = pl.concat([verdicts("m1", a=[0.99999999, 0.9998]), verdicts("m2", a="--")])

    made = comparer(frame, one, "correct")

    whole = made.compare("m1", "m2").whole
    assert (0, 2) == (whole.only_first, whole.neither)
    assert {"neither"} == {pair.standing for pair in case_pairs(frame, one, "correct", "m1", "m2")}
    assert (False, False) == made.passes("m1")
    published = scored(frame, [one]).filter(submission="m1", category="*")
    assert published["score"].item() == whole.first


def test_small_differences_of_part_scores_are_tested() -> None:
    """0.5004 against 0.5 on every case is a difference."""
    whole = paired(suite("s", a=(8, 1.0)), {"a": [0.5004] * 8}, {"a": [0.5] * 8})

    assert pytest.approx(0.0004) == whole.difference
    assert 2 / 2**8 == whole.p


def test_differences_all_alike_still_have_an_interval() -> None:
    """Equal differences say nothing about their spread: the interval is that of passes."""
    one = suite("s", a=(5, 1.0))
    line = paired(one, {"a": ["+-"] * 5}, {"a": ["--"] * 5})
    assert pytest.approx(0.5) == line.difference
    assert line.low is not None
    assert line.high is not None
    assert line.low < 0.5 < line.high <= 1


def test_the_whole_is_one_test_where_weights_are_as_the_numbers_of_cases() -> None:
    """Then every case counts the same, and the p-value is McNemar's over all of them."""
    even = suite("s", a=(10, 10.0), b=(4, 4.0))
    whole = paired(even, {"a": "++++++++--", "b": "++++"}, {"a": "+---------", "b": "++--"})
    assert ("exact McNemar", sign_flip([(1, 9, 0)])) == (whole.test, whole.p)
    parts = [DifferenceSums(10, 10, 7, 0, 7), DifferenceSums(4, 4, 2, 0, 2)]
    assert difference_interval(parts) == (whole.low, whole.high)


def test_the_whole_is_a_weighted_test_otherwise() -> None:
    """The sign-flip test of the weighted difference, and Tango's interval."""
    first, second = {"a": "++++++++--", "b": "++++"}, {"a": "+---------", "b": "++--"}
    whole = paired(TWO, first, second)
    weights = [category.weight for category in TWO.categories]
    units = whole_units(weights, [10, 4])
    expected = sign_flip([(units[0], 7, 0), (units[1], 2, 0)])
    assert ("sign flip", expected) == (whole.test, whole.p)
    parts = [DifferenceSums(weights[0], 10, 7, 0, 7), DifferenceSums(weights[1], 4, 2, 0, 2)]
    assert difference_interval(parts) == (whole.low, whole.high)


def test_part_scores_in_a_weighted_suite_are_whole_units() -> None:
    """Halves are one unit, full cases two."""
    whole = paired(TWO, {"a": "/+++++++--", "b": "++++"}, {"a": "+---------", "b": "++--"})
    a, b = whole_units([category.weight for category in TWO.categories], [10, 4])
    # In halves in category a: d = -1/2, seven times 1, twice 0.
    expected = sign_flip([(a, 0, 1), (2 * a, 7, 0), (2 * b, 2, 0)])
    assert ("sign flip", expected) == (whole.test, whole.p)


def test_discordant_cases_that_a_judge_decided_are_counted() -> None:
    """A judge decided one of the two in three cases. In one of them both pass."""
    line = paired(suite("s", a=(5, 1.0)), {"a": "PF+-+"}, {"a": "F++-P"})
    assert 2 == line.judged


@pytest.mark.large
def test_the_test_is_the_one_that_ranks_rest_on() -> None:
    """Two submissions rank apart at a level exactly if a comparison finds them different there."""
    rng = random.Random(11)
    for _ in range(20):
        frames = []
        for name, share in (("m1", 0.9), ("m2", 0.3)):
            a = "".join(rng.choices("+-", [share, 1 - share], k=10))
            frames.append(verdicts(name, a=a, b="".join(rng.choices("+-", k=4))))
        frame = pl.concat(frames)
        p = comparer(frame, TWO, "correct").compare("m1", "m2").whole.p
        assert p is not None
        entrants = [submission("m1"), submission("m2")]
        for alpha, apart in ((p * 1.0001, True), (p * 0.9999, False)):
            if p < 3 / 16:
                table, _ = ranked(frame, [TWO], entrants, alpha=alpha)
                row = table.filter(category="*", submission="m1").row(0, named=True)
                assert apart == (row["rank_low"] == row["rank_high"])


def test_categories_are_corrected_by_holm_and_the_whole_is_not() -> None:
    """Each category has its own p-value and one for being one of several."""
    frame = pl.concat([verdicts("m1", a="+" * 10, b="++++"), verdicts("m2", a="-" * 10, b="++-+")])
    found = comparer(frame, TWO, "correct").compare("m1", "m2")
    p_values = [line.p for line in found.categories if line.p is not None]
    assert list(holm(p_values)) == [line.holm for line in found.categories]
    assert found.whole.holm is None


def test_turning_the_pair_around_turns_every_number_around() -> None:
    """B against A is A against B with another sign."""
    rng = random.Random(5)
    frame = pl.concat(
        [
            verdicts(name, a="".join(rng.choices("+-/", k=10)), b="".join(rng.choices("+-", k=4)))
            for name in ("m1", "m2")
        ]
    )
    made = comparer(frame, TWO, "correct")
    for one, other in zip(
        made.compare("m1", "m2").lines, made.compare("m2", "m1").lines, strict=True
    ):
        assert (one.only_first, one.only_second, one.first, one.p) == (
            other.only_second,
            other.only_first,
            other.second,
            other.p,
        )
        assert one.difference is not None
        assert one.low is not None
        assert -one.difference == other.difference
        assert pytest.approx(-one.low) == other.high


def test_unscored_cases_leave_the_comparison_open() -> None:
    """Nothing is tested where a case is unscored, nor over the whole. The words say why."""
    frame = pl.concat([verdicts("m1", a="+" * 10, b="???+"), verdicts("m2", a="-" * 10, b="++++")])
    found = comparer(frame, TWO, "correct").compare("m1", "m2")
    sure, unsure = found.categories
    assert sure.p is not None
    for line in (unsure, found.whole):
        assert (3, None, None, None) == (line.unscored, line.difference, line.p, line.low)
    said = "A and B cannot be compared: 3 cases without a score for one of them"
    assert verdict_in_words(found.whole) == said


def test_a_part_of_a_suite_takes_part_in_no_test() -> None:
    """Not in a category that was asked completely either: it could be chosen for its result."""
    frame = pl.concat([verdicts("m1", a="+" * 10), verdicts("m2", a="-" * 10, b="++++")])
    for pair in (("m1", "m2"), ("m2", "m1")):
        found = comparer(frame, TWO, "correct").compare(*pair)
        assert (10, 0) == (found.categories[0].shared, found.categories[0].unscored)
        assert [None] * 3 == [line.p for line in found.lines]
        assert not any(line.told_apart for line in found.lines)


def test_two_that_score_the_same_have_an_interval_around_zero() -> None:
    """No case differs: not a difference of 0 with no width."""
    line = paired(suite("s", a=(5, 1.0)), {"a": "+++--"}, {"a": "+++--"})
    assert (0.0, 1.0, None) == (line.difference, line.p, line.smallest_gap)
    assert line.low is not None
    assert line.low < -0.4
    assert "A and B score the same on each of these 5 cases" == verdict_in_words(line)


def test_one_case_is_spoken_of_as_one() -> None:
    """A board may have only one case yet."""
    one = suite("s", a=(1, 1.0))
    same, apart = paired(one, {"a": "+"}, {"a": "+"}), paired(one, {"a": "+"}, {"a": "-"})
    assert "A and B score the same on this case" == verdict_in_words(same)
    assert verdict_in_words(apart).endswith(" No difference can be detected on this case alone")


@pytest.mark.parametrize(
    ("only_first", "only_second", "said"),
    [
        (30, 10, "one is ahead by 10.0 points (4.0 to 16.4), p = 0.002"),
        (10, 30, "two is ahead by 10.0 points (4.0 to 16.4), p = 0.002"),
        (12, 10, UNSEEN),
    ],
)
def test_the_verdict_in_words(only_first: int, only_second: int, said: str) -> None:
    """Who is ahead, by how much and with which p. Or that they do not differ significantly."""
    rest = 200 - only_first - only_second
    first, second = "+" * only_first + "-" * only_second, "-" * only_first + "+" * only_second
    line = paired(suite("s", a=(200, 1.0)), {"a": first + "+" * rest}, {"a": second + "+" * rest})
    assert said == verdict_in_words(line, "one", "two")


def test_the_order_of_the_rows_changes_nothing() -> None:
    """A shuffled frame gives the same comparison, to the last digit."""
    rng = random.Random(9)
    frame = pl.concat(
        [
            verdicts(name, a="".join(rng.choices("+-/", k=10)), b="".join(rng.choices("+-?", k=4)))
            for name in ("m1", "m2")
        ]
    )
    shuffled = frame.sample(fraction=1, shuffle=True, seed=4)
    assert comparer(frame, TWO, "correct").compare("m1", "m2") == comparer(
        shuffled, TWO, "correct"
    ).compare("m1", "m2")


def test_levels_are_the_scores_of_all_cases() -> None:
    """In the suite's order, as whole units. A case without a score has no level."""
    made = comparer(verdicts("m1", a="++++-----?", b="+-+-"), TWO, "correct")

    assert made.levels("m1") == (*[1] * 4, *[0] * 5, None, 1, 0, 1, 0)


def test_every_submission_to_the_suite_can_be_compared() -> None:
    """A submission without a scored verdict can be compared, an unknown one cannot."""
    frame = pl.concat([verdicts("m1", a="?" * 10, b="????"), verdicts("m2", a="+" * 10, b="++++")])
    made = comparer(frame, TWO, "correct")
    assert ("m1", "m2") == made.submissions
    assert 0 == made.compare("m1", "m2").whole.shared
    with pytest.raises(KeyError):
        made.compare("m1", "m3")


@pytest.mark.large
def test_a_large_board_is_compared_quickly() -> None:
    """A thousand comparisons over 1,240 cases take a few seconds at most, on a slow machine too."""
    rng = random.Random(2)
    large = suite("s", a=(400, 1.0), b=(400, 1.0), c=(440, 2.0))
    names = [f"m{place:02}" for place in range(34)]
    frame = pl.concat(
        [
            verdicts(
                n, **{c.id: "".join(rng.choices("+-", k=len(c.cases))) for c in large.categories}
            )
            for n in names
        ]
    )
    made = comparer(frame, large, "correct")
    start = time.process_time()
    for first in names[:30]:
        for second in names[:-1]:
            made.compare(first, second)
    assert time.process_time() - start < 10


def test_case_pairs_say_how_each_did() -> None:
    """In the suite's order: who passes, whether they differ, trials and reasons."""
    small = suite("s", a=(5, 1.0))
    frame = pl.concat(
        [
            verdicts("m1", a=["+", "++", "+-", "?", "/"]),
            verdicts("m2", a=["+", "+-", "--", "+", "-"]),
        ]
    )
    found = case_pairs(frame, small, "correct", "m1", "m2")
    standings = [
        ("both", False),
        ("first", True),
        ("neither", True),
        ("unscored", False),
        ("neither", True),
    ]
    assert standings == [(pair.standing, pair.differs) for pair in found]
    assert ["a0", "a1", "a2", "a3", "a4"] == [pair.case_id for pair in found]
    assert (2, 2, 1.0, ("exact",)) == (
        found[1].first.passes,
        found[1].first.trials,
        found[1].first.score,
        found[1].first.reasons,
    )


def test_case_pairs_and_counts_agree() -> None:
    """What is listed adds up to what is counted, with trials, part scores and unscored verdicts."""
    rng = random.Random(8)
    small = suite("s", a=(60, 1.0))
    trials = ["++", "+-", "--", "/+", "?+", "??"]
    frame = pl.concat([verdicts(name, a=rng.choices(trials, k=60)) for name in ("m1", "m2")])
    line = comparer(frame, small, "correct").compare("m1", "m2").whole
    listed = [pair.standing for pair in case_pairs(frame, small, "correct", "m1", "m2")]
    assert [line.both, line.only_first, line.only_second, line.neither, line.unscored] == [
        listed.count(name) for name in ("both", "first", "second", "neither", "unscored")
    ]


# ---------------------------------------------------------------- partial scores


def between(suite_: Suite, first: Mapping[str, Marks], second: Mapping[str, Marks]) -> Comparison:
    frame = pl.concat(
        [verdicts("m1", "s", "correct", **first), verdicts("m2", "s", "correct", **second)]
    )
    return comparer(frame, suite_, "correct").compare("m1", "m2")


def test_comparison_counts_trials_and_partial_passes() -> None:
    """The first passes two of three trials at two cases, and alone passes one more case."""
    found = between(
        suite("s", a=(4, 1.0)), {"a": ["++-", "+-+", "+++", "---"]}, {"a": ["+", "+", "-", "-"]}
    )
    assert (3, 1) == found.trials
    assert (1, 2) == (found.whole.only_first, found.whole.only_second)
    assert pytest.approx((0.0, 2 / 3)) == found.rest
    assert found.parts
    assert (
        "A case counts as passed, or right, only if every scored trial of it passes; "
        "the difference uses the share of trials "
        "that pass. Where A alone is right, B passes 0.0\u202f% of its trials; "
        "where B alone is right, A passes 66.7\u202f% of "
        "its trials."
    ) == counting_rule(found)


def test_comparison_explains_part_scores() -> None:
    """Half a score is no pass; the words say what it counts."""
    found = between(suite("s", a=(3, 1.0)), {"a": "+/-"}, {"a": "/+-"})
    assert ((1, 1), (0.5, 0.5)) == (found.trials, found.rest)
    assert counting_rule(found).startswith(
        "A case counts as passed, or right, only with a full score; "
        "the difference uses partial scores"
    )
    assert counting_rule(found).endswith(
        "Where A alone is right, B scores 50.0\u202f%; "
        "where B alone is right, A scores 50.0\u202f%."
    )


def test_passes_and_fails_alone_need_no_word() -> None:
    """If every case has one trial that passes or fails, there is nothing to add."""
    found = between(TWO, {"a": "+++++-----", "b": "++--"}, {"a": "++---++---", "b": "++-+"})
    assert ("", "", False, (1, 1)) == (
        counting_rule(found),
        weighting_effect(found),
        found.parts,
        found.trials,
    )


def test_weights_that_reverse_the_difference_are_explained() -> None:
    """B passes more cases, A those of the category that weighs more."""
    found = between(
        suite("s", a=(2, 9.0), b=(8, 1.0)),
        {"a": "++", "b": "--------"},
        {"a": "--", "b": "+++++---"},
    )
    difference = found.whole.difference
    assert difference is not None
    assert difference > 0
    assert pytest.approx(-0.3) == found.plain
    assert weighting_effect(found).endswith(
        "if all cases weighed the same, A − B would be −30.0 points."
    )
