"""The rule of suites over simulated APIs: solved, gold APIs, success of calls, and Finish."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.stable_toolbench import read_stable_toolbench
from leaderboard.files.findings import Findings
from leaderboard.reasons import REASONS
from leaderboard.responses.solved_grades import POINTS, UNSURE
from leaderboard.types import (
    Call,
    CalledApi,
    Case,
    Category,
    Json,
    Referral,
    Response,
    Suite,
    Verdict,
)
from scoring.rules import KINDS, fail_unanswered
from scoring.rules.stable_toolbench import KIND, decide, execution
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import facts_of

APIS = [
    {"category_name": "Transportation", "tool_name": "TramLine", "api_name": "next departures"},
    {"category_name": "Transportation", "tool_name": "TramLine", "api_name": "line status"},
]
FINISH = Call("Finish", {"return_type": "give_answer", "final_answer": "At 18:04 with line 3."})
DEPARTURES = Call("TramLine_next departures", {"stop": "Harbour Square"}, "18:04 line 3")
STATUS = Call("TramLine_line status", {"line": "3"}, {"error": "no such line", "response": ""})
METRICS = tuple(metric.id for metric in KIND.metrics)


def case(gold: Json = (("TramLine", "next departures"), ("TramLine", "line status"))) -> Case:
    record = {
        "query_id": 1,
        "query": "When?",
        "api_list": APIS,
        "relevant APIs": [list(pair) for pair in gold],
    }
    (found,) = read_stable_toolbench(
        CategoryCases([record], "G1_tool", (), shared=False, findings=Findings("q", b""))
    )
    return found


def suite(
    asked: Case,
    prompt: str | None = "answer_status",
    follow_up: str | None = "execution_status",
    **policy: str,
) -> Suite:
    category = Category("G1_tool", "C", "", 1.0, prompt, (asked,), follow_up=follow_up)
    return Suite(
        "s", "S", "", KINDS["stable_toolbench"], (category,), policy, "", {asked.id: asked}
    )


def findings(*calls: Call, of: Case | None = None, **fields: Any) -> dict[str, Verdict | Referral]:
    asked = of or case()
    response = Response(
        "1", b"", calls, fields.pop("text", None), fields.pop("error", None), **fields
    )
    return {found.metric: found for found in decide(suite(asked), asked, response)}


def decided(
    metric: str, *calls: Call, of: Case | None = None, **fields: Any
) -> tuple[str, float | None, str]:
    found = findings(*calls, of=of, **fields)[metric]
    assert isinstance(found, Verdict)
    assert found.reason in REASONS
    return found.outcome, found.score, found.reason


@each_row(
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
    outcome, got, _ = decided("api_call", *(Call(name, {}) for name in names), FINISH)
    assert ("pass" if score == 1 else "fail", score) == (outcome, got)


@pytest.mark.parametrize("metric", ["api_call", "api_call_precision", "api_call_success"])
def test_without_gold_apis_there_is_no_score(metric: str) -> None:
    """A query that names none is left out of the mean, not counted as 0."""
    assert ("unscored", None, "no_gold_api") == decided(metric, DEPARTURES, FINISH, of=case(()))


def test_of_many_missed_apis_three_are_named() -> None:
    """The others are counted. Three are all named."""
    many = tuple((f"Tool {number}", "api") for number in range(5))
    told = {n: findings(FINISH, of=case(many[:n]))["api_call"].detail for n in (3, 5)}

    assert "; missing: Tool 0 / api, Tool 1 / api, Tool 2 / api." in told[3]
    assert "; missing: Tool 0 / api, Tool 1 / api, Tool 2 / api and 2 more." in told[5]


def test_declared_apis_go_before_the_calls() -> None:
    """What a record lists as called counts, even where its execution says otherwise."""
    declared = (CalledApi("TramLine", "line status"), CalledApi("TramLine", "next departures"))
    assert ("pass", 1.0, "gold_apis_called") == decided("api_call", DEPARTURES, declared=declared)
    assert ("fail", 0.0, "gold_apis_missed") == decided("api_call", DEPARTURES, declared=())


def test_precision_is_the_share_of_gold_apis_among_those_called() -> None:
    """Each API counts once, and so does an unknown name. Without a call there is no share."""
    assert ("pass", 1.0, "only_gold_apis") == decided(
        "api_call_precision", DEPARTURES, DEPARTURES, FINISH
    )
    assert ("fail", 0.5, "further_apis") == decided(
        "api_call_precision", DEPARTURES, Call("Other_thing", {})
    )
    assert ("fail", 0.5, "further_apis") == decided(
        "api_call_precision", DEPARTURES, Call("mystery", {})
    )
    assert ("unscored", None, "no_api_called") == decided("api_call_precision", FINISH)


def test_names_that_are_no_api_are_listed() -> None:
    """An unknown name is no pair. It is shown, with the numbers of calls and of failures."""
    found = findings(DEPARTURES, DEPARTURES, STATUS, Call("mystery", {}), FINISH)["api_call"]
    assert (
        "Gold APIs called: 2 of 2. Calls: 3; failed: 1. "
        "Not an API of this query: mystery." == found.detail
    )


def test_success_counts_calls_that_came_to_something() -> None:
    """A failed call earns nothing here, one good call of an API is enough."""
    assert ("fail", 0.5, "gold_apis_missed") == decided("api_call_success", DEPARTURES, STATUS)
    good = Call("TramLine_line status", {"line": "7"}, "running")
    assert ("pass", 1.0, "gold_apis_called") == decided(
        "api_call_success", DEPARTURES, STATUS, good
    )


def test_success_is_not_guessed() -> None:
    """A gold API that was called with an unknown outcome leaves the success unscored."""
    untold = Call("TramLine_line status", {})
    assert ("unscored", None, "outcomes_not_told") == decided(
        "api_call_success", DEPARTURES, untold
    )
    assert ("fail", 0.5, "gold_apis_missed") == decided(
        "api_call_success", DEPARTURES, Call("Other_thing", {})
    )
    assert ("fail", 0.0, "gold_apis_missed") == decided("api_call_success")


@each_row(
    "metric",
    ["api_call", "finish", "api_call_precision", "api_call_success", "solved_without_tools"],
)
def test_unknown_steps_are_not_scored(metric: str) -> None:
    """A record with an answer and nothing else is judged by that answer; what it did stays open."""
    assert ("unscored", None, "steps_not_told") == decided(
        metric, text="At 18:04.", steps_told=False
    )


@each_row(
    ("calls", "outcome", "told"),
    [
        ((DEPARTURES, FINISH), "pass", "Finish was called to give an answer."),
        ((FINISH, DEPARTURES), "pass", "Finish was called to give an answer."),
        (
            (Call("Finish", {"return_type": "give_up_and_restart"}),),
            "pass",
            "Finish was called to give up.",
        ),
        ((Call("Finish", {}),), "pass", "Finish was called."),
        ((DEPARTURES,), "fail", "Finish was not called."),
        ((Call("finish", {}),), "fail", "Finish was not called."),
        ((), "fail", "Finish was not called."),
    ],
)
def test_finish_is_a_call_of_finish(calls: tuple[Call, ...], outcome: str, told: str) -> None:
    """Anywhere in the execution, however it ended; the sentence says how."""
    found = findings(*calls)["finish"]
    assert isinstance(found, Verdict)
    assert (outcome, told) == (found.outcome, found.detail)


def test_an_answer_goes_to_the_judge_in_two_stages() -> None:
    """First the query and the answer alone. An unsure judge then sees every call and reply."""
    for text in (None, "At 18:04 with line 3."):
        found = findings(DEPARTURES, FINISH, text=text)["sopr"]
        assert isinstance(found, Referral)
        (question,) = found.questions
        assert (POINTS, "When?", "", "At 18:04 with line 3.") == (
            found.points,
            question.query,
            question.expected,
            question.got,
        )
        assert found.then is not None
        assert (
            "At 18:04 with line 3.",
            execution(Response("1", b"", (DEPARTURES, FINISH), None)),
        ) == (
            found.then.got,
            found.then.expected,
        )


def test_facts_decide_before_a_judge() -> None:
    """With a fact of the query, a reply that states it is needed. A foreign text is left open."""
    facts = facts_of(
        facts=[{"id": "line", "label": "the line, 3", "accepts": ["line 3"]}],
    )
    plain = case()
    asked = replace(plain, ground_truth=replace(plain.ground_truth, facts=facts))

    def solved(text: str, *calls: Call) -> Verdict | Referral:
        finish = Call("Finish", {"return_type": "give_answer", "final_answer": text})
        return findings(*calls, finish, of=asked, text=text)["sopr"]

    stated = solved("Take line 3 at 18:04.", DEPARTURES)
    invented = solved("Take line 3 at 18:04.", STATUS)
    missing_fact = solved("Take the tram at 18:04.", DEPARTURES)

    found = [one for one in (stated, invented, missing_fact) if isinstance(one, Verdict)]
    assert [
        ("pass", "facts_stated"),
        ("fail", "fact_unsupported"),
        ("fail", "fact_missing"),
    ] == [(one.outcome, one.reason) for one in found]


def test_a_category_may_ask_one_question_only_or_none() -> None:
    """Without a second prompt there is one stage. Without any prompt the answer is unscored."""
    asked, response = case(), Response("1", b"", (), "At 18:04.")
    single = decide(suite(asked, follow_up=None), asked, response)[0]
    none = decide(suite(asked, prompt=None), asked, response)[0]
    assert isinstance(single, Referral)
    assert isinstance(none, Verdict)
    assert (None, "unscored", None) == (single.then, none.outcome, none.score)


@each_row(
    ("calls", "fields", "reason"),
    [
        ((), {}, "empty_response"),
        ((), {"text": " \n"}, "empty_response"),
        ((Call("Finish", {}),), {}, "empty_response"),
        (
            (Call("Finish", {"return_type": "give_up_and_restart"}),),
            {"text": "I tried."},
            "gave_up",
        ),
        ((), {"text": "I tried.", "return_type": "give_up_and_restart"}, "gave_up"),
    ],
)
def test_no_answer_is_unsolved(
    calls: tuple[Call, ...], fields: dict[str, Any], reason: str
) -> None:
    """An empty answer, or one that was given up, is decided without a judge."""
    assert ("fail", 0.0, reason) == decided("sopr", *calls, **fields)


def test_execution_as_a_judge_reads_it() -> None:
    """One line per call, with sorted arguments, failures, cuts and gaps. Finish is no tool."""
    calls = (
        Call("b", {"y": 1, "x": "ü"}, "one\ntwo"),
        STATUS,
        Call("c", {}, ""),
        Call("d", {}),
        Call("e", {}, '{"error": "", "resp'),
        FINISH,
    )
    assert [
        'b({"x": "ü", "y": 1}) -> one two',
        'TramLine_line status({"line": "3"}) -> (failed) {"error": "no such line", "response": ""}',
        "c({}) -> (failed) (nothing)",
        "d({}) -> (the reply is not told)",
        'e({}) -> {"error": "", "resp (cut off)',
    ] == execution(Response("1", b"", calls, None, truncated=(4,))).split("\n")
    assert "(no tool was called)" == execution(Response("1", b"", (FINISH,), None))
    declared = (CalledApi("TramLine", "line status"),)
    assert "TramLine / line status -> (the reply is not told)" == execution(
        Response("1", b"", (), None, declared=declared)
    )


def test_execution_is_bounded() -> None:
    """However much the tools said, the prompt stays within bounds."""
    calls = tuple(Call("t", {}, "x" * 100_000) for _ in range(50))
    assert len(execution(Response("1", b"", calls, None))) <= 24_000


def test_solved_without_tools_repeats_the_verdict_where_no_call_came_to_anything() -> None:
    """The same question to the judge, or 0 if a tool call of any API succeeded."""
    judged = findings(STATUS, FINISH)
    assert isinstance(judged["sopr"], Referral)
    assert isinstance(judged["solved_without_tools"], Referral)
    assert (judged["sopr"].questions, judged["sopr"].then) == (
        judged["solved_without_tools"].questions,
        judged["solved_without_tools"].then,
    )
    assert ("fail", 0.0, "with_tools") == decided("solved_without_tools", DEPARTURES, FINISH)
    assert ("fail", 0.0, "with_tools") == decided(
        "solved_without_tools", Call("mystery", {}, "something"), FINISH
    )
    assert ("fail", 0.0, "gave_up") == decided(
        "solved_without_tools", Call("Finish", {"return_type": "give_up_and_restart"})
    )
    assert ("unscored", None, "outcomes_not_told") == decided(
        "solved_without_tools", Call("TramLine_line status", {}), FINISH
    )
    unknown = Call("mystery", {}, STATUS.result)  # an API of no name that the case lists
    assert isinstance(findings(unknown, FINISH)["solved_without_tools"], Referral)
    assert "APIs called: 1; gold: " in findings(DEPARTURES, FINISH)["api_call_precision"].detail


@each_row(
    ("answer", "calls", "status", "score"),
    [
        ("Sorry, that I do not know at all.", (DEPARTURES, STATUS, FINISH), "unsolved", 0.0),
        ("It leaves at 18:04.", (DEPARTURES, STATUS, FINISH), "unsolved", 0.0),
        ("It leaves at 18:04!!", (DEPARTURES, STATUS, FINISH), "solved", 1.0),
        ("The next tram leaves at 18:04 with line 3.", (DEPARTURES, STATUS, FINISH), "solved", 1.0),
        ("The next tram leaves at 18:04 with line 3.", (DEPARTURES, FINISH), "unsure", 0.5),
        ("The next tram leaves at 18:04 with line 3.", (DEPARTURES, STATUS), "unsure", 0.5),
        ("The next tram leaves at 18:04 with line 3.", (FINISH,), "unsure", 0.5),
    ],
)
def test_the_rule_of_thumb_is_asked_for_and_labelled(
    answer: str, calls: tuple[Call, ...], status: str, score: float
) -> None:
    """Only a suite that asks for it is decided without a judge, and every verdict says so."""
    asked = case()
    found = decide(suite(asked, status_by="heuristic"), asked, Response("1", b"", calls, answer))[0]
    assert isinstance(found, Verdict)
    assert (f"heuristic_{status}", score) == (found.reason, found.score)
    assert found.detail.startswith("By rule of thumb, without a judge: ")


def test_by_rule_of_thumb_few_of_the_gold_apis_are_too_few() -> None:
    """One of four is unsolved, even with a long answer and Finish."""
    asked = case((("TramLine", "next departures"), *(("TramLine", f"a{n}") for n in range(3))))
    answer = "The next tram leaves at 18:04 with line 3."
    given = Response("1", b"", (DEPARTURES, FINISH), answer)
    found = decide(suite(asked, status_by="heuristic"), asked, given)[0]
    assert isinstance(found, Verdict)
    assert found.reason == "heuristic_unsolved"


def test_a_failed_system_fails_every_metric() -> None:
    """With its error in the verdict."""
    found = findings(DEPARTURES, error="boom").values()
    assert ["response_error"] * len(METRICS) == [
        verdict.reason for verdict in found if isinstance(verdict, Verdict)
    ]


def test_a_suite_may_ask_for_the_final_answer_alone() -> None:
    """One more metric with its own prompt and one stage. Errors and missing answers fail it."""
    asked = case()
    own = suite(asked, final_answer="by_itself")
    found = decide(own, asked, Response("1", b"", (DEPARTURES, FINISH), None))
    assert (*METRICS, "final_answer") == tuple(one.metric for one in found)
    last = found[-1]
    assert isinstance(last, Referral)
    assert ({**POINTS, UNSURE: 0.0}, "by_itself", None, "At 18:04 with line 3.") == (
        last.points,
        last.prompt,
        last.then,
        last.questions[0].got,
    )
    given_up = decide(
        own,
        asked,
        Response("1", b"", (Call("Finish", {"return_type": "give_up_and_restart"}),), None),
    )[-1]
    failed = decide(own, asked, Response("1", b"", (), None, error="boom"))[-1]
    unanswered = fail_unanswered(own)[-1]
    assert ["gave_up", "response_error", "missing_response"] == [
        one.reason
        for one in (given_up, failed, unanswered)
        if isinstance(one, Verdict) and one.metric == "final_answer"
    ]
    assert METRICS == tuple(one.metric for one in fail_unanswered(replace(own, policy={})))


def test_t6_replies_that_the_suite_does_not_give_are_counted() -> None:
    """Every detail but that of Finish says how many reported calls count as not made."""
    found = findings(FINISH, unconfirmed=(DEPARTURES, STATUS))
    remark = "2 reported calls do not have the suite's replies, and do not count."
    assert {"finish"} == {m for m, one in found.items() if remark not in one.detail}
    assert 0.0 == getattr(found["api_call"], "score")  # noqa: B009 - referrals have no score
    one = findings(FINISH, unconfirmed=(STATUS,))["api_call"]
    assert "1 reported call does not have the suite's reply, and does not count." in one.detail
