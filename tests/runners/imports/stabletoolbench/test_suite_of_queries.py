"""Suites of StableToolBench's own folders: queries, ids, tools and replies, without any answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Folder
from tests.runners.imports.stabletoolbench.bench import QUERIES, Bench
from tests.runners.scripted_server import completion, serving

# A tool file of upstream names no category: its folder does. One default value is a list.
TOOL_FILE: dict[str, Any] = {
    "tool_name": "TramLine",
    "tool_description": None,
    "title": "TramLine",
    "standardized_name": "tramline",
    "api_list": [
        {
            "name": "next departures",
            "url": "https://example.org/",
            "method": "GET",
            "description": "Departures at a stop.",
            "required_parameters": [
                {"name": "stop", "type": "STRING", "description": "", "default": "1"}
            ],
            "optional_parameters": [
                {"name": "lines", "type": "ARRAY", "description": "", "default": ["3", "7"]}
            ],
        },
        {"name": "news", "description": "", "required_parameters": [], "optional_parameters": []},
    ],
}
REPLY = {"error": "", "response": {"departures": ["18:04 line 3"]}}
AGENT = """
class Agent:
    def __init__(self, model):
        pass

    def bind_tools(self, tools):
        self.tools = tools

    def answer(self, query):
        for tool in self.tools:
            tool(stop="1")
        return {"answer": {"final_answer": "Line 3 at 18:04.", "answer_details": []}}
"""


@pytest.fixture
def upstream(bench: Bench) -> Bench:
    """The folders `queries`, `ids`, `tools` and `cache` beside the workspace."""
    bench.write("../queries/G2_category.json", [{**QUERIES[0], "query_id": 9100}])
    bench.write("../ids/G1_instruction.json", {"9001": 0, "9002": 0})
    bench.write("../tools/Transportation/tramline.json", TOOL_FILE)
    bench.write(
        "../cache/Transportation/tramline_for_Transportation/next_departures.json",
        {"{'stop': '1'}": REPLY},
    )
    bench.write("../cache/Transportation/tramline_for_Transportation/news.json", {"{}": REPLY})
    bench.folder.write("agent.py", AGENT)
    return bench


def make(bench: Bench, *more: str) -> None:
    beside = bench.source.parent
    given = [f"--{name}={beside / name}" for name in ("queries", "ids", "tools", "cache")]
    result = bench.folder.lb("import", "stabletoolbench", "--suite", "stb", *given, *more)
    assert 0 == result.exit_code, result.stderr


def run(folder: Folder, suite: str, *more: str) -> Any:
    agent = f"{folder.root}/agent.py:Agent"
    given = ["--agent", agent, "--model", "openai:m", "--suite", suite, "--date", "2026-05-18"]
    return folder.lb("run", *given, "--base-url", "http://127.0.0.1:9/v1", *more)


@pytest.mark.large
def test_the_folders_alone_make_a_suite(upstream: Bench) -> None:
    """No answers are needed. Tools and replies are copied byte by byte; importing again is free."""
    make(upstream)
    folder = upstream.folder
    assert 0 == folder.lb("validate").exit_code
    assert {"G1_instruction.json", "G2_category.json", "suite.toml"} < set(
        folder.tree("datasets/stb")
    )
    for name in ("tools", "cache"):
        beside = {
            path.relative_to(upstream.source.parent / name).as_posix(): path.read_bytes()
            for path in (upstream.source.parent / name).rglob("*.json")
        }
        assert beside == folder.tree(f"datasets/stb/{name}")
    before = folder.tree(".")
    make(upstream)
    assert before == folder.tree(".")


@pytest.mark.parametrize(
    "options",
    [
        ("--selector", "keyword"),
        ("--selector", "candidates"),
        ("--sweep", "max-tools=1,2"),
    ],
    ids=" ".join,
)
@pytest.mark.large
def test_an_agent_runs_on_it_at_once(upstream: Bench, options: tuple[str, ...]) -> None:
    """With every selector, also where the example value of a parameter is a list."""
    make(upstream)
    result = run(upstream.folder, "stb", "--id", "a", *options)
    assert 0 == result.exit_code, result.stderr
    name = "a-k2" if "--sweep" in options else "a"
    for record in upstream.records(name).values():
        assert ["TramLine", "next departures", "ok"] in record["called_apis"]


@pytest.mark.large
def test_a_model_chooses_the_tools_of_an_imported_suite(
    upstream: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its choice among all names is kept for the next run, and an agent gets nothing else."""
    make(upstream)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-chooser")
    with serving(lambda _: completion('["TramLine_next_departures", "nothing"]', [])) as model:
        asked = ("--selector", "llm", "--selector-model", "chooser", "--base-url", model.openai)
        for number in (1, 2):
            result = run(upstream.folder, "stb", "--id", f"a{number}", *asked)
            assert 0 == result.exit_code, result.stderr
        assert len({seen.query for seen in model.seen}) == len(model.seen) == 2  # distinct queries
        assert all(". TramLine_next_departures\n" in seen.query for seen in model.seen)
    for name in ("a1", "a2"):
        for record in upstream.records(name).values():
            assert [["TramLine", "next departures", "ok"]] == record["called_apis"]
            assert (1, 1.0) == (record["tools"], record["gold_in_selection"])


@pytest.mark.parametrize(
    "error",
    [
        {"error": "API doesn't exists", "response": ""},
        {"error": "Unauthorized", "response": {"message": "You are not subscribed."}},
    ],
)
@pytest.mark.large
def test_an_error_in_upstreams_cache_is_a_failed_call(
    upstream: Bench, error: dict[str, Any]
) -> None:
    """The API was called, and without success. The suite's own error counts as a true reply."""
    place = "../cache/Transportation/tramline_for_Transportation/next_departures.json"
    upstream.write(place, {"{'stop': '1'}": error})
    make(upstream)
    assert 0 == run(upstream.folder, "stb", "--id", "a", "--selector", "candidates").exit_code
    for record in upstream.records("a").values():
        assert [["TramLine", "next departures", "error"]] == record["called_apis"]
        node = json.loads(record["answer"]["answer_details"][0]["message"])
        assert error["error"] == node["error"]
    found = upstream.verdicts()
    assert {1.0} == set(found.filter(metric="api_call")["score"])
    assert {0.0} == set(found.filter(metric="api_call_success")["score"])
    details = found.filter(metric="api_call")["detail"].unique().to_list()
    assert ["Gold APIs called: 1 of 1. Calls: 1; failed: 1."] == details


def test_a_query_id_in_two_test_sets_is_refused(upstream: Bench) -> None:
    """The suite could not be read. Nothing is written."""
    upstream.write("../queries/G3_instruction.json", [QUERIES[0], QUERIES[1]])
    (problem,) = upstream.problems(source=None)
    assert "has 2 query ids in both G1_instruction and G3_instruction, such as 9001" in problem


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (
            "cache/next_departures.json",
            {},
            "is not a folder of replies: it has next_departures.json",
        ),
        ("tools/odd.json", {"name": "x"}, "odd.json"),
    ],
)
def test_wrong_folders_are_refused(upstream: Bench, name: str, content: Any, problem: str) -> None:
    """Every call would miss its reply. Nothing is written."""
    upstream.write(f"../{name}", content)
    beside = upstream.source.parent
    found = upstream.problems(source=None, tools=beside / "tools", cache=beside / "cache")
    assert any(problem in line for line in found), found


def test_options_that_need_each_other(upstream: Bench) -> None:
    """They are usage errors."""
    beside = upstream.source.parent
    assert 2 == upstream.folder.lb("import", "stabletoolbench").exit_code
    result = upstream.folder.lb(
        "import", "stabletoolbench", str(upstream.write("x.json", {})), "--tools", str(beside)
    )
    assert (2, True) == (result.exit_code, "need --queries" in result.stderr)
    for option in ("--submission", "--date", "--name"):
        result = upstream.folder.lb(
            "import", "stabletoolbench", "--queries", str(beside / "queries"), option, "x"
        )
        assert (2, True) == (result.exit_code, "need SRC, the answers" in result.stderr), option


@pytest.mark.large
def test_the_real_queries_can_be_run(folder: Folder, real_files: Callable[[str], Path]) -> None:
    """43 real queries, one of them with a list as a default value, and no tool files."""
    source = real_files("stabletoolbench") / "queries"
    Bench(folder)
    folder.write("agent.py", AGENT)
    result = folder.lb(
        "import", "stabletoolbench", "--suite", "stb", f"--queries={source / 'test_instruction'}"
    )
    assert 0 == result.exit_code, result.stderr
    result = run(folder, "stb", "--id", "a", "--sweep", "max-tools=8,64")
    assert 0 == result.exit_code, result.stderr
    document = json.loads((folder.root / "submissions/a-k64/stb.json").read_bytes())
    assert 43 == len(document["test_results"])
