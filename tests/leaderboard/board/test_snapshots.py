"""Snapshots: what is kept, how small, in which order, and everything that can be wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leaderboard.board.board_state import SNAPSHOT_COLUMNS, State
from leaderboard.board.snapshots import find_snapshot, keep, load_history, load_index
from leaderboard.errors import FilesError
from leaderboard.workspace import Workspace
from tests.conftest import PROJECT, shipped
from tests.leaderboard.board.board_states import state, write_results
from tests.scoring.verdict_tables import suite

METRICS = {"s": "correct"}
LOW, HIGH = {"a": "++--", "b": "P-"}, {"a": "++++", "b": "P-"}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def put(
    workspace: Workspace, board: State, label: str | None = None, taken: str | None = None
) -> bool:
    results = write_results(workspace.root / "results", board)
    _, written = keep(workspace, results, label=label, metrics=METRICS, taken=taken, names={})
    return written


def problems(call: Callable[[], Any]) -> list[str]:
    with pytest.raises(FilesError) as caught:
        call()
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.large
def test_a_snapshot_is_the_board_as_it_was(workspace: Workspace) -> None:
    """Manifest, scores, ranks and the kept columns of the verdicts are read back unchanged."""
    board = state("x", {"m1": LOW, "m2": HIGH})
    assert put(workspace, board, "two models")
    (kept,) = load_history(workspace)
    assert (1, "two models", METRICS, board.digest) == (
        kept.sequence,
        kept.label,
        kept.metrics,
        kept.digest,
    )
    assert f"2026-01-31-{board.digest[:8]}" == kept.name
    assert board.scores.equals(kept.scores)
    assert board.ranks.equals(kept.ranks)
    assert SNAPSHOT_COLUMNS == kept.verdicts.schema
    key = ["submission", "case_id"]
    assert board.verdicts.sort(key).equals(kept.verdicts.sort(key))


def test_a_workspace_without_history_has_none(workspace: Workspace) -> None:
    """No folder, no snapshots, no complaint."""
    assert () == load_history(workspace)


@pytest.mark.large
def test_the_same_board_is_not_kept_twice(workspace: Workspace) -> None:
    """Nothing is written, whatever the label."""
    put(workspace, state("x", {"m1": LOW}))
    before = {path: path.read_bytes() for path in workspace.history.rglob("*") if path.is_file()}
    assert not put(workspace, state("x", {"m1": LOW}), "again")
    assert before == {
        path: path.read_bytes() for path in workspace.history.rglob("*") if path.is_file()
    }


@pytest.mark.large
def test_snapshots_come_in_the_order_they_were_kept(workspace: Workspace) -> None:
    """Snapshots are ordered by number. A board that returns is a new line for the old folder."""
    put(workspace, state("x", {"m1": LOW}, as_of="2026-03-01"))
    put(workspace, state("y", {"m1": HIGH}, as_of="2026-01-01"))
    put(workspace, state("x", {"m1": LOW}, as_of="2026-03-01"))
    assert [(1, "2026-03-01"), (2, "2026-01-01"), (3, "2026-03-01")] == [
        (kept.sequence, kept.as_of) for kept in load_history(workspace)
    ]
    assert 2 == sum(path.is_dir() for path in workspace.history.iterdir())


@pytest.mark.large
def test_a_snapshot_is_found_by_each_of_its_names(workspace: Workspace) -> None:
    """By name, number, label or the start of its digest. The newest of several counts."""
    put(workspace, state("x", {"m1": LOW}), "first")
    put(workspace, state("y", {"m1": HIGH}))
    put(workspace, state("x", {"m1": LOW}), "third")
    entries = load_index(workspace)
    first, second, third = entries
    for name, entry in (
        ("first", first),
        ("1", first),
        ("2", second),
        (second.name, second),
        (second.digest[:4], second),
        (first.name, third),
        (first.digest, third),
        ("latest", third),
        (first.digest[:3], None),
        ("4", None),
    ):
        assert find_snapshot(entries, name) is entry, name
    assert find_snapshot((), "latest") is None


@pytest.mark.large
def test_the_day_is_recorded(workspace: Workspace) -> None:
    """The day is read back. A board that returns gets a new day and keeps its folder."""
    for marks, day in ((LOW, "2026-02-01"), (HIGH, "2026-02-03"), (LOW, "2026-02-03")):
        put(workspace, state("x", {"m1": marks}), taken=day)
    first, second, third = load_history(workspace)
    assert ["2026-02-01", "2026-02-03", "2026-02-03"] == [first.taken, second.taken, third.taken]
    assert (first.name, "2026-01-31") == (third.name, first.as_of)


@pytest.mark.large
def test_lines_of_before_days_were_recorded_stay_as_they_are(workspace: Workspace) -> None:
    """An index without days is read, and its lines are the same bytes after another snapshot."""
    put(workspace, state("x", {"m1": LOW}))
    before = (workspace.history / "index.json").read_text().splitlines()[1]
    assert "taken" not in before
    put(workspace, state("y", {"m1": HIGH}), taken="2026-02-03")
    assert before + "," == (workspace.history / "index.json").read_text().splitlines()[1]
    assert [None, "2026-02-03"] == [kept.taken for kept in load_history(workspace)]


@pytest.mark.large
def test_each_snapshot_keeps_the_names_of_its_submissions(workspace: Workspace) -> None:
    """Also names that an earlier one has: if that one is removed, no name is lost."""
    boards = ({"m1": LOW}, {"m1": HIGH, "m2": LOW}, {"m2": LOW})
    named = ({"m1": "One"}, {"m1": "One", "m2": "Two"}, {"m2": "Two, renamed"})
    for marks, names in zip(boards, named, strict=True):
        results = write_results(workspace.root / "results", state("x", marks))
        keep(workspace, results, label=None, metrics=METRICS, taken=None, names=names)

    assert list(named) == [kept.names for kept in load_history(workspace)]


@pytest.mark.large
def test_a_day_before_the_last_snapshot_is_refused(workspace: Workspace) -> None:
    """Nothing is written, and the message names both days; the same day is fine."""
    put(workspace, state("x", {"m1": LOW}), taken="2026-02-03")
    before = sorted(path.name for path in workspace.history.rglob("*"))
    (told,) = problems(lambda: put(workspace, state("y", {"m1": HIGH}), taken="2026-02-02"))
    assert "has a snapshot of 2026-02-03, which is later than 2026-02-02" in told
    assert before == sorted(path.name for path in workspace.history.rglob("*"))
    assert put(workspace, state("y", {"m1": HIGH}), taken="2026-02-03")


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", ""])
def test_a_day_that_is_none_is_told(workspace: Workspace, day: str) -> None:
    """In the index, with its place."""
    put(workspace, state("x", {"m1": LOW}), taken="2026-02-03")
    index = workspace.history / "index.json"
    index.write_text(index.read_text().replace("2026-02-03", day))
    assert "$.snapshots[0].taken" in problems(lambda: load_index(workspace))[0]


def test_this_projects_own_first_snapshot_is_read() -> None:
    """It was kept before days and parts of suites were: it stays under its name."""
    shipped("history/index.json")
    first = load_history(Workspace(PROJECT))[0]
    assert ("2026-11-20-7c5995ad", None, "2026-11-20", 7) == (
        first.name,
        first.taken,
        first.as_of,
        len(first.manifest["submissions"]),
    )
    assert "suite_parts" not in first.manifest


@pytest.mark.large
def test_the_same_inputs_with_other_verdicts_are_refused(workspace: Workspace) -> None:
    """A rule changed without a new rules version: no digest could explain the move later."""
    put(workspace, state("x", {"m1": LOW}, responses={"m1": "same"}))
    told = problems(lambda: put(workspace, state("x", {"m1": HIGH}, responses={"m1": "same"})))
    assert 1 == len(told)
    assert "the rules changed without a new version" in told[0]


@pytest.mark.large
def test_they_are_refused_whatever_the_date(workspace: Workspace) -> None:
    """A card's date is no input of a score: it names the folder, and does not hide what changed."""
    put(workspace, state("x", {"m1": LOW}, responses={"m1": "same"}))
    assert not put(workspace, state("x", {"m1": LOW}, responses={"m1": "same"}, as_of="2026-05-05"))
    told = problems(
        lambda: put(
            workspace, state("x", {"m1": HIGH}, responses={"m1": "same"}, as_of="2026-05-05")
        )
    )
    assert "the rules changed without a new version" in told[0]


@pytest.mark.large
def test_a_board_of_five_on_273_cases_is_small(workspace: Workspace) -> None:
    """Under 300 KB, all files together."""
    sizes = {"a": 82, "b": 47, "c": 47, "d": 49, "e": 48}
    large = suite("s", **{name: (number, 1.0) for name, number in sizes.items()})
    marks = ["+-P?F", "-+FFP", "++-P-", "PF?+-", "F-+-+"]
    board = {
        f"m{place}": {
            name: (mark * number)[place : place + number] for name, number in sizes.items()
        }
        for place, mark in enumerate(marks)
    }
    put(workspace, state("x", board, large))
    assert (
        sum(path.stat().st_size for path in workspace.history.rglob("*") if path.is_file()) < 30_000
    )


def test_results_without_a_submission_are_refused(workspace: Workspace) -> None:
    """Without a submission there is nothing to keep, and no date for the folder's name."""
    told = problems(lambda: put(workspace, state("x", {"m1": LOW}, as_of=None)))
    assert "holds no submission" in told[0]


@pytest.mark.large
def test_every_problem_of_every_snapshot_is_told(workspace: Workspace) -> None:
    """A changed table, a missing one, damaged verdicts and a stray folder are reported at once."""
    for place, marks in enumerate(({"m1": LOW}, {"m1": HIGH}, {"m1": LOW, "m2": LOW})):
        put(workspace, state("x", marks, as_of=f"2026-01-0{place + 1}"))
    first, second, third = (workspace.history / entry.name for entry in load_index(workspace))
    (first / "scores.json").write_text("[]")
    (second / "ranks.json").unlink()
    (third / "verdicts.parquet").write_bytes(b"PAR1")
    (workspace.history / "2025-01-01-00000000").mkdir()
    told = problems(lambda: load_history(workspace))
    assert 4 == len(told)
    for part in (
        "history/2025-01-01-00000000: is not in history/index.json",
        f"history/{first.name}/scores.json: does not match its digest (restore it from git",
        f"history/{second.name}/ranks.json: cannot be read: No such file or directory",
        f"history/{third.name}/verdicts.parquet: does not match its digest",
    ):
        assert any(one.startswith(part) for one in told), (part, told)


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        ("{", "is not JSON"),
        ("", "is empty"),
        ('{"schema": 2, "snapshots": []}', "$.schema"),
        ('{"schema": 1}', "missing required key 'snapshots' (restore it from git"),
        ('{"schema": 1, "snapshots": [{"name": "../../etc"}]}', "$.snapshots[0].name"),
        ('{"schema": 1, "schema": 1, "snapshots": []}', "repeats the key 'schema'"),
    ],
)
def test_an_index_that_is_damaged(workspace: Workspace, broken: str, what: str) -> None:
    """Said with its place; a name cannot lead out of the folder."""
    workspace.history.mkdir()
    (workspace.history / "index.json").write_text(broken)
    told = problems(lambda: load_history(workspace))
    assert any(what in one for one in told), told
    assert all(one.startswith("history/index.json") for one in told)


@pytest.mark.large
def test_an_interrupted_snapshot_is_made_again(workspace: Workspace) -> None:
    """A folder without its line in the index is reported, and the same command completes it."""
    put(workspace, state("x", {"m1": LOW}))
    index = workspace.history / "index.json"
    index.unlink()
    assert "is not in history/index.json" in problems(lambda: load_history(workspace))[0]
    assert put(workspace, state("x", {"m1": LOW}))
    assert 1 == len(load_history(workspace))


@pytest.mark.large
def test_no_snapshot_follows_one_that_is_lost(workspace: Workspace) -> None:
    """Without its index, a history would begin again; without a folder, it would skip one."""
    put(workspace, state("x", {"m1": LOW}))
    put(workspace, state("y", {"m1": HIGH}))
    index = workspace.history / "index.json"
    kept = index.read_bytes()
    newest = state("z", {"m1": LOW, "m2": HIGH})
    index.unlink()
    without_index = problems(lambda: put(workspace, newest))
    assert not index.exists()
    index.write_bytes(kept)
    (lost, _) = load_history(workspace)
    shutil.rmtree(workspace.history / lost.name)
    without_folder = problems(lambda: put(workspace, newest))

    assert ["is not in history/index.json" in one for one in without_index] == [True, True]
    assert len(without_folder) == 1
    assert f"history/{lost.name}: is in history/index.json, but missing" in without_folder[0]


def test_an_index_out_of_order(workspace: Workspace) -> None:
    """A number that does not rise and a folder with two digests are both reported."""
    put(workspace, state("x", {"m1": LOW}))
    document = json.loads((workspace.history / "index.json").read_text())
    document["snapshots"].append({**document["snapshots"][0], "digest": "0" * 64})
    (workspace.history / "index.json").write_text(json.dumps(document))
    told = problems(lambda: load_index(workspace))
    assert "has number 1 after 1" in told[0]
    assert "again with other digests" in told[1]
