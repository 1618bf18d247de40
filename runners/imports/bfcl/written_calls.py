"""Calls that a model wrote as text: `[f(a=1), g(b="x")]` in Python, Java or JavaScript; or JSON.

Nothing in the text is ever run. The forms are those that BFCL's prompts ask for.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.files.python_literals import python_expression
from leaderboard.texts.code_text import split_code
from leaderboard.types import Json, Language

# A call: its name, and its arguments, which may have values that JSON does not know.
WrittenCall = tuple[str, dict[str, Any]]

_LONGEST: Final = 100_000  # characters; Python needs a hundred bytes and more for each
_MOST_BITS: Final = 1024  # of an integer, and of the result of a multiplication or a power
# The quotes that Markdown and some models put around their answer.
_AROUND: Final = "`\n "
_CALL: Final = re.compile(r"([A-Za-z_$][\w$.]*)\s*\((.*)\)", re.DOTALL)
_NAMED: Final = re.compile(r"([A-Za-z_$][\w$]*)\s*=(?!=)\s*(.+)", re.DOTALL)

_OPERATORS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_SIGNS: Final[Mapping[type, Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}


class UnreadableTextError(ValueError):
    """Text that is not one or more calls."""


def read_calls(text: str, language: Language | None) -> list[WrittenCall]:
    """The calls of a reply, in order; an argument without a name gets its place as a name, `#1`.

    Python if `language` is None. Raises UnreadableTextError for prose, and for anything that is
    not a list of calls.
    """
    body = text.strip(_AROUND)
    if len(body) > _LONGEST:
        raise UnreadableTextError("too long")
    body = body if body.startswith("[") else f"[{body}"
    body = body if body.endswith("]") else f"{body}]"
    return _python_calls(body) if language is None else _source_calls(body[1:-1], language)


def read_json_calls(text: str) -> list[WrittenCall]:
    """The calls of a reply that writes them as JSON: `[{"name": "f", "arguments": {"a": 1}}]`.

    Some models say `parameters`. Raises UnreadableTextError for anything else.
    """
    try:
        found = parse(text.strip(_AROUND).encode("utf-8", "replace"), "the reply")
    except FilesError as error:
        raise UnreadableTextError(error.problems[0].what) from error
    calls = []
    for item in found if isinstance(found, list) else [found]:
        name = item.get("name") if isinstance(item, dict) else None
        arguments = item.get("arguments", item.get("parameters")) if name else None
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise UnreadableTextError("an item that is not a call")
        calls.append((name, arguments))
    return calls


def as_json(value: Any, declared: Json) -> Json:
    """A value of a written call as JSON. A tuple is a list only where a tuple is declared.

    What JSON cannot say, as other tuples, becomes `{"python": source}`, which equals nothing.
    """
    if isinstance(value, tuple) and declared == "tuple":
        value = list(value)
    if isinstance(value, list):
        return [as_json(item, None) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: as_json(item, None) for key, item in value.items()}
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and value.bit_length() < 64:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return {"python": repr(value)[:_LONGEST]}


# ---------------------------------------------------------------- Python


def _python_calls(text: str) -> list[WrittenCall]:
    try:
        body = python_expression(text.strip("'"))
        if isinstance(body, ast.List):
            return [_python_call(item) for item in body.elts]
        return [_python_call(body)]
    except (ValueError, TypeError, ArithmeticError) as error:
        raise UnreadableTextError(str(error)) from error
    except RecursionError as error:
        raise UnreadableTextError("too deeply nested") from error


def _python_call(node: ast.expr) -> WrittenCall:
    if not isinstance(node, ast.Call):
        raise UnreadableTextError("an item that is not a call")
    name = node.func
    while isinstance(name, ast.Attribute):
        name = name.value
    if not isinstance(name, ast.Name):
        raise UnreadableTextError("a call of something without a name")
    arguments = {f"#{place}": _python_value(arg) for place, arg in enumerate(node.args, start=1)}
    for keyword in node.keywords:
        arguments[keyword.arg or "**"] = _python_value(keyword.value)
    return ast.unparse(node.func), arguments


def _python_value(node: ast.expr | None) -> Any:  # noqa: PLR0911 - one line for each form
    """A literal's value; names, and calls without named arguments, are kept as their source."""
    match node:
        case ast.Constant(value=int() as number) if number.bit_length() > _MOST_BITS:
            return hex(number)  # Python does not write its digits
        case ast.Constant(value=value):
            return "..." if value is ... else value
        case ast.List(elts=items):
            return [_python_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_python_value(item) for item in items)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {_python_value(key): _python_value(value) for key, value in pairs}
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_python_value(operand))
        case ast.BinOp():
            return _calculated(node)
        case ast.Call(keywords=[_, *_]):
            name, arguments = _python_call(node)
            return {name: arguments}
        case ast.Name() | ast.Call() | ast.Subscript():
            return ast.unparse(node)
    raise UnreadableTextError("a value that is not a literal")


def _calculated(node: ast.BinOp) -> Any:
    """The result of a calculation with numbers, or of texts put together."""
    calculate = _OPERATORS.get(type(node.op))
    if calculate is None or any(
        isinstance(side, ast.Name | ast.Call | ast.Subscript) for side in (node.left, node.right)
    ):
        raise UnreadableTextError("a calculation with something else than numbers")
    left, right = _python_value(node.left), _python_value(node.right)
    if isinstance(left, str) and isinstance(right, str) and isinstance(node.op, ast.Add):
        return left + right
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if not numbers or _grows_too_large(node.op, left, right):
        raise UnreadableTextError("a calculation with something else than small numbers")
    return calculate(left, right)


def _grows_too_large(sign: ast.operator, left: Any, right: Any) -> bool:
    """Whether an integer result would have more bits than any argument needs."""
    if not (isinstance(left, int) and isinstance(right, int)):
        return False
    if isinstance(sign, ast.Pow):
        return left.bit_length() * max(right, 1) > _MOST_BITS
    return left.bit_length() + right.bit_length() > _MOST_BITS


# ---------------------------------------------------------------- Java and JavaScript


def _source_calls(text: str, language: Language) -> list[WrittenCall]:
    try:
        statements = [split_code(statement, ",") for statement in split_code(text, ";")]
        return [_source_call(part, language) for parts in statements for part in parts]
    except ValueError as error:
        raise UnreadableTextError(str(error)) from error


def _source_call(text: str, language: Language) -> WrittenCall:
    match = _CALL.fullmatch(text)
    if match is None:
        raise UnreadableTextError("not a call")
    arguments: dict[str, Any] = {}
    for place, part in enumerate(split_code(match[2], ","), start=1):
        named = _NAMED.fullmatch(part)
        name, value = (named[1], named[2]) if named else (f"#{place}", part)
        if name in arguments:
            raise UnreadableTextError(f"the argument {name} twice")
        arguments[name] = _without_quotes(value, language)
    return match[1], arguments


def _without_quotes(value: str, language: Language) -> str:
    """The source of an argument's value; a text without its quotes, escapes kept as written."""
    quotes = "\"'" if language == "javascript" or len(value) == 3 else '"'
    if len(value) >= 2 and value[0] in quotes and value[0] == value[-1]:
        return value[1:-1]
    return value
