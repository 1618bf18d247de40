"""The work that other tools are given: decide a response by a rule or by a recorded reply.

Only the standard library, because each tool has an environment of its own.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class Replayed:
    """The cases, the prompt and the recorded replies of the workspace of made_up_board.py."""

    def __init__(self, root: Path) -> None:
        cases = [
            case
            for name in ("calls", "texts")
            for case in json.loads((root / f"datasets/bench/{name}.json").read_bytes())
        ]
        self.cases = {case["id"]: case for case in cases}
        prompt = (root / "prompts/bench/texts.md").read_text()
        self.prompt = prompt.replace("{{", "{").replace("}}", "}")
        self.replies: dict[str, str] = {}
        for path in sorted(root.glob("cassettes/*/*/*.json")):
            for item in json.loads(path.read_bytes())["interactions"]:
                asked = json.loads(item["request"]["body"])["messages"][0]["content"]
                reply = json.loads(item["response"]["body"]["string"])
                self.replies[asked] = reply["choices"][0]["message"]["content"]

    def passed(self, record: Record) -> bool:
        """Decides one response."""
        case = self.cases[record["id"]]
        truth = case["ground_truth"]
        if truth["function_call"] is not None:
            return _same_call(record["model_function_call"], truth)
        got, expected, query = record["model_text"], truth["text"], case["user_query"]
        if got.strip().casefold() == expected.strip().casefold():
            return True
        fence = hashlib.sha256(f"{query}\0\0{expected}\0{got}".encode()).hexdigest()[:8]
        asked = self.prompt.format(question=query, expected=expected, got=got, fence=fence)
        return self.replies[asked].split("\n", 1)[0].strip().lower() == "equivalent"


def submissions(root: Path) -> list[list[Record]]:
    """The records of each submission."""
    paths = sorted(root.glob("submissions/*/bench.json"))
    return [json.loads(path.read_bytes())["test_results"] for path in paths]


def _same_call(call: Record | None, truth: Record) -> bool:
    expected = truth["function_call"]
    if call is None or call["name"] != expected["name"]:
        return False
    if call["arguments"].keys() != expected["arguments"].keys():
        return False
    return all(
        call["arguments"][name] == value
        or call["arguments"][name] in truth["accepted"].get(name, ())
        for name, value in expected["arguments"].items()
    )
