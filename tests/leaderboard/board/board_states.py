"""Small states of a board for tests of differences and histories."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from leaderboard.board.board_state import SNAPSHOT_COLUMNS, State
from leaderboard.board.manifest_shape import DigestedInputs, Manifest
from leaderboard.digest import digest_bytes, digest_of
from leaderboard.frames import VERDICTS
from leaderboard.types import Suite
from tests.scoring.verdict_tables import ranked, scored, submission, suite, verdicts

SMALL = suite("s", a=(4, 1.0), b=(2, 1.0))


def manifest(submissions: Mapping[str, str], **inputs: Any) -> Manifest:
    """Makes a manifest of submissions that took the suite `s`, with a word for each input."""
    named: DigestedInputs = {
        "rules": {"version": inputs.get("rules", 1)},
        "suites": {"s": {"digest": digest_of(inputs.get("cases", ""))}},
        "prompts": {"s/a": digest_of(inputs.get("prompt", ""))},
        "judges": {"j": {"digest": digest_of(inputs.get("judge", ""))}},
        "submissions": {
            name: {f"submissions/{name}/s.json": digest_of(word)}
            for name, word in submissions.items()
        },
        "cassettes": {
            f"cassettes/j/s/{name}.json": digest_of(word)
            for name, word in inputs.get("cassettes", {}).items()
        },
    }
    return {
        "schema": 1,
        "as_of": inputs.get("as_of", "2026-01-31"),
        "digest": digest_of(named),
        **named,
    }


def state(
    name: str, marks: Mapping[str, Mapping[str, Any]], suite_: Suite = SMALL, **inputs: Any
) -> State:
    """Makes a board with these marks. Its responses change exactly when its marks change."""
    frame = pl.concat([verdicts(who, "s", "correct", **mark) for who, mark in marks.items()])
    words = {who: inputs.get("responses", {}).get(who, repr(mark)) for who, mark in marks.items()}
    everybody = [submission(who) for who in marks]
    table, _ = ranked(frame, [suite_], everybody)
    kept = frame.select(list(SNAPSHOT_COLUMNS))
    made = manifest(words, **inputs)
    return State(
        name,
        made,
        scored(frame, [suite_]),
        table,
        lambda: kept,
        inputs.get("sequence"),
        inputs.get("label"),
    )


def write_results(folder: Path, board: State) -> Path:
    """A folder of results, as far as snapshots read one."""
    folder.mkdir(exist_ok=True)
    tables = {"scores": board.scores, "ranks": board.ranks}
    for name, frame in tables.items():
        (folder / f"{name}.json").write_text(json.dumps(frame.to_dicts()))
    verdicts = board.verdicts.with_columns(
        detail=pl.lit("because " * 20), judge_call=pl.lit(None, pl.String)
    )
    verdicts.select(list(VERDICTS)).write_parquet(folder / "verdicts.parquet")
    digests = {
        path.name: digest_bytes(path.read_bytes())
        for path in folder.iterdir()
        if path.name != "manifest.json"
    }
    (folder / "manifest.json").write_text(json.dumps({**board.manifest, "results": digests}))
    return folder
