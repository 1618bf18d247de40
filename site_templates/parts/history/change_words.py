"""What changed between two states of a board, in words: scores, ranks, verdicts, inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import Cause, Era, How, Range, VerdictFlip
from leaderboard.board.causes_of_change import InputGroup, group_inputs
from leaderboard.ids import WHOLE
from leaderboard.texts.counted_nouns import counted
from leaderboard.texts.percentages import percentage
from leaderboard.texts.short_text import and_more
from site_templates import formatting
from site_templates.links import Link
from site_templates.parts.history.past_names import PastNames, snapshot_title

OTHER_CASES: Final = "different cases: not comparable"


# ---------------------------------------------------------------- scores


def share_change(
    old: float | None, new: float | None, *, recased: bool = False
) -> tuple[str, str, str]:
    """Formats two shares in percent, and the points between them.

    The points are the difference of the two numbers as shown, so that readers can check them.
    Up to three decimals are used until the rounded difference agrees, and until it is not 0 for
    shares that differ. A missing share is a dash and has no points. `recased`: the suite gained or
    lost cases, so there are words instead of points.
    """
    if old is None or new is None or recased:
        points = OTHER_CASES if recased else ""
        return formatting.percent(old), formatting.percent(new), points
    for digits in (1, 2):
        exact = float(percentage(new - old, digits))
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
    return percentage(old, digits), percentage(new, digits), f"{sign}{abs(by):.{digits}f}"


def _shown_points(old: float, new: float, digits: int) -> float:
    """The difference of two shares as they are shown with this many digits."""
    before, after = (float(percentage(share, digits)) for share in (old, new))
    return round(after - before, digits)


# ---------------------------------------------------------------- states


def chapter_anchor(sequence: int | None) -> str:
    """The id of a state's chapter in the changelog."""
    return "now" if sequence is None else f"snapshot-{sequence}"


def chapter_title(era: Era) -> str:
    """The title of a state's chapter."""
    if era.sequence is None:
        return "Since the last snapshot"
    return snapshot_title(era.label, era.sequence)


def summary(era: Era, metric: Callable[[str], str]) -> str:
    """What changed, in one sentence. `metric` gives the ranked metric of a suite."""
    difference = era.difference
    if difference is None:
        return "The first snapshot."
    if difference.nothing:
        return "No score, verdict or rank changed."
    ranks = sum(move.category == WHOLE for move in difference.ranks)
    moves = [change.move(metric(change.suite)) for change in difference.changed]
    scores = sum(move is not None and move.old != move.new for move in moves)
    counts = (
        (len(difference.added), "result", "added"),
        (len(difference.removed), "result", "removed"),
        (scores, "score", "changed"),
        (ranks, "rank", "changed"),
    )
    parts = [f"{counted(number, noun)} {verb}" for number, noun, verb in counts if number]
    if parts:
        return f"{formatting.listed(parts)}."
    if difference.changed:
        results = counted(len(difference.changed), "result")
        return f"No score changed. Verdicts or other metrics of {results} did."
    return "Ranks in categories changed."


def turn(flip: VerdictFlip) -> str:
    """The old and new outcome of a verdict, or its scores if the outcome is the same."""
    if flip.old != flip.new:
        return f"{flip.old} to {flip.new}"
    before, after, _ = share_change(flip.old_score, flip.new_score)
    return f"{flip.old}, {before} to {after}"


def rank_change(old: Range | None, new: Range | None) -> str:
    """Two ranges of ranks: "2 to 1–2"."""
    before, after = (formatting.rank(ranks) or formatting.NONE for ranks in (old, new))
    return f"{before} to {after}"


# ---------------------------------------------------------------- inputs

_INPUTS: Final = 3  # inputs of one kind that are named
_CASES: Final = 12  # changed cases that are linked


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
    for group in group_inputs(causes):
        what = group.what
        if group.suite is not None:
            what += f" of {formatting.clip(group.suite, 80)}"
        names = ", ".join(_input_name(name, how) for name, how in group.names[:_INPUTS])
        parts.append(f"{what}: {names}{and_more(len(group.names) - _INPUTS)}" if names else what)
    return "; ".join(parts)


def changed_input(names: PastNames, group: InputGroup) -> ChangedInput:
    """Inputs of one kind that changed. Cases are linked."""
    what, suite = group.what, group.suite
    most = _INPUTS
    links: Sequence[Link] = [Link(_input_name(name, how)) for name, how in group.names]
    if group.what == "cases" and suite is not None:
        most = _CASES
        links = [names.case(suite, name, _note(how)) for name, how in group.names]
    place = None if suite is None else names.suite(suite)
    return ChangedInput(what, place, tuple(links[:most]), and_more(len(group.names) - most))


def _input_name(name: str, how: How) -> str:
    return formatting.clip(name, 80) + _note(how)


def _note(how: How) -> str:
    return "" if how == "changed" else f" {how}"
