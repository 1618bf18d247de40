"""Python's own spelling of data (`{'name': 'Finish', 'ok': None}`), which some systems write where JSON is meant."""

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
    """The value of a text that is JSON or a Python literal. Nothing in it is ever run. Raises ValueError where it is neither.

    What JSON does not know becomes what it does: tuples and sets lists, other values and numbers beyond all bounds text.
    """
    try:
        return parse(text.encode("utf-8", "replace"), "text")
    except FilesError:
        return _plain(_python(text))


def _python(text: str) -> Any:
    if len(text) > _LONGEST:
        raise ValueError("too long to be read as a Python literal")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape inside a string is no news
            return ast.literal_eval(text.strip())
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError("neither JSON nor a Python literal") from error


def _plain(value: Any) -> Json:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, dict):
        return {
            _HALF_CHARACTER.sub("\ufffd", str(key)): _plain(item) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _HALF_CHARACTER.sub("\ufffd", str(value))
