"""Reads the result files of BFCL as records of a responses file."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from leaderboard.errors import Problem
from leaderboard.types import Json
from runners.imports.bfcl.bfcl_cases import CATEGORIES, FILE_PREFIX
from runners.imports.json_lines import JsonLine, LineReader

_FILE: Final = re.compile(rf"(?:{FILE_PREFIX})?(?P<category>[a-z0-9_]+)_result\.json")
_USAGE: Final = {"input_tokens": "input_token_count", "output_tokens": "output_token_count"}


@dataclass(frozen=True, slots=True)
class ModelResults:
    """The records of one model's folder, in case order, and warnings about what is missing."""

    model: str
    records: tuple[Json, ...]
    has_calls: bool
    warnings: tuple[Problem, ...]


def model_folders(result_dir: Path, reader: LineReader) -> tuple[Path, ...]:
    """The folders of RESULT_DIR that contain result files, sorted by name."""
    if not result_dir.is_dir():
        reader.report(result_dir, "is not a folder", "name the folder of the models' folders")
        return ()
    folders = sorted(
        (path for path in result_dir.iterdir() if path.is_dir() and _result_files(path)),
        key=lambda path: path.name,
    )
    if not folders:
        fix = f"add a folder for each model, with files {FILE_PREFIX}<category>_result.json"
        reader.report(result_dir, "contains no model's results", fix)
    return tuple(folders)


def _result_files(folder: Path) -> dict[str, Path]:
    """The result files of a model, by category."""
    files = {}
    for path in sorted(folder.iterdir()):
        match = _FILE.fullmatch(path.name)
        if match and path.is_file():
            files[match["category"]] = path
    return files


def read_results(
    folder: Path, categories: Mapping[str, Sequence[Json]], reader: LineReader
) -> ModelResults:
    """One model's answers to the imported categories.

    Adds everything that is wrong to `reader.problems`.
    """
    files = _result_files(folder)
    lines: list[JsonLine] = []
    warnings: list[Problem] = []
    if others := sorted(set(files) - set(categories)):
        what = f"contains results for categories that are not imported: {', '.join(others)}"
        fix = f"categories of this kind: {', '.join(CATEGORIES)}; each needs a questions file"
        warnings.append(Problem(reader.shown(folder), what, fix, severity="warning"))
    for category, cases in categories.items():
        path = files.get(category)
        answered = reader.read(path) if path else ()
        known = {case["id"] for case in cases}
        _refuse_unknown(answered, known, category, reader)
        if missing := len(known - {line.id for line in answered}):
            counts = f"{len(known) - missing} of {len(known)}"
            what = f"answers {counts} cases of {category}; the others will count as failed"
            warnings.append(Problem(reader.shown(path or folder), what, severity="warning"))
        lines.extend(line for line in answered if line.id in known)
    records = tuple(_record(line, reader) for line in lines)
    has_calls = any(_is_structured(line.value.get("result")) for line in lines)
    return ModelResults(folder.name, records, has_calls, tuple(warnings))


def _refuse_unknown(
    lines: Iterable[JsonLine], known: Collection[str], category: str, reader: LineReader
) -> None:
    for line in lines:
        if line.id not in known:
            what = f"answers {line.id}, which is not a case of {category}"
            fix = "take questions and results from the same version"
            reader.problems.append(line.problem(what, fix, at="$.id"))


def _is_structured(result: Json) -> bool:
    return isinstance(result, list) and any(isinstance(item, dict) and item for item in result)


def _record(line: JsonLine, reader: LineReader) -> Json:
    if "result" not in line.value:
        fix = 'write each line as {"id": ..., "result": ...}'
        reader.problems.append(line.problem(f"{line.id} has no result", fix))
    calls, text = read_reply(line.value.get("result"))
    record: dict[str, Json] = {"id": line.id, "model_function_call": calls, "model_text": text}
    usage = {}
    for name, key in _USAGE.items():
        tokens = _number(line, key, reader, whole=True)
        # Published costs leave out responses without tokens, so 0 means "not reported".
        if tokens:
            usage[name] = int(tokens)
    if usage:
        record["usage"] = usage
    latency = _number(line, "latency", reader)
    if latency is not None:
        record["latency_s"] = latency
    return record


def _number(
    line: JsonLine, key: str, reader: LineReader, *, whole: bool = False
) -> float | int | None:
    """A number of 0 or more; None if it is not reported, or wrong, which is a problem."""
    value = line.value.get(key)
    if value is None:
        return None
    what, fix = f"has {key} {value!r:.60}", "write a number of 0 or more, or leave it out"
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        if not whole or value == int(value):
            return value
        fix = "write a whole number of tokens"
    reader.problems.append(line.problem(what, fix, at=f"$.{key}"))
    return None


def read_reply(result: Json) -> tuple[list[Json] | None, str | None]:
    """The calls and the text of one `result`.

    Calls are `[{name: arguments}, ...]`, the arguments an object or its JSON text. If any part
    of a reply is not a call, the whole reply is kept as text.
    """
    if isinstance(result, str):
        return None, result
    if result is None or result == []:
        return None, None
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
    return {"name": name, "arguments": arguments if isinstance(arguments, dict) else given}
