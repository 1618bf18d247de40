"""`lb run`: options, messages, exit codes; killed, interrupted and resumed processes."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from cli.output.run_output import report_early_end
from leaderboard.machine.clock import today
from tests.conftest import PROJECT, Folder
from tests.runners.model_board import KEY, add_suites
from tests.runners.scripted_server import (
    Answer,
    Script,
    ScriptedServer,
    Seen,
    completion,
    refused,
    said,
    serving,
)
from tests.write_faults import full_disk

BARE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for OpenAI alone."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def board(folder: Folder) -> Folder:
    add_suites(folder)
    return folder


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Answers every question with its own words."""
    with serving(echo) as running:
        yield running


def echo(seen: Seen) -> Answer:
    return said(seen, f"About {seen.query}")


def options(
    server: ScriptedServer, *more: str, model: str = "openai:scripted-1"
) -> tuple[str, ...]:
    return ("run", "--model", model, "--suite", "small", "--base-url", server.openai, *more)


def records(folder: Folder, submission: str = "scripted-1", suite: str = "small") -> list[Any]:
    path = folder.root / f"submissions/{submission}/{suite}.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["test_results"])


# ---------------------------------------------------------------- a run


def test_a_run_makes_a_submission_that_validates(board: Folder, server: ScriptedServer) -> None:
    """One command asks every case. The message says what was made, and it validates."""
    result = board.lb(
        *options(server, "--organization", "My lab", "--name", "Mine", "--date", "2026-05-18")
    )
    assert 0 == result.exit_code, result.stderr
    assert "submissions/scripted-1/: 5 answers, 5 of them new, written" in result.stderr
    assert "validate scripted-1" in result.stderr
    assert 0 == board.lb("validate", "scripted-1").exit_code
    card = json.loads(board.tree("submissions/scripted-1")["submission.json"])
    assert ("Mine", "My lab", "2026-05-18") == (card["name"], card["organization"], card["date"])


@pytest.mark.large
def test_gemini_is_asked_natively(
    board: Folder, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`google:NAME` speaks generateContent, with the key of either variable."""
    monkeypatch.setenv("GOOGLE_API_KEY", "g-key-123456")
    result = board.lb(
        "run",
        "--model",
        "google:scripted-1",
        "--suite",
        "small",
        "--base-url",
        server.url,
        "--limit",
        "1",
    )
    assert 0 == result.exit_code, result.stderr
    assert ["/v1beta/models/scripted-1:generateContent"] == [seen.path for seen in server.seen]
    assert "g-key-123456" == server.seen[0].headers["x-goog-api-key"]


def test_every_option_reaches_the_request(
    board: Folder, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Id, limit, trials, temperature, system text, key variable and raw replies take effect."""
    (tmp_path / "system.txt").write_text("Be brief.\n", encoding="utf-8")
    monkeypatch.setenv("OTHER_KEY", "other-key-1234")
    more = (
        "--id",
        "mine",
        "--limit",
        "1",
        "--trials",
        "2",
        "--temperature",
        "0.5",
        "--api-key-env",
        "OTHER_KEY",
    )
    system = (
        "--system",
        str(tmp_path / "system.txt"),
        "--concurrency",
        "1",
        "--timeout",
        "9",
        "--retries",
        "0",
    )
    result = board.lb(*options(server, *more, *system, "--keep-raw"))
    assert 0 == result.exit_code, result.stderr
    assert [1, 2] == [record["trial"] for record in records(board, "mine")]
    seen = server.seen[0]
    assert (0.5, "Be brief.", "Bearer other-key-1234") == (
        seen.body["temperature"],
        seen.system,
        seen.headers["authorization"],
    )
    assert 2 == len(
        (board.root / ".cache/runs/mine/raw/small.jsonl").read_text(encoding="utf-8").splitlines()
    )
    assert {"mine/README.md", "mine/small.json", "mine/submission.json"} == set(
        board.tree("submissions")
    )


def test_raw_replies_go_where_they_are_told(
    board: Folder, server: ScriptedServer, tmp_path: Path
) -> None:
    """`--keep-raw DIR` puts them into that folder; without the option there are none."""
    assert (
        0
        == board.lb(*options(server, "--limit", "1", "--keep-raw", str(tmp_path / "raw"))).exit_code
    )
    assert ["small.jsonl"] == [path.name for path in (tmp_path / "raw").iterdir()]
    assert 0 == board.lb(*options(server, "--limit", "1", "--id", "other")).exit_code
    assert [] == list((board.root / ".cache").rglob("raw"))


def test_no_temperature_and_no_tools_can_be_asked_for(
    board: Folder, server: ScriptedServer
) -> None:
    """`--temperature none` sends none; `--no-tools` offers none. Environments need their tools."""
    assert (
        0
        == board.lb(
            *options(server, "--limit", "1", "--temperature", "none", "--no-tools")
        ).exit_code
    )
    assert not {"temperature", "tools", "tool_choice"} & set(server.seen[0].body)
    result = board.lb(
        "run", "--model", "openai:m", "--suite", "acts", "--base-url", server.openai, "--no-tools"
    )
    assert (1, True) == (result.exit_code, "cannot be answered without tools" in result.stderr)


@pytest.mark.large
def test_several_suites_make_one_submission(board: Folder, server: ScriptedServer) -> None:
    """`--suite` may be given again: all answers go into one folder."""
    result = board.lb(*options(server, "--suite", "match", "--suite", "small"))
    assert 0 == result.exit_code, result.stderr
    assert {"README.md", "match.json", "small.json", "submission.json"} == set(
        board.tree("submissions/scripted-1")
    )
    assert "7 answers" in result.stderr


@pytest.mark.large
def test_errors_are_told_and_can_be_asked_again(board: Folder) -> None:
    """What came to an error is listed, and the command that asks again is named; it works."""
    failing = [True]

    def script(seen: Seen) -> Answer:
        return refused(500, "oops") if failing and "B001" in seen.query else echo(seen)

    with serving(script) as server:
        result = board.lb(*options(server, "--retries", "0"))
        assert 0 == result.exit_code, result.stderr
        assert "B001: answered 500: oops" in result.stderr
        assert "1 case got no reply; ask again with\n  lb --workspace " in result.stderr
        failing.clear()
        again = board.lb(*options(server, "--retries", "0", "--resume"))
    assert "5 answers, 1 of them new, written" in again.stderr
    assert [] == [record for record in records(board) if "error" in record]


@pytest.mark.large
@pytest.mark.parametrize("body", [{"choices": [{}]}, {"choices": [{"message": {"content": None}}]}])
def test_a_run_without_a_single_answer_writes_no_submission(
    board: Folder, body: dict[str, Any]
) -> None:
    """Replies without a call and a text are a fault of the server, not zero points."""
    with serving(lambda _seen: Answer(body)) as server:
        result = board.lb(*options(server))
    assert 1 == result.exit_code
    assert "5 replies to small have neither a call nor text" in result.stderr
    assert "delete .cache/runs/scripted-1/small.jsonl and run the same command" in result.stderr
    assert not (board.root / "submissions/scripted-1").exists()


def test_a_run_counts_what_its_answers_have(board: Folder) -> None:
    """An empty answer is seen before it is scored."""

    def some(seen: Seen) -> Answer:
        silent = {"choices": [{"message": {"content": None}}]}
        return echo(seen) if "B001" in seen.query else Answer(silent)

    with serving(some) as server:
        result = board.lb(*options(server))
    assert 0 == result.exit_code, result.stderr
    assert "0 with calls, 1 with a text, 4 empty" in result.stderr


@pytest.mark.large
def test_a_run_counts_replies_that_were_cut_off_and_calls_that_cannot_be_read(
    board: Folder,
) -> None:
    """Also those of an earlier run that is continued."""

    def some(seen: Seen) -> Answer:
        if "B001" in seen.query:
            return completion("It is", finish="length")
        if "B002" in seen.query:
            return completion("It is", finish="content_filter")
        return completion(calls=[("convert_units", '{"value": 3')])

    with serving(some) as server:
        board.lb(*options(server, "--limit", "4"))
        result = board.lb(*options(server, "--resume"))
    assert 0 == result.exit_code, result.stderr
    assert "  3 with arguments that are not JSON, or a call without a name\n" in result.stderr
    assert "  1 cut off at the token limit, which --max-tokens raises\n" in result.stderr
    assert "  1 unfinished, or ended by a filter\n" in result.stderr


def test_a_server_that_answers_nonsense_is_not_called_absent(board: Folder) -> None:
    """It runs. And what was asked in vain is no answer."""
    with serving(lambda _seen: Answer(b"model overloaded")) as server:
        told = board.lb(*options(server, "--retries", "0")).stderr
    assert "the server fails: try again later, or look at its log" in told
    assert "small: 5 of 5 asked" in told


@pytest.mark.large
def test_a_run_counts_thoughts_that_were_removed(board: Folder) -> None:
    """Servers without a parser of reasoning leave them in the text."""
    with serving(lambda seen: said(seen, "<think>Hm.</think>Yes.")) as server:
        told = board.lb(*options(server)).stderr
    assert "  5 with thoughts at the start of the text or of a line, which were removed\n" in told


@pytest.mark.large
def test_a_run_that_only_thinks_says_so(board: Folder) -> None:
    """The replies have no answer, and a higher limit may help."""
    with serving(lambda seen: said(seen, "<think>Hm.")) as server:
        told = board.lb(*options(server)).stderr
    assert (
        "neither a call nor text; 5 cut off during the thoughts: --max-tokens may be too low"
        in told
    )


@pytest.mark.large
def test_a_run_counts_tokens_and_thoughts_that_never_end(board: Folder) -> None:
    """The one may be a fault of the server, and the other one of a limit that is too low."""

    def answer(seen: Seen) -> Answer:
        is_first = seen.query == "3 metres in yards?"
        return said(seen, "<think>Hm. It" if is_first else "Yes.<|im_end|>")

    with serving(answer) as server:
        told = board.lb(*options(server)).stderr
    assert "4 with a text, 1 empty\n  1 cut off during the thoughts, without an answer;" in told
    assert "  4 with tokens of a chat template around the text, which were removed\n" in told


@pytest.mark.large
def test_nothing_moves_in_a_log(board: Folder, server: ScriptedServer) -> None:
    """Without a terminal there is no progress bar: no carriage return, no escape."""
    result = board.lb(*options(server))
    assert not {"\r", "\x1b"} & set(result.stderr)
    assert "" == result.stdout


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (
            ["--model", "gpt-x"],
            "is not one of openai:NAME, google:NAME, vertex:NAME, anthropic:NAME",
        ),
        (
            ["--model", "openai:"],
            "is not one of openai:NAME, google:NAME, vertex:NAME, anthropic:NAME",
        ),
        (
            ["--model", "mistral:m"],
            "is not one of openai:NAME, google:NAME, vertex:NAME, anthropic:NAME",
        ),
        (["--model", "openai:m"], "--suite"),
        (
            ["--model", "openai:m", "--suite", "none"],
            "no suite 'none'; choose one of: acts, match, small",
        ),
        (
            ["--model", "openai:m", "--suite", "small", "--base-url", "localhost:8000"],
            "start it with http:// or https://",
        ),
        (
            ["--model", "openai:m", "--suite", "small", "--temperature", "warm"],
            "'warm' is not a valid",
        ),
        (["--model", "openai:m", "--suite", "small", "--trials", "0"], "--trials"),
        (["--model", "openai:m", "--suite", "small", "--rate", "0"], "--rate"),
        (["--model", "openai:m", "--suite", "small", "--timeout", "inf"], "--timeout"),
        (
            ["--model", "openai:m", "--suite", "small", "--temperature", "nan"],
            "'nan' is not a finite number",
        ),
        (
            ["--model", "baseline:oracle", "--suite", "small", "--trials", "2"],
            "a baseline takes no --trials",
        ),
        (
            ["--model", "baseline:oracle", "--resume", "--system", "x"],
            "a baseline takes no --system, --resume",
        ),
        (
            ["--model", "openai:m", "--agent", "agno", "--suite", "x", "--selector-model", "y"],
            "--selector-model needs --selector llm",
        ),
    ],
)
def test_wrong_usage_is_a_message(board: Folder, arguments: list[str], what: str) -> None:
    """Exit code 2, before anything is asked or written."""
    result = board.lb("run", *arguments)
    assert (2, True) == (result.exit_code, what in result.stderr), result.stderr
    assert not (board.root / "submissions").exists()


def test_a_missing_key_is_exit_code_2(board: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable to set; nothing is written."""
    monkeypatch.delenv("OPENAI_API_KEY")
    result = board.lb("run", "--model", "openai:m", "--suite", "small")
    assert (2, True) == (result.exit_code, "OPENAI_API_KEY is not set" in result.stderr)
    result = board.lb("run", "--model", "google:m", "--suite", "small")
    assert (2, True) == (
        result.exit_code,
        "GEMINI_API_KEY or GOOGLE_API_KEY is not set" in result.stderr,
    )
    assert not (board.root / ".cache").exists()


def test_a_key_is_never_an_option(board: Folder) -> None:
    """Command lines end up in histories and process lists: there is no option that takes a key."""
    result = board.lb("run", "--model", "openai:m", "--suite", "small", "--api-key", KEY)
    assert (2, True) == (result.exit_code, "No such option" in result.stderr)


@pytest.mark.large
def test_a_bad_key_stops_with_one_message(board: Folder) -> None:
    """401 is exit code 1 with what the server said, not an error for every case."""
    with serving(lambda _seen: refused(401, "Incorrect API key provided")) as server:
        result = board.lb(*options(server))
    assert 1 == result.exit_code
    refusal = "openai:scripted-1: answered 401: Incorrect API key provided"
    assert f"{refusal}: the run was stopped, nothing was answered" in result.stderr
    assert not (board.root / "submissions").exists()


def test_a_system_text_that_cannot_be_read_is_a_message(
    board: Folder, server: ScriptedServer, tmp_path: Path
) -> None:
    """A file that is not there, or is not text, is reported before anything is asked."""
    (tmp_path / "odd").write_bytes(b"\xff\xfe\x00")
    folder = "is a folder, not a file (name a file)"
    refused = {"none": "cannot be read", "odd": "is not UTF-8", ".": folder}
    for name, what in refused.items():
        result = board.lb(*options(server, "--system", str(tmp_path / name)))
        assert (1, True) == (result.exit_code, what in result.stderr)
    assert [] == server.seen


# ---------------------------------------------------------------- baselines


def test_a_baseline_answers_what_it_can(board: Folder) -> None:
    """Without --suite a baseline answers the suites of its kinds. It refuses any other suite."""
    assert 0 == board.lb("run", "--model", "baseline:planner", "--date", "2026-05-18").exit_code
    assert ["README.md", "acts.json", "submission.json"] == list(
        board.tree("submissions/baseline-planner")
    )
    assert ["hi", "ab", None] == [
        record.get("state") for record in records(board, "baseline-planner", "acts")
    ]
    result = board.lb("run", "--model", "baseline:planner", "--suite", "small")
    assert (1, True) == (
        result.exit_code,
        "which baseline:planner does not answer" in result.stderr,
    )
    result = board.lb("run", "--model", "baseline:genius")
    assert (1, True) == (result.exit_code, "is not a baseline" in result.stderr)


def test_a_baseline_that_the_board_does_not_list_is_refused_before_it_runs(board: Folder) -> None:
    """A board of `lb init` lists no baselines. The message has the line to write."""
    settings = board.tree(".")["leaderboard.toml"].decode()
    board.write("leaderboard.toml", settings.replace("title", "baselines = []\ntitle", 1))
    result = board.lb("run", "--model", "baseline:planner")
    assert (1, {}) == (result.exit_code, board.tree("submissions"))
    assert 'write baselines = ["baseline-planner"]' in result.stderr
    named = settings.replace("title", 'baselines = ["baseline-planner"]\ntitle', 1)
    board.write("leaderboard.toml", named)
    assert 0 == board.lb("run", "--model", "baseline:planner").exit_code


def test_running_a_baseline_again_changes_nothing(board: Folder) -> None:
    """The date on the card stays that of the first run."""
    assert 0 == board.lb("run", "--model", "baseline:oracle", "--date", "2026-05-18").exit_code
    before = board.tree("submissions")
    result = board.lb("run", "--model", "baseline:oracle")
    assert (0, True) == (result.exit_code, "unchanged" in result.stderr)
    assert before == board.tree("submissions")
    card = board.root / "submissions" / "baseline-oracle" / "submission.json"
    card.write_text(card.read_text().replace("2026-05-18", ""))
    assert 0 == board.lb("run", "--model", "baseline:oracle").exit_code
    assert f'"date": "{today()}"' in card.read_text()


# -------------------------------------------------------------- killed, interrupted, on a terminal

# The command with a constant clock, because latencies differ between two runs.
PROGRAM = """
import sys
import runners.models.model_run
from cli.main import app
class Still(runners.models.model_run.Clock):
    def now(self):
        return 0.0
runners.models.model_run.Clock = Still
app()
"""


def start(folder: Folder, arguments: tuple[str, ...], **how: Any) -> subprocess.Popen[bytes]:
    """`lb` in a process of its own, in the project's folder."""
    command = [sys.executable, "-c", PROGRAM, "--workspace", str(folder.root), *arguments]
    return subprocess.Popen(
        command, cwd=PROJECT, env=os.environ | {"PYTHONPATH": str(PROJECT)}, **how
    )


def held(until: threading.Event, free: int) -> Script:
    """Answers the first questions at once; the others wait for the event."""

    def script(seen: Seen) -> Answer:
        if seen.number >= free:
            until.wait(30)
        return echo(seen)

    return script


def when_kept(folder: Folder, answers: int, submission: str = "scripted-1") -> None:
    """Waits until so many answers are in the journal."""
    journal = folder.root / f".cache/runs/{submission}/small.jsonl"
    for _ in range(600):
        if journal.exists() and journal.read_bytes().count(b"\n") > answers:
            return
        time.sleep(0.05)
    raise AssertionError(f"no {answers} answers within 30 seconds")


@pytest.mark.large
@pytest.mark.parametrize("provider", ["openai", "google"])
def test_killed_and_resumed_equals_undisturbed(
    board: Folder, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL loses no answer. Resumed, nothing is asked twice, and the bytes are the same."""
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    until = threading.Event()
    with serving(held(until, 3)) as server:
        address = server.url if provider == "google" else server.openai
        asked = (
            "run",
            "--model",
            f"{provider}:scripted-1",
            "--suite",
            "small",
            "--base-url",
            address,
            "--date",
            "2026-05-18",
        )
        process = start(board, (*asked, "--concurrency", "1"), stderr=subprocess.DEVNULL)
        when_kept(board, 3)
        process.send_signal(signal.SIGKILL)
        assert -signal.SIGKILL == process.wait(30)
        assert not (board.root / "submissions").exists()
        until.set()
        answered = server.queries[:3]
        resumed = start(board, (*asked, "--resume"), stderr=subprocess.PIPE)
        _, told = resumed.communicate(timeout=60)
        assert (0, True) == (resumed.returncode, b"5 answers, 2 of them new" in told), told
        assert all(1 == server.queries.count(query) for query in answered)
        undisturbed = start(board, (*asked, "--id", "whole"), stderr=subprocess.DEVNULL)
        assert 0 == undisturbed.wait(60)
    assert board.tree("submissions/scripted-1") == board.tree("submissions/whole")


def test_sigterm_before_the_first_request_has_its_own_exit_code() -> None:
    """Nothing is kept yet, and nothing can be continued."""
    context = click.Context(click.Command("run"))
    with pytest.raises(click.exceptions.Exit) as ended, report_early_end(context):
        signal.raise_signal(signal.SIGTERM)
    assert 143 == ended.value.exit_code


def test_a_command_in_the_background_still_ignores_ctrl_c() -> None:
    """SIGTERM needs the handler of Ctrl-C, and the shell asked for none."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with report_early_end(click.Context(click.Command("run"))):
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.large
@pytest.mark.parametrize(
    ("number", "ctrl_c", "code"),
    [
        (signal.SIGINT, signal.default_int_handler, 130),
        (signal.SIGTERM, signal.default_int_handler, 143),
        (signal.SIGTERM, signal.SIG_IGN, 143),
    ],
)
def test_a_signal_says_what_is_kept_and_how_to_go_on(
    board: Folder, number: int, ctrl_c: Any, code: int
) -> None:
    """It prints counts and the command to continue, and that command works.

    Commands in the background of a shell ignore Ctrl-C.
    """
    until = threading.Event()
    with serving(held(until, 2)) as server:
        before = signal.signal(signal.SIGINT, ctrl_c)
        try:
            process = start(board, options(server, "--concurrency", "2"), stderr=subprocess.PIPE)
        finally:
            signal.signal(signal.SIGINT, before)
        when_kept(board, 2)
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
        until.set()
        assert code == process.returncode, told
        assert b"Traceback" not in told
        kept, command = told.decode().splitlines()[-2:]
        assert "interrupted: 2 of 5 answers to small are kept; continue with" == kept
        assert command.startswith("  lb --workspace ")
        arguments = command.split()[3:]
        assert ("run", "--resume") == (arguments[0], arguments[-1])
        assert 0 == board.lb(*arguments).exit_code
    assert 5 == len(records(board))


def test_a_full_disk_says_which_file_what_is_kept_and_how_to_go_on(
    board: Folder, server: ScriptedServer
) -> None:
    """The exit code is 1, --quiet hides nothing of it, and the printed command works."""
    with full_disk(1_000):
        result = board.lb(*options(server, "--concurrency", "1", "--quiet"))
    assert 1 == result.exit_code
    error, kept, command = result.stderr.splitlines()[-3:]
    journal = board.root / ".cache/runs/scripted-1/small.jsonl"
    assert f"error: {journal}: File too large" == error
    number = len(journal.read_bytes().split(b"\n")) - 2  # besides the header and the empty end
    assert number > 0
    assert (
        f"the run was stopped: {number} of 5 answers to small are kept; make the file writable,"
        " then continue with this command:"
    ) == kept
    again = board.lb(*command.split()[3:])
    assert 0 == again.exit_code, again.stderr
    assert 5 == len(records(board))
    assert 5 + 1 == len(server.seen)  # The answer that could not be kept is asked for again.


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_the_advice_for_a_full_disk_is_to_free_space(
    board: Folder, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Also if an answer cannot be synchronised with the disk, and the file is not named.

    Such an answer does not count as kept: a power cut could lose it.
    """

    def fail(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        result = board.lb(*options(server, "--limit", "1"))
    assert 1 == result.exit_code
    assert f"small.jsonl: {os.strerror(number)}\n" in result.stderr
    assert "0 of 1 answers to small are kept; make space on the disk, then" in result.stderr


@pytest.mark.large
def test_a_terminal_shows_a_progress_bar(board: Folder, server: ScriptedServer) -> None:
    """On a terminal a bar counts up to all cases of the suite."""
    leader, follower = pty.openpty()
    process = start(board, options(server), stderr=follower, stdin=follower)
    os.close(follower)
    shown = b""
    try:
        while chunk := os.read(leader, 65536):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(leader)
    assert 0 == process.wait(30)
    lines = BARE.sub(b"", shown).replace(b"\r", b"\n").decode()
    assert re.search(r"small  \[#+\]  5/5", lines), lines
    assert "5 answers, 5 of them new" in lines
