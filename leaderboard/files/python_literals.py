"""Python's spelling of data (`{'name': 'Finish', 'ok': None}`), which some systems write."""

from __future__ import annotations

import ast
import math
import re
import warnings
from typing import Any, Final

from leaderboard.errors import FilesError
from leaderboard.files.document import parse
from leaderboard.types import Json

_LONGEST: Final = 1_000_000  # characters; Python needs a hundred bytes and more for each
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def read_literal(text: str) -> Json:
    """Parses text that is JSON or a Python literal. Nothing in it is ever run.

    Tuples and sets become lists. Values that JSON does not have become text.
    Raises ValueError for any other text.
    """
    try:
        return parse(text.encode("utf-8", "replace"), "text")
    except FilesError:
        pass
    if len(text) > _LONGEST:
        raise ValueError("too long to be read as a Python literal")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes inside strings
            return _as_json(ast.literal_eval(text.strip()))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError("neither JSON nor a Python literal") from error


def _as_json(value: Any) -> Json:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, dict):
        return {_as_text(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_as_json(item) for item in value), key=str)
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _as_text(value)


def _as_text(value: Any) -> str:
    return _HALF_CHARACTER.sub("\ufffd", str(value))
