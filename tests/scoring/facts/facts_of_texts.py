"""Makes facts of a case and reads answers to it, for the tests of their deciders."""

from __future__ import annotations

from typing import Any

from leaderboard.facts.fact_shapes import Facts
from leaderboard.files.fact_reader import read_facts
from leaderboard.files.findings import Findings
from leaderboard.types import Case, GroundTruth
from scoring.facts.decisions import decide
from scoring.facts.fact_findings import FactFinding


def facts_of(**truth: Any) -> Facts:
    findings = Findings("cases.json", b"")
    facts = read_facts(truth, findings, ())
    assert facts is not None, findings.found
    return facts


def finding_of(
    query: str, answer: str, date: str | None = None, reference: str = "x", **truth: Any
) -> FactFinding:
    """What the facts of a case with this question decide about an answer."""
    truth_of_case = GroundTruth(text=reference, facts=facts_of(**truth))
    case = Case("c", "category", query, truth_of_case, (), {}, "")
    finding = decide(case, answer, date=date)
    assert finding is not None
    return finding
