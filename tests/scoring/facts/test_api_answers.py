"""Made-up answers to queries over simulated APIs, against the facts of the shipped suite.

Their authors did not know the facts. See tests/scoring/facts/answers/.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from leaderboard.apis.executions import reply_failed, tool_reply
from leaderboard.files.suite_files import load_suite
from leaderboard.types import Suite
from leaderboard.workspace import Workspace
from scoring.facts.api_answers.api_final_answers import decide_replied
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped

shipped("datasets/stable_toolbench")

ANSWERS = Path(__file__).parent / "answers"

LEAST_AGREEMENT = 0.95
MOST_OPEN = 0.1


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite(Workspace(PROJECT), "stable_toolbench", KINDS)


@pytest.mark.large
def test_agreement_with_the_labels(suite: Suite) -> None:
    """Facts agree with the label of nearly every answer, and leave few answers open."""
    cases = {case.query: case for case in suite.cases}
    counts: Counter[str] = Counter()
    for path in sorted(ANSWERS.glob("G*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            made_up = json.loads(line)
            facts = cases[made_up["query"]].ground_truth.facts
            assert facts is not None, made_up["query"]
            replies = [tool_reply(call["response"]) for call in made_up["calls"]]
            given = [reply for reply in replies if reply_failed(reply) is False]
            failed = [reply for reply in replies if reply_failed(reply)]
            found = decide_replied(
                facts, made_up["query"], made_up["answer"], given, errors=failed, support=given
            )
            if found.decided == "open":
                counts["open"] += 1
            else:
                counts["agree"] += (found.decided == "pass") is made_up["right"]
                counts["decided"] += 1
    assert counts["agree"] / counts["decided"] >= LEAST_AGREEMENT
    assert counts["open"] / counts.total() <= MOST_OPEN


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        ("RR-1002: The return period ended on 10 May 2031. RR-1004: until 22 May 2031.", "pass"),
        ("- RR-1002: ❌ No, closed on 10 May 2031.\n- RR-1004: ✅ Yes.", "pass"),
        ("| RR-1002 | No | 10 May 2031 |\n|---|---|---|\n| RR-1004 | Yes | 22 May 2031 |", "pass"),
        ("RR-1002: The last day for it was 10 May 2031. RR-1004 can be returned.", "pass"),
        ("RR-1002 is non-returnable. RR-1004 can be returned.", "pass"),
        ("RR-1002: yes. RR-1004: no, its return period ended.", "fail"),
        ("RR-1002: yes; RR-1004: no, its return period ended.", "fail"),
        ("RR-1002: The return period has not ended. RR-1004 can be returned.", "fail"),
        ("RR-1002: No problem. RR-1004 can be returned.", "fail"),
    ],
)
def test_ways_to_say_that_an_order_cannot_be_returned(
    suite: Suite, orders: str, expected: str
) -> None:
    """In a sentence, a list or a table."""
    (case,) = (one for one in suite.cases if one.id == "9755")
    assert case.ground_truth.facts is not None
    errors = [{"error": "The return was possible until 10 May 2031."}]
    replies = [
        {"order_no": "RR-1004", "return_until": "2031-05-22", "days_left": 6},
        {"order_no": "RR-1004", "used": True, "refund": 63.2},
    ]
    found = decide_replied(
        case.ground_truth.facts,
        case.query,
        f"{orders} You get 63.20.",
        replies,
        errors=errors,
        support=replies,
    )
    assert found.decided == expected
