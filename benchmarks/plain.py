"""A plain script to compare `lb rescore` with: it scores, without validation and without reasons.

Run as `python benchmarks/plain.py WORKSPACE OUT [--by-file]`. It expects the workspace of
made_up_board.py and trusts every file. It first reads all files, then makes a dict for each
verdict. With `--by-file` it reads one file at a time, which leaves less work for the garbage
collector.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
import polars as pl

Row = dict[str, object]


def main(root: Path, out: Path, *, by_file: bool) -> None:
    """Score the benchmark workspace at `root` and write two Parquet files to `out`."""
    truths = {}
    for name in ("calls", "texts"):
        for case in orjson.loads((root / f"datasets/bench/{name}.json").read_bytes()):
            truths[case["id"]] = (name, case["user_query"], case["ground_truth"])
    prompt = (root / "prompts/bench/texts.md").read_text().replace("{{", "{").replace("}}", "}")
    recorded = {}
    for path in sorted(root.glob("cassettes/*/*/*.json")):
        for interaction in orjson.loads(path.read_bytes())["interactions"]:
            body = orjson.loads(interaction["request"]["body"])
            asked_before = hashlib.sha256(
                orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
            ).hexdigest()
            recorded[asked_before] = orjson.loads(interaction["response"]["body"]["string"])[
                "choices"
            ][0]["message"]["content"]
    paths = sorted(root.glob("submissions/*/bench.json"))
    submissions: Iterable[tuple[str, list[Any]]] = (
        (path.parent.name, orjson.loads(path.read_bytes())["test_results"]) for path in paths
    )
    rows: list[Row] = []
    for submission, records in submissions if by_file else list(submissions):
        for record in records:
            category, query, truth = truths[record["id"]]
            key: str | None = None
            if category == "calls":
                passed = _same_call(record["model_function_call"], truth)
            else:
                text = record["model_text"]
                passed = text.strip().casefold() == truth["text"].strip().casefold()
                if not passed:
                    fence = hashlib.sha256(
                        f"{query}\0\0{truth['text']}\0{text}".encode()
                    ).hexdigest()[:8]
                    asked = prompt.format(
                        question=query, expected=truth["text"], got=text, fence=fence
                    )
                    key = _key(asked)
                    passed = recorded[key].split("\n", 1)[0].strip().lower() == "equivalent"
            rows.append(_row(submission, category, record["id"], key, passed=passed))
    verdicts = pl.DataFrame(rows, infer_schema_length=None)
    out.mkdir(parents=True, exist_ok=True)
    verdicts.write_parquet(out / "verdicts.parquet")
    means = (
        verdicts.group_by("submission", "category")
        .agg(pl.col("score").mean(), pl.len())
        .sort("submission", "category")
    )
    means.write_parquet(out / "scores.parquet")


def _key(asked: str) -> str:
    body = {
        "model": "embedded-1",
        "messages": [{"role": "user", "content": asked}],
        "temperature": 0,
        "seed": 7,
    }
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _row(submission: str, category: str, case_id: str, key: str | None, *, passed: bool) -> Row:
    return {
        "submission": submission,
        "suite": "bench",
        "category": category,
        "case_id": case_id,
        "trial": 1,
        "metric": "correct",
        "outcome": "pass" if passed else "fail",
        "score": 1.0 if passed else 0.0,
        "decided_by": "judge" if key else "rule",
        "judge_call": key,
    }


def _same_call(call: dict[str, Any] | None, truth: dict[str, Any]) -> bool:
    expected = truth["function_call"]
    accepted = truth["accepted"]
    if (
        call is None
        or call["name"] != expected["name"]
        or call["arguments"].keys() != expected["arguments"].keys()
    ):
        return False
    for name, value in expected["arguments"].items():
        got = call["arguments"][name]
        if got != value and got not in accepted.get(name, ()):
            return False
    return True


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), by_file="--by-file" in sys.argv[3:])
