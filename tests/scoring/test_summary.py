"""Whole boards: declared parts of a suite, which are never ranked, and judges without labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.conftest import Folder

CALL: dict[str, Any] = {"name": "convert_units", "arguments": {"value": 3, "to_unit": "yards"}}
RIGHT: list[dict[str, Any]] = [
    {"id": "A001", "model_function_call": CALL},
    {"id": "A002", "model_function_call": {**CALL, "arguments": {"value": 4, "to_unit": "ft"}}},
    {"id": "A003", "model_function_call": {**CALL, "arguments": {"value": 5, "to_unit": "miles"}}},
    {"id": "B001", "model_text": "It is Paris."},
    {"id": "B002", "model_text": "In 1969."},
]


def rescored(folder: Folder, *options: str) -> tuple[Any, pl.DataFrame, pl.DataFrame]:
    result = folder.lb("rescore", *(options or ["--offline"]))
    assert 0 == result.exit_code, result.stderr
    read = [
        pl.read_parquet(folder.root / f"results/{name}.parquet") for name in ("scores", "ranks")
    ]
    return result, read[0], read[1]


def row(frame: pl.DataFrame, submission: str, category: str = "*") -> dict[str, Any]:
    return frame.row(
        by_predicate=(pl.col("submission") == submission) & (pl.col("category") == category),
        named=True,
    )


@pytest.mark.large
def test_a_declared_part_is_scored_over_what_was_asked(folder: Folder) -> None:
    """Two right answers are 100 % of two, over one category. It has no rank, and says so."""
    folder.submission("part", RIGHT[:2], partial=["small"])
    folder.submission("whole", RIGHT)
    result, scores, ranks = rescored(folder)
    found = row(scores, "part")
    assert (1.0, 2, 1.0) == (found["score"], found["cases"], found["rules_only_score"])
    assert ("partial", None) == (row(ranks, "part")["status"], row(ranks, "part")["rank_low"])
    assert ("ranked", 1, 1) == tuple(
        row(ranks, "whole")[name] for name in ("status", "rank_low", "rank_high")
    )
    assert "2 of 5 cases asked, no rank" in result.stdout


@pytest.mark.large
@pytest.mark.parametrize("kept", [[0], [0, 3], [0, 1, 2], [0, 1, 3, 4]])
def test_a_lucky_part_gains_no_rank(folder: Folder, kept: list[int]) -> None:
    """Whatever is left out, in the suite and in the categories that lack a case."""
    records = [RIGHT[place] for place in kept]
    folder.submission("lucky", records, partial=["small"])
    folder.submission("honest", records)
    _, _, ranks = rescored(folder)
    assert {("partial", None, None)} == set(
        ranks.filter(submission="lucky").select("status", "rank_low", "all_low").rows()
    )
    assert 1 == row(ranks, "honest")["rank_high"]


@pytest.mark.large
def test_without_the_declaration_missing_cases_fail(folder: Folder) -> None:
    """The terminal says how many. A trial that is left out of an asked case fails too."""
    folder.submission("silent", RIGHT[:2])
    again = [{**record, "trial": 2} for record in RIGHT[:1]]
    folder.submission("trials", [*RIGHT[:2], *again], partial=["small"])
    result, scores, _ = rescored(folder)
    assert (1 / 3, 5) == (row(scores, "silent")["score"], row(scores, "silent")["cases"])
    assert "5 cases, 2 of 5 answered" in result.stdout
    assert 0.75 == row(scores, "trials")["score"]


def test_a_part_of_a_suite_that_is_not_answered_is_a_problem(folder: Folder) -> None:
    """The list names responses files of the submission."""
    folder.submission("part", RIGHT, partial=["other"])
    result = folder.lb("validate")
    assert (1, True) == (result.exit_code, "names 'other' in partial" in result.output)


@pytest.mark.large
def test_its_pages_say_so(folder: Folder, tmp_path: Path) -> None:
    """The ranking lists it without a rank, and every page can be built."""
    folder.submission("part", RIGHT[:2], partial=["small"])
    folder.submission("whole", RIGHT)
    rescored(folder)
    result = folder.lb("build", "--out", str(tmp_path / "site"))
    assert 0 == result.exit_code, result.stderr
    page = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "only a part of the suite was asked" in page
    assert "only a part of the suite was asked" in (
        tmp_path / "site/submissions/part.html"
    ).read_text(encoding="utf-8")


@pytest.mark.large
def test_silence_gains_no_rank_where_a_judge_decides(folder: Folder) -> None:
    """The judge has no labels. A row that gives it nothing to read is not first.

    This is so before its replies are recorded, and after. The category of calls has ranks.
    """
    texts = [{"id": "B001", "model_text": "Paris it is."}, {"id": "B002", "model_text": "1969."}]
    folder.submission("honest", [*RIGHT[:3], *texts])
    folder.submission("silent", RIGHT[:2])
    for options, honest in (
        (("--offline", "--allow-missing"), "pending"),
        (("--quiet",), "judge_not_validated"),
    ):
        _, _, ranks = rescored(folder, *options)
        for place in ("*", "no_tool"):
            assert honest == row(ranks, "honest", place)["status"]
            assert "judge_not_validated" == row(ranks, "silent", place)["status"]
        assert {"ranked"} == set(ranks.filter(category="tool_selection")["status"])
