"""Five frameworks and the agent of docs/agents.md over a suite of 600 APIs, with one script."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import Workspace
from runners.apis.solutions import load_solutions
from runners.apis.virtual_apis import replaying
from scoring.rules import KINDS
from tests.conftest import PROJECT, SETTINGS, Folder, shipped
from tests.runners.agents.agents_board import FRAMEWORKS, card, records, run_in
from tests.runners.scripted_server import Answer, Script, Seen, completion, serving

pytestmark = [pytest.mark.agents, pytest.mark.large]

SUITE: Final = "stable_toolbench"
QUERIES: Final = 4
TOOLS: Final = 120


@pytest.fixture
def many(tmp_path: Path) -> Folder:
    """A board with the suite of 600 APIs alone."""
    made = Folder(tmp_path / "board")
    made.write("leaderboard.toml", SETTINGS)
    for name in (f"datasets/{SUITE}", f"prompts/{SUITE}"):
        shutil.copytree(shipped(name), made.root / name)
    page = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
    made.write("own.py", page.split("```python\n")[1].split("```")[0])
    return made


def solving(root: Path) -> Script:
    """A model that makes the calls of a solution that it can, one in a turn, and then answers."""
    workspace = Workspace(root)
    suite = load_suite(workspace, SUITE, KINDS)
    catalogue = replaying(workspace, suite).catalogue
    assert len(catalogue) >= 600
    solutions = load_solutions(workspace, suite, catalogue)
    shown = {tool.name.pair: tool.sanitised_name for tool in catalogue.definitions}
    cases = suite.cases[:QUERIES]

    def script(seen: Seen) -> Answer:
        (case,) = (case for case in cases if case.query in seen.query)
        assert len(seen.tools) == TOOLS
        solution = solutions[case.id]
        named = [(shown[call.tool_name, call.api_name], call.arguments) for call in solution.calls]
        calls = [call for call in named if call[0] in seen.tools]
        if seen.turn == len(calls):
            return answered(seen, completion(solution.final_answer))
        return answered(seen, completion(None, [calls[seen.turn]], finish="tool_calls"))

    return script


def answered(seen: Seen, answer: Answer) -> Answer:
    """The reply with ids that no other reply has."""
    for call in answer.body["choices"][0]["message"].get("tool_calls", ()):
        call["id"] = f"call-{seen.number}"
    answer.body.update(model=seen.body["model"], created=1)
    return answer


def test_one_script_gets_the_same_scores_from_every_agent(
    many: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has 120 tools, chosen by words, and makes the same calls: all gold APIs that it got."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0123456789")
    with serving(solving(many.root)) as model:
        given = ["--model", "openai:scripted-1", "--base-url", model.openai, "--suite", SUITE]
        given += ["--limit", str(QUERIES), "--max-tools", str(TOOLS), "--selector", "keyword"]
        given += ["--date", "2026-05-18", "--retries", "0"]
        for name in FRAMEWORKS:
            home = tmp_path / name
            ran = run_in(name, many.root, home, "run", "--agent", name, "--id", name, *given)
            assert (ran.code, ran.reached) == (0, ()), ran.err
        own = many.lb("run", "--agent", f"{many.root}/own.py:MyAgent", "--id", "own", *given)
        assert own.exit_code == 0, own.stderr

    agents = (*FRAMEWORKS, "own")
    assert many.lb("validate").exit_code == 0
    assert many.lb("rescore").exit_code == 0
    scores = json.loads((many.root / "results/scores.json").read_bytes())
    found: dict[str, dict[Any, Any]] = {name: {} for name in agents}
    for row in scores:
        found[row["submission"]][row["category"], row["metric"]] = row["score"], row["cases"]
    made: dict[str, list[Any]] = {}
    about: dict[str, float] = {}
    for name in agents:
        answers = records(many.root, name, SUITE).values()
        assert {TOOLS} == {record["tools"] for record in answers}
        made[name] = [record["called_apis"] for record in answers]
        about[name] = card(many.root, name)["settings"]["suites"][SUITE]["gold_in_selection"]
    for name in agents:
        assert made[name] == made["own"], name
        assert found[name] == found["own"], name
        assert about[name] == about["own"] > 0.5
    for metric in ("api_call", "api_call_success"):
        assert found["own"]["*", metric] == (pytest.approx(about["own"], abs=0.001), QUERIES)
    assert found["own"]["*", "finish"] == (1.0, QUERIES)
