"""One case: a single turn, or steps in an environment until the model stops calling tools."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.network.retries import RetryPolicy
from leaderboard.responses.forms.model_reply import Reply, ToolCall
from leaderboard.responses.response_records import Interner
from leaderboard.workspace import Workspace
from runners.models.case_conversation import Meter
from tests.each_row import each_row
from tests.runners.model_board import (
    CALL,
    Bench,
    suite,
)
from tests.runners.scripted_server import (
    Answer,
    Seen,
    always,
    calling,
    completion,
    for_query,
    refused,
    said,
    scripted_turns,
)


@pytest.mark.large
def test_text_and_calls_are_kept_with_what_they_cost(bench: Bench) -> None:
    """The record holds the text and all calls of a reply, with tokens, seconds and the trial."""
    other = ("convert_units", {"value": 4.5, "to_unit": "feet"})
    bench.run(lambda seen: said(seen, "One moment.", [CALL, other]), limit=1)
    assert bench.records() == [
        {
            "id": "A001",
            "type": "tool_selection",
            "user_query": "3 metres in yards?",
            "model_function_call": [
                {"name": "convert_units", "arguments": {"value": 3, "to_unit": "yards"}},
                {"name": "convert_units", "arguments": {"value": 4.5, "to_unit": "feet"}},
            ],
            "model_text": "One moment.",
            "usage": {"input_tokens": 11, "output_tokens": 7},
            "latency_s": 0.0,
            "trial": 1,
        }
    ]


@pytest.mark.large
def test_thoughts_are_removed_as_from_other_files(bench: Bench) -> None:
    """The same replies get the same score through `lb run` and `lb new`."""
    thought = "<think>Hm.</think>\n\nYes."
    report, _ = bench.run(lambda seen: said(seen, thought), limit=1)
    again, _ = bench.run(lambda seen: said(seen, "Yes."), limit=2, resume=True)
    acted, _ = bench.run(lambda seen: said(seen, thought), "acts", submission="a", limit=1)

    assert [record["model_text"] for record in bench.records()] == ["Yes.", "Yes."]
    assert [one.counts["thoughts"] for one in (report, again, acted)] == [1, 1, 1]


@each_row(
    ("reply", "text", "marks"),
    [
        (Reply("<think>Hm. It is", ()), None, {"unclosed"}),
        (Reply("<think>Hm.", (ToolCall("", "add", {}),)), None, {"thoughts"}),
        (Reply("It is 3.<|im_end|>", ()), "It is 3.", {"tokens"}),
        (Reply("[THINK]Hm.[/THINK]It is 3.</s>", ()), "It is 3.", {"thoughts", "tokens"}),
        (Reply("`<think>` starts thoughts.", ()), "`<think>` starts thoughts.", set()),
    ],
)
def test_only_the_answer_of_a_reply_is_kept(
    reply: Reply, text: str | None, marks: set[str]
) -> None:
    """What is left out is counted. Thoughts that never end are no answer, but a call is one."""
    meter = Meter()

    assert meter.count(reply, 1.0) == replace(reply, text=text)
    assert meter.marks == marks


def test_malformed_arguments_are_kept_as_they_are(openai_bench: Bench) -> None:
    """Arguments that are no JSON stay text, and the loaded response says so."""
    openai_bench.run(lambda _seen: completion(None, [("convert_units", '{"value": 3,')]), limit=1)
    assert openai_bench.records()[0]["model_function_call"] == {
        "name": "convert_units",
        "arguments": '{"value": 3,',
    }
    workspace = Workspace(openai_bench.folder.root)
    submission = load_submission(workspace, "m", ["small"])
    (record,), _, _ = load_records(
        workspace, submission, suite(openai_bench.folder, "small"), Interner()
    )
    assert "the arguments of convert_units are text that is not JSON" in str(
        record.response.malformed
    )


@pytest.mark.large
def test_a_model_acts_until_it_calls_no_more_tools(bench: Bench) -> None:
    """Calls are carried out in order, and the model and the record get every result."""
    parallel = calling(
        ("type_letter", {"letter": "h"}), ("type_letter", {"letter": "i"}), text="Typing."
    )
    _, server = bench.run(
        scripted_turns(parallel, lambda seen: said(seen, "Done.")), "acts", limit=1
    )
    first, second = server.seen
    assert first.system is not None
    assert "typewriter" in first.system
    assert (first.query, first.tools, second.results) == ("hi", ["type_letter"], ["OK", "OK"])
    assert bench.records("acts") == [
        {
            "id": "T1",
            "type": "typing",
            "user_query": "hi",
            "output": "Done.",
            "intermediate_steps": [
                {
                    "action": {"tool": "type_letter", "tool_input": {"letter": "h"}},
                    "observation": "OK",
                },
                {
                    "action": {"tool": "type_letter", "tool_input": {"letter": "i"}},
                    "observation": "OK",
                },
            ],
            "state": "hi",
            "usage": {"input_tokens": 22, "output_tokens": 14},
            "latency_s": 0.0,
            "trial": 1,
        }
    ]


@pytest.mark.large
def test_every_case_has_an_environment_of_its_own(bench: Bench) -> None:
    """No case or trial sees the paper of another; a world without a state reports none."""

    def script(seen: Seen) -> Answer:
        if seen.turn:
            return said(seen, "6.2")
        if "type_letter" in seen.tools:
            return said(seen, None, [("type_letter", {"letter": "h"})])
        return said(seen, None, [("a", {}) if "a" in seen.tools else ("add", {"a": 2, "b": 3})])

    _, server = bench.run(script, "acts", trials=2, concurrency=4)
    assert [record.get("state") for record in bench.records("acts")] == [
        "h",
        "h",
        "a",
        "a",
        None,
        None,
    ]
    assert "state" not in bench.records("acts")[-1]
    observed = [
        step["observation"]
        for record in bench.records("acts")
        for step in record["intermediate_steps"]
    ]
    assert observed == ["OK", "OK", "OK", "OK", 6.2, 6.2]
    results = [seen.results for seen in server.seen if seen.turn and "add" in seen.tools]
    assert results == ([[6.2]] * 2 if bench.provider == "google" else [["6.2"]] * 2)


def test_the_model_sees_the_errors_of_tools(bench: Bench) -> None:
    """A call that cannot be carried out is a step with an error text for the model."""
    turns = (
        calling(("type_letter", {"letter": "hi"}), ("type_key", {}), ("type_letter", {"key": "h"})),
        calling(("type_letter", {"letter": "h"})),
        lambda seen: said(seen, "ok"),
    )
    _, server = bench.run(scripted_turns(*turns), "acts", limit=1)
    results = server.seen[1].results
    assert [text.startswith("ERROR") for text in results] == [True, True, True]
    assert "there is no tool named 'type_key'" in results[1]
    record = bench.records("acts")[0]
    assert [step["action"]["tool"] for step in record["intermediate_steps"]] == [
        "type_letter",
        "type_key",
        "type_letter",
        "type_letter",
    ]
    assert (
        record["state"],
        [step["observation"] for step in record["intermediate_steps"]][:3],
    ) == ("h", results)


def test_malformed_calls_are_steps_that_the_model_sees(openai_bench: Bench) -> None:
    """Arguments that are no object are an error; the history stays JSON that servers accept."""
    turns = (
        calling(("type_letter", '{"letter": "h"'), ("type_letter", "[1]"), ("", "{}")),
        lambda seen: said(seen, "I give up."),
    )
    _, server = openai_bench.run(scripted_turns(*turns), "acts", limit=1)
    results = server.seen[1].results
    assert results[0].startswith("ERROR: the arguments are text that is not JSON")
    assert results[1:] == [
        "ERROR: the arguments are not an object",
        "ERROR: the call names no tool",
    ]
    history = server.seen[1].body["messages"][2]["tool_calls"]
    assert [json.loads(call["function"]["arguments"]) for call in history] == [{}, {}, {}]
    record = openai_bench.records("acts")[0]
    assert [
        (step["action"]["tool"], step["action"]["tool_input"])
        for step in record["intermediate_steps"]
    ] == [
        ("type_letter", '{"letter": "h"'),
        ("type_letter", "[1]"),
        ("invalid_tool", {}),
    ]
    assert (record["state"], record["output"]) == ("", "I give up.")


def test_a_model_that_never_stops_is_stopped(bench: Bench) -> None:
    """At the step limit the case ends without an answer, keeps its steps, and says why."""
    three = calling(*[("type_letter", {"letter": "h"})] * 3)
    _, server = bench.run(three, "acts", limit=1, step_limit=7)
    record = bench.records("acts")[0]
    assert (len(server.seen), len(record["intermediate_steps"]), record["state"]) == (
        3,
        7,
        "hhhhhhh",
    )
    assert (record["output"], record["stopped"], "error" in record) == (
        None,
        "after 7 steps",
        False,
    )
    assert bench.card()["settings"]["suites"]["acts"]["step_limit"] == 7


@pytest.mark.large
def test_a_model_may_use_up_its_steps(bench: Bench) -> None:
    """Exactly as many steps as allowed, then an answer: nothing is cut off."""
    turns = scripted_turns(
        calling(("type_letter", {"letter": "h"}), ("type_letter", {"letter": "i"})),
        lambda seen: said(seen, "ok"),
    )
    bench.run(turns, "acts", limit=1, step_limit=2)
    record = bench.records("acts")[0]
    assert (record["output"], len(record["intermediate_steps"]), "stopped" in record) == (
        "ok",
        2,
        False,
    )


@pytest.mark.large
def test_a_failure_between_turns_is_an_error_on_the_record(bench: Bench) -> None:
    """The record says that the model stopped replying; a resumed run begins that case again."""
    turns = scripted_turns(calling(("type_letter", {"letter": "h"})), always(refused(500, "oops")))
    policy = RetryPolicy(attempts=2, timeout=5)
    report, _ = bench.run(for_query("hi", turns), "acts", limit=2, retry_policy=policy)
    record = bench.records("acts")[0]
    assert "latency_s" not in record
    assert (report.unanswered, record["output"], record["intermediate_steps"]) == (1, None, [])
    assert "answered 500" in record["error"]
    good = scripted_turns(calling(("type_letter", {"letter": "h"})), lambda seen: said(seen, "ok"))
    bench.run(good, "acts", limit=2, resume=True, retry_policy=RetryPolicy(attempts=2, timeout=5))
    assert bench.records("acts")[0]["state"] == "h"


@pytest.mark.large
def test_an_answer_that_a_board_would_refuse_is_an_error(openai_bench: Bench) -> None:
    """It is a reply, so it is not asked again. The board can read the submission."""

    def long(seen: Seen) -> Answer:
        if "B001" in seen.query:
            return completion("x" * 200_001)
        if "3 metres" in seen.query:
            return completion(None, [("convert_units", {"to_unit": "x" * 200_000})])
        if "feet" in seen.query:
            return completion(None, [("convert_units", {"to_unit": "x" * 190_000})] * 12)
        return completion("x" * 200_000)

    report, _ = openai_bench.run(long)
    assert (report.answers, report.unanswered) == (5, 0)
    records = openai_bench.records()
    errors = [record.get("error") for record in records]
    assert errors.pop(1).endswith("bytes; the limit is 2,097,152")
    assert errors == [
        "its text or a call has 200,032 characters; the limit is 200,000",
        None,
        "its text or a call has 200,001 characters; the limit is 200,000",
        None,
    ]
    assert len(records[2]["model_text"]) == 200_000
    workspace = Workspace(openai_bench.folder.root)
    submission = load_submission(workspace, "m", ["small"])
    small = suite(openai_bench.folder, "small")
    assert len(load_records(workspace, submission, small, Interner())[0]) == 5


@pytest.mark.large
def test_steps_that_a_board_would_refuse_are_an_error(openai_bench: Bench) -> None:
    """A call in an environment has the same limit."""
    turns = scripted_turns(
        calling(("type_letter", {"letter": "x" * 200_000})), lambda seen: said(seen, "ok")
    )
    openai_bench.run(for_query("hi", turns), "acts")
    record = openai_bench.records("acts")[0]
    assert "the limit is 200,000" in record["error"]
    assert (record["output"], record["intermediate_steps"]) == (None, [])


def test_counts_of_tokens_that_a_board_would_refuse_are_left_out() -> None:
    """Also if only their sum is too large."""
    meter = Meter()
    for _ in range(2):
        meter.count(Reply("x", (), input_tokens=10**12, output_tokens=5), 0.0)
    assert meter.fields(answered=False) == {"usage": {"output_tokens": 10}}
