"""Files with one JSON object per line."""

from __future__ import annotations

from pathlib import Path

import pytest

from runners.imports.json_lines import LineReader


def test_lines_are_read_in_order_and_blank_lines_are_skipped(tmp_path: Path) -> None:
    """A line keeps its number in the file."""
    path = tmp_path / "lines.json"
    path.write_text('{"id": "b"}\n\n  \n{"id": "a", "x": 1}\n')
    reader = LineReader(tmp_path)
    lines = reader.read(path)
    assert [("b", 1), ("a", 4)] == [(line.id, line.number) for line in lines]
    assert [] == reader.problems
    lines[1].report("is 1", "leave it out", at="$.x")
    assert ["lines.json:4 $.x: is 1 (leave it out)"] == list(map(str, reader.problems))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "lines.json: is empty"),
        ('{"id": "a"}\n{"id": "a"}\n', "lines.json:2 $.id: repeats the id 'a' of line 1"),
        ('{"id": "a"}\n[1]\n', "lines.json:2: is not a JSON object with an id"),
        ('{"id": "a"}\n{oops\n', "lines.json:2: is not JSON"),
        (None, "lines.json: cannot be read"),
    ],
)
def test_problems_of_all_files_are_collected(
    tmp_path: Path, content: str | None, problem: str
) -> None:
    """Good lines of a file are read, and the problems have their line."""
    path = tmp_path / "lines.json"
    if content is not None:
        path.write_text(content)
    reader = LineReader(tmp_path)
    assert len(reader.read(path)) == (1 if content else 0)
    (found,) = reader.problems
    assert str(found).startswith(problem)
