"""Parts of a board's verdicts, and how they join."""

from __future__ import annotations

import dataclasses

import polars as pl
import pytest

from scoring.verdict_parts import (
    DISTINCT,
    FILES,
    GIVEN,
    REPLIES,
    VERDICT_ROWS,
    ScoredPart,
    join,
    unsettled,
    verdicts_of,
    with_verdicts,
)


def part(*files: tuple[str, list[str]]) -> ScoredPart:
    """A part with a verdict of each of these reasons, in files of the suite s."""
    reasons = [reason for _, some in files for reason in some]
    cases = [place for _, some in files for place in range(len(some))]
    rows = [(name, "s", len(some), 0) for name, some in files]
    columns = {"case": cases, "trial": [1] * len(cases), "row": range(len(cases))}
    table = [("correct", "fail", 0.0, reason, "", "rule", None) for reason in reasons]
    return ScoredPart(
        pl.DataFrame(rows, schema=FILES, orient="row"),
        pl.DataFrame(columns, schema=VERDICT_ROWS),
        pl.DataFrame(table, schema=DISTINCT, orient="row"),
        pl.DataFrame(schema=GIVEN),
    )


def reasons(joined: ScoredPart) -> list[str]:
    return joined.distinct["reason"].gather(joined.verdict_rows["row"]).to_list()


def test_parts_join_in_the_order_that_is_asked_for() -> None:
    """Each file brings its own verdicts, whatever part it was in. The first part with it counts."""
    first, second = part(("a", ["a1", "a2"]), ("c", ["c1"])), part(("b", ["b1"]), ("a", ["old"]))
    joined = join([first, second], [("c", "s"), ("a", "s"), ("b", "s")])
    assert [("c", "s"), ("a", "s"), ("b", "s")] == joined.named()
    assert ["c1", "a1", "a2", "b1"] == reasons(joined)


def test_a_file_that_no_part_has_is_an_error() -> None:
    """A board is never scored without one of its files."""
    with pytest.raises(KeyError):
        join([part(("a", ["a1"]))], [("b", "s")])


def test_files_are_found_by_their_verdicts() -> None:
    """Rows of the table name the files that have such a verdict."""
    joined = part(("a", ["a1", "a2"]), ("b", ["b1"]), ("c", ["c1"]))
    assert {("a", "s"), ("c", "s")} == with_verdicts(joined, pl.Series([1, 3], dtype=pl.UInt32))


def test_what_may_be_decided_otherwise_next_time_is_unsettled() -> None:
    """A call without a reply may be recorded, and a rule that failed may be repaired."""
    joined = part(("a", ["exact"]), ("b", ["rule_failed"]), ("c", ["judge_missing"]))
    calls = pl.Series("judge_call", [None, None, "key1 key2"], pl.String)
    table = joined.distinct.with_columns(calls)
    replies = pl.DataFrame([("judge", "key1", "equivalent")], schema=REPLIES, orient="row")
    joined = dataclasses.replace(joined, distinct=table, replies=replies)
    assert {("b", "s"), ("c", "s")} == unsettled(joined)


def test_a_board_without_suites_has_no_verdicts() -> None:
    """Its table has every column and no row."""
    assert verdicts_of(join([], []), []).is_empty()
