"""A file against its shape: what it says, or every misfit with its place and how to fix it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from leaderboard.errors import FilesError, Problem
from leaderboard.files.field_types import OPEN
from leaderboard.files.validation import read_shaped

COUNTS: TypeAdapter[dict[str, int]] = TypeAdapter(dict[str, int])


def problems(folder: Path, text: str) -> list[Problem]:
    (folder / "counts.json").write_text(text, encoding="utf-8")
    with pytest.raises(FilesError) as raised:
        read_shaped(COUNTS, folder / "counts.json", "shown/counts.json", folder, "count again")
    return list(raised.value.problems)


def test_a_file_that_fits_says_what_it_says(tmp_path: Path) -> None:
    """The findings collect further problems of the file, with its name and lines."""
    (tmp_path / "counts.json").write_text('{\n"a": 1,\n"b": 2}', encoding="utf-8")
    counts, findings = read_shaped(
        COUNTS, tmp_path / "counts.json", "shown/counts.json", tmp_path, "count again"
    )
    findings.add(("b",), "is even", "add one")

    assert {"a": 1, "b": 2} == counts
    assert [Problem("shown/counts.json", "is even", "add one", line=3, at="$.b")] == list(
        findings.problems()
    )


def test_every_misfit_is_told_with_its_place_and_the_fix(tmp_path: Path) -> None:
    """All of a file at once, in its order."""
    found = problems(tmp_path, '{"a": "one",\n"b": 2,\n"c": null}')

    assert [
        ("shown/counts.json", 1, "$.a", "count again"),
        ("shown/counts.json", 3, "$.c", "count again"),
    ] == [(problem.file, problem.line, problem.at, problem.fix) for problem in found]


def test_what_is_no_json_is_told_as_that(tmp_path: Path) -> None:
    """Before any shape: duplicate keys, which a shape would let pass, among it."""
    assert ["repeats the key 'a'"] == [
        problem.what for problem in problems(tmp_path, '{"a": 1, "a": 2}')
    ]
    assert problems(tmp_path, '{"a": NaN}')[0].what.startswith("holds NaN")


def test_a_number_of_either_kind_has_one_message(tmp_path: Path) -> None:
    """A wrong value fits neither branch of the union."""
    path = tmp_path / "n.json"
    path.write_text('["5", []]', encoding="utf-8")
    with pytest.raises(FilesError) as raised:
        read_shaped(TypeAdapter(list[int | float], config=OPEN), path, "n.json", tmp_path, "")
    assert ["$[0]", "$[1]"] == [problem.at for problem in raised.value.problems]
    assert "got a list" in raised.value.problems[1].what
