"""Running real models: both SDKs over HTTP on loopback, against scripted servers."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import threading
from typing import Any

import pytest

from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.network.retries import RetryPolicy
from leaderboard.responses.response_records import Interner
from leaderboard.types import Json, Price
from leaderboard.workspace import Workspace
from runners.early_ends import RunInterrupted
from runners.models.model_settings import (
    ModelError,
)
from runners.models.run_journal import read_journal
from runners.models.spending import Tokens
from tests.conftest import SUITE, Folder
from tests.runners.model_board import (
    KEY,
    Bench,
    ids,
    interrupt,
    suite,
)
from tests.runners.scripted_server import (
    Answer,
    Seen,
    always,
    calling,
    completion,
    echo,
    for_query,
    in_turn,
    message,
    refused,
    said,
    serving,
)


def test_a_request_contains_the_tools_and_the_date(bench: Bench) -> None:
    """The request holds question, tools with choice auto, temperature 0 and our system text.

    The date is the suite's.
    """
    bench.folder.write("datasets/small/suite.toml", f'date = "2031-02-03"\n{SUITE}')
    _, server = bench.run(echo, limit=1)
    (seen,) = server.seen
    assert (seen.query, seen.tools) == ("3 metres in yards?", ["convert_units"])
    assert seen.system is not None
    assert "The date is 2031-02-03." in seen.system
    if seen.is_google:
        assert seen.path == "/v1beta/models/scripted-1:generateContent"
        assert seen.headers["x-goog-api-key"] == KEY
        assert seen.body["toolConfig"] == {"functionCallingConfig": {"mode": "AUTO"}}
        assert seen.body["generationConfig"] == {"temperature": 0}
    elif seen.is_anthropic:
        assert (seen.path, seen.headers["authorization"]) == ("/v1/messages", f"Bearer {KEY}")
        assert (seen.body["tool_choice"], seen.body["max_tokens"]) == ({"type": "auto"}, 8192)
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


def test_a_request_contains_no_facts(bench: Bench) -> None:
    """What the ground truth says about a right answer is not sent to a model."""
    path = bench.folder.root / "datasets/small/tool_selection.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    fact = {"id": "secret", "label": "the secret fact", "accepts": ["xylophone"]}
    for case in cases:
        case["ground_truth"] = {"text": "The secret text.", "facts": [fact]}
    bench.folder.write("datasets/small/tool_selection.json", cases)
    _, server = bench.run(echo, limit=1)
    (seen,) = server.seen
    assert "3 metres in yards?" in json.dumps(seen.body)
    assert not re.search("secret|xylophone", json.dumps(seen.body))


@pytest.mark.large
def test_every_case_is_answered_in_order(bench: Bench) -> None:
    """The submission holds one record per case in the suite's order, and loads without warnings."""
    report, _ = bench.run(echo, concurrency=3)
    assert (report.answers, report.asked, report.errors, report.outcome) == (5, 5, (), "written")
    assert ids(bench.records()) == ["A001", "A002", "A003", "B001", "B002"]
    workspace = Workspace(bench.folder.root)
    submission = load_submission(workspace, "m", ["small"])
    records, _, warnings = load_records(
        workspace, submission, suite(bench.folder, "small"), Interner()
    )
    assert (len(records), *warnings) == (5,)


@pytest.mark.large
def test_trials_are_independent_attempts(bench: Bench) -> None:
    """Every case is asked once for each trial; records are numbered from 1, cases in order."""
    numbers = iter(range(100))
    bench.run(lambda seen: said(seen, f"answer {next(numbers)}"), limit=2, trials=3, concurrency=1)
    places = [(record["id"], record["trial"], record["model_text"]) for record in bench.records()]
    assert places == [
        *(("A001", trial, f"answer {trial - 1}") for trial in (1, 2, 3)),
        *(("A002", trial, f"answer {trial + 2}") for trial in (1, 2, 3)),
    ]


def failing(kind: str) -> Answer:
    """A failure of each kind that another attempt may change."""
    return {
        "429": refused(429, "slow down"),
        "429 with a pause": refused(429, "slow down", retry_after="7"),
        "500": refused(500, "oops"),
        "503 in words": Answer(b"upstream is away", 503, {"content-type": "text/plain"}),
        "cut off": Answer(completion("half").body, cut=True),
        "no JSON": Answer(b'{"choices": [', 200),
        "no object": Answer([1], 200),
        "stalled": Answer(completion("late").body, stall=math.inf),
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
        # The timeout must be long enough for the second reply on a busy machine.
        pytest.param("stalled", marks=pytest.mark.large),
    ],
)
def test_temporary_failures_are_retried(bench: Bench, kind: str) -> None:
    """After 429, 5xx, broken or late replies the case is asked again, after the server's pause."""
    _, server = bench.run(
        in_turn(failing(kind)),
        limit=1,
        retry_policy=RetryPolicy(timeout=2 if kind == "stalled" else 5),
    )
    assert len(server.seen) == 2
    assert bench.records()[0]["model_text"] == "About 3 metres in yards?"
    assert "error" not in bench.records()[0]
    assert bench.clock.slept == [7.0 if kind == "429 with a pause" else 1.0]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": {"type": "overloaded_error", "message": "Overloaded"}}, "an error: Overloaded"),
        ({"error": {"code": 503, "message": "busy"}}, "answered 503: busy"),
        ({}, "its reply is an error: it contains no "),
        ({"choices": [], "content": None, "candidates": []}, "it contains no "),
    ],
)
@pytest.mark.large
def test_errors_with_status_200_are_no_answers(bench: Bench, body: Json, error: str) -> None:
    """Such a request is repeated. A case that gets no better reply is asked again on resume."""
    report, _ = bench.run(in_turn(Answer(body)), limit=1)
    assert (report.errors, bench.clock.slept) == ((), [1.0])
    script = for_query("B001", always(Answer(body)))
    report, _ = bench.run(script, submission="n", retry_policy=RetryPolicy(attempts=2))
    assert (len(report.errors), report.unanswered) == (1, 1)
    assert error in report.errors[0]


@pytest.mark.large
def test_retries_are_bounded_and_the_error_is_recorded(bench: Bench) -> None:
    """After five attempts with doubling pauses the case is an error; the others are answered."""
    report, server = bench.run(for_query("B001", always(refused(500, "oops"))), concurrency=1)
    assert server.queries.count("question of B001?") == 5
    assert bench.clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert report.errors == ("B001: answered 500: oops",)
    assert (report.unanswered, report.answers) == (1, 5)
    assert [record["id"] for record in bench.records() if "error" in record] == ["B001"]
    assert bench.record("B001")["model_text"] is None


def test_a_refused_request_is_not_retried(bench: Bench) -> None:
    """400 and 422 concern one case: one attempt, and an error on its record."""
    report, server = bench.run(for_query("feet", always(refused(422, "too long"))), concurrency=1)
    assert (len(server.seen), bench.clock.slept) == (5, [])
    assert report.errors == ("A002: answered 422: too long",)


@pytest.mark.large
def test_a_case_that_got_no_reply_is_asked_again_on_resume(bench: Bench) -> None:
    """Resuming asks only what got no reply, and leaves no trace of the failure."""
    bench.run(for_query("B001", always(refused(500, "oops"))), concurrency=1)
    report, server = bench.run(echo, resume=True)
    assert (server.queries, report.errors, report.asked) == (["question of B001?"], (), 1)
    bench.run(echo, submission="whole")
    assert bench.records() == bench.records(submission="whole")


@pytest.mark.parametrize(
    ("status", "said_so"),
    [(401, "no such key"), (403, "not allowed"), (404, "no such model"), (307, "")],
)
def test_an_error_of_every_case_stops_the_run(bench: Bench, status: int, said_so: str) -> None:
    """A refused key, an unknown model or a wrong address ends the run, and nothing is written."""
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


def test_a_redirect_names_its_address(bench: Bench) -> None:
    """The user needs it for --base-url. What may be secret in an address is left out."""
    address = f"https://me:{KEY}@example.org/v2/chat?key={KEY}"
    moved = Answer(b"", 307, {"location": address})
    with serving(always(moved)) as server, pytest.raises(ModelError) as stopped:
        bench.against(server)
    told = str(stopped.value)
    assert "answered 307: it redirects to https://example.org/v2/chat: the run was" in told
    assert 1 == told.count("307")
    assert KEY not in told


@pytest.mark.large
def test_a_stopped_run_keeps_what_was_answered(bench: Bench) -> None:
    """The message counts the kept answers, and --resume continues from them."""
    with (
        serving(for_query("B001", always(refused(401, "expired")))) as server,
        pytest.raises(ModelError, match=r"3 of 5 answers are kept"),
    ):
        bench.against(server, concurrency=1)
    report, server = bench.run(echo, resume=True, concurrency=1)
    assert server.queries == ["question of B001?", "question of B002?"]
    assert report.answers == 5


@pytest.mark.large
def test_a_moderated_case_stops_no_run(bench: Bench) -> None:
    """403 after an answer concerns one case: it is recorded, and --resume asks it again."""
    flagged = for_query("B001", always(refused(403, "flagged")))
    report, server = bench.run(flagged, concurrency=1)
    assert (len(server.seen), report.unanswered) == (5, 1)
    assert report.errors == ("B001: answered 403: flagged",)
    report, server = bench.run(flagged, resume=True, concurrency=1)
    assert (server.queries, report.unanswered) == (["question of B001?"], 1)


def test_missing_money_and_disguised_bad_keys_stop_the_run(folder: Folder) -> None:
    """OpenAI's 429 for "no quota" and Gemini's 400 for "bad key" are not retried."""
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


@pytest.mark.large
def test_an_address_without_a_server_stops_the_run(folder: Folder) -> None:
    """After ten cases without any reply the others are not asked."""
    folder.write("datasets/small/no_tool.json", [text_of(number) for number in range(40)])
    with serving(echo) as server:
        pass
    bench = Bench(folder, "openai")
    with pytest.raises(ModelError, match="no reply"):
        bench.against(server, concurrency=1, retry_policy=RetryPolicy(attempts=1, timeout=2))
    assert len(bench.lines(".cache/runs/m/small.jsonl")) == 1 + 9


@pytest.mark.large
def test_cases_that_are_always_refused_do_not_keep_a_run_from_the_others(
    openai_bench: Bench,
) -> None:
    """--resume first asks what was never asked, and a refusal of one case stops nothing."""
    bench = openai_bench
    bench.folder.write("datasets/small/no_tool.json", [text_of(number) for number in range(25)])
    moderated = {f"question {number}?" for number in range(12)}

    def script(seen: Seen) -> Answer:
        return refused(400, "not allowed") if seen.query in moderated else echo(seen)

    stopping = for_query("question 20?", always(refused(401, "expired")))

    def first(seen: Seen) -> Answer:
        return script(seen) if seen.query in moderated else stopping(seen)

    with serving(first) as server, pytest.raises(ModelError, match="11 of 28 answers are kept"):
        bench.against(server, concurrency=1)
    for asked in (17, 12):
        report, server = bench.run(script, resume=True, concurrency=1)
        assert (report.answers, report.asked, report.unanswered) == (28, asked, 12)
        assert set(server.queries[-12:]) == moderated


@pytest.mark.large
def test_a_server_that_is_away_ends_a_resumed_run_too(openai_bench: Bench) -> None:
    """Ten cases without any reply are enough, also after answers of an earlier run."""
    bench = openai_bench
    bench.folder.write("datasets/small/no_tool.json", [text_of(number) for number in range(25)])
    interrupt(bench, 2)
    with (
        serving(always(refused(503, "away"))) as server,
        pytest.raises(ModelError, match="answered 503: away: the run was stopped, 2 of 28 answers"),
    ):
        bench.against(server, resume=True, concurrency=1, retry_policy=RetryPolicy(attempts=1))
    assert len(server.seen) == 10


def text_of(number: int) -> Json:
    truth = {"function_call": None, "text": "Yes.", "expected_response_type": "text"}
    return {
        "id": f"B{number:03}",
        "type": "no_tool",
        "user_query": f"question {number}?",
        "ground_truth": truth,
    }


@pytest.mark.large
def test_a_case_that_the_budget_ends_is_asked_again_and_paid_twice(bench: Bench) -> None:
    """The turns so far have cost something, which counts when the run is resumed."""
    letter = calling(("type_letter", {"letter": "h"}))
    script = for_query("hi", lambda seen: said(seen, "ok"), letter)
    plan: Any = {"concurrency": 1, "model": {"max_tokens": 7}, "price": Price(0.0, 1000.0)}
    # Replies have 7 tokens: one answers the first case, the others are turns of the second.
    runs = [(0.03, 0.028, 4), (0.03, 0.028, 4), (0.04, 0.035, 5), (0.04, 0.035, 5)]
    with serving(script) as server:
        for budget, dollars, requests in runs:
            with pytest.raises(RunInterrupted) as stopped:
                bench.against(server, "acts", resume=True, budget=budget, **plan)
            assert stopped.value.dollars == pytest.approx(dollars)
            assert (stopped.value.kept, len(server.seen)) == (1, requests)


@pytest.mark.large
def test_what_all_suites_have_cost_counts_from_the_first_request_on(bench: Bench) -> None:
    """With more trials, the first suite cannot spend what the journal of the second used up."""
    plan: Any = {"concurrency": 1, "model": {"max_tokens": 10}, "price": Price(0.0, 1000.0)}
    report, _ = bench.run(echo, "small", "match", **plan)
    assert report.spent is not None
    assert report.spent.dollars == pytest.approx(7 * 0.007)
    with serving(echo) as server, pytest.raises(RunInterrupted) as stopped:
        bench.against(server, "small", "match", trials=2, resume=True, budget=0.06, **plan)
    assert stopped.value.dollars == pytest.approx(8 * 0.007)
    assert len(server.seen) == 1


@pytest.mark.large
def test_what_runs_without_an_answer_have_cost_counts(bench: Bench) -> None:
    """Turns of a case that the budget ends are paid, also if it is the first one."""
    endless = calling(("type_letter", {"letter": "h"}))
    plan: Any = {"concurrency": 1, "model": {"max_tokens": 7}, "price": Price(0.0, 1000.0)}
    runs = [(0.03, 4, False), (0.03, 4, True), (0.04, 5, True), (0.04, 5, False)]
    with serving(endless) as server:
        for budget, requests, resume in runs:
            with pytest.raises(RunInterrupted) as stopped:
                bench.against(server, "acts", resume=resume, budget=budget, **plan)
            assert stopped.value.dollars == pytest.approx(requests * 0.007)
            assert (stopped.value.kept, len(server.seen)) == (0, requests)


@pytest.mark.large
def test_a_budget_allows_for_the_longest_reply(board: Folder) -> None:
    """Anthropic's API always gets a limit, and each of the requests under way may reach it."""
    reply = message({"type": "text", "text": "x"}).body
    long = Answer({**reply, "usage": {"input_tokens": 0, "output_tokens": 8192}})
    with serving(always(long)) as server, pytest.raises(RunInterrupted) as stopped:
        # Two replies of 8,192 tokens are within the budget, three are not.
        Bench(board, "anthropic").against(server, budget=20.0, price=Price(0.0, 1000.0))
    assert stopped.value.dollars == pytest.approx(2 * 8.192)
    assert len(server.seen) == 2


@pytest.mark.large
@pytest.mark.parametrize("end", ["refused key", "Ctrl-C"])
def test_turns_of_a_case_that_never_ended_are_paid(openai_bench: Bench, end: str) -> None:
    """They count when the run is resumed, whatever ended it in the middle of the case."""
    bench = openai_bench

    def script(seen: Seen) -> Answer:
        if seen.turn < 3:
            return calling(("type_letter", {"letter": "h"}))(seen)
        if end == "Ctrl-C":
            os.kill(os.getpid(), signal.SIGINT)
            return Answer(completion("late").body, stall=math.inf)
        return refused(401, "expired")

    plan: Any = {"concurrency": 1, "model": {"max_tokens": 7}, "price": Price(0.0, 1000.0)}
    with serving(script) as server:
        with pytest.raises(RunInterrupted if end == "Ctrl-C" else ModelError):
            bench.against(server, "acts", budget=0.03, **plan)
        root = bench.folder.root
        assert read_journal(root, "m", "acts").counted == Tokens(33, 21)
        # Three turns of $0.007 are paid, so one more is within the budget.
        with pytest.raises(RunInterrupted) as stopped:
            bench.against(server, "acts", budget=0.03, resume=True, **plan)
        assert stopped.value.dollars == pytest.approx(0.028)
        assert len(server.seen) == 4 + 1


@pytest.mark.large
def test_concurrency_is_bounded(bench: Bench) -> None:
    """The requests under way reach the limit when there is enough to do, and never exceed it."""
    waiting: list[Seen] = []
    full = threading.Event()

    def answers_three_at_a_time(seen: Seen) -> Answer:
        waiting.append(seen)
        if len(waiting) >= 3:
            full.set()
        full.wait(timeout=10)
        return Answer(echo(seen).body, stall=0.05)

    _, server = bench.run(answers_three_at_a_time, trials=2, concurrency=3)
    assert (server.most, len(server.seen)) == (3, 10)


@pytest.mark.large
def test_the_same_replies_give_the_same_bytes(bench: Bench, tmp_path: Any) -> None:
    """The number and order of replies at a time change no byte of submission and raw replies."""

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


@pytest.mark.large
def test_more_trials_and_more_cases_can_follow(bench: Bench) -> None:
    """Limit, trials and concurrency decide no answer: a later run asks only what is new."""
    bench.run(echo, limit=2)
    _, server = bench.run(echo, resume=True, limit=3, trials=2, concurrency=1)
    assert len(server.seen) == 2 * 3 - 2
    assert [(record["id"], record["trial"]) for record in bench.records()] == [
        (case, trial) for case in ("A001", "A002", "A003") for trial in (1, 2)
    ]
    _, fewer = bench.run(echo, resume=True, limit=1)
    assert (fewer.seen, len(bench.records())) == ([], 6)


@pytest.mark.large
def test_trials_that_not_every_case_has_are_left_out(bench: Bench) -> None:
    """A trial run with two trials, continued with one: its second trials would count as fails."""
    bench.run(echo, limit=2, trials=2)
    report, _ = bench.run(echo, resume=True, concurrency=1)
    assert {record["trial"] for record in bench.records()} == {1}
    assert (report.answers, report.left_out) == (5, 2)
    again, server = bench.run(echo, resume=True, trials=2, concurrency=1)
    assert (again.answers, again.left_out, len(server.seen)) == (10, 0, 3)


@pytest.mark.parametrize(
    ("data", "said", "words"),
    [
        (b"<!doctype html>\n<title>Hello</title>", "but a web page; it begins with <!doc", "path"),
        (b'data: {"choices": []}\n\ndata: [DONE]', "but an event stream; it begins", "streams"),
    ],
)
def test_a_run_says_what_replies_are_in_place_of_json(
    bench: Bench, data: bytes, said: str, words: str
) -> None:
    """The address is wrong, or the server streams. Both have status 200."""
    answer = Answer(data, headers={"content-type": "text/plain"})
    plan: Any = {"retry_policy": RetryPolicy(attempts=1)}
    with serving(always(answer)) as server, pytest.raises(ModelError) as stopped:
        bench.against(server, **plan)
    assert f"its reply is not JSON, {said}" in str(stopped.value)
    assert words in str(stopped.value)
    assert "the server fails" not in str(stopped.value)


@pytest.mark.large
@pytest.mark.parametrize("written", [b"About \\ud83d", b"About \xff"])
def test_half_a_character_in_a_reply_loses_no_answer(bench: Bench, written: bytes) -> None:
    """The journal, the raw replies and the submission have U+FFFD in its place."""

    def script(seen: Seen) -> Answer:
        body = json.dumps(said(seen, "About XX").body).encode()
        return Answer(b"\xef\xbb\xbf" + body.replace(b"About XX", written))

    report, server = bench.run(script, keep_raw=bench.folder.root / "raw")
    assert (len(server.seen), report.errors) == (5, ())
    assert {"About \ufffd"} == {record["model_text"] for record in bench.records()}
    for path in (".cache/runs/m/small.jsonl", "raw/small.jsonl"):
        assert "About \ufffd" in str(bench.lines(path))


@pytest.mark.large
@pytest.mark.parametrize(
    ("status", "message", "words"),
    [(401, "no", "check the key"), (404, "no such model", "check the model's name")],
)
def test_a_run_gives_the_advice(bench: Bench, status: int, message: str, words: str) -> None:
    """What a real SDK raises leads to the same words for every provider."""
    with (
        serving(always(refused(status, message))) as server,
        pytest.raises(ModelError, match="the run was stopped") as stopped,
    ):
        bench.against(server)
    assert words in str(stopped.value)
    assert len(server.seen) <= 4
