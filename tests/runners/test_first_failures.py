"""When a run gives up."""

from __future__ import annotations

from runners.first_failures import FirstFailures


def test_a_run_gives_up_if_its_first_cases_all_fail() -> None:
    """The last failure that is allowed says so. After an answer no number of failures does."""
    failures = FirstFailures(2)
    assert [failures.count(answered=False) for _ in range(3)] == [False, True, True]
    failures = FirstFailures(2)
    assert [failures.count(answered=answered) for answered in (False, True, False, False)] == [
        False
    ] * 4
    assert not FirstFailures(1, answered=True).count(answered=False)
