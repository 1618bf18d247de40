"""`lb run --agent` with own agents: cards, selections, sweeps, errors, resuming."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import Result

from leaderboard.files.suite_files import load_suite
from leaderboard.workspace import Workspace
from runners.agents.agent_loading import TELEMETRY_OFF, load_agent
from runners.apis.api_server import make_app
from runners.apis.api_server import serving as serving_app
from runners.apis.virtual_apis import Mode, replaying
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder
from tests.runners.agents.agents_board import (
    NEXT,
    SCENES,
    STATUS,
    Turn,
    add_suite,
    card,
    messages,
    queries,
    records,
    script,
    spoken,
)
from tests.runners.scripted_server import Answer, ScriptedServer, Seen, completion, refused, serving
from tests.write_faults import full_disk

KEY = "sk-own-0123456789"
# An agent as users write it: it has its own client, calls one API by hand and asks the model.
LLM_AGENT = """\
import json
import os
import urllib.request

from openai import OpenAI


class LlmAgent:
    def __init__(self, model="gpt-4o-mini", server_url="http://localhost:8080/virtual"):
        self.client = OpenAI(api_key=os.getenv("OPENAI_API_KEY"))
        self.model, self.server_url = model, server_url

    def answer(self, query: str):
        call = {"category": "Transportation", "tool_name": "Tram-Line 7", "api_name": "/status",
                "tool_input": {"line": "7"}, "strip": "", "toolbench_key": "EMPTY"}
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.server_url, json.dumps(call).encode(), headers)
        reply = json.load(urllib.request.urlopen(request))
        messages = [{"role": "user", "content": query}]
        reply_of_model = self.client.chat.completions.create(model=self.model, messages=messages)
        said = reply_of_model.choices[0].message.content
        steps = [("Tram-Line 7_/status", {"line": "7"}, reply["response"]),
                 ("Finish", {"return_type": "give_answer", "final_answer": said}, "")]
        messages = [{"name": n, "arguments": a, "response": r} for n, a, r in steps]
        details = [{"role": "tool", "next": [], "message": json.dumps(m)} for m in messages]
        return {"answer": {"final_answer": said, "answer_details": details}}
"""
TOOL_AGENTS = '''\
from runners.agents.base import BaseAgent


class CallsAll(BaseAgent):
    """Calls every tool that needs no argument, and says how many tools it has."""

    def __init__(self, max_tools=120):
        self.max_tools = max_tools

    def answer(self, query):
        for tool in self.tools:
            if not tool.parameters["required"]:
                tool()
        text = f"I have {len(self.tools)} tools."
        return {"answer": {"final_answer": text, "answer_details": []}}


class FailsAtFirst(CallsAll):
    """Fails the queries that are listed beside it, or ends at those listed with "!"."""

    def answer(self, query):
        from pathlib import Path
        listed = Path(__file__).with_name("failing.txt").read_text().split()
        if query.split()[0] + "!" in listed:
            raise KeyboardInterrupt
        if query.split()[0] in listed or "all" in listed:
            raise RuntimeError(f"no luck with {query.split()[0]}")
        return super().answer(query)


class SaysTooMuch(CallsAll):
    def answer(self, query):
        return {"answer": {"final_answer": "x" * 200_001, "answer_details": []}}


class SaysNothing(BaseAgent):
    def answer(self, query):
        finish = {"name": "Finish", "arguments": {"return_type": "give_answer"}}
        details = [{"role": "tool", "message": finish, "next": []}]
        return {"answer": {"final_answer": "", "answer_details": details}}


class GivesUp(BaseAgent):
    def answer(self, query):
        finish = {"name": "Finish", "arguments": {"return_type": "give_up_and_restart"}}
        details = [{"role": "tool", "message": finish, "next": []}]
        return {"answer": {"final_answer": "", "answer_details": details}}


class Interrupted(CallsAll):
    def answer(self, query):
        if query.startswith("What"):
            raise KeyboardInterrupt
        return super().answer(query)
'''


@pytest.fixture(autouse=True)
def _own_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restores what a run sets for the whole process."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    for name in TELEMETRY_OFF:
        monkeypatch.setenv(name, "")
    paths, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = paths
    for name in set(sys.modules) - modules:
        if name.startswith("agent_"):
            del sys.modules[name]


@pytest.fixture
def board(folder: Folder) -> Folder:
    add_suite(folder, {case: SCENES[case] for case in ("1", "2", "3", "4")})
    folder.write("mine/llm_agent.py", LLM_AGENT)
    folder.write("mine/tools.py", TOOL_AGENTS)
    folder.write("mine/failing.txt", "")
    return folder


@pytest.fixture
def model() -> Iterator[ScriptedServer]:
    with serving(lambda seen: spoken(seen, Turn(f"About {seen.query[:20]}"))) as running:
        yield running


def run(board: Folder, agent: str, *more: str) -> Result:
    file, _, name = agent.partition(":")
    named = (
        "--agent",
        f"{board.root}/mine/{file}.py:{name}",
        "--model",
        "openai:scripted-1",
        "--suite",
        "apis",
    )
    return board.lb("run", *named, "--date", "2026-05-18", *more)


# ---------------------------------------------------------------- an agent of one's own


@pytest.mark.large
def test_an_agent_may_use_its_own_client(board: Folder, model: ScriptedServer) -> None:
    """Its constructor gets the API server. Its client finds the model by OPENAI_BASE_URL."""
    result = run(board, "llm_agent:LlmAgent", "--base-url", model.openai)
    assert 0 == result.exit_code, result.stderr
    answers = records(board.root, "llm_agent.py-llmagent-scripted-1")
    assert ["1", "2", "3", "4"] == list(answers)
    assert ["good service", ""] == [message["response"] for message in messages(answers["1"])]
    assert "About When are the next" in answers["1"]["answer"]["final_answer"]
    assert ("called_apis" in answers["1"], None) == (False, answers["1"]["tools"])
    settings = card(board.root, "llm_agent.py-llmagent-scripted-1")["settings"]
    assert "llm_agent.py:LlmAgent" == settings["agent"]
    assert str(board.root) not in json.dumps(settings)
    assert 0 == board.lb("validate", "llm_agent.py-llmagent-scripted-1").exit_code


@pytest.mark.large
def test_an_own_agent_uses_the_tools_that_it_gets(board: Folder) -> None:
    """The calls of its tools are recorded, although it does not report them."""
    result = run(
        board,
        "tools:CallsAll",
        "--id",
        "mine",
        "--max-tools",
        "2",
        "--name",
        "Mine",
        "--organization",
        "My lab",
    )
    assert 0 == result.exit_code, result.stderr
    answers = records(board.root, "mine")
    assert {"I have 2 tools."} == {record["answer"]["final_answer"] for record in answers.values()}
    assert ["Tram-Line 7", "news", "ok"] in answers["2"]["called_apis"]
    assert ("Mine", "My lab", "agent") == tuple(
        card(board.root, "mine")[name] for name in ("name", "organization", "kind")
    )
    assert "framework" not in card(board.root, "mine")


@pytest.mark.large
def test_the_example_of_the_docs_solves_everything(board: Folder) -> None:
    """It repeats no call and still gets every point for a script that solves all queries."""
    page = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
    board.write("mine/docs.py", page.split("```python\n")[1].split("```")[0])
    fact = {"id": "first", "label": "the first, 18:04", "accepts": [{"time": "18:04"}]}
    listed = queries({name: SCENES[name] for name in ("1", "2")})
    for query in listed:
        query["ground_truth"] = {"facts": [fact]}
    listed[1]["relevant APIs"].append(["Tram-Line 7", "news"])
    board.write("datasets/apis/queries.json", listed)
    with serving(script) as running:
        result = run(board, "docs:MyAgent", "--base-url", running.openai, "--id", "mine")
    assert 0 == result.exit_code, result.stderr
    assert [3, 4] == [len(messages(record)) for record in records(board.root, "mine").values()]
    assert 0 == board.lb("rescore", "--offline").exit_code
    scores = pl.read_parquet(board.root / "results/scores.parquet").filter(
        submission="mine", suite="apis", category="*"
    )
    found = dict(zip(scores["metric"], scores["score"], strict=True))
    for metric in ("sopr", "api_call", "finish", "api_call_precision", "api_call_success"):
        assert 1.0 == found[metric], metric


def test_an_agent_gets_as_many_tools_as_the_run_says(board: Folder) -> None:
    """Also if its constructor has no parameter for it. A limit of its own stays one."""
    plain = "def answer(self, query):\n        return {}"
    board.write(
        "mine/more.py",
        "from runners.agents.base import BaseAgent\n"
        f"class Any(BaseAgent):\n    def __init__(self, **given):\n        pass\n    {plain}\n"
        f"class Two(BaseAgent):\n    max_tools = 2\n    {plain}\n",
    )
    choice = load_agent(f"{board.root}/mine/more.py:Any")
    assert 700 == choice.create(max_tools=700, model="m").max_tools  # type: ignore[attr-defined]
    own = load_agent(f"{board.root}/mine/more.py:Two")
    assert 2 == own.create(max_tools=700, model="m").max_tools  # type: ignore[attr-defined]


# ---------------------------------------------------------------- the server of the APIs


@pytest.mark.parametrize("path", ["/virtual", "/virtuel"], ids=["dead", "mistyped"])
def test_a_server_that_does_not_answer_stops_the_run(board: Folder, path: str) -> None:
    """Nothing is asked, and no submission of errors is written."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with serving_apis(board) as url:
        address = url.replace("/virtual", path)
        if path == "/virtual":
            address = f"http://127.0.0.1:{port}{path}"
        result = run(board, "tools:CallsAll", "--id", "mine", "--server-url", address)
    assert (1, True) == (result.exit_code, "answers no API calls" in result.stderr)
    assert not (board.root / "submissions/mine").exists()


class Leaving(BaseHTTPRequestHandler):
    """Replies to every call of an API."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = b'{"error": "", "response": "fine"}'
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def test_a_server_that_goes_away_stops_the_run(board: Folder) -> None:
    """The answers before it are kept, for --resume."""
    server = HTTPServer(("127.0.0.1", 0), Leaving)
    thread = threading.Thread(target=_serve, args=(server,))
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/virtual"
    result = run(board, "tools:CallsAll", "--id", "mine", "--server-url", url)
    thread.join()
    assert (1, True) == (result.exit_code, "answers no API calls" in result.stderr)
    kept = board.root / ".cache/runs/mine/apis.jsonl"
    assert 1 == kept.read_text(encoding="utf-8").count('"answer_details"')
    assert not (board.root / "submissions/mine").exists()


def _serve(server: HTTPServer) -> None:
    """Replies to the check before the run and to the two calls of one case, then goes away."""
    for _ in range(3):
        server.handle_request()
    server.server_close()


@pytest.mark.large
def test_the_time_limit_of_a_run_holds_for_calls_of_apis(board: Folder) -> None:
    """--timeout ends each call of a tool, and the agent reads why."""

    def slow(seen: Seen) -> Answer:
        """Replies at once to the check before a run, and to other calls after a second."""
        is_check = seen.body["api_name"] == "chat_with_user"
        return Answer({"error": "", "response": "fine"}, stall=0 if is_check else 1)

    with serving(slow) as server:
        more = ("--id", "mine", "--limit", "1", "--timeout", "0.2")
        url = f"{server.url}/virtual"
        assert 0 == run(board, "tools:CallsAll", "--server-url", url, *more).exit_code
    details = json.dumps(records(board.root, "mine"))
    assert "timed out" in details
    assert "fine" not in details


@contextmanager
def serving_apis(board: Folder, mode: Mode = "replay") -> Iterator[str]:
    """A server of the suite's APIs, as somebody else starts it."""
    workspace = Workspace(board.root)
    apis = replaying(workspace, load_suite(workspace, "apis", KINDS))
    with serving_app(make_app(replace(apis, mode=mode))) as url:
        yield url


@pytest.mark.large
def test_the_card_says_who_answers_the_calls(board: Folder) -> None:
    """Its mode and address, without what may be secret. A run of its own server has a mode."""
    assert 0 == run(board, "tools:CallsAll", "--id", "own").exit_code
    assert "replay" == card(board.root, "own")["settings"]["suites"]["apis"]["apis"]
    with serving_apis(board, mode="live") as url:
        named = f"{url}?key=sk-secret"
        assert 0 == run(board, "tools:CallsAll", "--id", "named", "--server-url", named).exit_code
        settings = card(board.root, "named")["settings"]["suites"]["apis"]
        assert ("live", "http://localhost/virtual") == (settings["apis"], settings["server"])
        secret = url.replace("http://", "http://me:sk-secret@")
        refused = run(board, "tools:CallsAll", "--id", "third", "--server-url", secret)
    assert (1, False) == (refused.exit_code, "sk-secret" in refused.stderr)
    written = "".join(path.read_text() for path in board.root.rglob("*.json*") if path.is_file())
    assert "sk-secret" not in written


@pytest.mark.large
def test_running_again_is_refused(board: Folder) -> None:
    """Answers stay. Another id works, and --resume has nothing left to do."""
    assert 0 == run(board, "tools:CallsAll", "--id", "mine").exit_code
    before = board.tree("submissions/mine")
    result = run(board, "tools:CallsAll", "--id", "mine")
    assert (1, True) == (result.exit_code, "contains answers of an earlier run" in result.stderr)
    result = run(board, "tools:CallsAll", "--id", "mine", "--resume")
    assert (0, True) == (result.exit_code, "4 answers, 0 of them new, unchanged" in result.stderr)
    assert before == board.tree("submissions/mine")


@pytest.mark.large
def test_other_settings_are_another_submission(board: Folder) -> None:
    """--resume refuses another number of tools and a changed agent."""
    assert 0 == run(board, "tools:CallsAll", "--id", "mine").exit_code
    result = run(board, "tools:CallsAll", "--id", "mine", "--resume", "--max-tools", "3")
    assert (1, True) == (
        result.exit_code,
        "has max_tools 120, but this run uses 3" in result.stderr,
    )
    board.write("mine/tools.py", TOOL_AGENTS + "\n# changed\n")
    result = run(board, "tools:CallsAll", "--id", "mine", "--resume")
    assert (1, True) == (result.exit_code, "agent_digest" in result.stderr)


@pytest.mark.large
def test_cases_that_failed_are_asked_again(board: Folder) -> None:
    """The record of a failed case says why. --resume asks only this case again."""
    board.write("mine/failing.txt", "What")
    result = run(board, "tools:FailsAtFirst", "--id", "mine")
    assert 0 == result.exit_code
    assert "3: RuntimeError: no luck with What" in result.stderr
    assert "1 case got no reply; ask again with" in result.stderr
    board.write("mine/failing.txt", "none")
    result = run(board, "tools:FailsAtFirst", "--id", "mine", "--resume")
    assert "4 answers, 1 of them new, written" in result.stderr
    assert not any("error" in record for record in records(board.root, "mine").values())


@pytest.mark.large
def test_an_answer_that_no_board_takes_is_an_error(board: Folder) -> None:
    """The record says why, and can be submitted. It is not asked again: the agent did answer.

    The Finish that the run adds is a call with the text, and so the longest part.
    """
    result = run(board, "tools:SaysTooMuch", "--id", "mine", "--limit", "1")
    assert 0 == result.exit_code, result.stderr
    problem = "its text or a call has 200,059 characters; the limit is 200,000"
    assert f"1: {problem}\n" in result.stderr
    record = records(board.root, "mine")["1"]
    assert (problem, "", []) == (record["error"], *record["answer"].values())
    assert 0 == board.lb("validate", "mine").exit_code
    again = run(board, "tools:SaysTooMuch", "--id", "mine", "--limit", "1", "--resume")
    assert "1 answer, 0 of them new, unchanged" in again.stderr


def test_a_run_stops_if_every_case_fails(board: Folder) -> None:
    """After five failures and no answer the run ends with the error. Nothing is written."""
    add_suite(board)
    board.write("mine/failing.txt", "all")
    result = run(board, "tools:FailsAtFirst", "--id", "mine")
    assert 1 == result.exit_code
    assert (
        "tools.py:FailsAtFirst: failed 5 cases in a row and answered none; the last: RuntimeError"
    ) in result.stderr
    assert not (board.root / "submissions/mine").exists()


@pytest.mark.large
def test_a_run_whose_answers_are_all_empty_writes_nothing(board: Folder) -> None:
    """A Finish without an answer is none. The message says what to check, and how to go on."""
    result = run(board, "tools:SaysNothing", "--id", "mine", "--limit", "3")
    assert 1 == result.exit_code
    assert result.stderr.endswith(
        "error: tools.py:SaysNothing: gave no call and no text in 3 answers to apis (check what"
        " answer() returns as final_answer, and what the model replies; then delete"
        " .cache/runs/mine/apis.jsonl and run the same command again)\n"
    )
    assert not (board.root / "submissions/mine").exists()


@pytest.mark.large
def test_a_short_run_in_which_every_case_fails_writes_nothing(board: Folder) -> None:
    """Too few failures to stop early are still a run without an answer."""
    board.write("mine/failing.txt", "all")
    result = run(board, "tools:FailsAtFirst", "--id", "mine", "--limit", "2")
    assert 1 == result.exit_code
    assert (
        "no text in 2 answers to apis, the first error: RuntimeError: no luck with" in result.stderr
    )
    assert not (board.root / "submissions/mine").exists()


def test_an_agent_may_give_up_every_case(board: Folder) -> None:
    """Giving up is an answer that fails."""
    result = run(board, "tools:GivesUp", "--id", "mine", "--limit", "2")
    assert 0 == result.exit_code, result.stderr
    assert "2 with calls, 0 with a text, 0 empty" in result.stderr


@pytest.mark.large
def test_a_resumed_run_asks_first_what_was_never_asked(board: Folder) -> None:
    """Cases that fail every time do not keep it from the others, and it ends."""
    words = ("Fine", *["Never"] * 5, "Stop", "Fine")
    scenes = {str(n): replace(SCENES["4"], query=f"{word} {n}") for n, word in enumerate(words)}
    add_suite(board, scenes)
    board.write("mine/failing.txt", "Never Stop!")
    result = run(board, "tools:FailsAtFirst", "--id", "mine")
    assert "1 of 8 answers to apis are kept" in result.stderr
    board.write("mine/failing.txt", "Never")
    for new in (7, 5):
        result = run(board, "tools:FailsAtFirst", "--id", "mine", "--resume")
        assert 0 == result.exit_code, result.stderr
        assert f"8 answers, {new} of them new" in result.stderr
    places = (board.root / ".cache/runs/mine/apis.jsonl").read_text("utf-8").splitlines()[-12:]
    asked = [json.loads(line)["record"]["id"] for line in places]
    assert ["6", "7", *"12345", *"12345"] == asked


@pytest.mark.large
def test_ctrl_c_keeps_the_answers(board: Folder) -> None:
    """The exit code is the shell's, and the message says how to continue."""
    result = run(board, "tools:Interrupted", "--id", "mine")
    assert 130 == result.exit_code
    assert "interrupted: 2 of 4 answers to apis are kept; continue with" in result.stderr


@pytest.mark.large
@pytest.mark.parametrize("threads", ["1", "3"])
def test_a_full_disk_keeps_the_answers(board: Folder, threads: str) -> None:
    """The message names the journal, and --resume makes the undisturbed submission."""
    options = ("tools:CallsAll", "--id", "mine", "--concurrency", threads)
    with full_disk(2_500):
        result = run(board, *options)
    assert 1 == result.exit_code
    error, kept, _ = result.stderr.splitlines()[-3:]
    journal = board.root / ".cache/runs/mine/apis.jsonl"
    assert f"error: {journal}: File too large" == error
    number = journal.read_bytes().count(b"\n") - 1  # besides the header
    assert 0 < number < 4
    assert f"the run was stopped: {number} of 4 answers to apis are kept; " in kept
    assert 0 == run(board, *options, "--resume").exit_code
    assert ["1", "2", "3", "4"] == list(records(board.root, "mine"))


@pytest.mark.large
def test_several_threads_give_the_same_submission(board: Folder) -> None:
    """Each thread has its own agent. The order of the records does not depend on time."""
    assert 0 == run(board, "tools:CallsAll", "--id", "one").exit_code
    assert 0 == run(board, "tools:CallsAll", "--id", "four", "--concurrency", "4").exit_code
    assert untimed(records(board.root, "one")) == untimed(records(board.root, "four"))


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    return {case: {**record, "latency_s": 0} for case, record in found.items()}


@pytest.mark.large
def test_trials_and_a_limit(board: Folder) -> None:
    """The first two cases are answered three times each."""
    assert (
        0 == run(board, "tools:CallsAll", "--id", "mine", "--trials", "3", "--limit", "2").exit_code
    )
    read = json.loads((board.root / "submissions/mine/apis.json").read_text(encoding="utf-8"))[
        "test_results"
    ]
    assert [("1", 1), ("1", 2), ("1", 3), ("2", 1), ("2", 2), ("2", 3)] == [
        (one["id"], one["trial"]) for one in read
    ]


# ---------------------------------------------------------------- which tools


@pytest.mark.large
def test_the_candidates_of_a_query_may_be_its_tools(board: Folder) -> None:
    """The agent gets the APIs that the query lists.

    A gold API that is not listed lowers the share.
    """
    assert 0 == run(board, "tools:CallsAll", "--id", "mine", "--selector", "candidates").exit_code
    found = {
        case: (one["tools"], one["selected_by"], one["gold_in_selection"])
        for case, one in records(board.root, "mine").items()
    }
    assert {
        "1": (3, "query", 1.0),
        "2": (3, "query", 1.0),
        "3": (3, "query", 1.0),
        "4": (3, "query", 0.0),
    } == found
    assert 0.75 == card(board.root, "mine")["settings"]["suites"]["apis"]["gold_in_selection"]


@pytest.mark.large
def test_the_selection_is_filled_up(board: Folder) -> None:
    """Tools that share words with the query come first, then the others by name."""
    for number, expected in ((4, 4), (120, 5)):
        assert (
            0
            == run(
                board, "tools:CallsAll", "--id", f"of-{number}", "--max-tools", str(number)
            ).exit_code
        )
        assert {expected} == {one["tools"] for one in records(board.root, f"of-{number}").values()}
    assert 1.0 == card(board.root, "of-120")["settings"]["suites"]["apis"]["gold_in_selection"]


@pytest.mark.large
def test_a_model_may_choose_the_tools(board: Folder) -> None:
    """It is asked once per query, and its choice is kept for the next agent.

    Without names, words decide.
    """

    def choose(seen: Seen) -> Answer:
        return completion(
            "I cannot say." if "odd names" in seen.query else json.dumps([STATUS, NEXT])
        )

    with serving(choose) as model:
        options = ("--selector", "llm", "--selector-model", "chooser", "--base-url", model.openai)
        first = run(board, "tools:CallsAll", "--id", "one", *options)
        assert 0 == first.exit_code, first.stderr
        assert {"chooser"} == {seen.body["model"] for seen in model.seen}
        asked = len(model.seen)
        assert 0 == run(board, "tools:CallsAll", "--id", "two", *options).exit_code
        assert (4, 5) == (asked, len(model.seen))
    assert ["model", "model", "model", "keywords"] == [
        one["selected_by"] for one in records(board.root, "one").values()
    ]
    assert ["cache", "cache", "cache", "keywords"] == [
        one["selected_by"] for one in records(board.root, "two").values()
    ]
    assert "the model's reply names no tool: chosen by keywords" in first.stderr
    settings = card(board.root, "one")["settings"]
    assert ("llm", "chooser") == (settings["selector"], settings["selector_model"])


@pytest.mark.large
def test_a_case_whose_tools_no_model_chose_is_not_answered(board: Folder) -> None:
    """Its record says why, and --resume asks again. Other tools would be another system."""

    def choose(seen: Seen) -> Answer:
        return refused(400, "no") if "odd names" in seen.query else completion(json.dumps([NEXT]))

    with serving(choose) as model:
        options = ("--id", "mine", "--selector", "llm", "--base-url", model.openai)
        result = run(board, "tools:CallsAll", *options)
    assert 0 == result.exit_code, result.stderr
    assert "4: the model that chooses the tools: Error code: 400" in result.stderr
    assert "1 case got no reply; ask again with" in result.stderr
    record = records(board.root, "mine")["4"]
    assert ("", []) == tuple(record["answer"].values())
    with serving(lambda _: completion(json.dumps([NEXT]))) as model:
        options = (*options[:-1], model.openai)
        assert 0 == run(board, "tools:CallsAll", *options, "--resume").exit_code
    assert "model" == records(board.root, "mine")["4"]["selected_by"]


@pytest.mark.large
def test_choices_of_tools_are_not_kept_behind_a_link(board: Folder, tmp_path: Path) -> None:
    """A stranger's checkout could lead the folder anywhere. No model is asked first."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (board.root / ".cache").mkdir(exist_ok=True)
    (board.root / ".cache/selections").symlink_to(outside)

    with serving(lambda _: completion(json.dumps([NEXT]))) as model:
        options = ("--selector", "llm", "--base-url", model.openai)
        result = run(board, "tools:CallsAll", "--id", "mine", *options)

    assert (1, [], []) == (result.exit_code, model.seen, list(outside.iterdir()))
    assert ".cache/selections/apis: is a link, or below one" in result.stderr


# ---------------------------------------------------------------- sweeps


@pytest.mark.large
def test_a_sweep_makes_a_submission_for_each_number_of_tools(board: Folder) -> None:
    """They share the name of the sweep and differ in max_tools."""
    result = run(board, "tools:CallsAll", "--id", "mine", "--sweep", "max-tools=3,1,2,3")
    assert 0 == result.exit_code, result.stderr
    cards = {name: card(board.root, name)["settings"] for name in ("mine-k1", "mine-k2", "mine-k3")}
    assert {"mine-k1": 1, "mine-k2": 2, "mine-k3": 3} == {
        name: settings["max_tools"] for name, settings in cards.items()
    }
    assert {"mine"} == {settings["sweep"] for settings in cards.values()}
    assert "CallsAll, scripted-1, 2 tools" == card(board.root, "mine-k2")["name"]
    shares = [settings["suites"]["apis"]["gold_in_selection"] for settings in cards.values()]
    assert shares == sorted(shares)


@pytest.mark.large
def test_a_45_the_agent_gets_the_number_and_errors_are_failures(board: Folder) -> None:
    """An agent takes more than 120 tools if max_tools says so.

    A number with an error is reported as failed.
    """
    board.write("mine/failing.txt", "What")
    result = run(board, "tools:FailsAtFirst", "--id", "mine", "--sweep", "max-tools=2,500")
    assert 0 == result.exit_code, result.stderr
    for number in (2, 500):
        said = f"max-tools={number}: submissions/mine-k{number}/, 1 answer failed"
        assert said in result.stderr
    assert "max_tools" not in json.dumps(records(board.root, "mine-k500"))


# ---------------------------------------------------------------- usage


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--sweep", "tools=3"), "is not of the form max-tools=8,16,32"),
        (("--sweep", "max-tools=0"), "is not of the form max-tools=8,16,32"),
        (("--sweep", "max-tools=2", "--max-tools", "3"), "leave out --max-tools"),
        (("--selector-model", "chooser"), "--selector-model needs --selector llm"),
        (("--rate", "1", "--no-tools"), "an agent takes no --rate, --no-tools"),
        (("--max-tools", "0"), "--max-tools"),
    ],
)
def test_conflicting_options(board: Folder, options: tuple[str, ...], expected: str) -> None:
    """A usage error names them."""
    result = run(board, "tools:CallsAll", *options)
    assert (2, True) == (result.exit_code, expected in result.stderr), result.stderr


def test_options_of_agents_need_an_agent(board: Folder) -> None:
    """Without --agent they are refused. Agents use only the OpenAI protocol."""
    result = board.lb("run", "--model", "openai:x", "--suite", "apis", "--max-tools", "3")
    assert (2, True) == (
        result.exit_code,
        "openai:x without --agent takes no --max-tools" in result.stderr,
    )
    result = board.lb("run", "--agent", "langgraph", "--model", "google:x", "--suite", "apis")
    assert (2, True) == (result.exit_code, "an agent asks openai:NAME" in result.stderr)
    result = board.lb("run", "--agent", "langgraph", "--model", "openai:x")
    assert (2, True) == (result.exit_code, "name the suite" in result.stderr)


def test_a_key_is_needed(board: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key nothing starts, unless the server is on this computer."""
    monkeypatch.delenv("OPENAI_API_KEY")
    result = run(board, "tools:CallsAll")
    assert (2, True) == (result.exit_code, "OPENAI_API_KEY" in result.stderr)


def test_suites_of_other_kinds_are_refused(board: Folder) -> None:
    """Agents answer suites of simulated APIs only."""
    result = board.lb(
        "run",
        "--agent",
        f"{board.root}/mine/tools.py:CallsAll",
        "--model",
        "openai:x",
        "--suite",
        "small",
    )
    assert (1, True) == (
        result.exit_code,
        "is of kind tool_selection, which agents cannot answer" in result.stderr,
    )


@pytest.mark.large
def test_a_foreign_submission_is_never_changed(board: Folder) -> None:
    """A submission of another origin stays as it is."""
    board.submission("mine", [])
    before = board.tree("submissions/mine")
    result = run(board, "tools:CallsAll", "--id", "mine")
    assert (1, True) == (result.exit_code, "choose another id" in result.stderr)
    assert before == board.tree("submissions/mine")


@pytest.mark.large
def test_the_suite_may_lack_a_catalogue(board: Folder) -> None:
    """Then the candidates of all its queries are the catalogue."""
    for path in sorted((board.root / "datasets/apis/tools").rglob("*.json")):
        Path(path).unlink()
    (board.root / "datasets/apis/tools/Transportation").rmdir()
    (board.root / "datasets/apis/tools").rmdir()
    assert 0 == run(board, "tools:CallsAll", "--id", "mine").exit_code
    assert {3} == {one["tools"] for one in records(board.root, "mine").values()}
