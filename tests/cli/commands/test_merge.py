"""`lb rescore --shard` and `lb merge`: one board, scored in several places."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.records import JUDGED, LISTED, RIGHT, WRONG
from tests.conftest import Folder, small_board

SHARDS = 4


@pytest.fixture(scope="module")
def first_board(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("board") / "board")
    folder.submission("m0", [RIGHT, JUDGED])
    folder.submission("m2", [WRONG, {**LISTED, "user_query": "Another question?"}])
    assert folder.lb("rescore").exit_code == 0
    folder.submission("m1", [RIGHT, {**JUDGED, "model_text": "It may be in France."}])
    assert folder.lb("rescore", "--offline").exit_code == 3
    return folder


@pytest.fixture
def board(first_board: Folder, tmp_path: Path) -> Folder:
    """Three submissions, scored on one machine. A judge call of m1 is not recorded."""
    return first_board.copied_to(tmp_path / "board")


def score_shards(board: Folder) -> list[str]:
    """Scores as many shards as there are, one of which has no submission."""
    folders = [str(board.root.parent / f"shard-{number}") for number in range(1, SHARDS + 1)]
    for number, folder in enumerate(folders, start=1):
        share = f"{number}/{SHARDS}"
        result = board.lb("rescore", "--offline", "--fresh", "--shard", share, "--out", folder)
        assert result.exit_code == 0, result.stderr
    return folders


@pytest.mark.large
def test_shards_give_the_bytes_of_one_machine(board: Folder, tmp_path: Path) -> None:
    """In any order, with an empty shard, and with the same calls missing."""
    alone = board.tree("results")
    folders = score_shards(board)
    result = board.lb("merge", *reversed(folders), "--out", str(tmp_path / "merged"))
    assert 3 == result.exit_code
    assert "1 judge call missing" in result.stderr
    assert alone == Folder(tmp_path).tree("merged")
    assert 0 == board.lb("merge", "--allow-missing", *folders).exit_code
    assert alone == board.tree("results")


def change_answer(board: Folder) -> None:
    board.submission("m2", [RIGHT])


def change_case(board: Folder) -> None:
    path = board.root / "datasets/small/tools.json"
    board.write("datasets/small/tools.json", path.read_text("utf-8").replace("Converts", "Turns"))


def remove_reply(board: Folder) -> None:
    (board.root / "cassettes/embedded-1/small/m0.json").unlink()


@pytest.mark.large
@pytest.mark.parametrize(
    ("change", "file"),
    [(change_answer, "m2"), (change_case, "m0"), (remove_reply, "m0")],
)
def test_a_shard_of_other_files_is_refused(board: Folder, change: object, file: str) -> None:
    """What changed after the shards were scored is an error, and nothing is written."""
    folders = score_shards(board)
    before = board.tree("results")
    assert callable(change)
    change(board)
    result = board.lb("merge", "--allow-missing", *folders)
    assert 1 == result.exit_code
    assert f"submissions/{file}/small.json: is missing from the shards" in result.stderr
    assert before == board.tree("results")


@pytest.mark.large
@pytest.mark.parametrize("order", [1, -1])
def test_older_shards_of_the_same_file_are_ignored(board: Folder, order: int) -> None:
    """Whichever comes first: the verdicts are those on the files as they are now."""
    old, new = (str(board.root.parent / name) for name in ("old", "new"))
    for folder in (old, new):
        assert board.lb("rescore", "--offline", "--shard", "1/1", "--out", folder).exit_code == 0
        board.submission("m2", [RIGHT])
    assert board.lb("rescore", "--offline", "--fresh").exit_code == 3
    alone = board.tree("results")
    assert board.lb("merge", "--allow-missing", *[old, new][::order]).exit_code == 0
    assert alone == board.tree("results")


@pytest.mark.large
def test_every_shard_is_needed(board: Folder) -> None:
    """A board without the submissions of one shard is never written."""
    first, *others = score_shards(board)
    result = board.lb("merge", *others)
    assert (1, True) == (result.exit_code, "submissions/m0/small.json" in result.stderr)
    (Path(first) / "verdict_rows.parquet").write_bytes(b"")
    result = board.lb("merge", first, *others)
    assert (1, True) == (result.exit_code, "holds no shard, or a damaged one" in result.stderr)


@pytest.mark.large
@pytest.mark.parametrize("share", ["0/2", "3/2", "1", "a/b", "-1/2", "1/2/3"])
def test_a_share_is_a_number_of_a_number(board: Folder, share: str) -> None:
    """Anything else is a usage error, as is a shard without a folder."""
    assert 2 == board.lb("rescore", f"--shard={share}", "--out", "x").exit_code
    assert 2 == board.lb("rescore", "--shard", "1/2").exit_code


@pytest.mark.parametrize("more", ["m1", "--json", "--allow-missing"])
def test_a_shard_takes_only_what_it_uses(scored: Folder, more: str) -> None:
    """Nothing is written, and no submission is said to be missing."""
    refused = scored.lb("rescore", "--offline", "--shard", "1/2", "--out", "x", more)
    assert (2, True) == (refused.exit_code, "takes no IDs, and leaves --json" in refused.stderr)


@pytest.mark.large
def test_a_shard_is_not_written_over_results_nor_into_the_board(scored: Folder) -> None:
    """Merging then reads whole folders, and the board stays as it is."""
    before = scored.tree(".")
    for command in (
        ["rescore", "--offline", "--shard", "1/2", "--out", str(scored.root / "results")],
        ["rescore", "--offline", "--out", str(scored.root / "cassettes")],
    ):
        result = scored.lb(*command)
        assert (1, True) == (result.exit_code, "name an empty folder with --out" in result.stderr)
    shard = str(scored.root.parent / "shard")
    for _ in range(2):
        result = scored.lb("rescore", "--offline", "--shard", "1/1", "--out", shard)
        assert result.exit_code == 0
    result = scored.lb("merge", shard, "--out", shard)
    assert (1, True) == (result.exit_code, "holds something else" in result.stderr)
    assert before == scored.tree(".")
