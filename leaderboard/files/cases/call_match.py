"""Cases of kind `call_match`: accepted values per argument, parallel calls, any call, or none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.field_types import CLOSED, DEFERRED, OPEN, CaseId
from leaderboard.files.tool_records import AnyTool, tool_from_record
from leaderboard.types import (
    Case,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Json,
    Language,
    Message,
)

Declared = Literal["string", "any", "integer", "float", "boolean", "array", "tuple", "dict"]
Java = Literal["byte", "short", "long", "double", "char", "String", "Array", "ArrayList", "HashMap"]
JavaScript = Literal["String", "Boolean", "Bigint"]


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

    - `no_call`: whether no call is right. Then `calls` is empty.
    - `any_call`: whether any call is right, whatever its tool and arguments. Then `calls` is empty.
    - `calls`: the expected calls. All must be made, in any order, and no other.
    """

    no_call: bool
    any_call: NotRequired[bool]
    calls: list[MatchCall]


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
    user_query: str
    earlier_messages: NotRequired[list[EarlierMessage]]
    tools: NotRequired[list[AnyTool]]
    ground_truth: MatchTruth


CASES: Final = TypeAdapter(list[MatchCase], config=DEFERRED)


def read_call_match(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for index, record in file.valid_records(CASES):
        truth = record["ground_truth"]
        any_call = truth.get("any_call", False)
        if truth["no_call"] + any_call + bool(truth["calls"]) != 1:
            what, fix = "must expect calls, any call, or no call", "list the calls, or set one flag"
            file.findings.add((index, "ground_truth"), what, fix)
            continue
        calls = tuple(map(_expected_call, truth["calls"]))
        tools = tuple(map(tool_from_record, record.get("tools", ()))) or file.tools
        messages = record.get("earlier_messages", ())
        earlier = tuple(Message(message["role"], message["content"]) for message in messages)
        expected = GroundTruth(calls=calls, any_call=any_call)
        cases.append(file.case(record, expected, tools=tools, earlier=earlier))
    return tuple(cases)


def _expected_call(call: Mapping[str, Json]) -> ExpectedCall:
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
