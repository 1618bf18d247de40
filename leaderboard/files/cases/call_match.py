"""Cases of kind `call_match`: accepted values per argument, parallel calls, any call, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.field_types import CLOSED, DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.files.json_files import At
from leaderboard.files.tool_records import AnyTool
from leaderboard.types import (
    Case,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Json,
    Language,
    Message,
    Tool,
)

Declared = Literal["string", "any", "integer", "float", "boolean", "array", "tuple", "dict"]
Java = Literal["byte", "short", "long", "double", "char", "String", "Array", "ArrayList", "HashMap"]
JavaScript = Literal["String", "Boolean", "Bigint"]

# What a declared type means, those of Java and JavaScript included. A value of any other declared
# type is never accepted.
TYPES: Final[Mapping[str, type]] = MappingProxyType(
    {
        **dict.fromkeys(("string", "any", "String", "char"), str),
        **dict.fromkeys(("integer", "byte", "short", "long", "Bigint"), int),
        **dict.fromkeys(("float", "double"), float),
        **dict.fromkeys(("boolean", "Boolean"), bool),
        **dict.fromkeys(("array", "tuple", "Array", "ArrayList"), list),
        **dict.fromkeys(("dict", "HashMap"), dict),
    }
)


@with_config(OPEN)
class MatchParameter(TypedDict):
    """The accepted values of one argument.

    - `type`: the type that the value must have; null if the tool has no such parameter. With a
      `language`, it is a type of that language.
    - `items`: the type of the items of an array.
    - `language`: the programming language in which answers write the value as text.
    - `optional_members`: whether members of an object may be left out if "" is among their values.
    - `required`: whether the tool requires the argument.
    - `allowed`: the accepted values. "" means that the argument may be left out if it is not
      required.
    """

    type: Literal[Declared, Java, JavaScript] | None
    items: NotRequired[str | None]
    language: NotRequired[Language]
    optional_members: NotRequired[bool]
    required: bool
    allowed: list[Any]


@with_config(OPEN)
class MatchCall(TypedDict):
    """An expected call.

    - `name`: the name of the tool. No call fits null.
    - `parameters`: the accepted values of each argument, by its name. No other argument is right.
    """

    name: str | None
    parameters: dict[str, MatchParameter]


@with_config(OPEN)
class MatchTruth(TypedDict):
    """What is right: these calls, any call at all, or no call.

    - `no_call`: whether no call is right. Then there are no `calls`.
    - `any_call`: whether any call is right, whatever its tool and arguments. Then there are no
      `calls`.
    - `calls`: the expected calls. All must be made, in any order, and no other.
    """

    no_call: NotRequired[bool]
    any_call: NotRequired[bool]
    calls: NotRequired[list[MatchCall]]


@with_config(CLOSED)
class EarlierMessage(TypedDict):
    """A message before the question.

    - `role`: who wrote it.
    - `content`: its text.
    """

    role: Literal["system", "user", "assistant"]
    content: str


@with_config(OPEN)
class MatchCase(TypedDict):
    """One case.

    - `id`: the name of the case, unique in its suite.
    - `user_query`: what the user asks.
    - `earlier_messages`: the conversation before the question.
    - `tools`: the tools of this case. Without them, those of the suite.
    - `ground_truth`: the right calls, or none.
    """

    id: CaseId
    user_query: AnswerText
    earlier_messages: NotRequired[list[EarlierMessage]]
    tools: NotRequired[list[AnyTool]]
    ground_truth: MatchTruth


CASES: Final = TypeAdapter(list[MatchCase], config=DEFERRED)


def read_call_match(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for index, record in file.valid_records(CASES):
        truth = record["ground_truth"]
        any_call, expected_calls = truth.get("any_call", False), truth.get("calls", [])
        if truth.get("no_call", False) + any_call + bool(expected_calls) != 1:
            what, fix = "must expect calls, any call, or no call", "list the calls, or set one flag"
            file.findings.add((index, "ground_truth"), what, fix)
            continue
        tools = file.tools_of(record, index)
        _check_calls(expected_calls, tools, file, (index, "ground_truth", "calls"))
        _warn_of_keys(record, file, index)
        calls = tuple(map(_expected_call, expected_calls))
        messages = record.get("earlier_messages", ())
        earlier = tuple(Message(message["role"], message["content"]) for message in messages)
        expected = GroundTruth(calls=calls, any_call=any_call)
        cases.append(file.case(record, expected, tools=tools, earlier=earlier))
    return tuple(cases)


def _warn_of_keys(record: MatchCase, file: CategoryCases, index: int) -> None:
    truth = record["ground_truth"]
    file.warn_of_case_keys(record, "call_match", MatchCase.__annotations__, index)
    known = MatchTruth.__annotations__
    file.warn_of_call_keys(truth, "call_match", known, "calls", (index, "ground_truth"))
    for place, call in enumerate(truth.get("calls", ())):
        at: At = (index, "ground_truth", "calls", place)
        file.warn_of_misspelt(call, MatchCall.__annotations__, at)
        for name, parameter in call["parameters"].items():
            known = MatchParameter.__annotations__
            file.warn_of_misspelt(parameter, known, (*at, "parameters", name))


def _check_calls(
    calls: Sequence[MatchCall], tools: Sequence[Tool], file: CategoryCases, at: At
) -> None:
    """Checks the expected calls against the tools. No right answer could meet a wrong one.

    A name or a type of null says on purpose that there is no such tool or parameter.
    """
    by_name = {tool.name: tool for tool in tools}
    for place, call in enumerate(calls):
        for argument, parameter in call["parameters"].items():
            _check_values(parameter, file, (*at, place, "parameters", argument))
        name = call["name"]
        if name is None:
            continue
        if name in by_name:
            _check_parameters(call["parameters"], by_name[name], file, (*at, place, "parameters"))
        else:
            what = f"names a tool that is not in this case: {name!r}"
            fix = f"one of: {', '.join(by_name)}" if tools else "add tools to the case or suite"
            file.findings.add((*at, place, "name"), what, fix)


def _check_parameters(
    parameters: Mapping[str, MatchParameter], tool: Tool, file: CategoryCases, at: At
) -> None:
    for declared in tool.parameters:
        if declared.required and declared.name not in parameters:
            what = f"leaves out {declared.name!r}, which {tool.name} requires"
            file.findings.add(at, what, "add the parameter with its accepted values")
    for name, parameter in parameters.items():
        if tool.parameter(name) is None and parameter["type"] is not None:
            what = f"gives {name!r}, which {tool.name} does not have"
            file.findings.add((*at, name), what, "remove it, or add the parameter to the tool")


def _check_values(parameter: MatchParameter, file: CategoryCases, at: At) -> None:
    """Warns if no value of the declared type is accepted. Published data has a few such cases."""
    declared = parameter["type"]
    values = [value for value in parameter["allowed"] if value != ""]
    # In another language, the values are source code.
    typed = "language" in parameter or any(_has_type(value, declared) for value in values)
    if not parameter["allowed"]:
        what, fix = "accepts no value, so no answer is right", "list the accepted values"
        file.findings.add((*at, "allowed"), what, fix, "warning")
    elif values and not typed:
        what = f"accepts {values[0]!r:.80}, and no value of the type {declared}"
        file.findings.add((*at, "allowed"), what, "correct the values", "warning")


def _has_type(value: Json, declared: str | None) -> bool:
    expected = None if declared == "any" else TYPES.get(declared or "")
    if expected is None or type(value) is expected:
        return True
    if expected is int:
        return type(value) is float and value.is_integer()
    return expected is float and type(value) is int


def _expected_call(call: MatchCall) -> ExpectedCall:
    arguments = []
    for name, parameter in call["parameters"].items():
        argument = ExpectedArgument(
            name=name,
            accepted=tuple(parameter["allowed"]),
            closed=True,
            may_be_absent="" in parameter["allowed"] and not parameter["required"],
            # The tool does not have a parameter without a type, so giving it is a mistake.
            type=parameter["type"] or "null",
            items=parameter.get("items"),
            required=parameter["required"],
            language=parameter.get("language"),
            optional_members=parameter.get("optional_members", False),
        )
        arguments.append(argument)
    return ExpectedCall(call["name"], tuple(arguments))
