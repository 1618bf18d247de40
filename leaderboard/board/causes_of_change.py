"""The inputs that explain a change, grouped for readers: for the pages and for `lb diff`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import Cause, CauseKind, How, PartKind
from leaderboard.workspace import CARD_FILE

# "cases" are named by what of them changed.
_KIND_NAMES: Final[Mapping[CauseKind, str]] = {
    "responses": "responses",
    "cards": CARD_FILE,
    "prompts": "judge prompts",
    "judges": "judge settings",
    "cassettes": "recorded judge calls",
    "rules": "rules",
    "labels": "labels",
}
_PART_NAMES: Final[Mapping[PartKind, str]] = {
    "case": "cases",
    "tools": "tools",
    "weight": "weights",
    "policy": "policy",
    "texts": "titles or descriptions",
}
# Old snapshots do not record which part of a suite changed.
_ANY_PART: Final = "cases, tools, weights or policy"


@dataclass(frozen=True, slots=True)
class InputGroup:
    """Inputs of one kind that changed, as (name, how). `suite` is set when they are its parts."""

    what: str
    suite: str | None
    names: tuple[tuple[str, How], ...]


def group_inputs(causes: Iterable[Cause]) -> tuple[InputGroup, ...]:
    """Groups inputs that changed by kind, and changed suites by their parts. Keeps the order."""
    groups: dict[tuple[str, str | None], list[tuple[str, How]]] = {}
    for cause in causes:
        if not cause.parts:
            if cause.kind == "cases":
                what = _ANY_PART if cause.how == "changed" else "suites"
            else:
                what = _KIND_NAMES[cause.kind]
            groups.setdefault((what, None), []).append((cause.name, cause.how))
        for part in cause.parts:
            names = groups.setdefault((_PART_NAMES[part.kind], cause.name), [])
            if part.name:
                names.append((part.name, part.how))
    return tuple(InputGroup(*key, tuple(names)) for key, names in groups.items())
