"""Score the same responses with other tools, each in an environment of its own.

    python benchmarks/other_tools.py [--submissions 1] [--environments DIR]

It installs the pinned tools from PyPI and npm into a temporary folder, or into DIR, where the next
run finds them. No tool asks a model: each decides by the rule of made_up_board.py or by a recorded
reply. A tool that cannot be installed, or decides otherwise, is named in the table with the reason.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson
import polars as pl
from large_board import Run, measure, record
from made_up_board import write_workspace

HERE = Path(__file__).parent
OTHERS = HERE / "others"

# The versions that the figures in README.md are from.
INSPECT = "inspect-ai==0.3.285"
DEEPEVAL = "deepeval==4.3.1"
PROMPTFOO = "promptfoo@0.121.20"

QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
}


class UnusableError(Exception):
    """A tool that cannot be installed, or does not do the work; the message says why."""


def main() -> None:
    """Build the workspace, install, measure, print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--submissions", type=int, default=1)
    options.add_argument("--environments", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        root = folder / "board"
        write_workspace(root, chosen.submissions)
        record(root)
        environments = (chosen.environments or folder).resolve()
        os.environ.update(QUIET, TOOLBOARD_CACHE=str(folder / "cache"))
        os.environ["PROMPTFOO_CONFIG_DIR"] = str(folder / "promptfoo")
        script = [sys.executable, str(HERE / "plain.py"), str(root), str(folder / "plain")]
        plain = measure([*script, "--by-file"])
        passed = pl.read_parquet(folder / "plain/verdicts.parquet").filter(outcome="pass").height
        board = [sys.executable, "-m", "cli", "--workspace", str(root)]
        ours = measure([*board, "rescore", "--offline", "--fresh"])
        print(f"{chosen.submissions * 1000:,} responses, {passed:,} pass")
        print("| tool | processor | to the plain script by file | memory |\n|---|---|---|---|")
        show("plain script, by file", plain, plain)
        show("lb rescore --fresh", ours, plain)
        tools: dict[str, Callable[[], tuple[Run, int]]] = {
            INSPECT: lambda: in_python(INSPECT, "inspect_score.py", environments, root),
            DEEPEVAL: lambda: in_python(DEEPEVAL, "deepeval_evaluate.py", environments, root),
            PROMPTFOO: lambda: in_node(environments, root, folder),
        }
        for name, work in tools.items():
            try:
                run, found = work()
            except UnusableError as error:
                print(f"| {name} | {error} | | |")
                continue
            if found == passed:
                show(name, run, plain)
            else:
                print(f"| {name} | passes {found:,} responses | | |")


def show(name: str, run: Run, plain: Run) -> None:
    """Print a row."""
    ratio = run.processor / plain.processor
    print(f"| {name} | {run.processor:.1f} s | {ratio:.1f} | {run.memory:,.0f} MB |", flush=True)


def in_python(pin: str, script: str, environments: Path, root: Path) -> tuple[Run, int]:
    """Measure a tool of PyPI, and return how many responses pass."""
    environment = environments / pin
    python = environment / "bin/python"
    if not python.exists():
        install([sys.executable, "-m", "venv", str(environment)])
        install([str(python), "-m", "pip", "install", "--quiet", pin])
    out = environments / f"{pin}.txt"
    # Some tools write files of their own into the current folder.
    code = "import subprocess, sys\n"
    code += "folder, out, *command = sys.argv[1:]\n"
    code += "subprocess.run(command, check=True, cwd=folder, stdout=open(out, 'w'))"
    command = [str(python), str(OTHERS / script), str(root)]
    done = measured([sys.executable, "-c", code, str(environments), str(out), *command])
    return done, int(out.read_text().split()[-1])


def in_node(environments: Path, root: Path, folder: Path) -> tuple[Run, int]:
    """Measure promptfoo, and return how many responses pass."""
    environment = environments / PROMPTFOO
    program = environment / "node_modules/.bin/promptfoo"
    if not program.exists():
        environment.mkdir(parents=True, exist_ok=True)
        quiet = ["--silent", "--no-fund", "--no-audit"]
        install(["npm", "install", *quiet, "--prefix", str(environment), PROMPTFOO])
    config, work, out = (folder / name for name in ("config.json", "work.json", "out.json"))
    install([sys.executable, str(OTHERS / "promptfoo_tests.py"), str(root), str(config), str(work)])
    os.environ["BENCHMARK_WORK"] = str(work)
    silent = ["--no-cache", "--no-table", "--no-progress-bar", "--no-write"]
    done = measured([str(program), "eval", "-c", str(config), *silent, "-o", str(out)])
    return done, int(orjson.loads(out.read_bytes())["results"]["stats"]["successes"])


def install(command: Sequence[str]) -> None:
    """Run a command that prepares a tool. Raises UnusableError if it fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise UnusableError(f"needs {command[0]}") from error
    except subprocess.CalledProcessError as error:
        said = (error.stderr.strip() or "failed").splitlines()[-1]
        raise UnusableError(f"cannot be prepared: {said[:80]}") from error


def measured(command: Sequence[str]) -> Run:
    """Measure a command. Raises UnusableError if it fails."""
    try:
        return measure(command)
    except subprocess.CalledProcessError as error:
        raise UnusableError("does not do the work") from error


if __name__ == "__main__":
    main()
