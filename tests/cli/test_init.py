"""`lb init`: a board in a new folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import app
from tests.conftest import Folder


def init(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["init", *map(str, words)])


def test_the_demo_is_a_board_in_three_commands(tmp_path: Path) -> None:
    """It scores without a judge and a network, and its pages name nothing that it does not have."""
    made = init(tmp_path / "look", "--demo", "--title", "My look")
    board = Folder(tmp_path / "look")
    assert made.exit_code == 0, made.output
    assert "13 files, 2 submissions" in made.stderr

    scored = board.lb("rescore", "--offline")
    assert (scored.exit_code, board.lb("build").exit_code, board.lb("verify").exit_code) == (
        0,
        0,
        0,
    )
    assert "program-sum                       29.2" in scored.stdout
    site = board.tree("_site")
    assert b"<h2>Contribute</h2>" in site["index.html"]
    assert b"My look" in site["index.html"]
    assert "judges/index.html" not in site
    assert [name for name, page in site.items() if b"make site" in page] == []


@pytest.mark.parametrize("words", [(), ("--kind", "tool_selection")])
def test_a_new_board_has_no_problems(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Without cases, it has examples of its kind to replace."""
    made = init(tmp_path / "my-board", *words)
    board = Folder(tmp_path / "my-board")

    assert made.exit_code == 0, made.output
    assert made.stderr.splitlines()[-1] == f"next: cd {board.root} && lb validate"
    assert board.lb("validate").stderr == "OK: 0 submissions, 1 suite\n"
    assert board.lb("rescore", "--offline").exit_code == board.lb("build").exit_code == 0
    assert 'title = "My board"' in (board.root / "leaderboard.toml").read_text(encoding="utf-8")


def test_the_workflow_uses_the_action_that_is_named(tmp_path: Path) -> None:
    """Without a name it has a placeholder, and says how to fill it."""
    init(tmp_path / "a")
    init(tmp_path / "b", "--action", "example/toolboard@0a0a")
    workflows = [
        (tmp_path / name / ".github/workflows/board.yml").read_text(encoding="utf-8")
        for name in "ab"
    ]

    assert workflows[0].count("uses: OWNER/toolboard@COMMIT") == 2
    assert workflows[1].count("uses: example/toolboard@0a0a") == 2


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--kind", "exakt"), 2, "no kind 'exakt'; there are: call_match, exact"),
        (("--demo", "--kind", "exact"), 2, "leave out --kind"),
        (("--title", "two\nlines"), 1, "leaderboard.toml"),
    ],
)
def test_what_cannot_be_made_leaves_no_folder(
    tmp_path: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    """The message names the option or the file."""
    refused = init(tmp_path / "new", *words)

    assert (refused.exit_code, message in refused.stderr) == (code, True), refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_suite_that_needs_a_judge_needs_one_in_the_panel(folder: Folder) -> None:
    """Without a judge, its answers would stay unscored for ever."""
    text = (folder.root / "leaderboard.toml").read_text(encoding="utf-8")
    folder.write("leaderboard.toml", text.replace('panel = ["embedded-1"]', ""))
    refused = folder.lb("validate")

    assert refused.exit_code == 1
    assert "names no judge in `panel`, but the suite small has prompts for one" in refused.stderr
