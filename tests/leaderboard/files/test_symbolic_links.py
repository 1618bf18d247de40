"""Links in the folders of a board."""

from __future__ import annotations

import pytest

from tests.conftest import Folder
from tests.leaderboard.workspaces import errors, load


@pytest.mark.parametrize(
    "place",
    [
        "submissions/m1/README.md",
        "submissions/m2",
        "datasets/small/cache/x.json",
        "datasets/small/cache",
        "prompts/small/labels",
        "docs/page.md",
        "docs",
        "history",
        "cassettes/embedded-1/small/m1.json",
    ],
)
@pytest.mark.parametrize("target", ["leaderboard.toml", "..", "nowhere", "/etc/passwd"])
def test_t5_a_link_is_a_problem_wherever_it_is(folder: Folder, place: str, target: str) -> None:
    """A link to a file or folder in the workspace or outside, or to nothing, is one problem."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    path = folder.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(folder.root / target)

    (found,) = [problem for problem in set(errors(folder)) if problem.startswith(f"{place}: is a")]
    assert "link" in found


def test_no_link_is_no_problem(folder: Folder) -> None:
    """Ordinary files and folders are fine."""
    folder.submission("m1", [{"id": "B001", "model_text": "Paris"}])
    folder.write("docs/page.md", "# A page\n")
    assert [] == load(folder).problems
