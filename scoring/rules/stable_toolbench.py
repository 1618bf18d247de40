"""The rule of suites over simulated APIs (kind `stable_toolbench`): solved, gold APIs, finish.

Code decides which APIs were called, whether the calls succeeded and whether Finish was called.
Whether the answer solves the query is decided by the query's facts. A query without facts is for a
judge, in two stages: first by the answer alone. If the judge is unsure, it then reads the whole
execution.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from leaderboard.apis.api_answers import answer_of, return_type
from leaderboard.apis.api_names import FINISH, NameRegistry, Pair
from leaderboard.apis.called_apis import CalledApis, called_apis, names_known_to
from leaderboard.apis.executions import reply_failed
from leaderboard.files.cases.stable_toolbench import CASES, read_stable_toolbench
from leaderboard.files.python_literals import read_literal
from leaderboard.kinds import Kind, Metric
from leaderboard.responses.solved_grades import POINTS, UNSURE, Status
from leaderboard.texts.short_text import cut, single_spaced
from leaderboard.texts.shown_values import name, printable
from leaderboard.types import Case, Json, Outcome, Question, Referral, Response, Suite, Verdict
from scoring.facts.api_answers.api_final_answers import decide_replied
from scoring.rules.echoed_values import without_echoes
from scoring.rules.rule_verdicts import (
    failed,
    listed,
    no_answer,
    passed,
    system_failed,
    unscored,
)

SOPR: Final = "sopr"
API_CALL: Final = "api_call"
FINISHED: Final = "finish"
PRECISION: Final = "api_call_precision"
SUCCESS: Final = "api_call_success"
WITHOUT_TOOLS: Final = "solved_without_tools"
FINAL_ANSWER: Final = "final_answer"

GIVE_UP: Final = "give_up_and_restart"
_LONGEST_REPLY: Final = 2000  # characters of one tool reply that a judge is shown
_LONGEST_EXECUTION: Final = 24_000  # characters of all calls and replies together

_Finding = Verdict | Referral


def decide(suite: Suite, case: Case, response: Response) -> tuple[_Finding, ...]:
    """One finding for each metric of the suite.

    - sopr: an answer that is empty or was given up is unsolved. Facts decide if the query has
      them; otherwise a judge does, or a rule of thumb if the suite asks for it (`status_by`). A
      mean below 1 is no pass.
    - api_call: the share of the gold APIs that were called, in any spelling of their names. It is
      a pass if all were called.
    - finish: whether Finish was called at all.
    - api_call_precision: the share of the APIs called that are gold APIs.
    - api_call_success: as api_call, but an API counts only if a call of it succeeded.
    - solved_without_tools: the sopr if no tool call succeeded, else 0. It is part of the sopr.
    - final_answer, if the suite names a prompt for it (StableToolBench's FAC): 1 if a judge calls
      the query solved by the final answer alone. There is no second stage, and unsure counts 0.

    A metric is unscored if it needs gold APIs and the query names none, or if it needs calls or
    outcomes that the record does not show.
    """
    if response.error:
        metrics = KIND.metrics_of(suite.policy)
        return tuple(system_failed(metric.id, response.error) for metric in metrics)
    called = called_apis(case, response)
    solved = _solved(suite, case, response, called)
    findings: list[_Finding] = [
        solved,
        _gold(API_CALL, case, called),
        _finish(response),
        _gold(PRECISION, case, called),
        _gold(SUCCESS, case, called),
        _without_tools(solved, response, called),
    ]
    if FINAL_ANSWER in suite.policy:
        question = Question(case.query, "", "", answer_of(response))
        prompt = suite.policy[FINAL_ANSWER]
        points = {**POINTS, UNSURE: 0.0}
        referral = Referral(FINAL_ANSWER, (question,), "", points, prompt=prompt)
        findings.append(_no_answer(FINAL_ANSWER, response) or referral)
    if response.unconfirmed:
        remark = _not_made(len(response.unconfirmed))
        findings = [_with_remark(finding, remark) for finding in findings]
    return tuple(findings)


def _not_made(number: int) -> str:
    if number == 1:
        return "1 reported call does not have the suite's reply, and does not count."
    return f"{number} reported calls do not have the suite's replies, and do not count."


def _with_remark(finding: _Finding, remark: str) -> _Finding:
    """The finding with a remark about calls, which Finish has nothing to do with."""
    if finding.metric == FINISHED:
        return finding
    return replace(finding, detail=f"{finding.detail} {remark}".strip())


# ---------------------------------------------------------------- solved or not


def _solved(suite: Suite, case: Case, response: Response, called: CalledApis | None) -> _Finding:
    if none := _no_answer(SOPR, response):
        return none
    answer = answer_of(response)
    if decided := _by_facts(case, response, answer):
        return decided
    if suite.policy.get("status_by") == "heuristic":
        return _by_rule_of_thumb(case, response, called, answer)
    category = suite.category(case.category)
    if category.prompt is None:
        detail = "The category has no judge prompt."
        return unscored(SOPR, "judge_missing", detail)
    then = Question(case.query, "", execution(response), answer) if category.follow_up else None
    return Referral(SOPR, (Question(case.query, "", "", answer),), "", POINTS, then)


def _by_facts(case: Case, response: Response, answer: str) -> Verdict | None:
    """The decision by the facts of the query. None if it has none."""
    facts = case.ground_truth.facts
    if facts is None:
        return None
    results = [call.result for call in response.calls if call.name != FINISH]
    answered = [
        replace(call, result=_value_of(call.result))
        for call in response.calls
        if call.name != FINISH and reply_failed(call.result) is False
    ]
    replies = [call.result for call in answered]
    candidates = NameRegistry(names_known_to(case, replace(response, declared=None)))
    support = without_echoes(case.query, answered, lambda name: bool(candidates.resolve(name)))
    errors = [reply for reply in results if reply_failed(reply)]
    finding = decide_replied(facts, case.query, answer, replies, errors=errors, support=support)
    decide_as = passed if finding.decided == "pass" else failed
    return decide_as(SOPR, finding.reason, finding.detail)


def _value_of(reply: Json) -> Json:
    """A reply as JSON. Agents report the text that their model read."""
    if not isinstance(reply, str):
        return reply
    try:
        return read_literal(reply)
    except (ValueError, RecursionError):
        return reply


def _no_answer(metric: str, response: Response) -> Verdict | None:
    """The fail of an answer that was given up or is empty."""
    if return_type(response) == GIVE_UP:
        return failed(metric, "gave_up", "The system gave up.")
    if not answer_of(response).strip():
        return no_answer(metric)
    return None


def execution(response: Response) -> str:
    """Every tool call with its reply, one per line, as a judge reads it.

    A failed call is marked, and so is text that was cut off.
    """
    # These words are part of recorded judge calls: another word asks another question.
    lines = []
    for place, call in enumerate(response.calls):
        if call.name != FINISH:
            reply = _reply(call.result, cut_off=place in response.truncated)
            lines.append(f"{name(call.name)}({_json(call.arguments)}) -> {reply}")
    if not lines and response.declared:
        apis = [f"{name(api.tool)} / {name(api.api)}" for api in response.declared]
        lines = [f"{api} -> (the reply is not told)" for api in apis]
    return printable(cut("\n".join(lines), _LONGEST_EXECUTION)) or "(no tool was called)"


def _reply(reply: Json, *, cut_off: bool) -> str:
    if reply is None:
        return "(the reply is not told)"
    text = single_spaced(reply) if isinstance(reply, str) else _json(reply)
    shown = cut(text, _LONGEST_REPLY) or "(nothing)"
    return f"{'(failed) ' if reply_failed(reply) else ''}{shown}{' (cut off)' if cut_off else ''}"


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _by_rule_of_thumb(
    case: Case, response: Response, called: CalledApis | None, answer: str
) -> Verdict:
    """By words and numbers alone: an apology or a very short answer is unsolved.

    Any other answer is decided by Finish and the share of the gold APIs that were called.
    """
    text, length = answer.lower(), len(answer.strip())
    share = _share(case, called.pairs if called else ())
    finished = any(call.name == FINISH for call in response.calls)
    apology = any(mark in text for mark in ("sorry", "cannot", "can't"))
    status: Status = "unsure"
    if apology or length < 20 or (finished and 0 < share < 0.3):
        status = "unsolved"
    elif finished and share >= 0.7:
        status = "solved"
    finish = "with Finish" if finished else "without Finish"
    why = f"{length} characters, {finish}, {100 * share:.0f} % of the gold APIs"
    detail = f"By rule of thumb, without a judge: {status} ({why})."
    outcome: Outcome = "pass" if status == "solved" else "fail"
    return Verdict(SOPR, outcome, POINTS[status], f"heuristic_{status}", detail)


def _without_tools(solved: _Finding, response: Response, called: CalledApis | None) -> _Finding:
    """The verdict on the answer again, unless a tool call succeeded."""
    if called is None:
        return _unknown_steps(WITHOUT_TOOLS)
    failures = [reply_failed(call.result) for call in response.calls if call.name != FINISH]
    if called.succeeded or False in failures:
        return failed(WITHOUT_TOOLS, "with_tools", "A tool call succeeded.")
    if called.uncertain or (called.unresolved and None in failures):
        return _unknown_outcomes(WITHOUT_TOOLS)
    if isinstance(solved, Referral):
        return replace(solved, metric=WITHOUT_TOOLS, detail="No tool call succeeded.")
    return Verdict(WITHOUT_TOOLS, solved.outcome, solved.score, solved.reason, solved.detail)


# ---------------------------------------------------------------- the APIs called


def _gold(metric: str, case: Case, called: CalledApis | None) -> Verdict:
    """How many of the gold APIs were called, or succeeded, or how many others were called."""
    gold = case.ground_truth.apis or ()
    if not gold:
        return unscored(metric, "no_gold_api", "The query names no gold API.")
    if called is None:
        return _unknown_steps(metric)
    if metric == PRECISION:
        return _precision(gold, called)
    if metric == SUCCESS and set(gold) & called.uncertain:
        return _unknown_outcomes(metric)

    counting = called.succeeded if metric == SUCCESS else called.pairs
    done = "called successfully" if metric == SUCCESS else "called"
    missed = [pair for pair in gold if pair not in counting]
    share = f"Gold APIs {done}: {len(gold) - len(missed)} of {len(gold)}"
    if not missed:
        return passed(metric, "gold_apis_called", f"{share}.{_remarks(called)}")
    detail = f"{share}; missing: {_named(missed)}.{_remarks(called)}"
    return Verdict(metric, "fail", _share(case, counting), "gold_apis_missed", detail)


def _share(case: Case, pairs: Collection[Pair]) -> float:
    """The share of the gold APIs among some pairs. 0 if there are no gold APIs."""
    gold = set(case.ground_truth.apis or ())
    return len(gold & set(pairs)) / len(gold) if gold else 0.0


def _precision(gold: Sequence[Pair], called: CalledApis) -> Verdict:
    number = len(called.pairs) + len(called.unresolved)
    if not number:
        return unscored(PRECISION, "no_api_called", "No API was called.")
    further = [pair for pair in called.pairs if pair not in gold]
    right = len(called.pairs) - len(further)
    detail = f"APIs called: {number}; gold: {right}."
    if not further and not called.unresolved:
        return passed(PRECISION, "only_gold_apis", f"{detail}{_remarks(called)}")
    others = f" Others: {_named(further)}." if further else ""
    detail = f"{detail}{others}{_remarks(called)}"
    return Verdict(PRECISION, "fail", right / number, "further_apis", detail)


def _remarks(called: CalledApis) -> str:
    """How many calls there were, how many failed, and which names are no API of the query."""
    remarks = ""
    if called.apis:
        failures = sum(api.failed is True for api in called.apis)
        failed_ones = f"; failed: {failures}" if failures else ""
        remarks = f" Calls: {len(called.apis)}{failed_ones}."
    if called.unresolved:
        remarks += f" Not an API of this query: {listed(called.unresolved)}."
    return remarks


def _named(pairs: Sequence[Pair]) -> str:
    shown = ", ".join(f"{name(tool)} / {name(api)}" for tool, api in pairs[:3])
    return f"{shown} and {len(pairs) - 3} more" if len(pairs) > 3 else shown


def _unknown_steps(metric: str) -> Verdict:
    detail = "The record does not show which steps were taken."
    return unscored(metric, "steps_not_told", detail)


def _unknown_outcomes(metric: str) -> Verdict:
    detail = "The record does not show whether every call succeeded."
    return unscored(metric, "outcomes_not_told", detail)


def _finish(response: Response) -> Verdict:
    if any(call.name == FINISH for call in response.calls):
        purposes = {"give_answer": " to give an answer", GIVE_UP: " to give up"}
        purpose = purposes.get(return_type(response) or "", "")
        return passed(FINISHED, "finished", f"Finish was called{purpose}.")
    if not response.steps_told:
        return _unknown_steps(FINISHED)
    return failed(FINISHED, "not_finished", "Finish was not called.")


KIND: Final = Kind(
    name="stable_toolbench",
    summary="solving queries with simulated APIs: whether they are solved, which APIs are called",
    interaction="apis",
    read_cases=read_stable_toolbench,
    case_shape=CASES,
    policy=("status_by", "rounds", "preference", "final_answer"),
    decide=decide,
    metrics=(
        Metric(
            SOPR,
            "solved",
            "The mean of the judge's grades: solved counts 1, unsure a half, unsolved 0.",
        ),
        Metric(
            API_CALL,
            "API call",
            "The share of the gold APIs (those that the query requires) that are called.",
        ),
        Metric(FINISHED, "finish", "The share of queries that end with a call of Finish."),
        Metric(PRECISION, "precision", "The share of the APIs called that are gold APIs."),
        Metric(
            SUCCESS,
            "successful calls",
            "The share of the gold APIs that are called successfully.",
        ),
        Metric(
            WITHOUT_TOOLS,
            "solved from memory",
            "The part of the solved score that is reached without a successful tool call: "
            "answers from memory.",
            merit=False,
        ),
    ),
    policy_metrics=(
        Metric(
            FINAL_ANSWER,
            "final answer",
            "The share of queries that a judge grades as solved from the final answer alone.",
        ),
    ),
    grades=POINTS,
    # Whether a query is solved is first asked about the answer alone, without an expected text.
    placeholders=("question", "got", "fence"),
)
