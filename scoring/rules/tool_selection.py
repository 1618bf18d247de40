"""The rule of suites that ask for one tool call or for text (kind `tool_selection`).

Code decides what can be decided by value; words that differ are referred to a judge, one question per argument or text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from leaderboard.files.case_files import read_tool_selection
from leaderboard.kinds import Kind, Metric
from leaderboard.types import (
    Call,
    Case,
    Decision,
    ExpectedArgument,
    ExpectedCall,
    Json,
    Question,
    Referral,
    Response,
    Suite,
)
from scoring.rules.call_match import call_policy, shown_name
from scoring.rules.details import (
    Mistake,
    alternatives,
    failed,
    first_line,
    gravity,
    listed,
    mistaken,
    name,
    passed,
    sentence,
    show,
    written,
)
from scoring.rules.values import equal, fold, identical, textual

METRIC: Final = "correct"

Comparison = Literal["exact", "equal_values", "accepted_value", "judge", "wrong_value"]

_RUN: Final = re.compile(r"\*+|_+|`+|\n[ \t]*\n")


def decide(suite: Suite, case: Case, response: Response) -> tuple[Decision | Referral]:
    """Whether the response is the one expected call, or the expected text without a call.

    The suite's policy may relax it: `optional_arguments` "allow" (default "strict"), `multi_call` "first" or "any" (default
    "strict": exactly one call) and `function_case` "ignore" (default "exact").
    """
    if response.error:
        return (
            failed(
                METRIC,
                "response_error",
                sentence([f"The system failed: {first_line(response.error)}"]),
            ),
        )
    if response.malformed:
        return (
            failed(
                METRIC,
                "malformed_call",
                sentence([f"A call cannot be read: {first_line(response.malformed)}"]),
            ),
        )
    if case.ground_truth.calls:
        return (_call_expected(suite, case, response),)
    return (_text_expected(suite, case, response),)


def strip_emphasis(text: str) -> str:
    """The text without the marks of Markdown emphasis and inline code; the same characters used otherwise stay.

    A mark opens before a word and closes after one, within a paragraph: `*so*`, `**so**`, `_so_`, but neither `5*3`,
    `2 * 3`, `snake_case`, `**kwargs` nor a fenced block.
    """
    if not any(mark in text for mark in "*_`"):
        return text
    opened: dict[str, int] = {}
    marks = []
    for run in _RUN.finditer(text):
        mark, start, end = run.group(), run.start(), run.end()
        if mark[0] == "\n":
            opened.clear()
            continue
        before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
        if mark in opened and not before.isspace() and not after.isalnum():
            marks += [(opened.pop(mark), mark), (start, mark)]
        elif len(mark) <= 3 and not after.isspace() and not before.isalnum():
            opened[mark] = start
    return _without(text, sorted(marks))


def _without(text: str, marks: Sequence[tuple[int, str]]) -> str:
    kept, end = [], 0
    for start, mark in marks:
        kept.append(text[end:start])
        end = start + len(mark)
    return "".join([*kept, text[end:]])


# ---------------------------------------------------------------- text


def _text_expected(suite: Suite, case: Case, response: Response) -> Decision | Referral:
    expected, got = case.ground_truth.text, response.text or ""
    if response.calls:
        names = listed(call.name for call in response.calls)
        return failed(METRIC, "call_when_text_expected", f"Text was expected, got a call: {names}.")
    if expected is None:
        return passed(METRIC, "no_call_expected", "No call, as expected.")
    if not got.strip():
        return failed(METRIC, "empty_response", "Text was expected, nothing was answered.")
    return compare_texts(suite, case, expected, got)


def compare_texts(suite: Suite, case: Case, expected: str, got: str) -> Decision | Referral:
    """Whether a text is the expected one; other words are for the judge of the case's category, if it has one."""
    if got.strip().casefold() == expected.strip().casefold():
        return passed(METRIC, "exact", "The expected text.")
    plain = strip_emphasis(got)
    if fold(expected) in {fold(text) for text in {got, plain}}:
        return passed(METRIC, "equal_values", "The expected text, but for blanks and emphasis.")
    if suite.category(case.category).prompt is None:
        return failed(
            METRIC,
            "wrong_value",
            "The text is not identical to the expected one, and its category has no judge.",
        )
    detail = sentence([f"Expected {show(expected)}, got {show(got)}"])
    return Referral(METRIC, (Question(case.query, "", expected, plain),), detail)


# ---------------------------------------------------------------- calls


def _call_expected(suite: Suite, case: Case, response: Response) -> Decision | Referral:
    (expected, *_) = case.ground_truth.calls
    if not response.calls:
        return _without_call(expected, response)
    policy = suite.policy.get("multi_call", "strict")
    if policy == "any":
        outcomes = [
            _call(suite, case, expected, call, response.underscored) for call in response.calls
        ]
        return min(outcomes, key=_distance)
    if policy != "first" and len(response.calls) > 1:
        names = listed(call.name for call in response.calls)
        return failed(
            METRIC, "wrong_count", f"Expected 1 call, got {len(response.calls)}: {names}."
        )
    return _call(suite, case, expected, response.calls[0], response.underscored)


def _without_call(expected: ExpectedCall, response: Response) -> Decision:
    if response.text and response.text.strip():
        return failed(METRIC, "no_call", f"Expected a call of {_tool(expected)}, got text alone.")
    return failed(
        METRIC, "empty_response", f"Expected a call of {_tool(expected)}, nothing was answered."
    )


def _distance(outcome: Decision | Referral) -> int:
    """How far an outcome is from a pass, so that among several calls the best one counts, the first of equals."""
    if isinstance(outcome, Referral):
        return 1
    return 0 if outcome.outcome == "pass" else 100 - gravity(outcome.reason)


def _call(
    suite: Suite, case: Case, expected: ExpectedCall, call: Call, underscored: bool
) -> Decision | Referral:
    if not _same_name(suite, expected, call, underscored):
        return failed(
            METRIC, "wrong_function", f"Expected {_tool(expected)}, got {name(call.name)}."
        )
    compared = [
        (a, _compare(a, call.arguments[a.name]))
        for a in expected.arguments
        if a.name in call.arguments
    ]
    mistakes = [*_missing(expected, call), *_unexpected(suite, case, expected, call)]
    mistakes += [
        Mistake("wrong_value", _difference(a, call))
        for a, found in compared
        if found == "wrong_value"
    ]
    if mistakes:
        return mistaken(METRIC, mistakes)
    judged = [argument for argument, found in compared if found == "judge"]
    if not judged:
        return _accepted(expected, call, compared, underscored)
    detail = sentence(_difference(argument, call) for argument in judged)
    if suite.category(case.category).prompt is None:
        return failed(METRIC, "wrong_value", f"{detail} The category has no judge.")
    return Referral(
        METRIC, tuple(_question(case, expected, a, call.arguments[a.name]) for a in judged), detail
    )


def _same_name(suite: Suite, expected: ExpectedCall, call: Call, underscored: bool) -> bool:
    if expected.name is None:
        return False
    wanted = shown_name(expected.name, underscored)
    if suite.policy.get("function_case") == "ignore":
        return wanted.casefold() == call.name.casefold()
    return wanted == call.name


def _missing(expected: ExpectedCall, call: Call) -> Iterator[Mistake]:
    for argument in expected.arguments:
        if not argument.may_be_absent and argument.name not in call.arguments:
            yield Mistake(
                "missing_argument",
                f"{name(argument.name)} missing, expected {alternatives(argument.accepted)}",
            )


def _unexpected(suite: Suite, case: Case, expected: ExpectedCall, call: Call) -> Iterator[Mistake]:
    known = {argument.name for argument in expected.arguments}
    if suite.policy.get("optional_arguments") == "allow":
        tool = next((tool for tool in case.tools if tool.name == expected.name), None)
        known |= {
            parameter.name
            for parameter in (tool.parameters if tool else ())
            if not parameter.required
        }
    for key, value in call.arguments.items():
        if key not in known:
            yield Mistake("unexpected_argument", f"{name(key)} not expected, got {show(value)}")


def _compare(argument: ExpectedArgument, got: Json) -> Comparison:
    for place, accepted in enumerate(argument.accepted):
        if equal(accepted, got):
            if place:
                return "accepted_value"
            return "exact" if identical(accepted, got) else "equal_values"
    if not argument.closed and any(textual(accepted, got) for accepted in argument.accepted):
        return "judge"
    return "wrong_value"


def _accepted(
    expected: ExpectedCall,
    call: Call,
    compared: Sequence[tuple[ExpectedArgument, Comparison]],
    underscored: bool,
) -> Decision:
    others = [argument for argument, found in compared if found == "accepted_value"]
    if others:
        shown = (
            f"{name(a.name)}: {show(call.arguments[a.name])} is one of the accepted values"
            for a in others
        )
        return passed(METRIC, "accepted_value", sentence(shown))
    rewritten = [argument for argument, found in compared if found == "equal_values"]
    if rewritten:
        shown = (
            f"{name(a.name)}: {show(call.arguments[a.name])} equals {show(a.accepted[0])}"
            for a in rewritten
        )
        return passed(METRIC, "equal_values", sentence(shown))
    if call.name != shown_name(expected.name or "", underscored):
        return passed(
            METRIC, "equal_values", f"{name(call.name)} is {_tool(expected)} in other letter case."
        )
    return passed(METRIC, "exact", "The expected call, with every argument equal.")


def _difference(argument: ExpectedArgument, call: Call) -> str:
    return f"{name(argument.name)}: expected {alternatives(argument.accepted)}, got {show(call.arguments[argument.name])}"


def _question(
    case: Case, expected: ExpectedCall, argument: ExpectedArgument, got: Json
) -> Question:
    wanted = next(accepted for accepted in argument.accepted if textual(accepted, got))
    return Question(
        case.query,
        f"argument `{argument.name}` of `{expected.name}`",
        written(wanted),
        written(got),
    )


def _tool(expected: ExpectedCall) -> str:
    return "a tool that is not offered" if expected.name is None else name(expected.name)


KIND: Final = Kind(
    name="tool_selection",
    summary="which tool to call, with which arguments, or whether to call none",
    interaction="message",
    read_cases=read_tool_selection,
    read_policy=call_policy,
    decide=decide,
    metrics=(
        Metric(
            "correct",
            "correct",
            "The share of cases that end as they should: the right call, state or answer.",
        ),
    ),
    system_text="You are a helpful assistant. The date is {date}. You may use the tools that you are given where they help; where they do not, answer in words.",
)
