"""What commands get when they open a workspace."""

from __future__ import annotations

from pathlib import Path

from cli.wiring import kinds_of
from leaderboard.types import Case, Category, GroundTruth, Response, Suite, Trajectory
from leaderboard.workspace import Workspace


def test_kinds_check_what_responses_report(tmp_path: Path) -> None:
    """A state that no call leads to is not believed. A message reports nothing to check."""
    kinds = kinds_of(Workspace(tmp_path))
    truth = GroundTruth(trajectory=Trajectory((("d",),), state="d", has_state=True))
    case = Case("1", "c", "d", truth, (), {}, "")
    environment = "Tool Usage - Typewriter (26 tools)"
    category = Category("c", "C", "", 1.0, None, (case,), environment)
    claimed = Response("1", b"", (), "d", state="d", has_state=True)
    checked = {}
    for name in ("tool_usage", "exact"):
        suite = Suite("s", "S", "", kinds[name], (category,), {}, "", {case.id: case})
        checked[name] = suite.kind.confirm(suite, case, claimed)

    assert (checked["tool_usage"].state, checked["tool_usage"].reported_state) == ("", "d")
    assert checked["exact"] is claimed


def test_own_rules_can_be_those_of_another_workspace(tmp_path: Path) -> None:
    """A proposal that is reviewed brings no rule."""
    base, proposal = tmp_path / "base", tmp_path / "proposal"
    for folder, name in ((base, "ours"), (proposal, "theirs")):
        (folder / "rules").mkdir(parents=True)
        (folder / "rules" / f"{name}.py").write_text("def score(case, response):\n    return 1\n")

    assert "theirs" in kinds_of(Workspace(proposal))
    kinds = kinds_of(Workspace(proposal), rules=Workspace(base))
    assert ("ours" in kinds, "theirs" in kinds) == (True, False)
