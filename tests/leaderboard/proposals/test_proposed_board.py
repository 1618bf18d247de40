"""The workspace that a review scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.proposals.proposed_board import assemble
from tests.conftest import Folder


@pytest.fixture
def places(tmp_path: Path) -> tuple[Folder, Folder]:
    """A base and a proposal, with other content in every file."""
    made = Folder(tmp_path / "base"), Folder(tmp_path / "proposed")
    for folder in made:
        for name in ("leaderboard.toml", "datasets/s/suite.toml", "submissions/a/s.json"):
            folder.write(name, folder.root.name)
        folder.write("docs/a.md", folder.root.name)
    return made


@pytest.mark.parametrize("maintainer", [False, True])
def test_a_stranger_brings_submissions_alone(
    places: tuple[Folder, Folder], tmp_path: Path, maintainer: bool
) -> None:
    """A maintainer's settings and suites count too. Documents are always the base's."""
    base, proposed = places
    made = assemble(base.root, proposed.root, tmp_path / "made", maintainer=maintainer).root
    found = {str(p.relative_to(made)): p.read_text() for p in made.rglob("*") if p.is_file()}
    who = "proposed" if maintainer else "base"

    assert found == {
        "leaderboard.toml": who,
        "datasets/s/suite.toml": who,
        "submissions/a/s.json": "proposed",
        "docs/a.md": "base",
    }


def test_links_and_hidden_files_are_left_out(places: tuple[Folder, Folder], tmp_path: Path) -> None:
    """A link could lead anywhere, and a journal would be filed as recorded calls."""
    base, proposed = places
    proposed.write("cassettes/.journal", "{}")
    proposed.write("submissions/.hidden/s.json", "{}")
    (proposed.root / "submissions/a/README.md").symlink_to(base.root / "leaderboard.toml")
    (proposed.root / "submissions/b").symlink_to(base.root)
    made = assemble(base.root, proposed.root, tmp_path / "made", maintainer=False).root

    assert [path.name for path in (made / "submissions/a").iterdir()] == ["s.json"]
    assert sorted(path.name for path in (made / "submissions").iterdir()) == ["a"]
    assert list((made / "cassettes").iterdir()) == []
