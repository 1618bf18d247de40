"""Running a baseline over a suite: the submission loads, and running again changes nothing."""

from __future__ import annotations

import dataclasses
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.response_records import Interner
from leaderboard.types import Suite
from leaderboard.workspace import Workspace
from runners.baselines.baselines import BASELINES
from runners.run_report import RunReport
from scoring.rules import KINDS
from tests.conftest import PROJECT, shipped
from tests.runners.baselines.written_baseline import DATE, write_baseline

if TYPE_CHECKING:
    from tests.conftest import Folder


@pytest.mark.parametrize(
    "name", [name for name, baseline in BASELINES.items() if baseline.reply is not None]
)
def test_every_baseline_makes_a_submission_that_loads(folder: Folder, name: str) -> None:
    """Each answers all cases in order, on a card of kind baseline, and loads without a warning."""
    workspace = Workspace(folder.root)
    suite = load_suite(workspace, "small", KINDS)
    assert write_baseline(folder, [suite], name) == RunReport(f"baseline-{name}", "written", 5)
    submission = load_submission(workspace, f"baseline-{name}", ["small"])
    assert (submission.card.kind, submission.card.organization, submission.card.model) == (
        "baseline",
        "Toolboard",
        name,
    )
    assert (submission.card.date, submission.card.settings) == (DATE, {"baseline": name})
    records, _, warnings = load_records(workspace, submission, suite, Interner())
    assert [record.response.case_id for record in records] == [case.id for case in suite.cases]
    assert warnings == ()


def test_the_oracle_answers_the_ground_truth(folder: Folder) -> None:
    """The oracle's file holds the expected call and text, with the case's question and category."""
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    write_baseline(folder, [suite], "oracle")
    records = json.loads((folder.root / "submissions/baseline-oracle/small.json").read_text())[
        "test_results"
    ]
    assert records[0] == {
        "id": "A001",
        "type": "tool_selection",
        "user_query": "3 metres in yards?",
        "model_function_call": {
            "name": "convert_units",
            "arguments": {"value": 3, "to_unit": "yards"},
        },
        "model_text": None,
    }
    assert (records[3]["type"], records[3]["model_text"]) == ("no_tool", "It is Paris.")


def test_running_again_changes_nothing(folder: Folder) -> None:
    """The second run finds the same bytes; another id makes a second, equal submission."""
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    write_baseline(folder, [suite], "keyword")
    first = folder.tree("submissions")
    assert write_baseline(folder, [suite], "keyword").outcome == "unchanged"
    assert folder.tree("submissions") == first
    write_baseline(folder, [suite], "keyword", submission_id="router")
    assert folder.tree("submissions/router") == folder.tree("submissions/baseline-keyword")


def test_a_limit_answers_the_first_cases(folder: Folder) -> None:
    """A limit of two answers the first two cases of the suite, a limit of none no case."""
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    assert write_baseline(folder, [suite], "silent", limit=2).answers == 2
    assert write_baseline(folder, [suite], "silent", submission_id="none", limit=0).answers == 0


def test_another_submission_is_not_overwritten(folder: Folder) -> None:
    """A submission that a baseline did not make keeps its files."""
    folder.submission("baseline-silent", [])
    before = folder.tree("submissions")
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    with pytest.raises(FilesError, match="choose another id"):
        write_baseline(folder, [suite], "silent")
    assert folder.tree("submissions") == before


def test_an_unknown_baseline_and_an_unknown_kind_are_errors(folder: Folder) -> None:
    """The message names the baselines, or the cases that this one answers; nothing is written."""
    suite = load_suite(Workspace(folder.root), "small", KINDS)
    with pytest.raises(
        FilesError, match="oracle, silent, refuse, keyword, eager, first-tool, planner"
    ):
        write_baseline(folder, [suite], "genius")
    riddles = dataclasses.replace(KINDS["stable_toolbench"], name="riddles")
    other = Suite("s", "S", "", riddles, (), {}, "", {})
    with pytest.raises(
        FilesError,
        match=r"^datasets/s/suite.toml: is of kind riddles.*answered by: steps in an environment\)",
    ):
        write_baseline(folder, [other], "planner")
    with pytest.raises(
        FilesError,
        match=r"is of kind tool_selection, which baseline:planner does not answer \(name a suite",
    ):
        write_baseline(folder, [suite], "planner")
    with pytest.raises(FilesError, match="'yesterday' is not a date"):
        write_baseline(folder, [suite], "silent", date="yesterday")
    assert not (folder.root / "submissions").exists()


@pytest.mark.large
@pytest.mark.parametrize("name", list(BASELINES))
def test_committed_submissions_can_be_written_again(folder: Folder, name: str) -> None:
    """A run writes this repository's submissions again, byte by byte."""
    shipped("submissions/baseline-oracle")
    workspace = Workspace(PROJECT)
    committed = workspace.submissions / f"baseline-{name}"
    shutil.copytree(PROJECT / "datasets", folder.root / "datasets", dirs_exist_ok=True)
    suites = [
        load_suite(workspace, path.stem, KINDS)
        for path in sorted(committed.glob("*.json"))
        if path.name != "submission.json"
    ]
    date = json.loads((committed / "submission.json").read_bytes())["date"]
    write_baseline(folder, suites, name, date=date)
    assert folder.tree(f"submissions/baseline-{name}") == {
        path.name: path.read_bytes() for path in committed.iterdir()
    }
