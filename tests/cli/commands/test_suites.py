"""`lb suites`: the list with its filters, and `lb suites reference`."""

from __future__ import annotations

import json

import pytest

from leaderboard.files.board_settings import load_leaderboard
from leaderboard.workspace import Workspace
from tests.conftest import Folder
from tests.runners.agents.agents_board import add_suite


@pytest.fixture
def board(folder: Folder) -> Folder:
    add_suite(folder)
    return folder


def test_the_list_needs_no_command(board: Folder) -> None:
    """Alone, and with its filters, it lists."""
    assert "apis  APIs (stable_toolbench), 10 cases" in board.lb("suites").stdout
    assert ("apis" in board.lb("suites", "--kind", "tool_selection").stdout) is False


def test_filters_do_not_go_with_a_command(board: Folder) -> None:
    """They would be without effect there."""
    result = board.lb("suites", "--kind", "stable_toolbench", "reference", "apis")
    assert (2, True) == (result.exit_code, "concern only the list" in result.stderr)


def test_reference_writes_the_file_and_says_what_came(board: Folder) -> None:
    """It reports calls and failures, and whether anything changed. It touches no other file."""
    before = board.tree(".")
    first = board.lb("suites", "reference", "apis")
    assert (0, True) == (
        first.exit_code,
        "11 calls for 10 queries, of which 11 failed; written" in first.stderr,
    )
    after = board.tree(".")
    assert {"datasets/apis/reference.json"} == set(after) - set(before)
    assert before == {name: data for name, data in after.items() if name in before}
    again = board.lb("suites", "reference", "apis")
    assert (0, True, after) == (
        again.exit_code,
        again.stderr.strip().endswith("; unchanged"),
        board.tree("."),
    )
    assert 10 == len(json.loads(after["datasets/apis/reference.json"])["answers"])


def test_reference_says_what_cannot_be(board: Folder) -> None:
    """An unknown suite, one of another kind, an address that is none."""
    assert load_leaderboard(Workspace(board.root)).suites == ()
    for arguments, code, what in (
        (["nope"], 2, "no suite 'nope'; choose one of: apis, small"),
        (["small"], 1, "is of kind tool_selection"),
        (["apis", "--server-url", "localhost:8080"], 2, "is not an address"),
    ):
        result = board.lb("suites", "reference", *arguments)
        assert (code, True) == (result.exit_code, what in result.stderr), result.stderr


def test_suites_lists_categories_and_weights(folder: Folder) -> None:
    """`lb suites` shows each category's cases and share."""
    result = folder.lb("suites")
    assert 0 == result.exit_code
    assert "small  Small (tool_selection), 5 cases" in result.stdout
    assert "50.0 % of the score" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--kind", "tool_selection"], True),
        (["--kind", "call_match"], False),
        (["--name", "SMALL"], True),
        (["--description", "three"], False),
    ],
)
def test_suites_can_be_filtered(folder: Folder, arguments: list[str], shown: bool) -> None:
    """Kind is exact; name and description are parts, in any case."""
    assert shown == ("small" in folder.lb("suites", *arguments).stdout)
