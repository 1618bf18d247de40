"""Reads the result files of BFCL as records of a responses file."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import orjson

from leaderboard.errors import Problem
from leaderboard.responses.forms.model_reply import one_line
from leaderboard.types import Json, Language
from runners.imports.bfcl.bfcl_cases import CATEGORIES, Questions, bfcl_files
from runners.imports.bfcl.written_calls import (
    UnreadableTextError,
    WrittenCall,
    as_json,
    read_calls,
    read_json_calls,
)
from runners.imports.json_lines import JsonLine, LineReader

# BFCL writes this before the error of a request that failed, in place of what the model answered.
_FAILED: Final = "Error during inference:"
# The folders in which BFCL groups the files of one model.
_GROUPS: Final = frozenset({"live", "non_live", "multi_turn", "agentic", "memory", "web_search"})
_MAY_HAVE_RESULTS: Final = re.compile(r"\.(json|jsonl|ndjson)(\.gz)?$")
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_USAGE: Final = {"input_tokens": "input_token_count", "output_tokens": "output_token_count"}
_NO_CALLS: Final = "[]"  # of a reply that is a list without calls


@dataclass(frozen=True, slots=True)
class ModelResults:
    """The records of one model's folder, in case order.

    `no_calls` says why no submission can be made of them: what the model replies in place of
    calls. None if it makes calls, even calls that cannot be read. `left_out` warns of files that
    are not read, `warnings` of answers that are missing or will fail.
    """

    model: str
    records: tuple[Json, ...]
    no_calls: str | None
    left_out: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def model_folders(result_dir: Path, reader: LineReader) -> tuple[Path, ...]:
    """The folders of RESULT_DIR that contain result files, at any depth, sorted by name."""
    if not result_dir.is_dir():
        reader.report(result_dir, "is not a folder", "name the folder of the models' folders")
        return ()
    folders = sorted(
        (path for path in result_dir.iterdir() if path.is_dir() and any(_result_files(path))),
        key=lambda path: path.name,
    )
    if not folders:
        fix = "add a folder for each model, with files like BFCL_v4_<category>_result.json"
        reader.report(result_dir, "contains no model's results", fix)
    for folder in folders:
        refuse_several_models(folder, [path for *_, path in _result_files(folder)], reader)
    return tuple(folders)


def refuse_several_models(folder: Path, files: Iterable[Path], reader: LineReader) -> None:
    """Reports a folder that is no model's: one of a day, or one with the folders of models."""
    inside = sorted({_model_parts(path.relative_to(folder).parts[:-1]) for path in files} - {()})
    fix = "rename it after the model"
    if inside:
        place = reader.shown(folder.joinpath(*inside[0]).parent)
        fix = f"name {place} as the folder of the results, if its folders are models"
    if DAY.fullmatch(folder.name):
        reader.report(folder, "is the folder of a day, and not of a model", fix)
    elif len(inside) > 1:
        names = ", ".join("/".join(parts) for parts in inside[:3])
        what = f"contains results in several folders, as if of several models: {names}"
        fix += "; or put the files of one model directly into its folder"
        reader.report(folder, what, fix)


def _model_parts(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The folders above those in which BFCL groups a model's files."""
    groups = [place for place, part in enumerate(parts) if part in _GROUPS or part in CATEGORIES]
    return parts[: groups[0]] if groups else parts


def files_of_other_names(result_dir: Path, reader: LineReader) -> Iterator[Problem]:
    """Warnings about files that may have results, but not the name of a file of results."""
    read = {path for *_, path in _result_files(result_dir)}
    for path in sorted(result_dir.rglob("*")):
        if path in read or not _MAY_HAVE_RESULTS.search(path.name) or not path.is_file():
            continue
        if not path.name.endswith("_score.json"):
            what = "is not read, because its name is not that of a file of results"
            fix = "name it like BFCL_v4_<category>_result.json, unpacked, if it has results"
            yield Problem(reader.shown(path), what, fix, severity="warning")


def _result_files(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """The version, category and path of each result file of a model."""
    return bfcl_files(folder.rglob("*_result.json"), "_result")


def read_results(folder: Path, questions: Questions, reader: LineReader) -> ModelResults:
    """One model's answers to the imported categories.

    Results of another version than the questions are left out, with a warning. Adds everything
    that is wrong to `reader.problems`.
    """
    files, left_out = _files_by_category(folder, questions, reader)
    warnings: list[Problem] = []
    answers: list[tuple[str, JsonLine]] = []
    for category, cases in questions.categories.items():
        file = files.get(category)
        known = {case["id"] for case in cases}
        answered = reader.read(file, numbered=known.__contains__) if file else ()
        _refuse_unknown(answered, known, category)
        if missing := len(known - {line.id for line in answered}):
            counts = f"{len(known) - missing} of {len(known)}"
            what = f"answers {counts} cases of {category}; the others will count as failed"
            warnings.append(Problem(reader.shown(file or folder), what, severity="warning"))
        answers += [(category, line) for line in answered if line.id in known]
    replies = _replies_of(folder.name, questions, answers)
    records = tuple(_record(category, line, replies) for category, line in answers)
    no_calls = _no_calls(records)
    unread: list[str] = []
    if no_calls is not None:
        unread = [line.id for _, line in answers if _has_unread_calls(line)]
    if unread:
        no_calls = None
        number = len(unread)
        what = f"has no call that can be read, and {number} that cannot, the first in {unread[0]}"
        fix = "its replies count as texts without a call; check that the arguments are JSON"
        warnings.append(Problem(reader.shown(folder), what, fix, severity="warning"))
    if errors := [record["error"] for record in records if "error" in record]:
        what = f"has errors in place of answers: {len(errors)}, the first: {errors[0]:.100}"
        fix = "they count as failed; ask these cases again, and import the results again"
        warnings.append(Problem(reader.shown(folder), what, fix, severity="warning"))
    return ModelResults(folder.name, records, no_calls, tuple(left_out), tuple(warnings))


def _has_unread_calls(line: JsonLine) -> bool:
    """Whether a result has the form of calls, but cannot be read as such."""
    result = line.value.get("result")
    if not isinstance(result, list) or not any(isinstance(item, dict) and item for item in result):
        return False
    calls, _ = read_reply(result)
    return calls is None


def _no_calls(records: Sequence[Json]) -> str | None:
    """What a model replies in place of calls; None if it makes a call."""
    if any(record["model_function_call"] for record in records):
        return None
    if not records:
        return "no result answers a case of these questions"
    if any(record["model_text"] not in (None, "", _NO_CALLS) for record in records):
        return "it answers in prose: no reply contains a call that can be read"
    errors = [record["error"] for record in records if "error" in record]
    if not errors:
        return f"all its replies are empty: {len(records)}"
    what = f"it has only errors in place of answers: {len(errors)}"
    if len(errors) < len(records):
        what = f"its replies are empty or errors: {len(records)}"
    return f"{what}, the first error: {errors[0]:.100}"


def _files_by_category(
    folder: Path, questions: Questions, reader: LineReader
) -> tuple[dict[str, Path], list[Problem]]:
    """The file of each category of the questions, and warnings about files that are left out."""
    files: dict[str, Path] = {}
    left_out: dict[str, list[str]] = {}
    for version, category, path in _result_files(folder):
        if version != questions.version:
            left_out.setdefault(f"of another version, {version or '2024'}", []).append(category)
        elif category not in questions.categories:
            left_out.setdefault("that are not imported", []).append(category)
        elif category in files:
            what = f"is a second file of {category}, beside {reader.shown(files[category])}"
            reader.report(path, what, "keep one of them")
        else:
            files[category] = path
    warnings = []
    for why, names in sorted(left_out.items()):
        what = f"contains results for categories {why}: {', '.join(names)}"
        warnings.append(Problem(reader.shown(folder), what, severity="warning"))
    return files, warnings


def _replies_of(
    model: str, questions: Questions, answers: Iterable[tuple[str, JsonLine]]
) -> Replies:
    """How to read a model's replies: as calls, or as texts in the notation that most have."""
    results = [(category, line.value.get("result")) for category, line in answers]
    makes_calls = any(isinstance(result, list) and result for _, result in results)
    as_text = not makes_calls and "-FC" not in model.upper()
    texts = [(category, result) for category, result in results if isinstance(result, str)]
    writes_json = as_text and _writes_json(texts)
    cases = chain.from_iterable(questions.categories.values())
    tools = chain.from_iterable(case["tools"] for case in cases)
    return Replies(parameter_types(tools), as_text=as_text, writes_json=writes_json)


def _writes_json(texts: Iterable[tuple[str, str]]) -> bool:
    """Whether more of these replies, by category, are calls in JSON than in source code."""
    counts = {True: 0, False: 0}
    for category, text in texts:
        for in_json in counts:
            try:
                found = _read_text(text, CATEGORIES[category].language, in_json=in_json)
            except UnreadableTextError:
                continue
            counts[in_json] += bool(found)
    return counts[True] > counts[False]


def _read_text(text: str, language: Language | None, *, in_json: bool) -> list[WrittenCall]:
    return read_json_calls(text) if in_json else read_calls(text, language)


def parameter_types(tools: Iterable[Json]) -> dict[tuple[str, str], Json]:
    """The declared type of each parameter, by the names of its tool and itself."""
    types = {}
    for tool in tools:
        for name, declared in tool["parameters"].get("properties", {}).items():
            types[tool["name"], name] = declared.get("type")
    return types


def _refuse_unknown(lines: Iterable[JsonLine], known: Collection[str], category: str) -> None:
    for line in lines:
        if line.id not in known:
            what = f"answers {line.id}, which is not a case of {category}"
            fix = "take questions and results from the same version"
            line.report(what, fix, at="$.id")


def _record(category: str, line: JsonLine, replies: Replies) -> Json:
    if "result" not in line.value:
        fix = 'write each line as {"id": ..., "result": ...}'
        line.report(f"{line.id} has no result", fix)
    record: dict[str, Json] = {"id": line.id, "model_function_call": None, "model_text": None}
    if _has_failed(line):
        record["error"] = one_line(str(line.value["result"]))
    else:
        calls, text = replies.read(line.value.get("result"), CATEGORIES[category].language)
        record |= {"model_function_call": calls, "model_text": text}
    usage = {}
    for name, key in _USAGE.items():
        tokens = _number(line, key, whole=True)
        # Published costs leave out responses without tokens, so 0 means "not reported".
        if tokens:
            usage[name] = int(tokens)
    if usage:
        record["usage"] = usage
    latency = _number(line, "latency")
    if latency is not None:
        record["latency_s"] = latency
    return record


def _has_failed(line: JsonLine) -> bool:
    """Whether a line has the error of a request, which is no answer where no call is right."""
    result = line.value.get("result")
    return isinstance(result, str) and (result.startswith(_FAILED) or "traceback" in line.value)


def _number(line: JsonLine, key: str, *, whole: bool = False) -> float | int | None:
    """A number of 0 or more; None if it is not reported, or wrong, which is a problem."""
    value = line.value.get(key)
    if value is None:
        return None
    what, fix = f"has {key} {value!r:.60}", "write a number of 0 or more, or leave it out"
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        if not whole or value == int(value):
            return value
        fix = "write a whole number of tokens"
    line.report(what, fix, at=f"$.{key}")
    return None


@dataclass(frozen=True, slots=True)
class Replies:
    """How one model's replies are read.

    - `types`: the declared types of parameters, by tool and name.
    - `as_text`: the model writes its calls as text; with `writes_json`, as JSON.
    """

    types: Mapping[tuple[str, str], Json]
    as_text: bool
    writes_json: bool = False

    def read(self, result: Json, language: Language | None) -> tuple[list[Json] | None, str | None]:
        """The calls and the text of one `result`; text that is no call at all has no calls."""
        if not self.as_text or not isinstance(result, str):
            return read_reply(result)
        try:
            written = _read_text(result, language, in_json=self.writes_json)
        except UnreadableTextError:
            return None, result
        calls = []
        for name, values in written:
            items = values.items()
            arguments = {key: as_json(value, self.types.get((name, key))) for key, value in items}
            calls.append({"name": name, "arguments": arguments})
        return calls or None, result


def read_reply(result: Json) -> tuple[list[Json] | None, str | None]:
    """The calls and the text of one `result` of a function-calling model.

    Calls are `[{name: arguments}, ...]`, the arguments an object or its JSON text. If any part
    of a reply is not a call, the whole reply is kept as text. So is a list of no calls, because an
    empty reply is no answer.
    """
    if isinstance(result, str):
        return None, result
    if result is None:
        return None, None
    if result == []:
        return None, _NO_CALLS
    calls = [_call(item) for item in result] if isinstance(result, list) else [None]
    if any(call is None for call in calls):
        return None, json.dumps(result, ensure_ascii=False)
    return calls, None


def _call(item: Json) -> Json | None:
    """`{name: arguments}` as `{"name", "arguments"}`, or None if it is not a call.

    Reads the first key only, as the published checker does.
    """
    if not isinstance(item, dict) or not item:
        return None
    name, given = next(iter(item.items()))
    if isinstance(given, dict):
        return {"name": name, "arguments": given}
    if not isinstance(given, str):
        return None
    try:
        arguments = json.loads(given)
    except (ValueError, RecursionError):
        return None
    try:
        orjson.loads(given)
    except orjson.JSONDecodeError:
        # Python also accepts NaN, infinities and half surrogate pairs, which JSON files cannot
        # contain. The text is kept, so that scoring reports unreadable arguments.
        return {"name": name, "arguments": given}
    return {"name": name, "arguments": arguments} if isinstance(arguments, dict) else None
