"""The pages for people who come from another system: their commands run as they are written."""

from __future__ import annotations

import csv
import json
import re
import shlex
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from runners.imports.bfcl import bfcl_demo, bfcl_package
from tests.conftest import PROJECT, SETTINGS, Folder
from tests.runners.imports.langsmith.langsmith_files import (
    EXAMPLES,
    RELATIONAL_EXAMPLE,
    RELATIONAL_MODULE,
    RELATIONAL_RUN,
    RUNS,
    relational_turn,
)
from tests.runners.imports.stabletoolbench.bench import QUERIES, answer, results, row, votes
from tests.runners.model_board import KEY
from tests.runners.scripted_server import Answer, Seen, completion, said, serving

pytestmark = pytest.mark.large

CHECKED = PROJECT / "tests/runners/imports/bfcl/checked"
# The model server that the pages name.
SERVER = "http://127.0.0.1:8000"

AGENT = """
class MyAgent:
    def bind_tools(self, tools):
        self.tools = tools

    def answer(self, query):
        for tool in self.tools:
            tool(stop="1")
        return {"answer": {"final_answer": "Line 3 at 18:04.", "answer_details": []}}
"""
PARAMETER = {"name": "stop", "type": "STRING", "description": "", "default": ["1", "2"]}
TOOL_FILE = {
    "tool_name": "TramLine",
    "tool_description": "",
    "api_list": [
        {"name": "next departures", "description": "", "required_parameters": [PARAMETER]},
    ],
}


class Page:
    """A page, and a shell that knows `lb`, `cd` and `&&`."""

    def __init__(self, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.text = (PROJECT / f"docs/{name}.md").read_text(encoding="utf-8")
        self.folder, self.patch = folder, monkeypatch

    def blocks(self, language: str) -> list[str]:
        return re.findall(rf"```{language}\n(.*?)```", self.text, re.DOTALL)

    def commands(self) -> Iterator[list[str]]:
        for block in self.blocks("sh"):
            for line in block.replace("\\\n", " ").splitlines():
                for part in line.split("&&"):
                    yield shlex.split(part)

    def run(self, *, server: str = SERVER, serve: Sequence[str] = ()) -> int:
        """Runs all commands, and returns how many.

        `server` is asked in place of the model server of the page; `serve` are more options of
        `lb serve-apis`.
        """
        from cli.main import app

        commands = list(self.commands())
        for program, *arguments in commands:
            if program == "cd":
                self.folder /= arguments[0]
                continue
            assert program == "lb"
            self.patch.chdir(self.folder)
            given = [word.replace(SERVER, server) for word in arguments]
            more = serve if "serve-apis" in given else ()
            result = CliRunner().invoke(app, [*given, *more], catch_exceptions=False)
            assert result.exit_code == 0, f"lb {shlex.join(given)}: {result.output}"
        return len(commands)


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def upstream(folder: Path) -> None:
    """StableToolBench's folders, with a file of each kind."""
    write(folder / "solvable_queries/test_instruction/G1_instruction.json", QUERIES)
    write(folder / "solvable_queries/test_query_ids/G1_instruction.json", {"9001": 0, "9002": 0})
    write(folder / "server/tools/Transportation/tramline.json", TOOL_FILE)
    reply = {"error": "", "response": "18:04 line 3"}
    place = "server/tool_response_cache/Transportation/tramline_for_Transportation"
    write(folder / place / "next_departures.json", {"{'stop': '1'}": reply})
    data = folder / "data"
    write(data / "virtual_x/G1_instruction.json", {"9001": answer(9001), "9002": answer(9002)})
    pass_rates = write(data / "pass/G1_instruction_y.csv", "")
    cells = votes(9001, "Solved")
    with pass_rates.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        table.writerow(["query", "model_intermediate_steps", "query_id", "is_solved"])
        solved = {0: "AnswerStatus.Solved"}
        table.writerow([cells["query"], cells["answer_steps"], 9001, solved])
    write(data / "tools/agent_G1_instruction_k20_q1.json", results(row(9001)))
    write(data / "notes.txt", "notes")


def test_coming_from_stabletoolbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From upstream's folders to scores of an agent and of imported systems."""
    upstream(tmp_path / "StableToolBench")
    write(tmp_path / "my_agent.py", AGENT)
    served: list[str] = []
    monkeypatch.setattr(
        "runners.apis.api_server.serve", lambda app, _bound: served.append(app.title)
    )
    page = Page("coming-from-stabletoolbench", tmp_path, monkeypatch)
    page.run(serve=("--port", "0"))
    assert ["Virtual APIs"] == served
    submissions = page.folder / "submissions"
    assert {"mine", "virtual_x", "y", "lang-graph_k20"} <= {
        one.name for one in submissions.iterdir()
    }
    mine = json.loads((submissions / "mine/stb.json").read_bytes())["test_results"]
    assert [["TramLine", "next departures", "ok"]] == mine[0]["called_apis"]
    limited = json.loads((submissions / "lang-graph_k20/submission.json").read_bytes())
    assert ["stb"] == limited["partial"]


def test_coming_from_langchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From LangSmith's files to scores, and a run in the same environment."""
    board = tmp_path / "board"
    assert Folder(tmp_path).lb("init", str(board), "--kind", "tool_usage").exit_code == 0
    typed = [RUNS[0]]
    write(tmp_path / "runs.jsonl", "\n".join(map(json.dumps, typed)))
    write(tmp_path / "runs-again.jsonl", json.dumps({**RUNS[0], "id": "r-7"}))
    write(tmp_path / "examples.json", EXAMPLES[:1])
    write(tmp_path / "relational.jsonl", json.dumps(RELATIONAL_RUN))
    write(tmp_path / "relational-examples.json", [RELATIONAL_EXAMPLE])
    write(tmp_path / "relational_data.py", RELATIONAL_MODULE)

    def script(seen: Seen) -> Answer:
        if seen.query == "What is the favorite color of the user?":
            return relational_turn(seen)
        turns: list[list[tuple[str, Any]]] = [[("d", {})], [("f", {})], []]
        calls = turns[min(seen.turn, 2)]
        return completion("" if calls else "df", calls, finish="tool_calls" if calls else "stop")

    page = Page("coming-from-langchain", board, monkeypatch)
    with serving(script) as model:
        page.run(server=model.url)
    scores = json.loads((board / "results/scores.json").read_bytes())
    rows = scores if isinstance(scores, list) else scores["scores"]
    for suite in ("typing", "relational"):
        ranked = [one for one in rows if (one["suite"], one["metric"]) == (suite, "correct")]
        assert {("mine", 1.0), ("my-agent", 1.0)} == {
            (one["submission"], one["score"]) for one in ranked
        }
    (code,) = page.blocks("python")
    exec(compile(code, "coming-from-langchain.md", "exec"), {})


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
    write(path, "".join(json.dumps(item) + "\n" for item in objects))


def test_coming_from_bfcl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions of two versions and of 2024, results of models, and a model that is asked."""
    folder = Folder(tmp_path / "board")
    folder.write("leaderboard.toml", SETTINGS)
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
        page = Page("coming-from-bfcl", folder.root, monkeypatch)
        assert page.run(server=server.url) == 11
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


def test_coming_from_the_tester(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder becomes a board in an empty folder, and a submission goes back."""
    folder = Folder(tmp_path / "board")
    folder.root.mkdir()
    write_tester(tmp_path / "tester")
    assert Page("coming-from-the-tester", folder.root, monkeypatch).run() == 5
    assert {path.name for path in (folder.root / "exported").iterdir()} == {
        "test_results.json",
        "test_results.csv",
    }
    assert (folder.root / "_site/index.html").is_file()
