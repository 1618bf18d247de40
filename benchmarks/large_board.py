"""Compare the time and memory of `lb rescore --offline` with those of a plain script.

    python benchmarks/large_board.py [--submissions 100] [--repeat 3] [--site] [--stock 200]

Starts whole processes on the same files, and prints medians and ratios. `--site` also measures
`lb build`, and prints how many files and bytes the site has. `--stock N` also replays N
of the judge calls with stock vcrpy and the OpenAI SDK. Each call then has its own cassette, which
is the fastest layout for vcrpy.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import orjson
import polars as pl
from made_up_board import write_workspace

from leaderboard.files.cassette_paths import cassette_files, relative_path
from leaderboard.load import load_contents
from leaderboard.types import JudgeCall, JudgeReply
from leaderboard.workspace import open_workspace
from replay.cassettes import call_identity, cassette_file
from scoring.rules import KINDS
from scoring.scorer import Scorer

BY_FILE = "plain script, by file"


def record(root: Path) -> int:
    """Write cassettes with an invented reply for each judge call. Returns the number of calls."""
    contents = load_contents(open_workspace(root), KINDS)
    if contents.errors:
        raise SystemExit("\n".join(map(str, contents.errors[:5])))
    made = 0

    def ask(calls: Sequence[JudgeCall]) -> list[JudgeReply]:
        nonlocal made
        interactions = [
            _interaction(call, "equivalent" if len(call.prompt) % 3 else "different")
            for call in calls
        ]
        made += len(calls)
        if calls:
            first = calls[0]
            cassette_file.write(
                root,
                relative_path(first.judge.name, first.suite, first.submission),
                interactions,
            )
        return [JudgeReply("0", "different") for _ in calls]

    scorer = Scorer(contents.prompts, contents.leaderboard.panel, ask)
    for submission in contents.submissions:
        scorer.score(submission, contents.suites[0], contents.records[submission.id, "bench"])
    return made


def _interaction(call: JudgeCall, grade: str) -> dict[str, object]:
    reply = {
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": f"{grade}\nBoth say the same.",
                }
            }
        ]
    }
    return {
        "request": {
            "method": "POST",
            "uri": f"http://127.0.0.1:1{call_identity.path(call.judge)}",
            "body": json.dumps(call_identity.body(call.judge, call.prompt)),
            "headers": {"content-type": ["application/json"]},
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": ["application/json"]},
            "body": {"string": json.dumps(reply)},
        },
    }


class Run(NamedTuple):
    """One whole process: seconds on the clock, seconds of processors, peak megabytes."""

    wall: float
    processor: float
    memory: float


def measure(command: Sequence[str]) -> Run:
    """Runs a command and the processes that it starts."""
    code = (
        "import resource, subprocess, sys\n"
        "quiet = subprocess.DEVNULL\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=quiet, stderr=quiet)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *command], check=True, capture_output=True, text=True
    )
    wall = time.perf_counter() - start
    processor, kilobytes = done.stdout.split()
    return Run(wall, float(processor), int(kilobytes) / 1024)


def agree(ours: Path, plain: Path) -> None:
    """Exit unless both programs decided every response in the same way."""
    columns = ["submission", "category", "case_id", "outcome", "decided_by"]
    first, second = (
        pl.read_parquet(folder / "verdicts.parquet").select(columns).sort(columns)
        for folder in (ours, plain)
    )
    if not first.equals(second):
        raise SystemExit("the plain script and lb rescore disagree")


def stock(root: Path, calls: int) -> float:
    """Milliseconds per call of stock vcrpy with the OpenAI SDK, one cassette for each call."""
    import openai
    import vcr  # type: ignore[import-untyped]

    files = cassette_files(root)
    taken = [item for file in files[:20] for item in cassette_file.read(root, file)][:calls]
    client = openai.OpenAI(api_key="none", base_url="http://127.0.0.1:1/v1", max_retries=0)
    replayer = vcr.VCR(
        serializer="json", record_mode=vcr.mode.NONE, match_on=["method", "path", "body"]
    )
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for number, item in enumerate(taken):
            file = f"{number}.json"
            cassette_file.write(Path(folder), file, [item])
            read = cassette_file.exchange(item)
            start = time.perf_counter()
            with replayer.use_cassette(f"{folder}/{file}"):
                reply = client.chat.completions.create(**read.body)
            spent += time.perf_counter() - start
            if reply.choices[0].message.content != read.text:
                raise SystemExit("vcrpy replays another reply than the cassette holds")
    return 1000 * spent / len(taken)


def main() -> None:
    """Build the workspace, measure, print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--submissions", type=int, default=100)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--site", action="store_true", help="measure lb build too")
    options.add_argument("--stock", type=int, default=0)
    options.add_argument("--json", type=Path, help="where to write the ratios of processor time")
    chosen = options.parse_args()
    here = Path(__file__).parent
    # Installed packages are compiled once. Without this, each measured process may do it again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "board"
        write_workspace(root, chosen.submissions)
        calls = record(root)
        os.environ["TOOLBOARD_CACHE"] = str(Path(folder) / "cache")
        plain = [sys.executable, str(here / "plain.py"), str(root), str(Path(folder) / "plain")]
        ours = [sys.executable, "-m", "cli", "--workspace", str(root), "rescore", "--offline"]
        build = [sys.executable, "-m", "cli", "--workspace", str(root), "build"]
        newest = root / "submissions" / f"s{chosen.submissions - 1:04}" / "bench.json"
        runs: dict[str, list[Run]] = {}
        for number in range(chosen.repeat):
            for name, command in (
                (BY_FILE, [*plain, "--by-file"]),
                ("the same, all files first", plain),
                ("lb rescore --fresh", [*ours, "--fresh"]),
                ("lb rescore, nothing new", ours),
                *((("lb build --fresh", [*build, "--fresh"]),) if chosen.site else ()),
                *((("lb build, nothing new", build),) if chosen.site else ()),
            ):
                runs.setdefault(name, []).append(measure(command))
            # Another file with other answers to some cases, that need no other judge calls.
            records = orjson.loads(newest.read_bytes())
            records["test_results"][number]["model_function_call"] = None
            newest.write_bytes(orjson.dumps(records))
            runs.setdefault("lb rescore, one new", []).append(measure(ours))
            if chosen.site:
                runs.setdefault("lb build, one new", []).append(measure(build))
        measure(plain)
        agree(root / "results", Path(folder) / "plain")
        size = f"{chosen.submissions * 1000:,} responses, {calls:,} distinct judge calls"
        print(f"{size}; medians of {chosen.repeat}; ratios to the plain script by file")
        kept: dict[str, float] = {}
        for name, measured in runs.items():
            wall, processor, memory = map(statistics.median, zip(*measured, strict=True))
            pairs = list(zip(measured, runs[BY_FILE], strict=True))
            clock = statistics.median(mine.wall / its.wall for mine, its in pairs)
            used = statistics.median(mine.processor / its.processor for mine, its in pairs)
            kept[name] = round(used, 2)
            print(
                f"  {name:<26} {wall:7.2f} s ({clock:.2f})"
                f"  processors {processor:7.2f} s ({used:.2f})  {memory:6.0f} MB"
            )
        if chosen.site:
            sizes = [path.stat().st_size for path in (root / "_site").rglob("*") if path.is_file()]
            print(f"  the site: {len(sizes):,} files, {sum(sizes) / 1e6:.0f} MB")
        if chosen.json:
            ratios = {"responses": chosen.submissions * 1000, "ratios": kept}
            chosen.json.write_bytes(orjson.dumps(ratios))
        if chosen.stock:
            per_call = stock(root, chosen.stock)
            print(
                f"  stock vcrpy with the SDK, {chosen.stock} calls:"
                f" {per_call:.1f} ms per call, replay alone"
            )


if __name__ == "__main__":
    main()
