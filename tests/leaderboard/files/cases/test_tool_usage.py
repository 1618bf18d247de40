"""Cases of kind tool_usage: misspelt keys."""

from __future__ import annotations

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.tool_usage import read_tool_usage
from leaderboard.files.findings import Findings


def test_misspelt_keys_are_warnings_and_the_case_is_read() -> None:
    """They would be ignored, though they decide. Other keys are a file's own."""
    outputs = {"expected_steps": ["a"], "reference": "x", "order_mater": False, "note": "easy"}
    outputs["alternativs"] = [["b"]]
    case = {"inputs": {"question": "?"}, "outputs": outputs, "metadata": {}}
    findings = Findings("c.json", b"[]")
    (read,) = read_tool_usage(CategoryCases([case], "c", (), False, findings))
    assert read.ground_truth.trajectory
    assert [(one.at[-1], one.fix, one.severity) for one in findings.found] == [
        ("order_mater", "did you mean 'order_matters'?", "warning"),
        ("alternativs", "did you mean 'alternatives'?", "warning"),
    ]
