"""The JSON Schema of a submission, generated from the shapes that the readers check."""

from __future__ import annotations

import orjson
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from leaderboard.files.card_shape import SubmissionFile
from leaderboard.files.file_schemas import described
from leaderboard.responses.record_shapes import ModesRecord, ResponseRecord, ResultsRecord


def submission_schema() -> bytes:
    """Returns a JSON Schema (draft 2020-12) as UTF-8 bytes.

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
