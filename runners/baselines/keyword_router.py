"""The keyword router: picks the tool that shares most words with a request, and fills arguments.

It knows no tool in advance: it reads names, descriptions and parameters. Values are the numbers,
dates, quotations, capitalised names and enum values in the request. It sees no ground truth.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from leaderboard.types import Json, Parameter, Tool
from runners.content_words import content_words

# The weight of a shared word, divided by the number of offered tools that have the word.
_NAME_WEIGHT: Final = 2.0
_DESCRIPTION_WEIGHT: Final = 1.0
# A tool fits with one word of its name that no other tool has, or with two of its description.
_ENOUGH: Final = 2.0

_QUOTATION: Final = re.compile(r"\"(.+?)\"|“(.+?)”|‘(.+?)’|«\s*(.+?)\s*»|(?<!\w)'(.+?)'(?!\w)")
# At most 18 digits in a row: Python refuses to read numbers of thousands of digits.
_NUMBER: Final = re.compile(r"(?<![\w.,])[-−]?\d{1,18}(?!\d)(?:,\d{3}){0,5}(?:\.\d{1,18}(?!\d))?")
# Capitalised words in a row. The capital that opens a sentence makes no name.
_CAPITALISED: Final = r"[A-ZÀ-ÖØ-Þ][\w-]+"
_NAME: Final = re.compile(rf"(?<!^)(?<![.?!:]\s)\b{_CAPITALISED}(?:\s+{_CAPITALISED})*")

_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_YEAR: Final = r"(?P<year>\d{4})"
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*"
_DAY: Final = r"(?P<day>\d{1,2})"
_DATE_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        rf"\b{_YEAR}-(?P<month>\d\d)-{_DAY}(?!\d)",
        rf"\b{_DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b",
        rf"\b{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}\b",
    )
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A tool for a request. `arguments` are those found, `missing` the required ones not found."""

    tool: Tool
    points: float
    arguments: Mapping[str, Json]
    missing: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether the request shares enough words with the tool to call it."""
        return self.points >= _ENOUGH

    @property
    def is_complete(self) -> bool:
        """Whether the tool fits and no required argument is missing."""
        return self.fits and not self.missing

    @property
    def forced_arguments(self) -> dict[str, Json]:
        """The arguments of a call that is made in any case: missing ones are empty text."""
        return {**self.arguments, **dict.fromkeys(self.missing, "")}


def choose(query: str, tools: Sequence[Tool]) -> Choice | None:
    """The tool that matches best, the first of equals; None when there are no tools."""
    return next(iter(ranked(query, tools)), None)


def ranked(query: str, tools: Sequence[Tool]) -> list[Choice]:
    """All tools with their arguments, the best match first; equal matches keep their order."""
    asked = content_words(query)
    descriptions = []
    for tool in tools:
        texts = [tool.name, tool.description]
        for parameter in tool.parameters:
            texts += [parameter.name, parameter.description]
        descriptions.append(_words(" ".join(texts)))
    tools_with = Counter(word for described in descriptions for word in described)
    choices = []
    for tool, described in zip(tools, descriptions, strict=True):
        named = _words(tool.name)
        points = 0.0
        # Sorted, because the sum of floats depends on their order, and that of a set differs.
        for word in sorted(described & asked):
            weight = _NAME_WEIGHT if word in named else _DESCRIPTION_WEIGHT
            points += weight / tools_with[word]
        arguments = fill(query, tool)
        missing = tuple(p.name for p in tool.parameters if p.required and p.name not in arguments)
        choices.append(Choice(tool, points, arguments, missing))
    # The sort is stable, so the first of equal tools stays first.
    return sorted(choices, key=lambda choice: -choice.points)


# A suite offers the same tools in case after case.
_words = lru_cache(maxsize=4096)(content_words)


def fill(query: str, tool: Tool) -> dict[str, Json]:
    """The arguments that a request gives, in the order of the tool's parameters."""
    values = _Values(query)
    arguments: dict[str, Json] = {}
    for parameter in tool.parameters:
        value = values.take(parameter)
        if value is not None:
            arguments[parameter.name] = value
    return arguments


class _Values:
    """The values that a request gives, by kind and in order. Each is taken once."""

    def __init__(self, query: str) -> None:
        self.query = query
        quotations = [next(filter(None, groups)) for groups in _QUOTATION.findall(query)]
        # A value has one kind: "18 July 2027" is a date, not two numbers and a name.
        rest = _QUOTATION.sub("|", query)
        dates: dict[int, str | None] = {}
        for form in _DATE_FORMS:
            dates |= {found.start(): _iso_date(found) for found in form.finditer(rest)}
            rest = form.sub(lambda found: "|" * len(found.group()), rest)
        self.dates: list[Json] = [dates[start] for start in sorted(dates) if dates[start]]
        self.numbers: list[Json] = [_number(text) for text in _NUMBER.findall(rest)]
        self.texts: list[Json] = [*quotations, *_NAME.findall(rest)]

    def take(self, parameter: Parameter) -> Json | None:
        """The value of a parameter. An optional one gets nothing but an enum value or a yes."""
        choices = parameter.schema.get("enum")
        if isinstance(choices, list):
            return next((value for value in choices if self._mentions(str(value))), None)
        if parameter.type == "boolean":
            return True if _words(parameter.name) & content_words(self.query) else None
        return self._take_required(parameter) if parameter.required else None

    def _take_required(self, parameter: Parameter) -> Json | None:
        """The next value of the parameter's type; for an array all values of its items' type."""
        if parameter.type in ("array", "tuple"):
            items = parameter.schema.get("items")
            item_type = items.get("type") if isinstance(items, Mapping) else None
            return list(self._values_of(item_type)) or None
        is_date = parameter.type == "string" and (
            parameter.schema.get("format") == "date"
            or "YYYY-MM-DD" in parameter.description
            or "date" in _words(parameter.name)
        )
        values = self.dates if is_date else self._values_of(parameter.type)
        for place, value in enumerate(values):
            if parameter.type != "integer" or isinstance(value, int):
                return values.pop(place)
        return None

    def _mentions(self, text: str) -> bool:
        """Whether the request contains a text as a word, in any letter case."""
        word = rf"(?<!\w){re.escape(text)}(?!\w)"
        return bool(text) and re.search(word, self.query, re.IGNORECASE) is not None

    def _values_of(self, type_name: Json) -> list[Json]:
        """The values of a JSON Schema type that are not taken yet."""
        if type_name in ("integer", "number", "float"):
            return self.numbers
        if type_name == "any":
            return self.texts or self.numbers
        return self.texts if type_name == "string" else []


def _iso_date(found: re.Match[str]) -> str | None:
    """The day as YYYY-MM-DD; None where the calendar has no such day."""
    month = found["month"].lower()
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
    try:
        return datetime.date(int(found["year"]), number, int(found["day"])).isoformat()
    except ValueError:
        return None


def _number(text: str) -> int | float:
    """The number that a match of _NUMBER writes: an int unless it has a decimal point."""
    plain = text.replace(",", "").replace("−", "-")
    return float(plain) if "." in plain else int(plain)
