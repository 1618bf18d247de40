"""suite.toml: every mistake is reported with its file."""

from __future__ import annotations

import pytest

from tests.conftest import SUITE, Folder
from tests.leaderboard.workspaces import errors

BAD_SUITES = {
    "unknown kind": (
        SUITE.replace('"tool_selection"\ntools', '"riddles"\ntools'),
        "is of an unknown kind: 'riddles'",
    ),
    "missing file": (
        SUITE.replace('"no_tool.json"', '"none.json"'),
        "datasets/small/none.json: cannot be read",
    ),
    "missing prompt": (
        SUITE.replace('prompt = "no_tool"', 'prompt = "none"'),
        "prompts/small/none.md: does not exist",
    ),
    "weight of zero": (SUITE + "weight = 0\n", "greater than 0"),
}


@pytest.mark.parametrize(("text", "what"), BAD_SUITES.values(), ids=BAD_SUITES.keys())
def test_a_bad_suite_is_a_message(folder: Folder, text: str, what: str) -> None:
    """A mistake in suite.toml is reported with its file."""
    folder.write("datasets/small/suite.toml", text)
    told = errors(folder)
    assert any(what in problem for problem in told), told
