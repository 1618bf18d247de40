"""`lb import bfcl`: the published answers of four models give the published verdicts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import polars as pl
import pytest

from tests.conftest import SETTINGS, Folder

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def published(
    tmp_path_factory: pytest.TempPathFactory, real_files: Callable[[str], Path]
) -> tuple[Folder, dict[str, Any]]:
    """The real answers imported, scored and built; and what was published about them."""
    real = real_files("bfcl")
    folder = Folder(tmp_path_factory.mktemp("real"))
    folder.write("leaderboard.toml", SETTINGS)
    places = [
        "--questions",
        str(real / "questions"),
        "--possible-answers",
        str(real / "possible_answer"),
    ]
    for command in (
        ["import", "bfcl", str(real / "result"), *places, "--underscored", "*"],
        ["validate"],
        ["rescore", "--offline"],
        ["build"],
    ):
        result = folder.lb(*command)
        assert 0 == result.exit_code, result.stderr
    return folder, orjson.loads((real / "expected.json").read_bytes())


def test_every_verdict_is_the_published_one(published: tuple[Folder, dict[str, Any]]) -> None:
    """All 4,960: the cases that fail are those that were published as failing, model by model."""
    folder, expected = published
    verdicts = pl.read_parquet(folder.root / "results/verdicts.parquet")
    assert 4960 == verdicts.height
    for model, told in expected.items():
        failing = sorted(
            case for category in told["categories"].values() for case in category["failing"]
        )
        assert failing == sorted(
            verdicts.filter(submission=model.lower(), outcome="fail")["case_id"]
        ), model


def test_the_boards_numbers_are_the_published_ones(
    published: tuple[Folder, dict[str, Any]],
) -> None:
    """Accuracy per category and the overall one, correct / total, unrounded."""
    folder, expected = published
    scores = {
        (row["submission"], row["category"]): row
        for row in orjson.loads((folder.root / "results/scores.json").read_bytes())
    }
    for model, told in expected.items():
        correct = total = 0
        for name, category in told["categories"].items():
            row = scores[model.lower(), name]
            assert (category["total"], pytest.approx(category["correct"] / category["total"])) == (
                row["cases"],
                row["score"],
            )
            correct, total = correct + category["correct"], total + category["total"]
        assert pytest.approx(correct / total) == scores[model.lower(), "*"]["score"]


def test_the_first_page_shows_them(published: tuple[Folder, dict[str, Any]]) -> None:
    """The ranking is in the HTML, best first, with one decimal."""
    folder, _ = published
    page = (folder.root / "_site/index.html").read_text(encoding="utf-8")
    places = [page.index(f"<b>{score}</b>") for score in ("86.0", "80.6", "75.1", "50.2")]
    assert sorted(places) == places


def test_importing_again_changes_nothing(
    published: tuple[Folder, dict[str, Any]], real_files: Callable[[str], Path]
) -> None:
    """The second import finds everything as it left it."""
    folder, _ = published
    real = real_files("bfcl")
    before = {**folder.tree("datasets"), **folder.tree("submissions")}
    places = [
        "--questions",
        str(real / "questions"),
        "--possible-answers",
        str(real / "possible_answer"),
    ]
    assert (
        0
        == folder.lb(
            "import", "bfcl", str(real / "result"), *places, "--underscored", "*"
        ).exit_code
    )
    assert before == {**folder.tree("datasets"), **folder.tree("submissions")}


@pytest.mark.parametrize(
    "more", [("--price", "model-x", "1", "2"), ("--underscored", "*"), ("--date", "2026-05-18")]
)
def test_options_about_answers_need_answers(folder: Folder, more: tuple[str, ...]) -> None:
    """Without them, the option would change nothing. Nothing is downloaded or written."""
    refused = folder.lb("import", "bfcl", "--package", "none.whl", *more)
    assert (2, True) == (refused.exit_code, "need RESULT_DIR" in refused.stderr)
