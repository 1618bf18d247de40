"""Cases from the Berkeley Function Calling Leaderboard's questions and possible answers, as records of kind `call_match`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import Problem
from leaderboard.types import Json
from runners.imports.json_lines import Line, LineReader

# The order of the board's columns. `relevance` has no possible answers: no call is right there.
CATEGORIES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "simple": ("Simple", "One tool, one call."),
        "multiple_function": ("Multiple", "Several tools, one of which is to be called once."),
        "parallel_function": ("Parallel", "One tool, to be called several times."),
        "parallel_multiple_function": ("Parallel multiple", "Several tools, several calls."),
        "relevance": ("Relevance", "No tool fits. Calling one is a mistake."),
    }
)
NO_CALL: Final = "relevance"
ONE_CALL: Final = ("simple", "multiple_function")
FILE_PREFIX: Final = "gorilla_openfunctions_v1_test_"

# Where a tool is called more than once, the keys of its expected calls are told apart by a number.
_NUMBERED: Final = re.compile(r"[_ ]\d+$")


@dataclass(frozen=True, slots=True)
class ImportedCategory:
    """A category that was found, with its cases as records."""

    id: str
    cases: tuple[Json, ...]

    @property
    def title(self) -> str:
        return CATEGORIES[self.id][0]

    @property
    def description(self) -> str:
        return CATEGORIES[self.id][1]


def read_categories(
    questions: Path, possible_answers: Path, reader: LineReader
) -> tuple[ImportedCategory, ...]:
    """The categories that have a questions file, in the order of CATEGORIES. What is wrong goes to `reader.problems`."""
    files = {category: path for category in CATEGORIES if (path := _file(questions, category))}
    if not files:
        fix = (
            f"it holds {', '.join(f'{category}.json' for category in CATEGORIES)}, or some of them"
        )
        reader.problems.append(Problem(reader.shown(questions), "holds no questions", fix))
    return tuple(
        ImportedCategory(category, tuple(_cases(category, path, possible_answers, reader)))
        for category, path in files.items()
    )


def _file(folder: Path, category: str) -> Path | None:
    """The category's file under either of the names in use."""
    names = (f"{category}.json", f"{FILE_PREFIX}{category}.json")
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _cases(category: str, path: Path, possible_answers: Path, reader: LineReader) -> Iterator[Json]:
    questions = reader.read(path)
    answers = {} if category == NO_CALL else _answers(category, questions, possible_answers, reader)
    for question in questions:
        tools = _tools(question, reader)
        if tools is None:
            continue
        answer = answers.get(question.id)
        if category != NO_CALL and answer is None:
            continue  # reported already
        calls = list(_calls(category, tools, answer, reader)) if answer else []
        yield {
            "id": question.id,
            "type": category,
            "user_query": question.value["question"],
            "tools": tools,
            "ground_truth": {"no_call": category == NO_CALL, "calls": calls},
        }


def _answers(
    category: str, questions: Sequence[Line], folder: Path, reader: LineReader
) -> dict[str, Line]:
    path = _file(folder, category)
    if path is None:
        shown = reader.shown(folder)
        reader.problems.append(
            Problem(shown, f"holds no possible answers for {category}", f"add {category}.json")
        )
        return {}
    answers = {line.id: line for line in reader.read(path)}
    asked = {line.id for line in questions}
    for line in questions:
        if line.id not in answers:
            fix = f"add it to {reader.shown(path)}"
            reader.problems.append(
                line.problem(f"asks {line.id}, which has no possible answer", fix)
            )
    for line in answers.values():
        if line.id not in asked:
            fix = "questions and possible answers belong together: take both from the same version"
            reader.problems.append(line.problem(f"answers {line.id}, which is not asked", fix))
    return answers


def _tools(question: Line, reader: LineReader) -> list[dict[str, Json]] | None:
    """The tools of a question, from `function`: one doc or a list of docs. None, and a problem, when they cannot be read."""
    given: Json = question.value.get("function")
    docs = given if isinstance(given, list) else [given]
    wrong = ""
    if not isinstance(question.value.get("question"), str):
        wrong = "has no question text"
    elif not docs or not all(_is_doc(doc) for doc in docs):
        wrong = "has a function doc without a name or without parameters"
    elif len({doc["name"] for doc in docs}) < len(docs):
        wrong = "offers two functions of the same name"
    if wrong:
        fix = 'a question is {"id", "question": text, "function": doc or [docs]}'
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


def _is_doc(doc: Json) -> bool:
    if (
        not isinstance(doc, dict)
        or not isinstance(doc.get("name"), str)
        or not isinstance(doc.get("description", ""), str)
    ):
        return False
    return _is_schema(doc.get("parameters"))


def _is_schema(parameters: Json) -> bool:
    if not isinstance(parameters, dict):
        return False
    properties, required = parameters.get("properties", {}), parameters.get("required", [])
    return (
        isinstance(properties, dict)
        and all(isinstance(inner, dict) for inner in properties.values())
        and isinstance(required, list)
    )


def _calls(
    category: str, tools: Sequence[Mapping[str, Json]], answer: Line, reader: LineReader
) -> Iterator[Json]:
    """The expected calls: an object of calls by name, or a list of such objects."""
    given: Json = answer.value.get("ground_truth")
    objects = given if isinstance(given, list) else [given]
    if not objects or not all(isinstance(item, dict) for item in objects):
        reader.problems.append(_unreadable(answer))
        return
    expected = [(key, parameters) for item in objects for key, parameters in item.items()]
    if category in ONE_CALL and len(expected) != 1:
        what = f"{answer.id} expects {len(expected)} calls, and a case of {category} has one"
        reader.problems.append(answer.problem(what, "keep one", at="$.ground_truth"))
        return
    for key, parameters in expected:
        # A simple case offers one tool; where its key is spelled otherwise, the tool's own name is the one that counts.
        tool = tools[0] if category == "simple" else _called(key, tools)
        if _is_allowed(parameters):
            yield expected_call(tool, parameters)
        elif tool is None:
            yield expected_call(
                None, {}
            )  # no call at all: a stray key, and in the published verdicts nothing meets it
        else:
            reader.problems.append(_unreadable(answer))


def _unreadable(answer: Line) -> Problem:
    fix = "a possible answer is {name: {parameter: [allowed values]}}, or a list of such objects"
    return answer.problem(
        f"{answer.id} has a ground truth that cannot be read", fix, at="$.ground_truth"
    )


def _is_allowed(parameters: Json) -> bool:
    return isinstance(parameters, dict) and all(
        isinstance(allowed, list) for allowed in parameters.values()
    )


def _called(key: str, tools: Sequence[Json]) -> Json:
    """The tool that an expected key means: by its name, else without the number at the end; None when it is not offered."""
    by_name = {tool["name"]: tool for tool in tools}
    return by_name.get(key) or by_name.get(_NUMBERED.sub("", key))


def expected_call(tool: Json, allowed: Mapping[str, Sequence[Json]]) -> Json:
    """An expected call of the ground truth; its name is null when the tool is not offered, and nothing can meet it then.

    A parameter that the tool does not have keeps a null type. One that the tool requires and the possible answer does not list
    has no allowed value: it must be given, and no value is right.
    """
    schema = tool["parameters"] if tool else {}
    properties, required = schema.get("properties", {}), schema.get("required", [])
    listed = {
        **allowed,
        **{name: [] for name in required if name in properties and name not in allowed},
    }
    return {
        "name": tool["name"] if tool else None,
        "parameters": {
            name: _parameter(properties.get(name), values, required=name in required)
            for name, values in listed.items()
        },
    }


def _parameter(declared: Json, allowed: Sequence[Json], *, required: bool) -> Json:
    kind = declared.get("type") if declared else None
    parameter: dict[str, Json] = {"type": kind if isinstance(kind, str) else None}
    items = declared.get("items") if declared else None
    if (
        kind in ("array", "tuple")
        and isinstance(items, Mapping)
        and isinstance(items.get("type"), str)
    ):
        parameter["items"] = items["type"]
    return {**parameter, "required": required, "allowed": list(allowed)}
