"""The data of the suite `tool_selection`: well formed, complete, answerable.

These tests read the raw files, so they do not depend on the loader.
"""

from __future__ import annotations

import calendar
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, time
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import shipped
from tests.each_row import each_row

SUITE = shipped("datasets/tool_selection")
LEAST = {"tool_selection": 130, "clarifying": 70, "error": 68, "no_tool": 68, "not_supported": 68}
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
}
DATES = {
    ("book_hotel", "check_in_date"),
    ("book_hotel", "check_out_date"),
    ("get_calendar_events", "date"),
    ("get_sun_times", "date"),
    ("log_expense", "date"),
    ("create_invoice", "due_date"),
    ("book_meeting_room", "date"),
}
TIMES = {("book_meeting_room", "start_time"), ("book_meeting_room", "end_time")}

Record = dict[str, Any]


def read(name: str) -> Any:
    """One JSON file of the suite; a repeated key is an error."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
        assert not repeated, f"{name}: repeated keys {repeated}"
        return dict(pairs)

    return json.loads((SUITE / name).read_text(encoding="utf-8"), object_pairs_hook=unique)


def has_type(value: Any, declared: str) -> bool:
    """Whether a JSON value is of a declared parameter type; true and false are not numbers."""
    if isinstance(value, bool) and declared != "boolean":
        return False
    return isinstance(value, TYPES[declared])


def parameters_of(tool: Record) -> list[Record]:
    """The parameters of a tool, of which newer ones are described by a JSON Schema."""
    declared = tool["parameters"]
    if isinstance(declared, list):
        return declared
    assert set(declared) == {"type", "properties", "required"}
    assert set(declared["required"]) <= set(declared["properties"])
    return [
        {"name": name, "required": name in declared["required"], **schema}
        for name, schema in declared["properties"].items()
    ]


def fits(value: Any, schema: Record) -> bool:
    """Whether a value keeps to a schema: type, enum, limits, items and properties."""
    if schema["type"] == "object":
        inner = schema["properties"]
        return set(schema["required"]) <= set(value) <= set(inner) and all(
            fits(member, inner[name]) for name, member in value.items()
        )
    if not has_type(value, schema["type"]):
        return False
    if schema["type"] == "array":
        return all(fits(member, schema["items"]) for member in value)
    if value not in schema.get("enum", [value]):
        return False
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    return bool(schema["type"] != "integer" or low <= value <= high)


def alike(value: Any) -> tuple[str, str]:
    """A value in a form that ignores case, blanks and kinds of numbers."""
    if value is None:
        return ("null", "")
    if isinstance(value, list | bool):
        return ("json", json.dumps(value, sort_keys=True).casefold())
    try:
        return ("number", repr(float(value)))
    except ValueError:
        return ("text", " ".join(value.split()).casefold())


CASES: dict[str, list[Record]] = {category: read(f"{category}.json") for category in LEAST}
TOOLS: list[Record] = read("tools.json")
PARAMETERS: dict[str, dict[str, Record]] = {
    t["name"]: {p["name"]: p for p in parameters_of(t)} for t in TOOLS
}
CALL_CASES = CASES["tool_selection"]
TEXT_CASES = [
    case for category, cases in CASES.items() if category != "tool_selection" for case in cases
]
EVERY_CASE = CALL_CASES + TEXT_CASES


def call(case: Record) -> tuple[str, dict[str, Any]]:
    """Name and arguments of the expected call."""
    expected = case["ground_truth"]["function_call"]
    return expected["name"], expected["arguments"]


def accepted(case: Record) -> dict[str, list[Any]]:
    """The further values of a case, by argument."""
    lists: dict[str, list[Any]] = case["ground_truth"].get("accepted", {})
    return lists


def ids(case: Record) -> str:
    return str(case["id"])


calls = each_row("case", CALL_CASES)
texts = each_row("case", TEXT_CASES)


def test_suite_file_lists_every_category() -> None:
    """suite.toml names the tools, and the five categories in order, with files and prompts."""
    suite = tomllib.loads((SUITE / "suite.toml").read_text(encoding="utf-8"))
    assert (suite["schema"], suite["kind"], suite["tools"]) == (1, "tool_selection", "tools.json")
    assert suite["optional_arguments"] == "strict"
    order = ["tool_selection", "clarifying", "error", "no_tool", "not_supported"]
    assert [c["id"] for c in suite["categories"]] == order
    for category in suite["categories"]:
        assert (category["file"], category["prompt"], category["weight"]) == (
            f"{category['id']}.json",
            category["id"],
            1,
        )
        assert category["title"].strip()
        assert category["description"].strip()


def test_folder_holds_the_named_files_only() -> None:
    """Every file of the suite is one that suite.toml names, or a label."""
    assert {p.name for p in SUITE.iterdir()} == {
        "labels",
        "suite.toml",
        "tools.json",
        *(f"{category}.json" for category in LEAST),
    }


@each_row("path", sorted(SUITE.glob("*.*")))
def test_files_are_plain_utf8(path: Path) -> None:
    """Files are UTF-8 without a byte order mark or carriage returns, and end in one newline."""
    raw = path.read_bytes()
    raw.decode("utf-8")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert raw.endswith(b"\n")
    assert not raw.endswith(b"\n\n")


@each_row("name", ["tools.json", *(f"{category}.json" for category in LEAST)])
def test_json_is_laid_out_in_one_way(name: str) -> None:
    """Data files are indented by two blanks and keep letters as letters, for small diffs."""
    assert (SUITE / name).read_text(encoding="utf-8") == json.dumps(
        read(name), indent=2, ensure_ascii=False
    ) + "\n"


def test_tools_are_complete() -> None:
    """There are 24 tools with different names; all parameters are described and typed."""
    assert len(TOOLS) == len(PARAMETERS) == 24
    for tool in TOOLS:
        assert set(tool) == {"name", "description", "parameters"}
        assert tool["description"].strip()
        assert len(PARAMETERS[tool["name"]]) == len(parameters_of(tool)) > 0
        for parameter in parameters_of(tool):
            assert set(parameter) >= {"name", "type", "description", "required"}
            assert ("items" in parameter) == (parameter["type"] == "array")
            assert parameter["type"] in TYPES
            assert isinstance(parameter["required"], bool)
            assert parameter["description"].strip()


@pytest.mark.parametrize("category", LEAST)
def test_records_have_their_category_and_fields(category: str) -> None:
    """Each record has the four fields of the format, its category as type, and a trimmed query."""
    for case in CASES[category]:
        assert set(case) == {"id", "type", "user_query", "ground_truth"}, case["id"]
        assert case["type"] == category, case["id"]
        assert case["user_query"] == case["user_query"].strip() != "", case["id"]


@pytest.mark.parametrize("category", LEAST)
def test_categories_are_large_enough(category: str) -> None:
    """A category has enough cases for its score to mean something."""
    assert len(CASES[category]) >= LEAST[category]


def test_queries_are_different() -> None:
    """No query occurs twice in the suite, letter case and blanks aside."""
    count = Counter(alike(case["user_query"]) for case in EVERY_CASE)
    assert [query for query, n in count.items() if n > 1] == []


def test_every_tool_is_asked_for() -> None:
    """Each tool is the right one in at least four cases."""
    count = Counter(call(case)[0] for case in CALL_CASES)
    assert {name: count[name] for name in PARAMETERS if count[name] < 4} == {}


@calls
def test_expected_call_fits_its_tool(case: Record) -> None:
    """An expected call has all required arguments, no unknown one, and values of the right type."""
    assert set(case["ground_truth"]) <= {
        "function_call",
        "text",
        "expected_response_type",
        "accepted",
        "results",
    }
    assert case["ground_truth"]["expected_response_type"] == "function_call"
    assert case["ground_truth"]["text"] is None
    name, arguments = call(case)
    parameters = PARAMETERS[name]
    assert {p for p in parameters if parameters[p]["required"]} <= set(arguments) <= set(parameters)
    for argument, value in arguments.items():
        assert fits(value, parameters[argument]), argument
        assert value not in ("", []), argument


@calls
def test_dates_are_real(case: Record) -> None:
    """Dates and times in ISO form exist, and a hotel stay ends after it begins."""
    name, arguments = call(case)
    for argument, value in arguments.items():
        if (name, argument) in DATES:
            assert date.fromisoformat(value).isoformat() == value
        if (name, argument) in TIMES:
            assert time.fromisoformat(value).isoformat(timespec="minutes") == value
        if (name, argument) == ("set_reminder", "datetime"):
            assert datetime.fromisoformat(value).isoformat(timespec="minutes") == value
    if name == "book_hotel":
        assert arguments["check_in_date"] < arguments["check_out_date"]
        assert arguments.get("guests", 1) >= 1
    if name == "book_meeting_room":
        assert arguments["start_time"] < arguments["end_time"]
    if name == "pick_at_random":
        assert arguments.get("count", 1) < len(arguments["options"])


@calls
def test_accepted_values_fit_their_parameter(case: Record) -> None:
    """Accepted lists name parameters of the tool, hold values of its type, and repeat nothing.

    Null stands for leaving an optional argument out. An empty list accepts the expected value only.
    """
    name, arguments = call(case)
    assert "accepted" not in case["ground_truth"] or accepted(case)
    for argument, values in accepted(case).items():
        parameter = PARAMETERS[name][argument]
        assert values or argument in arguments, argument
        for value in values:
            assert has_type(value, parameter["type"]) or (
                value is None and not parameter["required"]
            ), (argument, value)
            assert parameter["type"] != "array" or fits(value, parameter), (argument, value)
        given = [arguments[argument]] if argument in arguments else []
        count = Counter(alike(value) for value in given + values)
        assert [value for value, n in count.items() if n > 1] == [], argument


FACTS = {"facts", "asks", "may_ask", "told", "guesses", "fault", "refuses", "order", "pairs"}


@texts
def test_text_case_has_a_text(case: Record) -> None:
    """A text case has a text, different from the query, and no call."""
    truth = case["ground_truth"]
    assert {*truth} - FACTS == {"function_call", "text", "expected_response_type"}
    assert truth["function_call"] is None
    assert truth["expected_response_type"] == "text"
    assert truth["text"]
    assert truth["text"] == truth["text"].strip()
    assert alike(truth["text"]) != alike(case["user_query"])


def test_clarifying_texts_are_questions() -> None:
    """The expected text of a clarifying case asks something."""
    assert [
        case["id"] for case in CASES["clarifying"] if not case["ground_truth"]["text"].endswith("?")
    ] == []


@pytest.mark.large
def test_no_two_queries_are_nearly_the_same() -> None:
    """No two queries of the suite share more than 60 % of their words."""
    words = {c["id"]: set(re.findall(r"\w+", c["user_query"].lower())) for c in EVERY_CASE}
    assert [
        (one, other)
        for one, other in combinations(words, 2)
        if len(words[one] & words[other]) > 0.6 * len(words[one] | words[other])
    ] == []


def test_weekdays_belong_to_their_dates() -> None:
    """A weekday in front of a date is right, but for the error cases that are about it."""
    wrong = []
    for case in EVERY_CASE:
        for found in re.finditer(r"([A-Z]\w+day), (\d+ [A-Z]\w+ \d{4})", case["user_query"]):
            day = datetime.strptime(found[2], "%d %B %Y")  # noqa: DTZ007 - a day, not a moment
            if calendar.day_name[day.weekday()] != found[1]:
                wrong.append(case["type"])
    assert wrong == ["error", "error"]


def kind_of_fault(fault: Record) -> tuple[str, str]:
    """The type of a fault, with what tells its reasons apart."""
    count = float(fault.get("count", 0))
    reason = "fraction" if count % 1 else "negative" if count < 0 else "zero"
    return fault["type"], fault["label"] if fault["type"] == "other" else reason


def test_no_missing_parameter_and_no_kind_of_fault_is_frequent() -> None:
    """One question, or one kind of fault, is right in at most a tenth of its category."""
    asked = Counter(tuple(sorted(case["ground_truth"]["asks"])) for case in CASES["clarifying"])
    faults = Counter(kind_of_fault(case["ground_truth"]["fault"]) for case in CASES["error"])
    for count in (asked, faults):
        assert [kind for kind, n in count.items() if n > count.total() / 10] == []


def test_calls_cover_what_can_differ() -> None:
    """Cases give and leave out every optional argument, and use whole and decimal numbers."""
    for name, parameters in PARAMETERS.items():
        of_tool = [call(case)[1] for case in CALL_CASES if call(case)[0] == name]
        for optional in (p for p in parameters if not parameters[p]["required"]):
            given = sum(optional in arguments for arguments in of_tool)
            assert given >= 2, (name, optional)
            assert len(of_tool) - given >= 2, (name, optional)
    values = [v for case in CALL_CASES for v in call(case)[1].values()]
    assert sum(isinstance(v, list) for v in values) >= 20
    assert {True, False} == {v for v in values if isinstance(v, bool)}
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    assert sum(isinstance(v, int) for v in numbers) >= 6
    assert sum(isinstance(v, float) and not v.is_integer() for v in numbers) >= 4
    with_list = sum(bool(accepted(case)) for case in CALL_CASES)
    assert with_list >= 40
    assert len(CALL_CASES) - with_list >= 10
    assert sum(None in values for case in CALL_CASES for values in accepted(case).values()) >= 2


def test_no_query_is_the_testers(real_files: Callable[[str], Path]) -> None:
    """No query shares more than 60 % of its words with one of the tool-selection tester."""
    given = json.loads((real_files("tester") / "datasets/test_dataset.json").read_bytes())
    theirs = [set(re.findall(r"\w+", case["user_query"].lower())) for case in _cases_in(given)]
    assert len(theirs) >= 40
    near = []
    for case in EVERY_CASE:
        ours = set(re.findall(r"\w+", case["user_query"].lower()))
        if any(len(ours & other) > 0.6 * len(ours | other) for other in theirs):
            near.append(case["id"])
    assert near == []


def _cases_in(value: Any) -> list[Record]:
    """Every object with a query, however deep."""
    if isinstance(value, list):
        return [case for item in value for case in _cases_in(item)]
    if not isinstance(value, dict):
        return []
    inside = [case for item in value.values() for case in _cases_in(item)]
    return [value, *inside] if isinstance(value.get("user_query"), str) else inside
