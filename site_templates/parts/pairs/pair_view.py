"""A comparison as the page of a pair and the page of any two show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from leaderboard.board.comparison import Paired
from site_templates.links import Link
from site_templates.parts.bars import Stretch
from site_templates.parts.pairs.pair_cases import PairGroup

NAME: Final = 60  # characters of a name
SAME: Final = "Identical answers, where both answered"
COST: Final = "Cost per 1,000 cases, as reported"


@dataclass(frozen=True, slots=True)
class DifferenceMark:
    """A difference with its interval on the axis. `open`: it is not significant."""

    low: str
    high: str
    at: str
    open: bool


@dataclass(frozen=True, slots=True)
class PairLine:
    """The comparison on one category, or on the whole suite."""

    link: Link
    paired: Paired
    mark: DifferenceMark | None = None


@dataclass(frozen=True, slots=True)
class PairView:
    """A comparison, ready to print. Without values it is a form that the script fills in.

    - `parts`: both right, only the first, only the second, neither.
    - `counted`: how cases with part scores or several trials count, if there are any.
    - `answered`: which of the two has unanswered cases, if any.
    - `judged`: how many of the cases with different scores a judge decided, and what corrects
      the scores, or that they are only reported; empty if rules decided everything.
    - `preferred`: whose answers the judges prefer, if they were asked.
    - `ticks`: labels of the axis at 0, 25, 50, 75 and 100 %.
    - `band`: (x, width) of the differences on the whole suite that are too small to detect.
    - `methodology`: the page that explains the test, if the board has it.
    - `free`: the address of the same comparison on the page with the script.
    """

    suite: Link
    first: Link
    second: Link
    facts: tuple[tuple[str, str], ...]
    lines: tuple[PairLine, ...]
    groups: tuple[PairGroup, ...]
    parts: tuple[Stretch, ...] = tuple(map(Stretch, ("kp", "ka", "kb", "kn")))
    ticks: tuple[str, ...] = ("",) * 5
    band: tuple[str, str] = ("0%", "0%")
    said: str = ""
    parted: str = ""
    counted: str = ""
    answered: str = ""
    ranked: str = ""
    judged: tuple[str, ...] = ()
    preferred: str = ""
    command: str = ""
    methodology: str | None = None
    free: str = ""
