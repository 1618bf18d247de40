"""Expected beside got: which arguments of a call differ, and which of their characters.

What is marked here helps a reader see; whether an answer passes is decided by the rules alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from leaderboard.types import Call, ExpectedArgument, ExpectedCall, Json, Outcome
from site_templates import formatting

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_LONGEST: Final = 200  # tokens; longer values are marked whole
_ALIKE: Final = 0.3  # below this likeness of two values, marks within them would be noise


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a value. `kind`: "" (in both), "del" (only expected), "ins" (only got), "may" (got, left to a judge)."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One argument. `tone` is bad, may or ok; an empty side is told in words (`expected_none`, `got_none`)."""

    tone: str
    mark: str
    meaning: str
    name: str
    expected: tuple[Piece, ...]
    got: tuple[Piece, ...]
    others: tuple[str, ...] = ()
    more: int = 0
    expected_none: str = ""
    got_none: str = ""


@dataclass(frozen=True, slots=True)
class CallDiff:
    """One expected call beside the call made for it. `same` names the arguments that are equal."""

    name: str
    lines: tuple[Line, ...]
    same: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leaning:
    """How a difference is to be read: by the verdict's outcome and reason, and whether it is left to a judge."""

    outcome: Outcome
    reason: str
    judged: bool


def pieces(
    expected: str, got: str, kind: str = "ins"
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two texts with the characters marked that only one of them has. `kind` marks those of the second."""
    a, b = _TOKEN.findall(expected), _TOKEN.findall(got)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if max(len(a), len(b)) > _LONGEST or matcher.ratio() < _ALIKE:
        return _whole(expected, got, kind)
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        same = tag == "equal"
        _add(left, "" if same else "del", "".join(a[a1:a2]))
        _add(right, "" if same else kind, "".join(b[b1:b2]))
    return tuple(left), tuple(right)


def _whole(expected: str, got: str, kind: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts marked whole, but for the quotation marks around them."""
    if all(len(value) > 1 and value[0] == value[-1] == '"' for value in (expected, got)):
        quote = Piece("", '"')
        return (quote, Piece("del", expected[1:-1]), quote), (quote, Piece(kind, got[1:-1]), quote)
    return (Piece("del", expected),), (Piece(kind, got),)


def _add(line: list[Piece], kind: str, value: str) -> None:
    if value:
        line.append(Piece(kind, value))


def similar(expected: Json, got: Json) -> bool:
    """Whether two values differ in spelling only: case, blanks, punctuation, 1 and 1.0, 25 and "25"; their parts likewise.

    An object whose expected values are lists holds accepted values per key, as accepted-values suites write them.
    """
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None or got is None:
        return expected is got
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(
            _accepts(expected[key], got[key]) for key in expected
        )
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(similar, expected, got))
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return expected == got
    if isinstance(expected, dict | list) or isinstance(got, dict | list):
        return False
    return (
        formatting.folded(str(expected)) == formatting.folded(str(got)) and str(got).strip() != ""
    )


def _accepts(expected: Json, got: Json) -> bool:
    if isinstance(expected, list) and not isinstance(got, list):
        return any(similar(value, got) for value in expected)
    return similar(expected, got)


def same_name(expected: ExpectedCall, call: Call, *, underscored: bool) -> bool:
    if expected.name is None:
        return False
    return call.name == expected.name or (
        underscored and call.name == expected.name.replace(".", "_")
    )


def pairs(
    expected: Sequence[ExpectedCall], got: Sequence[Call], *, underscored: bool = False
) -> tuple[list[tuple[ExpectedCall, Call | None]], list[Call]]:
    """Each expected call with the call made for it, and the calls left over: by fit, then by name, then by order."""
    free = dict(enumerate(got))
    taken: dict[int, Call] = {}
    for test in (_fits, same_name, _any):
        for index, call in enumerate(expected):
            match = next(
                (n for n, made in free.items() if test(call, made, underscored=underscored)), None
            )
            if index not in taken and match is not None:
                taken[index] = free.pop(match)
    return [(call, taken.get(index)) for index, call in enumerate(expected)], list(free.values())


def _fits(expected: ExpectedCall, call: Call, *, underscored: bool) -> bool:
    return same_name(expected, call, underscored=underscored) and all(
        (
            argument.name in call.arguments
            and any(similar(a, call.arguments[argument.name]) for a in argument.accepted)
        )
        or (argument.name not in call.arguments and argument.may_be_absent)
        for argument in expected.arguments
    )


def _any(expected: ExpectedCall, call: Call, *, underscored: bool) -> bool:  # noqa: ARG001 - the signature of a test
    return True


def diffs(
    expected: Sequence[ExpectedCall],
    got: Sequence[Call],
    leaning: Leaning,
    *,
    underscored: bool = False,
) -> tuple[tuple[CallDiff, ...], list[Call]]:
    """The expected calls that differ from those made, argument by argument, and the calls that none was expected for."""
    matched, free = pairs(expected, got, underscored=underscored)
    found = tuple(
        compare(call, made, leaning, underscored=underscored)
        for call, made in matched
        if made is not None
    )
    absent = tuple(_not_made(call) for call, made in matched if made is None)
    found = (*found, CallDiff("calls", absent, ()))
    if leaning.reason == "wrong_value" and not any(
        line.tone == "bad" for diff in found for line in diff.lines
    ):
        found = tuple(_spelt_wrongly(diff) for diff in found)
    return tuple(diff for diff in found if diff.lines), free


def _spelt_wrongly(diff: CallDiff) -> CallDiff:
    """Where a value is wrong and all are similar, what is only written differently is what is wrong."""
    lines = tuple(
        Line(
            "bad",
            "≠",
            "differs",
            line.name,
            *pieces(_text(line.expected), _text(line.got)),
            line.others,
            line.more,
        )
        for line in diff.lines
    )
    return CallDiff(diff.name, lines, diff.same)


def _text(line: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in line)


def unlike(name: str, expected: str, got: str) -> Line:
    """Two texts that differ, with the characters marked that only one of them has."""
    return Line("bad", "≠", "differs", name, *pieces(expected, got))


def literal(
    name: str, texts: tuple[str, str], tone: str, mark: str, meaning: str, *, nothing: str = ""
) -> Line:
    """Two texts, expected and got, with nothing marked; `nothing` stands where there is no second one."""
    expected, got = texts
    return Line(
        tone,
        mark,
        meaning,
        name,
        (Piece("", expected),),
        (Piece("", got),) if got else (),
        got_none=nothing,
    )


def _not_made(call: ExpectedCall) -> Line:
    return Line(
        "bad", "−", "missing", "call", (Piece("del", _name(call)),), (), got_none="not made"
    )


def _name(call: ExpectedCall) -> str:
    return call.name or "a tool that is not offered"


def compare(
    expected: ExpectedCall, call: Call, leaning: Leaning, *, underscored: bool = False
) -> CallDiff:
    """One expected call beside the call made for it, argument by argument."""
    name = _name(expected)
    if not same_name(expected, call, underscored=underscored):
        return CallDiff(name, (_renamed(name, call), *_unexpected(call.arguments, leaning)), ())
    lines: list[Line] = []
    same: list[str] = []
    for argument in expected.arguments:
        line = _line(argument, call.arguments, leaning)
        if line is None:
            same.append(argument.name)
        else:
            lines.append(line)
    known = {argument.name for argument in expected.arguments}
    lines += _unexpected(
        {key: value for key, value in call.arguments.items() if key not in known}, leaning
    )
    return CallDiff(name, tuple(lines), tuple(same))


def _renamed(name: str, call: Call) -> Line:
    return Line("bad", "≠", "differs", "tool", (Piece("del", name),), (Piece("ins", call.name),))


def _unexpected(arguments: Mapping[str, Json], leaning: Leaning) -> list[Line]:
    tone, kind = ("ok", "") if leaning.outcome == "pass" else ("bad", "ins")
    return [
        Line(
            tone,
            "+",
            "not expected",
            name,
            (),
            (Piece(kind, formatting.shown(value)),),
            expected_none="none",
        )
        for name, value in arguments.items()
    ]


def _line(argument: ExpectedArgument, got: Mapping[str, Json], leaning: Leaning) -> Line | None:
    """One argument that is not literally as expected, or None."""
    first = formatting.shown(argument.accepted[0]) if argument.accepted else ""
    if argument.name not in got:
        if leaning.outcome == "pass" or argument.may_be_absent:
            return None
        return Line(
            "bad", "−", "missing", argument.name, (Piece("del", first),), (), got_none="left out"
        )
    value = formatting.shown(got[argument.name])
    if any(value == formatting.shown(accepted) for accepted in argument.accepted):
        return None
    tone, mark, meaning = _reading(argument, got[argument.name], leaning)
    marked = {"bad": "ins", "may": "" if meaning == "written differently" else "may"}
    left, right = pieces(first, value, marked.get(tone, ""))
    if tone != "bad":
        left = (Piece("", first),)
    others = tuple(map(formatting.shown, argument.accepted[1:]))
    return Line(
        tone, mark, meaning, argument.name, left, right, others[:3], max(len(others) - 3, 0)
    )


def _reading(argument: ExpectedArgument, got: Json, leaning: Leaning) -> tuple[str, str, str]:
    """Tone, mark and its meaning for an argument whose value is not literally an accepted one."""
    passed = leaning.outcome == "pass"
    if any(_accepts(accepted, got) for accepted in argument.accepted):
        return "ok" if passed else "may", "≈", "written differently"
    if passed:
        return ("may", "≈", "judged") if leaning.judged else ("ok", "≈", "accepted")
    if not argument.closed and isinstance(got, str) and leaning.reason != "judge_different":
        return (
            "may",
            "≈",
            "waits for a judge" if leaning.judged else "not judged, as the call is wrong already",
        )
    return "bad", "≠", "differs"
