"""The pages for people who come from other systems: their commands work as they are written."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from runners.imports.bfcl import bfcl_demo, bfcl_package
from tests.conftest import PROJECT, SETTINGS, Folder
from tests.runners.model_board import KEY
from tests.runners.scripted_server import said, serving

pytestmark = pytest.mark.large

CHECKED = PROJECT / "tests/runners/imports/bfcl/checked"


def commands(page: str) -> Iterator[list[str]]:
    """The arguments of each `lb` in the page's blocks of shell commands."""
    text = (PROJECT / f"docs/{page}.md").read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for part in line.split("&&"):
                program, *arguments = shlex.split(part)
                assert program == "lb"
                yield arguments


def run(folder: Folder, page: str, **replaced: str) -> list[list[str]]:
    """Runs every command of a page in the folder, and returns them."""
    done = []
    for arguments in commands(page):
        given = [replaced.get(argument, argument) for argument in arguments]
        result = folder.lb(*given)
        assert result.exit_code == 0, (arguments, result.output, result.stderr)
        done.append(arguments)
    return done


def wheel(path: Path, version: str) -> Path:
    """A wheel of the form of bfcl-eval, with own questions."""
    with zipfile.ZipFile(path, "w") as archive:
        for folder, inside in (("questions", ""), ("possible_answers", "possible_answer/")):
            for file in sorted((CHECKED / folder).iterdir()):
                name = file.name.replace("v4", version)
                archive.write(file, f"bfcl_eval/data/{inside}{name}")
        turns = f"bfcl_eval/data/BFCL_{version}_multi_turn_base.json"
        archive.writestr(turns, '{"id": "multi_turn_base_0"}\n')
    return path


def lines(path: Path, *objects: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(item) + "\n" for item in objects), encoding="utf-8")


def test_coming_from_bfcl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions of two versions and of 2024, results of models, and a model that is asked."""
    folder = Folder(tmp_path / "board")
    folder.write("leaderboard.toml", SETTINGS)
    monkeypatch.chdir(folder.root)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    wheel(folder.root / "bfcl_eval-2026.3.23-py3-none-any.whl", "v4")

    def download(version: str, target: Path) -> Path:
        return wheel(target / "a.whl", "v3" if version.startswith("2025.6") else "v4")

    monkeypatch.setattr(bfcl_package, "_download", download)
    results = folder.root / "result/model-FC"
    call = {"id": "multiple_0", "result": [{"pump_level": '{"level": 3}'}], "latency": 0.5}
    lines(results / "non_live/BFCL_v4_multiple_result.json", call)
    header = {"accuracy": 1.0, "correct_count": 1, "total_count": 1}
    lines(folder.root / "score/model-FC/BFCL_v4_multi_turn_base_score.json", header)
    area = {"name": "area", "parameters": {"properties": {"side": {"type": "integer"}}}}
    lines(
        folder.root / "questions/simple.json", {"id": "simple_0", "question": "?", "function": area}
    )
    truth = {"id": "simple_0", "ground_truth": {"area": {"side": [2]}}}
    lines(folder.root / "possible_answer/simple.json", truth)
    old = {"id": "simple_0", "result": [{"area": '{"side": 2}'}]}
    lines(results / "gorilla_openfunctions_v1_test_simple_result.json", old)

    published = tmp_path / "published"
    lines(published / "2025-12-16/result/model-FC/BFCL_v4_multiple_result.json", call)
    monkeypatch.setattr(bfcl_demo, "clone_results", lambda: nullcontext(published))
    with serving(lambda seen: said(seen, "No call.")) as server:
        done = run(folder, "coming-from-bfcl", **{"http://127.0.0.1:8000/v1": server.openai})
    assert len(done) == 11
    assert (folder.root / "real/submissions/model-fc/bfcl_v4.json").is_file()
    assert {path.name for path in (folder.root / "datasets").iterdir()} == {
        "bfcl",
        "bfcl_v3",
        "bfcl_v4",
        "bfcl_v4_reported",
    }
    assert {path.name for path in (folder.root / "submissions/model-fc").glob("*.json")} == {
        "submission.json",
        "bfcl.json",
        "bfcl_v4.json",
        "bfcl_v4_reported.json",
    }
    assert (folder.root / "submissions/my-model/bfcl_v4.json").is_file()


def test_coming_from_the_tester(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder becomes a board in an empty folder, and a submission goes back."""
    folder = Folder(tmp_path / "board")
    folder.root.mkdir()
    monkeypatch.chdir(folder.root)
    write_tester(tmp_path / "tester")
    assert len(run(folder, "coming-from-the-tester")) == 5
    assert {path.name for path in (folder.root / "exported").iterdir()} == {
        "test_results.json",
        "test_results.csv",
    }
    assert (folder.root / "_site/index.html").is_file()


def write_tester(folder: Path) -> None:
    """A small folder of the tester: two categories, one tool, a run with raw replies."""
    (folder / "tools").mkdir(parents=True)
    (folder / "tools/functions.py").write_text(
        'registry.register(Function(name="ring", description="Rings.", parameters=[\n'
        '    FunctionParameter(name="bell", type="string", description="Which.")]))\n'
    )
    (folder / "prompts").mkdir()
    for name in ("tool_selection", "clarifying"):
        prompt = (
            'Question: "{question}"\nOne: "{text1}"\nTwo: {text2}\nReply equivalent or different.'
        )
        (folder / f"prompts/semantic_judge_{name}.txt").write_text(prompt)
    call = {"function_call": {"name": "ring", "arguments": {"bell": "door"}}}
    text = {"text": "Which bell?", "no_function_call": True}
    cases: list[dict[str, Any]] = [
        {"id": 1, "type": "tool_selection", "user_query": "Ring the door.", "ground_truth": call},
        {"id": "C2", "type": "clarifying", "user_query": "Ring.", "ground_truth": text},
    ]
    (folder / "datasets").mkdir()
    (folder / "datasets/test_dataset.json").write_text(json.dumps(cases))
    replies = [
        {"model_function_call": call["function_call"], "full_model_response": None},
        {"model_function_call": None, "full_model_response": "Which bell?"},
    ]
    raw = [dict(case, model_response=one) for case, one in zip(cases, replies, strict=True)]
    lines(folder / "results/test_run_20250102_030405/raw_responses.json", raw)
    settings = {"model_id": "gpt-x", "timestamp": "2025-01-02T03:04:05"}
    lines(folder / "results/test_run_20250102_030405/test_parameters.json", settings)
