"""Snapshots: the days that they are known by, and names that the board may have lost."""

from __future__ import annotations

import dataclasses

from site_templates.board_index import index_board
from site_templates.links import Link
from site_templates.parts.history.past_names import PastNames, SnapshotDate, snapshot_date
from tests.site_templates import site_history


def test_unknown_names_have_no_link() -> None:
    """A name that the board does not know is shown as it is."""
    names = PastNames(index_board(site_history.board()))

    assert names.submission("gone") == Link("gone")
    assert names.suite("match").path == "suites/match/index.html"


def test_categories_have_their_title_while_the_board_has_them() -> None:
    """A category of a lost suite, or one that its suite has lost, has the words of its id."""
    names = PastNames(index_board(site_history.board()))

    assert names.category("match", "parallel_function") == "Parallel calls"
    assert names.category("match", "typewriter_1") == "typewriter 1"
    assert names.category("gone", "parallel_function") == "parallel function"


def test_a_snapshot_without_a_day_is_known_by_its_newest_submission() -> None:
    """A board without submissions has not even that."""
    undated, dated = site_history.board().states[:2]
    empty = dataclasses.replace(undated, manifest={**undated.manifest, "as_of": None})

    assert snapshot_date(dated) == SnapshotDate("2026-04-09", is_taken=True)
    assert snapshot_date(undated) == SnapshotDate("2026-03-01", is_taken=False)
    assert [snapshot_date(state).said for state in (dated, undated, empty)] == [
        "on 2026-04-09",
        "as of 2026-03-01",
        "as of —",
    ]
