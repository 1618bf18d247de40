"""`lb cassettes`: check and prune."""

from __future__ import annotations

from tests.cli.records import RIGHT
from tests.conftest import Folder


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
