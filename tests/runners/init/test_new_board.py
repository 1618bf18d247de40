"""The files of a new board."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.cassette_paths import JOURNAL
from leaderboard.load import load_contents
from leaderboard.workspace import Workspace
from replay.lexical.embedded_judge import judge as grade
from runners.init.new_board import (
    board_files,
    example_kinds,
    example_suite,
    identifier,
    in_words,
    suite_of_cases,
    write_board,
)
from scoring.rules import KINDS
from scoring.rules.workspace_rules import kinds_of
from tests.each_row import each_row


@pytest.mark.parametrize("kind", example_kinds())
def test_the_example_of_a_kind_is_a_board_without_problems(kind: str, tmp_path: Path) -> None:
    """Every kind that `lb init` offers makes a workspace that loads, with cases of that kind."""
    write_board(tmp_path / "new", board_files("My board", example_suite(kind)), Mock())
    contents = load_contents(Workspace(tmp_path / "new"), kinds_of(tmp_path / "new"))

    assert [str(problem) for problem in contents.problems] == []
    assert ["own" if suite.kind.rule_file else suite.kind.name for suite in contents.suites] == [
        kind
    ]
    assert contents.suites[0].cases
    assert (len(contents.prompts) > 0) == (len(contents.leaderboard.panel) > 0)
    embedded = all(judge.is_recomputed for judge in contents.leaderboard.panel)
    for prompt in contents.prompts.values() if embedded else ():
        filled = "".join(part if place % 2 == 0 else "x" for place, part in enumerate(prompt.parts))
        assert re.fullmatch(r"(equivalent|different)\n.+", grade(filled))


def test_any_title_is_written_so_that_it_can_be_read() -> None:
    """Quotes, line ends of other systems and marks of TOML stay in the text."""
    title = 'A "board" \\ of # odd = [names] \u2028 é 😀'
    files = board_files(title, example_suite("exact"))

    assert tomllib.loads(files["leaderboard.toml"].decode())["title"] == title


def test_what_commands_make_is_never_committed() -> None:
    """Results, the site, what `lb run` keeps, and the journal of a recording."""
    files = board_files("Board", example_suite("exact"))

    ignored = files[".gitignore"].decode().splitlines()
    assert {"/results/", "/_site/", "/.cache/", f"/{JOURNAL}"} <= set(ignored)


def test_categories_come_from_a_column(tmp_path: Path) -> None:
    """Each category has a file of its own, and rows without a category get the file's name."""
    rows: list[dict[str, Any]] = [{"category": name} for name in ("Two steps", None, "Two steps")]
    cases = [
        {"id": str(number), "user_query": "1?", "ground_truth": {"number": 1}}
        for number in (1, 2, 3)
    ]
    places = ["row 2", "row 3", "row 5"]
    suite = suite_of_cases(Path("my sums.csv"), "exact", rows, cases, places)
    write_board(tmp_path / "new", board_files("Sums", suite), Mock())
    (loaded,) = load_contents(Workspace(tmp_path / "new"), KINDS).suites

    assert (loaded.id, loaded.title) == ("my-sums", "My sums")
    assert {c.id: [case.id for case in c.cases] for c in loaded.categories} == {
        "two-steps": ["1", "3"],
        "my-sums": ["2"],
    }
    assert [category.title for category in loaded.categories] == ["Two steps", "My sums"]
    assert suite.places == {"two-steps.json": ["row 2", "row 5"], "my-sums.json": ["row 3"]}


def test_names_of_categories_become_different_ids(tmp_path: Path) -> None:
    """Those without letters of an id, with the same ones, or reserved, get a number.

    Titles stay as they are written. Names that differ in letter case only are one category.
    """
    names = ["C", "C++", "数学", "物理", "Math", "math", "math ", "größe-höhe", "two_steps", "CON"]
    rows: list[dict[str, Any]] = [{"category": name} for name in names]
    cases = [
        {"id": str(number), "user_query": "1?", "ground_truth": {"number": 1}}
        for number in range(len(rows))
    ]
    suite = suite_of_cases(Path("x.csv"), "exact", rows, cases, [""] * len(rows))
    write_board(tmp_path / "new", board_files("Sums", suite), Mock())
    (loaded,) = load_contents(Workspace(tmp_path / "new"), KINDS).suites

    assert {category.id: category.title for category in loaded.categories} == {
        "c": "C",
        "c-2": "C++",
        "category-3": "数学",
        "category-4": "物理",
        "math": "Math",
        "grosse-hohe": "größe-höhe",
        "two-steps": "two_steps",
        "con-2": "CON",
    }
    assert [case.id for case in loaded.category("c-2").cases] == ["1"]
    assert [case.id for case in loaded.category("math").cases] == ["4", "5", "6"]
    assert (suite.respelt, suite.categories["Math"]) == ({"math": "Math"}, 3)


def test_a_folder_with_anything_in_it_is_refused(tmp_path: Path) -> None:
    """Nothing that exists is changed. A new git repository counts as empty."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FilesError, match="is not empty"):
        write_board(tmp_path, {"README.md": b""}, Mock())
    with pytest.raises(FilesError, match="is a file"):
        write_board(tmp_path / "notes.txt", {"README.md": b""}, Mock())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]

    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    write_board(clone, {"README.md": b"x"}, Mock())
    assert sorted(path.name for path in clone.iterdir()) == [".git", "README.md"]


def test_a_board_with_problems_leaves_nothing_behind(tmp_path: Path) -> None:
    """The check reads the files before they are at their place."""
    seen: list[bytes] = []

    def refuse(made: Path) -> None:
        seen.append((made / "a" / "b.txt").read_bytes())
        raise FilesError.about("a/b.txt", "is wrong", "correct it")

    with pytest.raises(FilesError, match="is wrong"):
        write_board(tmp_path / "new", {"a/b.txt": b"x"}, refuse)

    assert (seen, list(tmp_path.iterdir())) == ([b"x"], [])


@each_row(
    ("name", "as_id", "as_title"),
    [
        ("my-board", "my-board", "My board"),
        ("Two  Steps!", "two-steps", "Two Steps"),
        ("été", "ete", "Été"),
        ("Größe", "grosse", "Größe"),
        ("...", "questions", "Questions"),
    ],
)
def test_names_become_ids_and_titles(name: str, as_id: str, as_title: str) -> None:
    """An id has lower-case letters, digits and dashes."""
    assert (identifier(name), in_words(name)) == (as_id, as_title)
