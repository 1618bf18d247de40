"""What facts decide depends on the whole case, not only on its facts."""

from __future__ import annotations

from dataclasses import replace

from leaderboard.types import Case, GroundTruth
from scoring.facts.decisions import decide
from tests.scoring.facts.facts_of_texts import facts_of

CITY = {"id": "city", "label": "the city, Oslo", "accepts": ["oslo"], "rivals": ["rome"]}


def test_the_same_facts_with_another_question() -> None:
    """They are compiled with their question, and again if it changes."""
    truth = GroundTruth(text="Oslo", facts=facts_of(facts=[CITY]))
    coldest = Case("c", "category", "Which city is the coldest?", truth, (), {}, "")
    warmest = replace(coldest, query="Which city is the warmest?")

    findings = [decide(case, "Oslo is the warmest.") for case in (coldest, warmest)]
    assert [finding and finding.decided for finding in findings] == ["fail", "pass"]
