"""The rule of suites whose ground truth lists every accepted value (kind `call_match`).

It reproduces, verdict by verdict, how the Berkeley Function Calling Leaderboard checks calls. Where
two readings of a value were possible, this is the one that agrees with its published verdicts.
docs/coming-from-bfcl.md lists the differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from leaderboard.files.cases.call_match import CASES, TYPES, read_call_match
from leaderboard.files.tool_names import shown_name
from leaderboard.kinds import CORRECT, Kind
from leaderboard.texts.shown_values import name, show
from leaderboard.types import (
    Call,
    Case,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Json,
    Response,
    Suite,
    Verdict,
)
from scoring.rules.code_literals import source_value
from scoring.rules.json_equality import equal
from scoring.rules.rule_verdicts import (
    CallMistake,
    alternatives,
    failed,
    gravity,
    listed,
    missing_argument,
    mistaken,
    passed,
    system_failed,
    tool_words,
    unexpected_argument,
    unreadable,
    wrong_value,
)

_FLOAT_BITS: Final = 1023  # an integer of more bits may not fit into a float
# Punctuation is dropped, but not inside of numbers: 1.5 is not 15, and -5 is not 5.
_DIGIT: Final = re.compile(r"\d")
_IN_NUMBERS: Final = (
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),  # thousands
    (re.compile(r"(?<![\d.,/-])(\d+)\.(\d+)(?![.,/-]?\d)"), r"\1point\2"),
    (re.compile(r"(?<=\d) ?(?:\^|\*\*) ?(?=\d)"), "power"),
    (re.compile(r"(?<=\d) ?\* ?(?=\d)"), "times"),
    (re.compile(r"(?<=\d)[ ,./_-]+(?=\d)"), "|"),  # as in dates
    (re.compile(r"(?:^|(?<=[\s(\[:=,]))-(?=\d)"), "minus"),
)
_FOLDING: Final = str.maketrans({**dict.fromkeys(" ,./-_*^", ""), "'": '"'})


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict]:  # noqa: ARG001 (the shape of every rule)
    """Whether the response makes exactly the expected calls, in any order, with accepted values."""
    expected = case.ground_truth.calls
    if response.error:
        return (system_failed(CORRECT.id, response.error),)
    if response.malformed:
        return (unreadable(CORRECT.id, "A call cannot be read", response.malformed),)
    if case.ground_truth.any_call and response.calls:
        return (passed(CORRECT.id, "any_call_made", "A call, as expected; any call is right."),)
    if case.ground_truth.any_call or len(response.calls) != len(expected):
        return (_wrong_count(case.ground_truth, response),)
    return (_matched(expected, response) if expected else _without_call(response),)


def _without_call(response: Response) -> Verdict:
    """The verdict where no call is expected and none is made. An empty response is no answer."""
    if response.text and response.text.strip():
        return passed(CORRECT.id, "no_call_expected", "No call, as expected.")
    detail = "Expected an answer without a call, got neither a call nor text."
    return failed(CORRECT.id, "empty_response", detail)


def _wrong_count(truth: GroundTruth, response: Response) -> Verdict:
    names = listed(call.name for call in response.calls)
    count = 1 if truth.any_call else len(truth.calls)
    if not count:
        return failed(CORRECT.id, "call_when_text_expected", f"No call was expected, got {names}.")
    wanted = "Expected 1 call" if count == 1 else f"Expected {count} calls"
    if response.calls:
        return failed(CORRECT.id, "wrong_count", f"{wanted}, got {len(response.calls)}: {names}.")
    if response.text and response.text.strip():
        return failed(CORRECT.id, "no_call", f"{wanted}, got only text.")
    return failed(CORRECT.id, "empty_response", f"{wanted}, got neither a call nor text.")


# ---------------------------------------------------------------- calls


def _matched(expected: Sequence[ExpectedCall], response: Response) -> Verdict:
    """Gives each expected call the first free call that meets it, and explains what is left."""
    free = list(response.calls)
    unmet = []
    for call in expected:
        for place, got in enumerate(free):
            if next(_mistakes(call, got, response.underscored), None) is None:
                del free[place]
                break
        else:
            unmet.append(call)
    alone = len(expected) == 1
    if unmet:
        return _explained(unmet, free, response.underscored, alone=alone)
    calls = f"All {len(expected)} expected calls"
    if len(expected) < 3:
        calls = "The expected call" if alone else "Both expected calls"
    return passed(CORRECT.id, "accepted_calls", f"{calls}, every argument accepted.")


def _explained(
    unmet: Sequence[ExpectedCall], free: Sequence[Call], underscored: bool, *, alone: bool
) -> Verdict:
    """Compares each unmet call with the call closest to it, and reports the gravest miss."""
    misses = []
    for call in unmet:
        explanations = [list(_mistakes(call, got, underscored)) for got in free]
        misses.append((call, min(explanations, key=_distance)))
    call, mistakes = min(misses, key=lambda miss: min(gravity(one.reason) for one in miss[1]))
    wrong_tool = mistakes[0].reason == "wrong_function"
    if wrong_tool and len(free) > 1:
        words = f"Expected {_tool(call, underscored)}, got {listed(c.name for c in free)}"
        mistakes = [CallMistake("wrong_function", words)]
    where = "" if alone or wrong_tool else f"{_tool(call, underscored)}: "
    return mistaken(CORRECT.id, mistakes, where)


def _distance(mistakes: Sequence[CallMistake]) -> tuple[bool, int]:
    return mistakes[0].reason == "wrong_function", len(mistakes)


def _mistakes(expected: ExpectedCall, call: Call, underscored: bool) -> Iterator[CallMistake]:
    """Everything that keeps a call from being the expected one. A wrong tool is reported alone."""
    if expected.name is None or shown_name(expected.name, underscored) != call.name:
        words = f"Expected {_tool(expected, underscored)}, got {name(call.name)}"
        yield CallMistake("wrong_function", words)
        return
    arguments = call.arguments
    declared = set()
    for argument in expected.arguments:
        if argument.name not in arguments:
            if not argument.may_be_absent:
                yield missing_argument(argument.name, _wanted(argument))
        elif argument.type in TYPES:
            declared.add(argument.name)
            if not accepts(argument, arguments[argument.name]):
                yield _difference(argument, arguments[argument.name])
    for key, value in arguments.items():
        if key not in declared:
            yield unexpected_argument(key, value)


def faults(
    suite: Suite,  # noqa: ARG001 (the shape of every rule)
    case: Case,  # noqa: ARG001
    expected: ExpectedCall,
    call: Call,
    underscored: bool,
) -> dict[str, str]:
    """What the rule holds against a call: see `Kind.faults`."""
    return {one.argument: one.reason for one in _mistakes(expected, call, underscored)}


def _tool(expected: ExpectedCall, underscored: bool) -> str:
    return tool_words(expected.name and shown_name(expected.name, underscored))


def _difference(argument: ExpectedArgument, value: Json) -> CallMistake:
    if argument.may_be_absent and not _values(argument):
        words = f"{name(argument.name)} must be left out, got {show(value)}"
        return CallMistake("wrong_value", words, argument.name)
    mistake = wrong_value(argument.name, _wanted(argument), value)
    if any(allowed != "" and equal(allowed, value) for allowed in argument.accepted):
        return mistake._replace(words=f"{mistake.words} (same value, wrong type)")
    return mistake


def _wanted(argument: ExpectedArgument) -> str:
    values = _values(argument)
    if not argument.required and len(values) < len(argument.accepted):
        return f"{alternatives(values)} (or left out)"
    return alternatives(values)


def _values(argument: ExpectedArgument) -> list[Json]:
    return [allowed for allowed in argument.accepted if allowed != ""]


# ---------------------------------------------------------------- values


def accepts(argument: ExpectedArgument, value: Json) -> bool:
    """Whether a value has the declared type, or that of the accepted values, and equals one.

    Raises KeyError if the declared type is not one of TYPES.
    """
    declared, accepted = TYPES[argument.type], argument.accepted
    if argument.language is not None:
        if type(value) is not str:
            return False
        value = source_value(argument.language, value, argument.type, argument.items)
    if declared is float and type(value) is int and value.bit_length() <= _FLOAT_BITS:
        value = float(value)
    stand_in = next((type(allowed) for allowed in accepted if allowed != ""), None)
    kind = type(value)
    if kind is not declared:
        return kind is stand_in and value in accepted
    if declared is list and not _items_fit(argument.items, accepted, value):
        return False
    if stand_in is not None and stand_in is not declared:
        return value in accepted
    return _is_accepted(argument, declared, value)


def _is_accepted(argument: ExpectedArgument, declared: type, value: Json) -> bool:
    """Whether a value of the declared type equals an accepted one, in the way of that type."""
    accepted = argument.accepted
    if declared is str:
        bare = {without_punctuation(allowed) for allowed in accepted if type(allowed) is str}
        return value in accepted or without_punctuation(value) in bare
    if declared is dict:
        allowed_dicts = [allowed for allowed in accepted if type(allowed) is dict]
        return any(_dict_matches(argument, allowed, value) for allowed in allowed_dicts)
    if declared is list:
        return any(_list_matches(argument, allowed, value) for allowed in accepted)
    return value in accepted


def without_punctuation(text: str) -> str:
    """The text in lower case, without spaces and most punctuation, with one kind of quote.

    What stands between digits keeps them apart, and a number keeps its sign. Dates such as
    2026/05/18 and 2026-05-18 are equal.
    """
    if _DIGIT.search(text):
        for pattern, word in _IN_NUMBERS:
            text = pattern.sub(word, text)
    return text.translate(_FOLDING).lower()


def _items_fit(items: str | None, accepted: Iterable[Json], value: Sequence[Json]) -> bool:
    """Whether every item has its declared type, or the type of the items of an accepted list."""
    if items is None:
        return True
    kinds = {type(item) for item in value}
    for allowed in accepted:
        if type(allowed) is not list:
            return True
        stand_in = next((type(item) for item in allowed if item != ""), None)
        if kinds <= {TYPES.get(items), stand_in}:
            return True
    return False


def _list_matches(argument: ExpectedArgument, allowed: Json, value: Sequence[Json]) -> bool:
    wanted = [] if allowed == "" else allowed
    if type(wanted) is not list or len(wanted) != len(value):
        return False
    pairs = zip(wanted, value, strict=True)
    if argument.items == "dict":
        return all(type(one) is dict and _dict_matches(argument, one, got) for one, got in pairs)
    return all(_comparable(want) == _comparable(got) for want, got in pairs)


def _dict_matches(argument: ExpectedArgument, allowed: Mapping[str, Json], value: Json) -> bool:
    if type(value) is not dict or not value.keys() <= allowed.keys():
        return False
    for key in allowed.keys() - value.keys():
        if not (argument.optional_members and type(allowed[key]) is list and "" in allowed[key]):
            return False
    return all(_member_matches(argument, allowed[key], got) for key, got in value.items())


def _member_matches(argument: ExpectedArgument, wanted: Json, got: Json) -> bool:
    if type(wanted) is dict:
        return _dict_matches(argument, wanted, got)
    accepted = wanted if type(wanted) is list else [wanted]
    return _comparable(got) in [_comparable(value) for value in accepted]


def _comparable(value: Json) -> Json:
    return without_punctuation(value) if type(value) is str else value


KIND: Final = Kind(
    name="call_match",
    summary="one call or several, each argument from a list of accepted values",
    interaction="message",
    calls_in_any_order=True,
    placeholders=(),
    read_cases=read_call_match,
    case_shape=CASES,
    decide=decide,
    faults=faults,
    metrics=(CORRECT,),
    system_text=(
        "You are a helpful assistant. You may use the tools that you are given where they help."
    ),
    text_without_tools="You are a helpful assistant. Answer in words.",
)
