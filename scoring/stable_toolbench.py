"""The rule of suites over simulated APIs (kind `stable_toolbench`): solved or not, the gold APIs called, brought to an end.

Code decides which APIs were called and whether the answer was brought to an end. Whether it solves the query is for a judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from leaderboard.api_names import FINISH, NameRegistry, Pair, guess
from leaderboard.apis import definitions_of
from leaderboard.types import Call, Case, Decision, Question, Referral, Response, Suite
from scoring.details import cut, failed, first_line, passed, sentence

SOPR: Final = "sopr"
API_CALL: Final = "api_call"
FINISHED: Final = "finish"
METRICS: Final = (SOPR, API_CALL, FINISHED)

GIVE_UP: Final = "give_up_and_restart"
_LONGEST_EVIDENCE: Final = 6000  # characters of the tools' replies that a judge is shown


def decide(suite: Suite, case: Case, response: Response) -> tuple[Decision | Referral, ...]:  # noqa: ARG001 - a Rule
    """What a response comes to: `sopr`, `api_call`, `finish`.

    - sopr: an empty answer, or one that was given up, is unsolved; every other goes to a judge.
    - api_call: the share of the gold APIs that were called, in any spelling of their names; a pass where all were. Unscored
      where the query names none.
    - finish: whether the last tool called is Finish.
    """
    if response.error:
        detail = sentence([f"The system failed: {first_line(response.error)}"])
        return tuple(failed(metric, "response_error", detail) for metric in METRICS)
    return _solved(case, response), _api_call(case, response), _finish(response)


def called_pairs(case: Case, calls: Iterable[Call]) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The APIs called, as pairs in order, each once; and the names that are none of the query's APIs and no guess either."""
    registry = NameRegistry(definition.name for definition in definitions_of(case.record))
    pairs: dict[Pair, None] = {}
    unresolved: dict[str, None] = {}
    for call in calls:
        if call.name == FINISH:
            continue
        resolved = registry.resolve(call.name)
        pair = resolved.pair if resolved else None if registry.candidates(call.name) else guess(call.name)
        if pair is None:
            unresolved[call.name] = None
        else:
            pairs[pair] = None
    return tuple(pairs), tuple(unresolved)


def final_answer(response: Response) -> str:
    """The answer that the response ends with: its text, else what its Finish call says."""
    if response.text is not None and response.text.strip():
        return response.text
    said = [call.arguments.get("final_answer") for call in response.calls if call.name == FINISH]
    return said[-1] if said and isinstance(said[-1], str) else ""


def _solved(case: Case, response: Response) -> Decision | Referral:
    answer = final_answer(response)
    gave_up = any(call.name == FINISH and call.arguments.get("return_type") == GIVE_UP for call in response.calls)
    if gave_up:
        return failed(SOPR, "gave_up", "The system gave up.")
    if not answer.strip():
        return failed(SOPR, "empty_response", "An answer was expected, none was given.")
    question = Question(case.query, "", _evidence(response.calls), answer)
    return Referral(SOPR, (question,), "Whether the answer solves the query is for a judge.")


def _evidence(calls: Sequence[Call]) -> str:
    """What the tools replied, one call a line."""
    lines = [
        f"{call.name}({json.dumps(call.arguments, ensure_ascii=False, sort_keys=True)}) -> {_text(call)}"
        for call in calls
        if call.name != FINISH
    ]
    return cut("\n".join(lines), _LONGEST_EVIDENCE) or "(no tool was called)"


def _text(call: Call) -> str:
    return call.result if isinstance(call.result, str) else json.dumps(call.result, ensure_ascii=False, sort_keys=True)


def _api_call(case: Case, response: Response) -> Decision:
    gold = case.ground_truth.apis.pairs if case.ground_truth.apis else ()
    if not gold:
        return Decision(API_CALL, "unscored", None, "no_gold_api", "The query names no API that it takes.")
    called, unresolved = called_pairs(case, response.calls)
    missed = [pair for pair in gold if pair not in called]
    unknown = f" Not an API of this query: {', '.join(unresolved[:3])}." if unresolved else ""
    if not missed:
        return passed(API_CALL, "gold_apis_called", f"All {len(gold)} gold APIs were called.{unknown}")
    told = f"Of {len(gold)} gold APIs, {len(gold) - len(missed)} called; not called: {_named(missed)}.{unknown}"
    return Decision(API_CALL, "fail", (len(gold) - len(missed)) / len(gold), "gold_apis_missed", told)


def _named(pairs: Sequence[Pair]) -> str:
    shown = ", ".join(f"{tool} / {api}" for tool, api in pairs[:3])
    return f"{shown} and {len(pairs) - 3} more" if len(pairs) > 3 else shown


def _finish(response: Response) -> Decision:
    if response.calls and response.calls[-1].name == FINISH:
        return passed(FINISHED, "finished", "Brought to an end with Finish.")
    return failed(FINISHED, "not_finished", "The last tool called is not Finish.")
