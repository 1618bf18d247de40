"""The tables of cached verdicts."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from leaderboard.digest import digest_bytes
from leaderboard.machine.cache_folder import cache_of
from scoring.cached.cached_verdict_tables import part_of
from scoring.cached.cached_verdicts import INDEX, read_verdicts
from tests.cli.records import RIGHT, WRONG
from tests.conftest import Folder


def with_another_column(folder: Path) -> None:
    """Changes cached tables to what another version of this project may have written."""
    table = folder / "distinct.parquet"
    before = digest_bytes(table.read_bytes())
    pl.read_parquet(table).rename({"detail": "sentence"}).write_parquet(table)
    index = folder / INDEX
    index.write_text(index.read_text().replace(before, digest_bytes(table.read_bytes())))


def test_tables_of_another_version_are_not_used(folder: Folder) -> None:
    """They have other columns. Their files were decided by other code, and are decided again."""
    folder.submission("m1", [RIGHT])
    cache = cache_of(folder.root)
    assert cache is not None
    assert folder.lb("rescore", "--offline").exit_code == 0
    assert part_of(read_verdicts(cache)).named()

    with_another_column(cache)

    cached = read_verdicts(cache)
    assert cached.frames
    assert not part_of(cached).named()
    folder.submission("m1", [WRONG])
    assert folder.lb("rescore", "--offline").exit_code == 0
