"""Answers to the questions of BFCL, right and changed ones, as its result files have them.

Two sets of changes do not overlap: "first", against which the rules were written, and "second",
which was kept apart and compared once at the end.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from leaderboard.types import Case, ExpectedCall, Json, Language, Suite
from runners.baselines.baselines import oracle
from runners.baselines.source_code_values import written_value

# A call: the tool's name and its arguments.
Call = tuple[str, dict[str, Any]]
Change = Callable[[random.Random, list[Call], Case], None]

PROSE = (
    "",
    "I cannot do that.",
    "Yes",
    "[]",
    "No function fits, sorry: f(x) is not offered.",
    "{}",
)


def answers(suite: Suite, seed: int, count: int, which: str) -> Iterator[dict[str, Json]]:
    """`count` answers: id, category, what was changed, form, and `result`.

    Each case gets its right answer first, then changed ones in turn. The form is "fc" (calls as
    JSON), "dots" (the same, with the tools' own names) or "text".
    """
    chance = random.Random(f"{which} {seed}")
    changes = {"first": FIRST, "second": SECOND}[which]
    cases = list(suite.cases)
    for place in range(count):
        case = cases[place % len(cases)]
        calls = _accepted_calls(chance, case)
        changed = []
        if place >= len(cases) or which == "second":
            for name in chance.sample(sorted(changes), len(changes)):
                before = copy.deepcopy(calls)
                changes[name](chance, calls, case)
                changed += [name] if before != calls else []
                if len(changed) == 1 + (place % 4 == 0):
                    break
        form = chance.choice(("fc", "dots", "text"))
        result: Json = _as_text(calls, case) if form == "text" else _as_json(calls, case, form)
        if chance.random() < 0.02:
            changed, result = ["prose"], chance.choice(PROSE)
        about = {"case": case.id, "category": case.category, "changed": changed, "form": form}
        yield {**about, "result": result}


def language_of(case: Case) -> Language | None:
    """The language in which the arguments of a case are written; None for Python."""
    arguments = [argument for call in case.ground_truth.calls for argument in call.arguments]
    return next((one.language for one in arguments if one.language), None)


# ---------------------------------------------------------------- right answers


def _accepted_calls(chance: random.Random, case: Case) -> list[Call]:
    if not case.ground_truth.calls:
        if chance.random() < 0.5 or not case.tools:
            return []
        made = oracle(case)["model_function_call"]
        tool = chance.choice(case.tools)
        return [(made["name"], made["arguments"])] if made else [(tool.name, {})]
    return [_accepted_call(chance, call) for call in case.ground_truth.calls]


def _accepted_call(chance: random.Random, call: ExpectedCall) -> Call:
    arguments = {}
    for argument in call.arguments:
        values = [value for value in argument.accepted if value != ""]
        optional = not argument.required and "" in argument.accepted
        if not values or argument.type == "null" or (optional and chance.random() < 0.5):
            continue
        arguments[argument.name] = _one_of_each(chance, chance.choice(values))
    return call.name or "", arguments


def _one_of_each(chance: random.Random, value: Json) -> Json:
    """A value with one of the accepted values of each member, where it is an object."""
    if isinstance(value, list):
        return [_one_of_each(chance, item) for item in value]
    if not isinstance(value, dict):
        return value
    chosen = {}
    for key, accepted in value.items():
        values = accepted if isinstance(accepted, list) else [accepted]
        real = [one for one in values if one != ""]
        if real and not ("" in values and chance.random() < 0.5):
            chosen[key] = chance.choice(real)
    return chosen


# ---------------------------------------------------------------- forms


def _as_json(calls: list[Call], case: Case, form: str) -> Json:
    shown = []
    for name, arguments in calls:
        values = {key: _written(key, value, case) for key, value in arguments.items()}
        shown.append({name.replace(".", "_") if form == "fc" else name: json.dumps(values)})
    return shown


def _as_text(calls: list[Call], case: Case) -> str:
    language = language_of(case)
    types = {a.name: a.type for call in case.ground_truth.calls for a in call.arguments}
    written = []
    for name, arguments in calls:
        parts = []
        for key, value in arguments.items():
            source = _written(key, value, case)
            if language is None:
                source = repr(value)
            elif isinstance(value, str) and types.get(key) in ("String", "any", "char"):
                source = json.dumps(value)
            parts.append(f"{key}={source}")
        written.append(f"{name}({', '.join(parts)})")
    return f"[{', '.join(written)}]"


def _written(key: str, value: Json, case: Case) -> Json:
    """A value as an answer gives it: in cases of Java and JavaScript, as source."""
    language = language_of(case)
    if language is None:
        return value
    arguments = [argument for call in case.ground_truth.calls for argument in call.arguments]
    declared = next((one for one in arguments if one.name == key), None)
    if declared is None:
        return written_value(value, "any", None, language)
    return written_value(value, declared.type, declared.items, language)


# ---------------------------------------------------------------- changes


def _pick(chance: random.Random, calls: list[Call], *kinds: type) -> tuple[dict[str, Any], str]:
    """An argument of one of these types, of any call. An empty name if there is none."""
    places = [
        (arguments, key)
        for _, arguments in calls
        for key, value in arguments.items()
        if not kinds or type(value) in kinds
    ]
    return chance.choice(places) if places else ({}, "")


def _on_value(change: Callable[[random.Random, Any], Any], *kinds: type) -> Change:
    def apply(chance: random.Random, calls: list[Call], _case: Case) -> None:
        arguments, key = _pick(chance, calls, *kinds)
        if key:
            arguments[key] = change(chance, copy.deepcopy(arguments[key]))

    return apply


def _on_call(change: Callable[[random.Random, str], str]) -> Change:
    def apply(chance: random.Random, calls: list[Call], _case: Case) -> None:
        if calls:
            place = chance.randrange(len(calls))
            calls[place] = (change(chance, calls[place][0]), calls[place][1])

    return apply


def _on_calls(change: Callable[[random.Random, list[Call], Case], None]) -> Change:
    def apply(chance: random.Random, calls: list[Call], case: Case) -> None:
        if calls:
            change(chance, calls, case)

    return apply


def _other_tool(chance: random.Random, calls: list[Call], case: Case) -> None:
    place = chance.randrange(len(calls))
    calls[place] = (chance.choice(case.tools).name if case.tools else "other", calls[place][1])


def _add_argument(chance: random.Random, calls: list[Call], case: Case) -> None:
    arguments = chance.choice(calls)[1]
    names = [p.name for tool in case.tools for p in tool.parameters if p.name not in arguments]
    arguments[chance.choice([*names, "extra"])] = chance.choice(["x", 1, True, ""])


def _drop_argument(chance: random.Random, calls: list[Call], _case: Case) -> None:
    arguments, key = _pick(chance, calls)
    arguments.pop(key, None)


def _rename_argument(chance: random.Random, calls: list[Call], _case: Case) -> None:
    arguments, key = _pick(chance, calls)
    if key:
        arguments[key.upper() if key.islower() else key.lower()] = arguments.pop(key)


def _swap_values(chance: random.Random, calls: list[Call], _case: Case) -> None:
    arguments = chance.choice(calls)[1]
    if len(arguments) > 1:
        one, other = chance.sample(sorted(arguments), 2)
        arguments[one], arguments[other] = arguments[other], arguments[one]


def _member(chance: random.Random, value: dict[str, Any], change: str) -> dict[str, Any]:
    keys = sorted(value)
    if change == "add" or not keys:
        value["added"] = "x"
    elif change == "drop":
        del value[chance.choice(keys)]
    else:
        value[chance.choice(keys)] = change
    return value


def _shuffled_text(chance: random.Random, text: str) -> str:
    words = text.split(" ")
    chance.shuffle(words)
    return " ".join(words)


def _reordered(chance: random.Random, calls: list[Call], _case: Case) -> None:
    chance.shuffle(calls)
    for place, (name, arguments) in enumerate(calls):
        keys = list(arguments)
        chance.shuffle(keys)
        calls[place] = (name, {key: arguments[key] for key in keys})


FIRST: Mapping[str, Change] = {
    "name: case": _on_call(lambda _c, name: name.swapcase()),
    "name: underscore": _on_call(lambda _c, name: name.replace(".", "_")),
    "name: last part": _on_call(lambda _c, name: name.split(".")[-1]),
    "name: other tool": _on_calls(_other_tool),
    "argument: add": _on_calls(_add_argument),
    "argument: drop": _on_calls(_drop_argument),
    "argument: rename": _on_calls(_rename_argument),
    "order": _on_calls(_reordered),
    "number: twice": _on_calls(lambda c, calls, _s: calls.append(copy.deepcopy(c.choice(calls)))),
    "number: one less": _on_calls(lambda c, calls, _s: calls.remove(c.choice(calls))),
    "number: none": lambda _c, calls, _s: calls.clear(),
    "text: upper case": _on_value(lambda _c, text: text.upper(), str),
    "text: punctuation": _on_value(lambda c, text: text + c.choice(".,/-_*^ "), str),
    "text: other punctuation": _on_value(lambda c, text: text + c.choice("!?:;()"), str),
    "text: no blanks": _on_value(lambda _c, text: text.replace(" ", ""), str),
    "text: another": _on_value(lambda _c, text: text + " else", str),
    "text: empty": _on_value(lambda _c, _text: "", str),
    "text: in a list": _on_value(lambda _c, text: [text], str),
    "number: plus one": _on_value(lambda _c, number: number + 1, int, float),
    "number: as float": _on_value(lambda _c, number: float(number), int),
    "number: as integer": _on_value(lambda _c, number: int(number), float),
    "number: as text": _on_value(lambda _c, number: str(number), int, float),
    "boolean: other": _on_value(lambda _c, value: not value, bool),
    "boolean: as text": _on_value(lambda _c, value: str(value).lower(), bool),
    "boolean: as number": _on_value(lambda _c, value: int(value), bool),
    "list: reversed": _on_value(lambda _c, items: items[::-1], list),
    "list: one less": _on_value(lambda _c, items: items[1:], list),
    "list: one more": _on_value(lambda _c, items: [*items, *items[:1]], list),
    "list: its first item": _on_value(lambda _c, items: items[0] if items else None, list),
    "list: items as text": _on_value(lambda _c, items: [str(item) for item in items], list),
    "list: empty": _on_value(lambda _c, _items: [], list),
    "object: one more": _on_value(lambda c, value: _member(c, value, "add"), dict),
    "object: one less": _on_value(lambda c, value: _member(c, value, "drop"), dict),
    "object: other value": _on_value(lambda c, value: _member(c, value, "another"), dict),
    "object: empty": _on_value(lambda _c, _value: {}, dict),
    "value: null": _on_value(lambda _c, _value: None),
    "value: as object": _on_value(lambda _c, value: {"value": value}),
}

SECOND: Mapping[str, Change] = {
    "arguments: swapped": _on_calls(_swap_values),
    "arguments: none": _on_calls(lambda c, calls, _s: c.choice(calls)[1].clear()),
    "calls: reversed": lambda _c, calls, _s: calls.reverse(),
    "calls: all twice": lambda _c, calls, _s: calls.extend(copy.deepcopy(calls)),
    "name: prefix": _on_call(lambda _c, name: f"functions.{name}"),
    "text: words in another order": _on_value(_shuffled_text, str),
    "text: quotes": _on_value(lambda _c, text: text.replace("'", '"') + "'", str),
    "text: two blanks": _on_value(lambda _c, text: text.replace(" ", "  "), str),
    "text: accent": _on_value(lambda _c, text: text.replace("e", "é"), str),
    "text: tab": _on_value(lambda _c, text: text.replace(" ", "\t"), str),
    "text: half": _on_value(lambda _c, text: text[: len(text) // 2], str),
    "number: negative": _on_value(lambda _c, number: -number, int, float),
    "number: slightly more": _on_value(lambda _c, number: number + 1e-9, float),
    "number: huge": _on_value(lambda _c, number: number + 10**15, int, float),
    "number: as boolean": _on_value(lambda _c, number: bool(number), int, float),
    "number: in a list": _on_value(lambda _c, number: [number], int, float),
    "list: in a list": _on_value(lambda _c, items: [items], list),
    "list: sorted as text": _on_value(lambda _c, items: sorted(items, key=str), list),
    "list: upper case": _on_value(lambda _c, items: [_upper(item) for item in items], list),
    "list: as object": _on_value(lambda _c, items: dict(enumerate(map(str, items))), list),
    "list: with null": _on_value(lambda _c, items: [*items[:-1], None], list),
    "object: in a list": _on_value(lambda _c, value: [value], dict),
    "object: members null": _on_value(lambda _c, value: dict.fromkeys(value), dict),
    "object: members in lists": _on_value(lambda _c, v: {k: [x] for k, x in v.items()}, dict),
    "object: upper case": _on_value(lambda _c, v: {k: _upper(x) for k, x in v.items()}, dict),
    "object: as list": _on_value(lambda _c, value: list(value.values()), dict),
    "value: as text": _on_value(lambda _c, value: json.dumps(value)),
    "value: an empty text": _on_value(lambda _c, _value: ""),
}


def _upper(value: Json) -> Json:
    return value.upper() if isinstance(value, str) else value
