"""Looks for bytes that break a reader, guided by the branches that they reach.

    make fuzz INPUTS=50000 SEED=1    # installs atheris, which has wheels for Linux on x86-64 alone

Half of the inputs are libFuzzer's own changes, half are changes to values (`mutations.py`). A run
stops at the first traceback, input over 5 seconds of processor time, write outside its folder, or
process over 2 GB, and keeps the input in `crash-*`. After each 1,000 inputs it prints its figures.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import atheris

with atheris.instrument_imports(
    include=["leaderboard", "scoring", "replay", "runners", "site_templates"]
):
    from tests.fuzz.foreign_readers import make_readers
    from tests.fuzz.mutations import mutated


_STEP = 1000
_MOST_SECONDS = 5  # of processor time


class Fuzzer:
    """Gives each input to the reader that its first byte names, and keeps the figures."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.readers = list(make_readers(root / "boards").items())
        self.inputs = 0
        self.slowest = (0.0, "")

    def write_seeds(self) -> str:
        """Writes the good files of all readers to a folder, and reads each once.

        What a reader imports when it is used first must not count as its time, or as its writes.
        """
        folder = self.root / "seeds"
        folder.mkdir()
        for number, (_, reader) in enumerate(self.readers):
            for place, seed in enumerate(reader.seeds):
                (folder / f"{number}-{place}").write_bytes(bytes([number]) + seed)
                reader.read(seed)
        return str(folder)

    def one(self, data: bytes) -> None:
        if not data:
            return
        name, reader = self.readers[data[0] % len(self.readers)]
        start = time.process_time()  # other work on the machine must not count
        reader.read(data[1:])
        taken = time.process_time() - start
        if taken > _MOST_SECONDS:
            raise RuntimeError(f"{name} took {taken:.1f} s")
        self.slowest = max(self.slowest, (taken, name))
        self.inputs += 1
        if self.inputs % _STEP == 0:  # libFuzzer ends the process, so nothing can be done later
            print(self.figures(), flush=True)

    def change(self, data: bytes, size: int, seed: int) -> bytes:
        """Changes an input: its bytes, its values, or those of a good file."""
        random = Random(seed)
        if not data or random.random() < 0.1:
            number = random.randrange(len(self.readers))
            data = bytes([number]) + random.choice(self.readers[number][1].seeds)
        if random.random() < 0.5:
            changed = mutated(data[1:], random)
        else:
            changed = atheris.Mutate(data[1:], size - 1)
        return (data[:1] + changed)[:size]

    def figures(self) -> str:
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds, name = self.slowest
        shown = {"inputs": self.inputs, "readers": len(self.readers), "peak_mb": memory // 1024}
        return json.dumps({**shown, "slowest_s": round(seconds, 3), "slowest_reader": name})


def refuse_writes_outside(root: Path) -> None:
    """Makes opening a file for writing anywhere else an error, for the rest of the process."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str):
            writes = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if writes and not Path(arguments[0]).resolve().is_relative_to(root):
                raise RuntimeError(f"wrote {arguments[0]}")

    sys.dont_write_bytecode = True
    sys.addaudithook(hook)


def main() -> None:
    """Fuzzes all readers in this process."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--inputs", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=int, default=540)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        fuzzer = Fuzzer(root)
        seeds = fuzzer.write_seeds()
        bounds = [f"-runs={chosen.inputs}", f"-seed={chosen.seed}", "-timeout=60", "-max_len=20000"]
        bounds += ["-rss_limit_mb=2048", f"-max_total_time={chosen.seconds}", "-verbosity=0"]
        atheris.Setup(
            [sys.argv[0], *bounds, "-len_control=0", seeds],
            fuzzer.one,
            custom_mutator=fuzzer.change,
        )
        refuse_writes_outside(root)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
