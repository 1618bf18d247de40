"""A file against its shape: what it says, or every misfit with its place and how to fix it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from leaderboard.errors import FilesError, Problem
from leaderboard.files.board_settings import LEADERBOARD_FILE
from leaderboard.files.field_types import OPEN, Seconds
from leaderboard.files.shaped_files import read_shaped
from leaderboard.files.suite_shapes import SUITE_FILE
from tests.each_row import each_row

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


@each_row(
    ("value", "at", "what"),
    [
        ("f(x=1)", "$[0]", "write an object, {...}, or a list, [...], got 'f(x=1)'"),
        (["f"], "$[0][0]", "write an object, {...}, got 'f'"),
        ({"f": "x"}, "$[0].f", "input should be a valid integer, got 'x'"),
    ],
)
def test_a_value_of_a_wrong_type_has_one_message(
    value: Any, at: str, what: str, tmp_path: Path
) -> None:
    """Of a union, it names all types, or only the problem in the type that the value has."""
    path = tmp_path / "n.json"
    path.write_text(json.dumps([value]), encoding="utf-8")
    shape = TypeAdapter(list[dict[str, int] | list[dict[str, int]]], config=OPEN)
    with pytest.raises(FilesError) as raised:
        read_shaped(shape, path, "n.json", tmp_path, "")

    assert [(problem.at, problem.what) for problem in raised.value.problems] == [(at, what)]


@each_row(
    ("shape", "text", "key"),
    [
        (SUITE_FILE, 'titel = "A"', "title"),
        (SUITE_FILE, "[[categories]]\nwieght = 2", "weight"),
        (LEADERBOARD_FILE, "[site]\nheadlin = 1", "headline"),
        (LEADERBOARD_FILE, '[judges.a]\nprovder = "openai"', "provider"),
        (LEADERBOARD_FILE, "colours = 1", None),
    ],
)
def test_an_unknown_key_that_is_nearly_a_known_one_has_its_name(
    shape: TypeAdapter[Any], text: str, key: str | None, tmp_path: Path
) -> None:
    """Settings with a slip are common."""
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FilesError) as raised:
        read_shaped(shape, tmp_path / "a.toml", "a.toml", tmp_path, "see lb docs")
    unknown = [one.fix for one in raised.value.problems if one.what.startswith("unknown key")]

    assert unknown == [f"did you mean {key!r}? see lb docs" if key else "see lb docs"]


def test_a_decimal_comma_has_the_number_to_write(tmp_path: Path) -> None:
    """1,234 may be a thousand."""
    written = ["21,5", "0,125", "1,234", "1,2,3", "x"]
    (tmp_path / "n.json").write_text(json.dumps(written), encoding="utf-8")
    for shape in (TypeAdapter(list[float], config=OPEN), TypeAdapter(list[Seconds], config=OPEN)):
        with pytest.raises(FilesError) as raised:
            read_shaped(shape, tmp_path / "n.json", "n.json", tmp_path, "see lb docs")
        advice = [one.fix for one in raised.value.problems]

        assert advice == ["write 21.5", "write 0.125", *["see lb docs"] * 3]


@each_row(
    ("shape", "value", "what", "fix"),
    [
        (Seconds, "0.8", "expected a number, got '0.8'", "write 0.8 without quotes"),
        (Seconds, True, "expected a number, got True", "see lb docs"),
        (float, "5", "input should be a valid number, got '5'", "write 5 without quotes"),
        (int, "5", "input should be a valid integer, got '5'", "write 5 without quotes"),
        (int, "0.8", "input should be a valid integer, got '0.8'", "see lb docs"),
        (float, "05", "input should be a valid number, got '05'", "see lb docs"),
    ],
)
def test_a_number_in_quotes_is_to_be_written_without_them(
    shape: Any, value: Any, what: str, fix: str, tmp_path: Path
) -> None:
    """The range of an amount is not what is wrong with it."""
    (tmp_path / "n.json").write_text(json.dumps([value]), encoding="utf-8")
    listed = TypeAdapter(list[shape], config=OPEN)
    with pytest.raises(FilesError) as raised:
        read_shaped(listed, tmp_path / "n.json", "n.json", tmp_path, "see lb docs")

    assert [(one.what, one.fix) for one in raised.value.problems] == [(what, fix)]
