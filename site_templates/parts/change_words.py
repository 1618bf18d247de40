"""What changed between two states of a board, in words, for the pages, the feed and `lb diff`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import Cause, How, PartKind
from site_templates import formatting

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
            what: str = cause.kind
            if cause.kind == "cases":
                what = _ANY_PART if cause.how == "changed" else "suites"
            groups.setdefault((what, None), []).append((cause.name, cause.how))
        for part in cause.parts:
            names = groups.setdefault((_PART_NAMES[part.kind], cause.name), [])
            if part.name:
                names.append((part.name, part.how))
    return tuple(InputGroup(*key, tuple(names)) for key, names in groups.items())


def share_change(old: float | None, new: float | None) -> tuple[str, str, str]:
    """Formats two shares in percent, and the points between them.

    The points are the difference of the two numbers as shown, so that readers can check them.
    Up to three decimals are used until the rounded difference agrees, and until it is not 0 for
    shares that differ. A missing share is a dash and has no points.
    """
    if old is None or new is None:
        before, after = ("—" if share is None else formatting.points(share) for share in (old, new))
        return before, after, ""
    for digits in (1, 2):
        exact = round(100 * (new - old), digits)
        if exact == _shown_points(old, new, digits) and (exact or old == new):
            return _formatted(old, new, digits)
    for digits in (1, 2):
        if _shown_points(old, new, digits):
            return _formatted(old, new, digits)
    return _formatted(old, new, 3)


def _formatted(old: float, new: float, digits: int) -> tuple[str, str, str]:
    by = _shown_points(old, new, digits)
    sign = ""
    if by:
        sign = "+" if by > 0 else "−"
    return f"{100 * old:.{digits}f}", f"{100 * new:.{digits}f}", f"{sign}{abs(by):.{digits}f}"


def _shown_points(old: float, new: float, digits: int) -> float:
    """Returns the difference of two shares as they are shown with this many digits."""
    return round(round(100 * new, digits) - round(100 * old, digits), digits)
