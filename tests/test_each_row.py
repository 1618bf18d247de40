"""A test of a table fails with every row that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each_row import each_row


def test_every_row_that_fails_is_shown() -> None:
    """Failed assertions, exceptions, and exceptions that `pytest.raises` missed."""

    @each_row(("number", "half"), [(2, 1), (6, 4), ("a", 1), (8, 4), (10, 6)])
    def halves(number: int, half: int) -> None:
        assert number / 2 == half

    @each_row("number", [0, 1])
    def fails(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            1 / number

    with pytest.raises(AssertionError) as found:
        halves()
    message = str(found.value)
    assert message.startswith("3 of 5 rows fail\n\nnumber=6, half=4\nAssertionError: assert")
    assert "number='a', half=1\nTypeError: " in message
    assert "number=10, half=6" in message
    assert "number=8" not in message
    with pytest.raises(AssertionError, match=r"1 of 2 rows fail\s+number=1\s+Failed: DID NOT"):
        fails()


def test_tables_are_multiplied() -> None:
    """Two tables are every pair of their rows."""
    seen = []

    @each_row("left", [1, 2])
    @each_row("right", "ab")
    def pairs(left: int, right: str) -> None:
        seen.append((left, right))

    pairs()
    assert seen == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


@each_row("name", ["a", "b"])
def test_fixtures_come_beside_the_rows(name: str, tmp_path: Path) -> None:
    """A fixture is the same for all rows."""
    (tmp_path / name).touch()

    assert "a" == min(path.name for path in tmp_path.iterdir())


def test_a_table_without_rows_is_no_passed_test() -> None:
    """It is skipped, as pytest does."""

    @each_row("name", [])
    def nothing(name: str) -> None:
        """Never called."""

    with pytest.raises(pytest.skip.Exception, match="no rows"):
        nothing()
