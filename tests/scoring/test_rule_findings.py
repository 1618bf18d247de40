"""What rules find is kept by response, and used for the next board with the same suites."""

from __future__ import annotations

import dataclasses

from leaderboard.types import Case, Decision, GroundTruth, Response, Suite
from scoring.rule_findings import KeptFindings, findings
from scoring.rules import KINDS

CASE = Case("q1", "c", "Query?", GroundTruth(), (), {}, "")


def as_it_is(_suite: Suite, _case: Case, response: Response) -> Response:
    return response


PASSED = (Decision("correct", "pass", 1.0, "same", ""),)


def counting(decided: list[Response]) -> Suite:
    """A suite whose rule notes each response, and passes it."""

    def decide(_suite: Suite, _case: Case, response: Response) -> tuple[Decision, ...]:
        decided.append(response)
        return PASSED

    kind = dataclasses.replace(KINDS["exact"], decide=decide)
    return Suite("s", "S", "", kind, (), {}, "", {"q1": CASE})


def test_a_response_is_decided_once() -> None:
    """Another object is another response, because a key means the same in one suite only."""
    decided: list[Response] = []
    suite, kept = counting(decided), KeptFindings()
    one, other = (Response("q1", b"k", (), "Yes") for _ in range(2))
    for response in (one, other, one):
        assert findings(suite, CASE, response, as_it_is, kept) == PASSED

    assert decided == [one, other]
    assert findings(suite, CASE, one, as_it_is) == PASSED
    assert decided == [one, other, one]


def test_the_response_is_confirmed_first() -> None:
    """What the rule sees is the confirmed response. What is kept belongs to the given one."""
    decided: list[Response] = []
    suite, kept = counting(decided), KeptFindings()
    given, confirmed = (Response("q1", b"", (), text) for text in ("told", "true"))
    for key in ("a", "a", "b"):
        findings(suite, CASE, given, lambda *_: confirmed, kept, key=key)

    assert decided == [confirmed, confirmed]
