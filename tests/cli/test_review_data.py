"""What of others a proposal takes. `tests/attacks/` has whole reviews of such proposals."""

from __future__ import annotations

from cli.review_data import joined_sweep
from leaderboard.types import Card, Submission


def swept(tools: int, organization: str = "Lab") -> Submission:
    settings = {"sweep": "a", "max_tools": tools}
    card = Card(f"A {tools}", "agent", organization, "m", "2026-01-31", settings=settings)
    return Submission(f"a-k{tools}", card, None, {})


def test_a_place_in_a_sweep_is_taken_once() -> None:
    """A member of before joins nothing, and neither do members that come together."""
    few, some, many = swept(8), swept(16), swept(32)

    assert joined_sweep("a-k32", [few, some], [few, some, many]) == ("a-k8", "a-k16")
    assert joined_sweep("a-k32", [few, many], [few, many]) == ()
    assert joined_sweep("a-k32", [], [some, many]) == ()
    assert joined_sweep("a-k32", [few], [few, swept(32, "Others")]) == ()
