"""Scores shares of a board on the workers of Dask. All of them must see the same files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from leaderboard.errors import FilesError, Problem

NAME = "dask"
_SHARES_PER_WORKER = 4  # a share that is lost with its worker is small


class Engine(click.ParamType[str]):
    """dask, or dask=ADDRESS. The value is the address, empty for workers on this machine."""

    name = "dask[=address]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name, _, address = value.partition("=")
        if name != NAME:
            self.fail(f"no engine {name!r}; there is: {NAME}", param, ctx)
        return address


def score_on_dask(
    address: str, root: Path, folder: Path, submissions: int, options: Sequence[str]
) -> list[Path]:
    """Scores all shares of a workspace, and returns the folders of their verdicts below `folder`.

    `options` are those of `lb rescore`. A share whose worker dies is scored by another. Without an
    address, the workers are processes of this machine. Raises FilesError, and UsageError without
    Dask.
    """
    try:
        from distributed import Client
    except ImportError as error:
        message = "--engine dask needs Dask: pip install 'toolboard[dask]'"
        raise click.UsageError(message) from error
    here = {"host": "127.0.0.1", "threads_per_worker": 1, "dashboard_address": None}
    chosen = {"address": address} if address else here
    with Client(**chosen) as client:  # type: ignore[no-untyped-call]
        workers = max(1, sum(client.nthreads().values()))
        of = max(1, min(submissions, _SHARES_PER_WORKER * workers))
        folders = [folder / str(number) for number in range(1, of + 1)]
        rescore = ["-m", "cli", "--workspace", str(root.resolve()), "rescore", *options]
        commands = [
            [*rescore, "--shard", f"{number}/{of}", "--out", str(out)]
            for number, out in enumerate(folders, start=1)
        ]
        failed = [
            message for message in client.gather(client.map(_run, commands, pure=False)) if message
        ]
    if failed:
        fix = "lb validate shows the problems of the files"
        raise FilesError([Problem("a share of the board", message, fix) for message in failed])
    return folders


def _run(command: Sequence[str]) -> str:
    """Runs `lb` in a process of its own, on a worker. Returns what it says if it fails."""
    whole = [sys.executable, *command]
    done = subprocess.run(whole, capture_output=True, text=True, check=False)  # noqa: S603
    return "" if done.returncode == 0 else f"was not scored: {done.stderr.strip()}"
