"""Python's spelling of data (`{'name': 'Finish', 'ok': None}`), which some systems write."""

from __future__ import annotations

import ast
import math
import re
import warnings
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.texts.unicode_forms import has_piled_marks
from leaderboard.types import Json

_LONGEST: Final = 1_000_000  # characters; Python needs a hundred bytes and more for each
_MOST_BITS: Final = 1024  # of an integer; JSON files have no larger ones either
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
    expression = python_expression(text)
    try:
        return literal_value(expression)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError("neither JSON nor a Python literal") from error


def python_expression(text: str) -> ast.expr:
    """The syntax of a Python expression. Raises ValueError for any other text."""
    if len(text) > _LONGEST or has_piled_marks(text):  # Python normalises names
        raise ValueError("too long, or with too many marks, to be read as a Python literal")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes inside strings
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError("neither JSON nor a Python literal") from error


def literal_value(node: ast.expr | None) -> Json:
    """The value of a literal. No number becomes a key: numbers can be chosen to collide in a hash.

    Raises ValueError or TypeError.
    """
    match node:
        case ast.Constant():
            return _constant(node.value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return _constant(-number)
        case ast.List() | ast.Tuple():
            return list(map(literal_value, node.elts))
        case ast.Set():
            members = {_key(item): item for item in map(literal_value, node.elts)}
            return [members[key] for key in sorted(members)]
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {_key(literal_value(key)): literal_value(item) for key, item in pairs}
    raise ValueError("an expression that is not a literal")


def _key(value: Json) -> str:
    if isinstance(value, list | dict):
        raise TypeError("a key that is a list or an object")
    return _as_text(value)


def _constant(value: object) -> Json:
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise ValueError("too large an integer")
    if value is None or isinstance(value, int):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else _as_text(value)


def _as_text(value: object) -> str:
    return _HALF_CHARACTER.sub("\ufffd", str(value))
