"""Intervals, p-values and rank ranges are as often right as they say: a short simulation."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

from tests.conftest import PROJECT


def loaded() -> ModuleType:
    """The benchmark, which is a script and not part of a package."""
    path = PROJECT / "benchmarks" / "interval_coverage.py"
    spec = spec_from_file_location("coverage_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SIMULATED = loaded()
LARGE, MIDDLE, SMALL = SIMULATED.SUITES.values()

# Below and above what the targets allow, for the chance of so few boards: two standard errors.
FEW = 0.008


@pytest.mark.large
@pytest.mark.parametrize("share", [0.5, 0.9, 0.95, 0.98])
def test_scores_of_large_suites(share: float) -> None:
    """273 cases at equal shares: coverage .945 to .965, at most .04 on a side."""
    found = SIMULATED.scores(LARGE, [share] * 5, 3000, 1)

    assert 0.945 - FEW <= found.share <= 0.965 + FEW
    assert found.side <= 0.04 + FEW


@pytest.mark.large
@pytest.mark.parametrize("share", [0.5, 0.9, 0.95])
def test_scores_of_middle_suites(share: float) -> None:
    """95 cases: coverage .94 to .965, at most .05 on a side."""
    found = SIMULATED.scores(MIDDLE, [share] * 4, 3000, 1)

    assert 0.94 - FEW <= found.share <= 0.965 + FEW
    assert found.side <= 0.05 + FEW


@pytest.mark.large
def test_scores_of_small_suites_and_unequal_categories() -> None:
    """49 cases: .92 to .995. One hard category among perfect ones: too wide rather than wrong."""
    for shares in ([0.5] * 6, [0.9] * 6, [0.98] * 6, [1, 1, 1, 1, 1, 0.5]):
        found = SIMULATED.scores(SMALL, shares, 3000, 1)
        assert 0.92 - FEW <= found.share <= 0.995
        assert found.side <= 0.08 + FEW
    unequal = SIMULATED.scores(LARGE, [1, 1, 1, 1, 0.5], 3000, 1)
    assert 0.945 - FEW <= unequal.share <= 0.975 + FEW


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.95])
@pytest.mark.large
def test_scores_over_trials(correlation: float) -> None:
    """Three trials: at least .935, however much the trials of a case have in common."""
    for sizes, share in (((49,), 0.5), ((49,), 0.98), (LARGE, 0.9)):
        found = SIMULATED.trial_scores(sizes, share, correlation, 600, 2)
        assert found.share >= 0.935 - 2.5 * FEW


@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.large
def test_differences(trials: int) -> None:
    """Paired differences: at least .93."""
    for sizes in (MIDDLE, SMALL):
        assert SIMULATED.differences(sizes, (0.15, 0.05), trials, 300, 3).share >= 0.93 - 3 * FEW


@pytest.mark.large
def test_rank_ranges_of_one_row() -> None:
    """A row chosen beforehand: at least .95, all rows at once as well, also where all are equal."""
    for skills in ([0.8] * 20, [0.6] * 10 + [0.75] * 10):
        found = SIMULATED.rank_ranges(skills, 150, 100, 5)
        assert found.row >= 0.95
        assert found.every >= 0.95
        assert found.width <= found.width_of_all


@pytest.mark.skipif(
    not SIMULATED.REAL.exists(), reason=f"needs the published verdicts at {SIMULATED.REAL}"
)
@pytest.mark.large
def test_ranges_of_one_row_are_narrower_on_real_models() -> None:
    """Four published models made into 71: at least 15 % narrower than the ranges of all rows."""
    found = SIMULATED.ranges(*SIMULATED.real_models(71, 6))

    one = sum(high - low for low, high, _, _ in found)
    assert one <= 0.85 * sum(high - low for _, _, low, high in found)


@pytest.mark.large
@pytest.mark.parametrize("judge", [(0.95, 0.92, 1.0, 30), (0.7, 0.75, 0.3, 100)])
def test_judged_scores(judge: tuple[float, float, float, int]) -> None:
    """With the judge's error: at least .93 with pooled labels, .89 with labels of each category."""
    for share in (0.3, 0.7):
        together, apart = SIMULATED.judged_scores(share, SIMULATED.JudgedBy(*judge), 500, 7)
        assert together.share >= 0.93 - 2.5 * FEW
        assert apart.share >= 0.89 - 2.5 * FEW


@pytest.mark.large
def test_a_blind_judge_makes_the_limits_as_wide_as_they_can_be() -> None:
    """A judge at random that decides everything leaves 0 to 1."""
    found = SIMULATED.judged_scores(0.7, SIMULATED.JudgedBy(0.5, 0.5, 1.0, 100), 100, 7)

    assert all(one.share >= 0.97 and one.width > 0.99 for one in found)


@pytest.mark.large
def test_the_approximation_of_p_values() -> None:
    """In suites of this size the exact p is used. The approximation would be a few percent off."""
    found = SIMULATED.p_values(LARGE, 30, 4)

    assert 0.9 < found.low < found.high < 1.1
