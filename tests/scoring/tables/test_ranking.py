"""Ranks and gaps: hand-worked boards, every kind of pair, plain code as oracle, any row order."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from leaderboard.errors import FilesError
from leaderboard.frames import GAPS, RANKS, VERDICTS
from leaderboard.types import Suite
from scoring import statistics
from scoring.tables.aggregate import case_scores
from scoring.tables.ranking import ranks
from tests.conftest import PROJECT
from tests.scoring.verdict_tables import MARKS, submission, suite, verdicts

REAL = PROJECT.parent / "shared" / "real" / "bfcl" / "expected.json"
CORRECT = {"s": "correct", "t": "correct"}


def board(
    made: Suite, *tables: pl.DataFrame, alpha: float = 0.05
) -> tuple[dict[tuple[str, str], tuple[int, int]], dict[str, Any]]:
    """Rank ranges by category and submission, and rows of GAPS. Names with `base` are baselines."""
    given_verdicts = pl.concat(tables) if tables else pl.DataFrame(schema=VERDICTS)
    names = given_verdicts["submission"].unique().to_list()
    cards = [submission(name, "baseline" if name.startswith("base") else "model") for name in names]
    table, gaps = ranks(case_scores(given_verdicts), [made], cards, CORRECT, alpha)
    assert (RANKS, GAPS) == (table.schema, gaps.schema)
    found = {
        (row["category"], row["submission"]): (row["rank_low"], row["rank_high"])
        for row in table.to_dicts()
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
    assert (
        expected | {"smallest_gap": pytest.approx(statistics.smallest_gap([(1, 2 / 3, 20)]))}
        == gaps["a"]
    )
    assert {**gaps["a"], "category": "*"} == gaps["*"]


def test_submissions_without_a_difference_share_a_range() -> None:
    """Five cases net of five are p = 0.06: both may be first or second."""
    found, _ = board(suite("s", a=(9, 1)), verdicts("x", a="+" * 9), verdicts("y", a="++++-----"))

    assert {(1, 2)} == set(found.values())


def test_holm_counts_every_pair() -> None:
    """Seven to none is p = 0.016: below 0.04 for one pair, not for one of three."""
    two = (verdicts("x", a="+" * 9), verdicts("y", a="++-------"))
    third = verdicts("z", a="+++++----")

    assert {("a", "x"): (1, 1), ("a", "y"): (2, 2)}.items() <= board(
        suite("s", a=(9, 1)), *two, alpha=0.04
    )[0].items()
    assert {(1, 3)} == set(board(suite("s", a=(9, 1)), *two, third, alpha=0.04)[0].values())


def test_a_smaller_alpha_finds_fewer_differences() -> None:
    """Ten to none is p = 0.002."""
    tables = (verdicts("x", a="+" * 10), verdicts("y", a="-" * 10))

    assert {(1, 1), (2, 2)} == set(board(suite("s", a=(10, 1)), *tables)[0].values())
    assert {(1, 2)} == set(board(suite("s", a=(10, 1)), *tables, alpha=0.001)[0].values())


def test_equal_scores_share_the_widest_range() -> None:
    """Both x and y pass 12 of 20, but only y differs from z: neither ranks above the other."""
    made = suite("s", a=(20, 1))
    tables = (
        verdicts("x", a="+" * 4 + "-" * 8 + "+" * 8),
        verdicts("y", a="+" * 12 + "-" * 8),
        verdicts("z", a="+" * 4 + "-" * 16),
    )

    found, _ = board(made, *tables)
    apart = [statistics.mcnemar(8, 0)] * 2 + [statistics.mcnemar(8, 8)]

    assert [True, True, False] == [p <= 0.05 for p in statistics.holm(apart)]
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
    found, gaps = board(suite("s", a=(2, 1), b=(0, 1)))

    assert found == {}
    assert [("*", 0), ("a", 0), ("b", 0)] == [
        (category, row["pairs"]) for category, row in gaps.items()
    ]
    for table, schema in zip(
        ranks(case_scores(pl.DataFrame(schema=VERDICTS)), [], [], {}), (RANKS, GAPS), strict=True
    ):
        assert_frame_equal(pl.DataFrame(schema=schema), table)


def test_only_the_ranked_metric_counts() -> None:
    """Another metric of the same cases changes nothing."""
    tables = (verdicts("x", a="+" * 10), verdicts("y", a="-" * 10))
    other = (verdicts("x", metric="finish", a="-" * 10), verdicts("y", metric="finish", a="+" * 10))

    assert board(suite("s", a=(10, 1)), *tables) == board(suite("s", a=(10, 1)), *tables, *other)


def test_unscored_cases_are_left_out_pair_by_pair() -> None:
    """Submissions x and y agree on eight shared cases. Each case counts in scored pairs."""
    found, gaps = board(
        suite("s", a=(10, 1)), verdicts("x", a="????++++++"), verdicts("y", a="--++++++??")
    )

    assert {(1, 2)} == set(found.values())
    assert (1, 0.0) == (gaps["a"]["pairs"], gaps["a"]["discordance"])
    _, gaps = board(
        suite("s", a=(4, 1)),
        verdicts("x", a="++?-"),
        verdicts("y", a="+-+?"),
        verdicts("z", a="--+-"),
    )
    # x y share 2 and differ on 1, x z share 3 and differ on 2, y z share 3 and differ on 1.
    assert (3, 4 / 8) == (gaps["a"]["pairs"], gaps["a"]["discordance"])
    assert pytest.approx(statistics.smallest_gap([(1, 0.5, 8 / 3)])) == gaps["a"]["smallest_gap"]


def test_pairs_that_share_no_case_are_no_pairs() -> None:
    """Submissions scored on different cases cannot be compared, and correct no other pair."""
    found, gaps = board(
        suite("s", a=(20, 1)),
        verdicts("x", a="+" * 10 + "?" * 10),
        verdicts("y", a="?" * 10 + "-" * 10),
    )

    assert {(1, 2)} == set(found.values())
    assert (0, None) == (gaps["a"]["pairs"], gaps["a"]["discordance"])


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
    """A paired t test of the case means: sixths here, because thirds and halves meet."""
    first, second = ["+++", "++-", "++-", "+--", "+++", "+++"], ["+-", "--", "--", "--", "+-", "+-"]
    found, gaps = board(suite("s", a=(6, 1)), verdicts("x", a=first), verdicts("y", a=second))
    differences = [3, 4, 4, 2, 3, 3]  # in sixths

    assert statistics.paired_p(6, sum(differences), sum(d * d for d in differences)) < 0.05
    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]
    assert pytest.approx(sum(d * d for d in differences) / 36 / 6) == gaps["a"]["discordance"]


def test_trials_of_one_submission_do_not_change_the_test_of_others() -> None:
    """Submissions x and y keep McNemar's test. z has halves: both are tested with z by t."""
    made = suite("s", a=(8, 1))
    tables = (verdicts("x", a="+" * 8), verdicts("y", a="+-------"))
    alone, _ = board(made, *tables)

    found, _ = board(made, *tables, verdicts("z", a=["+-"] * 4 + ["++"] * 4))

    assert [(1, 1), (2, 2)] == [alone["a", "x"], alone["a", "y"]]
    # x to z: t = 2.65 on d = 1/2 four times, 0 four times. p = 0.033 is the largest of the three.
    assert statistics.paired_p(8, 4, 4) == pytest.approx(0.033, abs=0.001)
    assert [(1, 1), (3, 3), (2, 2)] == [found["a", name] for name in "xyz"]


def test_one_part_score_among_many_cases_makes_a_t_test() -> None:
    """12 to 3 and a half of 200 cases: p = 0.015 by t. Passes and fails alone have 0.035."""
    found, _ = board(
        suite("s", a=(200, 1)),
        verdicts("x", a="+" * 12 + "---" + "/" + "+" * 184),
        verdicts("y", a="-" * 12 + "+++" + "-" + "+" * 184),
        alpha=0.02,
    )

    assert statistics.paired_p(200, 19, 61) == pytest.approx(0.0146, abs=1e-4)
    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]


def test_scores_above_one_are_ranked() -> None:
    """Levels are whole numbers of any size."""
    found, _ = board(
        suite("s", a=(5, 1)),
        verdicts("x", a=[2.0, 2.5, 3.0, 2.0, 2.5]),
        verdicts("y", a=[1.0, 1.0, 1.5, 1.0, 0.5]),
    )

    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]


def test_fractions_of_all_kinds_are_ranked() -> None:
    """Scores without a small denominator are rounded to 1/1024."""
    first = [math.sqrt(place / 40) for place in range(1, 31)]
    second = [score - 0.05 - 0.01 * math.sin(place) for place, score in enumerate(first)]

    found, gaps = board(suite("s", a=(30, 1)), verdicts("x", a=first), verdicts("y", a=second))

    assert [(1, 1), (2, 2)] == [found["a", "x"], found["a", "y"]]
    expected = math.fsum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / 30
    assert pytest.approx(expected, rel=0.02) == gaps["a"]["discordance"]


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
    assert pytest.approx(statistics.smallest_gap([(1, 8 / 15, 15)])) == gaps["*"]["smallest_gap"]


def test_other_weights_flip_signs() -> None:
    """Seven to one is not enough in equal cases. Six in a small category are, by sign flips."""
    made = suite("s", a=(6, 1), b=(10, 1))
    found, gaps = board(
        made, verdicts("x", a="+" * 6, b="+-" + "+" * 8), verdicts("y", a="-" * 6, b="-+" + "+" * 8)
    )

    p = statistics.sign_flip([(1 / 6, 6, 0), (1 / 10, 1, 1)])
    assert statistics.mcnemar(7, 1) > 0.05
    assert [(1, 1), (2, 2)] == [found["*", "x"], found["*", "y"]]
    assert 2 * (1 / 64) * (3 / 4) == p
    assert pytest.approx((6 / 6 + 2 / 10) / 2) == gaps["*"]["discordance"]
    assert (
        pytest.approx(statistics.smallest_gap([(1, 1, 6), (1, 0.2, 10)]))
        == gaps["*"]["smallest_gap"]
    )


def test_part_scores_under_other_weights() -> None:
    """With partial scores the weighted difference is normal with the sum of squares as variance."""
    made = suite("s", a=(4, 1), b=(12, 1))
    found, _ = board(
        made, verdicts("x", a="++//", b="+" * 12), verdicts("y", a="//--", b="+" * 11 + "-")
    )

    p = statistics.weighted_p([(1 / 4, 4 / 2, 4 / 4), (1 / 12, 1, 1)])
    assert (0.01 < p < 0.05, [(1, 1), (2, 2)]) == (True, [found["*", "x"], found["*", "y"]])
    found, _ = board(
        made,
        verdicts("x", a="++//", b="+" * 12),
        verdicts("y", a="//--", b="+" * 11 + "-"),
        alpha=0.01,
    )
    assert {(1, 2)} == {found["*", "x"], found["*", "y"]}


def test_a_category_that_two_do_not_share_keeps_them_apart() -> None:
    """With other weights a pair needs every category. Without one, it is no pair in the whole."""
    found, gaps = board(
        suite("s", a=(20, 1), b=(2, 1)),
        verdicts("x", a="+" * 20, b="+?"),
        verdicts("y", a="-" * 20, b="?+"),
    )

    assert [(1, 1), (1, 2)] == [found["a", "x"], found["*", "x"]]
    assert [0, 1, 0] == [gaps[category]["pairs"] for category in "*ab"]


def test_suites_stand_apart_and_in_order() -> None:
    """Rows are sorted by suite, category (the whole first, then as listed) and submission."""
    made = [suite("t", c=(1, 1)), suite("s", b=(1, 1), a=(1, 1))]
    tables = [
        verdicts(name, suite_id, **cases)
        for name in "zy"
        for suite_id, cases in (("t", {"c": "+"}), ("s", {"b": "+", "a": "-"}))
    ]

    table, gaps = ranks(
        case_scores(pl.concat(tables)), made, [submission("z"), submission("y")], CORRECT
    )

    places = [("s", "*"), ("s", "b"), ("s", "a"), ("t", "*"), ("t", "c")]
    assert places == gaps.select("suite", "category").rows()
    assert [(*place, name) for place in places for name in "yz"] == table.select(
        "suite", "category", "submission"
    ).rows()


def test_verdicts_of_an_unknown_category_are_refused() -> None:
    """As for scores: nothing is dropped in silence."""
    with pytest.raises(FilesError, match="'gone'"):
        board(suite("s", a=(1, 1)), verdicts("x", a="+", gone="+"))


def test_every_suite_needs_a_ranked_metric() -> None:
    """A suite without one is a mistake of the caller."""
    with pytest.raises(KeyError, match="'u'"):
        ranks(case_scores(pl.DataFrame(schema=VERDICTS)), [suite("u", a=(1, 1))], [], CORRECT)


# ---------------------------------------------------------------- against plain code


def level(marks: str) -> Fraction | None:
    """The mean of a case's scored trials."""
    scored = [Fraction(score) for _, score, _ in map(MARKS.__getitem__, marks) if score is not None]
    return sum(scored, Fraction(0)) / len(scored) if scored else None


def compared(first: Sequence[str], second: Sequence[str]) -> tuple[Fraction, float] | None:
    """Two submissions in one category: the sum of their differences and the p-value, or None."""
    pairs = [
        (a, b)
        for a, b in zip(map(level, first), map(level, second), strict=True)
        if a is not None and b is not None
    ]
    if not pairs:
        return None
    differences = [a - b for a, b in pairs]
    if all(a in (0, 1) for marks in (first, second) for a in map(level, marks) if a is not None):
        return sum(differences, Fraction(0)), statistics.mcnemar(
            differences.count(Fraction(1)), differences.count(Fraction(-1))
        )
    whole = [int(12 * d) for d in differences]
    return sum(differences, Fraction(0)), statistics.paired_p(
        len(whole), sum(whole), sum(d * d for d in whole)
    )


def plain_ranks(answers: dict[str, list[str]], alpha: float) -> dict[str, tuple[int, int]]:
    """The rank ranges of one category by the words of the definition."""
    levels = {
        name: [one for one in map(level, cases) if one is not None]
        for name, cases in answers.items()
    }
    scored = {name: sum(own, Fraction(0)) / len(own) for name, own in levels.items() if own}
    results = {
        (a, b): found
        for a, b in combinations(sorted(scored), 2)
        if (found := compared(answers[a], answers[b]))
    }
    adjusted = dict(zip(results, statistics.holm([p for _, p in results.values()]), strict=True))
    lost = [
        pair if results[pair][0] < 0 else pair[::-1] for pair, p in adjusted.items() if p <= alpha
    ]
    own_range = {
        name: (
            1 + sum(loser == name for loser, _ in lost),
            len(scored) - sum(winner == name for _, winner in lost),
        )
        for name in scored
    }
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
        marks = draw(st.sampled_from(["+", "-", "+-", "+++-", "+++?", "---?", "+-/", "?"]))
        trials = draw(st.integers(1, 3))
        answers[name] = draw(
            st.lists(
                st.text(marks, min_size=trials, max_size=trials), min_size=cases, max_size=cases
            )
        )
    return answers


@given(fields(), st.sampled_from([0.01, 0.05, 0.3]), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
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


@given(
    st.lists(st.tuples(*[st.text("+-", min_size=12, max_size=12)] * 3), min_size=2, max_size=5),
    st.sampled_from([0.05, 0.4]),
)
@settings(max_examples=40, deadline=None)
def test_weighted_ranks_agree_with_plain_code(
    answers: list[tuple[str, str, str]], alpha: float
) -> None:
    """With other weights each pair has the p-value of the sign-flip test, exact or normal."""
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

    p_values, ahead = [], []
    for one, other in combinations(cut, 2):
        strata = []
        for name, (n, weight) in categories.items():
            outcomes = list(zip(one[name], other[name], strict=True))
            strata.append((weight / n, outcomes.count(("+", "-")), outcomes.count(("-", "+"))))
        p_values.append(statistics.sign_flip(strata))
        ahead.append(math.fsum(value * (first - second) for value, first, second in strata))
    apart = [p <= alpha for p in statistics.holm(p_values)]
    scores = [
        round(sum(w * own[name].count("+") / n for name, (n, w) in categories.items()), 9)
        for own in cut
    ]
    low, high = [1] * len(cut), [len(cut)] * len(cut)
    for (i, j), told, difference in zip(
        combinations(range(len(cut)), 2), apart, ahead, strict=True
    ):
        if told:
            winner, loser = (i, j) if difference > 0 else (j, i)
            low[loser] += 1
            high[winner] -= 1
    for i, score in enumerate(scores):
        alike = [k for k, other in enumerate(scores) if other == score]
        assert (min(low[k] for k in alike), max(high[k] for k in alike)) == found["*", f"m{i}"]


# ---------------------------------------------------------------- real verdicts


@pytest.mark.skipif(
    not REAL.exists(), reason=f"needs the published verdicts of four systems at {REAL}"
)
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
from scoring.tables.aggregate import case_scores
from scoring.tables.ranking import ranks
from tests.scoring.verdict_tables import submission, suite

rows = pl.int_range(40 * 300, eager=True).alias("row").to_frame()
rows = rows.sample(fraction=1, shuffle=True, seed=int(sys.argv[1]))
row = pl.col("row")
one, place = row // 300, row % 300
hard = (row * 7919 + one * one * 31) % 101 / 101
verdicts = rows.select(
    submission=pl.format("m{}", one), suite=pl.lit("s"),
    category=pl.when(place < 100).then(pl.lit("a")).otherwise(pl.lit("b")),
    case_id=pl.format("{}", place),
    trial=pl.lit(1, pl.Int32), metric=pl.lit("correct"), outcome=pl.lit("pass"),
    score=pl.when(hard > 0.97).then(None).otherwise((hard < 0.3 + one / 80).cast(pl.Float64)),
    reason=pl.lit("exact"), detail=pl.lit(""), decided_by=pl.lit("rule"),
    judge_call=pl.lit(None, pl.String),
)
made = suite("s", a=(100, 1), b=(200, 1))
everybody = [submission(f"m{i}") for i in range(40)]
cases = case_scores(verdicts.match_to_schema(VERDICTS))
for table in ranks(cases, [made], everybody, {"s": "correct"}):
    sys.stdout.write(table.write_csv())
"""


def written(threads: int, seed: int) -> bytes:
    path = os.pathsep.join([str(PROJECT), str(PROJECT / "tests")])
    environment = {
        **os.environ,
        "POLARS_MAX_THREADS": str(threads),
        "PYTHONPATH": path,
        "PYTHONHASHSEED": str(seed),
    }
    return subprocess.run(
        [sys.executable, "-c", WRITE, str(seed)],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


@pytest.mark.large
def test_threads_and_row_order_do_not_change_a_byte() -> None:
    """One thread or two, rows in one order or another: the tables written are the same."""
    first = written(1, 1)

    assert first.count(b"\n") == 1 + 3 * 40 + 1 + 3
    assert first == written(2, 2)
