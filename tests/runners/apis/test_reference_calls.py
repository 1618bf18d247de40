"""Reference runs: the values that are sent, failures, and the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_names import ApiName
from leaderboard.apis.reference_runs import ABOUT
from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.types import Json, Suite
from leaderboard.workspace import Workspace
from replay.network_guard import no_network
from runners.apis.api_call import ApiReply
from runners.apis.reference_calls import (
    NO_RESPONSE,
    example_values,
    posted,
    replayed,
    run_reference,
)
from runners.apis.virtual_apis import replaying
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder, shipped
from tests.runners.agents.agents_board import SCENES, SUITE, add_suite
from tests.runners.scripted_server import Answer, ScriptedServer, serving

API: dict[str, Any] = {
    "category_name": "News",
    "tool_name": "Wire",
    "api_name": "search",
    "required_parameters": [
        {"name": "word", "default": "tram"},
        {"name": "blank", "default": ""},
        {"name": "nothing", "default": None},
        {"name": "untold"},
    ],
    "optional_parameters": [{"name": "page", "default": 2}],
}
OTHER: dict[str, Any] = {"tool_name": "Bare", "api_name": "all"}


@pytest.fixture
def apis(folder: Folder) -> Folder:
    """A workspace with the suite `apis`, its tools and its cache."""
    add_suite(folder)
    return folder


def suite(folder: Folder) -> Suite:
    return load_suite(Workspace(folder.root), "apis", KINDS)


def one_query(
    folder: Folder, *gold: tuple[str, str], api_list: tuple[dict[str, Any], ...] = (API, OTHER)
) -> Suite:
    """The suite with one query of these gold APIs."""
    folder.write("datasets/apis/suite.toml", SUITE)
    query = {
        "query_id": 7,
        "query": "What is new?",
        "api_list": list(api_list),
        "relevant APIs": [list(pair) for pair in gold],
    }
    folder.write("datasets/apis/queries.json", [query])
    return suite(folder)


class Answering:
    """Gives its replies one after the other and remembers the calls."""

    def __init__(self, *replies: ApiReply) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[ApiName, Mapping[str, Json]]] = []

    def __call__(self, name: ApiName, arguments: Mapping[str, Json]) -> ApiReply:
        self.asked.append((name, arguments))
        return self.replies.pop(0)


def written(folder: Folder) -> Any:
    return json.loads((folder.root / "datasets/apis/reference.json").read_bytes())


# ---------------------------------------------------------------- what is sent


def test_only_required_parameters_get_their_examples() -> None:
    """An empty or null `default` counts too. An unknown API gets no arguments."""
    record = {"api_list": [API, OTHER]}
    assert {"word": "tram", "blank": "", "nothing": None} == example_values(
        record, ("Wire", "search")
    )
    assert ({}, {}, {}) == tuple(
        example_values(record, pair)
        for pair in (("Bare", "all"), ("Wire", "other"), ("wire", "search"))
    )


def test_gold_apis_are_called_in_order_each_once(folder: Folder) -> None:
    """A pair that is listed twice is one API."""
    post = Answering(ApiReply("", "x"), ApiReply("", "y"))
    given = one_query(folder, ("Bare", "all"), ("Wire", "search"), ("Bare", "all"))
    report = run_reference(folder.root, given, post)
    wire = {"word": "tram", "blank": "", "nothing": None}
    assert [
        (ApiName("Data", "Bare", "all"), {}),
        (ApiName("News", "Wire", "search"), wire),
    ] == post.asked
    assert ("datasets/apis/reference.json", "written", 1, 2, 0) == (
        report.file,
        report.outcome,
        report.queries,
        report.calls,
        report.failed,
    )


# ---------------------------------------------------------------- what is written


def test_an_answer_is_a_tree_of_calls_and_finish(folder: Folder) -> None:
    """Each call has a node with its wrapper name and the reply.

    The answer is the usable replies.
    """
    replies = (ApiReply("", {"a": 1}), ApiReply("no such word", "left over"))
    given = one_query(folder, ("Wire", "search"), ("Bare", "all"))
    run_reference(folder.root, given, Answering(*replies))
    document = written(folder)
    assert ["schema", "about", "answers"] == list(document)
    assert (1, ABOUT, given.cases[0].digest) == (
        document["schema"],
        document["about"],
        document["answers"]["7"]["case"],
    )
    answer = document["answers"]["7"]["answer"]
    nodes = answer["answer_details"]
    assert {("tool", 0)} == {(node["role"], len(node["next"])) for node in nodes}
    assert [
        {
            "name": "Wire_search",
            "arguments": {"word": "tram", "blank": "", "nothing": None},
            "response": replies[0].as_json(),
        },
        {
            "name": "Bare_all",
            "arguments": {},
            "response": {"error": "no such word", "response": "left over"},
        },
        {
            "name": "Finish",
            "arguments": {"return_type": "give_answer", "final_answer": '{"a": 1}'},
            "response": "",
        },
    ] == [json.loads(node["message"]) for node in nodes]
    assert '{"a": 1}' == answer["final_answer"]


@pytest.mark.parametrize(
    ("replies", "answer"),
    [
        ((ApiReply("", "one"), ApiReply("", ["two", 2])), 'one\n["two", 2]'),
        ((ApiReply("", " "), ApiReply("", 0)), "0"),
        ((ApiReply("out of order", "x"), ApiReply("", "")), NO_RESPONSE),
        ((ApiReply("", None), ApiReply("", {})), NO_RESPONSE),
    ],
)
def test_unusable_replies_are_left_out_of_the_answer(
    folder: Folder, replies: tuple[ApiReply, ...], answer: str
) -> None:
    """If all replies are errors or empty, the answer says that there was no response."""
    given = one_query(folder, ("Wire", "search"), ("Bare", "all"))
    run_reference(folder.root, given, Answering(*replies))
    assert answer == written(folder)["answers"]["7"]["answer"]["final_answer"]


def test_a_query_without_gold_apis_calls_nothing(folder: Folder) -> None:
    """Its answer is only a Finish."""
    report = run_reference(folder.root, one_query(folder), Answering())
    answer = written(folder)["answers"]["7"]["answer"]
    assert (0, 1, NO_RESPONSE) == (
        report.calls,
        len(answer["answer_details"]),
        answer["final_answer"],
    )


def test_another_kind_is_refused(folder: Folder) -> None:
    """Only cases over simulated APIs name gold APIs."""
    with pytest.raises(FilesError, match=r"^datasets/small/suite.toml: is of kind tool_selection"):
        run_reference(folder.root, load_suite(Workspace(folder.root), "small", KINDS), Answering())


# ---------------------------------------------------------------- out of the cache


def test_replay_is_the_same_every_time(apis: Folder) -> None:
    """Misses are errors in the tree. A second run finds the same bytes, without a network."""
    with no_network():
        given = suite(apis)
        report = run_reference(apis.root, given, replayed(replaying(Workspace(apis.root), given)))
        first = apis.tree("datasets")
        again = run_reference(apis.root, given, replayed(replaying(Workspace(apis.root), given)))
    assert ("written", "unchanged", first) == (report.outcome, again.outcome, apis.tree("datasets"))
    assert len(SCENES) + 1 == report.calls == report.failed
    messages = [
        json.loads(node["message"])
        for node in written(apis)["answers"]["1"]["answer"]["answer_details"]
    ]
    missed = (
        "cache miss: Transportation/tram_line_7_for_Transportation/next_departures"
        ' {"stop":"Main Street"}'
    )
    assert ({"stop": "Main Street"}, {"error": missed, "response": ""}) == (
        messages[0]["arguments"],
        messages[0]["response"],
    )


@pytest.mark.large
def test_the_shipped_file_is_what_a_run_writes(tmp_path: Path) -> None:
    """The bytes are equal."""
    kept = shipped("datasets/stable_toolbench/reference.json")
    workspace = Workspace(PROJECT)
    given = load_suite(workspace, "stable_toolbench", KINDS)
    report = run_reference(tmp_path, given, replayed(replaying(workspace, given)))
    assert (0, kept.read_bytes()) == (report.failed, (tmp_path / report.file).read_bytes())


# ---------------------------------------------------------------- over a server


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server that answers one call, refuses the second and replies nonsense to the third."""
    answers = [Answer({"error": "", "response": "news"}), Answer(b"no", 500), Answer([])]
    with serving(lambda seen: answers[seen.number]) as made:
        yield made


def test_a_server_gets_upstreams_request(server: ScriptedServer) -> None:
    """It has six fields. Refusals and nonsense become errors."""
    post = posted(f"{server.url}/virtual")
    replies = [post(ApiName("News", "Wire", "search"), {"word": "tram"}) for _ in range(3)]
    fields = {
        "category": "News",
        "tool_name": "Wire",
        "api_name": "search",
        "tool_input": {"word": "tram"},
    }
    assert [{**fields, "strip": "", "toolbench_key": "EMPTY"}] * 3 == [
        request.body for request in server.seen
    ]
    assert [
        ApiReply("", "news"),
        ApiReply("Server error: 500", ""),
        ApiReply("Request error: the server's reply has no error and response", ""),
    ] == replies


def test_a_missing_server_leaves_the_file_unchanged(folder: Folder) -> None:
    """If no call reaches a server, nothing is written."""
    given = one_query(folder, ("Wire", "search"))
    run_reference(folder.root, given, Answering(ApiReply("", "x")))
    before = folder.tree("datasets")
    with pytest.raises(
        FilesError,
        match=r"datasets/apis/reference.json: is not written.*Request error: .*--server-url",
    ):
        run_reference(folder.root, given, posted("http://127.0.0.1:9/virtual"))
    assert before == folder.tree("datasets")
