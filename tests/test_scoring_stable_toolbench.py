"""The rule of suites over simulated APIs: the gold APIs called, brought to an end, and what is left to a judge."""

from __future__ import annotations

import pytest

from leaderboard.cases import CaseFile, read_stable_toolbench
from leaderboard.document import Findings
from leaderboard.types import Call, Case, Decision, Json, Referral, Response, Suite
from scoring.stable_toolbench import called_pairs, decide

APIS = [
    {"category_name": "Transportation", "tool_name": "TramLine", "api_name": "next departures"},
    {"category_name": "Transportation", "tool_name": "TramLine", "api_name": "line status"},
]
FINISH = Call("Finish", {"return_type": "give_answer", "final_answer": "At 18:04."})


def case(gold: Json = (("TramLine", "next departures"), ("TramLine", "line status"))) -> Case:
    record = {"query_id": 1, "query": "When?", "api_list": APIS, "relevant APIs": [list(pair) for pair in gold]}
    (found,) = read_stable_toolbench(CaseFile([record], "G1_tool", (), shared=False, findings=Findings("q", b"")))
    return found


def verdicts(
    *calls: Call, text: str | None = None, error: str | None = None, of: Case | None = None
) -> dict[str, Decision | Referral]:
    asked = of or case()
    suite = Suite("s", "S", "", "stable_toolbench", (), {}, "", {asked.id: asked})
    return {found.metric: found for found in decide(suite, asked, Response("1", b"", calls, text, error))}


@pytest.mark.parametrize(
    ("names", "score"),
    [
        (["TramLine_next departures", "TramLine_line status"], 1.0),
        (["TramLine_next_departures", "TramLine_line_status"], 1.0),
        (["next_departures_for_tramline", "line_status_for_tramline"], 1.0),
        (["TramLine_next departures"], 0.5),
        (["TramLine_next departures"] * 3, 0.5),
        (["tramline_next departures", "TRAMLINE_line status"], 0.0),
        (["TramLine_next departures", "TramLine_line status", "Other_thing"], 1.0),
        ([], 0.0),
    ],
)
def test_api_call_is_the_share_of_gold_apis_called(names: list[str], score: float) -> None:
    """In any spelling; repeats and further calls change nothing; letter case counts."""
    found = verdicts(*(Call(name, {}) for name in names), FINISH)["api_call"]
    assert isinstance(found, Decision)
    assert (score, "pass" if score == 1 else "fail") == (found.score, found.outcome)


def test_a_14_without_gold_apis_there_is_no_score() -> None:
    """A-14: a query that names none is left out of the mean, not counted as 0."""
    found = verdicts(FINISH, of=case(()))["api_call"]
    assert isinstance(found, Decision)
    assert ("unscored", None, "no_gold_api") == (found.outcome, found.score, found.reason)


def test_names_that_are_no_api_are_listed() -> None:
    """A name without a mark is no pair; it is shown."""
    found = verdicts(Call("mystery", {}), FINISH)["api_call"]
    assert "Not an API of this query: mystery." in found.detail
    assert ((("Other", "x y"),), ("mystery",)) == called_pairs(case(), [Call("Other_x y", {}), Call("mystery", {}), FINISH])


def test_finish_is_the_last_call() -> None:
    """Brought to an end only if nothing follows Finish."""
    calls = (Call("TramLine_line status", {}), FINISH)
    assert ["pass", "fail", "fail"] == [
        found.outcome
        for found in (verdicts(*order)["finish"] for order in (calls, calls[::-1], ()))
        if isinstance(found, Decision)
    ]


def test_an_answer_goes_to_the_judge_with_what_the_tools_said() -> None:
    """The judge reads the query, the tools' replies and the final answer, be it text or in the Finish call."""
    for text in (None, "At 18:04."):
        found = verdicts(Call("TramLine_line status", {"line": "3"}, "good service"), FINISH, text=text)["sopr"]
        assert isinstance(found, Referral)
        (question,) = found.questions
        assert ("When?", "At 18:04.") == (question.query, question.got)
        assert 'TramLine_line status({"line": "3"}) -> good service' == question.expected


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ((), "empty_response"),
        ((Call("Finish", {"return_type": "give_up_and_restart"}),), "gave_up"),
        ((Call("Finish", {}),), "empty_response"),
    ],
)
def test_no_answer_is_unsolved(calls: tuple[Call, ...], reason: str) -> None:
    """An empty answer, or one that was given up, is decided without a judge."""
    found = verdicts(*calls)["sopr"]
    assert isinstance(found, Decision)
    assert ("fail", reason) == (found.outcome, found.reason)


def test_a_failed_system_fails_every_metric() -> None:
    """With its error in the verdict."""
    found = verdicts(error="boom").values()
    assert ["response_error"] * 3 == [verdict.reason for verdict in found if isinstance(verdict, Decision)]
