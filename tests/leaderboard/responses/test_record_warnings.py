"""What is said of records that are read all the same."""

from __future__ import annotations

import orjson

from leaderboard.files.json_files import Findings
from leaderboard.responses.response_records import Interner, read_records
from leaderboard.types import Case, Category, GroundTruth, Suite
from scoring.rules import KINDS
from tests.each_row import each_row

SHOWN = "Which day?\n\nA) Monday\nB) Friday"


@each_row(
    ("question", "warnings"),
    [(SHOWN, 0), ("Which day?", 0), ("Which month?", 1), (SHOWN.replace("Friday", "May"), 1)],
)
def test_a_question_without_its_options_is_no_other_version(question: str, warnings: int) -> None:
    """It is the question as the file of the case has it."""
    case = Case("d", "c", SHOWN, GroundTruth(), (), {"user_query": "Which day?"}, "0")
    category = Category("c", "C", "", 1, None, (case,))
    suite = Suite("s", "S", "", KINDS["exact"], (category,), {}, "0", {"d": case})
    rows = [{"id": "d", "user_query": question, "model_text": "B"}]
    findings = Findings("r.json", orjson.dumps(rows))
    read_records(rows, suite, findings, Interner())

    found = [str(problem) for problem in findings.problems()]
    assert sum("answers another version of the case" in one for one in found) == warnings
