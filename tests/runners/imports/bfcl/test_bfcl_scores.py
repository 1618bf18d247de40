"""Score files of categories that need BFCL's own environments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from leaderboard.errors import FilesError
from runners.imports.bfcl.bfcl_scores import import_scores
from scoring.rules import KINDS
from tests.conftest import SETTINGS, Folder


def lines(path: Path, *objects: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(item) + "\n" for item in objects))


def failed(case: str) -> dict[str, Any]:
    return {"id": case, "valid": False, "error": {"error_type": "multi_turn:x"}}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Questions of two files, and one model's scores."""
    questions = tmp_path / "questions"
    lines(
        questions / "BFCL_v4_multi_turn_base.json",
        *({"id": f"multi_turn_base_{n}"} for n in range(3)),
    )
    lines(questions / "BFCL_v4_memory.json", {"id": "memory_0-a-0"}, {"id": "memory_1-a-1"})
    lines(
        tmp_path / "2026-01-02/score/m-FC/multi_turn/BFCL_v4_multi_turn_base_score.json",
        {"accuracy": 2 / 3, "correct_count": 2, "total_count": 3},
        failed("multi_turn_base_1"),
    )
    return tmp_path


@pytest.mark.large
def test_scores_are_shown_as_reported(source: Path) -> None:
    """Each case passes or fails as in the files, and no row has a rank."""
    lines(
        source / "2026-01-02/score/m-FC/agentic/memory/kv/BFCL_v4_memory_kv_score.json",
        {"accuracy": 0.5, "correct_count": 1, "total_count": 2},
        failed("memory_kv_0-a-0"),
    )
    folder = Folder(source / "board")
    folder.write("leaderboard.toml", SETTINGS)
    report = import_scores(folder.root, source / "2026-01-02/score", source / "questions", KINDS)
    assert (report.suite_id, report.submissions) == ("bfcl_v4_reported", (("m-fc", "written", 9),))
    assert sorted(report.cases) == [
        "memory_kv",
        "memory_rec_sum",
        "memory_vector",
        "multi_turn_base",
    ]
    again = import_scores(folder.root, source / "2026-01-02/score", source / "questions", KINDS)
    assert (again.suite, again.submissions) == ("unchanged", (("m-fc", "unchanged", 9),))
    result = folder.lb("rescore", "--offline")
    assert result.exit_code == 0, result.stderr
    verdicts = pl.read_parquet(folder.root / "results/verdicts.parquet")
    of_files = verdicts.filter(pl.col("reason").str.starts_with("reported_"))
    assert sorted(of_files.filter(outcome="fail")["case_id"]) == [
        "memory_kv_0-a-0",
        "multi_turn_base_1",
    ]
    assert len(of_files) == 5
    assert verdicts.filter(outcome="unscored")["reason"].to_list() == ["not_reported"] * 4
    assert set(verdicts["decided_by"]) <= {"reported", "rule"}


@pytest.mark.parametrize(
    "header",
    [{"correct_count": 1, "total_count": 2}, {"correct_count": 3, "total_count": 3}, {}, [1]],
)
def test_a_part_of_a_category_is_left_out(source: Path, header: Any) -> None:
    """Counts that do not match the cases would give passes to cases that were not asked."""
    path = source / "2026-01-02/score/m-FC/multi_turn/BFCL_v4_multi_turn_base_score.json"
    lines(path, header, failed("multi_turn_base_1"))
    report = import_scores(
        source / "board", source / "2026-01-02/score", source / "questions", KINDS
    )
    assert report.submissions == ()
    assert report.notes == ("skipped m-FC: no score can be read",)
    assert "does not cover the 3 cases of multi_turn_base" in str(report.warnings[0])


def test_a_second_file_of_a_category_is_refused(source: Path) -> None:
    """Nothing says which of the two counts."""
    scores = source / "2026-01-02/score"
    header = {"accuracy": 1.0, "correct_count": 3, "total_count": 3}
    lines(scores / "m-FC/BFCL_v4_multi_turn_base_score.json", header)
    with pytest.raises(FilesError, match="is a second file of multi_turn_base, beside"):
        import_scores(source / "board", scores, source / "questions", KINDS)


def test_other_folders_are_refused(source: Path) -> None:
    """A folder without scores, and questions without these categories, are problems."""
    (source / "empty").mkdir()
    with pytest.raises(FilesError, match="contains no scores"):
        import_scores(source / "board", source / "empty", source / "questions", KINDS)
    with pytest.raises(FilesError, match="contains no questions"):
        import_scores(source / "board", source / "2026-01-02/score", source / "empty", KINDS)
    assert not (source / "board").exists()
