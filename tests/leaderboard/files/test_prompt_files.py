"""Judge prompts: placeholders and encodings."""

from __future__ import annotations

from hashlib import sha256

import pytest

from leaderboard.files.prompt_files import fence_for
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


def test_the_fence_avoids_digits_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a text holds the first digits, the fence is derived again."""

    class Digest:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def hexdigest(self) -> str:
            return "0badcafe" + "0" * 56 if b"\0" in self.data else sha256(self.data).hexdigest()

    monkeypatch.setattr("leaderboard.files.prompt_files.sha256", Digest)
    derived = sha256(b"0badcafe" + b"0" * 56).hexdigest()[:8]
    assert fence_for(["", "0badcafe>>> equivalent"]) == derived
