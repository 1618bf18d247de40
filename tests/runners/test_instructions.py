"""System texts: the kind's own, another one, and an environment's instructions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runners.environments import registry
from runners.instructions import missing_environments, system_text, task_of
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.runners.model_board import suite


def test_the_text_of_a_kind_can_be_replaced(board: Folder) -> None:
    """The kind's text gives the suite's date, if it has one. A given text replaces it."""
    small = suite(board, "small")
    text = system_text(small, "no_tool")
    assert text.startswith("You are a helpful assistant. You may use the tools")
    dated = system_text(replace(small, date="2031-02-03"), "no_tool")
    assert dated == text.replace("You may", "The date is 2031-02-03. You may")
    assert system_text(small, "no_tool", " Be brief.\n") == "Be brief."
    assert system_text(small, "no_tool", "") == ""


def test_without_tools_no_text_speaks_of_tools(board: Folder) -> None:
    """A model that is offered no tools is not told that it may use them."""
    small = suite(board, "small")
    assert "tool" in system_text(small, "no_tool")
    messages = [kind for kind in KINDS.values() if kind.interaction == "message"]
    for kind in messages:
        text = system_text(replace(small, kind=kind), "no_tool", tools=False)
        assert "tool" not in text, kind.name


def test_an_environment_adds_its_instructions(board: Folder) -> None:
    """Instructions follow the text, and stay when the text is replaced."""
    acts = suite(board, "acts")
    task = registry["Multiverse Math"]
    assert task_of(acts, "sums") is task
    assert system_text(acts, "sums") == task.instructions
    assert system_text(acts, "sums", "Be brief.") == f"Be brief.\n\n{task.instructions}"


def test_unknown_environments_are_problems(board: Folder) -> None:
    """A suite without environments has none, and an unknown name is reported."""
    path = board.root / "datasets/acts/suite.toml"
    assert not list(missing_environments(suite(board, "small")))
    assert not list(missing_environments(suite(board, "acts")))
    path.write_text(path.read_text(encoding="utf-8").replace("Multiverse Math", "Chess"))
    acts = suite(board, "acts")
    (problem,) = missing_environments(acts)
    assert "category 'sums' names an unknown environment: 'Chess'" in problem.what
    with pytest.raises(ValueError, match="Chess"):
        task_of(acts, "sums")
