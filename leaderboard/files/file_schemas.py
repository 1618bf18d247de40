"""The JSON Schema of every file that people write, generated from the shapes that check them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import orjson
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from leaderboard.files.board_settings import LEADERBOARD_FILE
from leaderboard.files.card_shape import CARD, SubmissionFile
from leaderboard.files.suite_shapes import SUITE_FILE
from leaderboard.files.tool_records import TOOLS
from leaderboard.kinds import Kind
from leaderboard.responses.record_shapes import (
    RESPONSES,
    ModesRecord,
    ResponseRecord,
    ResultsRecord,
)
from leaderboard.texts.short_text import single_spaced

Schema = dict[str, Any]

_FIELD: Final = re.compile(r"^- `([^`]+)`: (.*?)(?=\n- `|\Z)", re.MULTILINE | re.DOTALL)


def file_schemas(kinds: Iterable[Kind]) -> dict[str, Schema]:
    """The JSON Schemas by name: settings, suites, tools, submissions, cases of these kinds."""
    adapters: dict[str, TypeAdapter[Any]] = {
        "leaderboard": LEADERBOARD_FILE,
        "suite": SUITE_FILE,
        "tools": TOOLS,
        "submission": CARD,
        "responses": RESPONSES,
    }
    adapters |= {f"cases-{kind.name}": kind.case_shape for kind in kinds}
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {name: dialect | described(shape.json_schema()) for name, shape in adapters.items()}


def described(schema: Schema) -> Schema:
    """A JSON Schema in which each field has its description from the docstring."""
    made = dict(schema)
    if "$defs" in schema:
        made["$defs"] = {name: described(inner) for name, inner in schema["$defs"].items()}
    text = schema.get("description", "")
    fields = {name: single_spaced(about) for name, about in _FIELD.findall(text)}
    if fields:
        made["description"] = _FIELD.sub("", text).strip()
        made["properties"] = {
            name: {**value, "description": fields[name]} if name in fields else value
            for name, value in schema["properties"].items()
        }
    return made


def submission_schema() -> bytes:
    """A JSON Schema (draft 2020-12) as UTF-8 bytes.

    submission.json is at the root, the responses file under `$defs/Responses`.
    """
    responses = TypeAdapter(list[ResponseRecord] | ResultsRecord | ModesRecord)
    _, card = models_json_schema([(SubmissionFile, "validation")], ref_template="#/$defs/{model}")
    inner = responses.json_schema(ref_template="#/$defs/{model}")
    definitions = {**card["$defs"], **inner.pop("$defs"), "Responses": inner}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Toolboard submission",
        "description": "submission.json; a responses file <suite>.json follows $defs/Responses",
        "$ref": "#/$defs/SubmissionFile",
        "$defs": {name: described(shape) for name, shape in definitions.items()},
    }
    return orjson.dumps(
        schema, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    )
