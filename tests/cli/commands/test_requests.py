"""`lb requests`: every form goes round, from the request to the right score."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Folder, call_case
from tests.leaderboard.responses.forms.perfect_answers import (
    ANSWERS,
    anthropic_body,
    batch_line,
    chat_body,
    gemini_body,
    lines,
)
from tests.runners.model_board import KEY, add_suites, match_case
from tests.runners.scripted_server import echo, serving

CARD = ("--organization", "My lab", "--model", "m-7b", "--date", "2026-05-18")
# What each batch API answers to a line that has been sent to it.
REPLIES = {
    "openai": lambda line, answer: batch_line(line["custom_id"], chat_body(answer)),
    "anthropic": lambda line, answer: {
        "custom_id": line["custom_id"],
        "result": {"type": "succeeded", "message": anthropic_body(answer)},
    },
    "gemini": lambda line, answer: {"key": line["key"], "response": gemini_body(answer)},
}
BODIES = {"openai": chat_body, "anthropic": anthropic_body, "gemini": gemini_body}


def written(folder: Folder, *arguments: str) -> list[dict[str, Any]]:
    result = folder.lb("requests", *arguments)
    assert 0 == result.exit_code, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def question(line: dict[str, Any]) -> str:
    """What a request asks, in any of the three forms."""
    body = line.get("body") or line.get("params") or line["request"]
    if "contents" in body:
        return str(body["contents"][0]["parts"][0]["text"])
    return str(next(m["content"] for m in body["messages"] if m["role"] == "user"))


@pytest.mark.large
@pytest.mark.parametrize("batch", [True, False], ids=["batch", "plain"])
@pytest.mark.parametrize("form", list(REPLIES))
def test_every_form_goes_round(folder: Folder, form: str, batch: bool) -> None:
    """Requests, the API's replies to them, `lb new --from`, and the right score.

    One id has characters that no batch API takes, and one tool a dot in its name.
    """
    add_suites(folder)
    odd = "A/3 ☂" + "x" * 80
    cases = [
        call_case("A001", 3, "yards"),
        call_case("A002", 4, "feet"),
        call_case(odd, 5, "miles"),
    ]
    folder.write("datasets/small/tool_selection.json", cases)
    folder.write("datasets/match/simple.json", [match_case("simple_0", "math.cube")])
    more = ("--batch", "--model", "m-1") if batch else ()
    answers = {"3 metres in yards?": "A001", "4 metres in feet?": "A002"}
    answers |= {"5 metres in miles?": "A003"}
    answers |= {f"question of {name}?": name for name in ("B001", "B002")}
    for suite in ("small", "match"):
        replies = []
        for line in written(folder, suite, "--format", form, *more):
            asked = question(line)
            answer = ANSWERS[answers[asked]] if asked in answers else ("math_cube", {"n": 3})
            if batch:
                replies.append(REPLIES[form](line, answer))
            else:
                replies.append({"id": line["id"], "response": BODIES[form](answer)})
        source = folder.write("replies", lines(replies))
        result = folder.lb("new", "m1", "--from", str(source), "--suite", suite, *CARD)
        assert 0 == result.exit_code, result.stderr
    assert 0 == folder.lb("validate").exit_code
    assert 0 == folder.lb("rescore", "--offline").exit_code
    rows = json.loads((folder.root / "results/scores.json").read_text())
    found = {row["suite"]: row["score"] for row in rows if row["category"] == "*"}
    assert {"small": 1.0, "match": 1.0} == found


def test_requests_hold_system_text_tools_and_settings(folder: Folder) -> None:
    """Each form has the fields that its batch API names."""
    settings = ("--model", "m-1", "--max-tokens", "99", "--temperature", "0.5", "--batch")
    chat = written(folder, "small", "--format", "openai", *settings)[0]
    assert {"custom_id", "method", "url", "body"} == set(chat)
    assert ("A001", "POST", "/v1/chat/completions") == tuple(chat.values())[:3]
    body = chat["body"]
    assert ("m-1", 99, 0.5) == (body["model"], body["max_completion_tokens"], body["temperature"])
    assert ["system", "user"] == [message["role"] for message in body["messages"]]
    assert "convert_units" == body["tools"][0]["function"]["name"]

    params = written(folder, "small", "--format", "anthropic", *settings)[0]["params"]
    assert {"model", "max_tokens", "messages", "system", "tools", "tool_choice", "temperature"} == (
        set(params)
    )
    assert "object" == params["tools"][0]["input_schema"]["type"]

    request = written(folder, "small", "--format", "gemini", *settings)[0]["request"]
    assert {"temperature": 0.5, "max_output_tokens": 99} == request["generation_config"]
    assert {"contents", "system_instruction", "tools", "tool_config", "generation_config"} == (
        set(request)
    )


# How `lb run` names each provider.
PROVIDERS = {"openai": "openai", "anthropic": "anthropic", "gemini": "google"}


def _as_sdk_writes(value: Any) -> Any:
    """A request to Gemini with names in camel case and types in capitals. They mean the same."""
    if isinstance(value, list):
        return [_as_sdk_writes(item) for item in value]
    if not isinstance(value, dict):
        return value
    written = {}
    for name, inner in value.items():
        first, *others = name.split("_")
        is_type = name == "type" and isinstance(inner, str)
        camel = name if name == "to_unit" else first + "".join(map(str.title, others))
        written[camel] = inner.upper() if is_type else _as_sdk_writes(inner)
    return written


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--temperature", "none"),
        ("--temperature", "0.5", "--max-tokens", "99"),
    ],
)
@pytest.mark.parametrize("form", list(PROVIDERS))
def test_requests_are_those_that_lb_run_sends(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, form: str, options: tuple[str, ...]
) -> None:
    """With the defaults of `lb run`, and with the options that both have."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    with serving(echo) as server:
        address = server.openai if form == "openai" else server.url
        model = (f"{PROVIDERS[form]}:m-1", "--base-url", address)
        asked = ("run", "--suite", "small", "--concurrency", "1", *options, "--model", *model)
        result = folder.lb(*asked)
    assert 0 == result.exit_code, result.stderr
    requests = written(folder, "small", "--format", form, "--model", "m-1", "--batch", *options)
    bodies = [line.get("body") or line.get("params") or line["request"] for line in requests]
    if form == "openai":  # A server at another address may know the older name only.
        limits = [body.pop("max_completion_tokens", None) for body in bodies]
        assert limits == [seen.body.pop("max_tokens", None) for seen in server.seen]
    if form == "gemini":
        bodies = [{"generationConfig": {}, **_as_sdk_writes(body)} for body in bodies]
    assert [seen.body for seen in server.seen] == bodies


def test_a_file_is_written_and_counted(folder: Folder) -> None:
    """--out writes the same lines, and --system replaces the system text."""
    system = folder.write("system.txt", "Be brief.")
    out = folder.root / "requests.jsonl"
    arguments = ("small", "--format", "openai", "--system", str(system))
    result = folder.lb("requests", *arguments, "--out", str(out))
    assert f"{out}: 5 requests" in result.stderr
    told = [json.loads(line) for line in out.read_text().splitlines()]
    assert told == written(folder, *arguments)
    assert "Be brief." == told[0]["request"]["messages"][0]["content"]
    assert "model" not in told[0]["request"]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("acts", "--format", "openai"), 1, "a case takes several requests"),
        (("small", "--format", "openai", "--batch"), 2, "pass --model NAME"),
        (("none", "--format", "openai"), 2, "no suite 'none'"),
        (("small", "--format", "mistral"), 2, "'mistral' is not one of"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    folder: Folder, arguments: tuple[str, ...], code: int, told: str
) -> None:
    """Suites with several turns, a missing model, unknown suites and forms."""
    add_suites(folder)
    result = folder.lb("requests", *arguments)
    assert (code, True) == (result.exit_code, told in result.stderr), result.stderr


def test_names_of_tools_that_cannot_be_sent_are_refused(folder: Folder) -> None:
    """`lb validate` warns of them, because agents can have such tools."""
    add_suites(folder)
    folder.write("datasets/match/simple.json", [match_case("simple_0", "two words")])
    result = folder.lb("requests", "match", "--format", "openai")
    told = "has a tool with a name that providers refuse: 'two words'"
    assert (result.exit_code, told in result.stderr) == (1, True), result.stderr
    result = folder.lb("validate")
    assert (result.exit_code, told in result.output) == (0, True), result.output
