"""Reads the questions and possible answers of BFCL as case records of kind `call_match`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.types import Json
from runners.imports.json_lines import JsonLine, LineReader

# The title and description of each category, in the column order of the published board.
CATEGORIES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "simple": ("Simple", "One tool, one call."),
        "multiple_function": ("Multiple", "Several tools, one of which is to be called once."),
        "parallel_function": ("Parallel", "One tool, to be called several times."),
        "parallel_multiple_function": ("Parallel multiple", "Several tools, several calls."),
        "relevance": ("Relevance", "No tool fits. Calling one is a mistake."),
    }
)
# In this category no call is right, so BFCL ships no possible answers for it.
NO_CALL: Final = "relevance"
ONE_CALL: Final = ("simple", "multiple_function")
FILE_PREFIX: Final = "gorilla_openfunctions_v1_test_"

# Where one tool is called several times, BFCL numbers the keys of the expected calls.
_CALL_NUMBER: Final = re.compile(r"[_ ]\d+$")


def read_categories(
    questions: Path, possible_answers: Path, reader: LineReader
) -> Mapping[str, Sequence[Json]]:
    """The cases of each category that has a file of questions, in the order of CATEGORIES.

    Adds everything that is wrong to `reader.problems`.
    """
    categories = {}
    for category in CATEGORIES:
        path = _find_file(questions, category)
        if path is not None:
            categories[category] = list(_read_cases(category, path, possible_answers, reader))
    if not categories:
        names = ", ".join(f"{category}.json" for category in CATEGORIES)
        fix = f"name a folder with {names}, or some of them"
        reader.report(questions, "contains no questions", fix)
    return categories


def _find_file(folder: Path, category: str) -> Path | None:
    """The category's file, under its short or its published name."""
    for name in (f"{category}.json", f"{FILE_PREFIX}{category}.json"):
        if (folder / name).is_file():
            return folder / name
    return None


def _read_cases(
    category: str, path: Path, possible_answers: Path, reader: LineReader
) -> Iterator[Json]:
    questions = reader.read(path)
    no_call = category == NO_CALL
    answers = {} if no_call else _read_answers(category, questions, possible_answers, reader)
    for question in questions:
        tools = _read_tools(question, reader)
        answer = answers.get(question.id)
        if tools is None or (answer is None and not no_call):
            continue  # The problem is already reported.
        calls = [] if answer is None else list(_expected_calls(category, tools, answer, reader))
        yield {
            "id": question.id,
            "type": category,
            "user_query": question.value["question"],
            "tools": tools,
            "ground_truth": {"no_call": no_call, "calls": calls},
        }


def _read_answers(
    category: str, questions: Sequence[JsonLine], folder: Path, reader: LineReader
) -> dict[str, JsonLine]:
    path = _find_file(folder, category)
    if path is None:
        what = f"contains no possible answers for {category}"
        reader.report(folder, what, f"add {category}.json")
        return {}
    answers = {line.id: line for line in reader.read(path)}
    for line in questions:
        if line.id not in answers:
            what = f"asks {line.id}, which has no possible answer"
            reader.problems.append(line.problem(what, f"add it to {reader.shown(path)}"))
    asked = {line.id for line in questions}
    for line in answers.values():
        if line.id not in asked:
            what = f"answers {line.id}, which has no question"
            fix = "take questions and possible answers from the same version"
            reader.problems.append(line.problem(what, fix))
    return answers


def _read_tools(question: JsonLine, reader: LineReader) -> list[dict[str, Json]] | None:
    """The tools of a question: `function` is one doc or a list. Reports a bad one as None."""
    given: Json = question.value.get("function")
    docs = given if isinstance(given, list) else [given]
    wrong = ""
    if not isinstance(question.value.get("question"), str):
        wrong = "has no question text"
    elif not docs or not all(_is_function_doc(doc) for doc in docs):
        wrong = "has a function doc without a name or without parameters"
    elif len({doc["name"] for doc in docs}) < len(docs):
        wrong = "offers two functions of the same name"
    if wrong:
        fix = 'write a question as {"id", "question": text, "function": doc or [docs]}'
        reader.problems.append(question.problem(f"{question.id} {wrong}", fix))
        return None
    return [
        {
            "name": doc["name"],
            "description": doc.get("description", ""),
            "parameters": doc["parameters"],
        }
        for doc in docs
    ]


def _is_function_doc(doc: Json) -> bool:
    if not isinstance(doc, dict) or not isinstance(doc.get("parameters"), dict):
        return False
    properties = doc["parameters"].get("properties", {})
    return (
        isinstance(doc.get("name"), str)
        and isinstance(doc.get("description", ""), str)
        and isinstance(properties, dict)
        and all(isinstance(declared, dict) for declared in properties.values())
        and isinstance(doc["parameters"].get("required", []), list)
    )


def _expected_calls(
    category: str, tools: Sequence[Mapping[str, Json]], answer: JsonLine, reader: LineReader
) -> Iterator[Json]:
    """The expected calls: an object of calls by tool name, or a list of such objects."""
    given: Json = answer.value.get("ground_truth")
    objects = given if isinstance(given, list) else [given]
    if not objects or not all(isinstance(item, dict) for item in objects):
        _report_unreadable(answer, reader)
        return
    expected = [(key, allowed) for item in objects for key, allowed in item.items()]
    if category in ONE_CALL and len(expected) != 1:
        what = f"{answer.id} expects {len(expected)} calls, and a case of {category} has one"
        reader.problems.append(answer.problem(what, "keep one", at="$.ground_truth"))
        return
    for key, allowed in expected:
        # A simple case has one tool. Its name counts, even if the key spells it differently.
        tool = tools[0] if category == "simple" else _tool_of_key(key, tools)
        if _is_allowed_values(allowed):
            yield _expected_call(tool, allowed)
        elif tool is None:
            # A stray key is no call. No response can match it, as in the published verdicts.
            yield _expected_call(None, {})
        else:
            _report_unreadable(answer, reader)


def _report_unreadable(answer: JsonLine, reader: LineReader) -> None:
    what = f"{answer.id} has a ground truth that cannot be read"
    fix = "write {name: {parameter: [allowed values]}}, or a list of such objects"
    reader.problems.append(answer.problem(what, fix, at="$.ground_truth"))


def _is_allowed_values(allowed: Json) -> bool:
    return isinstance(allowed, dict) and all(
        isinstance(values, list) for values in allowed.values()
    )


def _tool_of_key(key: str, tools: Sequence[Json]) -> Json:
    """The tool that a key names, with or without the number at its end; None if not offered."""
    by_name = {tool["name"]: tool for tool in tools}
    return by_name.get(key) or by_name.get(_CALL_NUMBER.sub("", key))


def _expected_call(tool: Json, allowed: Mapping[str, Sequence[Json]]) -> Json:
    """An expected call. Its name is null if the tool is not offered: no response can match it.

    A parameter that the tool does not declare gets a null type. A required parameter that the
    possible answer does not list gets no allowed value, so no value is right.
    """
    schema = tool["parameters"] if tool else {}
    declared, required = schema.get("properties", {}), schema.get("required", [])
    values = dict(allowed)
    for name in required:
        if name in declared:
            values.setdefault(name, [])
    parameters = {}
    for name, accepted in values.items():
        parameter = _declared_type(declared.get(name) or {})
        parameters[name] = {**parameter, "required": name in required, "allowed": list(accepted)}
    return {"name": tool["name"] if tool else None, "parameters": parameters}


def _declared_type(declared: Mapping[str, Json]) -> dict[str, Json]:
    kind, items = declared.get("type"), declared.get("items")
    found: dict[str, Json] = {"type": kind if isinstance(kind, str) else None}
    items_type = items.get("type") if isinstance(items, dict) else None
    if kind in ("array", "tuple") and isinstance(items_type, str):
        found["items"] = items_type
    return found
