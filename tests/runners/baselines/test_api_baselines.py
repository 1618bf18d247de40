"""Baselines over simulated APIs: what each calls and says; only the oracle has solutions."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.response_records import read_over_apis
from leaderboard.types import Case, Suite, Verdict
from leaderboard.workspace import Workspace
from replay.network_guard import no_network
from runners.apis.api_call import ApiCall
from runners.apis.api_client import outcome_of
from runners.apis.virtual_apis import replaying
from runners.baselines.acting_baselines import NO_IDEA
from runners.baselines.api_baselines import MOST_CALLS
from runners.baselines.baseline_run import answerable, answers
from runners.baselines.baselines import BASELINES, REFUSAL
from scoring.rules import KINDS
from tests.conftest import PROJECT, SETTINGS, Folder, shipped
from tests.runners.baselines.written_baseline import write_baseline

# These tests are about shipped suites: without them the file is skipped.
shipped("datasets/stable_toolbench")

CALLING = [name for name, baseline in BASELINES.items() if baseline.call is not None]
FOLDER = "datasets/stable_toolbench"


@cache
def suite() -> Suite:
    """The project's own suite of simulated APIs."""
    return load_suite(Workspace(PROJECT), "stable_toolbench", KINDS)


@cache
def records(name: str) -> dict[str, dict[str, Any]]:
    """A baseline's answers by id, made without any network, loopback included."""
    with no_network():
        return {
            str(record["id"]): record for record in answers(BASELINES[name], suite(), root=PROJECT)
        }


def made(record: dict[str, Any]) -> list[tuple[str, str, dict[str, Any], str]]:
    """Tool, API, arguments and reply of each call in a record, Finish left out."""
    messages = [
        json.loads(node["message"])
        for node in record["answer"]["answer_details"]
        if node["role"] == "tool"
    ]
    return [
        (message["tool_name"], message["api_name"], message["arguments"], message["response"])
        for message in messages
        if message["name"] != "Finish"
    ]


def finished(record: dict[str, Any]) -> bool:
    nodes = record["answer"]["answer_details"]
    return bool(nodes) and json.loads(nodes[-1]["message"])["name"] == "Finish"


def scores(name: str, metric: str) -> set[float | None]:
    """The different scores of a baseline by a metric that code decides."""
    found: set[float | None] = set()
    for case_id, record in records(name).items():
        response = read_over_apis(record)
        verdicts = KINDS["stable_toolbench"].decide(suite(), suite().by_id[case_id], response)
        found |= {v.score for v in verdicts if isinstance(v, Verdict) and v.metric == metric}
    return found


def said(record: dict[str, Any]) -> Any:
    return record["answer"]["final_answer"]


@pytest.mark.large
def test_all_but_the_planner_answer_queries() -> None:
    """The planner knows environments only."""
    assert ["oracle", "silent", "refuse", "keyword", "eager", "first-tool"] == CALLING
    assert CALLING == [
        name for name, baseline in BASELINES.items() if answerable(baseline, suite())
    ]


@pytest.mark.large
@pytest.mark.parametrize("name", CALLING)
def test_every_query_of_every_category_is_answered(name: str) -> None:
    """One record per query in the suite's order, with the fields that records of agents have."""
    assert [(case.id, case.category, case.query) for case in suite().cases] == [
        (record["id"], record["type"], record["user_query"]) for record in records(name).values()
    ]
    assert {"id", "type", "user_query", "answer", "called_apis"} == set().union(
        *records(name).values()
    )


@pytest.mark.large
@pytest.mark.parametrize("name", CALLING)
def test_replies_are_those_of_the_apis(name: str) -> None:
    """Every call in a record gets the same reply again; `called_apis` lists the same calls."""
    apis = replaying(Workspace(PROJECT), suite())
    for record in records(name).values():
        listed = []
        for tool, api, arguments, text in made(record):
            found = apis.catalogue.registry.find(tool, api)
            assert found is not None
            reply = apis.answer(ApiCall(ApiName(found.category, tool, api), arguments)).reply
            assert outcome_of(reply, "cache").text == text
            listed.append([tool, api, "error" if reply.error else "ok"])
        assert record["called_apis"] == listed


@pytest.mark.large
@pytest.mark.parametrize("metric", ["api_call", "api_call_precision", "api_call_success", "finish"])
def test_the_oracle_reaches_what_can_be_reached(metric: str) -> None:
    """On every query all gold APIs are called, with success, and no other; then Finish."""
    assert {1.0} == scores("oracle", metric)


@pytest.mark.large
def test_the_oracle_does_what_the_solution_says() -> None:
    """Its calls and its answer are those of solutions.json."""
    solutions = json.loads((PROJECT / FOLDER / "solutions.json").read_bytes())
    for case_id, record in records("oracle").items():
        calls = [
            {"tool_name": tool, "api_name": api, "arguments": given}
            for tool, api, given, _ in made(record)
        ]
        assert (solutions[case_id]["calls"], solutions[case_id]["final_answer"]) == (
            calls,
            said(record),
        )


@pytest.mark.large
def test_silent_says_and_calls_nothing() -> None:
    """No call, no Finish, no word: unsolved without a judge."""
    assert [({"final_answer": "", "answer_details": []}, [])] * len(suite().cases) == [
        (record["answer"], record["called_apis"]) for record in records("silent").values()
    ]
    assert ({0.0}, {0.0}, {0.0}) == tuple(
        scores("silent", metric) for metric in ("sopr", "api_call", "finish")
    )


@pytest.mark.large
def test_refuse_always_says_the_same() -> None:
    """One sentence and Finish, and no call."""
    assert {(REFUSAL, True, 0)} == {
        (said(r), finished(r), len(r["called_apis"])) for r in records("refuse").values()
    }


@pytest.mark.large
def test_keyword_calls_what_fits_and_repeats_the_replies() -> None:
    """It calls APIs that share words with the query; failed calls are no part of the answer."""
    record = records("keyword")["1246"]
    given = {"city": "Velmora", "date": "2031-05-17"}
    (*_, forecast), (*_, sun) = made(record)
    assert [
        ("Skylark Weather", "Daily Forecast", given),
        ("Skylark Weather", "Sun Times", given),
    ] == [call[:3] for call in made(record)]
    assert (f"{forecast}\n{sun}", True) == (said(record), finished(record))
    failed = records("keyword")["3226"]
    assert ({"error"}, NO_IDEA) == ({status for *_, status in failed["called_apis"]}, said(failed))


@pytest.mark.large
def test_keyword_makes_few_calls() -> None:
    """At most three for one query; without any that fits it has no idea."""
    numbers = {len(made(record)) for record in records("keyword").values()}
    assert {0, MOST_CALLS} <= numbers <= set(range(MOST_CALLS + 1))
    assert {NO_IDEA} == {said(record) for record in records("keyword").values() if not made(record)}


@pytest.mark.large
@pytest.mark.parametrize("name", ["eager", "first-tool"])
def test_eager_and_first_tool_make_one_call(name: str) -> None:
    """Its reply is the answer, even an error."""
    for record in records(name).values():
        ((*_, text),) = made(record)
        assert text == said(record)


@pytest.mark.large
def test_eager_and_first_tool_differ_in_what_they_call() -> None:
    """One chooses by words, the other by place, with trivial values."""
    assert [("CoinCrane", "24h volume", {"coin": ""})] == [
        call[:3] for call in made(records("eager")["8283"])
    ]
    for case in suite().cases:
        first = case.record["api_list"][0]
        ((tool, api, given, _),) = made(records("first-tool")[case.id])
        assert (first["tool_name"], first["api_name"]) == (tool, api)
        assert set(given.values()) <= {"", 0}


# ---------------------------------------------------------------- other suites


@pytest.fixture
def copy(tmp_path: Path) -> Folder:
    """A workspace with the suite, cut to its first category."""
    folder = Folder(tmp_path / "board")
    folder.write("leaderboard.toml", SETTINGS)
    shutil.copytree(PROJECT / FOLDER, folder.root / FOLDER)
    whole = (folder.root / FOLDER / "suite.toml").read_text(encoding="utf-8")
    end = whole.index("[[categories]]", whole.index("[[categories]]") + 1)
    folder.write(f"{FOLDER}/suite.toml", whole[:end])
    return folder


def of_copy(copy: Folder) -> Suite:
    return load_suite(Workspace(copy.root), "stable_toolbench", KINDS)


@pytest.mark.large
@pytest.mark.parametrize("name", [name for name in CALLING if name != "oracle"])
def test_only_the_oracle_sees_solutions_and_gold_apis(copy: Folder, name: str) -> None:
    """Without solutions, and with other gold APIs, every other baseline does exactly the same."""
    path = copy.root / FOLDER / "queries/G1_instruction.json"
    queries = json.loads(path.read_bytes())
    for query in queries:
        query["relevant APIs"] = query["relevant APIs"][-1:]
    copy.write(f"{FOLDER}/queries/G1_instruction.json", queries)
    (copy.root / FOLDER / "solutions.json").unlink()
    found = answers(BASELINES[name], of_copy(copy), root=copy.root)
    assert [records(name)[str(record["id"])] for record in found] == found


@pytest.mark.large
def test_the_oracle_needs_solutions(copy: Folder) -> None:
    """Without solutions, as in imported suites, the message names the missing file."""
    (copy.root / FOLDER / "solutions.json").unlink()
    with pytest.raises(FilesError) as caught:
        write_baseline(copy, [of_copy(copy)], "oracle")
    (problem,) = caught.value.problems
    assert (f"{FOLDER}/solutions.json", True, True) == (
        problem.file,
        "does not exist" in problem.what,
        "--suite" in problem.fix,
    )
    assert not (copy.root / "submissions").exists()


@pytest.mark.large
@pytest.mark.parametrize(
    ("solutions", "at", "what"),
    [
        ({}, "$", "does not say how query 3226 can be solved"),
        ({"3226": {"calls": [], "final_answer": "x"}}, '$["3226"]', "missing required key 'facts'"),
        (
            {"3226": {"calls": [], "final_answer": None, "facts": []}},
            '$["3226"].final_answer',
            "write a text in quotes",
        ),
        (
            {"3226": {"calls": [], "final_answer": "x", "facts": [], "score": 1}},
            '$["3226"].score',
            "unknown key 'score'",
        ),
        (
            {
                "3226": {
                    "calls": [{"tool_name": "Tram", "api_name": "x", "arguments": {}}],
                    "final_answer": "x",
                    "facts": [],
                }
            },
            '$["3226"].calls[0]',
            "is not an API of this suite: 'Tram' 'x'",
        ),
        ([], "$", "write an object"),
    ],
)
def test_wrong_solutions_are_reported_with_their_place(
    copy: Folder, solutions: Any, at: str, what: str
) -> None:
    """Missing, misspelt and malformed fields are problems with line and path."""
    copy.write(f"{FOLDER}/solutions.json", solutions)
    with pytest.raises(FilesError) as caught:
        write_baseline(copy, [of_copy(copy)], "oracle")
    assert [(at, True)] == [
        (p.at, p.line is not None) for p in caught.value.problems if what in p.what
    ]


@pytest.mark.large
def test_a_query_without_apis_is_answered(copy: Folder) -> None:
    """Nothing is called, and only baselines that say something finish."""
    case: Case = of_copy(copy).cases[0]
    copy.write(f"{FOLDER}/queries/G1_instruction.json", [{"query_id": 3226, "query": case.query}])
    found = {
        name: answers(BASELINES[name], of_copy(copy), root=copy.root)[0]
        for name in CALLING
        if name != "oracle"
    }
    assert {"silent": "", "refuse": REFUSAL, "keyword": NO_IDEA, "eager": "", "first-tool": ""} == {
        name: said(record) for name, record in found.items()
    }
    assert [[]] * 5 == [record["called_apis"] for record in found.values()]


@pytest.mark.large
def test_a_suite_without_tools_and_cache_is_answered_all_the_same(copy: Folder) -> None:
    """The queries describe the APIs, and every call is a miss in the record, not a failed run."""
    for name in ("tools", "cache"):
        shutil.rmtree(copy.root / FOLDER / name)
    for record in answers(BASELINES["first-tool"], of_copy(copy), root=copy.root):
        assert said(record).startswith("Error: cache miss: ")
        assert ["error"] == [status for *_, status in record["called_apis"]]
