"""Cases of kind `tool_selection`, in both dataset dialects of the tool-selection tester."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.fact_reader import KEYS, read_facts
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.files.json_files import At
from leaderboard.types import Case, ExpectedArgument, ExpectedCall, GroundTruth, Json, Tool

# The tester calls the category `no_tool` by these names too.
_CATEGORY_ALIASES: Final = {"text_response": "no_tool", "no_tools": "no_tool"}

_JSON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@with_config(OPEN)
class FunctionCallRecord(TypedDict):
    """An expected call.

    - `name`: the name of the tool.
    - `arguments`: the value of each argument, by its name.
    """

    name: str
    arguments: NotRequired[dict[str, Any] | None]


@with_config(OPEN)
class SelectionTruth(TypedDict):
    """What is right: a call, or a text. What the text must state is given as facts (lb docs facts).

    - `function_call`: the expected call; null where a text is expected.
    - `text`: a right answer in words, which a judge compares with what was answered.
    - `no_function_call`: a mark of the tester's files for cases without a call. It decides nothing.
    - `expected_response_type`: whether a call or a text is right. Without it, a call if there is
      one.
    - `accepted`: the accepted values of arguments, beside those of the call. Then no other value is
      right, and no judge is asked. Null in a list means that the argument may be left out.
    - `results`: the results of arguments that hold a calculation. A formula with this result is
      right, and one with another result is wrong. Other texts are compared as usual.
    """

    function_call: NotRequired[FunctionCallRecord | None]
    text: NotRequired[str | None]
    no_function_call: NotRequired[bool]
    expected_response_type: NotRequired[Literal["function_call", "text"]]
    accepted: NotRequired[dict[str, list[Any]]]
    results: NotRequired[dict[str, int | float]]


@with_config(OPEN)
class SelectionCase(TypedDict):
    """One case.

    - `id`: the name of the case, unique in its suite.
    - `type`: the category. Only files that several categories share need it.
    - `user_query`: what the user asks.
    - `ground_truth`: the right call or text.
    """

    id: CaseId
    type: NotRequired[str]
    user_query: AnswerText
    ground_truth: SelectionTruth


CASES: Final = TypeAdapter(list[SelectionCase], config=DEFERRED)


def read_tool_selection(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category, in either dialect."""
    cases = []
    beside = {_named(category) for category in file.beside}
    for index, record in file.valid_records(CASES):
        category = record.get("type", file.category)
        if _named(category) == _named(file.category):
            truth = _ground_truth(record["ground_truth"], file, (index, "ground_truth"))
            _warn_of_keys(record, file, index)
            if truth is not None:
                cases.append(file.case(record, truth))
        elif not file.shared:
            what = f"has type {category!r} in the file of category {file.category!r}"
            file.findings.add((index, "type"), what, "move the record, or correct its type")
        elif file.beside[:1] == (file.category,) and _named(category) not in beside:
            # The first category reports what belongs to none of them.
            what, fix = f"has the unknown type {category!r}", f"types: {', '.join(file.beside)}"
            file.findings.add((index, "type"), what, fix)
    return tuple(cases)


def _warn_of_keys(record: SelectionCase, file: CategoryCases, index: int) -> None:
    truth = record["ground_truth"]
    known = (*SelectionTruth.__annotations__, *KEYS)
    file.warn_of_case_keys(record, "tool_selection", SelectionCase.__annotations__, index)
    at: At = (index, "ground_truth")
    file.warn_of_call_keys(truth, "tool_selection", known, "function_call", at)
    if call := truth.get("function_call"):
        at = (index, "ground_truth", "function_call")
        file.warn_of_misspelt(call, FunctionCallRecord.__annotations__, at)


def _named(category: str) -> str:
    """The category, where the tester has several names for it."""
    return _CATEGORY_ALIASES.get(category, category)


def _ground_truth(truth: SelectionTruth, file: CategoryCases, at: At) -> GroundTruth | None:
    call, text = truth.get("function_call"), truth.get("text")
    expected = "text" if call is None else "function_call"
    expected = truth.get("expected_response_type") or expected
    if expected == "function_call":
        if call is None:
            fix = "add function_call, or expected_response_type text"
            file.findings.add(at, "expects a function call and gives none", fix)
            return None
        if text is not None and "expected_response_type" not in truth:
            what = "has function_call and text, of which one must be right"
            file.findings.add(at, what, "remove one, or add expected_response_type")
        return GroundTruth(calls=(_expected_call(call, truth, file, at),))
    if text is None or not text.strip():
        fix = "add the text of a right answer, or function_call"
        file.findings.add(at, "expects text and gives none", fix)
        return None
    return GroundTruth(text=text, facts=read_facts(truth, file.findings, at))


def _expected_call(
    call: FunctionCallRecord, truth: SelectionTruth, file: CategoryCases, at: At
) -> ExpectedCall:
    given = call.get("arguments") or {}
    accepted = truth.get("accepted", {})
    results = truth.get("results", {})
    tool = next((tool for tool in file.tools if tool.name == call["name"]), None)
    if tool is None:
        what = f"names a tool that is not in this suite: {call['name']!r}"
        fix = f"one of: {', '.join(tool.name for tool in file.tools)}"
        file.findings.add((*at, "function_call", "name"), what, fix)
        return ExpectedCall(call["name"], ())

    _check_arguments(given, tool, file, (*at, "function_call", "arguments"))
    _check_names(accepted, tool, file, (*at, "accepted"))
    for name in results:
        if not isinstance(given.get(name), str):
            what = f"gives a result for {name!r}, which is no text of the call"
            fix = "remove it, or write the calculation as text in function_call.arguments"
            file.findings.add((*at, "results"), what, fix)
    arguments = []
    for name in dict.fromkeys((*given, *accepted)):
        parameter = tool.parameter(name)
        values = [given[name]] if name in given else []
        values += [value for value in accepted.get(name, ()) if value is not None]
        arguments.append(
            ExpectedArgument(
                name=name,
                accepted=tuple(values),
                closed=name in accepted,
                # null in the list of accepted values: the argument can be left out.
                may_be_absent=name not in given or None in accepted.get(name, ()),
                type=parameter.type if parameter else "string",
                required=parameter.required if parameter else False,
                result=results.get(name),
            )
        )
    return ExpectedCall(tool.name, tuple(arguments))


def _check_arguments(
    arguments: Mapping[str, Json], tool: Tool, file: CategoryCases, at: At
) -> None:
    for parameter in tool.parameters:
        if parameter.required and parameter.name not in arguments:
            what = f"leaves out {parameter.name!r}, which {tool.name} requires"
            file.findings.add(at, what, "add the argument")
    _check_names(arguments, tool, file, at)
    for name, value in arguments.items():
        found = tool.parameter(name)
        if found is not None and not _has_type(value, found.type):
            what = f"is {value!r}, but {tool.name}.{name} is of type {found.type}"
            file.findings.add((*at, name), what, "correct the value")


def _check_names(names: Iterable[str], tool: Tool, file: CategoryCases, at: At) -> None:
    for name in names:
        if tool.parameter(name) is None:
            what = f"gives {name!r}, which {tool.name} does not have"
            file.findings.add(at, what, "remove it, or add the parameter to the tool")


def _has_type(value: Json, declared: str) -> bool:
    types = _JSON_TYPES.get(declared)
    if types is None:
        return True
    # Python counts True as an integer, JSON does not.
    return isinstance(value, types) and (bool in types or not isinstance(value, bool))
