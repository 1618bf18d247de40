"""Reading a file and checking it with pydantic: every mistake with its line, JSON path and fix."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At, parse
from leaderboard.files.toml_files import locate_in_toml, parse_toml
from leaderboard.texts.near_names import MEANT, SLIP, nearest
from leaderboard.types import Json

Shape = TypeVar("Shape")

# What to write for a value of another type, by pydantic's name of the error.
_TYPES: Final = {
    "dict_type": "an object, {...}",
    "model_type": "an object, {...}",
    "list_type": "a list, [...]",
    "string_type": "a text in quotes",
}
_INTEGER: Final = r"-?(?:0|[1-9][0-9]*)"
_FRACTION: Final = rf"{_INTEGER}(?:\.[0-9]+)?"
# How a number is written, by pydantic's name of the error for a value that is none.
_NUMBERS: Final = {"amount": _FRACTION, "float_type": _FRACTION, "int_type": _INTEGER}
# 1,234 may be a thousand.
_DECIMAL_COMMA: Final = re.compile(r"-?(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]{3})")
_NAMES: Final[Mapping[type, str]] = {dict: "an object", list: "a list"}


def read_document(path: Path, shown: str, root: Path) -> tuple[Json, Findings]:
    """Parses a JSON or TOML file below `root`, without checking what it contains.

    `shown` is the path in messages. The findings collect further problems of the file.
    Raises FilesError.
    """
    data = read_bytes(path, shown, root)
    if path.suffix == ".toml":
        return parse_toml(data, shown), Findings(shown, data, locate_in_toml)
    return parse(data, shown), Findings(shown, data)


def read_shaped(
    shape: TypeAdapter[Shape], path: Path, shown: str, root: Path, fix: str
) -> tuple[Shape, Findings]:
    """Reads a JSON or TOML file that must have this shape. Raises FilesError with all mistakes.

    `shown` is the path in messages, and `fix` the advice for a file of another shape. The
    findings collect further problems of the file.
    """
    document, findings = read_document(path, shown, root)
    try:
        if path.suffix == ".toml":
            return shape.validate_python(document), findings
        return shape.validate_json(findings.data), findings
    except ValidationError as error:
        _add_findings(error, document, findings, (), fix, shape=shape)
        raise FilesError(findings.problems()) from error


def find_bad_records(
    shape: TypeAdapter[Any], records: Sequence[Json], findings: Findings, fix: str, prefix: At = ()
) -> set[int]:
    """Checks a list of records, and returns the positions of those with a mistake.

    `prefix` is the path of the list. The records are not copied.
    """
    try:
        shape.validate_python(records)
    except ValidationError as error:
        _add_findings(error, records, findings, prefix, fix, shape=shape)
        errors = error.errors(include_url=False, include_input=False)
        return {int(item["loc"][0]) for item in errors}
    return set()


def read_part(
    shape: TypeAdapter[Shape], value: Json, findings: Findings, fix: str, at: At
) -> Shape | None:
    """Reads a value at this path of a document. None, with findings, if it has another shape."""
    try:
        return shape.validate_python(value)
    except ValidationError as error:
        _add_findings(error, value, findings, at, fix, shape=shape)
    return None


def warn_of_misspelt(
    record: Mapping[str, Json], known: Collection[str], findings: Findings, at: At
) -> None:
    """Warns of keys that nothing reads, and that are nearly a known one."""
    for key in record:
        if key not in known and (near := _meant(key, tuple(known))):
            what = f"has no effect: {key!r} is not a known key"
            findings.add((*at, key), what, f"did you mean {near!r}?", "warning")


@lru_cache(1_000)  # every case of a table has the same further columns
def _meant(key: str, known: tuple[str, ...]) -> str | None:
    return nearest(key, known, SLIP)


def _add_findings(
    error: ValidationError,
    document: Json,
    findings: Findings,
    prefix: At,
    fix: str,
    *,
    shape: TypeAdapter[Any],
) -> None:
    added: set[tuple[At, str]] = set()
    errors = error.errors(include_url=False)
    places = [_path_in(document, item["loc"]) for item in errors]
    types: dict[At, dict[str, None]] = {}
    for item, place in zip(errors, places, strict=True):
        if item["type"] in _TYPES:
            types.setdefault(place, {})[_TYPES[item["type"]]] = None
    for item, place in _of_one_branch(errors, places):
        advice = fix
        if item["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            what = f"unknown key {item['loc'][-1]!r}"
            if near := _meant_in(shape, str(item["loc"][-1])):
                advice = f"did you mean {near!r}? {fix}"
        elif item["type"] == "missing":
            what = f"missing required key {item['loc'][-1]!r}"
        elif item["type"] == "too_short":
            least = item["ctx"]["min_length"]
            what = f"needs at least {'one entry' if least == 1 else f'{least} entries'}"
        else:
            what = wrong_value(item, types.get(place, ()))
            if number := _number_meant(item):
                advice = f"write {number}"
        at = (*prefix, *place)
        if (at, what) not in added:
            added.add((at, what))
            findings.add(at, what, advice)


def _of_one_branch(
    errors: Sequence[ErrorDetails], places: Sequence[At]
) -> Iterator[tuple[ErrorDetails, At]]:
    """The errors with their places, without those of a union about which another branch says more.

    That is the case for an integer beside other numbers, and for a value that fits the other
    branch but has an error within it.
    """
    numbers = {item["loc"][:-1] for item in errors if item["type"] == "float_type"}
    holders = {place[:depth] for place in places for depth in range(len(place))}
    for item, place in zip(errors, places, strict=True):
        is_other_number = item["type"] == "int_type" and item["loc"][:-1] in numbers
        if not (is_other_number or (item["type"] in _TYPES and place in holders)):
            yield item, place


@lru_cache(1_000)  # every record of a file has the same unknown key
def _meant_in(shape: TypeAdapter[Any], key: str) -> str | None:
    """The key nearest to an unknown one, of all objects that a file of this shape can have."""
    schema = shape.json_schema()
    objects = [schema, *schema.get("$defs", {}).values()]
    known = {name for one in objects for name in one.get("properties", ())}
    return nearest(key, known - {key}, MEANT)


def _number_meant(item: ErrorDetails) -> str | None:
    """What to write for a text in place of a number; None for any other value."""
    value, form = item["input"], _NUMBERS.get(item["type"])
    if form is None or not isinstance(value, str):
        return None
    if re.fullmatch(form, value.strip()):
        return f"{value.strip()} without quotes"
    return with_point(value) if form == _FRACTION else None


def with_point(value: Json) -> str | None:
    """A number with a decimal comma, such as '21,5', as files write it; else None."""
    if isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value.strip()):
        return value.strip().replace(",", ".")
    return None


def wrong_value(item: ErrorDetails, types: Collection[str] = ()) -> str:
    """Says what pydantic expected in place of a value: `input should be a valid integer, got 'x'`.

    `types` are those that the value can have, if its own is wrong. Values that have parts are named
    by their kind.
    """
    value = item["input"]
    message = item["msg"].removeprefix("Value error, ")
    if item["type"] in _TYPES:
        message = f"write {', or '.join(types or [_TYPES[item['type']]])}"
    elif item["type"] == "amount" and type(value) not in (int, float):
        message = "expected a number"
    shown = f"{value!r:.80}"
    if not isinstance(value, str | int | float | bool | None):
        shown = _NAMES.get(type(value), f"a {type(value).__name__}")
    return f"{message[0].lower()}{message[1:]}, got {shown}"


def _path_in(document: Json, location: tuple[int | str, ...]) -> At:
    """Removes the steps of pydantic's location that name a branch of a union."""
    at: list[str | int] = []
    value = document
    for step in location:
        if isinstance(value, Mapping) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        at.append(step)
    return tuple(at)
