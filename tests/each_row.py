"""A test of a table of values, which is one test and not one for each row."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def each_row(names: str | Iterable[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Calls the test with each row in turn. A failure shows every row that fails, and why.

    The arguments are those of `pytest.mark.parametrize`, which makes a test of each row. That takes
    some 5 ms of every row: use it where rows need fixtures of their own, and this for long tables.
    The failure is raised from that of the first row, so that its traceback is shown too.
    """
    columns = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    table = [tuple(row) if len(columns) > 1 else (row,) for row in rows]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def test_of_rows(**fixtures: Any) -> None:
            failed: list[str] = []
            first: BaseException | None = None
            for row in table:
                values = dict(zip(columns, row, strict=True))
                try:
                    test(**values, **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - shown below
                    first = first or error
                    given = ", ".join(f"{name}={value!r}" for name, value in values.items())
                    failed.append(f"{given}\n{type(error).__name__}: {error}")
            if failed:
                message = "\n\n".join([f"{len(failed)} of {len(table)} rows fail", *failed])
                raise AssertionError(message) from first
            if not table:
                pytest.skip("the table has no rows")

        signature = inspect.signature(test)
        others = [value for name, value in signature.parameters.items() if name not in columns]
        test_of_rows.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return test_of_rows

    return decorate
