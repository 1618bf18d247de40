"""The border: what a file says, held against its shape with pydantic; every misfit with its file, line, JSON path and fix."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from leaderboard.errors import FilesError
from leaderboard.files.document import At, Findings, parse, read_bytes
from leaderboard.types import Json

FORMAT: Final = "see submissions/schema.json or the README for the format"

Shape = TypeVar("Shape")


def read_shaped(
    shape: TypeAdapter[Shape], path: Path, shown: str, root: Path, fix: str
) -> tuple[Shape, Findings]:
    """What a JSON file below `root` says, and where to note what else is wrong with it. Raises FilesError with all misfits.

    `shown` is the path as people know it; `fix` says how a file that does not fit is mended.
    """
    data = read_bytes(path, shown, root)
    document = parse(data, shown)
    findings = Findings(shown, data)
    try:
        return shape.validate_json(data), findings
    except ValidationError as error:
        add_pydantic_errors(error, document, findings, fix=fix)
        raise FilesError(findings.problems()) from error


def add_pydantic_errors(
    error: ValidationError, document: Json, findings: Findings, prefix: At = (), fix: str = FORMAT
) -> set[int | str]:
    """Turns pydantic's errors into findings; returns the first step of each path (the bad records of a list)."""
    said: set[tuple[At, str]] = set()
    for item in error.errors(include_url=False):
        at = _real_path(item["loc"], document)
        what = item["msg"].removeprefix("Value error, ")
        shown = (
            item["input"]
            if isinstance(item["input"], str | int | float | bool | None)
            else type(item["input"]).__name__
        )
        what = f"{what[0].lower()}{what[1:]}" + (
            "" if item["type"] in ("missing", "extra_forbidden") else f", got {shown!r:.80}"
        )
        if item["type"] == "extra_forbidden":
            what = f"has a key that is not part of the format: {item['loc'][-1]!r}"
        elif item["type"] == "missing":
            what = f"lacks {item['loc'][-1]!r}"
        if (at, what) not in said:
            said.add((at, what))
            findings.add((*prefix, *at), what, fix)
    return {
        item["loc"][0]
        for item in error.errors(include_url=False, include_input=False)
        if item["loc"]
    }


def _real_path(loc: tuple[int | str, ...], document: Json) -> At:
    """Pydantic's location without the steps that name a union's branch and no place in the document."""
    at: list[str | int] = []
    value = document
    for step in loc:
        if isinstance(value, Mapping) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        at.append(step)
    return tuple(at)
