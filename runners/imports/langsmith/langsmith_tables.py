"""Reads the tables of a relational dataset: a JSON file, or LangChain's module with its data."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import read_named
from leaderboard.files.findings import Findings
from leaderboard.files.relational_tables import TABLES_FILE, Tables, check_tables, read_tables
from leaderboard.types import Json

# The names in langchain_benchmarks/tool_usage/tasks/relational_data.py.
_TABLES: Final = {"USER_DATA": "users", "LOCATION_DATA": "locations", "FOOD_DATA": "foods"}
_CURRENT_USER: Final = "get_current_user_id"


def read_given_tables(path: Path) -> Tables:
    """The tables in a file that the user names. A module is parsed and never run.

    Raises FilesError.
    """
    if path.suffix != ".py":
        return read_tables(path, path.name, path.parent)
    data = read_named(path, path.name)
    findings = Findings(path.name, b"")
    try:
        tables = TABLES_FILE.validate_json(json.dumps(_constants(data)))
    except (SyntaxError, ValueError, TypeError, RecursionError) as error:
        what = f"cannot be read as tables: {_first_line(error)}"
        fix = f"name the module with {', '.join(_TABLES)} and {_CURRENT_USER}, or a JSON file"
        raise FilesError.about(path.name, what, fix) from error
    check_tables(tables, findings)
    findings.raise_errors()
    return tables


def _constants(source: bytes) -> dict[str, Json]:
    """The lists of a module, and the number that its function for the current user returns."""
    found: dict[str, Json] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = _TABLES.get(node.targets[0].id)
            if name is not None:
                found[name] = ast.literal_eval(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name == _CURRENT_USER:
            returned = node.body[-1]
            if isinstance(returned, ast.Return) and isinstance(returned.value, ast.Constant):
                found["current_user"] = returned.value.value
    return found


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error).partition("\n")[0]
