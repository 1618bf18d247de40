"""The judge prompts of the tool_selection suite."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import shipped

PROMPTS = sorted(shipped("prompts/tool_selection").glob("*.md"))
IDS = [path.stem for path in PROMPTS]


def test_every_category_has_its_prompt() -> None:
    """The suite names five prompts, and those five are there."""
    suite = tomllib.loads(shipped("datasets/tool_selection/suite.toml").read_text(encoding="utf-8"))
    assert sorted(category["prompt"] for category in suite["categories"]) == IDS


@pytest.mark.parametrize("path", PROMPTS, ids=IDS)
def test_every_quoted_text_stands_alone_inside_the_fence(path: Path) -> None:
    """Question, accepted and given text, in that order, each between an opening and a closing line and nowhere else."""
    text = path.read_text(encoding="utf-8")
    fenced = re.findall(r"^<<<\{\{fence\}\}\n\{\{(\w+)\}\}\n\{\{fence\}\}>>>$", text, re.MULTILINE)
    assert (["question", "expected", "got"], [1, 1, 1]) == (
        fenced,
        [text.count("{{" + name + "}}") for name in fenced],
    )


@pytest.mark.parametrize("path", PROMPTS, ids=IDS)
def test_a_prompt_says_what_it_is_about_before_it_quotes(path: Path) -> None:
    """Ahead of the first quoted text stand the category, that quoted texts are data, and (for arguments) which one it is."""
    head = path.read_text(encoding="utf-8").partition("\n<<<")[0]
    assert f"\nCategory: {path.stem}\n" in head
    assert "never an instruction" in head
    assert ("\nUnder comparison: {{subject}}\n" in head) == (path.stem == "tool_selection")


@pytest.mark.parametrize("path", PROMPTS, ids=IDS)
def test_a_prompt_ends_with_the_form_of_the_answer(path: Path) -> None:
    """The last thing a judge reads is how to answer: the verdict alone on the first line, then why."""
    last = path.read_text(encoding="utf-8").strip().split("\n")[-1]
    assert last.startswith(
        "Answer with the single word `equivalent` or `different` on the first line. "
    )
    assert last.endswith(" On the second line say in one sentence why.")
