"""A board on which some rows asked only a part of the suite, and one left cases out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.conftest import Folder

SETTINGS = 'schema = 1\ntitle = "Parts"\n'
SUITE = """schema = 1
title = "Quiz"
kind = "exact"

[[categories]]
id = "easy"
title = "Easy"
file = "easy.json"
weight = 3

[[categories]]
id = "hard"
title = "Hard"
file = "hard.json"
weight = 1
"""
CASES = 10  # of each category
ASKED = 3  # of each category, in rows with a part

# The cases of easy and of hard that a row answers wrongly, and those of hard without a record.
FULL = {"m0": ((), (), ()), "m2": ((9,), (7,), (8, 9)), "m4": ((8, 9), range(2, 10), ())}
PARTS = {"m1": ((), ()), "m3": ((0,), (0, 1))}


def built(root: Path) -> Path:
    """The site of the board. m0, m2 and m4 have ranks, m1 and m3 asked a part.

    m1 passes all that it was asked. m4 passes 10 of 20 cases, and scores 65 %.
    """
    made = _quiz(root)
    for name, (easy, hard, missing) in FULL.items():
        asked = [number for number in range(CASES) if number not in missing]
        sent = [*_records("easy", range(CASES), easy), *_records("hard", asked, hard)]
        made.submission(name, {"test_results": sent}, "quiz")
    for name, (easy, hard) in PARTS.items():
        sent = [*_records("easy", range(ASKED), easy), *_records("hard", range(ASKED), hard)]
        made.submission(name, {"test_results": sent}, "quiz", partial=["quiz"])
    return _site(made)


def with_missing_trials(root: Path) -> Path:
    """The site of a board with two trials. m0 lacks a trial of easy-0, m1 also all of hard-9."""
    made = _quiz(root)
    for name, hard in (("m0", CASES), ("m1", CASES - 1)):
        sent = [*_records("easy", range(CASES), ()), *_records("hard", range(hard), ())]
        trials = [{**record, "trial": trial} for record in sent for trial in (1, 2)]
        trials.remove({**sent[0], "trial": 2})
        made.submission(name, {"test_results": trials}, "quiz")
    return _site(made)


def _quiz(root: Path) -> Folder:
    made = Folder(root)
    made.write("leaderboard.toml", SETTINGS)
    made.write("datasets/quiz/suite.toml", SUITE)
    for name in ("easy", "hard"):
        cases = [
            {
                "id": f"{name}-{number}",
                "user_query": f"What is {number} plus {number}?",
                "ground_truth": {"texts": [str(2 * number)]},
            }
            for number in range(CASES)
        ]
        made.write(f"datasets/quiz/{name}.json", cases)
    return made


def _site(made: Folder) -> Path:
    for command in (("rescore", "--offline"), ("build",)):
        result = made.lb(*command)
        assert result.exit_code == 0, result.output
    return made.root / "_site"


def _records(category: str, asked: Any, wrong: Any) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{category}-{number}",
            "model_function_call": None,
            "model_text": "none" if number in wrong else str(2 * number),
        }
        for number in asked
    ]
