"""Loading whole workspaces."""

from __future__ import annotations

from leaderboard.load import load_contents
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder
from tests.leaderboard.workspaces import errors, load


def test_a_good_workspace_has_no_problems(folder: Folder) -> None:
    """A suite, its prompts and a submission load without problems."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    contents = load(folder)
    assert [] == contents.problems
    assert ["A001", "A002", "A003", "B001", "B002"] == [
        case.id for case in contents.suites[0].cases
    ]
    assert 1 == len(contents.records["m1", "small"])


def test_the_repository_itself_loads() -> None:
    """What this repository ships has no problem at all."""
    assert [] == load_contents(open_workspace(PROJECT), KINDS).problems


def test_every_problem_of_every_file_comes_at_once(folder: Folder) -> None:
    """Problems of a suite, of a card and of two responses files are reported together."""
    folder.write("datasets/small/no_tool.json", "[")
    folder.submission("m1", [{"id": "A999"}], url="ftp://x")
    folder.submission("m2", "{")
    told = "\n".join(errors(folder))
    assert all(name in told for name in ("no_tool.json", "m1/submission.json")), told
