"""What a case expects and what a response says, as lines for a terminal or a log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from leaderboard.types import Call, Case, ExpectedCall, Json, Response


def expected_lines(case: Case) -> Iterator[str]:
    """Yields the ground truth: calls, a text, a trajectory, APIs, or exact answers.

    Accepted values of one argument are separated by ` | `.
    """
    truth = case.ground_truth
    yield from map(_expected_call, truth.calls)
    if truth.trajectory is not None:
        yield " | ".join(map(_path, truth.trajectory.paths))
        if truth.trajectory.has_state:
            yield f"state: {_json(truth.trajectory.state)}"
        if truth.trajectory.reference is not None:
            yield f"answer: {_json(truth.trajectory.reference)}"
    if truth.apis is not None:
        yield "APIs: " + (", ".join(f"{tool} / {api}" for tool, api in truth.apis) or "none")
    yield from (f"{shown.label}: {shown.value}" for shown in truth.shown)
    if truth.text is not None and not truth.shown:
        yield truth.text
    has_more = truth.trajectory or truth.apis is not None or truth.shown
    if truth.any_call:
        yield "any call"
    elif not (truth.calls or truth.text or has_more):
        yield "no call"


def given_lines(response: Response | None) -> Iterator[str]:
    """Yields what was answered: calls with the tools' replies, the text, an error."""
    if response is None:
        yield "no record"
        return
    answered = response.calls or response.malformed or response.has_state or response.text
    for call in response.calls:
        reply = "" if call.result is None else f" → {_json(call.result)}"
        yield f"{_call(call)}{reply}"
    if response.malformed:
        yield f"unreadable: {response.malformed}"
    if response.has_state:
        yield f"state: {_json(response.state)}"
    if response.text:
        yield response.text
    if response.error:
        yield f"error: {response.error}"
    if not (answered or response.error):
        yield "nothing"


def _path(tools: Sequence[str]) -> str:
    """Tool names in order, equal ones in a row counted."""
    runs = [(name, len(list(run))) for name, run in groupby(tools)]
    words = [name if number == 1 else f"{name} × {number}" for name, number in runs]
    return " → ".join(words) or "no call"


def _expected_call(call: ExpectedCall) -> str:
    if call.name is None:
        return "a tool that is not offered"
    arguments = []
    for argument in call.arguments:
        # An accepted "" is how some suites write that an argument may be left out.
        left_out = argument.may_be_absent
        values = [_json(value) for value in argument.accepted if not (left_out and value == "")]
        if argument.result is not None:
            values.append(f"a formula with the result {_json(argument.result)}")
        if left_out:
            values.append("absent")
        arguments.append(f"{argument.name}={' | '.join(values) or 'anything'}")
    return f"{call.name}({', '.join(arguments)})"


def _call(call: Call) -> str:
    arguments: Mapping[str, Json] = call.arguments
    return f"{call.name}({', '.join(f'{name}={_json(v)}' for name, v in arguments.items())})"


def _json(value: Json) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "a number of very many digits"
