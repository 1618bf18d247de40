"""Cases of kind `call_match`: accepted values per argument, parallel calls, or no call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.field_types import DEFERRED, OPEN, CaseId
from leaderboard.files.tool_records import ToolRecord, tool_from_record
from leaderboard.types import Case, ExpectedArgument, ExpectedCall, GroundTruth, Json


@with_config(OPEN)
class MatchParameter(TypedDict):
    """The accepted values of one argument."""

    type: Literal["string", "any", "integer", "float", "boolean", "array", "tuple", "dict"] | None
    items: NotRequired[str | None]
    required: bool
    allowed: list[Any]


@with_config(OPEN)
class MatchCall(TypedDict):
    """An expected call. A null name can never be met."""

    name: str | None
    parameters: dict[str, MatchParameter]


@with_config(OPEN)
class MatchTruth(TypedDict):
    """Ground truth: the calls, or no call."""

    no_call: bool
    calls: list[MatchCall]


@with_config(OPEN)
class MatchCase(TypedDict):
    """One record. A case may have its own tools."""

    id: CaseId
    user_query: str
    tools: NotRequired[list[ToolRecord]]
    ground_truth: MatchTruth


_CASES: Final = TypeAdapter(list[MatchCase], config=DEFERRED)


def read_call_match(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for index, record in file.valid_records(_CASES):
        truth = record["ground_truth"]
        if truth["no_call"] == bool(truth["calls"]):
            what = "must expect either calls or no call"
            file.findings.add((index, "ground_truth"), what, "set no_call, or list the calls")
            continue
        calls = tuple(map(_expected_call, truth["calls"]))
        tools = tuple(map(tool_from_record, record.get("tools", ()))) or file.tools
        cases.append(file.case(record, GroundTruth(calls=calls), tools=tools))
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
        )
        arguments.append(argument)
    return ExpectedCall(call["name"], tuple(arguments))
