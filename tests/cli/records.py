"""Records of the suite `small`, and the steps that several command tests share."""

from __future__ import annotations

from typing import Any

from tests.conftest import Folder


def call(case_id: str, value: float, unit: str) -> dict[str, Any]:
    """A record that calls convert_units."""
    arguments = {"value": value, "to_unit": unit}
    return {
        "id": case_id,
        "model_function_call": {"name": "convert_units", "arguments": arguments},
        "model_text": None,
    }


RIGHT = call("A001", 3, "yards")
WRONG = call("A001", 9, "yards")
LISTED = call("A002", 4, "ft")
WRONG_VALUE = call("A003", 6, "miles")
JUDGED = {"id": "B001", "model_text": "The answer is Paris."}


def answers(*passed: str) -> list[dict[str, Any]]:
    """A record for every case. The named call cases are right; the texts always are."""
    units = {"A001": (3, "yards"), "A002": (4, "feet"), "A003": (5, "miles")}
    records = []
    for case_id, (value, unit) in units.items():
        silent = {"id": case_id, "model_function_call": None, "model_text": None}
        records.append(call(case_id, value, unit) if case_id in passed else silent)
    for case_id, text in {"B001": "It is Paris.", "B002": "In 1969."}.items():
        records.append({"id": case_id, "model_function_call": None, "model_text": text})
    return records


def rescore(folder: Folder) -> None:
    """Scores the workspace and records what is missing."""
    result = folder.lb("rescore")
    assert 0 == result.exit_code, result.stderr


def site(folder: Folder, *arguments: str) -> dict[str, bytes]:
    """The site of the workspace, scored and built again."""
    for command in (("rescore", "--offline"), ("build", *arguments)):
        done = folder.lb(*command)
        assert done.exit_code == 0, done.output
    return folder.tree("_site")
