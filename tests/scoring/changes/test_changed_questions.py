"""Answers that stay while their questions change: found for everything that a model gets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.changes.changed_questions import ChangedQuestions, changed_questions
from tests.cli.records import RIGHT, answers
from tests.conftest import TOOLS, Folder
from tests.leaderboard.workspaces import load

CALLS = "datasets/small/tool_selection.json"


@pytest.fixture
def boards(folder: Folder, tmp_path: Path) -> tuple[Folder, Folder]:
    """A board with two submissions, of which one answers one case, and a copy of it."""
    folder.submission("m1", answers("A001"))
    folder.submission("m2", [RIGHT])
    shutil.copytree(folder.root, tmp_path / "copy")
    return folder, Folder(tmp_path / "copy")


def found(boards: tuple[Folder, Folder]) -> list[ChangedQuestions]:
    base, new = map(load, boards)
    return list(changed_questions(base, new))


def rewrite(folder: Folder, file: str, old: str, new: str) -> None:
    path = folder.root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def ask_anew(folder: Folder) -> None:
    rewrite(folder, CALLS, "3 metres in yards?", "8 metres in yards?")


def tell_a_date(folder: Folder) -> None:
    rewrite(
        folder, "datasets/small/suite.toml", 'title = "Small"', 'title = "S"\ndate = "2026-01-02"'
    )


def describe_a_tool(folder: Folder) -> None:
    tools = [{**TOOLS[0], "description": "Converts nothing."}]
    folder.write("datasets/small/tools.json", tools)


@pytest.mark.parametrize(
    ("change", "questions", "names"),
    [
        (ask_anew, 1, ("m1", "m2")),
        (tell_a_date, 5, ("m1", "m2")),
        (describe_a_tool, 5, ("m1", "m2")),
    ],
)
def test_a_question_changes_with_everything_that_a_model_gets(
    boards: tuple[Folder, Folder],
    change: Callable[[Folder], None],
    questions: int,
    names: tuple[str, ...],
) -> None:
    """The question itself, the tools and the day that models are told."""
    change(boards[1])

    assert found(boards) == [ChangedQuestions("small", questions, names)]


def test_only_those_who_answered_are_named(boards: tuple[Folder, Folder]) -> None:
    """The second submission has no answer to the case that changes."""
    rewrite(boards[1], CALLS, "4 metres in feet?", "9 metres in feet?")

    assert found(boards) == [ChangedQuestions("small", 1, ("m1",))]


def test_new_answers_are_no_old_ones(boards: tuple[Folder, Folder]) -> None:
    """A responses file that changes together with the question is taken for new answers."""
    ask_anew(boards[1])
    boards[1].submission("m2", [{**RIGHT, "latency_s": 1}])

    assert found(boards) == [ChangedQuestions("small", 1, ("m1",))]


def test_another_ground_truth_or_id_is_another_matter(boards: tuple[Folder, Folder]) -> None:
    """The model was asked the same. A new id has no answers yet."""
    path = boards[1].root / CALLS
    cases = json.loads(path.read_text(encoding="utf-8"))
    cases[0]["ground_truth"]["function_call"]["arguments"]["value"] = 8
    cases[1]["id"] = "A009"
    path.write_text(json.dumps(cases), encoding="utf-8")
    shutil.rmtree(boards[1].root / "submissions/m1")

    assert found(boards) == []
