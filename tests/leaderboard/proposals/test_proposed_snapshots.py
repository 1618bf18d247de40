"""The snapshots of a proposal."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from leaderboard.board.board_state import State
from leaderboard.board.snapshots import load_history
from leaderboard.proposals.proposed_snapshots import check_snapshots
from leaderboard.workspace import Workspace
from tests.conftest import Folder, small_board

RECORD = {"id": "B001", "model_text": "It is Paris."}


def keep(folder: Folder, day: str) -> None:
    for command in (("rescore", "--offline"), ("snapshot", "--date", day)):
        done = folder.lb(*command)
        assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The board of which every test has two copies."""
    folder = small_board(tmp_path_factory.mktemp("kept") / "board")
    folder.submission("m1", [RECORD])
    keep(folder, "2026-02-01")
    return folder


@pytest.fixture
def boards(kept: Folder, tmp_path: Path) -> tuple[Folder, Folder]:
    """A base with a snapshot, and a copy of it."""
    return kept.copied_to(tmp_path / "board"), kept.copied_to(tmp_path / "proposed")


def problems(
    boards: tuple[Folder, Folder], derived: Mapping[str, State] | None = None
) -> list[str]:
    base, proposed = (Workspace(board.root) for board in boards)
    found = check_snapshots(base, proposed, derived or {}, "2026-03-01")
    return [str(problem) for problem in found]


@pytest.mark.large
def test_the_same_history_has_no_problem(boards: tuple[Folder, Folder]) -> None:
    """Nothing is searched then."""
    assert problems(boards) == []


@pytest.mark.large
def test_an_old_snapshot_never_changes(boards: tuple[Folder, Folder]) -> None:
    """Its files and its line in the index are those of the base."""
    _, proposed = boards
    index = proposed.root / "history/index.json"
    index.write_text(index.read_text().replace('"label":null', '"label":"best"'))
    (scores,) = (proposed.root / "history").glob("*/scores.json")
    scores.unlink()
    scores.mkdir()  # read as what it is
    found = problems(boards)

    assert found[0].startswith("history/index.json: changes or removes snapshots")
    assert found[1].startswith(f"history/{scores.parent.name}: differs from this snapshot")


@pytest.mark.large
def test_a_snapshot_of_the_board_as_scored_now_is_fine(boards: tuple[Folder, Folder]) -> None:
    """Unless it differs from what its inputs give."""
    _, proposed = boards
    proposed.submission("m2", [RECORD])
    keep(proposed, "2026-02-02")
    _, known = load_history(Workspace(proposed.root))
    verdicts = known.verdicts.head(0)
    others = (
        ("inputs", replace(known, manifest={**known.manifest, "rules": {"version": 0}})),
        ("verdicts or scores", replace(known, scores=known.scores.head(0))),
        ("verdicts or scores", replace(known, read_verdicts=lambda: verdicts)),
        ("ranks", replace(known, ranks=known.ranks.head(0))),
        ("metrics", replace(known, metrics={"small": "other"})),
        ("names of submissions", replace(known, names={**known.names, "m2": "Best"})),
    )

    assert problems(boards, {known.digest: known}) == []
    for part, other in others:
        (problem,) = problems(boards, {known.digest: other})
        assert f"{part} that these files give" in problem


@pytest.mark.large
def test_an_old_board_that_is_listed_again_is_checked(boards: tuple[Folder, Folder]) -> None:
    """Its folder is that of the base. Its day, its names and its metrics are new."""
    _, proposed = boards
    index = proposed.root / "history/index.json"
    file = json.loads(index.read_bytes())
    (first,) = file["snapshots"]
    again = {"sequence": 2, "taken": "9999-12-31", "names": {"m1": "Worst"}}
    file["snapshots"].append({**first, **again})
    index.write_text(json.dumps(file))
    state = load_history(Workspace(boards[0].root))[0]
    future, renamed = problems(boards, {state.digest: state})
    (moved,) = problems(boards)[1:]

    assert "is dated 9999-12-31, which is in the future" in future
    assert "does not have the names of submissions that these files give" in renamed
    assert "is not the board of these files" in moved


@pytest.mark.large
def test_a_snapshot_of_files_that_never_were(boards: tuple[Folder, Folder]) -> None:
    """The files of the board are not those that the manifest names, and the day is too early."""
    _, proposed = boards
    proposed.submission("m2", [RECORD])
    keep(proposed, "2026-02-02")
    index = proposed.root / "history/index.json"
    index.write_text(index.read_text().replace("2026-02-02", "2026-01-01"))
    shutil.rmtree(proposed.root / "submissions/m2")
    early, unknown = problems(boards)

    assert "is dated 2026-01-01, before the snapshot of 2026-02-01" in early
    assert "is not the board of these files" in unknown


@pytest.mark.large
def test_a_damaged_snapshot_is_a_problem(boards: tuple[Folder, Folder]) -> None:
    """The others are still checked."""
    _, proposed = boards
    proposed.submission("m2", [RECORD])
    keep(proposed, "2026-02-02")
    name = json.loads((proposed.root / "history/index.json").read_bytes())["snapshots"][-1]["name"]
    (proposed.root / f"history/{name}/verdicts.parquet").write_bytes(b"")
    (problem,) = problems(boards)

    assert "verdicts.parquet: does not match its digest" in problem
