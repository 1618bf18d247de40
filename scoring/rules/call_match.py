"""The rule of suites whose ground truth lists every accepted value (kind `call_match`).

It reproduces, verdict by verdict, how the Berkeley Function Calling Leaderboard checked calls in August 2024; where two
readings of a value were possible, the one that agrees with its published verdicts stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from leaderboard.files.case_files import read_call_match
from leaderboard.files.file_shapes import SuiteFile
from leaderboard.kinds import Kind, Metric
from leaderboard.types import (
    Call,
    Case,
    Decision,
    ExpectedArgument,
    ExpectedCall,
    Json,
    Response,
    Suite,
)
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
)
from scoring.rules.values import equal

METRIC: Final = "correct"

# What a declared type means. A parameter of any other type, such as one that the tool does not have, is never accepted.
TYPES: Final[Mapping[str, type]] = MappingProxyType(
    {
        "string": str,
        "any": str,
        "integer": int,
        "float": float,
        "boolean": bool,
        "array": list,
        "tuple": list,
        "dict": dict,
    }
)

_FLOAT_BITS: Final = 1023  # an integer of more bits may not fit into a float
_FOLDING: Final = str.maketrans({**dict.fromkeys(" ,./-_*^", ""), "'": '"'})


def decide(suite: Suite, case: Case, response: Response) -> tuple[Decision]:  # noqa: ARG001 (the shape of every rule)
    """Whether the response makes exactly the expected calls, in any order, each argument with an accepted value."""
    expected = case.ground_truth.calls
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
    if not expected:
        return (_no_call(response),)
    if len(response.calls) != len(expected):
        return (_wrong_count(expected, response),)
    return (_matched(expected, response),)


def accepts(argument: ExpectedArgument, value: Json) -> bool:
    """Whether the value has the declared type, or the type of the accepted values, and equals one of them.

    Raises KeyError where the declared type is not one of TYPES.
    """
    declared, accepted = TYPES[argument.type], argument.accepted
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


def fold(text: str) -> str:
    """The text without blanks and most punctuation, in small letters, with one kind of quotation mark."""
    return text.translate(_FOLDING).lower()


def shown_name(tool: str, underscored: bool) -> str:
    """The name under which a model was shown a tool."""
    return tool.replace(".", "_") if underscored else tool


def _no_call(response: Response) -> Decision:
    if not response.calls:
        return passed(METRIC, "no_call_expected", "No call, as expected.")
    got = listed(call.name for call in response.calls)
    return failed(METRIC, "call_when_text_expected", f"No call was expected, got {got}.")


def _wrong_count(expected: Sequence[ExpectedCall], response: Response) -> Decision:
    wanted = "1 call" if len(expected) == 1 else f"{len(expected)} calls"
    if response.calls:
        got = listed(call.name for call in response.calls)
        return failed(
            METRIC, "wrong_count", f"Expected {wanted}, got {len(response.calls)}: {got}."
        )
    if response.text and response.text.strip():
        return failed(METRIC, "no_call", f"Expected {wanted}, got text alone.")
    return failed(METRIC, "empty_response", f"Expected {wanted}, got neither a call nor text.")


def _matched(expected: Sequence[ExpectedCall], response: Response) -> Decision:
    """Give each expected call the first free call that meets it; explain the gravest miss if one is left over."""
    free = list(response.calls)
    unmet = []
    for call in expected:
        place = next(
            (i for i, got in enumerate(free) if _meets(call, got, response.underscored)), None
        )
        if place is None:
            unmet.append(call)
        else:
            del free[place]
    if unmet:
        return _explained(unmet, free, response.underscored, alone=len(expected) == 1)
    if len(expected) == 1:
        return passed(METRIC, "accepted_calls", "The expected call, every argument accepted.")
    return passed(
        METRIC, "accepted_calls", f"All {len(expected)} expected calls, every argument accepted."
    )


def _explained(
    unmet: Sequence[ExpectedCall], free: Sequence[Call], underscored: bool, *, alone: bool
) -> Decision:
    """The verdict on expected calls that no free call meets: each against the call nearest to it, told of the gravest."""
    misses = [
        (call, min((list(_mistakes(call, got, underscored)) for got in free), key=_distance))
        for call in unmet
    ]
    call, mistakes = min(
        misses, key=lambda miss: min(gravity(mistake.reason) for mistake in miss[1])
    )
    wrong_tool = mistakes[0].reason == "wrong_function"
    if wrong_tool and len(free) > 1:
        mistakes = [
            Mistake(
                "wrong_function",
                f"Expected {_tool(call, underscored)}, got {listed(c.name for c in free)}",
            )
        ]
    where = "" if alone or wrong_tool else f"{_tool(call, underscored)}: "
    return mistaken(METRIC, mistakes, where)


def _distance(mistakes: Sequence[Mistake]) -> tuple[bool, int]:
    return mistakes[0].reason == "wrong_function", len(mistakes)


def _meets(expected: ExpectedCall, call: Call, underscored: bool) -> bool:
    return next(_mistakes(expected, call, underscored), None) is None


def _mistakes(expected: ExpectedCall, call: Call, underscored: bool) -> Iterator[Mistake]:
    """Everything that keeps a call from being the expected one; nothing if it is. A wrong tool is told alone."""
    if expected.name is None or shown_name(expected.name, underscored) != call.name:
        yield Mistake(
            "wrong_function", f"Expected {_tool(expected, underscored)}, got {name(call.name)}"
        )
        return
    given = call.arguments
    known = 0
    for argument in expected.arguments:
        if argument.name not in given:
            if argument.required or "" not in argument.accepted:
                yield Mistake(
                    "missing_argument",
                    f"{name(argument.name)} missing, expected {_wanted(argument)}",
                )
        elif argument.type in TYPES:
            known += 1
            if not accepts(argument, given[argument.name]):
                yield Mistake("wrong_value", _difference(argument, given[argument.name]))
    if known != len(given):
        yield from _unexpected(expected, given)


def _unexpected(expected: ExpectedCall, given: Mapping[str, Json]) -> Iterator[Mistake]:
    known = {argument.name for argument in expected.arguments if argument.type in TYPES}
    for key, value in given.items():
        if key not in known:
            yield Mistake("unexpected_argument", f"{name(key)} not expected, got {show(value)}")


def _tool(expected: ExpectedCall, underscored: bool) -> str:
    return (
        "a tool that is not offered"
        if expected.name is None
        else name(shown_name(expected.name, underscored))
    )


def _difference(argument: ExpectedArgument, value: Json) -> str:
    told = f"{name(argument.name)}: expected {_wanted(argument)}, got {show(value)}"
    if any(allowed != "" and equal(allowed, value) for allowed in argument.accepted):
        told += ", equal, but of another type, which counts here"
    return told


def _wanted(argument: ExpectedArgument) -> str:
    values = [allowed for allowed in argument.accepted if allowed != ""]
    if not argument.required and len(values) < len(argument.accepted):
        return f"{alternatives(values)} (or left out)"
    return alternatives(values)


def _is_accepted(argument: ExpectedArgument, declared: type, value: Json) -> bool:
    """Whether a value of the declared type equals an accepted one, in the way of that type."""
    if declared is str:
        return value in argument.accepted or fold(value) in {
            fold(a) for a in argument.accepted if type(a) is str
        }
    if declared is dict:
        return any(
            _dict_matches(allowed, value) for allowed in argument.accepted if type(allowed) is dict
        )
    if declared is list:
        return any(_list_matches(argument.items, allowed, value) for allowed in argument.accepted)
    return value in argument.accepted


def _items_fit(items: str | None, accepted: Iterable[Json], value: Sequence[Json]) -> bool:
    """Whether some accepted value lets every item be of its type: the declared one, or that of the accepted items."""
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


def _list_matches(items: str | None, allowed: Json, value: Sequence[Json]) -> bool:
    wanted = [] if allowed == "" else allowed
    if type(wanted) is not list or len(wanted) != len(value):
        return False
    if items == "dict":
        return all(
            type(want) is dict and _dict_matches(want, got)
            for want, got in zip(wanted, value, strict=True)
        )
    return all(_folded(want) == _folded(got) for want, got in zip(wanted, value, strict=True))


def _dict_matches(allowed: Mapping[str, Json], value: Json) -> bool:
    if type(value) is not dict or value.keys() != allowed.keys():
        return False
    return all(_member_matches(wanted, value[key]) for key, wanted in allowed.items())


def _member_matches(wanted: Json, got: Json) -> bool:
    if type(wanted) is dict:
        return _dict_matches(wanted, got)
    return _folded(got) in [
        _folded(value) for value in (wanted if type(wanted) is list else [wanted])
    ]


def _folded(value: Json) -> Json:
    return fold(value) if type(value) is str else value


def call_policy(file: SuiteFile) -> dict[str, str]:
    """The choices that a suite of expected calls declares."""
    return {
        "optional_arguments": file.optional_arguments,
        "multi_call": file.multi_call,
        "function_case": file.function_case,
    }


KIND: Final = Kind(
    name="call_match",
    summary="one call or several, each argument from a list of accepted values",
    interaction="message",
    read_cases=read_call_match,
    read_policy=call_policy,
    decide=decide,
    metrics=(
        Metric(
            "correct",
            "correct",
            "The share of cases that end as they should: the right call, state or answer.",
        ),
    ),
    system_text="You are a helpful assistant. You may use the tools that you are given where they help.",
)
