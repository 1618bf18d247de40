"""The value of a formula that an argument holds: "17% of 2,340", "0.17 × 2340", "48 mod 7"."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Final

_LONGEST: Final = 200  # characters
_OPERATORS: Final[dict[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: math.pow,  # raises OverflowError, and ValueError for what is no real number
}

_NUMBER: Final = r"(\d+(?:\.\d+)?)"
# From the way that people write to Python's, one after the other.
_REWRITTEN: Final[tuple[tuple[str, str], ...]] = (
    (r"^(?:what is|what's|calculate|compute|evaluate|work out)\b:?", ""),
    (r"^[a-z ]+=", ""),  # "speed ="
    (r"[\s=?.]+$", ""),
    (r"(?<=\d),(?=\d{3}\b)", ""),
    (r"\b(?:the )?square root of\b|√", "sqrt"),
    (rf"\bsqrt\s*{_NUMBER}", r"sqrt(\1)"),
    (rf"{_NUMBER}\s*(?:%|percent|per cent)\s*of\b", r"(\1/100)*"),
    (rf"{_NUMBER}\s*(?:%(?!\s*[\d(])|percent|per cent)", r"(\1/100)"),
    (r"\bmod(?:ulo)?\b", "%"),
    (r"\bdivided by\b|[÷∕]", "/"),
    (r"\b(?:times|multiplied by)\b|[×·∙⋅]|(?<=\d)\s*x\s*(?=\d)", "*"),
    (r"\bplus\b", "+"),
    (r"\bminus\b|[−–]", "-"),
    (r"\^", "**"),
    ("²", "**2"),
    ("³", "**3"),
)
_WORD: Final = re.compile(r"[a-z]+")
_UNIT: Final = re.compile(r"(?<=\d)\s*([a-z]+)\b")
_FORMULA: Final = re.compile(r"(?:sqrt|\d(?:e[+-]?\d)?|[\s.+\-*/%()])+")
_REWRITES: Final = tuple((re.compile(found), new) for found, new in _REWRITTEN)


def formula_value(text: str, question: str) -> float | None:
    """The value of a formula of numbers, operators, percentages and square roots.

    None for every other text, such as a single number, an equation, or a question in words.
    Words of the question may follow numbers as units: "312 km / 2.6 hours". Others may change the
    value.
    """
    if len(text) > _LONGEST:
        return None
    written = text.casefold().strip()
    for found, new in _REWRITES:
        written = found.sub(new, written)
    units = _WORD.findall(question.casefold())
    written = _UNIT.sub(lambda unit: "" if unit[1] in units else unit[0], written)
    if not _FORMULA.fullmatch(written):
        return None
    try:
        formula = ast.parse(written.strip(), mode="eval").body
        if not isinstance(formula, ast.BinOp | ast.Call):
            return None
        value = _value(formula)
    except (SyntaxError, ValueError, ArithmeticError):
        return None
    return value if math.isfinite(value) else None


def _value(node: ast.expr) -> float:
    """The value of a part. Raises ValueError for what is not arithmetic."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument], keywords=[]):
            return math.sqrt(_value(argument))
        case _:
            raise ValueError("no arithmetic")
