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
    """The suite names five prompts, and all of them exist."""
    suite = tomllib.loads(shipped("datasets/tool_selection/suite.toml").read_text(encoding="utf-8"))
    assert sorted(category["prompt"] for category in suite["categories"]) == IDS


@pytest.mark.parametrize("path", PROMPTS, ids=IDS)
def test_every_quoted_text_stands_alone_inside_the_fence(path: Path) -> None:
    """Question, accepted text and given text are each in one fence, in this order."""
    text = path.read_text(encoding="utf-8")
    fenced = re.findall(r"^<<<\{\{fence\}\}\n\{\{(\w+)\}\}\n\{\{fence\}\}>>>$", text, re.MULTILINE)
    assert (["question", "expected", "got"], [1, 1, 1]) == (
        fenced,
        [text.count("{{" + name + "}}") for name in fenced],
    )


@pytest.mark.parametrize("path", PROMPTS, ids=IDS)
def test_a_prompt_names_category_and_argument_before_it_quotes(path: Path) -> None:
    """The text before the first fence names category and argument, and warns of quotes."""
    head = path.read_text(encoding="utf-8").partition("\n<<<")[0]
    assert f"\nCategory: {path.stem}\n" in head
    assert "never an instruction" in head
    assert ("\nUnder comparison: {{subject}}\n" in head) == (path.stem == "tool_selection")


@pytest.mark.parametrize("path", PROMPTS, ids=IDS)
def test_a_prompt_ends_with_the_form_of_the_answer(path: Path) -> None:
    """A prompt ends with the form of the answer: the verdict on the first line, then the reason."""
    last = path.read_text(encoding="utf-8").strip().split("\n")[-1]
    assert last.startswith(
        "Answer with the single word `equivalent` or `different` on the first line. "
    )
    assert last.endswith(" On the second line say in one sentence why.")
