"""Expected calls beside the calls made: which arguments differ, and in which characters.

The marks help a reader. The rules alone decide whether an answer passes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from leaderboard.types import Call, ExpectedArgument, ExpectedCall, Json, Outcome
from site_templates import formatting

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_LONGEST: Final = 200  # tokens; longer values are marked whole
_ALIKE: Final = 0.3  # marks within two values that are less alike would be noise
_OTHERS: Final = 3  # accepted values shown after the first one


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
    """The verdict that decides how a difference reads. `judged`: it was left to a judge."""

    outcome: Outcome
    reason: str
    judged: bool


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


def similar(expected: Json, got: Json) -> bool:
    """Whether two values differ in spelling only: case, spaces, punctuation, 25 and "25".

    Their parts are compared likewise. If an expected object holds a list for a key, the list
    holds the accepted values of that key.
    """
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None or got is None:
        return expected is got
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(_accepts(expected[k], got[k]) for k in got)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(similar, expected, got))
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return expected == got
    if isinstance(expected, dict | list) or isinstance(got, dict | list):
        return False
    alike = formatting.folded(str(expected)) == formatting.folded(str(got))
    return alike and str(got).strip() != ""


def _accepts(expected: Json, got: Json) -> bool:
    if isinstance(expected, list) and not isinstance(got, list):
        return any(similar(value, got) for value in expected)
    return similar(expected, got)


def same_name(expected: ExpectedCall, call: Call, *, underscored: bool) -> bool:
    """Whether the names are equal. `underscored`: the model was shown names without dots."""
    if expected.name is None:
        return False
    return call.name == expected.name or (
        underscored and call.name == expected.name.replace(".", "_")
    )


def pairs(
    expected: Sequence[ExpectedCall], got: Sequence[Call], *, underscored: bool = False
) -> tuple[list[tuple[ExpectedCall, Call | None]], list[Call]]:
    """Each expected call with the call made for it, and the calls left over.

    Calls that fit are paired first, then calls of the same name, then the others in order.
    """

    def named(call: ExpectedCall, made: Call) -> bool:
        return same_name(call, made, underscored=underscored)

    def fits(call: ExpectedCall, made: Call) -> bool:
        return named(call, made) and all(_argument_fits(a, made) for a in call.arguments)

    def in_order(_call: ExpectedCall, _made: Call) -> bool:
        return True

    free = dict(enumerate(got))
    taken: dict[int, Call] = {}
    for belongs in (fits, named, in_order):
        for place, call in enumerate(expected):
            found = [number for number, made in free.items() if belongs(call, made)]
            if place not in taken and found:
                taken[place] = free.pop(found[0])
    return [(call, taken.get(place)) for place, call in enumerate(expected)], list(free.values())


def _argument_fits(argument: ExpectedArgument, made: Call) -> bool:
    if argument.name not in made.arguments:
        return argument.may_be_absent
    return any(similar(value, made.arguments[argument.name]) for value in argument.accepted)


# ---------------------------------------------------------------- differences


def diffs(
    expected: Sequence[ExpectedCall],
    got: Sequence[Call],
    judgement: Judgement,
    *,
    underscored: bool = False,
) -> tuple[tuple[CallDiff, ...], list[Call]]:
    """The expected calls that differ from those made, and the calls that were not expected."""
    matched, free = pairs(expected, got, underscored=underscored)
    found, absent = [], []
    for call, made in matched:
        if made is not None:
            found.append(call_diff(call, made, judgement, underscored=underscored))
        else:
            gone = (Piece("del", _name(call)),)
            absent.append(DiffLine("call", MISSING, gone, got_none="not made"))
    found.append(CallDiff("calls", tuple(absent), ()))

    # If a value is wrong but all values are similar, then the spelling is what is wrong.
    wrong = any(line.sign.tone == "bad" for diff in found for line in diff.lines)
    if judgement.reason == "wrong_value" and not wrong:
        found = [replace(diff, lines=tuple(map(_wrong, diff.lines))) for diff in found]
    return tuple(diff for diff in found if diff.lines), free


def _wrong(line: DiffLine) -> DiffLine:
    expected, got = ("".join(piece.text for piece in side) for side in (line.expected, line.got))
    left, right = pieces(expected, got)
    return replace(line, sign=DIFFERS, expected=left, got=right)


def _name(call: ExpectedCall) -> str:
    return call.name or "a tool that is not offered"


def call_diff(
    expected: ExpectedCall, call: Call, judgement: Judgement, *, underscored: bool = False
) -> CallDiff:
    """One expected call beside the call made for it, argument by argument."""
    name = _name(expected)
    if not same_name(expected, call, underscored=underscored):
        tool = DiffLine("tool", DIFFERS, (Piece("del", name),), (Piece("ins", call.name),))
        return CallDiff(name, (tool, *_unexpected(call.arguments, judgement)), ())
    lines: list[DiffLine] = []
    same: list[str] = []
    for argument in expected.arguments:
        line = _line(argument, call.arguments, judgement)
        if line is None:
            same.append(argument.name)
        else:
            lines.append(line)
    known = {argument.name for argument in expected.arguments}
    others = {key: value for key, value in call.arguments.items() if key not in known}
    return CallDiff(name, (*lines, *_unexpected(others, judgement)), tuple(same))


def _unexpected(arguments: Mapping[str, Json], judgement: Judgement) -> list[DiffLine]:
    tone, kind = ("ok", "") if judgement.outcome == "pass" else ("bad", "ins")
    sign = Sign(tone, "+", "not expected")
    lines = []
    for name, value in arguments.items():
        got = (Piece(kind, formatting.shown(value)),)
        lines.append(DiffLine(name, sign, got=got, expected_none="none"))
    return lines


def _line(
    argument: ExpectedArgument, given: Mapping[str, Json], judgement: Judgement
) -> DiffLine | None:
    """One argument that is not literally as expected, or None."""
    accepted = [formatting.shown(value) for value in argument.accepted]
    first = accepted[0] if accepted else ""
    if argument.name not in given:
        if judgement.outcome == "pass" or argument.may_be_absent:
            return None
        gone = (Piece("del", first),)
        return DiffLine(argument.name, MISSING, gone, got_none="left out")
    got = formatting.shown(given[argument.name])
    if got in accepted:
        return None

    sign = _sign(argument, given[argument.name], judgement)
    kind = {"bad": "ins", "may": "may", "ok": ""}[sign.tone]
    left, right = pieces(first, got, "" if sign.meaning == "written differently" else kind)
    if sign.tone != "bad":
        left = (Piece("", first),)
    others = tuple(accepted[1 : 1 + _OTHERS])
    more = max(len(accepted) - 1 - _OTHERS, 0)
    return DiffLine(argument.name, sign, left, right, others, more)


def _sign(argument: ExpectedArgument, got: Json, judgement: Judgement) -> Sign:
    """The sign of an argument whose value is not literally an accepted one."""
    passed = judgement.outcome == "pass"
    if any(_accepts(accepted, got) for accepted in argument.accepted):
        return Sign("ok" if passed else "may", "≈", "written differently")
    if passed:
        return Sign("may", "≈", "judged") if judgement.judged else Sign("ok", "≈", "accepted")
    if argument.closed or not isinstance(got, str) or judgement.reason == "judge_different":
        return DIFFERS
    waiting = "not judged, because the call is wrong already"
    return Sign("may", "≈", "waits for a judge" if judgement.judged else waiting)
