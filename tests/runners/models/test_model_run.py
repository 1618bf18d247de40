"""Running real models: both SDKs over real HTTP on loopback, against servers whose replies the tests write."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.responses.response_files import Interner
from leaderboard.retries import RetryPolicy
from leaderboard.types import Json
from leaderboard.workspace import Workspace
from runners.instructions import DATE as TODAY
from runners.models.conversation import Conversation, Model, Reply
from runners.models.google import read_reply as read_google
from runners.models.model_choice import (
    MissingKeyError,
    ModelError,
    ModelProvider,
    ModelSettings,
    api_key,
    hide,
    open_model,
    submission_id_of,
)
from runners.models.model_run import run_model
from runners.models.openai import read_reply as read_openai
from runners.run_outcome import CardChoice, RunInterrupted
from runners.run_plan import Plan
from tests.conftest import Folder
from tests.runners.model_board import DATE, KEY, Bench, add_suites, ids, suite
from tests.runners.scripted_server import (
    Answer,
    Script,
    Seen,
    completion,
    generated,
    refused,
    said,
    serving,
)

CALL = ("convert_units", {"value": 3, "to_unit": "yards"})


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for both providers, and no other settings of the SDKs."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in (
        "GOOGLE_API_KEY",
        "OPENAI_BASE_URL",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "GOOGLE_GENAI_USE_VERTEXAI",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["openai", "google"])
def bench(request: pytest.FixtureRequest, folder: Folder) -> Bench:
    """A workspace with three suites, for each provider."""
    return made(folder, request.param)


@pytest.fixture
def openai_bench(folder: Folder) -> Bench:
    return made(folder, "openai")


@pytest.fixture
def google_bench(folder: Folder) -> Bench:
    return made(folder, "google")


def made(folder: Folder, provider: ModelProvider) -> Bench:
    add_suites(folder)
    return Bench(folder, provider)


def echo(seen: Seen) -> Answer:
    """Says which question it was asked."""
    return said(seen, f"About {seen.query}")


def in_turn(*answers: Answer, then: Script = echo) -> Script:
    """The answers one after the other, whoever asks, and a script for all later requests."""
    left = iter(answers)
    lock = threading.Lock()

    def script(seen: Seen) -> Answer:
        with lock:
            answer = next(left, None)
        return then(seen) if answer is None else answer

    return script


def for_query(part: str, special: Script, then: Script = echo) -> Script:
    """Another script for the questions that contain `part`."""
    return lambda seen: special(seen) if part in seen.query else then(seen)


def always(answer: Answer) -> Script:
    return lambda _seen: answer


# ---------------------------------------------------------------- one turn


def test_a_request_offers_the_tools_and_tells_the_date(bench: Bench) -> None:
    """The case's question is the one turn of the user; tools are offered with choice auto, temperature 0, our system text."""
    _, server = bench.run(echo, limit=1)
    (seen,) = server.seen
    assert (seen.query, seen.tools) == ("3 metres in yards?", ["convert_units"])
    assert seen.system is not None
    assert TODAY in seen.system
    if seen.is_google:
        assert seen.path == "/v1beta/models/scripted-1:generateContent"
        assert seen.headers["x-goog-api-key"] == KEY
        assert seen.body["toolConfig"] == {"functionCallingConfig": {"mode": "AUTO"}}
        assert seen.body["generationConfig"] == {"temperature": 0}
    else:
        assert (seen.path, seen.headers["authorization"]) == (
            "/v1/chat/completions",
            f"Bearer {KEY}",
        )
        assert (seen.body["model"], seen.body["tool_choice"], seen.body["temperature"]) == (
            "scripted-1",
            "auto",
            0,
        )


def test_every_case_is_answered_in_order(bench: Bench) -> None:
    """The submission holds one record per case, in the order of the suite, and loads without a word."""
    report, _ = bench.run(echo, concurrency=3)
    assert (report.answers, report.asked, report.errors, report.outcome) == (5, 5, (), "written")
    assert ids(bench.records()) == ["A001", "A002", "A003", "B001", "B002"]
    workspace = Workspace(bench.folder.root)
    submission, warnings = load_submission(workspace, "m", ["small"])
    records, _, more = load_records(workspace, submission, suite(bench.folder, "small"), Interner())
    assert (len(records), *warnings, *more) == (5,)


def test_text_and_calls_are_kept_with_what_they_cost(bench: Bench) -> None:
    """A reply may hold text and several calls: the record holds all of it, with tokens, seconds and the trial."""
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


def test_the_card_says_what_was_asked_and_how(bench: Bench) -> None:
    """Settings on the card: the model, its address without the port, temperature, the texts used, which version replied."""
    bench.run(echo, limit=1, card=CardChoice("My model", "My lab", DATE))
    card = bench.card()
    settings = card.pop("settings")
    assert card == {
        "schema": 1,
        "name": "My model",
        "kind": "model",
        "organization": "My lab",
        "model": "scripted-1",
        "date": DATE,
    }
    assert settings["run"] == f"{bench.provider}:scripted-1"
    assert settings["endpoint"] == (
        "http://localhost" if bench.provider == "google" else "http://localhost/v1"
    )
    assert (settings["temperature"], settings["answered_by"]) == (0, ["scripted-1-2026"])
    assert TODAY in settings["suites"]["small"]["system"]


def test_temperature_and_system_text_can_be_chosen(bench: Bench) -> None:
    """No temperature is sent where the server is to decide; another system text takes the place of ours, or none at all."""
    _, server = bench.run(echo, limit=1, model={"temperature": None}, system="Be brief.")
    assert server.seen[0].system == "Be brief."
    assert "temperature" not in json.dumps(server.seen[0].body)
    assert (
        "temperature" in bench.card()["settings"],
        bench.card()["settings"]["suites"]["small"],
    ) == (
        False,
        {"system": "Be brief."},
    )
    _, bare = bench.run(echo, limit=1, system="", submission="bare")
    assert bare.seen[0].system is None


def test_tools_can_be_left_out(bench: Bench) -> None:
    """Without tools the request names none, and the card says so."""
    _, server = bench.run(echo, limit=1, tools=False)
    assert not {"tools", "tool_choice", "toolConfig"} & set(server.seen[0].body)
    assert bench.card()["settings"]["tools"] is False


def test_dots_in_tool_names_are_shown_as_underscores(bench: Bench) -> None:
    """Providers refuse dots: the model sees and answers `math_cube`, the card says so, and the answer scores."""
    _, server = bench.run(lambda seen: said(seen, None, [(seen.tools[0], {"n": 3})]), "match")
    assert [seen.tools for seen in sorted(server.seen, key=lambda seen: seen.query)] == [
        ["math_cube"],
        ["plain"],
    ]
    assert bench.card()["settings"]["tool_names"] == "underscored"
    assert [record["model_function_call"]["name"] for record in bench.records("match")] == [
        "math_cube",
        "plain",
    ]
    result = bench.folder.lb("rescore", "--offline", "--allow-missing")
    assert re.search(r"match  m +100\.0", result.stdout), result.output


def test_trials_are_independent_attempts(bench: Bench) -> None:
    """Every case is asked once for each trial; records are numbered from 1, cases in order."""
    numbers = iter(range(100))
    bench.run(lambda seen: said(seen, f"answer {next(numbers)}"), limit=2, trials=3, concurrency=1)
    places = [(record["id"], record["trial"], record["model_text"]) for record in bench.records()]
    assert places == [
        *(("A001", trial, f"answer {trial - 1}") for trial in (1, 2, 3)),
        *(("A002", trial, f"answer {trial + 2}") for trial in (1, 2, 3)),
    ]


# ---------------------------------------------------------------- replies


@pytest.mark.parametrize(
    ("message", "text", "calls"),
    [
        ({"content": "Hello."}, "Hello.", []),
        (
            {"content": [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]},
            "Hello.",
            [],
        ),
        ({"content": None, "refusal": "I will not."}, "I will not.", []),
        ({"content": " \n"}, None, []),
        (
            {"content": "", "tool_calls": [{"function": {"name": "f", "arguments": '{"a": 1}'}}]},
            None,
            [("f", {"a": 1}, None)],
        ),
        (
            {"tool_calls": [{"id": "7", "function": {"name": "f", "arguments": {"a": 1}}}]},
            None,
            [("f", {"a": 1}, None)],
        ),
        (
            {"tool_calls": [{"id": "7", "function": {"name": "f", "arguments": ""}}]},
            None,
            [("f", {}, None)],
        ),
        ({"function_call": {"name": "f", "arguments": "{}"}}, None, [("f", {}, None)]),
        (
            {"tool_calls": [{"function": {"name": "f", "arguments": "[1]"}}]},
            None,
            [("f", "[1]", "the arguments are not an object")],
        ),
        (
            {"tool_calls": [{"function": {"arguments": "{}"}}]},
            None,
            [("", {}, "the call names no tool")],
        ),
        (
            {
                "tool_calls": [
                    {"function": {"name": "f", "arguments": '{"n": 12345678901234567890123}'}}
                ]
            },
            None,
            [("f", {"n": 12345678901234567890123}, None)],
        ),
    ],
)
def test_chat_completions_are_read_in_every_form(
    message: Json, text: str | None, calls: list[Any]
) -> None:
    """Text, parts, refusals; calls wrapped or bare, arguments as text or object; what cannot be read is kept and named."""
    reply = read_openai({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (reply.text, [(call.name, call.arguments, call.problem) for call in reply.calls]) == (
        text,
        calls,
    )
    assert (reply.failure, reply.input_tokens, reply.model) == (None, None, None)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            {"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]},
            "withheld: content_filter",
        ),
        (
            {"choices": [{"message": {"content": ""}, "finish_reason": "length"}]},
            "before it said anything: length",
        ),
        ({"choices": []}, "holds no choice"),
        ({}, "holds no choice"),
    ],
)
def test_a_completion_without_an_answer_says_why(body: Json, why: str) -> None:
    """Filtered, cut off and empty replies are failures with words; a half text is an answer."""
    assert why in str(read_openai(body).failure)
    half = {"choices": [{"message": {"content": "It is"}, "finish_reason": "length"}]}
    assert (read_openai(half).text, read_openai(half).failure) == ("It is", None)


def test_gemini_parts_are_all_read_in_either_spelling() -> None:
    """Text before and after calls is joined, thoughts are left out, functionCall and function_call are the same."""
    parts = [
        {"text": "Let me ", "thought": True},
        {"text": "Calling "},
        {"functionCall": {"id": "1", "name": "f", "args": {"a": 1}}},
        {"function_call": {"name": "g"}},
        {"text": "both."},
    ]
    reply = read_google({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
    assert reply.text == "Calling both."
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [
        ("1", "f", {"a": 1}),
        ("", "g", {}),
    ]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "the prompt was blocked: SAFETY"),
        ({"candidates": []}, "the reply holds no candidate"),
        ({"candidates": [{"finishReason": "RECITATION"}]}, "the reply ended with RECITATION"),
        (
            {
                "candidates": [
                    {
                        "content": {},
                        "finishReason": "MALFORMED_FUNCTION_CALL",
                        "finishMessage": "print(f)",
                    }
                ]
            },
            "the reply ended with MALFORMED_FUNCTION_CALL (print(f))",
        ),
        (
            {"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "MAX_TOKENS"}]},
            "ended with MAX_TOKENS",
        ),
    ],
)
def test_a_gemini_reply_without_an_answer_says_why(body: Json, why: str) -> None:
    """Blocked prompts and candidates that end badly are failures; a candidate that stops in silence said nothing."""
    assert why in str(read_google(body).failure)
    silence = read_google({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]})
    assert (silence.text, silence.calls, silence.failure) == (None, (), None)


def test_a_blocked_reply_is_an_error_that_is_not_asked_again(google_bench: Bench) -> None:
    """A blocked prompt came back as a reply: the record says so, and resuming leaves it alone."""
    blocked = Answer(
        {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 4}}
    )
    report, _ = google_bench.run(for_query("B001", always(blocked)))
    assert report.errors == ("B001: the prompt was blocked: SAFETY",)
    assert report.unanswered == 0
    record = google_bench.record("B001")
    assert (record["model_text"], record["error"], record["usage"]) == (
        None,
        report.errors[0][6:],
        {"input_tokens": 4},
    )
    again, server = google_bench.run(echo, resume=True)
    assert (again.asked, server.seen, again.outcome) == (0, [], "unchanged")


def test_malformed_arguments_are_kept_as_they_are(openai_bench: Bench) -> None:
    """Arguments that are no JSON stay text in the record, and the loaded response says that the call cannot be read."""
    openai_bench.run(lambda _seen: completion(None, [("convert_units", '{"value": 3,')]), limit=1)
    assert openai_bench.records()[0]["model_function_call"] == {
        "name": "convert_units",
        "arguments": '{"value": 3,',
    }
    workspace = Workspace(openai_bench.folder.root)
    submission, _ = load_submission(workspace, "m", ["small"])
    (record,), _, _ = load_records(
        workspace, submission, suite(openai_bench.folder, "small"), Interner()
    )
    assert "the arguments of convert_units are text that is not JSON" in str(
        record.response.malformed
    )


# ---------------------------------------------------------------- retries


def failing(kind: str) -> Answer:
    """A failure of each kind that another try may mend."""
    return {
        "429": refused(429, "slow down"),
        "429 with a pause": refused(429, "slow down", retry_after="7"),
        "500": refused(500, "oops"),
        "503 in words": Answer(b"upstream is away", 503, {"content-type": "text/plain"}),
        "cut off": Answer(completion("half").body, cut=True),
        "no JSON": Answer(b'{"choices": [', 200),
        "no object": Answer([1], 200),
        "stalled": Answer(completion("late").body, stall=0.6),
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "429",
        "429 with a pause",
        "500",
        "503 in words",
        "cut off",
        "no JSON",
        "no object",
        "stalled",
    ],
)
def test_passing_failures_are_tried_again(bench: Bench, kind: str) -> None:
    """After 429, 5xx, broken, unreadable or late replies the case is asked again, after the pause that was asked for."""
    _, server = bench.run(
        in_turn(failing(kind)),
        limit=1,
        retry_policy=RetryPolicy(timeout=0.3 if kind == "stalled" else 5),
    )
    assert len(server.seen) == 2
    assert bench.records()[0]["model_text"] == "About 3 metres in yards?"
    assert "error" not in bench.records()[0]
    assert bench.clock.slept == [7.0 if kind == "429 with a pause" else 1.0]


def test_retries_are_bounded_and_the_error_is_recorded(bench: Bench) -> None:
    """After five tries with doubling pauses the case is recorded as an error; the others are answered."""
    report, server = bench.run(for_query("B001", always(refused(500, "oops"))), concurrency=1)
    assert server.queries.count("question of B001?") == 5
    assert bench.clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert report.errors == ("B001: answered 500: oops",)
    assert (report.unanswered, report.answers) == (1, 5)
    assert [record["id"] for record in bench.records() if "error" in record] == ["B001"]
    assert bench.record("B001")["model_text"] is None


def test_a_request_that_is_refused_is_not_tried_again(bench: Bench) -> None:
    """400 and 422 concern one case: one try, an error on its record, and on with the next."""
    report, server = bench.run(for_query("feet", always(refused(422, "too long"))), concurrency=1)
    assert (len(server.seen), bench.clock.slept) == (5, [])
    assert report.errors == ("A002: answered 422: too long",)


def test_a_case_that_got_no_reply_is_asked_again_on_resume(bench: Bench) -> None:
    """Resuming a finished run asks only what got no reply; then nothing tells that it ever failed."""
    bench.run(for_query("B001", always(refused(500, "oops"))), concurrency=1)
    report, server = bench.run(echo, resume=True)
    assert (server.queries, report.errors, report.asked) == (["question of B001?"], (), 1)
    bench.run(echo, submission="whole")
    assert bench.records() == bench.records(submission="whole")


@pytest.mark.parametrize(
    ("status", "said_so"),
    [(401, "no such key"), (403, "not allowed"), (404, "no such model"), (307, "")],
)
def test_an_error_that_concerns_every_case_stops_the_run(
    bench: Bench, status: int, said_so: str
) -> None:
    """A refused key, an unknown model or a wrong address ends the run with one message; no submission is written."""
    with (
        serving(always(refused(status, f"{said_so} {KEY}"))) as server,
        pytest.raises(ModelError) as stopped,
    ):
        bench.against(server, concurrency=1)
    (problem,) = stopped.value.problems
    assert (problem.file, len(server.seen), bench.clock.slept) == (
        f"{bench.provider}:scripted-1",
        1,
        [],
    )
    assert re.match(
        rf"answered {status}: .*{said_so}.*the run was stopped, nothing was answered", problem.what
    )
    assert KEY not in str(problem)
    assert not (bench.folder.root / "submissions").exists()


def test_a_stopped_run_keeps_what_was_answered(bench: Bench) -> None:
    """A key that is withdrawn halfway loses nothing: the message counts what is kept, and --resume goes on from there."""
    with (
        serving(for_query("B001", always(refused(401, "expired")))) as server,
        pytest.raises(ModelError, match=r"3 of 5 answers are kept"),
    ):
        bench.against(server, concurrency=1)
    report, server = bench.run(echo, resume=True, concurrency=1)
    assert server.queries == ["question of B001?", "question of B002?"]
    assert report.answers == 5


def test_no_money_and_bad_keys_in_disguise_stop_the_run(folder: Folder) -> None:
    """OpenAI says "no quota" with 429, Gemini says "bad key" with 400: neither is tried again."""
    broke = refused(429, "You exceeded your quota", code="insufficient_quota")
    body = {
        "error": {
            "code": 400,
            "message": "API key not valid. Please pass a valid API key.",
            "status": "INVALID_ARGUMENT",
        }
    }
    for provider, answer in (("openai", broke), ("google", Answer(body, 400))):
        bench = Bench(folder, provider)  # type: ignore[arg-type]
        with (
            serving(always(answer)) as server,
            pytest.raises(ModelError, match="the run was stopped"),
        ):
            bench.against(server, submission=provider, concurrency=1)
        assert (len(server.seen), bench.clock.slept) == (1, [])


def test_an_address_where_nobody_answers_stops_the_run(folder: Folder) -> None:
    """When ten cases got no reply and none got one, the others are not tried."""
    folder.write("datasets/small/no_tool.json", [text_of(number) for number in range(40)])
    with serving(echo) as server:
        pass
    bench = Bench(folder, "openai")
    with pytest.raises(ModelError, match="no reply"):
        bench.against(server, concurrency=1, retry_policy=RetryPolicy(attempts=1, timeout=2))
    assert len(bench.lines(".cache/runs/m/small.jsonl")) == 1 + 9


def text_of(number: int) -> Json:
    truth = {"function_call": None, "text": "Yes.", "expected_response_type": "text"}
    return {
        "id": f"B{number:03}",
        "type": "no_tool",
        "user_query": f"question {number}?",
        "ground_truth": truth,
    }


def test_googles_own_retry_delay_is_honoured(google_bench: Bench) -> None:
    """Gemini says in the error's details how long to wait."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}]
    busy = Answer(
        {
            "error": {
                "code": 429,
                "message": "busy",
                "status": "RESOURCE_EXHAUSTED",
                "details": details,
            }
        },
        429,
    )
    google_bench.run(in_turn(busy), limit=1)
    assert google_bench.clock.slept == [17.0]


# ---------------------------------------------------------------- at the same time


def test_concurrency_is_bounded(bench: Bench) -> None:
    """Never more requests are under way than asked for, and as many as that when there is enough to do."""

    def slow(seen: Seen) -> Answer:
        answer = echo(seen)
        return Answer(answer.body, stall=0.05)

    _, server = bench.run(slow, trials=2, concurrency=3)
    assert (server.most, len(server.seen)) == (3, 10)


def test_the_same_replies_give_the_same_bytes(bench: Bench, tmp_path: Any) -> None:
    """One at a time or eight, answered in order or not: the submission and the raw replies are the same bytes."""

    def uneven(seen: Seen) -> Answer:
        return Answer(
            echo(seen).body, stall=0.04 if "A001" in seen.query or "3 metres" in seen.query else 0
        )

    for number, concurrency in enumerate((1, 8)):
        bench.run(
            uneven,
            submission=f"m{number}",
            trials=2,
            concurrency=concurrency,
            keep_raw=tmp_path / str(number),
        )
    trees = [bench.folder.tree(f"submissions/m{number}") for number in (0, 1)]
    assert trees[0] == trees[1]
    raws = [(tmp_path / str(number) / "small.jsonl").read_bytes() for number in (0, 1)]
    assert raws[0] == raws[1]


def test_a_rate_spreads_the_requests(openai_bench: Bench) -> None:
    """At one request in ten seconds, every request waits for its turn, the first included."""
    openai_bench.run(echo, limit=3, rate=0.1, concurrency=1)
    assert openai_bench.clock.slept == pytest.approx([10.0, 10.0, 10.0])


# ---------------------------------------------------------------- acting


def scripted_turns(*turns: Callable[[Seen], Answer]) -> Script:
    """One reply per turn of a conversation; the last one for good."""
    return lambda seen: turns[min(seen.turn, len(turns) - 1)](seen)


def calling(*calls: tuple[str, Any], text: str | None = None) -> Script:
    return lambda seen: said(seen, text, calls)


def test_a_model_acts_until_it_calls_no_more_tools(bench: Bench) -> None:
    """Calls are carried out, parallel ones in order; the model is told what came of each; steps, state and answer are kept."""
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


def test_every_case_has_an_environment_of_its_own(bench: Bench) -> None:
    """Nothing that one case or trial typed stands on the paper of another; a world without a state tells none."""

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
    told = [seen.results for seen in server.seen if seen.turn and "add" in seen.tools]
    assert told == ([[6.2]] * 2 if bench.provider == "google" else [["6.2"]] * 2)


def test_a_tool_without_parameters_is_one_that_gemini_accepts(google_bench: Bench) -> None:
    """Gemini refuses an object without properties: such a tool is declared without parameters."""
    _, server = google_bench.run(echo, "acts", limit=2, concurrency=1)
    declared = server.seen[1].body["tools"][0]["functionDeclarations"]
    assert (len(declared), [tool for tool in declared if "parameters" in tool]) == (26, [])


def test_errors_of_tools_are_told_to_the_model(bench: Bench) -> None:
    """A call that cannot be carried out is a step with an error text, and the model can go on from it."""
    turns = (
        calling(("type_letter", {"letter": "hi"}), ("type_key", {}), ("type_letter", {"key": "h"})),
        calling(("type_letter", {"letter": "h"})),
        lambda seen: said(seen, "ok"),
    )
    _, server = bench.run(scripted_turns(*turns), "acts", limit=1)
    told = server.seen[1].results
    assert [text.startswith("ERROR") for text in told] == [True, True, True]
    assert "there is no tool named 'type_key'" in told[1]
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
    ) == ("h", told)


def test_malformed_calls_are_steps_and_the_model_is_told(openai_bench: Bench) -> None:
    """Arguments that are no object come back as an error; what is sent back as history is JSON that servers accept."""
    turns = (
        calling(("type_letter", '{"letter": "h"'), ("type_letter", "[1]"), ("", "{}")),
        lambda seen: said(seen, "I give up."),
    )
    _, server = openai_bench.run(scripted_turns(*turns), "acts", limit=1)
    told = server.seen[1].results
    assert told[0].startswith("ERROR: the arguments are text that is not JSON")
    assert told[1:] == ["ERROR: the arguments are not an object", "ERROR: the call names no tool"]
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
    """At the step limit the case ends without an answer: no step more is taken, those taken are kept, and it says so."""
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


def test_a_crash_in_the_middle_is_an_error_on_the_record(bench: Bench) -> None:
    """When the model stops replying halfway, the record says so; a resumed run starts that case again from the beginning."""
    turns = scripted_turns(calling(("type_letter", {"letter": "h"})), always(refused(500, "oops")))
    report, _ = bench.run(turns, "acts", limit=1, retry_policy=RetryPolicy(attempts=2, timeout=5))
    record = bench.records("acts")[0]
    assert (report.unanswered, record["output"], record["intermediate_steps"]) == (1, None, [])
    assert "answered 500" in record["error"]
    good = scripted_turns(calling(("type_letter", {"letter": "h"})), lambda seen: said(seen, "ok"))
    bench.run(good, "acts", limit=1, resume=True, retry_policy=RetryPolicy(attempts=2, timeout=5))
    assert bench.records("acts")[0]["state"] == "h"


def test_gemini_gets_its_own_turn_back_unchanged(google_bench: Bench) -> None:
    """Signatures, ids and fields that no SDK knows yet go back exactly as they came, and results carry the call's id."""
    parts = [
        {"text": "Thinking.", "thought": True, "somethingNew": {"x": 1}},
        {
            "functionCall": {"id": "c-1", "name": "type_letter", "args": {"letter": "h"}},
            "thoughtSignature": "c2lnbmF0dXJl+/==",
        },
    ]
    turns = scripted_turns(always(generated(*parts)), lambda seen: said(seen, "ok"))
    _, server = google_bench.run(turns, "acts", limit=1)
    _, model, results = server.seen[1].body["contents"]
    assert model == {"role": "model", "parts": parts}
    response = {"id": "c-1", "name": "type_letter", "response": {"result": "OK"}}
    assert results == {"role": "user", "parts": [{"functionResponse": response}]}


def test_openai_compatible_servers_get_their_own_fields_back(openai_bench: Bench) -> None:
    """Thoughts and keys of a server's own that stand in a turn go back to it; a call without an id gets one."""
    call = {
        "type": "function",
        "function": {"name": "type_letter", "arguments": {"letter": "h"}},
        "extra_content": {"s": 1},
    }
    message = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "Hm.",
        "tool_calls": [call, call],
    }
    first = Answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    _, server = openai_bench.run(
        scripted_turns(always(first), lambda seen: said(seen, "ok")), "acts", limit=1
    )
    _, _, turn, *results = server.seen[1].body["messages"]
    assert (turn["reasoning_content"], [call["extra_content"] for call in turn["tool_calls"]]) == (
        "Hm.",
        [{"s": 1}] * 2,
    )
    assert len({call["id"] for call in turn["tool_calls"]}) == 2
    assert [result["tool_call_id"] for result in results] == [
        call["id"] for call in turn["tool_calls"]
    ]


# ---------------------------------------------------------------- resuming


class Breaking:
    """A model that answers a number of questions; then somebody presses Ctrl-C."""

    def __init__(self, answers: int) -> None:
        self.left = answers

    async def ask(self, conversation: Conversation) -> Reply:
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(30)
        self.left -= 1
        return Reply(f"About {conversation.query}", (), None, {}, None, 11, 7, "scripted-1-2026")

    async def close(self) -> None:
        """Nothing is open."""


def interrupt(bench: Bench, answers: int, submission: str = "m", **plan: Any) -> RunInterrupted:
    """A run that Ctrl-C ends after so many answers."""
    address = "http://127.0.0.1:1" + ("" if bench.provider == "google" else "/v1")
    made = Plan(ModelSettings(bench.provider, "scripted-1", address), concurrency=1, **plan)
    with pytest.raises(RunInterrupted) as stopped:
        run_model(
            bench.folder.root,
            [suite(bench.folder, "small")],
            made,
            submission,
            CardChoice(date=DATE),
            clock=bench.clock,
            opener=lambda *_: Breaking(answers),
        )
    return stopped.value


def test_an_interrupted_run_goes_on_where_it_was(bench: Bench) -> None:
    """Ctrl-C keeps what was answered, writes no half submission; the resumed run equals an undisturbed one byte for byte."""
    stopped = interrupt(bench, 2)
    assert (stopped.suite, stopped.kept, stopped.total) == ("small", 2, 5)
    assert not (bench.folder.root / "submissions").exists()
    report, server = bench.run(echo, resume=True, concurrency=1)
    assert server.queries == ["5 metres in miles?", "question of B001?", "question of B002?"]
    assert (report.answers, report.asked) == (5, 3)
    bench.run(echo, submission="whole")
    assert bench.folder.tree("submissions/m") == bench.folder.tree("submissions/whole")


def test_a_line_that_was_cut_off_is_asked_again(bench: Bench) -> None:
    """A kill in the middle of writing costs that one answer and no other."""
    interrupt(bench, 3)
    journal = bench.folder.root / ".cache/runs/m/small.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    _, server = bench.run(echo, resume=True, concurrency=1)
    assert server.queries == ["5 metres in miles?", "question of B001?", "question of B002?"]
    assert [entry["record"]["id"] for entry in bench.lines(journal)[1:]] == [
        "A001",
        "A002",
        "A003",
        "B001",
        "B002",
    ]


def test_a_run_that_got_no_answer_is_as_if_it_had_not_been(bench: Bench) -> None:
    """A wrong address or name is mended and tried again at once, with or without --resume: there is nothing to go on from."""
    for change in ({"model": {"name": "typo"}}, {"resume": True, "model": {"temperature": 1}}):
        with serving(always(refused(404, "no such model"))) as server, pytest.raises(ModelError):
            bench.against(server, **change)
    assert bench.run(echo)[0].answers == 5
    assert (
        bench.lines(".cache/runs/m/small.jsonl")[0]["run"]["asked"]["run"]
        == f"{bench.provider}:scripted-1"
    )


def test_a_journal_that_is_none_is_a_message(bench: Bench) -> None:
    """A file of another kind in a journal's place is told, and left alone."""
    bench.folder.write(".cache/runs/m/small.jsonl", b'{"other": 1}\n{"things": 2}\n')
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"small\.jsonl:1: is not the journal of a run"),
    ):
        bench.against(server, resume=True)
    assert server.seen == []


def test_a_full_disk_is_told_as_such(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """When an answer cannot be kept the run ends with the system's own words, not with a group of errors."""

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device", "journal")

    monkeypatch.setattr("os.fsync", full)
    with serving(echo) as server, pytest.raises(OSError, match="No space left"):
        bench.against(server)


def test_a_damaged_journal_is_a_message(bench: Bench) -> None:
    """A line in the middle that is no answer is told with its number; nothing is asked or overwritten."""
    interrupt(bench, 3)
    journal = bench.folder.root / ".cache/runs/m/small.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], b'{"record": 1}\n', *lines[2:]]))
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"small.jsonl:2: holds a line that is no answer"),
    ):
        bench.against(server, resume=True)
    assert server.seen == []


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"model": {"temperature": 0.7}}, "temperature"),
        ({"model": {"name": "scripted-2"}}, "run"),
        ({"system": "Be brief."}, "system"),
        ({"tools": False}, "tools"),
    ],
)
def test_resume_refuses_other_settings(bench: Bench, change: dict[str, Any], named: str) -> None:
    """Answers to another question are not mixed in: what differs is named, and nothing is asked."""
    interrupt(bench, 2)
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=rf"\$\.run\.asked\.{named}: was begun with {named}"),
    ):
        bench.against(server, resume=True, **change)
    assert server.seen == []


def test_resume_refuses_changed_questions(bench: Bench) -> None:
    """When a question or a tool has changed since, the answers so far answer another suite; a mended truth is no matter."""
    interrupt(bench, 2)
    path = bench.folder.root / "datasets/small/no_tool.json"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("question of B002?", "another?"), encoding="utf-8")
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match="answers other cases, or cases with other tools"),
    ):
        bench.against(server, resume=True)
    assert server.seen == []
    path.write_text(before.replace("In 1969.", "It was in 1969."), encoding="utf-8")
    assert bench.run(echo, resume=True)[0].answers == 5


def test_more_trials_and_more_cases_can_follow(bench: Bench) -> None:
    """Limit, trials and concurrency decide no answer: a later run may ask for more, and only that is asked."""
    bench.run(echo, limit=2)
    _, server = bench.run(echo, resume=True, limit=3, trials=2, concurrency=1)
    assert len(server.seen) == 2 * 3 - 2
    assert [(record["id"], record["trial"]) for record in bench.records()] == [
        (case, trial) for case in ("A001", "A002", "A003") for trial in (1, 2)
    ]
    _, fewer = bench.run(echo, resume=True, limit=1)
    assert (fewer.seen, len(bench.records())) == ([], 6)


def test_answers_are_never_overwritten_unasked(bench: Bench) -> None:
    """Without --resume, a begun or finished run of that id stands in the way; so do answers that no journal tells of."""
    interrupt(bench, 2)
    with serving(echo) as server:
        with pytest.raises(
            FilesError,
            match=r"\.cache/runs/m/small\.jsonl: holds what an earlier run answered .*--resume",
        ):
            bench.against(server)
        bench.folder.submission("other", [], settings={"run": f"{bench.provider}:scripted-1"})
        with pytest.raises(FilesError, match=r"submissions/other/small\.json: exists already"):
            bench.against(server, submission="other")
        bench.folder.submission("foreign", [])
        with pytest.raises(FilesError, match="choose another id"):
            bench.against(server, submission="foreign")
        with pytest.raises(FilesError, match="is not a valid id"):
            bench.against(server, submission="../up")
        with pytest.raises(FilesError, match="'tomorrow' is not a date"):
            bench.against(server, submission="new", card=CardChoice(date="tomorrow"))
    assert server.seen == []


def test_a_second_suite_joins_the_submission(bench: Bench) -> None:
    """Suites may be answered one after the other; the card keeps what is there, and settings that differ are refused."""
    bench.run(echo, limit=1, card=CardChoice("My model", "My lab", DATE))
    bench.run(echo, "match", card=CardChoice())
    assert (bench.card()["name"], list(bench.card()["settings"]["suites"])) == (
        "My model",
        ["small", "match"],
    )
    assert {"small.json", "match.json", "submission.json", "README.md"} == set(
        bench.folder.tree("submissions/m")
    )
    with (
        serving(echo) as server,
        pytest.raises(
            FilesError, match=r"submission.json \$.settings.temperature: says temperature 0"
        ),
    ):
        bench.against(server, "acts", model={"temperature": 1})
    assert server.seen == []


def test_two_runs_do_not_write_to_one_journal(bench: Bench) -> None:
    """While one run goes on, another of the same id is told to wait."""
    refusals: list[str] = []

    def script(seen: Seen) -> Answer:
        if not refusals:
            refusals.append("asked")
            try:
                Bench(bench.folder, bench.provider).against(server, resume=True)
            except FilesError as error:
                refusals.append(error.problems[0].what)
        return echo(seen)

    with serving(script) as server:
        bench.against(server, limit=1)
    assert refusals == ["asked", "is being written by another lb run"]


# ---------------------------------------------------------------- raw replies


def test_raw_replies_are_kept_without_headers_or_keys(bench: Bench, tmp_path: Any) -> None:
    """One line per reply with the provider's whole body, unknown fields too; a key that a server repeats is hidden."""

    def script(seen: Seen) -> Answer:
        answer = echo(seen)
        return Answer(
            {**answer.body, "novelty": {"key": KEY}},
            headers={"x-secret": "s3cret", "set-cookie": "c=1"},
        )

    bench.run(script, limit=2, keep_raw=tmp_path / "raw")
    text = (tmp_path / "raw/small.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["id"], line["trial"], line["turn"]) for line in lines] == [
        ("A001", 1, 0),
        ("A002", 1, 0),
    ]
    assert [line["reply"]["novelty"] for line in lines] == [{"key": "[key]"}] * 2
    assert ("s3cret" in text, "cookie" in text) == (False, False)


def test_the_key_is_written_nowhere(bench: Bench, tmp_path: Any) -> None:
    """Not in the submission, the journal, the raw replies or an error, even where the server repeats it."""
    leaking = for_query(
        "B001",
        always(refused(400, f"bad key {KEY}")),
        lambda seen: said(seen, f"Your key is {KEY}."),
    )
    bench.run(leaking, keep_raw=tmp_path / "raw")
    files = [*bench.folder.root.rglob("*"), *tmp_path.rglob("*")]
    assert [path for path in files if path.is_file() and KEY.encode() in path.read_bytes()] == []
    assert "bad key [key]" in bench.record("B001")["error"]
    assert bench.record("A001")["model_text"] == "Your key is [key]."


def test_raw_replies_of_a_conversation_stand_in_order(bench: Bench, tmp_path: Any) -> None:
    """Every turn is a line; what a broken attempt left behind is replaced by the conversation that counts."""
    broken = scripted_turns(calling(("type_letter", {"letter": "h"})), always(refused(500, "oops")))
    bench.run(
        broken, "acts", limit=1, keep_raw=tmp_path, retry_policy=RetryPolicy(attempts=1, timeout=5)
    )
    assert [line["turn"] for line in bench.lines(tmp_path / "acts.jsonl")] == [0]
    turns = scripted_turns(calling(("type_letter", {"letter": "z"})), lambda seen: said(seen, "ok"))
    bench.run(turns, "acts", limit=1, keep_raw=tmp_path, resume=True)
    lines = bench.lines(tmp_path / "acts.jsonl")
    assert [line["turn"] for line in lines] == [0, 1]
    assert re.search(r"letter\W+z", json.dumps(lines[0]["reply"]))
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"acts\.jsonl: holds raw replies of another run"),
    ):
        bench.against(server, "acts", submission="other", keep_raw=tmp_path)


# ---------------------------------------------------------------- keys, names, addresses


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider's usual variable, or the one that is named; a server on this computer is asked without."""
    assert api_key(ModelSettings("openai", "m")) == KEY
    monkeypatch.delenv("GEMINI_API_KEY")
    monkeypatch.setenv("GOOGLE_API_KEY", f" {KEY}2 \n")
    assert api_key(ModelSettings("google", "m")) == f"{KEY}2"
    monkeypatch.delenv("OPENAI_API_KEY")
    assert api_key(ModelSettings("openai", "m", "http://localhost:8000/v1")) == "none-needed"
    monkeypatch.setenv("MY_KEY", "abc")
    assert api_key(ModelSettings("openai", "m", "https://example.org/v1", "MY_KEY")) == "abc"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (ModelSettings("openai", "m"), "OPENAI_API_KEY is not set"),
        (ModelSettings("google", "m"), "GEMINI_API_KEY or GOOGLE_API_KEY is not set"),
        (ModelSettings("openai", "m", "https://example.org/v1"), "OPENAI_API_KEY is not set"),
        (ModelSettings("openai", "m", "http://127.0.0.1:1/v1", "MY_KEY"), "MY_KEY is not set"),
        (
            ModelSettings("openai", "m", None, "ODD_KEY"),
            "holds blanks or characters that no key has",
        ),
    ],
)
def test_a_missing_key_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: ModelSettings, named: str
) -> None:
    """The message says which variable to set."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, " ")
    monkeypatch.setenv("ODD_KEY", "two words")
    with pytest.raises(MissingKeyError, match=named):
        api_key(settings)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (None, None),
        ("http://127.0.0.1:8123/v1/", "http://localhost/v1"),
        ("http://[::1]:11434/v1", "http://localhost/v1"),
        (
            "https://user:secret@models.example.org:8443/v1?key=abc#x",
            "https://models.example.org:8443/v1",
        ),
    ],
)
def test_an_address_is_told_without_secrets(address: str | None, told: str | None) -> None:
    """The card names the host, never who asked; a port of this computer says nothing."""
    assert ModelSettings("openai", "m", address).endpoint == told


@pytest.mark.parametrize(
    ("name", "submission"),
    [
        ("gpt-x", "gpt-x"),
        ("Qwen/Qwen3-8B", "qwen-qwen3-8b"),
        ("llama3:8b", "llama3-8b"),
        ("..M..", "m"),
        ("x" * 80, "x" * 64),
    ],
)
def test_a_submission_is_named_after_the_model(name: str, submission: str) -> None:
    """Whatever a server calls its model, the id is one that a submission may have."""
    assert submission_id_of(name) == submission


def test_a_short_or_absent_key_is_not_hidden() -> None:
    """Hiding must not eat ordinary text."""
    assert [hide("a none-needed abc", key) for key in ("a", "none-needed")] == [
        "a none-needed abc"
    ] * 2
    assert hide(f"x{KEY}y", KEY) == "x[key]y"


def test_an_opened_model_closes_its_connections() -> None:
    """What open_model returns can be asked within a loop, and let go."""

    async def once(server_url: str) -> str | None:
        model: Model = open_model(ModelSettings("openai", "scripted-1", server_url), KEY, 5, 2)
        try:
            return (await model.ask(Conversation("", "Hi", ()))).text
        finally:
            await model.close()

    with serving(echo) as server:
        assert asyncio.run(once(server.openai)) == "About Hi"
