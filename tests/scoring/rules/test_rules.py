"""The table of rules: every kind has one, its metrics, and something to say of a case that nobody answered."""

from __future__ import annotations

import pytest

from leaderboard.files.case_files import CASE_READERS
from leaderboard.reasons import REASONS
from leaderboard.types import Case, Category, Decision, GroundTruth, Response, Suite, Trajectory
from scoring.rules import METRICS, RULES, RULES_VERSION, missing


def test_every_kind_that_loads_has_a_rule_and_metrics() -> None:
    """What can be loaded can be scored."""
    assert set(RULES) == set(METRICS)
    assert set(CASE_READERS) <= set(RULES)
    assert all(METRICS.values())


@pytest.mark.parametrize("kind", sorted(RULES))
def test_a_rule_gives_its_metrics_in_order(kind: str) -> None:
    """A rule says one thing for each metric of its kind."""
    suite = Suite("s", "S", "", kind, (Category("c", "C", "", 1.0, None, ()),), {}, "", {})
    truth = GroundTruth(trajectory=Trajectory(((),), reference="Hello."))
    found = RULES[kind](
        suite, Case("1", "c", "?", truth, (), {}, ""), Response("1", b"", (), "Hello.")
    )
    assert tuple(finding.metric for finding in found) == METRICS[kind]


@pytest.mark.parametrize("kind", sorted(RULES))
def test_a_case_without_a_record_fails_every_metric(kind: str) -> None:
    """A missing response is a fail with a score of 0, never left out."""
    assert [decision.metric for decision in missing(kind)] == list(METRICS[kind])
    for decision in missing(kind):
        detail = "The submission does not answer this case."
        assert decision == Decision(decision.metric, "fail", 0.0, "missing_response", detail)
        assert decision.reason in REASONS


def test_an_unknown_kind_is_no_silent_pass() -> None:
    """A kind without a rule raises."""
    with pytest.raises(KeyError):
        missing("guesswork")


def test_the_rules_have_a_version() -> None:
    """The version is a whole number from 1, as the manifest states it."""
    assert RULES_VERSION >= 1
