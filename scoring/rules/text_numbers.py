"""The numbers that a text writes in decimal digits, also with a decimal comma: "1,5"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

from leaderboard.texts.markdown_marks import strip_emphasis
from leaderboard.texts.unicode_forms import normalised
from scoring.facts.canonical_text.decimal_commas import with_decimal_points
from scoring.facts.number_closeness import ROUGHLY

# The digits of H2O are no number, nor is the 3 of v1.2.3. A dash directly after a word, a digit or
# a bracket is no sign. A currency may be between: "-$5".
_NUMBER: Final = re.compile(
    r"""
    (?P<sign> (?<![\w)\]])[+\-\u2212\u2013]
      | (?: (?<![\w)\]$])[+\-\u2212\u2013]
          | \b(?P<word>(?i:minus|(?<!non-)negative))\s )
        (?:\\?[$\u00a3\u00a5\u20a0-\u20cf])? )?
    (?P<digits> (?<!\w)(?<![0-9]\.)
        (?: (?: [0-9]{1,3} (?P<mark>[,'_\u00a0\u2009\u202f\u2019])[0-9]{3}
                (?:(?P=mark)[0-9]{3})*(?![0-9])
              | [0-9]+ )
            (?:\.[0-9]+)?
          | \.[0-9]+ )
        (?:[eE][+\-\u2212]?[0-9]+)? )
    (?: \s?(?:[x*\u00d7\u00b7]|\\times|\\cdot)\s?10
        (?: \^\{?(?P<power>[+\-\u2212]?[0-9]{1,3})(?![0-9])\}?
          | (?P<raised>\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,3}) ) )?
    """,
    re.VERBOSE,
)
# What precedes "minus" or "negative" as a sign: the start of a clause, or one of these words. In
# "ten minus 5", "y minus 3" and "the opposite of negative 5" it is none.
_BEFORE_SIGN: Final = re.compile(
    r"(?i)(?:^|\n\s*|[^\w\s)\]}%$\u20ac]\s*|\b(?:(?<!input )(?:is|are|was|were|be)"
    r"|(?<!negative )(?<!opposite )of|to|at|by|from|or|and|than|now|exactly|equals?|gives?|yields?"
    rf"|a|gets?|got|returns?|returned|{'|'.join(sorted(ROUGHLY))})\s+)$"
)
_SIGN_REACH: Final = 80  # characters before the word of a sign
_PLAIN: Final = str.maketrans({"\u2212": "-"} | dict.fromkeys(",'_\u00a0\u2009\u202f\u2019"))


def first_number(text: str) -> Decimal | None:
    """The first number of a text, with or without thousands separators; None without one."""
    found = next(written_numbers(strip_emphasis(text)), None)
    return None if found is None else value_of(found)


def written_numbers(plain: str) -> Iterator[re.Match[str]]:
    """The numbers of a text without emphasis, in their places."""
    return _NUMBER.finditer(with_decimal_points(plain))


def value_of(found: re.Match[str]) -> Decimal | None:
    """The value of a number that `written_numbers` finds; None if its exponent is too large."""
    power = found["power"] or normalised("NFKC", found["raised"] or "")
    exponent = f"e{power}" if power else ""
    sign = "-" if _is_negative(found) else ""
    try:
        return Decimal(f"{sign}{found['digits']}{exponent}".translate(_PLAIN))
    except InvalidOperation:  # an exponent above 10**18 is not meant as a number
        return None


def _is_negative(found: re.Match[str]) -> bool:
    if not found["word"]:
        return not (found["sign"] or "+").startswith("+")
    before = found.string[max(0, found.start() - _SIGN_REACH) : found.start()]
    return _BEFORE_SIGN.search(before) is not None
