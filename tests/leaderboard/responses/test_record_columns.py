"""The fields of records as columns."""

from __future__ import annotations

from leaderboard.responses.record_columns import RecordColumns


def test_a_column_has_the_values_of_all_rows_in_order() -> None:
    """With a default where a row has none, also where no row has the field."""
    columns = RecordColumns([{"id": "a", "trial": 2}, {"id": "b"}])
    assert frozenset({"id", "trial"}) == columns.names
    assert (["a", "b"], [None, None]) == (columns.of("id"), columns.of("usage"))
    assert [True, False, False] == [columns.everywhere(name) for name in ("id", "trial", "usage")]


def test_each_reader_gets_its_own_default() -> None:
    """Whatever another one has asked for before."""
    columns = RecordColumns([{"trial": 2}, {}])
    assert ([2, 1], [2, None], [2, 1]) == (
        columns.of("trial", 1),
        columns.of("trial"),
        columns.of("trial", 1),
    )
