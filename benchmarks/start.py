"""Measure how long `lb --help` and `lb validate` of one submission take, as whole processes.

python benchmarks/start.py [--repeat 7]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).parent.parent
COMMANDS = (["--help"], ["validate", "baseline-oracle"])


def seconds(arguments: list[str]) -> float:
    """One whole process in the repository's own workspace."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "cli", *arguments], check=True, capture_output=True, cwd=PROJECT
    )
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeat", type=int, default=7)
    repeat = options.parse_args().repeat
    for arguments in COMMANDS:
        median = statistics.median(seconds(arguments) for _ in range(repeat))
        print(f"lb {' '.join(arguments):<28} {median:.3f} s, median of {repeat}")


if __name__ == "__main__":
    main()
