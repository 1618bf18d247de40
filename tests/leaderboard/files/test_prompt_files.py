"""Judge prompts: placeholders and encodings."""

from __future__ import annotations

import pytest

from tests.conftest import Folder
from tests.judge_prompts import judge_prompt
from tests.leaderboard.workspaces import errors


@pytest.mark.parametrize(
    ("prompt", "what"),
    [
        (
            judge_prompt("no_tool") + "{{colour}}",
            "unknown placeholders: {{colour}} (known: {{question}}",
        ),
        ("{{expected}}", "missing required placeholders: {{got}}, {{fence}}"),
        (b"\xff", "is not UTF-8"),
    ],
    ids=["unknown placeholder", "no fence", "latin-1"],
)
def test_a_bad_prompt_is_a_message(folder: Folder, prompt: str | bytes, what: str) -> None:
    """A prompt must quote both texts inside a fence, with placeholders that exist."""
    folder.write("prompts/small/no_tool.md", prompt)
    assert any(what in problem for problem in errors(folder))
