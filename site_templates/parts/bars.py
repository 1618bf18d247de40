"""Bars that are divided into stretches, such as the kinds of mistake of a submission."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from site_templates.figures.axis import at

_LEGIBLE: Final = 0.09  # share of the bar that a number needs


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a bar. `tone` is its class; `room` says whether its count fits into it."""

    tone: str = ""
    count: int = 0
    share: float = 0.0
    x: str = "0%"
    width: str = "0%"
    middle: str = "0%"
    room: bool = True


def stretches(counts: Iterable[tuple[str, int]]) -> tuple[Stretch, ...]:
    """The stretches of a bar, from tones and counts."""
    pairs = list(counts)
    total = sum(count for _, count in pairs)
    start, parts = 0.0, []
    for tone, count in pairs:
        share = count / total if total else 0.0
        place = (at(start), at(share), at(start + share / 2))
        parts.append(Stretch(tone, count, share, *place, room=share >= _LEGIBLE))
        start += share
    return tuple(parts)
