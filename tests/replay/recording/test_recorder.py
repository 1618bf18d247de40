"""Recordings that are interrupted: every completed call is kept, and none is asked again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leaderboard.types import JudgeCall
from replay.asker import open_asker
from replay.cassettes.cassette_index import Index
from replay.recording import journal
from tests.conftest import PROJECT
from tests.replay.cassette_files import interaction
from tests.replay.judge_server import JudgeServer, judge_server

CALLS = 60
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PROJECT)}
RECORD = """
import sys
from pathlib import Path
from leaderboard.types import JudgeCall, JudgeSettings
from replay.asker import open_asker

root, url, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
judge = JudgeSettings("gpt", "openai", "gpt-test", url + "/v1", {"temperature": 0, "seed": 7})
with open_asker(root, record_mode="new_episodes", jobs=4) as ask:
    print("ready", flush=True)
    calls = [JudgeCall(judge, "s", f"sub-{at % 3}", f"call {at}") for at in range(count)]
    replies = ask(calls)
    print(ask.recording.recorded, all(reply.text for reply in replies), flush=True)
"""


def start(root: Path, server: JudgeServer) -> subprocess.Popen[str]:
    """Starts a recording of CALLS calls in a process of its own."""
    command = [sys.executable, "-c", RECORD, str(root), server.url, str(CALLS)]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(server: JudgeServer, asked: int) -> None:
    deadline = time.monotonic() + 20
    while len(server.asked) < asked and time.monotonic() < deadline:
        time.sleep(0.002)


def kept(root: Path) -> int:
    """Counts the calls in cassettes and the whole lines of the journal."""
    path = journal.path_of(root)
    return len(list(Index.load(root))) + (path.read_bytes().count(b"\n") if path.exists() else 0)


@pytest.mark.large
def test_a_killed_recording_keeps_what_was_answered(tmp_path: Path) -> None:
    """A killed recording resumes, and asks again only for the calls that were running."""
    chance = random.Random(7)
    kills = 0
    with judge_server(delay=0.01) as server:
        for most in (8, 30):
            process = start(tmp_path, server)
            wait_for(server, len(server.asked) + chance.randrange(3, most))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            # Up to four were running: not answered, or answered and not yet on the disk.
            assert kept(tmp_path) >= len(set(server.prompts)) - 4 * kills
        said, errors = start(tmp_path, server).communicate(timeout=60)
    assert said.split()[-1] == "True", errors
    assert (CALLS, False) == (len(list(Index.load(tmp_path))), journal.path_of(tmp_path).exists())
    assert len(set(server.prompts)) == CALLS
    assert len(server.asked) <= CALLS + 4 * kills


@pytest.mark.large
def test_ctrl_c_files_what_was_answered(tmp_path: Path) -> None:
    """After Ctrl-C a recording files its calls and leaves no journal."""
    with judge_server(delay=0.02) as server:
        process = start(tmp_path, server)
        wait_for(server, 10)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert "KeyboardInterrupt" in errors
        assert (len(server.asked), False) == (
            len(list(Index.load(tmp_path))),
            journal.path_of(tmp_path).exists(),
        )
        assert len(server.asked) < CALLS


FILE = """
import os, signal, sys
from pathlib import Path
from replay.cassettes import cassette_file
from replay.recording import journal

write = cassette_file.write

def write_and_die(*cassette):
    if sys.argv[2] == "after":
        write(*cassette)
    os.kill(os.getpid(), signal.SIGKILL)

cassette_file.write = write_and_die
journal.file_leftover(Path(sys.argv[1]))
"""


@pytest.mark.large
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_while_filing_harms_nothing(tmp_path: Path, moment: str) -> None:
    """Filing that is killed at any moment starts again, and results in the same files."""
    first, second = "cassettes/j/s/a.json", "cassettes/j/s/b.json"
    with journal.open_journal(tmp_path) as cached_calls:
        for number in range(6):
            cached_calls.keep(first if number % 2 else second, interaction(str(number)))
        left = journal.path_of(tmp_path).read_bytes()
    whole = [(tmp_path / file).read_bytes() for file in (first, second)]
    for file in (first, second):
        (tmp_path / file).unlink()
    journal.path_of(tmp_path).write_bytes(left)
    command = [sys.executable, "-c", FILE, str(tmp_path), moment]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False)
    assert (-signal.SIGKILL, left) == (done.returncode, journal.path_of(tmp_path).read_bytes())
    assert journal.file_leftover(tmp_path) == 6
    assert whole == [(tmp_path / file).read_bytes() for file in (first, second)]


def test_one_judge_may_be_asked_with_several_settings(tmp_path: Path) -> None:
    """Requests of several rounds differ by their seed. Each is sent and recorded with its own."""
    with judge_server() as server:
        rounds = [server.openai(temperature=0, seed=seed) for seed in (7, 8)]
        calls = [JudgeCall(judge, "s", "a", "Is it so?") for judge in rounds]
        with open_asker(tmp_path, record_mode="new_episodes") as ask:
            replies = ask(calls)
        assert [7, 8] == sorted(asked.body["seed"] for asked in server.asked)
    with open_asker(tmp_path, offline=True) as ask:
        assert ([True, True], 2) == (
            [reply.text is not None for reply in ask(calls)],
            len({reply.key for reply in replies}),
        )
