"""Whether two JSON values are equal, and whether a judge could find them equal in meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal, InvalidOperation
from typing import Final

from leaderboard.texts.short_text import single_spaced
from leaderboard.texts.unicode_forms import normalised
from leaderboard.types import Json

TOLERANCE: Final = Decimal("1e-10")

_ROUNDED_UP: Final = Context(prec=28, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_DECIMAL: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

_Number = int | float | Decimal


def equal(expected: Json, got: Json) -> bool:
    """Whether two JSON values are equal in value. Symmetric, and raises for no JSON.

    - Numbers, and text that is a decimal number, are equal within 1e-10, however small they are.
      Two integers must be the same. NaN equals NaN.
    - Booleans equal themselves and the words "true" and "false".
    - Text is compared as `caseless` writes it.
    - Lists are compared in order, objects by key. Null equals only null.
    """
    return all(_scalars_equal(left, right) for left, right in paired(expected, got))


def identical(a: Json, b: Json) -> bool:
    """Whether two JSON values are written the same, apart from the order of keys."""
    return all(
        type(left) is type(right)
        and not isinstance(left, dict | list)
        and (left == right or (left != left and right != right))  # noqa: PLR0124 (NaN is identical to NaN)
        for left, right in paired(a, b)
    )


def textual(expected: Json, got: Json) -> bool:
    """Whether two unequal values differ only in words, so that a judge could find them equal.

    That is text against text unless both are numbers, or a number against expected text that is
    no number. Lists of the same length and objects with the same keys differ only in words if all
    their unequal members do. Code decides everything else.
    """
    return all(
        _words_differ(left, right) or _scalars_equal(left, right)
        for left, right in paired(expected, got)
    )


def paired(one: Json, other: Json) -> Iterator[tuple[Json, Json]]:
    """The values at the same places of two JSON values.

    Objects with other keys and lists of other lengths are paired as they are.
    """
    # A list of pairs instead of recursion, so that no answer is nested too deeply.
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
            pairs.extend((left[key], right[key]) for key in left)
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            pairs.extend(zip(left, right, strict=True))
        else:
            yield left, right


def caseless(text: str) -> str:
    """The text in NFC and without letter case, trimmed, with single spaces."""
    return single_spaced(normalised("NFC", text)).casefold()


def _words_differ(expected: Json, got: Json) -> bool:
    if not isinstance(expected, str) or isinstance(got, bool):
        return False
    if isinstance(got, str):
        return _decimal(expected) is None or _decimal(got) is None
    return isinstance(got, int | float) and _decimal(expected) is None


def _scalars_equal(left: Json, right: Json) -> bool:
    if type(left) is type(right) is int:
        return left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return _truth(left) is not None and _truth(left) is _truth(right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right or _texts_equal(left, right)
    if not isinstance(left, int | float | str) or not isinstance(right, int | float | str):
        return left is None and right is None
    left, right = _number(left), _number(right)
    return left is not None and right is not None and _numbers_equal(left, right)


def _truth(value: Json) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def _texts_equal(left: str, right: str) -> bool:
    first, second = _decimal(left), _decimal(right)
    if first is None or second is None:
        return caseless(left) == caseless(right)
    return _numbers_equal(first, second)


def _numbers_equal(left: _Number, right: _Number) -> bool:
    if left == right:
        return True
    if not (_finite(left) and _finite(right)):
        return left != left and right != right  # noqa: PLR0124 (NaN equals NaN)
    return distance(as_decimal(left), as_decimal(right)) <= TOLERANCE


def distance(left: Decimal, right: Decimal) -> Decimal:
    """The absolute difference, rounded up: it never looks smaller than it is."""
    return _ROUNDED_UP.subtract(left, right).copy_abs()


def _finite(number: _Number) -> bool:
    return not isinstance(number, float) or math.isfinite(number)


def as_decimal(number: _Number) -> Decimal:
    """The number that its author wrote: of a float the repr, not its binary expansion."""
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def _number(value: float | str) -> _Number | None:
    return _decimal(value) if isinstance(value, str) else value


def _decimal(text: str) -> Decimal | None:
    """The number that the text is, in ASCII decimal digits, or None. "007" and "1_000" are text."""
    text = text.strip()
    if not text or text[-1] not in "0123456789" or not _DECIMAL.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent above 10**18 is not meant as a number
        return None
