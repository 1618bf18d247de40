"""What is said of records that are read all the same."""

from __future__ import annotations

import time
from typing import Any

import orjson
import pytest

from leaderboard.files.findings import Findings
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


@each_row(
    ("own", "truth", "warnings"),
    [
        ({"text": "B"}, {"text": "B", "function_call": None}, 0),
        ({"text": "B"}, {"text": "C"}, 1),
        ({"number": 4}, {"number": 4}, 0),
        ({"number": 4}, {"number": 5}, 1),
        ({"number": 4}, "4", 1),
        (["B"], {"text": "B"}, 1),
        (2, {"text": "B"}, 1),
    ],
)
def test_another_ground_truth_is_another_version(own: Any, truth: Any, warnings: int) -> None:
    """Whatever its form, which a rule of the board's own chooses."""
    found = warnings_of([{"id": "d", "model_text": "B", "ground_truth": truth}], own)
    assert sum("answers another version of the case" in one for one in found) == warnings


@each_row(
    ("record", "warning"),
    [
        ({"latencys": 1}, "the field 'latencys', which is not read (did you mean 'latency_s', in "),
        ({"latency_ms": 1}, "did you mean 'latency_s', in seconds?"),
        ({"usages": {}}, "the field 'usages', which is not read (did you mean 'usage'?)"),
        ({"usage": {"inputtokens": 2}}, "did you mean 'input_tokens'?"),
        ({"usage": {"prompt_tokens": 2, "total_tokens": 3}}, "did you mean 'input_tokens'?"),
        ({"usage": {"completion_tokens": 2}}, "did you mean 'output_tokens'?"),
        ({"prompt_tokens": 2}, "did you mean 'usage.input_tokens'?"),
        ({"output_tokens": 2}, "did you mean 'usage.output_tokens'?"),
        ({"usage": {"input_tokens": 2, "total_tokens": 3}, "latency_s": 1}, ""),
        ({"usage": None, "note": "x"}, ""),
    ],
)
def test_misspelt_costs_are_named_once_per_file(record: dict[str, Any], warning: str) -> None:
    """The columns of costs and times would stay empty."""
    found = warnings_of([{"id": name, "model_text": "B", **record} for name in ("d", "e")])
    assert len(found) == (1 if warning else 0)
    assert warning in "".join(found)


@pytest.mark.large
def test_t12_many_fields_that_are_nearly_known_take_little_time() -> None:
    """Also where each is in one record only. The first of them are still named."""
    rows: list[dict[str, Any]] = [{"id": f"{place}", "model_text": "B"} for place in range(2_000)]
    rows[0] |= {f"model_text{chr(place)}": None for place in range(0x4E00, 0x9E00)}
    rows[1]["usage"] = {f"cost_usd{chr(place)}": None for place in range(0x4E00, 0x9E00)}
    rows[2] = {"id": "2", "model_text": None, "model_tex": "B"}
    start = time.process_time()
    found = warnings_of(rows)
    assert time.process_time() - start < 4
    assert "$[2].model_tex: is not read, and no other field has an answer" in "".join(found)


def warnings_of(rows: list[dict[str, Any]], truth: Any = None) -> list[str]:
    """The warnings of a file with these records. A suite has their cases, with this truth."""
    record = {"user_query": "Which?", "ground_truth": truth}
    cases = {
        row["id"]: Case(row["id"], "c", "Which?", GroundTruth(), (), record, "0") for row in rows
    }
    category = Category("c", "C", "", 1, None, tuple(cases.values()))
    suite = Suite("s", "S", "", KINDS["exact"], (category,), {}, "0", cases)
    findings = Findings("r.json", orjson.dumps(rows))
    read_records(rows, suite, findings, Interner())
    return [str(problem) for problem in findings.problems()]
