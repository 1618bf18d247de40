"""A kind with a memory decides each response to a case once."""

from __future__ import annotations

import dataclasses

import pytest

from leaderboard.facts.fact_shapes import Facts
from leaderboard.kinds import Kind
from leaderboard.types import Case, GroundTruth, Response, Suite, Verdict
from scoring.cached.remembered_decisions import remembering
from scoring.rules import KINDS

CASE = Case("q1", "c", "Query?", GroundTruth(), (), {}, "")
GIVEN = Response("q1", b"k", (), "Yes")
PASSED = (Verdict("correct", "pass", 1.0, "same", ""),)


@pytest.fixture
def decided() -> list[Response]:
    """The responses that the rule has read."""
    return []


@pytest.fixture
def kind(decided: list[Response]) -> Kind:
    """A kind that believes no text, and notes what its rule reads."""

    def confirm(_suite: Suite, _case: Case, response: Response) -> Response:
        return dataclasses.replace(response, text=None)

    def decide(_suite: Suite, _case: Case, response: Response) -> tuple[Verdict, ...]:
        decided.append(response)
        return PASSED

    return remembering(dataclasses.replace(KINDS["exact"], confirm=confirm, decide=decide))


def find(kind: Kind, suite_id: str, case: Case, response: Response) -> None:
    suite = Suite(suite_id, "S", "", kind, (), {}, "", {case.id: case})
    assert kind.decide(suite, case, kind.confirm(suite, case, response)) == PASSED


def test_a_response_is_checked_and_decided_once(kind: Kind, decided: list[Response]) -> None:
    """Responses with the same key are the same. The rule reads the checked one."""
    for response in (GIVEN, dataclasses.replace(GIVEN), GIVEN):
        find(kind, "s", CASE, response)

    assert [response.text for response in decided] == [None]


def test_other_keys_cases_and_suites_are_decided_for_themselves(
    kind: Kind, decided: list[Response]
) -> None:
    """A case without its facts is another one, as for the labelled pairs of judges."""
    find(kind, "s", CASE, GIVEN)
    find(kind, "s", CASE, dataclasses.replace(GIVEN, key=b"other"))
    find(kind, "other", CASE, GIVEN)
    find(kind, "s", dataclasses.replace(CASE, id="q2"), GIVEN)
    with_facts = dataclasses.replace(CASE.ground_truth, facts=Facts())
    find(kind, "s", dataclasses.replace(CASE, ground_truth=with_facts), GIVEN)

    assert len(decided) == 5
