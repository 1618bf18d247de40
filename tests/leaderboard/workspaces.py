"""Loading a small workspace in tests, and the problems found in it."""

from __future__ import annotations

from leaderboard.load import Contents, load_contents
from leaderboard.types import Case
from leaderboard.workspace import open_workspace
from scoring.rules.workspace_rules import kinds_of
from tests.conftest import Folder


def load(folder: Folder) -> Contents:
    return load_contents(open_workspace(folder.root), kinds_of(folder.root))


def errors(folder: Folder) -> list[str]:
    return [str(problem) for problem in load(folder).errors]


def case_of(contents: Contents, case_id: str) -> Case:
    suite = contents.suite("small")
    assert suite is not None
    return suite.by_id[case_id]
