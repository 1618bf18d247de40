"""Ranks and gaps: hand-worked boards, every kind of pair, plain code as oracle, any row order."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from operator import ne
from statistics import fmean, median_low
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from leaderboard.errors import FilesError
from leaderboard.frames import GAPS, RANKS, VERDICTS
from leaderboard.kinds import CORRECT
from leaderboard.types import Suite
from scoring.rules import KINDS
from scoring.statistics.detectable_difference import smallest_gap
from scoring.statistics.multiple_tests import holm
from scoring.statistics.sign_flips import sign_flip, whole_units
from scoring.tables.rank_ranges import Field, ranges_of
from tests.conftest import PROJECT
from tests.each_row import each_row
from tests.scoring.other_processes import written
from tests.scoring.verdict_tables import MARKS, ranked, submission, suite, verdicts

REAL = PROJECT.parent / "shared" / "real" / "bfcl" / "expected.json"


def board(
    made: Suite, *tables: pl.DataFrame, alpha: float = 0.05
) -> tuple[dict[tuple[str, str], tuple[int, int]], dict[str, Any]]:
    """Rank ranges by category and submission, and rows of GAPS. Names with `base` are baselines."""
    given_verdicts = pl.concat(tables) if tables else pl.DataFrame(schema=VERDICTS)
    names = given_verdicts["submission"].unique().to_list()
    cards = [submission(name, "baseline" if name.startswith("base") else "model") for name in names]
    table, gaps = ranked(given_verdicts, [made], cards, alpha=alpha)
    assert (RANKS, GAPS) == (table.schema, gaps.schema)
    found = {
        (row["category"], row["submission"]): (row["rank_low"], row["rank_high"])
        for row in table.drop_nulls("rank_low").to_dicts()
    }
    return found, {row["category"]: row for row in gaps.to_dicts()}


# ---------------------------------------------------------------- by hand


def test_clear_differences_have_ranks_of_their_own() -> None:
    """20, 10 and 0 of 20 passed: exact McNemar 10 to 0 and 20 to 0, Holm over three pairs."""
    found, gaps = board(
        suite("s", a=(20, 1)),
        verdicts("x", a="-" * 20),
        verdicts("y", a="+" * 20),
        verdicts("z", a="+" * 10 + "-" * 10),
    )

    assert {"y": (1, 1), "z": (2, 2), "x": (3, 3)} == {name: found["a", name] for name in "yzx"}
    expected = {"suite": "s", "category": "a", "pairs": 3, "discordance": pytest.approx(2 / 3)}
    typical = pytest.approx(smallest_gap([(1, 10 / 20, 20)]))
    assert expected | {"smallest_gap": typical} == gaps["a"]
    assert {**gaps["a"], "category": "*"} == gaps["*"]


def test_submissions_without_a_difference_share_a_range() -> None:
    """Five cases net of five are p = 0.06: both may be first or second."""
    found, _ = board(suite("s", a=(9, 1)), verdicts("x", a="+" * 9), verdicts("y", a="++++-----"))

    assert {(1, 2)} == set(found.values())


@pytest.mark.large
def test_holm_counts_the_pairs_of_a_row() -> None:
    """Seven to none is p = 0.016: below 0.02, a half of 0.04, but not below a third of it."""
    two = (verdicts("x", a="+" * 9), verdicts("y", a="++-------"))
    third, fourth = verdicts("z", a="+++++----"), verdicts("w", a="++++-----")

    def of(*tables: pl.DataFrame) -> set[tuple[int, int]]:
        return set(board(suite("s", a=(9, 1)), *tables, alpha=0.04)[0].values())

    assert {(1, 1), (2, 2)} == of(*two)
    assert {(1, 2), (2, 3), (1, 3)} == of(*two, third)
    assert {(1, 4)} == of(*two, third, fourth)


def test_the_range_of_all_rows_counts_every_pair() -> None:
    """The same p = 0.016 is one of three there, and not below a third of 0.04."""
    tables = (
        verdicts("x", a="+" * 9),
        verdicts("y", a="++-------"),
        verdicts("z", a="+++++----"),
    )
    table, _ = ranked(
        pl.concat(tables),
        [suite("s", a=(9, 1))],
        [submission(name) for name in "xyz"],
        alpha=0.04,
    )

    assert {("ranked", 1, 3)} == set(table.select("status", "all_low", "all_high").rows())
    assert [(1, 2), (2, 3), (1, 3)] == table.filter(category="a").select(
        "rank_low", "rank_high"
    ).rows()


def test_clear_differences_are_clear_among_all_rows_too() -> None:
    """20, 10 and 0 of 20 passed: each pair is below a third of 0.05."""
    tables = (
        verdicts("x", a="-" * 20),
        verdicts("y", a="+" * 20),
        verdicts("z", a="+" * 10 + "-" * 10),
    )
    table, _ = ranked(
        pl.concat(tables),
        [suite("s", a=(20, 1))],
        [submission(name) for name in "xyz"],
    )

    assert [(3, 3), (1, 1), (2, 2)] == table.filter(category="a").select(
        "all_low", "all_high"
    ).rows()


def test_the_range_for_all_is_never_narrower_than_that_of_a_row() -> None:
    """Five of six pairs are clear, so Holm's last step over all pairs tests p = 0.03 alone.

    In the row of y nobody else is clearly better, so it is one of three: y may be first.
    """
    pairs = [(better, worse, 1e-9) for better, worse in combinations(range(4), 2)]
    pairs[0] = (0, 1, 0.03)
    found = pl.DataFrame(pairs, ["better", "worse", "p"], orient="row")
    scores = {"x": 0.9, "y": 0.8, "z": 0.5, "w": 0.1}

    ranges = ranges_of(Field("xyzw", 6, found, None, None), scores, 0.05)

    expected = {"x": (1, 1), "y": (1, 2), "z": (3, 3), "w": (4, 4)}
    assert {name: 2 * limits for name, limits in expected.items()} == ranges


@each_row(("p", "clear"), [(0.015, True), (0.02, False)])
def test_pairs_without_a_difference_count_among_all_rows(p: float, clear: bool) -> None:
    """A third of 0.05 is the limit of three pairs: one found, one with p = 1, and one left out."""
    found = pl.DataFrame({"better": [0, 1], "worse": [2, 0], "p": [p, 1.0]})
    field = Field("xyz", 3, found, None, None)
    ranges = ranges_of(field, {"x": 0.9, "y": 0.8, "z": 0.1}, 0.05)

    limits = {name: all_range for name, (_, _, *all_range) in ranges.items()}
    x, y, z = ([1, 2], [1, 3], [2, 3]) if clear else ([1, 3], [1, 3], [1, 3])
    assert limits == {"x": x, "y": y, "z": z}


def test_equal_scores_share_their_range_among_all_rows() -> None:
    """Of two, only the first is clearly better than a third, or only the second clearly worse."""
    scores = {"x": 0.5, "y": 0.5, "z": 0.1}
    for better, worse, expected in ((0, 2, (2, 3)), (2, 1, (1, 2))):
        found = pl.DataFrame({"better": [better], "worse": [worse], "p": [0.015]})
        ranges = ranges_of(Field("xyz", 3, found, None, None), scores, 0.05)

        limits = {name: all_range for name, (_, _, *all_range) in ranges.items()}
        assert limits == {"x": [1, 3], "y": [1, 3], "z": list(expected)}


def test_a_row_alone_is_first() -> None:
    """Whatever is compared, nobody else can be better."""
    assert ranges_of(Field("x", 0, pl.DataFrame(), None, None), {}, 0.05) == {"x": (1, 1, 1, 1)}


def test_a_smaller_alpha_finds_fewer_differences() -> None:
    """Ten to none is p = 0.002."""
    tables = (verdicts("x", a="+" * 10), verdicts("y", a="-" * 10))

    assert {(1, 1), (2, 2)} == set(board(suite("s", a=(10, 1)), *tables)[0].values())
    assert {(1, 2)} == set(board(suite("s", a=(10, 1)), *tables, alpha=0.001)[0].values())


@pytest.mark.large
def test_equal_scores_share_the_widest_range() -> None:
    """Both x and y pass 12 of 20, but only y differs from z: neither ranks above the other."""
    made = suite("s", a=(20, 1))
    tables = (
        verdicts("x", a="+" * 4 + "-" * 8 + "+" * 8),
        verdicts("y", a="+" * 12 + "-" * 8),
        verdicts("z", a="+" * 4 + "-" * 16),
    )

    found, _ = board(made, *tables)
    apart = [sign_flip([(1, 8, 0)])] * 2 + [sign_flip([(1, 8, 8)])]

    assert [True, True, False] == [p <= 0.05 for p in holm(apart)]
    assert {("a", "x"): (1, 2), ("a", "y"): (1, 2), ("a", "z"): (3, 3)}.items() <= found.items()
    odd = verdicts("x", a="-" * 8 + "+" * 12)  # 12 to 4 against z: p = 0.08
    found, _ = board(made, odd, *tables[1:])
    assert found["a", "x"] == found["a", "y"] == (1, 3)


def test_equal_answers_have_no_difference() -> None:
    """Where no two differ everybody has every rank, and no gap can be estimated."""
    found, gaps = board(suite("s", a=(4, 1)), *(verdicts(name, a="++-+") for name in "xyz"))

    assert {(1, 3)} == set(found.values())
    assert (3, 0.0, None) == (
        gaps["a"]["pairs"],
        gaps["a"]["discordance"],
        gaps["a"]["smallest_gap"],
    )


def test_one_outlier_does_not_change_the_smallest_detectable_difference() -> None:
    """It is the median over the pairs: of six, three are close, and three contain the outlier."""
    close = [("+" * 30, "+" * 10), ("--" + "+" * 28, "+" * 10), ("+" * 30, "--" + "+" * 8)]
    answers = [*close, ("-" * 30, "-" * 10)]
    tables = [verdicts(name, a=a, b=b) for name, (a, b) in zip("wxyz", answers, strict=True)]

    _, gaps = board(suite("s", a=(30, 2), b=(10, 1)), *tables)

    of_pairs = []
    for one, other in combinations(answers, 2):
        shares = [sum(map(ne, *texts)) / len(texts[0]) for texts in zip(one, other, strict=True)]
        of_pairs.append(smallest_gap([(2, shares[0], 30), (1, shares[1], 10)]))
    assert pytest.approx(median_low(of_pairs)) == gaps["*"]["smallest_gap"]
    assert gaps["*"]["smallest_gap"] < 0.6 * fmean(of_pairs)


def test_baselines_are_not_ranked() -> None:
    """A baseline, however good, neither has a rank nor takes one, and is in no pair."""
    found, gaps = board(
        suite("s", a=(10, 1)),
        verdicts("x", a="+" * 10),
        verdicts("baseline", a="+" * 10),
        verdicts("y", a="-" * 10),
    )

    assert {"x": (1, 1), "y": (2, 2)} == {name: found["a", name] for _, name in found}
    assert gaps["a"]["pairs"] == 1


def test_one_submission_is_first() -> None:
    """Alone it is 1, with no pairs and no gap."""
    found, gaps = board(suite("s", a=(2, 1)), verdicts("x", a="+-"))

    assert {(1, 1)} == set(found.values())
    assert {
        "suite": "s",
        "category": "a",
        "pairs": 0,
        "discordance": None,
        "smallest_gap": None,
    } == gaps["a"]


def test_an_empty_board_has_no_ranks() -> None:
    """Without verdicts there are no ranks, but a row of gaps per category. No suites: no rows."""
    found, gaps = board(suite("s", a=(2, 1), b=(1, 1)))

    assert found == {}
    assert [("*", 0), ("a", 0), ("b", 0)] == [
        (category, row["pairs"]) for category, row in gaps.items()
    ]
    for table, schema in zip(
        ranked(pl.DataFrame(schema=VERDICTS), [], []), (RANKS, GAPS), strict=True
    ):
        assert_frame_equal(pl.DataFrame(schema=schema), table)


def test_only_the_ranked_metric_counts() -> None:
    """Another metric of the same cases changes nothing."""
    tables = (verdicts("x", a="+" * 10), verdicts("y", a="-" * 10))
    other = (verdicts("x", metric="finish", a="-" * 10), verdicts("y", metric="finish", a="+" * 10))

    assert board(suite("s", a=(10, 1)), *tables) == board(suite("s", a=(10, 1)), *tables, *other)


@pytest.mark.parametrize(
    ("mark", "reason", "status"),
    [
        ("?", "judge_missing", "pending"),
        ("?", "judge_pending", "pending"),
        ("?", "judge_unparseable", "incomplete"),
    ],
)
@pytest.mark.large
def test_a_row_without_a_rank_says_why(mark: str, reason: str, status: str) -> None:
    """It is listed, without ranks, and the others are ranked as if it were not there."""
    made = suite("s", a=(20, 1))
    others = [verdicts("x", a="+" * 20), verdicts("y", a="-" * 20)]
    frame = verdicts("z", a="+" * 19 + mark).with_columns(reason=pl.lit(reason))
    entrants = [submission(name) for name in "xyz"]

    table, gaps = ranked(pl.concat([*others, frame]), [made], entrants)

    alone = ranked(pl.concat(others), [made], entrants)
    assert_frame_equal(alone[1], gaps)
    assert_frame_equal(alone[0], table.filter(pl.col("submission") != "z"))
    assert [("a", status, None, None)] == table.filter(
        pl.col("submission") == "z", pl.col("category") != "*"
    ).select("category", "status", "rank_low", "all_high").rows()


def test_an_open_trial_leaves_its_case_open() -> None:
    """Another trial of the case has a score, but the score of the case is not final."""
    frame = verdicts("x", a=["++", "+?"])
    reason = pl.when(pl.col("outcome") == "unscored").then(pl.lit("judge_unparseable"))
    frame = frame.with_columns(reason=reason.otherwise("reason"))

    table, _ = ranked(frame, [suite("s", a=(2, 1))], [submission("x")])

    assert {("incomplete", None)} == set(table.select("status", "rank_low").rows())


@pytest.mark.parametrize(
    ("status", "suite_fields"),
    [
        ("replies_unchecked", {"replies_unchecked": True}),
        ("reported", {"kind": dataclasses.replace(KINDS["reported"], metrics=(CORRECT,))}),
    ],
)
def test_nobody_is_ranked_by_what_cannot_be_checked(
    status: str, suite_fields: dict[str, Any]
) -> None:
    """Replies that the suite does not have, and reported scores, give no ranks."""
    made = dataclasses.replace(suite("s", a=(9, 1)), **suite_fields)
    frame = pl.concat([verdicts("x", a="+" * 9), verdicts("y", a="-" * 9)])

    table, _ = ranked(frame, [made], [submission("x"), submission("y")])

    assert {(status, None)} == set(table.select("status", "rank_low").rows())


def test_nobody_is_ranked_where_the_judge_may_be_guessing() -> None:
    """A row that no judge decided has no rank there either, and is in no pair.

    Otherwise y, which answers nothing that a judge reads, would be first.
    """
    made = suite("s", a=(20, 1), b=(20, 1))
    tables = pl.concat(
        [verdicts("x", a="+" * 20, b="P" * 20), verdicts("y", a="+" * 10 + "-" * 10, b="-" * 20)]
    )

    table, gaps = ranked(
        tables,
        [made],
        [submission("x"), submission("y")],
        unvalidated={("s", "*"), ("s", "b")},
    )

    statuses = {(row["category"], row["submission"]): row["status"] for row in table.to_dicts()}
    assert statuses == {
        ("*", "x"): "judge_not_validated",
        ("*", "y"): "judge_not_validated",
        ("a", "x"): "ranked",
        ("a", "y"): "ranked",
        ("b", "x"): "judge_not_validated",
        ("b", "y"): "judge_not_validated",
    }
    assert [0, 1, 0] == gaps["pairs"].to_list()


def test_a_validated_judge_gives_ranks() -> None:
    """A judged row is compared like any other."""
    tables = (verdicts("x", a="P" * 20), verdicts("y", a="-" * 20))

    assert {(1, 1), (2, 2)} == set(board(suite("s", a=(20, 1)), *tables)[0].values())


@pytest.mark.parametrize("weights", [(2, 10), (1, 1)])
def test_without_a_score_there_is_no_rank(weights: tuple[int, int]) -> None:
    """A submission without a score in a category is absent there and from the whole."""
    made = suite("s", a=(2, weights[0]), b=(10, weights[1]))
    tables = (
        verdicts("x", a="??", b="+" * 10),
        verdicts("y", a="+-", b="-" * 10),
        verdicts("z", a="+-", b="+" * 10),
    )

    found, gaps = board(made, *tables)

    assert {
        ("*", "y"),
        ("*", "z"),
        ("a", "y"),
        ("a", "z"),
        ("b", "x"),
        ("b", "y"),
        ("b", "z"),
    } == set(found)
    assert [(2, 2), (1, 1)] == [found["*", "y"], found["*", "z"]]
    assert [1, 1, 3] == [gaps[category]["pairs"] for category in "*ab"]


def test_trials_are_compared_by_their_means() -> None:
    """Sign flips of the differences of case means: sixths here, because thirds and halves meet."""
    first, second = ["+++", "++-", "++-", "+--", "+++", "+++"], ["+-", "--", "--", "--", "+-", "+-"]
    found, gaps = board(suite("s", a=(6, 1)), verdicts("x", a=first), verdicts("y", a=second))
    differences = [3, 4, 4, 2, 3, 3]  # in sixths

    assert 2 / 2**6 == sign_flip([(3, 3, 0), (4, 2, 0), (2, 1, 0)])
    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]
    assert pytest.approx(sum(d * d for d in differences) / 36 / 6) == gaps["a"]["discordance"]


@pytest.mark.large
def test_trials_of_one_submission_do_not_change_the_test_of_others() -> None:
    """Submissions x and y keep McNemar's test, though z has halves."""
    made = suite("s", a=(8, 1))
    tables = (verdicts("x", a="+" * 8), verdicts("y", a="+-------"))
    alone, _ = board(made, *tables)

    found, _ = board(made, *tables, verdicts("z", a=["+-"] * 4 + ["++"] * 4))

    assert sign_flip([(1, 7, 0)]) == 2 / 2**7
    assert [(1, 1), (2, 2)] == [alone["a", "x"], alone["a", "y"]]
    # x to z: half a case four times, p = 1/8. z to y: three and a half to a half, p = 7/128.
    assert [(1, 2), (3, 3), (1, 3)] == [found["a", name] for name in "xyz"]


def test_scores_above_one_are_ranked() -> None:
    """Levels are whole numbers of any size."""
    found, _ = board(
        suite("s", a=(6, 1)),
        verdicts("x", a=[2.0, 2.5, 3.0, 2.0, 2.5, 2.0]),
        verdicts("y", a=[1.0, 1.0, 1.5, 1.0, 0.5, 1.0]),
    )

    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]


def test_fractions_of_all_kinds_are_ranked() -> None:
    """Scores without a small denominator are rounded to a millionth."""
    first = [math.sqrt(place / 40) for place in range(1, 31)]
    second = [score - 0.05 - 0.01 * math.sin(place) for place, score in enumerate(first)]

    found, gaps = board(suite("s", a=(30, 1)), verdicts("x", a=first), verdicts("y", a=second))

    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]
    expected = math.fsum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / 30
    assert pytest.approx(expected, rel=1e-4) == gaps["a"]["discordance"]


def test_proportional_weights_pool_the_cases() -> None:
    """Four to none in each of two categories is not significant, eight to none together is."""
    found, gaps = board(
        suite("s", a=(5, 5), b=(10, 10)),
        verdicts("x", a="+" * 5, b="+" * 10),
        verdicts("y", a="-----", b="+++++++---"),
    )

    assert [(1, 2), (1, 2)] == [found["a", "x"], found["b", "x"]]
    assert [(1, 1), (2, 2)] == [found["*", "x"], found["*", "y"]]
    assert pytest.approx(8 / 15) == gaps["*"]["discordance"]
    assert pytest.approx(smallest_gap([(1, 8 / 15, 15)])) == gaps["*"]["smallest_gap"]


def test_other_weights_flip_signs() -> None:
    """Seven to one is not enough in equal cases. Six in a small category are, by sign flips."""
    made = suite("s", a=(6, 1), b=(10, 1))
    found, gaps = board(
        made, verdicts("x", a="+" * 6, b="+-" + "+" * 8), verdicts("y", a="-" * 6, b="-+" + "+" * 8)
    )

    p = sign_flip([(5, 6, 0), (3, 1, 1)])
    assert sign_flip([(1, 7, 1)]) > 0.05
    assert [(1, 1), (2, 2)] == [found["*", "x"], found["*", "y"]]
    assert 2 * (1 / 64) * (3 / 4) == p
    assert pytest.approx((6 / 6 + 2 / 10) / 2) == gaps["*"]["discordance"]
    assert pytest.approx(smallest_gap([(1, 1, 6), (1, 0.2, 10)])) == gaps["*"]["smallest_gap"]


@pytest.mark.large
def test_part_scores_under_other_weights() -> None:
    """Half a case of a small category may count more than a whole case of a large one."""
    made = suite("s", a=(4, 1), b=(12, 1))
    tables = (verdicts("x", a="++//", b="+" * 12), verdicts("y", a="//--", b="+" * 11 + "-"))

    # Units of 1/24: half a case of a is 3, a case of b is 2. All five are won by x.
    assert 2 / 2**5 == sign_flip([(3, 4, 0), (2, 1, 0)])
    for alpha, expected in ((0.07, {(1, 1), (2, 2)}), (0.06, {(1, 2)})):
        found, _ = board(made, *tables, alpha=alpha)
        assert expected == {found["*", "x"], found["*", "y"]}


@pytest.mark.large
def test_suites_stand_apart_and_in_order() -> None:
    """Rows are sorted by suite, category (the whole first, then as listed) and submission."""
    made = [suite("t", c=(1, 1)), suite("s", b=(1, 1), a=(1, 1))]
    tables = [
        verdicts(name, suite_id, **cases)
        for name in "zy"
        for suite_id, cases in (("t", {"c": "+"}), ("s", {"b": "+", "a": "-"}))
    ]

    table, gaps = ranked(pl.concat(tables), made, [submission("z"), submission("y")])

    places = [("s", "*"), ("s", "b"), ("s", "a"), ("t", "*"), ("t", "c")]
    assert places == gaps.select("suite", "category").rows()
    assert [(*place, name) for place in places for name in "yz"] == table.select(
        "suite", "category", "submission"
    ).rows()


def test_verdicts_of_an_unknown_category_are_refused() -> None:
    """As for scores: nothing is dropped in silence."""
    with pytest.raises(FilesError, match="'gone'"):
        board(suite("s", a=(1, 1)), verdicts("x", a="+", gone="+"))


# ---------------------------------------------------------------- against plain code


def level(marks: str) -> Fraction | None:
    """The mean of a case's scored trials."""
    scored = [Fraction(score) for _, score, _ in map(MARKS.__getitem__, marks) if score is not None]
    return sum(scored, Fraction(0)) / len(scored) if scored else None


def compared(first: Sequence[str], second: Sequence[str]) -> tuple[Fraction, float]:
    """Two submissions in one category: the sum of their differences, and the p-value."""
    differences = []
    for mine, its in zip(map(level, first), map(level, second), strict=True):
        assert mine is not None
        assert its is not None
        differences.append(mine - its)
    outcomes = [(int(12 * abs(d)), int(d > 0), int(d < 0)) for d in differences]
    return sum(differences, Fraction(0)), sign_flip(outcomes)


def holm_rejects(p_values: list[float], tests: int, level: float) -> int:
    """Holm's procedure by its words: how many of so many tests it rejects."""
    number = 0
    for p in sorted(p_values):
        if p > level / (tests - number):
            break
        number += 1
    return number


def plain_ranks(answers: dict[str, list[str]], alpha: float) -> dict[str, tuple[int, int]]:
    """The rank ranges of one category by the words of the definition."""
    complete = {
        name: [one for one in map(level, cases) if one is not None]
        for name, cases in answers.items()
        if not any("?" in marks for marks in cases)
    }
    scored = {name: sum(own, Fraction(0)) / len(own) for name, own in complete.items()}
    own_range = {}
    for name in scored:
        results = [compared(answers[name], answers[other]) for other in scored if other != name]
        ahead = [p / 2 for difference, p in results if difference < 0]
        behind = [p / 2 for difference, p in results if difference > 0]
        low = 1 + holm_rejects(ahead, len(results), alpha / 2)
        own_range[name] = low, len(scored) - holm_rejects(behind, len(results), alpha / 2)
    shared = {
        name: [own_range[other] for other in scored if scored[other] == scored[name]]
        for name in scored
    }
    return {
        name: (min(low for low, _ in every), max(high for _, high in every))
        for name, every in shared.items()
    }


@st.composite
def fields(draw: st.DrawFn) -> dict[str, list[str]]:
    """Up to six submissions of different skill, with trials, partial scores and gaps."""
    cases = draw(st.integers(1, 14))
    answers = {}
    for name in "uvwxyz"[: draw(st.integers(1, 6))]:
        marks = draw(st.sampled_from(["+", "-", "+-", "+++-", "+++?", "+-/", "?"]))
        trials = draw(st.integers(1, 3))
        answers[name] = draw(
            st.lists(
                st.text(marks, min_size=trials, max_size=trials), min_size=cases, max_size=cases
            )
        )
    return answers


@pytest.mark.large
@given(fields(), st.sampled_from([0.01, 0.05, 0.3]), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_ranks_agree_with_plain_code_in_any_order(
    answers: dict[str, list[str]], alpha: float, order: Any
) -> None:
    """Ranges match the plain definition. The order of rows and submissions is irrelevant."""
    made = suite("s", a=(len(answers["u"]), 1))
    table = pl.concat([verdicts(name, a=cases) for name, cases in answers.items()])

    found, gaps = board(made, table, alpha=alpha)

    assert (found, gaps) == board(
        made, table[order.sample(range(len(table)), len(table))], alpha=alpha
    )
    assert plain_ranks(answers, alpha) == {
        name: ranges for (category, name), ranges in found.items() if category == "a"
    }
    assert all(found["a", name] == ranges for (_, name), ranges in found.items())


@pytest.mark.large
@given(
    st.lists(st.tuples(*[st.text("+-", min_size=12, max_size=12)] * 3), min_size=2, max_size=5),
    st.sampled_from([0.05, 0.4]),
)
@settings(max_examples=40)
def test_weighted_ranks_agree_with_plain_code(
    answers: list[tuple[str, str, str]], alpha: float
) -> None:
    """With other weights each pair has the p-value of the sign-flip test."""
    categories = {"a": (3, 2.0), "b": (4, 1.0), "c": (12, 1.0)}
    cut = [
        {name: text[:n] for (name, (n, _)), text in zip(categories.items(), texts, strict=True)}
        for texts in answers
    ]

    found, _ = board(
        suite("s", **categories),
        *(verdicts(f"m{i}", **own) for i, own in enumerate(cut)),
        alpha=alpha,
    )

    units = whole_units([2.0, 1.0, 1.0], [3, 4, 12])
    signed = {}
    for (i, one), (j, other) in permutations(enumerate(cut), 2):
        outcomes = []
        for unit, name in zip(units, categories, strict=True):
            pairs = list(zip(one[name], other[name], strict=True))
            outcomes.append((unit, pairs.count(("+", "-")), pairs.count(("-", "+"))))
        ahead = sum(unit * (first - second) for unit, first, second in outcomes)
        signed[i, j] = ahead, sign_flip(outcomes)
    scores = [
        round(sum(w * own[name].count("+") / n for name, (n, w) in categories.items()), 9)
        for own in cut
    ]
    number, ranges = len(cut), []
    for i in range(number):
        rows = [signed[i, j] for j in range(number) if j != i]
        better = holm_rejects([p for ahead, p in rows if ahead < 0], number - 1, alpha)
        worse = holm_rejects([p for ahead, p in rows if ahead > 0], number - 1, alpha)
        ranges.append((1 + better, number - worse))
    for i, score in enumerate(scores):
        alike = [ranges[k] for k, other in enumerate(scores) if other == score]
        widest = min(low for low, _ in alike), max(high for _, high in alike)
        assert widest == found["*", f"m{i}"]


# ---------------------------------------------------------------- real verdicts


@pytest.mark.skipif(
    not REAL.exists(), reason=f"needs the published verdicts of four systems at {REAL}"
)
@pytest.mark.large
def test_four_published_systems() -> None:
    """Published BFCL verdicts: four systems differ on 1,240 cases, fewer on 200 parallel ones."""
    published = json.loads(REAL.read_text())
    sizes = {
        name: cell["total"] for name, cell in next(iter(published.values()))["categories"].items()
    }
    made = suite("s", **{name: (total, total) for name, total in sizes.items()})
    tables = []
    for system, told in published.items():
        marks = {
            name: "".join(
                "-" if f"{name}_{i}" in cell["failing"] else "+" for i in range(cell["total"])
            )
            for name, cell in told["categories"].items()
        }
        assert [cell["correct"] for cell in told["categories"].values()] == [
            text.count("+") for text in marks.values()
        ]
        tables.append(verdicts(system, **marks))

    found, gaps = board(made, *tables)

    haiku, command_r, gpt, mistral = sorted(published)
    assert [(4, 4), (3, 3), (1, 1), (2, 2)] == [
        found["*", name] for name in (haiku, command_r, gpt, mistral)
    ]
    assert [(4, 4), (2, 3), (1, 2), (1, 3)] == [
        found["parallel_function", name] for name in (haiku, command_r, gpt, mistral)
    ]
    assert 6 == gaps["*"]["pairs"]
    assert 0.03 < gaps["*"]["smallest_gap"] < 0.06


# ---------------------------------------------------------------- many, and threads


WRITE = """
import sys
import polars as pl
from leaderboard.frames import VERDICTS
from tests.scoring.verdict_tables import ranked, submission, suite

rows = pl.int_range(40 * 300, eager=True).alias("row").to_frame()
rows = rows.sample(fraction=1, shuffle=True, seed=int(sys.argv[1]))
row = pl.col("row")
one, place = row // 300, row % 300
hard = (row * 7919 + one * one * 31) % 101 / 101
verdicts = rows.select(
    submission=pl.format("m{}", one), suite=pl.lit("s"),
    category=pl.when(place < 100).then(pl.lit("a")).otherwise(pl.lit("b")),
    case_id=pl.when(place < 100)
    .then(pl.format("a{}", place))
    .otherwise(pl.format("b{}", place - 100)),
    trial=pl.lit(1, pl.Int32), metric=pl.lit("correct"), outcome=pl.lit("pass"),
    score=(hard < 0.3 + one / 80).cast(pl.Float64),
    reason=pl.lit("exact"), detail=pl.lit(""), decided_by=pl.lit("rule"),
    judge_call=pl.lit(None, pl.String),
)
made = suite("s", a=(100, 1), b=(200, 1))
everybody = [submission(f"m{i}") for i in range(40)]
for table in ranked(verdicts.match_to_schema(VERDICTS), [made], everybody):
    sys.stdout.write(table.write_csv())
"""


@pytest.mark.large
def test_threads_and_row_order_do_not_change_a_byte() -> None:
    """One thread or two, rows in one order or another: the tables written are the same."""
    first = written(WRITE, 1, 1)

    assert first.count(b"\n") == 1 + 3 * 40 + 1 + 3
    assert first == written(WRITE, 2, 2)
