"""The numbers that a text writes in decimal digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

from scoring.rules.text_rule import strip_emphasis

# The digits of H2O are no number, nor is the 3 of v1.2.3. A dash directly after a word, a digit or
# a bracket is no sign.
_NUMBER: Final = re.compile(
    r"(?:(?<![\w)\]])[+\-\u2212])?"
    r"(?<!\w)(?<![0-9]\.)"
    r"(?:(?:[0-9]{1,3}(?:(?P<mark>[,'_\u00a0\u2009\u202f\u2019])[0-9]{3})(?:(?P=mark)[0-9]{3})*"
    r"(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
    r"(?:[eE][+\-\u2212]?[0-9]+)?"
)
_PLAIN: Final = str.maketrans({"\u2212": "-"} | dict.fromkeys(",'_\u00a0\u2009\u202f\u2019"))


def first_number(text: str) -> Decimal | None:
    """The first number of a text, with or without thousands separators; None without one."""
    return _decimal(next(_written(text), None))


def last_number(text: str) -> Decimal | None:
    """The last number of a text, with or without thousands separators; None without one."""
    last = None
    for last in _written(text):  # noqa: B007 (the last one is wanted)
        pass
    return _decimal(last)


def _written(text: str) -> Iterator[re.Match[str]]:
    return _NUMBER.finditer(strip_emphasis(text))


def _decimal(found: re.Match[str] | None) -> Decimal | None:
    try:
        return Decimal(found.group().translate(_PLAIN)) if found else None
    except InvalidOperation:  # an exponent above 10**18 is not meant as a number
        return None
