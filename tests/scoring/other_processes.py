"""What a script writes in a process with other threads and another order of hashes."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import PROJECT


def written(script: str, threads: int, seed: int) -> bytes:
    """The bytes that a script writes to stdout. Its argument is the seed."""
    environment = {
        **os.environ,
        "POLARS_MAX_THREADS": str(threads),
        "PYTHONPATH": os.pathsep.join([str(PROJECT), str(PROJECT / "tests")]),
        "PYTHONHASHSEED": str(seed),
    }
    command = [sys.executable, "-c", script, str(seed)]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
