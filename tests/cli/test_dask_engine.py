"""`lb rescore --engine dask`: the same board, from workers that may die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.records import JUDGED, LISTED, RIGHT
from tests.conftest import PROJECT, Folder


@pytest.mark.parametrize(
    "options",
    [
        ("--engine", "dask"),
        ("--offline", "--engine", "dask", "m1"),
        ("--offline", "--engine", "ray"),
        ("--offline", "--engine", "dask", "--shard", "1/2", "--out", "x"),
    ],
)
def test_the_engine_goes_with_a_whole_board_offline(
    folder: Folder, options: tuple[str, ...]
) -> None:
    """Recording, single submissions and shards stay on one machine. There is one engine."""
    assert 2 == folder.lb("rescore", *options).exit_code


@pytest.mark.large
def test_a_killed_worker_changes_no_byte(folder: Folder, tmp_path: Path) -> None:
    """Shares of a worker that is killed are scored again. The results are those of one process."""
    from distributed import Client, LocalCluster

    for number in range(5):
        folder.submission(f"m{number:02}", [RIGHT, JUDGED, {**LISTED, "latency_s": number}])
    assert folder.lb("rescore").exit_code == 0
    alone = folder.tree("results")
    options = {"host": "127.0.0.1", "n_workers": 2, "threads_per_worker": 1}
    cluster = LocalCluster(**options, dashboard_address=None)  # type: ignore[no-untyped-call]
    with cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
        command = ["rescore", "--offline", "--engine", f"dask={cluster.scheduler_address}"]
        command += ["--out", str(tmp_path / "shared")]
        with subprocess.Popen(
            [sys.executable, "-m", "cli", "--workspace", str(folder.root), *command],
            cwd=PROJECT,
            stderr=subprocess.PIPE,
            text=True,
        ) as run:
            deadline = time.monotonic() + 120
            victim = None
            while victim is None:
                assert time.monotonic() < deadline
                assert run.poll() is None
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                victim = busy[0] if len(busy) == 2 else None
                time.sleep(0.05)
            process = client.run(os.getpid, workers=[victim])[victim]
            os.kill(process, signal.SIGKILL)
            _, said = run.communicate(timeout=300)
    assert run.returncode == 0, said
    assert alone == Folder(tmp_path).tree("shared")
    assert [] == list(folder.root.glob(".shards-*"))
