"""The expressions of services: a small part of Python, over arguments and rows.

Names, attributes of rows, constants, arithmetic, comparisons, `and`, `or`, `not`, `x if c else y`,
f-strings, and calls of `FUNCTIONS`. There are no loops, so every expression ends. A name that is a
keyword of Python has an underscore behind it: `row.from_ == from_`.
"""

from __future__ import annotations

import ast
import datetime
import keyword
import math
import operator
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from leaderboard.texts.short_text import single_spaced
from leaderboard.texts.unicode_forms import normalised
from leaderboard.types import Json

_Operator = Callable[[Any, Any], Any]


def plain_text(value: Json) -> str:
    """A text without accents, signs and upper case, so that spellings can be compared."""
    apart = normalised("NFKD", str(value))
    kept = "".join(char for char in apart if not unicodedata.combining(char)).casefold()
    return single_spaced("".join(char if char.isalnum() else " " for char in kept))


def by_spelling(values: Iterable[Json]) -> dict[str, Json]:
    """Values by their plain texts and by their own text in lower case, so that A+ is not A.

    4.0 can be written 4, too.
    """
    found: dict[str, Json] = {}
    exact: dict[str, Json] = {}
    for value in values:
        texts = [str(value)]
        if isinstance(value, float) and value.is_integer():
            texts.append(str(int(value)))
        for text in texts:
            found.setdefault(plain_text(text), value)
            exact.setdefault(text.casefold(), value)
    found.pop("", None)
    return {**found, **exact}


def _minutes(start: str, end: str) -> int:
    """Minutes from one time (HH:MM) to another, over midnight if necessary."""
    first, last = (datetime.time.fromisoformat(given) for given in (start, end))
    return (last.hour * 60 + last.minute - first.hour * 60 - first.minute) % 1440


def _add_minutes(start: str, minutes: float) -> str:
    moment = datetime.time.fromisoformat(start)
    total = (moment.hour * 60 + moment.minute + round(minutes)) % 1440
    return f"{total // 60:02}:{total % 60:02}"


def _days(start: str, end: str) -> int:
    return (datetime.date.fromisoformat(end) - datetime.date.fromisoformat(start)).days


def _add_days(start: str, days: int) -> str:
    return (datetime.date.fromisoformat(start) + datetime.timedelta(days=days)).isoformat()


def _weekday(date: str) -> str:
    # Not strftime, whose words depend on the locale.
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return names[datetime.date.fromisoformat(date).weekday()]


def _pick(row: Mapping[str, Json], names: str) -> dict[str, Json]:
    return {name: row[name] for name in names.split()}


def _column(rows: Sequence[Mapping[str, Json]], name: str) -> list[Json]:
    return [row[name] for row in rows]


def _contains(text: Json, part: Json) -> bool:
    """Whether a text, or an item of a list, contains the words. Signs alone are no words."""
    items = text if isinstance(text, list) else [text]
    words = plain_text(part)
    return bool(words) and any(words in plain_text(item) for item in items)


def _join(items: Sequence[Json]) -> str:
    return ", ".join(map(str, items))


FUNCTIONS: Final[Mapping[str, Callable[..., Json]]] = {
    "abs": abs,
    "add_days": _add_days,
    "add_minutes": _add_minutes,
    "ceil": math.ceil,
    "column": _column,
    "contains": _contains,
    "days": _days,
    "floor": math.floor,
    "join": _join,
    "len": len,
    "lower": str.lower,
    "max": max,
    "min": min,
    "minutes": _minutes,
    "pick": _pick,
    "round": round,
    "sqrt": math.sqrt,
    "sum": sum,
    "weekday": _weekday,
}
# What an expression raises if a value does not fit, for example a date beyond the calendar.
EVALUATION_ERRORS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

_BINARY: Final[Mapping[type[ast.operator], _Operator]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], _Operator]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_UNARY: Final[Mapping[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.Not: operator.not_,
}
_OPERATORS: Final = (ast.operator, ast.unaryop, ast.cmpop)
_KNOWN_OPERATORS: Final = frozenset({*_BINARY, *_COMPARISONS, *_UNARY})
_Values = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that can be evaluated. `names` are those of the values that it needs."""

    names: frozenset[str]
    _tree: ast.expr

    def value(self, values: _Values) -> Json:
        """The value. Raises one of EVALUATION_ERRORS."""
        return _value(self._tree, values)


@cache
def expression(text: str) -> Expression:
    """Reads an expression. Raises ValueError with what is wrong."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"is not an expression: {text!r:.80}") from error
    _check(tree)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = (
        _own_name(node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in called
    )
    return Expression(frozenset(names), tree)


def _own_name(name: str) -> str:
    shorter = name.removesuffix("_")
    return shorter if keyword.iskeyword(shorter) else name


def _check(tree: ast.expr) -> None:
    """Raises ValueError for syntax that expressions do not have."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
            if not known or node.keywords:
                raise ValueError(f"calls no function of services: {ast.unparse(node)!r:.80}")
        elif isinstance(node, ast.expr) and type(node) not in _EVALUATORS:
            raise ValueError(f"has syntax that services do not have: {ast.unparse(node)!r:.80}")
        elif isinstance(node, ast.FormattedValue) and (node.format_spec or node.conversion != -1):
            raise ValueError(f"formats a value: {ast.unparse(node)!r:.80}")
        elif isinstance(node, _OPERATORS) and type(node) not in _KNOWN_OPERATORS:
            raise ValueError("has an operator that services do not have")


def _value(node: ast.expr, values: _Values) -> Json:
    return _EVALUATORS[type(node)](node, values)


def _binary(node: Any, values: _Values) -> Json:
    left, right = _value(node.left, values), _value(node.right, values)
    if isinstance(node.op, ast.Mult | ast.Mod) and not (_is_number(left) and _is_number(right)):
        raise TypeError("only numbers can be multiplied")
    return _BINARY[type(node.op)](left, right)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float)


def _boolean(node: Any, values: _Values) -> Json:
    found: Json = None
    for item in node.values:
        found = _value(item, values)
        if bool(found) is isinstance(node.op, ast.Or):
            break
    return found


def _comparison(node: Any, values: _Values) -> bool:
    left = _value(node.left, values)
    for comparison, item in zip(node.ops, node.comparators, strict=True):
        right = _value(item, values)
        if not _COMPARISONS[type(comparison)](left, right):
            return False
        left = right
    return True


def _condition(node: Any, values: _Values) -> Json:
    return _value(node.body if _value(node.test, values) else node.orelse, values)


def _call(node: Any, values: _Values) -> Json:
    return FUNCTIONS[node.func.id](*(_value(item, values) for item in node.args))


def _item(node: Any, values: _Values) -> Json:
    return _value(node.value, values)[_value(node.slice, values)]


def _joined(node: Any, values: _Values) -> str:
    return "".join(str(_value(item, values)) for item in node.values)


_EVALUATORS: Final[Mapping[type[ast.expr], Callable[[Any, _Values], Json]]] = {
    ast.Attribute: lambda node, values: _value(node.value, values)[_own_name(node.attr)],
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Call: _call,
    ast.Compare: _comparison,
    ast.Constant: lambda node, _: node.value,
    ast.FormattedValue: lambda node, values: _value(node.value, values),
    ast.IfExp: _condition,
    ast.JoinedStr: _joined,
    ast.List: lambda node, values: [_value(item, values) for item in node.elts],
    ast.Name: lambda node, values: values[_own_name(node.id)],
    ast.Subscript: _item,
    ast.UnaryOp: lambda node, values: _UNARY[type(node.op)](_value(node.operand, values)),
}
