"""Exports for the Hugging Face Hub: complete scores of the board, as YAML that readers take."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.conftest import Folder, small_board
from tests.leaderboard.responses.forms.perfect_answers import each, native
from tests.runners.model_board import add_suites

HUB = ("export", "hf-eval-results", "--dataset", "my-lab/tool-calls")
TITLE = 'Tools: "all" \\ of # them \U0001f600'


@pytest.fixture(scope="module")
def first_scored(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test has a copy."""
    folder = small_board(tmp_path_factory.mktemp("scored") / "board")
    add_suites(folder)
    settings = folder.root / "leaderboard.toml"
    old = next(line for line in settings.read_text().splitlines() if line.startswith("title"))
    new = f"title = {json.dumps(TITLE, ensure_ascii=False)}"
    settings.write_text(settings.read_text().replace(old, new), encoding="utf-8")
    folder.submission("right", each(native), date="2026-05-18")
    folder.submission("right", [{"id": "S1", "output": "6.2"}], "acts", date="2026-05-18")
    assert 0 == folder.lb("rescore").exit_code
    return folder


@pytest.fixture
def scored(first_scored: Folder, tmp_path: Path) -> Folder:
    """A scored board with a model on two suites, and a title that YAML must quote."""
    return first_scored.copied_to(tmp_path / "board")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.large
def test_results_are_the_scores_of_the_board(scored: Folder, tmp_path: Path) -> None:
    """One result for each suite, in percent, with the interval and the digest in its notes."""
    out = tmp_path / "hub"
    done = scored.lb(*HUB, "--url", "https://example.org/board/", "--out", str(out))
    assert 0 == done.exit_code, done.stderr
    found = json.loads((scored.root / "results/scores.json").read_text(encoding="utf-8"))
    expected = {
        row["suite"]: row
        for row in found
        if (row["submission"], row["category"], row["metric"]) == ("right", "*", "correct")
    }
    results = read(out / "eval_results/right.yaml")

    assert 2 == len(results) == len(expected)
    for result in results:
        row = expected[result["dataset"]["task_id"]]
        assert "my-lab/tool-calls" == result["dataset"]["id"]
        assert round(100 * row["score"], 2) == result["value"]
        assert "2026-05-18" == result["date"]
        assert {"url": "https://example.org/board/", "name": TITLE} == result["source"]
        assert f"interval {100 * row['low']:.2f} to {100 * row['high']:.2f}" in result["notes"]
        assert (
            json.loads((scored.root / "results/manifest.json").read_text())["digest"]
            in (result["notes"])
        )


@pytest.mark.large
def test_the_notes_say_what_is_missing(scored: Folder, tmp_path: Path) -> None:
    """A trial that is missing counts as a fail, like a case that is not answered."""
    trials = [{**row, "trial": trial} for row in each(native)[:4] for trial in (1, 2)]
    scored.submission("some", trials[:-1], date="2026-05-18")
    assert 0 == scored.lb("rescore").exit_code
    assert 0 == scored.lb(*HUB, "some", "--out", str(tmp_path)).exit_code
    (result,) = read(tmp_path / "eval_results/some.yaml")
    assert "; 5 cases, 1 of them not answered, 1 trial missing; " in result["notes"]


@pytest.mark.large
def test_the_data_set_has_a_task_for_each_suite(scored: Folder, tmp_path: Path) -> None:
    """Every result belongs to a task of eval.yaml. Its source is the repository."""
    assert 0 == scored.lb(*HUB, "--out", str(tmp_path)).exit_code
    benchmark = read(tmp_path / "eval.yaml")
    results = read(tmp_path / "eval_results/right.yaml")

    assert TITLE == benchmark["name"]
    assert "toolboard" == benchmark["evaluation_framework"]
    assert benchmark["description"]
    tasks = {task["id"] for task in benchmark["tasks"]}
    assert {result["dataset"]["task_id"] for result in results} <= tasks
    assert all(task["config"] and task["split"] for task in benchmark["tasks"])
    settings = tomllib.loads((scored.root / "leaderboard.toml").read_text(encoding="utf-8"))
    assert {result["source"]["url"] for result in results} == {settings["repository"]}


@pytest.mark.large
def test_incomplete_scores_are_left_out(scored: Folder, tmp_path: Path) -> None:
    """The Hub would rank a score with unscored cases like a complete one."""
    scored.submission("asks", [{"id": "B001", "model_text": "Which one do you mean?"}])
    assert 0 == scored.lb("rescore", "--offline", "--allow-missing").exit_code
    done = scored.lb(*HUB, "asks", "--out", str(tmp_path))

    assert 0 == done.exit_code, done.stderr
    assert "asks: not ranked on any suite, so no file was written" in done.stderr
    assert not (tmp_path / "eval_results").exists()


@pytest.mark.large
def test_a_score_over_a_part_of_the_cases_is_left_out(scored: Folder, tmp_path: Path) -> None:
    """The board gives it no rank, and the Hub would."""
    part = [{"id": "S1", "output": "6.2"}]
    scored.submission("part", part, "acts", partial=["acts"], date="2026-05-18")
    assert 0 == scored.lb("rescore", "--offline").exit_code
    done = scored.lb(*HUB, "part", "--out", str(tmp_path / "hub"))

    assert "part: not ranked on any suite, so no file was written" in done.stderr
    assert ["eval.yaml"] == [path.name for path in (tmp_path / "hub").iterdir()]


@pytest.mark.large
def test_a_score_by_a_judge_that_is_not_validated_is_left_out(
    scored: Folder, tmp_path: Path
) -> None:
    """It is complete, but the board gives it no rank. The suite without a judge stays."""
    texts = {"B001": "I think that it is Paris.", "B002": "That was in 1969, I believe."}
    judged = [{**row, "model_text": texts.get(row["id"])} for row in each(native)]
    scored.submission("judged", judged, date="2026-05-18")
    scored.submission("judged", [{"id": "S1", "output": "6.2"}], "acts", date="2026-05-18")
    assert 0 == scored.lb("rescore").exit_code
    ranks = json.loads((scored.root / "results/ranks.json").read_text(encoding="utf-8"))
    statuses = {
        row["suite"]: row["status"]
        for row in ranks
        if (row["submission"], row["category"]) == ("judged", "*")
    }
    assert statuses == {"small": "judge_not_validated", "acts": "ranked"}

    assert 0 == scored.lb(*HUB, "judged", "--out", str(tmp_path)).exit_code
    results = read(tmp_path / "eval_results/judged.yaml")
    assert ["acts"] == [result["dataset"]["task_id"] for result in results]


@pytest.mark.large
def test_only_derived_scores_of_models_are_written(scored: Folder, tmp_path: Path) -> None:
    """Scores from elsewhere and baselines are no results of a model here, unless it is named."""
    metric = '[[metrics]]\nid = "accuracy"\n'
    category = '[[categories]]\nid = "all"\ntitle = "All"\nfile = "cases.json"\n'
    head = 'schema = 1\ntitle = "Elsewhere"\nkind = "reported"\n'
    scored.write("datasets/elsewhere/suite.toml", head + metric + category)
    scored.write("datasets/elsewhere/cases.json", [{"id": "1"}])
    reported = [{"id": "1", "metrics": {"accuracy": 1}}]
    scored.submission("right", reported, "elsewhere", date="2026-05-18")
    scored.submission("base", [{"id": "S1", "output": "6.2"}], "acts", kind="baseline")
    assert 0 == scored.lb("rescore").exit_code

    assert 0 == scored.lb(*HUB, "--out", str(tmp_path / "all")).exit_code
    assert 0 == scored.lb(*HUB, "base", "--out", str(tmp_path / "named")).exit_code
    tasks = {task["id"] for task in read(tmp_path / "all/eval.yaml")["tasks"]}
    results = read(tmp_path / "all/eval_results/right.yaml")

    assert "elsewhere" not in tasks
    assert tasks >= {result["dataset"]["task_id"] for result in results}
    assert not (tmp_path / "all/eval_results/base.yaml").exists()
    assert (tmp_path / "named/eval_results/base.yaml").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--url", "javascript:alert(1)"), "a URL must start with https:// or http://"),
        (("--url", "https://"), "is not an address"),
        (("--dataset", "tool-calls"), "expected ORG/NAME"),
        (("right", "nobody"), "submissions/nobody: has no results"),
    ],
)
def test_what_the_hub_could_not_read_is_refused(
    scored: Folder, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    """Nothing is written then."""
    done = scored.lb(*HUB, *words, "--out", str(tmp_path / "no"))

    assert done.exit_code in {1, 2}
    assert told in done.stderr
    assert not (tmp_path / "no").exists()


@pytest.mark.large
def test_a_board_without_submissions_has_no_results(folder: Folder, tmp_path: Path) -> None:
    """It has no baseline either that could be named."""
    assert 0 == folder.lb("rescore", "--offline").exit_code
    done = folder.lb(*HUB, "--out", str(tmp_path / "hub"))

    assert "no results: the board has no submission" in done.stderr


@pytest.mark.large
def test_a_board_of_baselines_has_no_results(folder: Folder, tmp_path: Path) -> None:
    """The message says why only the file of the dataset is written."""
    folder.submission("base", each(native), kind="baseline")
    assert 0 == folder.lb("rescore", "--offline").exit_code
    done = folder.lb(*HUB, "--out", str(tmp_path / "hub"))

    assert "no results: the board has only baselines" in done.stderr
    assert ["eval.yaml"] == [path.name for path in (tmp_path / "hub").iterdir()]
