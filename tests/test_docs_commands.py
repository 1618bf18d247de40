"""The pages for people who come from another system: their commands run as they are written."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.conftest import PROJECT
from tests.runners.imports.langsmith.langsmith_files import (
    EXAMPLES,
    RELATIONAL_EXAMPLE,
    RELATIONAL_MODULE,
    RELATIONAL_RUN,
    RUNS,
    relational_turn,
)
from tests.runners.imports.stabletoolbench.bench import QUERIES, answer, results, row, votes
from tests.runners.scripted_server import Answer, Seen, completion, serving

pytestmark = pytest.mark.large

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

    def run(self, words: list[str], replaced: dict[str, str]) -> Result | None:
        if words[0] == "cd":
            self.folder = self.folder / words[1]
            return None
        from cli.main import app

        self.patch.chdir(self.folder)
        given = []
        for word in words[1:]:
            for old, new in replaced.items():
                word = word.replace(old, new)  # noqa: PLW2901 - the same word
            given.append(word)
        return CliRunner().invoke(app, given, catch_exceptions=False)


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
    for words in page.commands():
        more = ["--port", "0"] if "serve-apis" in words else []
        result = page.run([*words, *more], {})
        assert result is None or result.exit_code == 0, f"{shlex.join(words)}: {result.output}"
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
    assert 0 == CliRunner().invoke(_app(), ["init", str(board), "--kind", "tool_usage"]).exit_code
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
        for words in page.commands():
            result = page.run(words, {"http://127.0.0.1:8000": model.url})
            assert result is None or result.exit_code == 0, f"{shlex.join(words)}: {result.output}"
    scores = json.loads((board / "results/scores.json").read_bytes())
    rows = scores if isinstance(scores, list) else scores["scores"]
    for suite in ("typing", "relational"):
        ranked = [one for one in rows if (one["suite"], one["metric"]) == (suite, "correct")]
        assert {("mine", 1.0), ("my-agent", 1.0)} == {
            (one["submission"], one["score"]) for one in ranked
        }
    (code,) = page.blocks("python")
    exec(compile(code, "coming-from-langchain.md", "exec"), {})


def _app() -> Any:
    from cli.main import app

    return app
