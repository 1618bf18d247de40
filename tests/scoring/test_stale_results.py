"""Results that no longer match the files: `lb build` and `lb snapshot` refuse them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.records import JUDGED, RIGHT
from tests.conftest import SETTINGS, Folder, small_board

CASSETTE = "cassettes/embedded-1/small/m1.json"


@pytest.fixture(scope="module")
def first(
    tmp_path_factory: pytest.TempPathFactory,
) -> Folder:

    made = small_board(tmp_path_factory.mktemp("board") / "board")
    trial = SETTINGS.replace("[judges.embedded-1]", "[judges.trial]").partition("[judges")[2]
    made.write("leaderboard.toml", f"{SETTINGS}\n[judges{trial}")
    made.submission("m1", [RIGHT, JUDGED])
    assert made.lb("rescore").exit_code == 0
    return made


@pytest.fixture
def board(first: Folder, tmp_path: Path) -> Folder:
    """A scored board with a second judge that is not of the panel."""
    return first.copied_to(tmp_path / "board")


def change_cassette(board: Folder) -> None:
    path = board.root / CASSETTE
    path.write_text(path.read_text() + "\n")


def change_prompt(board: Folder) -> None:
    path = board.root / "prompts/small/no_tool.md"
    path.write_text(path.read_text() + "\nBe strict.\n")


def change_card(board: Folder) -> None:
    board.submission("m1", [RIGHT, JUDGED], partial=["small"])


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (change_cassette, f"cassettes {CASSETTE}"),
        (change_prompt, "prompts small/no_tool"),
        (change_card, "cards m1"),
    ],
)
@pytest.mark.large
def test_changed_files_are_named(
    board: Folder, change: Callable[[Folder], None], named: str
) -> None:
    """Pages would show a reply or a prompt beside a verdict that it did not give."""
    change(board)
    for command in ("build", "snapshot"):
        result = board.lb(command)
        assert (result.exit_code, named in result.stderr) == (1, True), result.stderr
        assert "run lb rescore again" in result.stderr
    assert not (board.root / "_site").exists()


@pytest.mark.large
def test_preferences_change_no_score(board: Folder) -> None:
    """`lb prefer` records calls after a scoring, and the site can be built."""
    data = (board.root / CASSETTE).read_bytes()
    board.write("cassettes/embedded-1/small/_preferences.json", data)
    assert board.lb("build").exit_code == 0


@pytest.mark.large
def test_a_trial_of_another_judge_is_named_and_never_kept(board: Folder) -> None:
    """It can be built to look at it. A snapshot of it would become the board's history."""
    assert board.lb("rescore", "--judge", "trial").exit_code == 0
    built, kept = board.lb("build"), board.lb("snapshot")
    by = "results holds verdicts of trial, not of the panel: embedded-1 (lb rescore uses the panel)"
    assert (built.exit_code, by in built.stderr) == (0, True)
    assert (kept.exit_code, "run lb rescore without --judge" in kept.stderr) == (1, True)
