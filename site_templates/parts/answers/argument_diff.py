"""Expected calls beside the calls made: which arguments differ, and in which characters.

The rule says which arguments are wrong. The marks within a value help a reader to see why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from leaderboard.types import Call, ExpectedArgument, ExpectedCall, Json, Outcome
from site_templates import formatting

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_LONGEST: Final = 200  # tokens; longer values are marked whole
_ALIKE: Final = 0.3  # marks within two values that are less similar would be noise
_OTHERS: Final = 3  # accepted values shown after the first one
MOST_ARGUMENTS: Final = 50  # shown of a call; a page grows by 40 times what a record grows


class Piece(NamedTuple):
    """A stretch of a value.

    `kind`: "" (in both), "del" (only expected), "ins" (only got), "may" (got, left to a judge).
    """

    kind: str
    text: str


class Sign(NamedTuple):
    """How two sides compare: a tone (ok, may or bad), a mark, and the mark's meaning in words."""

    tone: str
    mark: str
    meaning: str


DIFFERS: Final = Sign("bad", "≠", "differs")
MISSING: Final = Sign("bad", "−", "missing")
ACCEPTED: Final = Sign("ok", "≈", "accepted")

# What the rule finds wrong in the call made for an expected one: see `Kind.faults`. For a wrong
# tool, what it would find in the arguments as well.
CallFaults = Callable[[ExpectedCall, Call], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One argument. A side without a value has words instead (`expected_none`, `got_none`).

    `others` are further accepted values; `more` counts those that are not shown.
    """

    name: str
    sign: Sign
    expected: tuple[Piece, ...] = ()
    got: tuple[Piece, ...] = ()
    others: tuple[str, ...] = ()
    more: int = 0
    expected_none: str = ""
    got_none: str = ""


@dataclass(frozen=True, slots=True)
class CallDiff:
    """One expected call beside the call made for it. `same` names the arguments that are equal."""

    name: str
    lines: tuple[DiffLine, ...]
    same: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, and what the rule holds against a call. `judged`: it was left to a judge."""

    outcome: Outcome
    reason: str
    judged: bool
    faults: CallFaults


def pieces(
    expected: str, got: str, kind: str = "ins"
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two texts, each with the characters marked that the other lacks.

    `kind` marks those of the second text.
    """
    a, b = _TOKEN.findall(expected), _TOKEN.findall(got)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if max(len(a), len(b)) > _LONGEST or matcher.ratio() < _ALIKE:
        return _whole("del", expected, got), _whole(kind, got, expected)
    left, right = [], []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        same = tag == "equal"
        left.append(Piece("" if same else "del", "".join(a[a1:a2])))
        right.append(Piece("" if same else kind, "".join(b[b1:b2])))
    return tuple(p for p in left if p.text), tuple(p for p in right if p.text)


def _whole(kind: str, text: str, other: str) -> tuple[Piece, ...]:
    """A text marked whole, without the quotation marks if both texts have them."""
    quoted = all(len(one) > 1 and one[0] == one[-1] == '"' for one in (text, other))
    if quoted:
        return (Piece("", '"'), Piece(kind, text[1:-1]), Piece("", '"'))
    return (Piece(kind, text),)


def plain_line(name: str, sign: Sign, expected: str, got: str, *, got_none: str = "") -> DiffLine:
    """Two texts with nothing marked. `got_none` is shown if there is no second text."""
    return DiffLine(
        name, sign, (Piece("", expected),), (Piece("", got),) if got else (), got_none=got_none
    )


# ---------------------------------------------------------------- which call belongs to which


def pairs(
    expected: Sequence[ExpectedCall], got: Sequence[Call], faults: CallFaults
) -> tuple[list[tuple[ExpectedCall, Call | None]], list[Call]]:
    """Each expected call with the call made for it, and the calls left over.

    Calls that fit are paired first, then calls of the same tool, then the others in order.
    """
    if len(expected) == len(got) == 1:  # the usual case, in which no comparison is needed
        return [(expected[0], got[0])], []

    def fits(call: ExpectedCall, made: Call) -> bool:
        return not faults(call, made)

    def same_tool(call: ExpectedCall, made: Call) -> bool:
        return "" not in faults(call, made)

    def in_order(_call: ExpectedCall, _made: Call) -> bool:
        return True

    free = dict(enumerate(got))
    taken: dict[int, Call] = {}
    for belongs in (fits, same_tool, in_order):
        for place, call in enumerate(expected):
            if place in taken:
                continue
            first = next((number for number, made in free.items() if belongs(call, made)), None)
            if first is not None:
                taken[place] = free.pop(first)
    return [(call, taken.get(place)) for place, call in enumerate(expected)], list(free.values())


# ---------------------------------------------------------------- differences


def diffs(
    expected: Sequence[ExpectedCall], got: Sequence[Call], judgement: Judgement
) -> tuple[tuple[CallDiff, ...], list[Call], list[Call]]:
    """The expected calls that differ from those made, the calls as expected, and those left over.

    A call as expected has no difference at all, not even one that the rule accepts.
    """
    matched, free = pairs(expected, got, judgement.faults)
    different, right, absent = [], [], []
    for call, made in matched:
        if made is None:
            gone = (Piece("del", _name(call)),)
            absent.append(DiffLine("call", MISSING, gone, got_none="not made"))
            continue
        diff = call_diff(call, made, judgement)
        if diff.lines:
            different.append(diff)
        else:
            right.append(made)
    if absent and judgement.reason == "malformed_call":
        # The calls behind one that cannot be read are not read, either.
        why = "cannot be read" if len(absent) == 1 else "not made, or cannot be read"
        absent = [replace(line, got_none=why) for line in absent]
    if absent:
        different.append(CallDiff("calls", tuple(absent), ()))
    return tuple(different), right, free


def _name(call: ExpectedCall) -> str:
    return call.name or "a tool that is not offered"


def call_diff(expected: ExpectedCall, call: Call, judgement: Judgement) -> CallDiff:
    """One expected call beside the call made for it, argument by argument."""
    name, faults = _name(expected), judgement.faults(expected, call)
    lines: list[DiffLine] = []
    if "" in faults:
        lines.append(DiffLine("tool", DIFFERS, (Piece("del", name),), (Piece("ins", call.name),)))
    same: list[str] = []
    for argument in expected.arguments:
        fault = faults.get(argument.name)
        line = _line(argument, call.arguments, fault, judgement)
        if line is not None:
            lines.append(line)
        elif argument.name in call.arguments:
            same.append(argument.name)
    expected_names = {argument.name for argument in expected.arguments}
    further = {key: value for key, value in call.arguments.items() if key not in expected_names}
    return CallDiff(name, (*lines, *_unexpected(further, faults)), tuple(same))


def _unexpected(arguments: Mapping[str, Json], faults: Mapping[str, str]) -> list[DiffLine]:
    lines = []
    for name, value in list(arguments.items())[:MOST_ARGUMENTS]:
        tone, kind = ("bad", "ins") if name in faults else ("ok", "")
        got = (Piece(kind, formatting.shown(value)),)
        sign = Sign(tone, "+", "not expected")
        lines.append(DiffLine(name, sign, got=got, expected_none="none"))
    if more := len(arguments) - len(lines):
        sign = Sign("bad" if faults else "ok", "+", "not expected")
        lines.append(DiffLine("…", sign, expected_none="none", got_none=f"{more:,} more"))
    return lines


def _line(
    argument: ExpectedArgument,
    values: Mapping[str, Json],
    fault: str | None,
    judgement: Judgement,
) -> DiffLine | None:
    """One argument that is not literally as expected, or None."""
    accepted = [formatting.shown(value) for value in argument.accepted]
    first = accepted[0] if accepted else ""
    if argument.name not in values:
        if fault is None:
            return None
        gone = (Piece("del", first),)
        return DiffLine(argument.name, MISSING, gone, got_none="left out")
    got = formatting.shown(values[argument.name])
    if fault is None and got in accepted:
        return None

    sign = _sign(fault, judgement)
    kind = {"bad": "ins", "may": "may", "ok": ""}[sign.tone]
    left, right = pieces(first, got, kind)
    if sign.tone != "bad":
        left = (Piece("", first),)
    others = tuple(accepted[1 : 1 + _OTHERS])
    more = max(len(accepted) - 1 - _OTHERS, 0)
    return DiffLine(argument.name, sign, left, right, others, more)


def _sign(fault: str | None, judgement: Judgement) -> Sign:
    """The sign of an argument by what the rule holds against it."""
    if fault is None:
        return ACCEPTED
    if fault != "judge" or judgement.reason in ("judge_different", "wrong_value"):
        return DIFFERS
    if judgement.outcome == "pass":
        return Sign("may", "≈", "judged")
    waiting = "not judged, because the call is wrong already"
    return Sign("may", "≈", "waits for a judge" if judgement.judged else waiting)
