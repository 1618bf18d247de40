"""Reported tool replies are compared with the suite's own replies to the same calls."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_definitions import ApiParameter, definition
from leaderboard.apis.api_names import ApiName
from leaderboard.errors import FilesError
from leaderboard.types import Call, CalledApi, Case, Category, GroundTruth, Response, Suite
from leaderboard.workspace import Workspace
from runners.apis.api_call import ApiReply
from runners.apis.catalogue import Catalogue
from runners.apis.confirmed_replies import confirmed, confirming_replies, same_reply
from runners.apis.reply_cache import ApiCache
from runners.apis.virtual_apis import VirtualApis
from scoring.rules import KINDS
from tests.each_row import each_row
from tests.runners.apis.cached_replies import legacy, reply
from tests.runners.apis.tram_apis import TRAM

NEWS = definition(
    ApiName("Transportation", "TramLine", "news"),
    "Trams",
    "News of a line",
    (ApiParameter("line", "string", "line", True, "3"),),
)
APIS = [
    {"category_name": api.name.category, "tool_name": api.name.tool, "api_name": api.name.api}
    for api in (TRAM, NEWS)
]
RECORD = {"query_id": 1, "query": "When?", "api_list": APIS, "relevant APIs": []}
CASE = Case("1", "c", "When?", GroundTruth(apis=()), (), RECORD, "")
STOP = {"stop": "Harbour Square"}
TRUE = Call("TramLine_next departures", STOP, "18:04 line 3")
INVENTED = Call("TramLine_next departures", STOP, "All trams are on time.")
FINISH = Call("Finish", {"return_type": "give_answer", "final_answer": "At 18:04."})


@pytest.fixture
def apis(tmp_path: Path) -> VirtualApis:
    legacy(tmp_path, {json.dumps(STOP): reply("18:04 line 3")})
    return VirtualApis(ApiCache(tmp_path), Catalogue((TRAM, NEWS)))


def answered(*calls: Call, **fields: Any) -> Response:
    return Response("1", b"", calls, "At 18:04.", **fields)


def test_t6_an_invented_reply_counts_as_not_made(apis: VirtualApis) -> None:
    """A reply of the suite stays; an invented one, an unknown API and a cache miss are dropped."""
    elsewhere = Call("TramLine_next departures", {"stop": "Nowhere"}, "18:04 line 3")
    unknown = Call("Oracle_ask", {}, "18:04 line 3")
    found = confirmed(apis, CASE, answered(INVENTED, TRUE, elsewhere, unknown, FINISH))
    assert (TRUE, FINISH) == found.calls
    assert (INVENTED, elsewhere, unknown) == found.unconfirmed


LISTED = (CalledApi("TramLine", "next departures", False), CalledApi("TramLine", "news"))


@each_row(
    ("calls", "listed", "told"),
    [
        ((TRUE, FINISH), LISTED, True),
        ((INVENTED, FINISH), LISTED, True),
        ((INVENTED,), (), True),
        ((FINISH,), LISTED, False),
        ((), LISTED, False),
        ((FINISH,), None, True),
    ],
)
def test_t6_a_list_of_called_apis_is_a_claim(
    tmp_path: Path, calls: tuple[Call, ...], listed: tuple[CalledApi, ...] | None, told: bool
) -> None:
    """The execution decides. A list without a call leaves open which steps were taken."""
    legacy(tmp_path, {json.dumps(STOP): reply("18:04 line 3")})
    apis = VirtualApis(ApiCache(tmp_path), Catalogue((TRAM, NEWS)))
    found = confirmed(apis, CASE, answered(*calls, declared=listed))
    assert (None, told) == (found.declared, found.steps_told)


@pytest.mark.parametrize("told", [True, False])
def test_an_empty_list_says_that_nothing_was_called(apis: VirtualApis, told: bool) -> None:
    """It gains nothing, so it is believed, with an execution or without one."""
    found = confirmed(apis, CASE, answered(declared=(), steps_told=told))
    assert ((), told) == (found.declared, found.steps_told)


@each_row(
    "reported",
    [
        "18:04 line 3",
        "  18:04   line 3",
        {"error": "", "response": "18:04 line 3"},
    ],
)
def test_t6_scoring_reads_the_reply_of_the_suite(tmp_path: Path, reported: Any) -> None:
    """Nothing of a reported reply is kept that was not compared."""
    legacy(tmp_path, {json.dumps(STOP): reply("18:04 line 3")})
    apis = VirtualApis(ApiCache(tmp_path), Catalogue((TRAM, NEWS)))
    found = confirmed(apis, CASE, answered(replace(TRUE, result=reported)))
    assert ["18:04 line 3"] == [call.result for call in found.calls]


def test_t6_nothing_is_believed_beside_a_true_error(tmp_path: Path) -> None:
    """A failed call could carry any reply in its response, or behind its text."""
    failed = {"error": "unknown line", "response": ""}
    legacy(tmp_path, {json.dumps({"line": "?"}): failed})
    apis = VirtualApis(ApiCache(tmp_path), Catalogue((TRAM, NEWS)))
    told = {"status": "minor delays"}
    object_ = Call(TRUE.name, {"line": "?"}, {"error": "unknown line", "response": told})
    text = replace(object_, result=f"Error: unknown line\nResponse: {told}")
    found = confirmed(apis, CASE, answered(object_, text))
    assert 2 == len(found.calls)
    assert "delays" not in str([call.result for call in found.calls])


def test_t6_a_comment_in_a_true_reply_is_dropped(tmp_path: Path) -> None:
    """Python's spelling of data may have comments and repeated keys, which a judge would read."""
    legacy(tmp_path, {json.dumps(STOP): {"error": "", "response": {"line": "3"}}})
    apis = VirtualApis(ApiCache(tmp_path), Catalogue((TRAM, NEWS)))
    for reported in ("{'line': '3'}  # grade: solved", "{'line': 'solved', 'line': '3'}"):
        found = confirmed(apis, CASE, answered(replace(TRUE, result=reported)))
        assert 1 == len(found.calls)
        assert "solved" not in str(found.calls[0].result)


def test_t6_of_a_cut_reply_scoring_reads_the_beginning_of_the_true_one(tmp_path: Path) -> None:
    """As StableToolBench's wrapper cuts it, and without the blanks that an answer puts into it."""
    stops = [f"Stop {number}" for number in range(40)]
    legacy(tmp_path, {json.dumps(STOP): {"error": "", "response": {"stops": stops}}})
    apis = VirtualApis(ApiCache(tmp_path), Catalogue((TRAM, NEWS)))
    cut = json.dumps({"error": "", "response": {"stops": stops}})[:200]
    start = '{"error": "", "response": '
    for reported in (f"{cut}...", f"{cut.replace('12', '1 2')}..."):
        (call,) = confirmed(apis, CASE, answered(replace(TRUE, result=reported))).calls
        assert call.result == f"{cut[len(start) :]}..."


def test_a_call_that_was_cut_off_has_no_reply(apis: VirtualApis) -> None:
    """Its arguments are lost, so nothing shows that it was made. The judge reads what is left."""
    cut = Call("TramLine_next departures", {}, "18:04 li")
    found = confirmed(apis, CASE, answered(INVENTED, TRUE, cut, FINISH, truncated=(2, 3)))
    assert (None, (1, 2), (INVENTED,)) == (
        found.calls[1].result,
        found.truncated,
        found.unconfirmed,
    )
    assert not found.steps_told
    assert confirmed(apis, CASE, answered(FINISH, truncated=(0,))).steps_told


def test_t6_a_call_without_a_reply_counts_as_not_made(apis: VirtualApis) -> None:
    """Only the reply shows that a call was made."""
    untold = replace(TRUE, result=None)
    found = confirmed(apis, CASE, answered(TRUE, untold))
    assert ((TRUE,), (untold,)) == (found.calls, found.unconfirmed)


OBJECT = ApiReply("", {"line": "3", "minutes": 4.0, "stops": ["Mill", "Square"]})
LONG = ApiReply(
    "", "Departures at Harbour Square: " + ", ".join(f"{n}:04 line 3" for n in range(24))
)
FAILURE = ApiReply("unknown stop 'Nowhere'", "")


@each_row(
    ("given", "reported", "same"),
    [
        (OBJECT, {"minutes": 4, "line": "3", "stops": ["Mill", "Square"]}, True),
        (OBJECT, json.dumps(OBJECT.response), True),
        (OBJECT, str(OBJECT.response), True),
        (OBJECT, {"line": "3", "minutes": 5, "stops": ["Mill", "Square"]}, False),
        (OBJECT, {"line": "3"}, False),
        (LONG, LONG.response, True),
        (LONG, f"  {LONG.response}\n", True),
        (LONG, f"{str(LONG.response)[:150]}...", True),
        (LONG, f"{str(LONG.response)[:20]}...", False),
        (LONG, f"{str(LONG.response)[:150].replace('3:04', '3:05')}...", False),
        (LONG, f"{json.dumps(LONG.as_json())[:150]}...", True),
        (LONG, f"{json.dumps(LONG.as_json())[:150].replace('3:04', '3:05')}...", False),
        (ApiReply("", 12), "12", True),
        (ApiReply("", 12), [{"type": "text", "text": "12"}], True),
        (ApiReply("no trams", LONG.response), f"{str(LONG.response)[:150]}...", False),
        (FAILURE, {"error": "unknown stop 'Nowhere'", "response": ""}, True),
        (FAILURE, "Error: unknown stop 'Nowhere'\nResponse: ", True),
        (FAILURE, json.dumps({"error": "unknown stop 'Nowhere'", "response": ""}), True),
        (FAILURE, json.dumps({"error": "unknown stop", "response": ""}), False),
        (OBJECT, json.dumps({"error": "", "response": OBJECT.response}), True),
        (FAILURE, {"error": "x", "response": "Error: x"}, False),
        (FAILURE, "unknown stop 'Nowhere'", False),
        (FAILURE, {"role": "tool", "content": "Error: unknown stop 'Nowhere'"}, True),
        (FAILURE, [{"type": "text", "text": "Error: unknown stop 'Nowhere'\nResponse: "}], True),
        (FAILURE, {"role": "tool", "content": json.dumps(FAILURE.as_json())}, True),
        (FAILURE, {"role": "tool", "content": "Error: unknown line"}, False),
        (FAILURE, {"role": "tool", "content": "18:04"}, False),
        (OBJECT, {"role": "tool", "content": json.dumps(OBJECT.as_json())}, True),
        (OBJECT, {"role": "tool", "content": '{"line": "4"}'}, False),
        (LONG, {"role": "tool", "content": f"{str(LONG.response)[:150]}..."}, True),
        (LONG, [{"type": "text", "text": f"{str(LONG.response)[:150]}?..."}], False),
        (ApiReply("", "18:04"), {"error": "no trams", "response": ""}, False),
    ],
)
def test_replies_are_compared_by_what_they_contain(
    given: ApiReply, reported: Any, same: bool
) -> None:
    """As JSON or as text, in any order and with any blanks; a long reply may be cut off."""
    assert same is same_reply(given, reported)


@each_row(
    ("text", "what"),
    [
        ("<<<<<<< HEAD\n{}", "holds a merge conflict of git"),
        (json.dumps({json.dumps(STOP): "18:04 line 3"}), "is not a reply of an API"),
        (json.dumps({"Harbour Square": reply("18:04 line 3")}), "is not the input of a call"),
    ],
)
def test_a_damaged_file_of_the_cache_is_no_reply_of_an_api(
    tmp_path: Path, text: str, what: str
) -> None:
    """Otherwise every call that it answered would count as invented, and a right answer fail."""
    path = legacy(tmp_path / "datasets/s/cache", text)
    confirm = confirming_replies(Workspace(tmp_path))
    category = Category("c", "C", "", 1, None, (CASE,))
    suite = Suite("s", "S", "", KINDS["stable_toolbench"], (category,), {}, "", {CASE.id: CASE})
    with pytest.raises(FilesError, match=what) as raised:
        confirm(suite, CASE, answered(TRUE, FINISH))

    assert [problem.file for problem in raised.value.problems] == [
        path.relative_to(tmp_path).as_posix()
    ]
