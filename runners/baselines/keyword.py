"""The keyword router: picks a tool by the words of the request and fills its arguments with patterns.

It knows the tools' own names and descriptions, one hand-made pattern of trigger words for each tool of the tool-selection
suite, and the finders of `runners.baselines.patterns`; it never sees a ground truth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from leaderboard.types import Json, Parameter, Tool
from runners.baselines.patterns import FINDERS, NUMBER, names, number_of, numbers, quoted

# Words that make a tool a candidate, where tools are known by hand.
TRIGGERS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
        for name, words in {
            "get_weather": r"weather|raining|snowing|sunny|windy|how (?:hot|cold|warm)|temperature (?:in|at|outside)",
            "get_current_time": r"what time|current time|local time|time is it|time zone|timezone",
            "translate_text": r"translate|translation|how (?:do|would) (?:you|i|we) say",
            "calculate_route": (
                r"route|directions|how (?:do|can) i get|get (?:from|to)|how far|distance (?:from|between)|way (?:from|to)"
            ),
            "book_hotel": r"book|hotel|room|stay|nights?",
            "get_stock_price": r"stock|shares?|share price|ticker|trading at",
            "send_email": r"e-?mail|mail|write to",
            "get_news_headlines": r"news|headlines?",
            "convert_units": r"convert|conversion|how many .+ (?:is|are|in|does|do)|into (?:miles|feet|pounds|kilograms)",
            "set_reminder": r"remind|reminder",
            "find_restaurant": r"restaurants?|places? to eat|dinner|lunch|eat|cuisine|food",
            "get_calendar_events": r"calendar|appointments?|agenda|my schedule|meetings?",
            "solve_math_problem": (
                r"solve|calculate|compute|integral|derivative|equation|square root|plus|minus|times|divided by|percent|"
                r"sum of|product of|\d\s*[+*/^×÷]\s*\d+|\d\s+[-−]\s+\d+"
            ),
            "lookup_definition": r"definition|define|meaning of|what (?:does|do) .+ mean",
            "check_traffic": r"traffic|congestion|jams?|jammed|delays? on",
        }.items()
    }
)

_STOP_WORDS: Final = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does each for from get given gives had has have
    how i if in into is it its just let me more my need no not of on one or our out please should show so some such tell
    than that the their them then there these they this to up us use used using want was we were what when where which
    while who will with would you your
    """.split()  # noqa: SIM905 - prose reads better than ninety quoted words
)

# One name word, or three words of the description, make a tool a candidate that no trigger is known for.
_NAME_WEIGHT: Final = 3
_TRIGGER_WEIGHT: Final = 10


def words(text: str) -> frozenset[str]:
    """The words that carry meaning, lower-case, a plural or verbal ending taken off; camelCase and snake_case come apart."""
    parts = re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())
    return frozenset(_stem(part) for part in parts if part not in _STOP_WORDS and len(part) > 1)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=4096)
def _tool_words(name: str, description: str) -> tuple[frozenset[str], frozenset[str]]:
    in_name = words(name)
    return in_name, words(description) - in_name


def score(query: str, tool: Tool) -> int:
    """How well a tool's words fit the request; 0 is not at all."""
    in_name, in_description = _tool_words(tool.name, tool.description)
    asked = words(query)
    overlap = _NAME_WEIGHT * len(asked & in_name) + len(asked & in_description)
    trigger = TRIGGERS.get(tool.name)
    hits = {found.lower() for found in trigger.findall(query)} if trigger else set()
    return overlap + _TRIGGER_WEIGHT * len(hits)


def is_candidate(tool: Tool, points: int) -> bool:
    """Whether that score is enough to call the tool."""
    return points >= (_TRIGGER_WEIGHT if tool.name in TRIGGERS else _NAME_WEIGHT)


@dataclass(frozen=True, slots=True)
class Choice:
    """The tool that fits best, its score, the arguments found, and the required ones that were not."""

    tool: Tool
    points: int
    arguments: Mapping[str, Json]
    missing: tuple[str, ...]

    @property
    def is_candidate(self) -> bool:
        return is_candidate(self.tool, self.points)


def choose(query: str, tools: Sequence[Tool]) -> Choice | None:
    """The best tool for a request (the first of equals) with its arguments; None when there are no tools."""
    if not tools:
        return None
    points = [score(query, tool) for tool in tools]
    best = points.index(max(points))
    tool = tools[best]
    arguments = fill(query, tool)
    missing = tuple(p.name for p in tool.parameters if p.required and p.name not in arguments)
    return Choice(tool, points[best], arguments, missing)


def fill(query: str, tool: Tool) -> dict[str, Json]:
    """The arguments that can be found, in the order of the tool's parameters."""
    reading = _Reading.of(query, tool)
    found = {parameter.name: reading.value(parameter) for parameter in tool.parameters}
    return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class _Reading:
    """One request while arguments are taken from it: `numbers` and `texts` are those that nothing has taken yet.

    `named` holds the numbers that stand beside a parameter's name; they are taken before any other.
    """

    query: str
    named: Mapping[str, int | float]
    numbers: list[int | float]
    texts: list[str]

    @classmethod
    def of(cls, query: str, tool: Tool) -> _Reading:
        named = {
            p.name: n
            for p in tool.parameters
            if p.type in _NUMERIC and (n := _number_beside(p.name, query)) is not None
        }
        free = list(numbers(query))
        for number in named.values():
            if number in free:
                free.remove(number)
        return cls(query, named, free, [*quoted(query), *names(query)])

    def value(self, parameter: Parameter) -> Json | None:
        finder = FINDERS.get(parameter.name)
        if finder is not None:
            value = finder(self.query)
            if value is None or fits(value, parameter.type):
                return value
        value = self._from_enum(parameter)
        if value is None:
            find = _BY_TYPE.get(parameter.type)
            value = find(self, parameter) if find else None
        return value

    def _from_enum(self, parameter: Parameter) -> Json | None:
        allowed = parameter.schema.get("enum")
        if not isinstance(allowed, list):
            return None
        asked = self.query.lower()
        return next(
            (
                value
                for value in allowed
                if isinstance(value, str) and value and value.lower() in asked
            ),
            None,
        )

    def number(self, parameter: Parameter) -> int | float | None:
        """The number beside the parameter's name; else, when the parameter is required, the next one."""
        if parameter.name in self.named:
            return self.named[parameter.name]
        return self.numbers.pop(0) if parameter.required and self.numbers else None

    def integer(self, parameter: Parameter) -> int | None:
        value = self.number(parameter)
        return value if isinstance(value, int) else None

    def boolean(self, parameter: Parameter) -> bool | None:
        """True when the request speaks of it; nothing says false."""
        return True if words(parameter.name) & words(self.query) else None

    def string(self, parameter: Parameter) -> str | None:
        """The next quotation or name, for a required parameter."""
        return self.texts.pop(0) if parameter.required and self.texts else None

    def array(self, parameter: Parameter) -> list[Json] | None:
        """All numbers, or all quotations or names, as the items' type asks."""
        if not parameter.required:
            return None
        items = parameter.schema.get("items")
        kind = items.get("type") if isinstance(items, Mapping) else None
        if kind in ("integer", "float", "number"):
            return list(numbers(_brackets(self.query))) or None
        return list(quoted(self.query) or names(self.query)) or None if kind == "string" else None

    def anything(self, parameter: Parameter) -> Json | None:
        value = self.number(parameter)
        return self.string(parameter) if value is None else value


def _number_beside(name: str, query: str) -> int | float | None:
    """The number that follows a word of a parameter's name ("base of 12"), or comes right before it ("12 years")."""
    for part in re.findall(r"[A-Za-z]{3,}", name):
        found = re.search(
            rf"\b{part}\w*\s*(?:of|is|was|as|at|to|:|=)?\s*({NUMBER})", query, re.IGNORECASE
        ) or re.search(rf"({NUMBER})[\s-]*{part}", query, re.IGNORECASE)
        if found:
            return number_of(found.group(1))
    return None


def _brackets(text: str) -> str:
    """What stands in the first square brackets, else everything."""
    found = re.search(r"\[([^\]]*)\]", text)
    return found.group(1) if found else text


_NUMERIC: Final = ("integer", "number", "float", "any")
_BY_TYPE: Final[Mapping[str, Callable[[_Reading, Parameter], Json | None]]] = MappingProxyType(
    {
        "integer": _Reading.integer,
        "number": _Reading.number,
        "float": _Reading.number,
        "boolean": _Reading.boolean,
        "string": _Reading.string,
        "array": _Reading.array,
        "tuple": _Reading.array,
        "any": _Reading.anything,
    }
)


def fits(value: Json, declared: str) -> bool:
    """Whether a finder's value has a parameter's declared type."""
    if declared in ("number", "float"):
        return isinstance(value, int | float)
    return (
        isinstance(value, int)
        if declared == "integer"
        else isinstance(value, str) and declared in ("string", "any")
    )
