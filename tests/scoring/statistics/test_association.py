"""Agreement of two readers, against statsmodels, and the normal distribution."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations

import pytest
import scipy  # type: ignore[import-untyped]  # loads scipy.stats at its first use
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.association import cohen_kappa, concordance, normal_p


@given(z=st.floats(-30, 30))
def test_normal_p_is_the_two_sided_tail(z: float) -> None:
    """normal_p agrees with scipy's normal survival function."""
    assert pytest.approx(2 * scipy.stats.norm.sf(abs(z)), rel=1e-12) == normal_p(z)


@pytest.mark.large
@given(st.lists(st.tuples(st.sampled_from("pfu"), st.sampled_from("pfu")), min_size=1, max_size=50))
def test_cohen_kappa_agrees_with_statsmodels(labels: list[tuple[str, str]]) -> None:
    """κ, observed and expected agreement of three labels."""
    first, second = [a for a, _ in labels], [b for _, b in labels]
    table = [[labels.count((a, b)) for b in "pfu"] for a in "pfu"]

    agreement = cohen_kappa(first, second)

    assert (len(labels), sum(a == b for a, b in labels) / len(labels)) == (
        agreement.cases,
        agreement.observed,
    )
    if set(first) == set(second) and len(set(first)) == 1:
        assert agreement.kappa is None
    else:
        inter_rater = import_module("statsmodels.stats.inter_rater")  # takes seconds
        kappa = inter_rater.cohens_kappa(table, return_results=False)
        assert pytest.approx(kappa, abs=1e-12) == agreement.kappa


RANKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


@given(RANKS)
def test_concordance_counts_pairs(pairs: list[tuple[int, int]]) -> None:
    """Kendall's S by its definition: a tied pair counts nothing."""
    signs = [((a > c) - (a < c)) * ((b > d) - (b < d)) for (a, b), (c, d) in combinations(pairs, 2)]

    assert concordance([a for a, _ in pairs], [b for _, b in pairs]) == sum(signs)


def test_cohen_kappa_by_hand() -> None:
    """20 + 15 of 50 equal, 0.5 expected: κ = (0.7 - 0.5) / 0.5."""
    first = ["p"] * 25 + ["f"] * 25
    second = ["p"] * 20 + ["f"] * 5 + ["p"] * 10 + ["f"] * 15

    agreement = cohen_kappa(first, second)

    assert (50, 0.7, 0.5) == (agreement.cases, agreement.observed, agreement.expected)
    assert pytest.approx(0.4) == agreement.kappa


def test_cohen_kappa_needs_labels() -> None:
    """No labels are no agreement."""
    with pytest.raises(ValueError, match="no labels"):
        cohen_kappa([], [])
