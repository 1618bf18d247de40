"""What models answered, from the Berkeley Function Calling Leaderboard's result files, as records of a responses file."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from leaderboard.errors import Problem
from leaderboard.types import Json
from runners.imports.bfcl.bfcl_cases import CATEGORIES, FILE_PREFIX, ImportedCategory
from runners.imports.json_lines import Line, LineReader

_FILE: Final = re.compile(rf"(?:{FILE_PREFIX})?(?P<category>[a-z0-9_]+)_result\.json")


@dataclass(frozen=True, slots=True)
class ModelResults:
    """One model's folder: its records in the order of the cases, and the warnings about what is not there."""

    model: str
    records: tuple[Json, ...]
    has_calls: bool
    warnings: tuple[Problem, ...]


def model_folders(result_dir: Path, reader: LineReader) -> tuple[Path, ...]:
    """The folders of RESULT_DIR that hold result files, by name; none is a problem."""
    if not result_dir.is_dir():
        reader.problems.append(
            Problem(
                reader.shown(result_dir),
                "is not a folder",
                "name the folder of the models' folders",
            )
        )
        return ()
    folders = tuple(
        sorted((p for p in result_dir.iterdir() if p.is_dir() and _files(p)), key=lambda p: p.name)
    )
    if not folders:
        fix = f"it holds one folder per model, with files {FILE_PREFIX}<category>_result.json"
        reader.problems.append(Problem(reader.shown(result_dir), "holds no model's results", fix))
    return folders


def _files(folder: Path) -> dict[str, Path]:
    """The result files of a model by category."""
    found = (
        (_FILE.fullmatch(path.name), path) for path in sorted(folder.iterdir()) if path.is_file()
    )
    return {match["category"]: path for match, path in found if match}


def read_results(
    folder: Path, categories: Iterable[ImportedCategory], reader: LineReader
) -> ModelResults:
    """The answers of one model to the imported categories. What is wrong goes to `reader.problems`."""
    files = _files(folder)
    lines: list[Line] = []
    warnings = list(_left_out(folder, files, {category.id for category in categories}, reader))
    for category in categories:
        path = files.get(category.id)
        answered = reader.read(path) if path else ()
        known = {case["id"] for case in category.cases}
        _refuse_unknown(answered, known, category.id, reader)
        if missing := len(known - {line.id for line in answered}):
            what = f"answers {len(known) - missing} of {len(known)} cases of {category.id}; the others will count as failed"
            warnings.append(Problem(reader.shown(path or folder), what, severity="warning"))
        lines.extend(line for line in answered if line.id in known)
    records = tuple(_record(line, reader) for line in lines)
    return ModelResults(
        folder.name,
        records,
        any(_is_structured(line.value.get("result")) for line in lines),
        tuple(warnings),
    )


def _left_out(
    folder: Path, files: Mapping[str, Path], imported: Collection[str], reader: LineReader
) -> Iterable[Problem]:
    others = sorted(set(files) - set(imported))
    if others:
        what = f"holds results for categories that are not imported: {', '.join(others)}"
        fix = f"categories of this kind: {', '.join(CATEGORIES)}; each needs a questions file"
        yield Problem(reader.shown(folder), what, fix, severity="warning")


def _refuse_unknown(
    lines: Iterable[Line], known: Collection[str], category: str, reader: LineReader
) -> None:
    for line in lines:
        if line.id not in known:
            what = f"answers {line.id}, which is no case of {category}"
            reader.problems.append(
                line.problem(what, "take questions and results from the same version", at="$.id")
            )


def _is_structured(result: Json) -> bool:
    return isinstance(result, list) and any(isinstance(item, dict) and item for item in result)


def _record(line: Line, reader: LineReader) -> Json:
    if "result" not in line.value:
        reader.problems.append(
            line.problem(f"{line.id} has no result", 'each line is {"id": ..., "result": ...}')
        )
    calls, text = read_reply(line.value.get("result"))
    record: dict[str, Json] = {"id": line.id, "model_function_call": calls, "model_text": text}
    usage = {
        name: tokens
        for name, key in (
            ("input_tokens", "input_token_count"),
            ("output_tokens", "output_token_count"),
        )
        # The published costs leave out responses that report no tokens, so 0 is "not reported".
        if (tokens := _tokens(line, key, reader))
    }
    if usage:
        record["usage"] = usage
    latency = _measure(line, "latency", reader)
    if latency is not None:
        record["latency_s"] = latency
    return record


def _measure(line: Line, key: str, reader: LineReader) -> float | int | None:
    """A number that is not negative, or None where it is not reported."""
    value = line.value.get(key)
    if value is None or (
        isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    ):
        return value
    reader.problems.append(
        line.problem(f"has {key} {value!r:.60}", "a number from 0, or leave it out", at=f"$.{key}")
    )
    return None


def _tokens(line: Line, key: str, reader: LineReader) -> int | None:
    value = _measure(line, key, reader)
    if value is None or value == int(value):
        return None if value is None else int(value)
    reader.problems.append(
        line.problem(f"has {key} {value!r}", "tokens are a whole number", at=f"$.{key}")
    )
    return None


def read_reply(result: Json) -> tuple[list[Json] | None, str | None]:
    """Calls and text of one `result`. A reply of which any part cannot be read as calls is no call, kept as text.

    Calls are `[{name: arguments}, ...]`, with the arguments as JSON text or as an object.
    """
    if isinstance(result, str):
        return None, result
    if not isinstance(result, list) or not result:
        return None, None if result is None or result == [] else _raw(result)
    calls = [_call(item) for item in result]
    if any(call is None for call in calls):
        return None, _raw(result)
    return calls, None


def _raw(result: Json) -> str:
    return json.dumps(result, ensure_ascii=False)


def _call(item: Json) -> Json | None:
    """`{name: arguments}` as `{"name", "arguments"}`; None when it is not a call. The published checker reads the first key."""
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
    return {"name": name, "arguments": arguments if _is_plain_object(arguments, given) else given}


def _is_plain_object(arguments: Json, text: str) -> bool:
    """Whether arguments can stand in a file as an object; otherwise their text is kept, as a call that cannot be read."""
    try:
        orjson.loads(
            text
        )  # refuses what Python's reader lets pass: NaN, infinities, half characters
    except orjson.JSONDecodeError:
        return False
    return isinstance(arguments, dict)
