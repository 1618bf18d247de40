"""Cases from the records of a category file, one reader per suite kind.

A reader gets the file's JSON and says what is wrong by JSON path; the upstream dialects load unchanged
(the tool-selection tester's two dataset dialects, BFCL-style accepted values, LangSmith's examples, StableToolBench's queries).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from leaderboard.apis.api_definitions import definitions_of, gold_pairs
from leaderboard.digest import digest_of
from leaderboard.files.document import At, Findings
from leaderboard.files.file_shapes import MATCH_CASES, QUERY_CASES, SELECTION_CASES, USAGE_CASES
from leaderboard.files.validation import add_pydantic_errors
from leaderboard.responses.tool_definitions import tool_from_record
from leaderboard.types import (
    Case,
    ExpectedArgument,
    ExpectedCall,
    GoldApis,
    GroundTruth,
    Json,
    Tool,
    Trajectory,
)

# What the tester's own converter and its code call the category `no_tool`.
CATEGORY_ALIASES: Mapping[str, str] = {"text_response": "no_tool", "no_tools": "no_tool"}

_JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What a reader needs: the parsed document, the category it is for, the suite's tools, and whether the file is shared."""

    document: Json
    category: str
    tools: tuple[Tool, ...]
    shared: bool
    findings: Findings


def read_tool_selection(file: CaseFile) -> tuple[Case, ...]:
    """Cases of kind `tool_selection`, in either dialect. Where categories share a file, `type` selects."""
    cases = []
    for index, record in _valid(SELECTION_CASES, file):
        kind = CATEGORY_ALIASES.get(
            record.get("type", file.category), record.get("type", file.category)
        )
        if kind != file.category:
            if not file.shared:
                what = f"has type {kind!r} in the file of category {file.category!r}"
                file.findings.add((index, "type"), what, "move the record, or correct its type")
            continue
        truth = _selection_truth(record["ground_truth"], file, (index, "ground_truth"))
        if truth is not None:
            cases.append(_case(record, file, truth, file.tools))
    return tuple(cases)


def _selection_truth(truth: Mapping[str, Json], file: CaseFile, at: At) -> GroundTruth | None:
    call, text = truth.get("function_call"), truth.get("text")
    declared = truth.get("expected_response_type") or (
        "function_call" if call is not None else "text"
    )
    if declared == "function_call":
        if call is None:
            file.findings.add(
                at,
                "expects a function call and gives none",
                "add function_call, or expected_response_type text",
            )
            return None
        return GroundTruth(calls=(_expected_call(call, truth.get("accepted") or {}, file, at),))
    if text is None or not text.strip():
        file.findings.add(at, "expects text and gives none", "add the text of a right answer")
        return None
    return GroundTruth(text=text)


def _expected_call(
    call: Mapping[str, Json], accepted: Mapping[str, Sequence[Json]], file: CaseFile, at: At
) -> ExpectedCall:
    arguments: Mapping[str, Json] = call.get("arguments") or {}
    tool = next((t for t in file.tools if t.name == call["name"]), None)
    if tool is None:
        known = ", ".join(t.name for t in file.tools)
        file.findings.add(
            (*at, "function_call", "name"),
            f"names no tool of this suite: {call['name']!r}",
            f"one of: {known}",
        )
        return ExpectedCall(call["name"], ())
    _check_arguments(arguments, accepted, tool, file, at)
    names = (*arguments, *(name for name in accepted if name not in arguments))
    return ExpectedCall(
        tool.name, tuple(_expected_argument(name, arguments, accepted, tool) for name in names)
    )


def _expected_argument(
    name: str, arguments: Mapping[str, Json], accepted: Mapping[str, Sequence[Json]], tool: Tool
) -> ExpectedArgument:
    parameter = tool.parameter(name)
    further = accepted.get(name, ())
    values = ((arguments[name],) if name in arguments else ()) + tuple(
        v for v in further if v is not None
    )
    return ExpectedArgument(
        name=name,
        accepted=values,
        closed=name in accepted,
        may_be_absent=name not in arguments or None in further,
        type=parameter.type if parameter else "string",
        required=parameter.required if parameter else False,
    )


def _check_arguments(
    arguments: Mapping[str, Json],
    accepted: Mapping[str, Sequence[Json]],
    tool: Tool,
    file: CaseFile,
    at: At,
) -> None:
    for parameter in tool.parameters:
        if parameter.required and parameter.name not in arguments:
            what = f"leaves out {parameter.name!r}, which {tool.name} requires"
            file.findings.add((*at, "function_call", "arguments"), what, "add the argument")
    for name in (*arguments, *accepted):
        if tool.parameter(name) is None:
            what = f"gives {name!r}, which {tool.name} does not have"
            file.findings.add(
                (*at, "function_call", "arguments"),
                what,
                "remove it, or add the parameter to the tool",
            )
    for name, value in arguments.items():
        found = tool.parameter(name)
        if found is not None and not _has_type(value, found.type):
            where = (*at, "function_call", "arguments", name)
            file.findings.add(
                where,
                f"is {value!r}, but {tool.name}.{name} is of type {found.type}",
                "correct the value",
            )


def _has_type(value: Json, declared: str) -> bool:
    types = _JSON_TYPES.get(declared)
    if types is None:
        return True
    return isinstance(value, types) and (bool in types or not isinstance(value, bool))


def read_call_match(file: CaseFile) -> tuple[Case, ...]:
    """Cases of kind `call_match`: accepted values per argument, parallel calls, or no call. Each may bring its own tools."""
    cases = []
    for index, record in _valid(MATCH_CASES, file):
        truth = record["ground_truth"]
        if truth["no_call"] == bool(truth["calls"]):
            file.findings.add(
                (index, "ground_truth"),
                "must expect either calls or no call",
                "set no_call, or list the calls",
            )
            continue
        calls = tuple(_match_call(call) for call in truth["calls"])
        tools = tuple(tool_from_record(tool) for tool in record.get("tools", ())) or file.tools
        cases.append(_case(record, file, GroundTruth(calls=calls), tools))
    return tuple(cases)


def _match_call(call: Mapping[str, Json]) -> ExpectedCall:
    return ExpectedCall(
        call["name"],
        tuple(
            ExpectedArgument(
                name=name,
                accepted=tuple(parameter["allowed"]),
                closed=True,
                may_be_absent="" in parameter["allowed"] and not parameter["required"],
                type=parameter["type"]
                or "null",  # a parameter the tool does not describe: giving it is a mistake
                items=parameter.get("items"),
                required=parameter["required"],
            )
            for name, parameter in call["parameters"].items()
        ),
    )


def read_tool_usage(file: CaseFile) -> tuple[Case, ...]:
    """Cases of kind `tool_usage`, as LangSmith has them. One without an id is named after its category and place, from 01."""
    cases = []
    for index, record in _valid(USAGE_CASES, file):
        asked = _either(record, ("inputs", "input"), file, index)
        truth = _either(record, ("outputs", "output"), file, index)
        if asked is None or truth is None:
            continue
        key, outputs = truth
        trajectory = _trajectory(outputs, file, (index, key))
        if trajectory is not None:
            case_id = record.get("id") or f"{file.category}_{index + 1:02}"
            cases.append(
                Case(
                    id=case_id,
                    category=file.category,
                    query=asked[1]["question"],
                    ground_truth=GroundTruth(trajectory=trajectory),
                    tools=file.tools,
                    record=record,
                    digest=digest_of({**record, "id": case_id}),
                )
            )
    return tuple(cases)


def _either(
    record: Mapping[str, Json], keys: tuple[str, str], file: CaseFile, index: int
) -> tuple[str, Mapping[str, Json]] | None:
    """The one of two keys that the record has, with its object. Both or none is a finding."""
    found = [key for key in keys if record.get(key) is not None]
    if len(found) == 1:
        return found[0], record[found[0]]
    what = f"has both {keys[0]!r} and {keys[1]!r}" if found else f"lacks {keys[0]!r}"
    file.findings.add(
        (index,),
        what,
        f'a case is {{"inputs": {{"question"}}, "outputs": {{...}}}}: give {keys[0]!r} once',
    )
    return None


def _trajectory(truth: Mapping[str, Json], file: CaseFile, at: At) -> Trajectory | None:
    before = len(file.findings.found)
    steps: Sequence[str] = truth["expected_steps"]
    alternatives: Sequence[Sequence[str]] = truth.get("alternatives") or ()
    _check_answer(truth, file, at)
    _check_steps(steps, file, (*at, "expected_steps"))
    for number, names in enumerate(alternatives):
        _check_steps(names, file, (*at, "alternatives", number))
    _check_calls(truth, file, at)
    if len(file.findings.found) > before:
        return None
    return Trajectory(
        paths=tuple(dict.fromkeys(tuple(names) for names in (steps, *alternatives))),
        order_matters=truth.get("order_matters") is not False,
        reference=truth.get("reference"),
        state=truth.get("state"),
        has_state=truth.get("state") is not None,
    )


def _check_answer(truth: Mapping[str, Json], file: CaseFile, at: At) -> None:
    reference = truth.get("reference")
    if isinstance(reference, bool) or not isinstance(reference, str | int | float | None):
        file.findings.add(
            (*at, "reference"),
            "is neither text nor a number",
            "write the right answer as one of the two",
        )
    elif truth.get("state") is None and not str("" if reference is None else reference).strip():
        what = "gives no reference: neither a right answer nor a final state"
        file.findings.add(at, what, "add `reference` (text or a number), or `state`")


def _check_steps(names: Sequence[str], file: CaseFile, at: At) -> None:
    """Where the suite lists its tools, a step that is none of them is a mistake."""
    known = {tool.name for tool in file.tools}
    for index, name in enumerate(names):
        if known and name not in known:
            what = f"names no tool of this suite: {name!r}"
            file.findings.add(
                (*at, index), what, "correct the name, or add the tool to the suite's tools"
            )


def read_stable_toolbench(file: CaseFile) -> tuple[Case, ...]:
    """Cases of kind `stable_toolbench`: queries in the upstream format, each with its own candidate APIs as tools."""
    cases = []
    for _, record in _valid(QUERY_CASES, file):
        cases.append(
            Case(
                id=str(record["query_id"]),
                category=file.category,
                query=record["query"],
                ground_truth=GroundTruth(apis=GoldApis(gold_pairs(record))),
                tools=tuple(api.as_tool() for api in definitions_of(record)),
                record=record,
                digest=digest_of(record),
            )
        )
    return tuple(cases)


def _check_calls(truth: Mapping[str, Json], file: CaseFile, at: At) -> None:
    """The steps may be told a second time, with arguments; then the names must be the same."""
    steps, calls = truth["expected_steps"], truth.get("expected_calls")
    if calls is not None and _names(calls) != steps:
        what = "names other tools than expected_steps"
        file.findings.add(
            (*at, "expected_calls"), what, "give one call for each expected step, in order"
        )
    others, paths = truth.get("alternative_calls"), truth.get("alternatives") or []
    if others is not None and [_names(path) for path in others] != paths:
        what = "names other tools than alternatives"
        file.findings.add(
            (*at, "alternative_calls"),
            what,
            "give one list of calls for each alternative, in order",
        )


def _names(calls: Sequence[Mapping[str, Json]]) -> list[str]:
    return [call["name"] for call in calls]


def _valid(
    schema: TypeAdapter[list[Json]], file: CaseFile
) -> Iterable[tuple[int, Mapping[str, Json]]]:
    """The records that fit the schema, with their positions; what does not fit is among the findings."""
    if not isinstance(file.document, list):
        file.findings.add((), "is not a list of cases", "write a JSON array")
        return
    bad = set()
    try:
        schema.validate_python(file.document)
    except ValidationError as error:
        bad = add_pydantic_errors(error, file.document, file.findings)
    yield from ((index, record) for index, record in enumerate(file.document) if index not in bad)


def _case(
    record: Mapping[str, Json], file: CaseFile, truth: GroundTruth, tools: tuple[Tool, ...]
) -> Case:
    return Case(
        id=record["id"],
        category=file.category,
        query=record["user_query"],
        ground_truth=truth,
        tools=tools,
        record=record,
        digest=digest_of(record),
    )
