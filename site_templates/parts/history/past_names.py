"""Snapshots, and names in them: of submissions, suites and cases that the board may have lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from leaderboard.board.board_state import State
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.distinct_names import DistinctNames
from site_templates.links import Link
from site_templates.parts.named_links import label

NAME: Final = 60  # characters of a name


class PastNames:
    """Names of submissions, suites and cases, linked if the current board still has them."""

    def __init__(self, index: BoardIndex) -> None:
        self._index = index
        self._suites = {s.id: s for s in index.board.suites}
        self._present = {s.id: s.card.name for s in index.submissions}
        former: dict[str, str] = {}
        for state in index.board.states:
            former |= state.names
        self._names = DistinctNames(former | self._present)

    def submission(self, id_: str, length: int = NAME) -> Link:
        name = self._names.of(id_, length)
        return Link(name, self._index.paths.submission(id_) if id_ in self._present else None)

    def suite(self, name: str) -> Link:
        current = self._suites.get(name)
        if current is None:
            return Link(formatting.clip(name, NAME))
        return Link(formatting.clip(current.title, NAME), self._index.paths.suite(name))

    def metric(self, suite: str) -> str:
        """The metric that a suite is ranked by now; "correct" if the board no longer has it."""
        current = self._suites.get(suite)
        return current.kind.ranked if current else "correct"

    def category(self, suite: str, name: str) -> str:
        """The title of a category, or its name in words if the board has lost it."""
        categories = self._suites[suite].categories if suite in self._suites else ()
        found = next((category for category in categories if category.id == name), None)
        return label(found) if found else formatting.words(name)

    def case(self, suite: str, name: str, note: str = "") -> Link:
        """A case; `note` follows its name."""
        label = formatting.clip(name, 80) + note
        current = self._suites.get(suite)
        if current is None or name not in current.by_id:
            return Link(label)
        return Link(label, self._index.paths.case(suite, name))


def snapshot_path(name: str) -> str:
    """The path of a snapshot's page. Its name is a date and digits, so it is safe."""
    return f"history/{name}/index.html"


def snapshot_title(label: str | None, sequence: int | None) -> str:
    """What a snapshot is called: its label, or else its number."""
    return formatting.clip(label, 120) if label else f"Snapshot {sequence}"


def snapshots(index: BoardIndex) -> tuple[State, ...]:
    """The snapshots, without repetitions: a board that came back has one page."""
    return tuple({state.name: state for state in index.board.states}.values())


class Dated(Protocol):
    """What has the dates of a snapshot: itself, its chapter in the history, a step in it."""

    @property
    def taken(self) -> str | None: ...

    @property
    def as_of(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class SnapshotDate:
    """The day that a snapshot is known by.

    It is the day on which it was taken (`is_taken`). If that is not recorded, it is the date of
    its newest submission, None without any.
    """

    day: str | None
    is_taken: bool

    @property
    def said(self) -> str:
        """The day in words: "on 2026-01-02", or "as of" it if it is not the snapshot's own."""
        return f"{'on' if self.is_taken else 'as of'} {self.day or formatting.NONE}"


def snapshot_date(dated: Dated) -> SnapshotDate:
    """The day that a snapshot is known by."""
    return SnapshotDate(dated.taken or dated.as_of, is_taken=bool(dated.taken))
