"""Sharing work between forked processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from leaderboard.errors import FilesError, Problem, ToolboardError
from leaderboard.machine.processes import in_processes, processors, tickets
from tests.conftest import PROJECT

ALONE = """
import os
from leaderboard.machine.processes import in_processes, processors
assert processors() == len(os.sched_getaffinity(0))
print(in_processes(lambda some: (os.getpid(), list(some)), range(7), 3))
"""


@pytest.mark.large
def test_every_process_does_its_share_in_order() -> None:
    """The results of consecutive shares come back in order, from as many processes."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    found = eval(done.stdout, {})
    assert [[0, 1, 2], [3, 4, 5], [6]] == [share for _, share in found]
    assert 3 == len({process for process, _ in found})


SLEEPING = """
import os, time
from leaderboard.machine.processes import in_processes
def work(some):
    os.write(1, b"%d\\n" % os.getpid())  # at once, not between the letters of the other
    time.sleep(60)
in_processes(work, range(2), 2)
"""


@pytest.mark.large
def test_processes_end_with_the_one_that_started_them() -> None:
    """A command that is killed leaves nobody who goes on writing."""
    started = subprocess.Popen(
        [sys.executable, "-c", SLEEPING], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    with started:
        assert started.stdout is not None
        forked = [int(started.stdout.readline()) for _ in range(2)]
        started.kill()
    until = time.monotonic() + 30
    while any(map(_works, forked)):
        assert time.monotonic() < until
        time.sleep(0.01)


def _works(process: int) -> bool:
    """Whether a process runs. One that has ended can wait for init to take note of it."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_no_items_are_one_empty_share() -> None:
    """Without anything to do, the work is called once."""
    assert [[]] == in_processes(list, [], 2)


def test_a_process_with_threads_does_not_fork() -> None:
    """A lock that a thread holds would stay locked in the new process."""
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert 1 == processors()
    finally:
        stop.set()
        thread.join()


@pytest.mark.large
def test_the_error_of_another_process_is_raised() -> None:
    """Problems that another process found are errors here."""

    def work(some: object) -> None:
        if some == [2]:
            raise FilesError(Problem("a file", "is broken"))

    with pytest.raises(FilesError, match="a file: is broken"):
        in_processes(work, [1, 2], 2)


@pytest.mark.large
def test_a_process_that_cannot_start_its_work_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It never goes on with the work of the process that it was forked from."""

    def fail(_parent: int) -> None:
        raise OSError("no such call")

    monkeypatch.setattr("leaderboard.machine.processes._end_with", fail)
    with pytest.raises(OSError, match="no such call"):
        in_processes(list, [1, 2], 2)


@pytest.mark.large
def test_a_process_that_is_killed_is_an_error() -> None:
    """Half a result is never taken for the whole, and the user reads why there is none."""

    def work(some: object) -> None:
        if some == [2]:
            os._exit(9)

    with pytest.raises(ToolboardError, match="a worker process: was killed, perhaps because memor"):
        in_processes(work, [1, 2], 2)


@pytest.mark.large
def test_an_error_that_cannot_be_sent_keeps_its_words() -> None:
    """An error may hold what no other process can have. It is no lack of memory."""

    def work(some: object) -> None:
        if some == [2]:
            raise ValueError("a bug", lambda: 0)

    with pytest.raises(RuntimeError, match=r"ValueError\('a bug', "):
        in_processes(work, [1, 2], 2)


@pytest.mark.large
def test_each_number_is_taken_by_one_process() -> None:
    """Processes share numbers in order, and a process that is slow leaves more to the other."""
    with tickets(5000) as numbers:
        first, second = in_processes(lambda _: list(numbers), ["a", "b"], 2)
        assert sorted(first + second) == list(range(5000))
        assert first == sorted(first)
        assert second == sorted(second)
        assert [] == list(numbers)
