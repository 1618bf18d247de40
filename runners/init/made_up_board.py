"""A small complete board to look at: sums in words, answered by two made-up programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from leaderboard.types import Json
from leaderboard.workspace import card_file
from runners.init.new_board import NewSuite, board_files, example_suite, in_words, suite_files

_CASES: Final = Path(__file__).parent / "files" / "demo"

DESCRIPTION: Final = (
    "A board to look at. Two made-up programs answer 24 sums in words. Neither of them is a model: "
    "one adds all numbers of a question, the other gives the largest one."
)
# Name, what it does, and how it answers, by id.
PROGRAMS: Final[Mapping[str, tuple[str, str, Callable[[Iterable[int]], int]]]] = {
    "program-sum": ("Sum (made-up program)", "adds all numbers of the question", sum),
    "program-largest": (
        "Largest (made-up program)",
        "gives the largest number of the question",
        max,
    ),
}
_DATE: Final = "2026-01-01"  # with a clock, every demo would differ


def demo_board(title: str, action: str | None = None) -> dict[str, bytes]:
    """Every file of the demo, by path."""
    categories = {
        in_words(path.stem): json.loads(path.read_bytes()) for path in sorted(_CASES.glob("*.json"))
    }
    like = example_suite("exact").files["suite.toml"].decode()
    suite = NewSuite("sums", suite_files(like, "Sums in words", categories), {})
    files = board_files(
        title, suite, description=DESCRIPTION, action=action, baselines=sorted(PROGRAMS)
    )
    cases = [case for records in categories.values() for case in records]
    for submission, (name, does, answer) in PROGRAMS.items():
        folder = f"submissions/{submission}"
        card = {"schema": 1, "name": name, "kind": "baseline", "organization": "Toolboard's demo"}
        card |= {"model": "none: a made-up program", "date": _DATE}
        records = [{"id": case["id"], "model_text": _text(case, answer)} for case in cases]
        readme = f"# {name}\n\nA program made up for the demo, not a model. It {does}.\n"
        files[card_file(submission)] = _as_json(card)
        files[f"{folder}/README.md"] = readme.encode()
        files[f"{folder}/{suite.id}.json"] = _as_json({"test_results": records})
    return files


def _text(case: Mapping[str, Json], answer: Callable[[Iterable[int]], int]) -> str:
    numbers = map(int, re.findall(r"\d+", case["user_query"]))
    return f"Answer: {answer(numbers)}"


def _as_json(value: Json) -> bytes:
    return f"{json.dumps(value, indent=2)}\n".encode()
