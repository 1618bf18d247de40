"""The rule of suites over simulated APIs (kind `stable_toolbench`): solved or not, the gold APIs called, brought to an end.

Code decides which APIs were called, how the calls went, and whether the answer was brought to an end. Whether it solves the
query is for a judge, in two stages: first by the answer alone and, where that leaves it unsure, by the whole execution.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from leaderboard.apis.api_answers import answer_of, return_type
from leaderboard.apis.api_names import FINISH, Pair
from leaderboard.apis.called_apis import CalledApis, called_apis
from leaderboard.apis.executions import reply_failed
from leaderboard.files.case_files import read_stable_toolbench
from leaderboard.files.file_shapes import SuiteFile
from leaderboard.kinds import Kind, Metric
from leaderboard.responses.solved import POINTS, Status
from leaderboard.types import Case, Decision, Json, Outcome, Question, Referral, Response, Suite
from scoring.rules.details import cut, failed, first_line, listed, name, passed, printable, sentence

SOPR: Final = "sopr"
API_CALL: Final = "api_call"
FINISHED: Final = "finish"
PRECISION: Final = "api_call_precision"
SUCCESS: Final = "api_call_success"
WITHOUT_TOOLS: Final = "solved_without_tools"
FINAL_ANSWER: Final = "final_answer"
METRICS: Final = (SOPR, API_CALL, FINISHED, PRECISION, SUCCESS, WITHOUT_TOOLS)

GIVE_UP: Final = "give_up_and_restart"
_LONGEST_REPLY: Final = 2000  # characters of one tool reply that a judge is shown
_LONGEST_EXECUTION: Final = 24_000  # characters of all calls and replies together

_Finding = Decision | Referral


def decide(suite: Suite, case: Case, response: Response) -> tuple[_Finding, ...]:
    """What a response comes to, one finding for each of `METRICS`.

    - sopr: an empty answer, or one that was given up, is unsolved; every other goes to a judge, or to a rule of thumb where the
      suite says so (`status_by`). A mean below 1 is no pass.
    - api_call: the share of the gold APIs that were called, in any spelling of their names; a pass where all were.
    - finish: whether Finish was called at all.
    - api_call_precision: the share of the APIs called that are gold ones.
    - api_call_success: as api_call, but an API counts only if a call of it came to something.
    - solved_without_tools: the sopr where no tool call came to anything, else 0. What it says is part of the sopr.
    - final_answer, where the suite names a prompt for it (StableToolBench's FAC): 1 if a judge calls the query solved by the
      final answer alone, without a second stage; unsure counts nothing.

    Unscored: what needs gold APIs where the query names none, and what needs to know the calls, or how they went, where the
    record does not tell.
    """
    if response.error:
        detail = sentence([f"The system failed: {first_line(response.error)}"])
        return tuple(
            failed(metric, "response_error", detail)
            for metric in (*METRICS, *_further_metrics(suite))
        )
    called = called_apis(case, response)
    solved = _solved(suite, case, response, called)
    calls = [_gold(metric, case, called) for metric in (API_CALL, PRECISION, SUCCESS)]
    without_tools = _without_tools(solved, response, called)
    further = _final_answer(suite, case, response) if _further_metrics(suite) else ()
    return solved, calls[0], _finish(response), calls[1], calls[2], without_tools, *further


# ---------------------------------------------------------------- solved or not


def _solved(suite: Suite, case: Case, response: Response, called: CalledApis | None) -> _Finding:
    answer = answer_of(response)
    if none := _no_answer(SOPR, response, answer):
        return none
    if suite.policy.get("status_by") == "heuristic":
        return _rule_of_thumb(case, response, called, answer)
    category = suite.category(case.category)
    if category.prompt is None:
        return Decision(
            SOPR,
            "unscored",
            None,
            "judge_missing",
            "The category names no prompt to ask a judge with.",
        )
    then = Question(case.query, "", execution(response), answer) if category.follow_up else None
    return Referral(SOPR, (Question(case.query, "", "", answer),), "", "status", then)


def _no_answer(metric: str, response: Response, answer: str) -> Decision | None:
    """The fail of an answer that was given up or is empty."""
    if return_type(response) == GIVE_UP:
        return failed(metric, "gave_up", "The system gave up.")
    if not answer.strip():
        return failed(metric, "empty_response", "An answer was expected, none was given.")
    return None


def _final_answer(suite: Suite, case: Case, response: Response) -> tuple[_Finding]:
    answer = answer_of(response)
    question = Question(case.query, "", "", answer)
    referral = Referral(FINAL_ANSWER, (question,), "", "solved", prompt=suite.policy[FINAL_ANSWER])
    return (_no_answer(FINAL_ANSWER, response, answer) or referral,)


def execution(response: Response) -> str:
    """Every tool call with its reply, one a line, as a judge reads it. A failed call says so; what was cut says so, too."""
    lines = [
        f"{name(call.name)}({_json(call.arguments)}) -> {_reply(call.result, cut_off=place in response.truncated)}"
        for place, call in enumerate(response.calls)
        if call.name != FINISH
    ]
    if not lines and response.declared:
        lines = [
            f"{name(api.tool)} / {name(api.api)} -> (the reply is not told)"
            for api in response.declared
        ]
    return printable(cut("\n".join(lines), _LONGEST_EXECUTION)) or "(no tool was called)"


def _reply(reply: Json, *, cut_off: bool) -> str:
    if reply is None:
        return "(the reply is not told)"
    text = " ".join(reply.split()) if isinstance(reply, str) else _json(reply)
    shown = cut(text, _LONGEST_REPLY) or "(nothing)"
    return f"{'(failed) ' if reply_failed(reply) else ''}{shown}{' (cut off)' if cut_off else ''}"


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _rule_of_thumb(
    case: Case, response: Response, called: CalledApis | None, answer: str
) -> Decision:
    """By words and numbers alone: apologies and scraps are unsolved; the rest goes by Finish and the gold APIs called."""
    text = answer.lower()
    share = _share(case, called.pairs if called else ())
    finished = any(call.name == FINISH for call in response.calls)
    word: Status = "unsure"
    if any(mark in text for mark in ("sorry", "cannot", "can't")) or len(answer.strip()) < 20:
        word = "unsolved"
    elif finished and share > 0:
        word = "unsolved" if share < 0.3 else "unsure" if share < 0.7 else "solved"
    told = f"{len(answer.strip())} characters, {'with' if finished else 'without'} Finish, {100 * share:.0f} % of the gold APIs"
    detail = f"By rule of thumb, without a judge: {word} ({told})."
    outcome: Outcome = "pass" if word == "solved" else "fail"
    return Decision(SOPR, outcome, POINTS[word], f"heuristic_{word}", detail)


def _without_tools(solved: _Finding, response: Response, called: CalledApis | None) -> _Finding:
    """The verdict on the answer again, unless a tool call came to something."""
    if called is None:
        return _untold(WITHOUT_TOOLS)
    if called.succeeded or any(
        call.name != FINISH and reply_failed(call.result) is False for call in response.calls
    ):
        return failed(WITHOUT_TOOLS, "with_tools", "A tool call came to something.")
    if called.uncertain:
        return _unknown_outcomes(WITHOUT_TOOLS)
    if isinstance(solved, Referral):
        return Referral(
            WITHOUT_TOOLS,
            solved.questions,
            "No tool call came to anything.",
            solved.scale,
            solved.then,
        )
    return Decision(WITHOUT_TOOLS, solved.outcome, solved.score, solved.reason, solved.detail)


# ---------------------------------------------------------------- the APIs called


def _gold(metric: str, case: Case, called: CalledApis | None) -> Decision:
    """How the APIs called stand to the gold ones: how many of these were called, called well, or how many others were."""
    gold = case.ground_truth.apis.pairs if case.ground_truth.apis else ()
    if not gold:
        return Decision(
            metric, "unscored", None, "no_gold_api", "The query names no API that it takes."
        )
    if called is None:
        return _untold(metric)
    if metric == PRECISION:
        return _precision(gold, called)
    if metric == SUCCESS and set(gold) & called.uncertain:
        return _unknown_outcomes(metric)
    return _recall(metric, case, gold, called)


def _recall(metric: str, case: Case, gold: Sequence[Pair], called: CalledApis) -> Decision:
    counting = called.succeeded if metric == SUCCESS else called.pairs
    done = "called with success" if metric == SUCCESS else "called"
    missed = [pair for pair in gold if pair not in counting]
    if not missed:
        return passed(
            metric, "gold_apis_called", f"All {len(gold)} gold APIs were {done}.{_remarks(called)}"
        )
    told = f"Of {len(gold)} gold APIs, {len(gold) - len(missed)} {done}; not {done}: {_named(missed)}.{_remarks(called)}"
    return Decision(metric, "fail", _share(case, tuple(counting)), "gold_apis_missed", told)


def _share(case: Case, pairs: Sequence[Pair]) -> float:
    """The share of the gold APIs among some pairs; 0 where there are no gold APIs."""
    gold = set(case.ground_truth.apis.pairs) if case.ground_truth.apis else set()
    return len(gold & set(pairs)) / len(gold) if gold else 0.0


def _precision(gold: Sequence[Pair], called: CalledApis) -> Decision:
    number = len(called.pairs) + len(called.unresolved)
    if not number:
        return Decision(PRECISION, "unscored", None, "no_api_called", "No API was called.")
    further = [pair for pair in called.pairs if pair not in gold]
    if not further and not called.unresolved:
        return passed(
            PRECISION,
            "only_gold_apis",
            f"{_counted(number)} called, all of them gold.{_remarks(called)}",
        )
    right = len(called.pairs) - len(further)
    beside = f" Beside them: {_named(further)}." if further else ""
    told = f"{_counted(number)} called, {right} of them gold.{beside}{_remarks(called)}"
    return Decision(PRECISION, "fail", right / number, "further_apis", told)


def _remarks(called: CalledApis) -> str:
    """How many calls there were and how many failed, and which names stand for no API."""
    failures = sum(api.failed is True for api in called.apis)
    told = (
        f" Calls: {len(called.apis)}" + (f", {failures} of them failed." if failures else ".")
        if called.apis
        else ""
    )
    return (
        f"{told} Not an API of this query: {listed(called.unresolved)}."
        if called.unresolved
        else told
    )


def _named(pairs: Sequence[Pair]) -> str:
    shown = ", ".join(f"{name(tool)} / {name(api)}" for tool, api in pairs[:3])
    return f"{shown} and {len(pairs) - 3} more" if len(pairs) > 3 else shown


def _counted(number: int) -> str:
    return "1 API" if number == 1 else f"{number} APIs"


def _untold(metric: str) -> Decision:
    return Decision(
        metric,
        "unscored",
        None,
        "steps_not_told",
        "The record does not tell which steps were taken.",
    )


def _unknown_outcomes(metric: str) -> Decision:
    return Decision(
        metric,
        "unscored",
        None,
        "outcomes_not_told",
        "The record does not tell how every call went.",
    )


# ---------------------------------------------------------------- brought to an end


def _finish(response: Response) -> Decision:
    if any(call.name == FINISH for call in response.calls):
        how = {"give_answer": " to give an answer", GIVE_UP: " to give up"}.get(
            return_type(response) or "", ""
        )
        return passed(FINISHED, "finished", f"Finish was called{how}.")
    if not response.steps_told:
        return _untold(FINISHED)
    return failed(FINISHED, "not_finished", "Finish was not called.")


def _further_metrics(suite: Suite) -> tuple[str, ...]:
    """FAC is a metric where the suite names a prompt for it."""
    return (FINAL_ANSWER,) if FINAL_ANSWER in suite.policy else ()


def _policy(file: SuiteFile) -> dict[str, str]:
    prompts = {"preference": file.preference, "final_answer": file.final_answer}
    chosen = {name: prompt for name, prompt in prompts.items() if prompt is not None}
    return {"status_by": file.status_by, "rounds": str(file.rounds), **chosen}


KIND: Final = Kind(
    name="stable_toolbench",
    summary="solving queries with simulated APIs: whether they are solved, which APIs are called",
    interaction="apis",
    read_cases=read_stable_toolbench,
    read_policy=_policy,
    decide=decide,
    metrics=(
        Metric(
            "sopr",
            "solved",
            "How far a judge finds the queries solved: solved counts 1, unsure a half.",
        ),
        Metric(
            "api_call",
            "API call",
            "The share of the gold APIs (those that an answer takes) that are called.",
        ),
        Metric("finish", "finish", "The share of queries that are brought to an end with Finish."),
        Metric(
            "api_call_precision", "precision", "The share of the APIs called that are gold ones."
        ),
        Metric(
            "api_call_success",
            "called well",
            "The share of the gold APIs of which a call came to something.",
        ),
        Metric(
            "solved_without_tools",
            "without tools",
            "The part of the solved score that was reached though no tool call came to anything: answers from memory.",
            merit=False,
        ),
    ),
    policy_metrics=(
        Metric(
            "final_answer",
            "final answer",
            "The share of queries that a judge finds solved by the final answer alone.",
        ),
    ),
    judged_as="solved",
    # Whether a query is solved is first asked of the answer alone, which is compared with nothing.
    placeholders=("question", "got", "fence"),
)
