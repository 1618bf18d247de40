"""Calls of simulated APIs that are made without understanding, and answers pasted from replies.

A strategy is a way to call, and a way to paste what the calls reply.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final, NamedTuple

from leaderboard.apis.api_definitions import ToolDefinition, definitions_of
from leaderboard.types import Call, Case, Json
from runners.apis.api_call import ApiCall
from runners.apis.virtual_apis import VirtualApis
from tests.understanding.question_parts import values, words
from tests.understanding.shipped_scores import CategoryScores, Share, apis
from tests.understanding.text_strategies import PLAIN

_MOST_CALLS: Final = 60  # in one round
_MOST_VALUES: Final = 12  # tried for one parameter


_Tried = tuple[ToolDefinition, dict[str, Json]]


class Leaf(NamedTuple):
    """A value of a reply: its key, the other values of its record, and the place of its call."""

    key: str
    value: str
    record: str
    call: int


def leaves(reply: Json, call: int, key: str = "", record: str = "") -> Iterator[Leaf]:
    """Every value of a reply, in order."""
    if isinstance(reply, Mapping):
        plain = [str(value) for value in reply.values() if not isinstance(value, Mapping | list)]
        for name, value in reply.items():
            yield from leaves(value, call, str(name).replace("_", " "), " ".join(plain))
    elif isinstance(reply, list):
        for value in reply:
            yield from leaves(value, call, key, record)
    elif reply is not None:
        yield Leaf(key, str(reply), record, call)


@dataclass
class Explored:
    """A query, and calls of its candidate APIs that succeeded, round by round."""

    case: Case
    apis: VirtualApis

    @cached_property
    def candidates(self) -> tuple[ToolDefinition, ...]:
        return definitions_of(self.case.record)

    def examples(self) -> list[Call]:
        """Every candidate, called with the examples of its description."""
        return self._made(
            [(api, {one.name: one.example for one in api.parameters if one.required})]
            for api in self.candidates
        )

    def all_examples(self) -> list[Call]:
        """The same, with optional parameters."""
        return self._made(
            [(api, {one.name: one.example for one in api.parameters})] for api in self.candidates
        )

    @cached_property
    def first_round(self) -> list[Call]:
        """Every candidate, called with everything in the query that may be a value."""
        return self._made(self._tried(api, values(self.case.query)) for api in self.candidates)

    @cached_property
    def second_round(self) -> list[Call]:
        return self._next(self.first_round)

    @cached_property
    def third_round(self) -> list[Call]:
        return self._next(self.second_round)

    def _next(self, calls: Sequence[Call]) -> list[Call]:
        """The calls, and every candidate called with the values that they replied."""
        found = [leaf.value for at, call in enumerate(calls) for leaf in leaves(call.result, at)]
        short = [value for value in dict.fromkeys(found) if len(value) < 40]
        more = self._made(self._tried(api, short) for api in self.candidates)
        known = {repr((call.name, call.arguments)) for call in calls}
        return [*calls, *(c for c in more if repr((c.name, c.arguments)) not in known)]

    def _tried(self, api: ToolDefinition, found: Sequence[str]) -> Iterator[_Tried]:
        """Calls of an API: each required parameter with each value, the others in turn."""
        required = [one for one in api.parameters if one.required]
        fitting = [
            [_typed(value, one.type) for value in found if _fits(value, one.type)][:_MOST_VALUES]
            or [one.example]
            for one in required
        ]
        if not required:
            yield api, {}
            return
        lengths = max(map(len, fitting))
        for at in range(lengths):
            for shift in range(max(1, len(required))):
                yield (
                    api,
                    {
                        one.name: some[(at + shift * place) % len(some)]
                        for place, (one, some) in enumerate(zip(required, fitting, strict=True))
                    },
                )

    def _made(self, tried: Iterable[Iterable[_Tried]]) -> list[Call]:
        made: dict[str, Call] = {}
        for some in tried:
            for api, arguments in some:
                reply = self._reply(api, arguments)
                if reply is not None and len(made) < _MOST_CALLS:
                    made.setdefault(repr((api.sanitised_name, arguments)), reply)
        return list(made.values())

    def _reply(self, api: ToolDefinition, arguments: Mapping[str, Json]) -> Call | None:
        name = api.name
        answer = self.apis.answer(ApiCall(name, arguments))
        if answer.reply.error or answer.reply.is_empty:
            return None
        return Call(api.name.wrapper, arguments, answer.reply.response)


def _fits(value: str, type_: str) -> bool:
    return type_ not in ("number", "integer") or re.fullmatch(r"-?\d+(\.\d+)?", value) is not None


def _typed(value: str, type_: str) -> Json:
    if type_ in ("number", "integer"):
        number = float(value)
        return int(number) if number.is_integer() else number
    return value


CALLERS: Final[Mapping[str, Callable[[Explored], list[Call]]]] = {
    "examples": Explored.examples,
    "all examples": Explored.all_examples,
    "one round": lambda query: query.first_round,
    "two rounds": lambda query: query.second_round,
    "three rounds": lambda query: query.third_round,
}


# ---------------------------------------------------------------- pasting


@dataclass(frozen=True)
class Replies:
    """What there is to paste."""

    query: str
    calls: Sequence[Call]

    @cached_property
    def leaves(self) -> list[Leaf]:
        found = [leaf for at, call in enumerate(self.calls) for leaf in leaves(call.result, at)]
        return list({(leaf.key, leaf.value): leaf for leaf in found}.values())

    @cached_property
    def asked(self) -> set[str]:
        return {_stem(word) for word in words(self.query) if len(word) > 3}

    def shared(self, text: str) -> int:
        """How many words of the query occur in a text."""
        return len({_stem(word) for word in words(text)} & self.asked)

    def nearest(self) -> list[Leaf]:
        """The values, those first whose key, record and API share most words with the query."""
        return sorted(self.leaves, key=lambda leaf: -self._nearness(leaf))

    def _nearness(self, leaf: Leaf) -> int:
        return (
            3 * self.shared(leaf.key)
            + 2 * self.shared(leaf.record)
            + self.shared(self.calls[leaf.call].name.replace("_", " "))
        )


def _stem(word: str) -> str:
    return word.lower()[:5]


Paste = Callable[[Replies], str]
Calls = tuple[Call, ...]


def _sentence(leaf: Leaf) -> str:
    return f"The {leaf.key} is {leaf.value}."


_STYLES: Final[Mapping[str, Callable[[Sequence[Leaf]], str]]] = {
    "values": lambda some: ", ".join(leaf.value for leaf in some),
    "lines": lambda some: "\n".join(f"{leaf.key}: {leaf.value}" for leaf in some),
    "sentences": lambda some: " ".join(map(_sentence, some)),
    "introduced values": lambda some: (
        "Here is everything that I could find out about your request; I hope that it helps: "
        + ", ".join(leaf.value for leaf in some)
    ),
    "bullets": lambda some: "\n".join(f"- **{leaf.key}**: {leaf.value}" for leaf in some),
}
_SELECTIONS: Final[Mapping[str, Callable[[Replies], list[Leaf]]]] = {
    "in order": lambda replies: replies.leaves,
    "near the query": Replies.nearest,
    "last first": lambda replies: replies.leaves[::-1],
    "not in the query": lambda replies: [
        leaf for leaf in replies.nearest() if leaf.value.lower() not in replies.query.lower()
    ],
    "of asked keys": lambda replies: [
        leaf for leaf in replies.nearest() if replies.shared(leaf.key)
    ],
    "of asked records": lambda replies: [
        leaf for leaf in replies.nearest() if replies.shared(leaf.record)
    ],
    "numbers": lambda replies: [leaf for leaf in replies.nearest() if leaf.value[:1].isdigit()],
}
# Made in a second round of attacks.
_MORE_SELECTIONS: Final[Mapping[str, Callable[[Replies], list[Leaf]]]] = {
    "of the nearest call": lambda replies: [
        leaf for leaf in replies.nearest() if leaf.call == replies.nearest()[0].call
    ],
    "that are texts": lambda replies: [
        leaf for leaf in replies.nearest() if not leaf.value[:1].isdigit()
    ],
}
_MORE_STYLES: Final[Mapping[str, Callable[[Sequence[Leaf]], str]]] = {
    "sentences with records": lambda some: " ".join(
        f"For {leaf.record}, the {leaf.key} is {leaf.value}." for leaf in some
    ),
    "values after yes": lambda some: f"Yes: {' and '.join(leaf.value for leaf in some)}.",
    "values in German": lambda some: (
        "Das ist alles, was ich zu Ihrer Frage finden kann, und ich hoffe, dass es hilft: "
        + ", ".join(leaf.value for leaf in some)
    ),
    "German sentences": lambda some: " ".join(
        f"Der Wert für {leaf.key} ist {leaf.value} und das ist alles." for leaf in some
    ),
    "values in one breath": lambda some: " ".join(f"{leaf.value} {leaf.key}" for leaf in some),
}
_MORE_SIZES: Final = (2, 8)
_SIZES: Final = (1, 3, 6, 10, 16, 25, 1000)


def pastes() -> Iterator[tuple[str, Paste]]:
    """Ways to paste replies, by name."""
    for selection_name, selection in _SELECTIONS.items():
        for style_name, style in _STYLES.items():
            for size in _SIZES:
                yield f"{size} {style_name} {selection_name}", _paste(selection, style, size)
    for selection_name, selection in {**_SELECTIONS, **_MORE_SELECTIONS}.items():
        for style_name, style in _MORE_STYLES.items():
            for size in _MORE_SIZES:
                yield f"{size} {style_name} {selection_name}", _paste(selection, style, size)
    yield "JSON of all", lambda replies: json.dumps([call.result for call in replies.calls])
    yield "JSON of the first", lambda replies: json.dumps([c.result for c in replies.calls[:1]])
    yield "JSON of the last", lambda replies: json.dumps([c.result for c in replies.calls[-1:]])
    yield "JSON near the query", _nearest_json
    yield "60 words", lambda replies: " ".join(_text(replies).split()[:60])
    yield "240 words", lambda replies: " ".join(_text(replies).split()[:240])
    yield "the query, then values", lambda replies: f"{replies.query} {_text(replies)}"


def _paste(
    selection: Callable[[Replies], list[Leaf]], style: Callable[[Sequence[Leaf]], str], size: int
) -> Paste:
    return lambda replies: style(selection(replies)[:size])


def _text(replies: Replies) -> str:
    return " ".join(f"{leaf.key} {leaf.value}." for leaf in replies.nearest())


def _nearest_json(replies: Replies) -> str:
    ranked = sorted(replies.calls, key=lambda call: -replies.shared(json.dumps(call.result)))
    return json.dumps([call.result for call in ranked[:2]])


def answers(explored: Explored) -> Iterator[tuple[str, Callable[[], Calls], Paste]]:
    """Every strategy's calls and way to answer one query, by name."""
    query = explored.case.query
    for text in PLAIN:
        yield f"no calls: {text}", _no_calls, _constant(text)
    yield "no calls: the query", _no_calls, _constant(query)
    yield "no calls: the query's values", _no_calls, _constant(", ".join(values(query)))
    for caller_name, caller in CALLERS.items():
        called = _once(caller, explored)
        for text in (*PLAIN[:3], query):
            yield f"{caller_name}: {text}", called, _constant(text)
        for paste_name, paste in pastes():
            yield f"{caller_name}: {paste_name}", called, paste


def invented(case: Case, solution: str) -> Iterator[tuple[Calls, str]]:
    """The right answer, and the query, after calls whose replies are made up."""
    candidates = definitions_of(case.record)
    for text in (solution, case.query):
        for made in (text, {"result": text, "error": ""}, {"answers": text.split()}):
            calls = [
                Call(api.name.wrapper, {one.name: one.example for one in api.parameters}, made)
                for api in candidates
            ]
            yield tuple(calls), text
            yield tuple(calls[:1]), text


def _no_calls() -> Calls:
    return ()


def _constant(text: str) -> Paste:
    return lambda _: text


def _once(caller: Callable[[Explored], list[Call]], explored: Explored) -> Callable[[], Calls]:
    return lru_cache(maxsize=1)(lambda: tuple(caller(explored)))


def shares_of_all(scores: CategoryScores, every: int) -> list[Share]:
    """What every n-th strategy scores. Each query is explored once."""
    totals: dict[str, float] = defaultdict(float)
    passed: dict[str, list[tuple[str, str]]] = defaultdict(list)
    cases = scores.category.cases
    for case in cases:
        for name, called, paste in islice(answers(Explored(case, apis())), 0, None, every):
            calls = called()
            text = paste(Replies(case.query, calls))
            score = scores.score(case, (calls, text))
            totals[name] += score
            if score and len(passed[name]) < 2:
                passed[name].append((case.query[:60], text[:80]))
    return [Share(name, total / len(cases), tuple(passed[name])) for name, total in totals.items()]
