"""Kill commands at random moments and at random writes, and check that the next run repairs it all.

python benchmarks/killed_commands.py [--kills 200] [--seed 1] [--only build]

Each kill is of a fresh board. Half of them come after a random time, half just before a random
change to a file. Then the same command runs undisturbed, and the board must be what it is without
a kill, byte for byte. The exit code is 1 if it is not.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parent.parent
sys.path.insert(0, str(PROJECT))

from cli.main import app  # noqa: E402
from runners.models import model_run, rate_limit  # noqa: E402
from tests.conftest import Folder, small_board  # noqa: E402
from tests.runners.scripted_server import Answer, Seen, said, serving  # noqa: E402
from tests.write_faults import counted_writes  # noqa: E402

os.environ["OPENAI_API_KEY"] = "none-needed"

# What the commands import when they run. They must not be used here, because of their threads.
MODULES = ("polars", "openai", "replay.asker", "scoring.summary", "site_templates.builder")
RECORDS = [
    {"id": "A001", "model_function_call": {"name": "convert_units", "arguments": {}}},
    {"id": "B001", "model_text": "The capital is Lyon."},
    {"id": "B002", "model_text": "Perhaps in 1970."},
]


def echo(seen: Seen) -> Answer:
    """Answers every question with its own words."""
    return said(seen, f"About {seen.query}")


class Command:
    """A command, the board on which it runs, and what it leaves if nothing disturbs it."""

    def __init__(self, place: Path, name: str, before: list[list[str]], line: list[str]) -> None:
        self.place = place / name
        self.name, self.line = name, line
        board = small_board(self.place / "ready")
        board.submission("one", RECORDS)
        for earlier in before:
            self.run(board, earlier)
        if name == "rescore":
            shutil.rmtree(board.root / "results")
        self.ready = board
        undisturbed = self.fresh()
        start = time.monotonic()
        self.writes = self.run(undisturbed)
        self.seconds = time.monotonic() - start
        self.result = contents(undisturbed)

    def fresh(self) -> Folder:
        """Returns a new board on which the command has not run."""
        target = self.place / "board"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.ready.root, target)
        return Folder(target)

    def start(self, board: Folder, line: list[str], place: int = 0) -> int:
        """Starts the command in a process. It kills itself before the change number `place`."""
        return forked(lambda: run_here(board.root, line, place, self.place / "log"))

    def run(self, board: Folder, line: list[str] | None = None) -> int:
        """Runs the command to its end, and returns how many changes to files it made."""
        _, status = os.waitpid(self.start(board, line or self.line), 0)
        log = (self.place / "log").read_text(encoding="utf-8")
        if status != 0:
            raise SystemExit(f"{self.name} does not finish: {log}")
        return int(log.split()[-1])

    def kill(self, chance: random.Random) -> bool:
        """Kills the command once. Returns whether the next run gives the undisturbed result."""
        board = self.fresh()
        if chance.random() < 0.5:
            process = self.start(board, self.line, chance.randint(1, self.writes))
        else:
            process = self.start(board, self.line)
            time.sleep(chance.random() * self.seconds)
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        self.run(board)
        return contents(board) == self.result


def forked(work: Callable[[], object]) -> int:
    """Does the work in a copy of this process, which has imported everything already."""
    process = os.fork()
    if process:
        return process
    try:
        work()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - a copy of the process must not go on
        traceback.print_exc()
        os._exit(1)


class Still(rate_limit.Clock):
    """A clock that stands still, because latencies would differ."""

    def now(self) -> float:
        """Returns the same time always."""
        return 0.0


def run_here(root: Path, line: list[str], place: int, log: Path) -> None:
    """Runs a command in this process, with its messages and its number of changes in a file."""
    model_run.Clock = Still  # type: ignore[attr-defined]
    with log.open("w", encoding="utf-8", buffering=1) as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        with counted_writes(root, place or None, kills=True) as writes:
            app(["--workspace", str(root), *line], standalone_mode=False)
        file.write(f"\n{writes.number}")


@contextmanager
def server() -> Iterator[str]:
    """Serves a model in a process of its own, and yields its address."""
    reading, writing = os.pipe()

    def serve() -> None:
        with serving(echo) as running:
            os.write(writing, running.openai.encode())
            time.sleep(24 * 60 * 60)

    process = forked(serve)
    try:
        yield os.read(reading, 1000).decode()
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def contents(board: Folder) -> dict[str, bytes]:
    """Returns every file of a board by its path, without the replies that runs keep."""
    found = (path for path in board.root.rglob("*") if path.is_file())
    files = [path for path in found if ".cache" not in path.parts]
    return {path.relative_to(board.root).as_posix(): path.read_bytes() for path in files}


def main() -> None:
    """Kill, compare and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", choices=["record", "rescore", "build", "run"])
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder, server() as address:
        place, record = Path(folder).resolve(), ["rescore"]
        asked = ["run", "--model", "openai:m", "--suite", "small", "--base-url", address]
        asked += ["--resume", "--date", "2026-05-18"]
        for module in ("cli.commands.rescore", "cli.commands.build", "cli.commands.run", *MODULES):
            importlib.import_module(module)
        commands = [
            Command(place, "record", [], record),
            Command(place, "rescore", [record], ["rescore", "--offline"]),
            Command(place, "build", [record], ["build"]),
            Command(place, "run", [], asked),
        ]
        commands = [c for c in commands if chosen.only in (None, c.name)]
        equal = 0
        for number in range(chosen.kills):
            command = commands[number % len(commands)]
            good = command.kill(chance)
            equal += good
            if number % 20 == 19:
                print(f"{number + 1} kills so far, {equal} equal results", flush=True)
            if not good:
                differ = {
                    name
                    for name in {*command.result, *contents(Folder(command.place / "board"))}
                    if command.result.get(name)
                    != contents(Folder(command.place / "board")).get(name)
                }
                print(f"{command.name}, kill {number}: {sorted(differ)} differ", flush=True)
    print(f"{chosen.kills} kills, {equal} equal results")
    sys.exit(equal != chosen.kills)


if __name__ == "__main__":
    main()
