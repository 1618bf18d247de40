"""The inputs of scores that changed from one state of a board to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import Cause, How
from leaderboard.board.changed_inputs import InputGroup, group_inputs
from site_templates import formatting
from site_templates.links import Link
from site_templates.parts.snapshots import PastNames

_INPUTS: Final = 3  # inputs of one kind that are named
_CASES: Final = 12  # changed cases that are linked

# Names for the kinds of inputs that can change a score.
_INPUT_KINDS: Final = {
    "responses": "responses",
    "prompts": "judge prompts",
    "judges": "judge settings",
    "cassettes": "recorded judge calls",
    "rules": "rules",
    "labels": "labels",
}


@dataclass(frozen=True, slots=True)
class ChangedInput:
    """Inputs of one kind that changed; those of a suite link to the cases that it still has."""

    what: str
    suite: Link | None
    names: tuple[Link, ...]
    more: str


def because(causes: Iterable[Cause]) -> str:
    """Inputs that changed, in words: each kind once, with a few names."""
    parts = []
    for found in group_inputs(causes):
        what = _INPUT_KINDS.get(found.what, found.what)
        if found.suite is not None:
            what += f" of {formatting.clip(found.suite, 80)}"
        names = ", ".join(_input_name(name, how) for name, how in found.names[:_INPUTS])
        parts.append(f"{what}: {names}{_left(len(found.names), _INPUTS)}" if names else what)
    return "; ".join(parts)


def changed_input(names: PastNames, found: InputGroup) -> ChangedInput:
    """Inputs of one kind that changed. Cases are linked."""
    what, suite = _INPUT_KINDS.get(found.what, found.what), found.suite
    most = _INPUTS
    links: Sequence[Link] = [Link(_input_name(name, how)) for name, how in found.names]
    if found.what == "cases" and suite is not None:
        most = _CASES
        links = [names.case(suite, name, _note(how)) for name, how in found.names]
    place = None if suite is None else names.suite(suite)
    return ChangedInput(what, place, tuple(links[:most]), _left(len(found.names), most))


def _input_name(name: str, how: How) -> str:
    return formatting.clip(name, 80) + _note(how)


def _note(how: How) -> str:
    return "" if how == "changed" else f" {how}"


def _left(number: int, most: int) -> str:
    return f" and {number - most:,} more" if number > most else ""
