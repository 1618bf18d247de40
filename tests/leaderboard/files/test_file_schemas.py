"""The JSON Schema of submissions."""

from __future__ import annotations

from leaderboard.files.file_schemas import submission_schema
from tests.conftest import shipped


def test_the_shipped_schema_is_what_the_code_checks() -> None:
    """submissions/schema.json is up to date: `lb schema` writes it."""
    assert submission_schema() == shipped("submissions/schema.json").read_bytes()
