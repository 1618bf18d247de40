"""Exports for Every Eval Ever: valid by its own schemas, and the same scores when read again."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from leaderboard.types import (
    Card,
    Case,
    Category,
    GroundTruth,
    JudgeSettings,
    Records,
    Submission,
    Suite,
)
from runners.exports.every_eval_ever_export import ExportedSuite, export_every_eval_ever
from scoring.rules import KINDS
from tests.conftest import PROJECT, SETTINGS, Folder, shipped, small_board
from tests.leaderboard.responses.forms.perfect_answers import each, native
from tests.runners.model_board import add_suites

CARD = ("--organization", "My lab", "--model", "m-7b", "--date", "2026-05-18")
STEPS = [{"tool": "add", "tool_input": {"a": 2, "b": 3}, "observation": 6.2}]
HOSTILE = "\x1b[2J caf\u00e9 \u202e </script>"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A scored board with two submissions to suites of two kinds, exported to `out`."""
    folder = small_board(tmp_path_factory.mktemp("exported") / "board")
    add_suites(folder)
    right = each(native)
    folder.submission("right", right, model="Big/Model 7B", settings={"temperature": 0})
    wrong = {"id": "B001", "model_text": HOSTILE, "latency_s": 0.5}
    cost = {"usage": {"input_tokens": 5, "output_tokens": 6}}
    failed = {"id": "B002", "model_text": None, "error": "down"}
    folder.submission("wrong", [{**right[0], **cost}, wrong, failed])
    folder.submission("wrong", [{"id": "S1", "output": "6.2", "intermediate_steps": STEPS}], "acts")
    assert 0 == folder.lb("rescore").exit_code
    result = folder.lb("export", "every-eval-ever", "--out", str(folder.root / "out"))
    assert 0 == result.exit_code, result.stderr
    return folder


@pytest.fixture
def exported(board: Folder) -> Path:
    return board.root / "out"


def scores(folder: Folder) -> dict[tuple[str, str], float]:
    rows = json.loads((folder.root / "results/scores.json").read_text(encoding="utf-8"))
    return {
        (row["submission"], row["suite"]): row["score"]
        for row in rows
        if row["category"] == "*" and row["metric"] == "correct"
    }


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.large
def test_the_aggregate_names_its_samples(exported: Path) -> None:
    """Checksum and number of rows are those of the file beside it, and the id is a model's."""
    aggregates = list(exported.rglob("*.json"))
    assert 3 == len(aggregates)
    for path in aggregates:
        aggregate = json.loads(path.read_text(encoding="utf-8"))
        detailed = aggregate["detailed_evaluation_results"]
        samples = exported / detailed["file_path"]
        assert samples == path.with_name(f"{path.stem}_samples.jsonl")
        assert hashlib.sha256(samples.read_bytes()).hexdigest() == detailed["checksum"]
        assert len(rows(samples)) == detailed["total_rows"]
        model_id = aggregate["model_info"]["id"]
        assert model_id == "/".join(path.parts[-3:-1])
        assert {aggregate["evaluation_id"]} == {row["evaluation_id"] for row in rows(samples)}
    assert list(exported.glob("data/small/big/model-7b/*.json"))


@pytest.mark.large
def test_scores_have_intervals_judges_and_ranks(exported: Path) -> None:
    """A score is that of the board, with its limits; a judged one names judge and prompt."""
    [path] = exported.glob("data/small/org/m/*.json")
    results = json.loads(path.read_text(encoding="utf-8"))["evaluation_results"]
    whole = next(row for row in results if row["evaluation_name"] == "small")
    limits = whole["score_details"]["uncertainty"]["confidence_interval"]
    assert limits["lower"] < whole["score_details"]["score"] < limits["upper"]
    judged = next(row for row in results if row["evaluation_name"] == "small/no_tool")
    scoring = judged["metric_config"]["llm_scoring"]
    assert "embedded/embedded-1" == scoring["judges"][0]["model_info"]["id"]
    assert "{{fence}}" not in scoring["input_prompt"]


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("tool_selection", "majority_vote"),
        ("exact", "majority_vote"),
        ("stable_toolbench", "average"),
        ("judged", "average"),
    ],
)
def test_how_the_judges_decide_together_depends_on_the_kind(kind: str, method: str) -> None:
    """A majority decides whether texts mean the same. Grades on a scale are averaged."""
    case = Case("q", "c", "Query?", GroundTruth(), (), {}, "")
    category = Category("c", "C", "", 1.0, "p", (case,))
    suite = Suite("s", "S", "", KINDS[kind], (category,), {}, "", {"q": case})
    card = Card("M", "model", "Org", "m", "2026-01-31")
    shares = ("score", "low", "high", "judged_share")
    empty = ("unscored", "rank_low", "rank_high", "rules_only_score", "corrected")
    found = {"category": "*", "metric": KINDS[kind].ranked, "scored": 1}
    score = {**found, **dict.fromkeys(shares, 0.5), **dict.fromkeys(empty)}
    judge = JudgeSettings("gpt", "openai", "m")
    submission = Submission("m", card, None, {})
    exported = ExportedSuite(
        "Board", submission, suite, Records(), [score], [], [judge], {}, "digest"
    )
    [aggregate] = (
        json.loads(data)
        for path, data in export_every_eval_ever(exported).items()
        if path.endswith(".json")
    )
    [result] = aggregate["evaluation_results"]

    assert result["metric_config"]["llm_scoring"]["aggregation_method"] == method


@pytest.mark.large
def test_every_metric_has_its_results(board: Folder, exported: Path) -> None:
    """The ranked one comes first. Samples have the scores of all, and what an answer cost."""
    [path] = exported.glob("data/acts/*/*/*.json")
    results = json.loads(path.read_text(encoding="utf-8"))["evaluation_results"]
    found = {
        row["metric_config"]["metric_id"]: row["score_details"]["score"]
        for row in results
        if row["evaluation_name"] == "acts"
    }
    rows_of_board = json.loads((board.root / "results/scores.json").read_text(encoding="utf-8"))
    assert found == {
        row["metric"]: row["score"]
        for row in rows_of_board
        if (row["submission"], row["suite"], row["category"]) == ("wrong", "acts", "*")
        and row["score"] is not None
    }
    assert list(found) == ["correct", "trajectory", "step_ratio"]
    ratio = next(row for row in results if row["metric_config"]["metric_id"] == "step_ratio")
    assert ratio["metric_config"]["max_score"] == "Infinity"
    assert "confidence_interval" not in ratio["score_details"]["uncertainty"]

    [samples] = exported.glob("data/acts/*/*/*_samples.jsonl")
    first = next(row for row in rows(samples) if row["sample_id"] == "S1")
    assert json.loads(first["metadata"]["metrics"]).keys() == set(found)


@pytest.mark.large
def test_costs_and_the_card_are_carried(board: Folder, tmp_path: Path) -> None:
    """The schema has no fields for them, so they are texts. An import reads them back."""
    folder = board.copied_to(tmp_path / "board")
    about: dict[str, Any] = {
        "url": "https://example.org/m",
        "parameters": "7B",
        "license": "MIT",
        "price": {"input": 0.25, "output": 2.0},
    }
    cost = {"usage": {"input_tokens": 5, "output_tokens": 6, "cost_usd": 0.0125}}
    folder.submission("costly", [{**each(native)[0], **cost}], **about)
    assert 0 == folder.lb("rescore").exit_code
    out = tmp_path / "costs"
    said = folder.lb("export", "every-eval-ever", "costly", "--out", str(out))
    assert "with 3 scores, 5 samples" in said.stderr
    shutil.rmtree(folder.root / "submissions/costly")
    run(folder, "import", "every-eval-ever", out)
    card = json.loads(folder.tree("submissions/costly")["submission.json"])
    assert about == {name: card[name] for name in about}
    again = json.loads(folder.tree("submissions/costly")["small.json"])["test_results"]
    assert again[0]["usage"] == cost["usage"]


@pytest.mark.large
def test_scores_on_chosen_cases_say_so(board: Folder, tmp_path: Path) -> None:
    """The status and the number of all cases are beside each score. A whole suite has neither."""
    folder = board.copied_to(tmp_path / "board")
    folder.submission("part", each(native)[:2], partial=["small"])
    assert 0 == folder.lb("rescore").exit_code
    for name, said in (("part", ("partial", "5")), ("right", (None, None))):
        out = folder.root / "chosen" / name
        result = folder.lb("export", "every-eval-ever", name, "--out", str(out))
        assert 0 == result.exit_code, result.stderr
        [path] = out.glob("data/small/*/*/*.json")
        results = json.loads(path.read_text(encoding="utf-8"))["evaluation_results"]
        details = [row["score_details"]["details"] for row in results]
        assert {(found.get("status"), found.get("suite_cases")) for found in details} == {said}


@pytest.mark.large
def test_read_again_the_scores_are_the_same(board: Folder, exported: Path, tmp_path: Path) -> None:
    """`lb new --from` takes the samples: calls keep the types of their arguments."""
    folder = board.copied_to(tmp_path / "board")
    for number, path in enumerate(sorted(exported.rglob("*_samples.jsonl"))):
        suite = path.relative_to(exported).parts[1]
        arguments = ("--from", str(path), "--suite", suite, *CARD)
        result = folder.lb("new", f"again-{number}", *arguments)
        assert 0 == result.exit_code, result.stderr
        assert "Every Eval Ever samples" in result.stderr
    assert 0 == folder.lb("rescore").exit_code
    found = scores(folder)
    before = sorted((suite, score) for (name, suite), score in found.items() if "again" not in name)
    after = sorted((suite, score) for (name, suite), score in found.items() if "again" in name)
    assert before == after
    written = json.loads(folder.tree("submissions/again-0")["acts.json"])["test_results"]
    steps = [step for record in written for step in record["intermediate_steps"]]
    assert STEPS[0]["tool_input"] == steps[0]["tool_input"]


def test_the_same_board_gives_the_same_bytes(board: Folder, exported: Path, tmp_path: Path) -> None:
    """An export uses no clock and no random numbers."""
    again = tmp_path / "again"
    result = board.lb("export", "every-eval-ever", "right", "wrong", "--out", str(again))
    assert 0 == result.exit_code, result.stderr
    files: Callable[[Path], dict[str, bytes]] = lambda top: {  # noqa: E731
        str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*.json*")
    }
    assert files(exported) == files(again)


@pytest.fixture(scope="session")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The schemas in the published wheel. Without the package index, the test is skipped."""
    folder = tmp_path_factory.mktemp("wheel")
    wanted = ["--no-deps", "--only-binary=:all:", "--python-version=3.12"]
    command = [sys.executable, "-m", "pip", "download", "-q", *wanted, "-d", str(folder)]
    done = subprocess.run([*command, "every-eval-ever==0.3.0"], check=False, capture_output=True)
    if done.returncode:
        pytest.skip("the package index does not give every-eval-ever 0.3.0")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        return {
            name: json.loads(wheel.read(f"every_eval_ever/schemas/{name}.schema.json"))
            for name in ("eval", "instance_level_eval")
        }


def valid_documents(out: Path, schemas: dict[str, Any]) -> int:
    """How many aggregates and samples a folder has. All must fit the schemas."""
    checked = 0
    for path in out.rglob("*.json*"):
        kind = "eval" if path.suffix == ".json" else "instance_level_eval"
        check = jsonschema.validators.validator_for(schemas[kind])(schemas[kind])
        for document in [json.loads(path.read_text())] if kind == "eval" else rows(path):
            assert [error.message for error in check.iter_errors(document)] == []
            checked += 1
    return checked


@pytest.mark.large
def test_every_file_is_valid_by_the_published_schemas(
    exported: Path, schemas: dict[str, Any]
) -> None:
    """Aggregates and samples, hostile texts among them."""
    assert valid_documents(exported, schemas) > 10


def whole(root: Path) -> dict[tuple[str, str], float]:
    """The score of every submission and suite."""
    rows = json.loads((root / "results/scores.json").read_text(encoding="utf-8"))
    return {
        (row["submission"], row["suite"]): row["score"]
        for row in rows
        if row["category"] == "*" and row["metric"] in ("correct", "sopr", "score")
    }


@pytest.mark.large
@pytest.mark.parametrize("name", ["shipped", "real models"])
def test_boards_are_valid_and_have_the_same_scores_when_imported(
    name: str,
    tmp_path: Path,
    schemas: dict[str, Any],
    request: pytest.FixtureRequest,
) -> None:
    """The shipped board and the published answers of four models, as responses and as reported."""
    board, out = Folder(tmp_path / "board"), tmp_path / "out"
    if name == "shipped":
        for part in ("datasets", "prompts", "submissions", "cassettes"):
            shutil.copytree(shipped(part), board.root / part)
        board.write("leaderboard.toml", (PROJECT / "leaderboard.toml").read_bytes())
    else:
        real = request.getfixturevalue("real_files")("bfcl")
        board.write("leaderboard.toml", SETTINGS)
        places = ("--questions", real / "questions", "--possible-answers", real / "possible_answer")
        run(board, "import", "bfcl", real / "result", *places)
    run(board, "rescore", "--offline")
    run(board, "export", "every-eval-ever", "--out", out)
    assert valid_documents(out, schemas) > 1000

    reported = Folder(tmp_path / "reported")
    reported.write("leaderboard.toml", SETTINGS)
    scored = Folder(tmp_path / "scored")
    shutil.copytree(
        board.root, scored.root, ignore=shutil.ignore_patterns("submissions", "results")
    )
    for folder in (reported, scored):
        run(folder, "import", "every-eval-ever", out)
        run(folder, "rescore")
        assert whole(board.root) == pytest.approx(whole(folder.root)), folder.root.name


def run(board: Folder, *arguments: str | Path) -> None:
    result = board.lb(*map(str, arguments))
    assert 0 == result.exit_code, result.stderr
