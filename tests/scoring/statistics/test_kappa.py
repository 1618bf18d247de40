"""Agreement of two readers, against statsmodels."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.kappa import cohen_kappa


@pytest.mark.large
@given(st.lists(st.tuples(st.sampled_from("pfu"), st.sampled_from("pfu")), min_size=1, max_size=50))
def test_cohen_kappa_agrees_with_statsmodels(labels: list[tuple[str, str]]) -> None:
    """κ of three labels."""
    table = [[labels.count((a, b)) for b in "pfu"] for a in "pfu"]

    agreement = cohen_kappa(Counter(labels))

    if len({label for pair in labels for label in pair}) == 1:
        assert agreement.kappa is None
    else:
        inter_rater = import_module("statsmodels.stats.inter_rater")  # takes seconds
        kappa = inter_rater.cohens_kappa(table, return_results=False)
        assert pytest.approx(kappa, abs=1e-12) == agreement.kappa


def test_cohen_kappa_by_hand() -> None:
    """20 + 15 of 50 equal, 0.5 expected: κ = (0.7 - 0.5) / 0.5."""
    counts = {("p", "p"): 20, ("p", "f"): 5, ("f", "p"): 10, ("f", "f"): 15}

    agreement = cohen_kappa(counts)

    assert agreement.expected == 0.5
    assert pytest.approx(0.4) == agreement.kappa


def test_cohen_kappa_needs_labels() -> None:
    """No labels are no agreement."""
    with pytest.raises(ValueError, match="no labels"):
        cohen_kappa({})
