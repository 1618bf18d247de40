"""What digits and signs mean, by the groups of `tokens`: "1.5k", "1h25", "5:1", "31/12/2026".

Each function returns the words that a match stands for. Decimal commas are read before, by
`decimal_commas`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Final

from scoring.facts.canonical_text.canonical_words import COMMA, SHORT_ORDINALS

LONGEST_NUMBER: Final = 30  # digits before the point, and also after it

_GROUPING: Final = re.compile(r"[,'\u00a0 ]")
_SIGNS: Final = {
    "%": "percent",
    "&": "and",
    "@": "at sign",
    "$": "usd",
    "€": "eur",
    "£": "gbp",
    "¥": "jpy",
    "▲": "up",
    "↑": "up",
    "▼": "down",
    "↓": "down",
}
_DEGREES: Final = {"c": "celsius", "f": "fahrenheit"}
DOTTED: Final = {"us": "usa"}


def plain_number(text: str) -> str:
    """A number without separators, plus sign and zeros that say nothing."""
    digits = _GROUPING.sub("", text).lstrip("+")
    sign = "-" if digits.startswith("-") else ""
    whole, _, part = digits.removeprefix("-").partition(".")
    if len(whole) > LONGEST_NUMBER:
        return whole
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")[:LONGEST_NUMBER]
    number = f"{whole}.{part}" if part else whole
    return number if number == "0" else sign + number


def _number(text: str) -> Iterable[str]:
    return (plain_number(text),)


def _times(factor: int) -> Callable[[str], Iterable[str]]:
    return lambda text: (plain_number(f"{Decimal(text[:-1]) * factor:f}"),)


def _with_unit(unit: str) -> Callable[[str], Iterable[str]]:
    return lambda text: (plain_number(text[:-1]), unit)


def _score(text: str) -> Iterable[str]:
    """A result or a ratio such as 5:1."""
    first, second = text.split(":")
    return (plain_number(first), "to", plain_number(second))


def _years(text: str) -> Iterable[str]:
    """Two years such as 1861–65."""
    first, second = re.split("[-–]", text)
    return (first, "to", f"{first[:2]}{second}" if second > first[2:] else second)


def _hours(text: str) -> Iterable[str]:
    """Hours and minutes such as 1h25 and 1h25m."""
    hours, minutes = re.findall(r"\d+", text)
    return (plain_number(hours), "hour", plain_number(minutes), "minute")


def _ordinal(text: str) -> Iterable[str]:
    number = int(text[:-2])
    return (SHORT_ORDINALS.get(number, f"{number}th"),)


def _dotted(text: str) -> Iterable[str]:
    word = re.sub(r"\W", "", text)
    return (DOTTED.get(word, word),)


def _numbered(_: str) -> Iterable[str]:
    """The "no." of "food no. 142". At the start of a sentence "no" is an answer of its own."""
    return ("number",)


def _address(text: str) -> Iterable[str]:
    return (text.rstrip(".,;:!?"),)


def _clock(text: str) -> Iterable[str]:
    parts = text.split(":")
    hour, minute, second = (*parts, "00")[:3]
    if int(hour) < 25 and int(minute) < 60 and int(second) < 60:
        late = "" if second == "00" else f":{second}"
        return (f"t{int(hour) % 24:02}:{minute}{late}",)
    return [word for part in parts for word in (plain_number(part), COMMA)][:-1]


def _date(text: str) -> Iterable[str]:
    first, second, third = re.split(r"[-./]", text)
    year, month, day = (first, second, third) if len(first) == 4 else (third, second, first)
    if int(month) > 12 and "/" in text:
        month, day = day, month
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 39:
        return (f"d{year}-{int(month):02}-{int(day):02}",)
    return plain_number(first), COMMA, plain_number(second), COMMA, plain_number(third)


def _sign(text: str) -> Iterable[str]:
    if text[0] == "°":
        return (_DEGREES.get(text[-1], "degree"),)
    return _SIGNS[text[0]].split()


def _canonical(text: str) -> Iterable[str]:
    return (text.removesuffix(":00") if text.count(":") > 1 else text,)


NOTATIONS: Final[Mapping[str, Callable[[str], Iterable[str]]]] = {
    "canonical": _canonical,
    "number": _number,
    "thousand": _times(1000),
    "million": _times(1_000_000),
    "kelvin": _with_unit("kelvin"),
    "metre": _with_unit("m"),
    "hours": _hours,
    "years": _years,
    "possessive": lambda _: (),
    "score": _score,
    "ordinal": _ordinal,
    "dotted": _dotted,
    "numbered": _numbered,
    "address": _address,
    "clock": _clock,
    "date": _date,
    "sign": _sign,
}
