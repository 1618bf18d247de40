"""Calls that are made without understanding: in one turn, and in an environment."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from string import ascii_lowercase
from typing import Final

from leaderboard.types import Call, Case, Json, Suite, Tool
from runners.environments import registry
from runners.environments.environment import Environment
from runners.environments.relational import FOODS, LOCATIONS, USERS
from tests.understanding.question_parts import (
    after,
    capitals,
    content,
    numbers,
    quoted,
    values,
    words,
)
from tests.understanding.shipped_scores import Answer, Strategy

Named = Iterator[tuple[str, Strategy]]
Filling = Callable[[Tool, str], dict[str, Json]]

# ---------------------------------------------------------------- one call


def _typed(value: str, type_: str) -> Json:
    """A value as the type of a parameter requires it, if it can be."""
    found = re.search(r"-?\d+(?:\.\d+)?", value)
    if type_ in ("number", "integer"):
        return float(found[0]) if found else 1
    return [value] if type_ == "array" else value


def _in_turn(parts: Callable[[str], Sequence[str]], *, everything: bool = False) -> Filling:
    """Fills each parameter with the next part of the question."""

    def fill(tool: Tool, question: str) -> dict[str, Json]:
        texts, figures = list(parts(question)), numbers(question)
        made: dict[str, Json] = {}
        for parameter in tool.parameters:
            if parameter.required or everything:
                is_number = parameter.type in ("number", "integer")
                pool = figures if is_number and figures else texts
                value = pool.pop(0) if pool else question
                made[parameter.name] = _typed(value, parameter.type)
        return made

    return fill


def _by_preposition(tool: Tool, question: str) -> dict[str, Json]:
    """Fills “from_unit” with what follows “from”, “to_unit” with what follows “to”, and so on."""
    made: dict[str, Json] = {}
    rest = values(question)
    figures = numbers(question)
    for parameter in tool.parameters:
        if not parameter.required:
            continue
        found = [part for word in parameter.name.split("_") for part in after(word, question)]
        if parameter.type in ("number", "integer") and figures:
            found = [figures.pop(0)]
        value = found[0] if found else (rest.pop(0) if rest else question)
        made[parameter.name] = _typed(value, parameter.type)
    return made


FILLINGS: Final[Mapping[str, Filling]] = {
    "nothing": lambda _tool, _question: {},
    "the question": _in_turn(lambda question: [question] * 9),
    "its values": _in_turn(values),
    "all parameters, its values": _in_turn(values, everything=True),
    "its names": _in_turn(capitals),
    "what is quoted": _in_turn(quoted),
    "its numbers": _in_turn(numbers),
    "its content words": _in_turn(content),
    "its last words": _in_turn(lambda question: words(question)[::-1]),
    "what follows prepositions": _by_preposition,
}


def one_turn(suite: Suite) -> Named:
    """One tool for all cases, a tool by chance, all tools, with arguments cut from the question."""
    tools = suite.tools
    for filling_name, fill in FILLINGS.items():
        for tool in tools:
            yield f"{tool.name} with {filling_name}", _one_call(_always(tool), fill)
        for seed in range(5):
            yield f"tool by id with {filling_name}, {seed}", _one_call(_chosen(tools, seed), fill)
            by_word = _chosen(tools, seed, lambda case: words(case.query)[0])
            yield f"tool by first word with {filling_name}, {seed}", _one_call(by_word, fill)
        yield f"all tools with {filling_name}", _all_calls(tools, fill)
    yield "the question as text", lambda case: ((), case.query)


def _one_call(choose: Callable[[Case], Tool], fill: Filling) -> Strategy:
    def answer(case: Case) -> Answer:
        tool = choose(case)
        return (Call(tool.name, fill(tool, case.query)),), ""

    return answer


def _always(tool: Tool) -> Callable[[Case], Tool]:
    return lambda _: tool


def _all_calls(tools: Sequence[Tool], fill: Filling) -> Strategy:
    return lambda case: (tuple(Call(tool.name, fill(tool, case.query)) for tool in tools), "")


def _chosen(
    tools: Sequence[Tool], seed: int, key: Callable[[Case], str] = lambda case: case.id
) -> Callable[[Case], Tool]:
    return lambda case: random.Random(f"{seed} {key(case)}").choice(tools)


# ---------------------------------------------------------------- typewriters


def typewriters(*, one_tool: bool) -> Named:
    """Typed texts that do not depend on the question, or are only a part of it.

    Typing the whole question is the task itself.
    """
    texts: dict[str, Callable[[str], str]] = {
        "nothing": lambda _: "",
        "the alphabet": lambda _: ascii_lowercase,
        "the alphabet backwards": lambda _: ascii_lowercase[::-1],
        "the question backwards": lambda question: question[::-1],
        "its letters sorted": lambda question: "".join(sorted(question)),
        "each letter once": lambda question: "".join(dict.fromkeys(question)),
        "its letters in capitals": str.upper,
        "the question twice": lambda question: question * 2,
        "all but its first letter": lambda question: question[1:],
        "all but its last letter": lambda question: question[:-1],
        "the words of the request": lambda question: f"type {question}",
        **{f"{size} letters": _first(size) for size in range(1, 15)},
        **{f"{one} for each letter": _repeated(one) for one in ascii_lowercase},
    }
    for name, make in texts.items():
        yield name, _typing(make, one_tool=one_tool)
    for seed in range(250):
        chance = random.Random(seed)
        text = "".join(chance.choices(ascii_lowercase, k=chance.randrange(1, 30)))
        yield f"typed by chance: {text}", _typing(_same(text), one_tool=one_tool)
    yield "a reported text, no calls", lambda case: ((), case.query)


def _same(text: str) -> Callable[[str], str]:
    return lambda _: text


def _first(size: int) -> Callable[[str], str]:
    return lambda question: question[:size]


def _repeated(letter: str) -> Callable[[str], str]:
    return lambda question: letter * len(question)


def _typing(make: Callable[[str], str], *, one_tool: bool) -> Strategy:
    def answer(case: Case) -> Answer:
        text = make(case.query)
        if one_tool:
            return tuple(Call("type_letter", {"letter": letter}) for letter in text), text
        return tuple(Call(letter, {}) for letter in text if letter in ascii_lowercase), text

    return answer


# ---------------------------------------------------------------- tables


def tables() -> Named:
    """Lists of what the tables hold, and every tool called with every small number."""
    columns: dict[str, list[str]] = {}
    for row in (*USERS, *LOCATIONS, *FOODS):
        for name, value in asdict(row).items():
            cells = value if isinstance(value, tuple) else (value,)
            columns.setdefault(f"{type(row).__name__}.{name}", []).extend(map(str, cells))
    everything = list(dict.fromkeys(value for column in columns.values() for value in column))
    for value in everything:
        for frame in ("{}", "It is {}.", "Yes, {}.", "{} and 2"):
            yield frame.format(value), _text(frame.format(value))
    for name, column in columns.items():
        once = list(dict.fromkeys(column))
        for size in (2, 3, 5, len(once)):
            yield f"{size} of {name}", _text(", ".join(once[:size]))
            yield f"{size} of {name}, or", _text(" or ".join(once[:size]))
    for row in (*USERS, *LOCATIONS, *FOODS):
        text = ", ".join(f"{key} {value}" for key, value in asdict(row).items())
        yield text, _text(text)
        yield f"values of {text}", _text(", ".join(str(value) for value in asdict(row).values()))
    yield "all values", _text(", ".join(everything))
    for seed in range(40):
        some = random.Random(seed).sample(everything, 3 + seed % 12)
        yield f"values by chance: {some}", _text(", ".join(some))
    yield "the row that the question names", _row_of_question
    yield from _called(registry["Tool Usage - Relational Data"].create_environment())


def _text(text: str) -> Strategy:
    return lambda _: ((), text)


def _row_of_question(case: Case) -> Answer:
    rows = [asdict(row) for row in (*USERS, *LOCATIONS, *FOODS)]
    named = [row for row in rows if any(str(v) in case.query for v in row.values())]
    return (), "; ".join(", ".join(map(str, row.values())) for row in named[:3])


def _called(environment: Environment) -> Named:
    """Each tool called with every number and name of the question, its results pasted."""
    for tool in environment.tools:
        yield f"{tool.tool.name} called with values", _results(environment, [tool.tool])
    every = [tool.tool for tool in environment.tools]
    yield "every tool called with values", _results(environment, every)
    yield "every tool called with small numbers", _results(environment, every, range(20))


def _results(
    environment: Environment, tools: Sequence[Tool], figures: Sequence[int] = ()
) -> Strategy:
    def answer(case: Case) -> Answer:
        texts = values(case.query)
        ids = [*map(int, re.findall(r"\b\d+\b", case.query)), *figures]
        calls = []
        for tool in tools:
            pools = [ids if parameter.type == "integer" else texts for parameter in tool.parameters]
            for given in product(*(pool[:20] for pool in pools)):
                names = (parameter.name for parameter in tool.parameters)
                arguments = dict(zip(names, given, strict=True))
                result = environment.call(tool.name, arguments)
                if "cannot be resolved" not in str(result):
                    calls.append(Call(tool.name, arguments, result))
        return tuple(calls[:200]), ", ".join(str(call.result) for call in calls)

    return answer


# ---------------------------------------------------------------- mathematics


def mathematics() -> Named:
    """Numbers: constants, those of the question, and results of one tool called with them."""
    for value in (*range(-20, 101), *(number / 10 for number in range(-9, 40)), 3.14159, 2.71828):
        yield f"the number {value}", _text(str(value))
    for size in (10, 100, 1000):
        yield f"0 to {size}", _text(" ".join(map(str, range(size + 1))))
    for place in (0, 1, -1):
        yield f"number {place} of the question", _number(place)
    yield "the question", lambda case: ((), case.query)
    yield "the sum of its numbers", lambda case: ((), str(sum(map(float, _plain(case)))))
    yield "the highest", lambda case: ((), str(max(map(float, _plain(case)))))
    environment = registry["Multiverse Math"].create_environment()
    for tool in environment.tools:
        for order in (1, -1):
            for repeated in (1, 2, 3):
                yield (
                    f"{tool.tool.name}, {repeated} times, order {order}",
                    _computed(environment, tool.tool, order, repeated),
                )


def _number(place: int) -> Strategy:
    return lambda case: ((), (_plain(case) * 2)[place])


def _plain(case: Case) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", case.query) or ["1"]


def _computed(environment: Environment, tool: Tool, order: int, repeated: int) -> Strategy:
    """The tool called with the numbers of the question in turn, and again with its result."""

    def answer(case: Case) -> Answer:
        pool = [float(one) for one in _plain(case)][::order]
        result: Json = pool[0]
        calls = []
        for _ in range(repeated):
            given = [result, *(pool[1:] or pool)][: len(tool.parameters)]
            names = [parameter.name for parameter in tool.parameters[: len(given)]]
            arguments = dict(zip(names, given, strict=True))
            result = environment.call(tool.name, arguments)
            calls.append(Call(tool.name, arguments, result))
        return tuple(calls), str(result)

    return answer
