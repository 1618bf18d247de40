"""What every import writes: the file of a suite, and the report."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from leaderboard.errors import FilesError, Problem
from leaderboard.types import Json
from runners.imports.import_writer import (
    ImportedCategory,
    ImportedSubmission,
    ImportReport,
    ReadyImport,
    existing_suite,
    foreign_suite,
    ready_submission,
    suite_files,
)
from scoring.rules import KINDS
from tests.conftest import Folder


def test_a_suite_file_has_the_mark_of_its_import() -> None:
    """Text with quotes and line breaks is read back unchanged."""
    suite = {"title": 'A "suite"', "description": "One line.\nAnother."}
    category = ImportedCategory("Simple", [{"id": "a"}], {"weight": 3}, "One call.")
    files = suite_files("bfcl", "s", suite, {"simple": category}, {"id": "accuracy"})
    assert files["datasets/s/simple.json"] == b'[\n{"id": "a"}\n]\n'
    data = files["datasets/s/suite.toml"]
    assert data.startswith(b"# Written by `lb import bfcl`")
    read = tomllib.loads(data.decode())
    assert {**suite, "description": "One line.\nAnother.\n"} == {key: read[key] for key in suite}
    table: dict[str, Json] = {"id": "simple", "title": "Simple", "description": "One call."}
    table |= {"file": "simple.json", "weight": 3}
    assert (1, [table]) == (read["schema"], read["categories"])
    assert read["metrics"] == [{"id": "accuracy"}]


def test_only_the_same_import_may_write_a_suite_again(tmp_path: Path) -> None:
    """A new folder is free. A folder of another import or of a person is not."""
    assert [] == list(foreign_suite(tmp_path, "s", "bfcl"))
    path = tmp_path / "datasets/s/suite.toml"
    path.parent.mkdir(parents=True)
    (unmarked,) = foreign_suite(tmp_path, "s", "bfcl")
    assert "was not written by an import of bfcl" in unmarked.what
    path.write_bytes(suite_files("bfcl", "s", {}, {})["datasets/s/suite.toml"])
    assert [] == list(foreign_suite(tmp_path, "s", "bfcl"))
    assert ["datasets/s/suite.toml"] == [p.file for p in foreign_suite(tmp_path, "s", "langsmith")]


def test_a_suite_is_answered_in_one_way(folder: Folder) -> None:
    """Files of steps do not answer a suite of messages."""
    suite = existing_suite(folder.root, "small", KINDS, "message", "--examples")
    assert suite.cases
    assert not suite.files
    with pytest.raises(FilesError, match="is of kind tool_selection, which these files do not"):
        existing_suite(folder.root, "small", KINDS, "environment", "--examples")


def test_a_submission_that_the_board_would_refuse_is_not_written(folder: Folder) -> None:
    """Neither it nor the submissions beside it. The message names the case."""
    good = [{"id": "B001", "model_text": "Yes."}]
    bad = [{"id": "B001", "model_text": 7}, {"id": "B009", "model_text": "No."}]
    ready = []
    for name, records in (("good", good), ("bad", bad)):
        found = {"date": "2026-01-02"}
        readme = "By {name}.\n"
        made = ready_submission(folder.root, name, "here", found, records, readme=readme, date=None)
        ready.append(made)
    with pytest.raises(FilesError) as caught:
        ReadyImport("small", {}, {}, ready).write(folder.root, KINDS)
    said = [str(problem).split(" (")[0] for problem in caught.value.problems]
    assert said[0].startswith("submissions/bad/small.json B001, model_text: ")
    assert said[1] == (
        "submissions/bad/small.json B009, id: names a case that is not in small: 'B009'"
    )
    assert {} == folder.tree("submissions")
    ReadyImport("small", {}, {}, ready[:1]).write(folder.root, KINDS)
    assert b"By good.\n" == folder.tree("submissions")["good/README.md"]
    with pytest.raises(FilesError, match=r"does not have settings\.imported_from = 'elsewhere'"):
        ready_submission(folder.root, "good", "elsewhere", found, good, readme="", date=None)


def test_a_card_that_the_board_would_refuse_is_not_written(folder: Folder) -> None:
    """A source may have numbers that are no date, and names of any length."""
    found = {"date": "1718-00-00", "name": "x" * 201}
    with pytest.raises(FilesError) as caught:
        ready_submission(folder.root, "bad", "here", found, [], readme="", date=None)
    said = [f"{problem.file} {problem.at}" for problem in caught.value.problems]
    assert said == [f"submissions/bad/submission.json $.{name}" for name in ("name", "date")]


def test_a_report_as_text() -> None:
    """A line for the suite and for each submission, then notes and warnings."""
    warning = Problem("runs.json", "answers 1 of 2 cases", severity="warning")
    report = ImportReport(
        "s",
        None,
        {"a": 1, "b": 2},
        (ImportedSubmission("x", "written", 3),),
        ("a note",),
        (warning,),
    )
    assert [
        "datasets/s/: unchanged (categories: 2, cases: 3)",
        "submissions/x/: written (answers: 3)",
        "a note",
        "warning: runs.json: answers 1 of 2 cases",
    ] == str(report).splitlines()
