"""`lb cassettes`: check and prune."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.records import JUDGED, RIGHT
from tests.conftest import PROJECT, Folder, shipped


def test_cassettes_check_is_clean_and_finds_what_is_not(scored: Folder) -> None:
    """The recorded calls are whole, free of secrets, and used; a planted key is found."""
    assert 0 == scored.lb("cassettes", "check").exit_code
    path = scored.root / "cassettes/embedded-1/small/m1.json"
    path.write_text(
        path.read_text().replace(
            '"headers": {',
            '"headers": {"authorization": ["Bearer sk-planted-0123456789abcdef"], ',
            1,
        )
    )
    result = scored.lb("cassettes", "check")
    assert 1 == result.exit_code
    assert "m1.json" in result.stderr


def test_cassettes_check_finds_calls_that_no_answer_needs(scored: Folder) -> None:
    """After the answer changed, its old judge call is a problem."""
    scored.submission("m1", [RIGHT])
    result = scored.lb("cassettes", "check")
    assert 1 == result.exit_code
    assert "holds a call that no answer of m1 needs" in result.stderr


def test_cassettes_prune_takes_out_unused_calls(scored: Folder) -> None:
    """`--unused` takes out what no score rests on; without it every call stays."""
    scored.submission("m1", [RIGHT])
    assert "0 recorded calls removed" in scored.lb("cassettes", "prune").stderr
    assert "1 recorded call removed" in scored.lb("cassettes", "prune", "--unused").stderr
    assert "OK\n" == scored.lb("cassettes", "check").stderr


@pytest.mark.large
def test_the_calls_of_a_removed_submission_stay_with_those_who_share_them(scored: Folder) -> None:
    """The message names the command that moves them. No judge is asked again."""
    scored.submission("m2", [JUDGED])
    shutil.rmtree(scored.root / "submissions/m1")
    before = scored.tree("cassettes/embedded-1/small")["m1.json"]
    advice = "run lb cassettes prune --unused"
    for command in (["cassettes", "check"], ["rescore", "--offline"]):
        result = scored.lb(*command)
        assert (1, True) == (result.exit_code, advice in result.stderr), command

    assert 0 == scored.lb("cassettes", "prune", "--unused").exit_code
    assert {"m2.json": before} == scored.tree("cassettes/embedded-1/small")
    assert "OK\n" == scored.lb("cassettes", "check").stderr
    assert 0 == scored.lb("rescore", "--offline").exit_code


def test_pruning_unused_calls_stops_on_other_problems(scored: Folder) -> None:
    """A submission that cannot be read may need any call."""
    scored.write("submissions/m1/small.json", "{")
    result = scored.lb("cassettes", "prune", "--unused")
    assert (1, True) == (result.exit_code, "is not JSON" in result.stderr)
    assert (scored.root / "cassettes/embedded-1/small/m1.json").exists()


@pytest.mark.large
def test_the_shipped_cassettes_hold_what_the_board_needs_and_nothing_else() -> None:
    """A rule that decides more may leave a call behind that no label needs any more."""
    shipped("cassettes")
    result = Folder(PROJECT).lb("cassettes", "check")

    assert (result.exit_code, result.stderr) == (0, "OK\n")
