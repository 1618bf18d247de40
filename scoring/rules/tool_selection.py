"""The rule of suites that ask for one tool call or for text (kind `tool_selection`).

Code decides what can be decided by value. Different words are referred to a judge, with one
question per argument or text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from leaderboard.files.cases.tool_selection import CASES, read_tool_selection
from leaderboard.files.tool_names import shown_name
from leaderboard.kinds import CORRECT, Kind
from leaderboard.texts.shown_values import name, show, written
from leaderboard.types import (
    Call,
    Case,
    ExpectedArgument,
    ExpectedCall,
    Json,
    Question,
    Referral,
    Response,
    Suite,
    Verdict,
)
from scoring.rules.formula_value import formula_value
from scoring.rules.json_equality import equal, identical, textual
from scoring.rules.rule_verdicts import (
    CallMistake,
    alternatives,
    failed,
    gravity,
    listed,
    missing_argument,
    mistaken,
    passed,
    sentence,
    system_failed,
    tool_words,
    unexpected_argument,
    unreadable,
    wrong_value,
)
from scoring.rules.text_rule import compare_texts

_Match = Literal["exact", "equal_values", "accepted_value", "judge", "wrong_value"]


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict | Referral]:
    """Whether the response is the one expected call, or the expected text without a call.

    The suite's policy may relax the rule: `optional_arguments` "allow" (default "strict"),
    `multi_call` "first" or "any" (default "strict": exactly one call) and `function_case` "ignore"
    (default "exact").
    """
    if response.error:
        return (system_failed(CORRECT.id, response.error),)
    if response.malformed:
        return (unreadable(CORRECT.id, "A call cannot be read", response.malformed),)
    if case.ground_truth.calls:
        return (_call_expected(suite, case, response),)
    return (_text_expected(suite, case, response),)


# ---------------------------------------------------------------- text


def _text_expected(suite: Suite, case: Case, response: Response) -> Verdict | Referral:
    expected, got = case.ground_truth.text, response.text or ""
    if response.calls:
        names = listed(call.name for call in response.calls)
        return failed(CORRECT.id, "call_when_text_expected", f"Expected text, got a call: {names}.")
    if not got.strip():
        return failed(CORRECT.id, "empty_response", "Expected text, got no answer.")
    if expected is None:
        return passed(CORRECT.id, "no_call_expected", "No call, as expected.")
    return compare_texts(suite, case, expected, got)


# ---------------------------------------------------------------- calls


def _call_expected(suite: Suite, case: Case, response: Response) -> Verdict | Referral:
    (expected, *_) = case.ground_truth.calls
    calls, underscored = response.calls, response.underscored
    if not calls:
        wanted = f"Expected a call of {tool_words(expected.name)}"
        if response.text and response.text.strip():
            return failed(CORRECT.id, "no_call", f"{wanted}, got only text.")
        return failed(CORRECT.id, "empty_response", f"{wanted}, got no answer.")
    policy = suite.policy.get("multi_call", "strict")
    if policy == "any":
        outcomes = [_call(suite, case, expected, call, underscored) for call in calls]
        return min(outcomes, key=_distance)
    if policy != "first" and len(calls) > 1:
        names = listed(call.name for call in calls)
        return failed(CORRECT.id, "wrong_count", f"Expected 1 call, got {len(calls)}: {names}.")
    return _call(suite, case, expected, calls[0], underscored)


def _distance(outcome: Verdict | Referral) -> int:
    """How far an outcome is from a pass. The best of several calls counts."""
    if isinstance(outcome, Referral):
        return 1
    return 0 if outcome.outcome == "pass" else 100 - gravity(outcome.reason)


def _call(
    suite: Suite, case: Case, expected: ExpectedCall, call: Call, underscored: bool
) -> Verdict | Referral:
    if not _same_name(suite, expected, call, underscored):
        detail = f"Expected {tool_words(expected.name)}, got {name(call.name)}."
        return failed(CORRECT.id, "wrong_function", detail)

    compared = _compared(case, expected, call)
    mistakes = _mistakes(suite, case, expected, call, compared)
    if mistakes:
        return mistaken(CORRECT.id, mistakes)
    judged = compared.get("judge")
    if not judged:
        return _accepted(expected, call, compared, underscored)
    detail = sentence(_difference(argument, call).words for argument in judged)
    if suite.category(case.category).prompt is None:
        return failed(CORRECT.id, "wrong_value", f"{detail} The category has no judge.")
    questions = tuple(_question(case, expected, argument, call) for argument in judged)
    return Referral(CORRECT.id, questions, detail)


def faults(
    suite: Suite, case: Case, expected: ExpectedCall, call: Call, underscored: bool
) -> dict[str, str]:
    """What the rule holds against a call: see `Kind.faults`."""
    if not _same_name(suite, expected, call, underscored):
        return {"": "wrong_function"}
    compared = _compared(case, expected, call)
    judged = {argument.name: "judge" for argument in compared.get("judge", ())}
    mistakes = _mistakes(suite, case, expected, call, compared)
    return judged | {one.argument: one.reason for one in mistakes}


def _compared(
    case: Case, expected: ExpectedCall, call: Call
) -> dict[_Match, list[ExpectedArgument]]:
    """The arguments that a call has of the expected ones, by how their values compare."""
    compared: dict[_Match, list[ExpectedArgument]] = {}
    for argument in expected.arguments:
        if argument.name in call.arguments:
            match = _compare(case, argument, call.arguments[argument.name])
            compared.setdefault(match, []).append(argument)
    return compared


def _mistakes(
    suite: Suite,
    case: Case,
    expected: ExpectedCall,
    call: Call,
    compared: Mapping[_Match, list[ExpectedArgument]],
) -> list[CallMistake]:
    """Everything that keeps a call of the right tool from being the expected one."""
    wrong = compared.get("wrong_value", ())
    return [
        *_missing(expected, call),
        *_unexpected(suite, case, expected, call),
        *(_difference(argument, call) for argument in wrong),
    ]


def _accepted(
    expected: ExpectedCall,
    call: Call,
    compared: Mapping[_Match, list[ExpectedArgument]],
    underscored: bool,
) -> Verdict:
    """The pass of a call with the right arguments. The loosest comparison gives the reason."""
    if others := compared.get("accepted_value"):
        shown = [f"{_value(a, call)} is one of the accepted values" for a in others]
        return passed(CORRECT.id, "accepted_value", sentence(shown))
    if rewritten := compared.get("equal_values"):
        shown = [f"{_value(a, call)} equals {show(a.accepted[0])}" for a in rewritten]
        return passed(CORRECT.id, "equal_values", sentence(shown))
    if call.name != shown_name(expected.name or "", underscored):
        detail = f"{name(call.name)} is {tool_words(expected.name)}, apart from letter case."
        return passed(CORRECT.id, "equal_values", detail)
    return passed(CORRECT.id, "exact", "The expected call, with every argument equal.")


def _same_name(suite: Suite, expected: ExpectedCall, call: Call, underscored: bool) -> bool:
    if expected.name is None:
        return False
    wanted = shown_name(expected.name, underscored)
    if suite.policy.get("function_case") == "ignore":
        return wanted.casefold() == call.name.casefold()
    return wanted == call.name


def _missing(expected: ExpectedCall, call: Call) -> Iterator[CallMistake]:
    for argument in expected.arguments:
        if not argument.may_be_absent and argument.name not in call.arguments:
            yield missing_argument(argument.name, alternatives(argument.accepted))


def _unexpected(
    suite: Suite, case: Case, expected: ExpectedCall, call: Call
) -> Iterator[CallMistake]:
    allowed = {argument.name for argument in expected.arguments}
    if suite.policy.get("optional_arguments") == "allow":
        for tool in case.tools:
            if tool.name == expected.name:
                allowed |= {p.name for p in tool.parameters if not p.required}
                break
    for key, value in call.arguments.items():
        if key not in allowed:
            yield unexpected_argument(key, value)


def _compare(case: Case, argument: ExpectedArgument, got: Json) -> _Match:
    for place, accepted in enumerate(argument.accepted):
        if equal(accepted, got):
            if place:
                return "accepted_value"
            return "exact" if identical(accepted, got) else "equal_values"
    if argument.result is not None and isinstance(got, str):
        value = formula_value(got, case.query)
        if value is not None:
            return "equal_values" if equal(argument.result, value) else "wrong_value"
    if not argument.closed and any(textual(accepted, got) for accepted in argument.accepted):
        return "judge"
    return "wrong_value"


def _value(argument: ExpectedArgument, call: Call) -> str:
    return f"{name(argument.name)}: {show(call.arguments[argument.name])}"


def _difference(argument: ExpectedArgument, call: Call) -> CallMistake:
    wanted = alternatives(argument.accepted)
    return wrong_value(argument.name, wanted, call.arguments[argument.name])


def _question(
    case: Case, expected: ExpectedCall, argument: ExpectedArgument, call: Call
) -> Question:
    got = call.arguments[argument.name]
    wanted = next(accepted for accepted in argument.accepted if textual(accepted, got))
    subject = f"argument `{argument.name}` of `{expected.name}`"
    return Question(case.query, subject, written(wanted), written(got))


KIND: Final = Kind(
    name="tool_selection",
    summary="which tool to call, with which arguments, or whether to call none",
    interaction="message",
    read_cases=read_tool_selection,
    case_shape=CASES,
    decide=decide,
    faults=faults,
    compares_texts=True,
    policy=("optional_arguments", "multi_call", "function_case"),
    metrics=(CORRECT,),
    system_text=(
        "You are a helpful assistant. The date is {date}. You may use the tools that you are given "
        "where they help; where they do not, answer in words."
    ),
    text_without_tools="You are a helpful assistant. The date is {date}. Answer in words.",
)
