"""Reads the questions and possible answers of BFCL as case records of kind `call_match`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from leaderboard.types import Json, Language
from runners.imports.json_lines import JsonLine, LineReader


class BfclCategory(NamedTuple):
    """A category of BFCL. `expects` says how many calls of a case are right."""

    title: str
    description: str
    expects: Literal["one call", "calls", "any call", "no call"]
    language: Language | None = None


_ONE_TOOL: Final = "One tool, one call."
_SEVERAL_TOOLS: Final = "Several tools, one of which is to be called once."
_SEVERAL_CALLS: Final = "One tool, to be called several times."
_BOTH: Final = "Several tools, several calls."
_NO_FIT: Final = "No tool fits. Calling one is a mistake."
_JAVA: Final = "One call; the values are written as Java."
_JAVASCRIPT: Final = "One call; the values are written as JavaScript."
_ANY: Final = "A tool fits. Any call is right."

# In the order of the board. Some categories have another name in another version.
CATEGORIES: Final[Mapping[str, BfclCategory]] = {
    "simple": BfclCategory("Simple", _ONE_TOOL, "one call"),
    "simple_python": BfclCategory("Simple, Python", _ONE_TOOL, "one call"),
    "java": BfclCategory("Simple, Java", _JAVA, "one call", "java"),
    "simple_java": BfclCategory("Simple, Java", _JAVA, "one call", "java"),
    "javascript": BfclCategory("Simple, JavaScript", _JAVASCRIPT, "one call", "javascript"),
    "simple_javascript": BfclCategory("Simple, JavaScript", _JAVASCRIPT, "one call", "javascript"),
    "multiple_function": BfclCategory("Multiple", _SEVERAL_TOOLS, "one call"),
    "multiple": BfclCategory("Multiple", _SEVERAL_TOOLS, "one call"),
    "parallel_function": BfclCategory("Parallel", _SEVERAL_CALLS, "calls"),
    "parallel": BfclCategory("Parallel", _SEVERAL_CALLS, "calls"),
    "parallel_multiple_function": BfclCategory("Parallel multiple", _BOTH, "calls"),
    "parallel_multiple": BfclCategory("Parallel multiple", _BOTH, "calls"),
    "relevance": BfclCategory("Relevance", _NO_FIT, "no call"),
    "irrelevance": BfclCategory("Irrelevance", _NO_FIT, "no call"),
    "live_simple": BfclCategory("Live simple", _ONE_TOOL, "one call"),
    "live_multiple": BfclCategory("Live multiple", _SEVERAL_TOOLS, "one call"),
    "live_parallel": BfclCategory("Live parallel", _SEVERAL_CALLS, "calls"),
    "live_parallel_multiple": BfclCategory("Live parallel multiple", _BOTH, "calls"),
    "live_irrelevance": BfclCategory("Live irrelevance", _NO_FIT, "no call"),
    "live_relevance": BfclCategory("Live relevance", _ANY, "any call"),
}
# How the names of files begin: nothing, the form of 2024, or `BFCL_v4_`.
_PREFIX: Final = r"(?:gorilla_openfunctions_v1_test_|BFCL_(?P<version>v[0-9]+)_)?"

# Where one tool is called several times, BFCL numbers the keys of the expected calls.
_CALL_NUMBER: Final = re.compile(r"[_ ]\d+$")


class _Files(NamedTuple):
    """The files of one category. `folder` is where its possible answers belong."""

    category: str
    version: str
    questions: Path
    possible_answers: Path | None
    folder: Path

    @property
    def about(self) -> BfclCategory:
        return CATEGORIES[self.category]


class Questions(NamedTuple):
    """The cases of each category, and the version of their files: "" for those of 2024."""

    categories: Mapping[str, Sequence[Json]]
    version: str


def read_questions(questions: Path, possible_answers: Path, reader: LineReader) -> Questions:
    """The cases of each category that has a file of questions, in the order of CATEGORIES.

    Adds everything that is wrong to `reader.problems`.
    """
    found = _category_files(questions)
    answers = _category_files(possible_answers)
    versions = sorted({version for version, _ in found.values()})
    if len(versions) > 1:
        what = f"contains questions of several versions: {', '.join(versions)}"
        reader.report(questions, what.strip(", "), "keep the files of one version")
    if not found:
        fix = "name a folder with <category>.json files, for example simple.json"
        reader.report(questions, "contains no questions", fix)
    for category in sorted(answers.keys() - found.keys()):
        version, path = answers[category]
        if found and version == versions[0]:
            what = f"has possible answers for {category}, but there is no file of its questions"
            fix = f"add {path.name} to {reader.shown(questions)}"
            reader.report(path, what, f"{fix}; or move this file away, to leave the category out")
    categories = {}
    for category in sorted(found, key=list(CATEGORIES).index):
        version, path = found[category]
        answer_file = answers.get(category, ("", None))[1]
        files = _Files(category, version, path, answer_file, possible_answers)
        categories[category] = list(_read_cases(files, reader))
    return Questions(categories, versions[0] if versions else "")


def _category_files(folder: Path) -> dict[str, tuple[str, Path]]:
    """The version and path of each category's file in a folder; none if it does not exist."""
    found = {}
    for version, category, path in bfcl_files(folder.glob("*.json")):
        if category in CATEGORIES:
            found[category] = (version, path)
    return found


def bfcl_files(paths: Iterable[Path], ending: str = "") -> Iterator[tuple[str, str, Path]]:
    """The version ("" for 2024), category and path of BFCL's files `<category><ending>.json`."""
    form = re.compile(rf"{_PREFIX}(?P<category>[a-z0-9_]+){ending}\.json")
    for path in sorted(paths):
        match = form.fullmatch(path.name)
        if match and path.is_file():
            yield match["version"] or "", match["category"], path


def _read_cases(files: _Files, reader: LineReader) -> Iterator[Json]:
    # One published version has an id twice, for two questions.
    questions = reader.read(files.questions, numbered=lambda _id: bool(files.version))
    about = files.about
    has_answers = about.expects in ("one call", "calls")
    answers = _read_answers(files, questions, reader) if has_answers else {}
    for question in questions:
        messages = _read_messages(question)
        need_one = about.expects != "no call"
        tools = None if messages is None else _read_tools(question, need_one=need_one)
        answer = answers.get(question.id)
        if messages is None or tools is None or (answer is None and has_answers):
            continue  # The problem is already reported.
        calls = [] if answer is None else list(_expected_calls(files, tools, answer))
        truth: dict[str, Json] = {"no_call": about.expects == "no call", "calls": calls}
        if about.expects == "any call":
            truth["any_call"] = True
        case: dict[str, Json] = {"id": question.id, "type": files.category}
        case["user_query"] = messages[-1]["content"]
        if len(messages) > 1:
            case["earlier_messages"] = messages[:-1]
        shown = [_shown_tool(tool, about.language) for tool in tools]
        yield {**case, "tools": shown, "ground_truth": truth}


def _read_messages(question: JsonLine) -> list[dict[str, str]] | None:
    """The messages of a question: a text, or one turn of messages. Reports a bad one as None."""
    given: Json = question.value.get("question")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    turn = given[0] if isinstance(given, list) and len(given) == 1 else None
    if isinstance(turn, list) and turn and all(map(_is_message, turn)):
        messages = [{"role": item["role"], "content": item["content"]} for item in turn]
        if messages[-1]["role"] == "user":
            return messages
    what, fix = "has no question text", "write a text, or one turn of messages: [[{role, content}]]"
    question.report(f"{question.id} {what}", fix)
    return None


def _is_message(item: Json) -> bool:
    if not isinstance(item, dict) or item.get("role") not in ("system", "user", "assistant"):
        return False
    return isinstance(item.get("content"), str)


def _shown_tool(tool: Mapping[str, Json], language: Language | None) -> Mapping[str, Json]:
    """A tool as models are shown it: arguments in Java or JavaScript are texts in it."""
    if language is None:
        return tool
    name = {"java": "Java 8", "javascript": "JavaScript"}[language]
    properties = {}
    for parameter, declared in tool["parameters"].get("properties", {}).items():
        properties[parameter] = _source_parameter(declared, name)
    parameters = {**tool["parameters"], "properties": properties}
    description = f"{tool['description']} The function is written in {name}.".strip()
    return {**tool, "description": description, "parameters": parameters}


def _source_parameter(declared: Mapping[str, Json], language: str) -> dict[str, Json]:
    kind = declared.get("type")
    words = f"Give its {language} source as text, of "
    words += "any type." if kind == "any" else f"type {kind}."
    if isinstance(declared.get("items"), dict) and "type" in declared["items"]:
        words += f" The items have the type {declared['items']['type']}."
    if declared.get("properties"):
        words += f" Its members: {json.dumps(declared['properties'], ensure_ascii=False)}"
    kept = {key: value for key, value in declared.items() if key not in ("items", "properties")}
    description = f"{declared.get('description', '')} {words}".strip()
    return {**kept, "type": "string", "description": description}


def _read_answers(
    files: _Files, questions: Sequence[JsonLine], reader: LineReader
) -> dict[str, JsonLine]:
    path = files.possible_answers
    if path is None:
        what = f"contains no possible answers for {files.category}"
        reader.report(files.folder, what, f"add {files.category}.json")
        return {}
    answers = {line.id: line for line in reader.read(path)}
    for line in questions:
        if line.id not in answers:
            what = f"asks {line.id}, which has no possible answer"
            line.report(what, f"add it to {reader.shown(path)}")
    asked = {line.id for line in questions}
    for line in answers.values():
        if line.id not in asked:
            what = f"answers {line.id}, which has no question"
            fix = "take questions and possible answers from the same version"
            line.report(what, fix)
    return answers


def _read_tools(question: JsonLine, *, need_one: bool) -> list[dict[str, Json]] | None:
    """The tools of a question: `function` is one doc or a list. Reports a bad one as None."""
    given: Json = question.value.get("function")
    docs = given if isinstance(given, list) else [given]
    wrong = ""
    if not all(_is_function_doc(doc) for doc in docs):
        wrong = "has a function doc without a name or without parameters"
    elif need_one and not docs:
        wrong = "offers no function"
    elif len({doc["name"] for doc in docs}) < len(docs):
        wrong = "offers two functions of the same name"
    if wrong:
        fix = 'write a question as {"id", "question": text, "function": doc or [docs]}'
        question.report(f"{question.id} {wrong}", fix)
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
    files: _Files, tools: Sequence[Mapping[str, Json]], answer: JsonLine
) -> Iterator[Json]:
    """The expected calls: an object of calls by tool name, or a list of such objects."""
    given: Json = answer.value.get("ground_truth")
    objects = given if isinstance(given, list) else [given]
    if not objects or not all(isinstance(item, dict) for item in objects):
        _report_unreadable(answer)
        return
    expected = [(key, allowed) for item in objects for key, allowed in item.items()]
    about = files.about
    if about.expects == "one call" and len(expected) != 1:
        what = f"{answer.id} must expect exactly one call, got {len(expected)}"
        answer.report(what, "give one call", at="$.ground_truth")
        return
    for key, allowed in expected:
        # A case with one tool expects it, even if the key spells its name differently.
        alone = about.expects == "one call" and len(tools) == 1
        tool = tools[0] if alone else _tool_of_key(key, tools)
        if _is_allowed_values(allowed):
            yield _expected_call(tool, allowed, files)
        elif tool is None:
            # A stray key is no call. No response can match it, as in the published verdicts.
            yield _expected_call(None, {}, files)
        else:
            _report_unreadable(answer)


def _report_unreadable(answer: JsonLine) -> None:
    what = f"{answer.id} has a ground truth that cannot be read"
    fix = "write {name: {parameter: [allowed values]}}, or a list of such objects"
    answer.report(what, fix, at="$.ground_truth")


def _is_allowed_values(allowed: Json) -> bool:
    return isinstance(allowed, dict) and all(
        isinstance(values, list) for values in allowed.values()
    )


def _tool_of_key(key: str, tools: Sequence[Json]) -> Json:
    """The tool that a key names, with or without the number at its end; None if not offered."""
    by_name = {tool["name"]: tool for tool in tools}
    return by_name.get(key) or by_name.get(_CALL_NUMBER.sub("", key))


def _expected_call(tool: Json, allowed: Mapping[str, Sequence[Json]], files: _Files) -> Json:
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
        parameter = _declared_type(declared.get(name) or {}, files.about.language)
        # In 2024, a member of an object could not be left out.
        if files.version and any(map(_has_optional_member, accepted)):
            parameter["optional_members"] = True
        parameters[name] = {**parameter, "required": name in required, "allowed": list(accepted)}
    return {"name": tool["name"] if tool else None, "parameters": parameters}


def _has_optional_member(accepted: Json) -> bool:
    """Whether an accepted object, or one in an accepted list, has a member that accepts ""."""
    objects = accepted if isinstance(accepted, list) else [accepted]
    members = (value for one in objects if isinstance(one, dict) for value in one.values())
    return any(isinstance(values, list) and "" in values for values in members)


def _declared_type(declared: Mapping[str, Json], language: Language | None) -> dict[str, Json]:
    kind, items = declared.get("type"), declared.get("items")
    found: dict[str, Json] = {"type": kind if isinstance(kind, str) else None}
    items_type = items.get("type") if isinstance(items, dict) else None
    # In Java and JavaScript, items of any type may be of every type, and not only text.
    checked = isinstance(items_type, str) and (language is None or items_type != "any")
    if kind in ("array", "tuple", "Array", "ArrayList") and checked:
        found["items"] = items_type
    return found if language is None else {**found, "language": language}
