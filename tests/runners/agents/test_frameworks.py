"""The five real frameworks, with `lb run` in their own environments and one scripted model.

Each answers the same queries over the virtual API server on loopback. All records must be alike.
"""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from leaderboard.workspace import open_workspace
from runners.apis.api_server import make_app
from runners.apis.api_server import serving as serving_apis
from runners.apis.catalogue import load_catalogue
from runners.apis.reply_cache import ApiCache
from runners.apis.virtual_apis import VirtualApis
from tests.conftest import Folder
from tests.judge_prompts import judge_prompt
from tests.runners.agents.agents_board import (
    AWKWARD,
    FRAMEWORKS,
    NEXT,
    SCENES,
    STATUS,
    STEP_LIMIT,
    SUITE,
    Ran,
    add_suite,
    card,
    messages,
    records,
    run_in,
    script,
)
from tests.runners.scripted_server import Seen, serving

pytestmark = pytest.mark.agents

TITLES: Final = {
    "langgraph": "LangGraph",
    "crewai": "CrewAI",
    "autogen": "AutoGen",
    "openai-agents": "OpenAI Agents SDK",
    "agno": "Agno",
}
TRAM: Final = "Tram-Line 7"
# The calls of each query and their outcomes. The model's server refuses query 7. The calls of
# queries 9 and 10 cannot be made.
CALLED: Final[dict[str, list[list[str]]]] = {
    "1": [[TRAM, "next departures", "ok"], [TRAM, "/status", "ok"]],
    "2": [[TRAM, "next departures", "ok"], [TRAM, "news", "ok"], [TRAM, "next departures", "ok"]],
    "3": [],
    "4": [["Odd", "names", "ok"], ["Odd", "names", "ok"]],
    "5": [[TRAM, "/status", "error"], [TRAM, "next departures", "error"]],
    "6": [[TRAM, "/status", "ok"]] * STEP_LIMIT,
    "7": [],
    "8": [[TRAM, "next departures", "ok"]],
    "9": [],
    "10": [],
}


@dataclass(frozen=True)
class Run:
    """One framework's run: the command, the board, the requests to the model and the API log."""

    name: str
    ran: Ran
    root: Path
    asked: tuple[Seen, ...]
    served: tuple[dict[str, Any], ...]

    @property
    def records(self) -> dict[str, Any]:
        return records(self.root, "mine")

    @property
    def card(self) -> dict[str, Any]:
        return card(self.root, "mine")

    def requests(self, case: str) -> list[Seen]:
        """The requests to the model for a query."""
        return [seen for seen in self.asked if SCENES[case].query in seen.query]

    def tool(self, name: str) -> dict[str, Any]:
        """A tool as the model sees it."""
        shown = {
            tool["function"]["name"]: tool["function"]
            for seen in self.asked
            for tool in seen.body.get("tools", ())
        }
        return dict(shown[name])


@pytest.fixture(scope="module")
def framework_runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """The answers of a framework to every query, once for all tests."""
    return functools.cache(lambda name: run_of(name, tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="module", params=FRAMEWORKS)
def run(request: pytest.FixtureRequest, framework_runs: Callable[[str], Run]) -> Run:
    """One framework after the other."""
    return framework_runs(request.param)


def run_of(name: str, folder: Path) -> Run:
    board = Folder(folder / "board")
    add_suite(board)
    suite = open_workspace(board.root).datasets / "apis"
    apis = VirtualApis(ApiCache(suite / "cache"), load_catalogue(suite / "tools"))
    served: list[Any] = []
    with serving(script) as model, serving_apis(make_app(apis, log=served.append)) as url:
        options = (
            "--suite",
            "apis",
            "--id",
            "mine",
            "--date",
            "2026-05-18",
            "--max-tools",
            "6",
            "--server-url",
            url,
        )
        limits = (
            "--step-limit",
            str(STEP_LIMIT),
            "--retries",
            "0",
            "--temperature",
            "0.25",
            "--base-url",
            model.openai,
        )
        ran = run_in(
            name,
            board.root,
            folder / "home",
            "run",
            "--agent",
            name,
            "--model",
            "openai:scripted-1",
            *options,
            *limits,
        )
    checked, *calls = served  # The run first looks whether the server answers.
    assert "chat_with_user" == checked["api_name"]
    return Run(name, ran, board.root, tuple(model.seen), tuple(calls))


# ---------------------------------------------------------------- the same for all


def test_the_run_makes_a_submission_that_names_its_framework(run: Run) -> None:
    """The card is that of an agent, with the framework's version and the settings."""
    assert 0 == run.ran.code, run.ran.err
    assert "submissions/mine/: 10 answers, 10 of them new, written" in run.ran.err
    title, _, version = run.card["framework"].rpartition(" ")
    assert TITLES[run.name] == title
    assert version[0].isdecimal()
    assert ("agent", "scripted-1") == (run.card["kind"], run.card["model"])
    settings = {
        "agent": run.name,
        "run": "openai:scripted-1",
        "endpoint": "http://localhost/v1",
        "temperature": 0.25,
    }
    settings |= {"max_tools": 6, "selector": "keyword", "step_limit": STEP_LIMIT}
    assert settings == {
        name: value for name, value in run.card["settings"].items() if name != "suites"
    }
    assert 1.0 == run.card["settings"]["suites"]["apis"]["gold_in_selection"]


def test_the_submission_validates(run: Run) -> None:
    """`lb validate` accepts the submission."""
    result = Folder(run.root).lb("validate", "mine")
    assert 0 == result.exit_code, result.stderr


@pytest.mark.parametrize("case", CALLED)
def test_the_same_apis_are_called_in_the_same_order(run: Run, case: str) -> None:
    """The calls are those of the script, with their outcomes."""
    assert CALLED[case] == run.records[case]["called_apis"]


def test_the_same_answers_end_in_the_same_finish(run: Run) -> None:
    """The last text is the answer, in a Finish. A stopped or failed agent has none."""
    said = {case: scene.turns[-1].text for case, scene in SCENES.items() if case not in {"6", "7"}}
    answers = {case: run.records[case]["answer"]["final_answer"] for case in said}
    assert said == answers
    finished = {
        case: [m for m in messages(record) if m["name"] == "Finish"]
        for case, record in run.records.items()
    }
    expected = {case: [finish(said[case])] if case in said else [] for case in SCENES}
    assert expected == finished


def finish(text: str | None) -> dict[str, Any]:
    return {
        "name": "Finish",
        "arguments": {"return_type": "give_answer", "final_answer": text},
        "response": "",
    }


def test_all_frameworks_get_the_same_scores(
    framework_runs: Callable[[str], Run], folder: Folder
) -> None:
    """Rules and the embedded judge score five submissions on one board alike."""
    add_suite(folder)
    prompts = 'prompt = "answer_status"\nfollow_up = "execution_status"\n'
    folder.write("datasets/apis/suite.toml", SUITE + prompts)
    for name in ("answer_status", "execution_status"):
        folder.write(f"prompts/apis/{name}.md", judge_prompt(name))
    for name in FRAMEWORKS:
        shutil.copytree(
            framework_runs(name).root / "submissions/mine", folder.root / "submissions" / name
        )
    result = folder.lb("rescore")
    assert 0 == result.exit_code, result.stderr
    rows = json.loads((folder.root / "results/scores.json").read_text(encoding="utf-8"))
    alike: dict[str, list[Any]] = {name: [] for name in FRAMEWORKS}
    for row in rows["scores"] if isinstance(rows, dict) else rows:
        alike[row.pop("submission")].append(row)
    assert all(alike["langgraph"] == scores for scores in alike.values())
    whole = {
        row["metric"]: (row["scored"], row["score"])
        for row in alike["langgraph"]
        if row["category"] == "*"
    }
    assert ((10, 0.5), (10, 0.4), (10, 0.8)) == tuple(
        whole[name] for name in ("api_call", "api_call_success", "finish")
    )
    assert 10 == whole["sopr"][0]


def test_the_model_gets_the_same_number_of_requests(run: Run) -> None:
    """One request per turn of the script. An agent that never stops is stopped at the limit."""
    turns = {case: len(scene.turns) for case, scene in SCENES.items()} | {
        "6": STEP_LIMIT + 3,
        "7": 1,
    }
    assert turns == {case: len(run.requests(case)) for case in SCENES}


def test_the_model_gets_the_replies_of_the_tools(run: Run) -> None:
    """Replies arrive unchanged, errors as errors."""
    last = run.requests("5")[-1]
    told = [
        "Error: no such line\nResponse: ",
        "Error: cache miss: Transportation/tram_line_7_for_Transportation/next_departures",
    ]
    assert [told[0], True] == [last.results[0], last.results[1].startswith(told[1])]
    assert '{"departures": ["18:04", "18:10"]}' == run.requests("1")[1].results[0]


def test_a_query_is_asked_word_for_word(run: Run) -> None:
    """Braces, quotes and backslashes in a query reach the model."""
    assert SCENES["2"].query in run.requests("2")[0].query


def test_the_usage_is_counted(run: Run) -> None:
    """The tokens of all turns of a query are added."""
    assert {"input_tokens": 33, "output_tokens": 21} == run.records["1"]["usage"]


def test_text_beside_a_call_is_kept(run: Run) -> None:
    """It is a node of the assistant before the call."""
    roles = [node["role"] for node in run.records["1"]["answer"]["answer_details"]]
    assert ["assistant", "tool", "tool", "tool"] == roles
    assert ["Let me look."] == messages(run.records["1"], "assistant")


def test_nothing_outside_loopback_is_reached(run: Run) -> None:
    """No telemetry, traces or version checks: only the model and the API server."""
    assert () == run.ran.reached


def test_parameters_of_any_name_arrive(run: Run) -> None:
    """Also names that frameworks use themselves: self, config, agent, team, and underscores."""
    expected = {"count": 3, **dict.fromkeys(AWKWARD, "x")}
    assert expected == messages(run.records["4"])[0]["arguments"]
    assert "all arrived" == messages(run.records["4"])[0]["response"]


def test_an_agent_that_never_stops_is_stopped(run: Run) -> None:
    """It calls up to the limit. Then there is no final answer and no Finish."""
    record = run.records["6"]
    assert ("", "before it gave a final answer") == (
        record["answer"]["final_answer"],
        record["stopped"],
    )
    assert "error" not in record


def test_a_refused_request_is_an_error_of_one_case(run: Run) -> None:
    """The record has the server's error. Every other case is answered."""
    assert "out of order" in run.records["7"]["error"]
    assert ["7"] == [case for case, record in run.records.items() if "error" in record]
    assert "sk-scripted" not in (run.root / "submissions/mine/apis.json").read_text(
        encoding="utf-8"
    )


def test_impossible_calls_are_not_recorded(run: Run) -> None:
    """The model gets an error for unknown tools and bad arguments, and then answers."""
    for case in ("9", "10"):
        assert ["Finish"] == [message["name"] for message in messages(run.records[case])]
        assert 1 == len(run.requests(case)[-1].results)


# ---------------------------------------------------------------- defects


def test_a_08_one_spelling_and_the_pair(run: Run) -> None:
    """Nodes name an API by its wrapper name and its pair, not by the name shown to the model."""
    first = messages(run.records["1"])[0]
    names = ("name", "tool_name", "api_name")
    assert ("Tram-Line 7_next departures", TRAM, "next departures") == tuple(
        first[name] for name in names
    )


def test_a_16_calls_are_tracked(run: Run) -> None:
    """No framework reports an empty list if there were calls."""
    assert 2 == len(run.records["1"]["called_apis"])
    assert [] == run.records["3"]["called_apis"]


def test_a_18_failed_calls_are_marked(run: Run) -> None:
    """A failed call is marked in called_apis and in its node."""
    assert ["error", "error"] == [entry[2] for entry in run.records["5"]["called_apis"]]
    assert "no such line" == messages(run.records["5"])[0]["error"]
    assert "error" not in messages(run.records["1"])[0]


def test_a_26_every_tool_calls_its_own_api(run: Run) -> None:
    """The API server got exactly the calls of the record, in order."""
    served = [
        (line["tool_name"], line["api_name"], json.loads(line["input"])) for line in run.served
    ]
    told = [
        (message["tool_name"], message["api_name"], message["arguments"])
        for record in run.records.values()
        for message in messages(record)
        if message["name"] != "Finish"
    ]
    assert told == served


def test_a_27_missing_arguments_are_not_filled_in(run: Run) -> None:
    """The example values of a catalogue are never sent."""
    assert {"stop": "Harbour"} == messages(run.records["2"])[0]["arguments"]


def test_a_28_integers_stay_integers(run: Run) -> None:
    """3 is sent as 3 and 2.5 as 2.5, although both have the type NUMBER."""
    counts = [message["arguments"]["count"] for message in messages(run.records["4"])[:2]]
    assert ["3", "2.5"] == [json.dumps(count) for count in counts]
    assert ['"count":3,' in line["input"] for line in run.served if line["tool_name"] == "Odd"] == [
        True,
        False,
    ]


def test_a_29_descriptions_and_optional_parameters_are_kept(run: Run) -> None:
    """The model sees every parameter with its description, and only required ones as required."""
    shown = run.tool(NEXT)
    assert "Trams of the town.\n\nThe next departures at a stop." == shown["description"]
    properties = {
        "stop": {"type": "string", "description": "The stop. Example: Main Street"},
        "param_limit": {"type": "number", "description": "The _limit. Example: 5"},
    }
    assert (properties, ["stop"]) == (
        shown["parameters"]["properties"],
        shown["parameters"]["required"],
    )


def test_a_42_descriptions_are_never_code(run: Run) -> None:
    """A tool with quotes and backslashes in its description works."""
    assert "How a line runs: \"good\", 'late' or \\none\\." in run.tool(STATUS)["description"]
    assert "good service" == messages(run.records["1"])[1]["response"]


def test_a_43_calls_are_recorded_by_the_tools(run: Run) -> None:
    """Every call has its own reply, also two calls of one API in one turn."""
    replies = [message["response"] for message in messages(run.records["2"])[:3]]
    assert [
        '{"departures": ["18:04", "18:10"]}',
        '["works at Glassworks"]',
        "none tonight",
    ] == replies


def test_a_44_the_temperature_is_used_and_the_last_text_counts(run: Run) -> None:
    """Every request has the temperature. The answer is the last text after several rounds."""
    assert {0.25} == {seen.body["temperature"] for seen in run.asked}
    assert "At 18:04 and 18:10; line 7 runs well." == run.records["1"]["answer"]["final_answer"]
