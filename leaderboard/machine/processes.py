"""Work on several processors, where forking a process is safe."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import tempfile
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from leaderboard.errors import ToolboardError

_PR_SET_PDEATHSIG: Final = 1  # of linux/prctl.h

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def processors() -> int:
    """How many processes can work at the same time: 1 where forking is not safe.

    A thread that holds a lock while a process forks would lock the new process for good. Polars
    starts its threads with its first operation.
    """
    tasks = Path("/proc/self/task")
    if sys.platform != "linux" or not tasks.is_dir() or len(list(tasks.iterdir())) > 1:
        return 1
    return len(os.sched_getaffinity(0)) if threading.active_count() == 1 else 1


def in_processes(
    work: Callable[[Sequence[_Item]], _Result], items: Sequence[_Item], processes: int
) -> list[_Result]:
    """The results of work on consecutive shares of the items, in order.

    Each share has a forked process, which takes the memory of its work with it when it ends. One
    share alone is done here. An error in a process is raised here. Results must be picklable.
    """
    size = -(-len(items) // processes) if items else 1
    shares = [items[start : start + size] for start in range(0, len(items), size)] or [items]
    if len(shares) == 1:
        return [work(shares[0])]
    forks = [_Fork(work, share) for share in shares]
    try:
        return [fork.result() for fork in forks]
    finally:
        for fork in forks:
            fork.end()


@contextmanager
def tickets(count: int) -> Iterator[Iterator[int]]:
    """The numbers from 0 to `count` - 1, in order, for processes that are forked meanwhile.

    Each process gets the numbers that no other has taken yet, so that one which is done earlier
    takes more.
    """
    # Forked processes share the position in an open file.
    with tempfile.TemporaryFile(buffering=0) as file:
        array("Q", range(count)).tofile(file)
        file.seek(0)
        yield (array("Q", taken)[0] for taken in iter(lambda: file.read(8), b""))


class _Fork:
    """A forked process that does one share of the work."""

    def __init__(self, work: Callable[[Sequence[Any]], Any], share: Sequence[Any]) -> None:
        reader, writer = os.pipe()
        parent = os.getpid()
        self._process = os.fork()
        if self._process == 0:
            os.close(reader)
            _work_and_exit(work, share, writer, parent)
        os.close(writer)
        self._pipe = os.fdopen(reader, "rb")

    def result(self) -> Any:
        """Waits for the result, or raises the error of the other process."""
        data = self._pipe.read()
        if not data:
            what = "was killed, perhaps because memory ran out"
            raise ToolboardError.about("a worker process", what, "free memory, and try again")
        done, result = pickle.loads(data)  # noqa: S301 - this process has forked the writer
        if not done:
            raise result
        return result

    def end(self) -> None:
        """Waits for the end of the process, which can write no more."""
        self._pipe.close()
        os.waitpid(self._process, 0)


def _end_with(parent: int) -> None:
    """Lets Linux kill this process when its parent is killed, and nobody waits for its work."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was killed before
        os._exit(1)


def _pickled_error(error: Exception) -> bytes:
    """An error for the parent to raise: another one with its words, if it cannot be pickled."""
    try:
        return pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - an error may hold anything
        return pickle.dumps((False, RuntimeError(repr(error))), pickle.HIGHEST_PROTOCOL)


def _work_and_exit(
    work: Callable[[Sequence[Any]], Any], share: Sequence[Any], writer: int, parent: int
) -> None:
    """Writes the pickled result or error, and leaves the handlers and files of the parent alone."""
    try:
        try:
            _end_with(parent)
            answer = pickle.dumps((True, work(share)), pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 - the parent raises it
            answer = _pickled_error(error)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(answer)
    finally:
        os._exit(0)
