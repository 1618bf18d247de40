"""Submissions in the tester's result files."""

from __future__ import annotations

import csv
import io
import json

from leaderboard.files.suite_files import load_suite
from leaderboard.types import Call, Record, Records, Response
from leaderboard.workspace import Workspace
from runners.exports.tool_selection_export import ExportedVerdict, export_tester
from scoring.rules import KINDS
from tests.conftest import Folder


def test_each_case_has_a_row_and_each_record_a_reply(folder: Folder) -> None:
    """Results, mismatches and who decided, in the tester's words; formulas are made harmless."""
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    made = [
        Record(Response("A001", b"1", (Call("convert", {"n": 1}),), None), 1),
        Record(Response("A001", b"2", (), "later"), 2),
        Record(Response("B001", b"3", (), "=1+1"), 1),
        Record(Response("B002", b"4", (), None, "timed out"), 1),
        Record(Response("A003", b"5", (), "Paris.", malformed="it is no JSON"), 1),
    ]
    verdicts = {
        "A001": ExportedVerdict("fail", "missing_argument", "x missing.", "rule"),
        "A002": ExportedVerdict("fail", "missing_response", "No.", "rule"),
        "B001": ExportedVerdict("pass", "judge_equivalent", "Yes.", "judge"),
        "B002": ExportedVerdict("unscored", "judge_missing", "Waits.", "judge"),
    }
    files = export_tester(suite, Records.of(made), verdicts)
    results = json.loads(files["test_results.json"])["test_results"]
    assert [(row["id"], row["type"], row["model_text"]) for row in results] == [
        ("A001", "tool_selection", None),
        ("A003", "tool_selection", "Paris."),
        ("B001", "text_response", "=1+1"),
        ("B002", "text_response", None),
    ]
    assert results[0]["model_function_call"] == {"name": "convert", "arguments": {"n": 1}}
    assert results[1]["error"] == "a call cannot be read: it is no JSON"
    assert results[3]["error"] == "timed out"
    rows = list(csv.DictReader(io.StringIO(files["test_results.csv"].decode())))
    assert [(r["result"], r["mismatch_type"], r["match_kind"], r["status"]) for r in rows] == [
        ("Incorrect", "Parameters", "exact", "Answered"),
        ("Incorrect", "", "exact", "Missing"),
        ("Correct", "", "semantic", "Answered"),
        ("Unjudged", "", "semantic", "Error"),
    ]
    assert rows[2]["model_response"] == "'=1+1"
    assert json.loads(rows[0]["expected_function_call"])["name"] == "convert_units"


def test_a_call_that_cannot_be_read_is_an_error_in_both_files(folder: Folder) -> None:
    """Its cells are empty, so that "Answered" would look like an answer without a call."""
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    broken = Response("A001", b"1", (), None, malformed="it is no JSON")
    verdict = ExportedVerdict("fail", "malformed_call", "It is no JSON.", "rule")
    files = export_tester(suite, Records.of([Record(broken, 1)]), {"A001": verdict})
    (row,) = csv.DictReader(io.StringIO(files["test_results.csv"].decode()))
    assert (row["model_function_call"], row["status"]) == ("", "Error")
