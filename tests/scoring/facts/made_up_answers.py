"""The made-up answers beside this file, put to the facts of the shipped suites."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from leaderboard.files.suite_files import load_suite
from leaderboard.types import Case, Suite
from leaderboard.workspace import open_workspace
from scoring.facts.decisions import decide
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped

ANSWERS = Path(__file__).parent / "answers"


class MadeUp(NamedTuple):
    """An answer with its label, and what facts decide: pass, fail or open."""

    case: Case
    answer: str
    right: bool
    decided: str


@cache
def suite(suite_id: str) -> Suite:
    shipped(f"datasets/{suite_id}")
    return load_suite(open_workspace(PROJECT), suite_id, KINDS)


def cases(suite_id: str, category: str) -> tuple[Case, ...]:
    return suite(suite_id).category(category).cases


def made_up(suite_id: str, category: str) -> Iterator[MadeUp]:
    """Every made-up answer to a case of the category."""
    by_query = {case.query: case for case in cases(suite_id, category)}
    for line in (ANSWERS / f"{category}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if case := by_query.get(record["query"]):
            finding = decide(case, record["answer"], suite(suite_id).category(category))
            assert finding is not None, case.id
            yield MadeUp(case, record["answer"], record["right"], finding.decided)


def agreement(answers: list[MadeUp]) -> float:
    """The share of the decided answers that are decided as labelled."""
    decided = [one for one in answers if one.decided != "open"]
    return sum((one.decided == "pass") is one.right for one in decided) / len(decided)


def share_open(answers: list[MadeUp]) -> float:
    return sum(one.decided == "open" for one in answers) / len(answers)
