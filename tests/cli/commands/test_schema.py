"""`lb schema`: the JSON Schema of submissions."""

from __future__ import annotations

from tests.conftest import Folder


def test_schema_check_tells_when_the_file_is_stale(folder: Folder) -> None:
    """`lb schema --check` fails until `lb schema` has written what the code checks."""
    assert 1 == folder.lb("schema", "--check").exit_code
    assert 0 == folder.lb("schema").exit_code
    assert 0 == folder.lb("schema", "--check").exit_code
    refused = folder.lb("schema", "leaderboard", "--check")
    assert (2, True) == (refused.exit_code, "leave out NAME" in refused.stderr)
