"""`lb run`: estimate, tokens, cost and budget, lines in a log, and options that may be secrets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Folder
from tests.runners.model_board import KEY
from tests.runners.scripted_server import (
    Answer,
    ScriptedServer,
    always,
    completion,
    echo,
    in_turn,
    refused,
    serving,
)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for OpenAI and one for Anthropic."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(echo) as running:
        yield running


def run(folder: Folder, server: ScriptedServer, *more: str) -> tuple[int, str]:
    """The exit code and the messages of a run over the suite `small`."""
    result = folder.lb(
        *("run", "--model", "openai:m", "--suite", "small", "--base-url", server.openai),
        *("--retries", "0", *more),
    )
    return result.exit_code, result.stderr


@pytest.mark.large
def test_estimate_progress_and_cost_are_lines_of_the_log(
    folder: Folder, server: ScriptedServer
) -> None:
    """Before: cases and tokens. Meanwhile: a line per tenth. After: tokens, dollars, time."""
    code, told = run(folder, server, "--price", "1000,2000")
    assert 0 == code, told
    lines = told.splitlines()
    assert lines[0].startswith("small: 5 cases to ask, about ")
    assert lines[0].endswith(" before the replies")
    assert [f"small: {number} of 5 asked" for number in range(1, 6)] == lines[1:6]
    # 11 input and 7 output tokens each.
    assert "  5 requests, 55 input and 35 output tokens, $0.1250, " in told
    card = folder.tree("submissions/m")["submission.json"].decode()
    assert '"input": 1000.0' in card
    assert 0 == folder.lb("validate", "m").exit_code or "organization" in card


@pytest.mark.large
def test_trials_are_told_apart_from_cases(folder: Folder, server: ScriptedServer) -> None:
    """A case is asked once for each trial that has no answer."""
    _, told = run(folder, server, "--limit", "2")
    assert told.startswith("small: 2 cases to ask, about ")
    _, told = run(folder, server, "--limit", "2", "--trials", "3", "--resume")
    assert "small: 2 cases (4 trials) to ask, about " in told


@pytest.mark.large
def test_a_budget_ends_the_run_and_names_the_command_that_continues(
    folder: Folder, server: ScriptedServer
) -> None:
    """Exit code 1, the answers so far kept, and no secret in the command."""
    secret = "X-Auth: planted-header-7f3a9c"
    limits = ("--max-tokens", "10", "--concurrency", "1", "--price", "0,1000", "--budget", "0.025")
    code, told = run(folder, server, *limits, "--header", secret, "--extra-body={}")
    assert 1 == code
    assert "stopped after $0.0210, because the budget could be exceeded: 3 of 5 answers" in told
    assert "are kept; continue with a larger --budget\n" in told
    assert "--budget … --header … --extra-body=… --resume" in told.replace("'", "")
    assert "planted" not in told
    code, told = run(folder, server, *limits[:-1], "1", "--header", secret, "--resume")
    assert (0, True) == (code, "5 answers, 2 of them new" in told), told


def test_estimates_count_after_a_resume_too(folder: Folder) -> None:
    """Replies without a count of tokens cost what was kept aside for them, also in a later run."""
    silent = Answer({"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]})
    limits = ("--max-tokens", "10", "--concurrency", "1", "--price", "0,1000", "--budget", "0.025")
    with serving(always(silent)) as server:
        told = [run(folder, server, *limits, *more)[1] for more in ((), ("--resume",))]
    assert ["stopped after $0.0200" in text for text in told] == [True, True], told
    assert len(server.seen) == 2


def test_errors_that_report_tokens_count_too(folder: Folder) -> None:
    """Attempts that failed have cost as much as others, also after a resume."""
    body = completion("half", finish="error").body
    script = in_turn(completion("ok"), then=always(Answer(body)))
    limits = ("--max-tokens", "7", "--concurrency", "1", "--price", "0,1000", "--budget", "0.03")
    with serving(script) as server:
        told = [run(folder, server, *limits, *more)[1] for more in ((), ("--resume",))]
    assert ["stopped after $0.0280" in text for text in told] == [True, True], told
    assert len(server.seen) == 4


def test_a_server_that_answers_nothing_is_an_error(folder: Folder) -> None:
    """With --limit 1 too: exit code 1, no submission, and a hint that fits."""
    with serving(always(refused(404, "no such model"))) as server:
        code, told = run(folder, server, "--limit", "1")
        assert (1, True) == (code, "check the model's name" in told)
    code, told = run(folder, server, "--limit", "1")
    assert (1, True) == (code, "check that a server runs at the address in --base-url" in told), (
        told
    )
    assert not (folder.root / "submissions").exists()


@pytest.mark.large
def test_anthropic_is_asked_natively(folder: Folder, server: ScriptedServer) -> None:
    """`anthropic:NAME` speaks the Messages API, and gets a temperature only if one was given."""
    for more, expected in (((), None), (("--temperature", "1", "--id", "hot"), 1)):
        result = folder.lb(
            *("run", "--model", "anthropic:m", "--suite", "small", "--base-url", server.url),
            *("--limit", "1", *more),
        )
        assert 0 == result.exit_code, result.stderr
        seen = server.seen[-1]
        assert ("/v1/messages", expected) == (seen.path, seen.body.get("temperature"))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--budget", "1"), "--budget needs the prices"),
        (("--price", "1"), "not of the form IN,OUT"),
        (("--price", "nan,1"), "not of the form IN,OUT"),
        (("--header", "planted-secret"), "a header has the form"),
        (("--header", "A: b\nC: planted-secret"), "a header has the form"),
        (("--extra-body", "[planted-secret"), "not a JSON object"),
        (("--extra-body", '{"a": NaN, "b": "planted-secret"}'), "not a JSON object"),
        (("--extra-body", '{"a": 1e999, "b": "planted-secret"}'), "not a JSON object"),
        (("--extra-body", '{"a": "\\ud800", "b": "planted-secret"}'), "not a JSON object"),
        (("--extra-body", f'{{"a": {"[" * 3000}'), "not a JSON object"),
        (("--extra-body", '{"messages": "planted-secret"}'), "lb run itself sets messages"),
        (("--max-tokens", "0"), "--max-tokens"),
    ],
)
def test_wrong_options_are_usage_errors_without_their_values(
    folder: Folder, server: ScriptedServer, more: tuple[str, ...], told: str
) -> None:
    """Exit code 2, nothing is asked, and what may be a secret is not repeated."""
    code, stderr = run(folder, server, *more)
    assert (2, True) == (code, told in " ".join(stderr.split())), stderr
    assert "planted-secret" not in stderr
    assert not server.seen
