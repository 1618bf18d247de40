"""Full disks, killed processes, read-only folders and two processes at once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import PROJECT, Folder, small_board
from tests.write_faults import counted_writes, full_disk

COMMANDS: Final = {
    "record": ("rescore",),
    "rescore": ("rescore", "--offline"),
    "build": ("build",),
    "run": ("run", "--model", "baseline:oracle", "--suite", "small"),
}
RECORDS: Final = [
    {"id": "A001", "model_function_call": {"name": "convert_units", "arguments": {}}},
    {"id": "B001", "model_text": "The capital is Lyon."},
    {"id": "B002", "model_text": "Perhaps in 1970."},
]
# Made by tools, or left by a process that was killed until the next write of the same file.
_NO_RESULT: Final = re.compile(r".*\.tmp|.*journal|.*/\._site\.(new|old)/.*", re.DOTALL)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Folder]:
    """Returns a fresh board on which a command can run."""
    root = tmp_path_factory.mktemp("boards")
    ready: dict[str, Folder] = {}
    before = {"record": (), "rescore": ("record",), "build": ("record",), "run": ()}
    numbers = iter(range(1_000_000))

    def board(command: str) -> Folder:
        if command not in ready:
            made = ready[command] = small_board(root / command)
            made.submission("one", RECORDS)
            for name in before[command]:
                assert made.lb(*COMMANDS[name]).exit_code == 0
            if command == "rescore":
                shutil.rmtree(made.root / "results")
        copy = root / f"copy-{next(numbers)}"
        shutil.copytree(ready[command].root, copy)
        return Folder(copy)

    return board


def contents(folder: Folder) -> dict[str, bytes]:
    """Returns every file of a board that counts, by its path."""
    files = {
        path.relative_to(folder.root).as_posix(): path.read_bytes()
        for path in folder.root.rglob("*")
        if path.is_file()
    }
    return {name: data for name, data in files.items() if not _NO_RESULT.fullmatch(f"/{name}")}


def finished(boards: Callable[[str], Folder], command: str) -> tuple[dict[str, bytes], int]:
    """Returns what an undisturbed command leaves, and how many changes it makes."""
    folder = boards(command)
    with counted_writes(folder.root) as writes:
        assert folder.lb(*COMMANDS[command]).exit_code == 0
    return contents(folder), writes.number


def places(number: int, most: int = 12) -> Iterator[int]:
    """Yields the first, the last and evenly spread numbers between them."""
    yield from sorted({1 + (number - 1) * step // (most - 1) for step in range(most)})


@pytest.mark.large
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_at_any_write_is_one_message(
    boards: Callable[[str], Folder], command: str
) -> None:
    """A change that fails is named, and the next run gives the result of an undisturbed one."""
    undisturbed, number = finished(boards, command)
    for place in places(number):
        folder = boards(command)
        with counted_writes(folder.root, place):
            result = folder.lb(*COMMANDS[command])
        # Without second names for files, a build copies, and needs no advice.
        if result.exit_code:
            assert "No space left on device" in result.stderr, (place, result.output)
        again = folder.lb(*COMMANDS[command])
        assert again.exit_code == 0, (place, again.output)
        assert contents(folder) == undisturbed, place


@pytest.mark.large
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("size", [0, 60, 2000])
def test_a_disk_that_is_full_in_the_middle_of_a_file_is_one_message(
    boards: Callable[[str], Folder], command: str, size: int
) -> None:
    """No half file replaces a whole one, and the next run gives the undisturbed result."""
    undisturbed, _ = finished(boards, command)
    folder = boards(command)
    before = contents(folder)
    with full_disk(size):
        result = folder.lb(*COMMANDS[command])
    if result.exit_code:
        assert "error: " in result.stderr
    for name, data in contents(folder).items():
        if data not in (undisturbed.get(name), before.get(name)):
            # A cassette may hold the calls that were recorded before the disk was full.
            assert name.startswith("cassettes/")
            assert recorded(data) < recorded(undisturbed[name])
    assert folder.lb(*COMMANDS[command]).exit_code == 0
    assert contents(folder) == undisturbed


def recorded(cassette: bytes) -> set[str]:
    return {json.dumps(call) for call in json.loads(cassette)["interactions"]}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_read_only_folder_is_one_message(boards: Callable[[str], Folder], command: str) -> None:
    """The message names the place. Nothing is changed."""
    folder = boards(command)
    before = contents(folder)
    for path in [folder.root, *folder.root.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        result = folder.lb(*COMMANDS[command])
    finally:
        for path in [folder.root, *folder.root.rglob("*")]:
            path.chmod(0o755)
    assert result.exit_code == 1
    assert "ermission denied" in result.stderr
    assert contents(folder) == before


@pytest.mark.large
@pytest.mark.parametrize("command", COMMANDS)
def test_two_processes_at_once_do_no_harm(boards: Callable[[str], Folder], command: str) -> None:
    """Both end with the result, or one says that the other one is at work."""
    undisturbed, _ = finished(boards, command)
    folder = boards(command)
    line = [sys.executable, "-m", "cli", "--workspace", str(folder.root), *COMMANDS[command]]
    both = [
        subprocess.Popen(line, cwd=PROJECT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[1].decode() for process in both]
    assert not any("Traceback" in text for text in said), said
    assert any(process.returncode == 0 for process in both), said
    assert folder.lb(*COMMANDS[command]).exit_code == 0
    assert contents(folder) == undisturbed


@pytest.mark.large
def test_a_killed_process_is_made_good_by_the_next(tmp_path: Path) -> None:
    """benchmarks/killed_commands.py kills commands at random moments; here, a few times."""
    done = subprocess.run(
        [sys.executable, "benchmarks/killed_commands.py", "--kills", "12", "--seed", "3"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(PROJECT), "TMPDIR": str(tmp_path)},
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 kills, 12 equal results" in done.stdout
