"""Recording judge calls through vcrpy: many threads inside one vcr context, every completed call on the disk at once.

vcrpy's own cassette scans linearly, keeps everything in memory until the end and saves in one piece. This one answers
nothing, hands each exchange on as soon as it is complete, and saves nothing: the journal does. Nothing can fail while vcrpy's
patches are being taken off, so they never stay.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any, Final

from vcr.cassette import Cassette  # type: ignore[import-untyped]
from vcr.filters import decode_response  # type: ignore[import-untyped]
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]
from vcr.serializers.compat import convert_to_unicode  # type: ignore[import-untyped]

from leaderboard.digest import canonical
from leaderboard.errors import FilesError, JudgeError, Problem
from leaderboard.types import Json, JudgeSettings
from replay.cassettes import cassette_file, redaction
from replay.cassettes.cassette_index import Recorded
from replay.providers.clients import CallError, Client, Opener, open_client
from replay.providers.embedded import serving
from replay.recording.journal import SHOWN, Journal
from replay.recording.orders import Order, Outcome, Progress

# Only what the two SDKs talk over; the rest of the process is left alone.
_UNUSED: Final = ("httplib", "requests", "boto3", "urllib3", "httplib2", "tornado", "aiohttp")
# So many calls in a row without a reply mean that the judge is out of reach, not that these calls are odd.
_MOST_FAILURES: Final = 5


class _PassingCassette(Cassette):  # type: ignore[misc]
    """A vcrpy cassette that plays nothing back and hands every completed exchange on."""

    def __init__(self, keep: Callable[[Json], None], **settings: Any) -> None:
        super().__init__(**settings)
        self._keep = keep

    def _load(self) -> None:
        self.rewound = True

    def _save(self, force: bool = False) -> None:
        """Nothing to save: it is all in the journal."""

    def can_play_response_for(self, request: Any) -> bool:  # noqa: ARG002
        return False

    def append(self, request: Any, response: Any) -> None:
        sent = self._before_record_request(request)
        got = self._before_record_response(copy.deepcopy(response))
        if sent is not None and got is not None:
            self._keep(
                {
                    "request": convert_to_unicode(sent._to_dict()),  # noqa: SLF001
                    "response": convert_to_unicode(got),
                }
            )


@contextmanager
def intercepted(keep: Callable[[Json], None]) -> Iterator[None]:
    """While the context lasts, every successful JSON exchange over httpx or httpx2 is cleaned and handed to `keep`."""
    with _PassingCassette.use(
        path="(journal)",
        keep=keep,
        record_mode=RecordMode.ALL,
        before_record_request=redaction.before_record_request,
        before_record_response=lambda got: redaction.before_record_response(decode_response(got)),
        skip_patchers=_UNUSED,
    ):
        yield


class Recorder:
    """Asks judges and keeps what they say, with `jobs` calls under way at a time.

    Clients (and the embedded judge's server) are opened when first needed and stay open as long as `stack` does. vcrpy's
    patches are in place only while calls are under way.
    """

    def __init__(
        self,
        journal: Journal,
        stack: ExitStack,
        jobs: int,
        opener: Opener = open_client,
        progress: Progress | None = None,
    ) -> None:
        self._journal = journal
        self._stack = stack
        self._clients: dict[str, Client] = {}
        self._embedded: str | None = None
        self._jobs = max(1, jobs)
        self._opener = opener
        self._progress = progress
        self._orders: Mapping[str, Order] = {}
        self._kept: dict[str, Recorded] = {}
        self._unwritable: OSError | None = None
        self._lock = threading.Lock()

    def record(self, orders: Sequence[Order]) -> list[Outcome]:
        """Ask every order's call, each once, and keep the replies; the outcomes stand in the order of the orders.

        Raises JudgeError when a judge cannot be asked at all. Whatever ends it, Ctrl-C included: completed calls are kept.
        """
        self._orders = {order.key: order for order in orders}
        for order in orders:
            if _client_key(order.call.judge) not in self._clients:
                self._clients[_client_key(order.call.judge)] = self._open(order.call.judge)
        with intercepted(self._keep):
            failures = self._ask_all(orders)
        return [self._outcome(order, failures) for order in orders]

    def _open(self, judge: JudgeSettings) -> Client:
        if judge.provider == "embedded" and self._embedded is None:
            self._embedded = self._stack.enter_context(serving())
        client = self._opener(judge, self._embedded if judge.provider == "embedded" else None)
        self._stack.callback(client.close)
        return client

    def _ask_all(self, orders: Sequence[Order]) -> dict[str, str]:
        """Ask all, `jobs` at a time; why each failed call failed, by key."""
        failures: dict[str, str] = {}
        in_a_row = done = 0
        left = iter(orders)
        with ThreadPoolExecutor(self._jobs, thread_name_prefix="judge") as pool:
            under_way = self._start(pool, left, self._jobs)
            while under_way:
                finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in finished:
                    order = under_way.pop(future)
                    error = _error_of(future)
                    in_a_row = in_a_row + 1 if error else 0
                    if error:
                        failures[order.key] = str(error)
                    if self._unwritable:
                        raise _unwritable_error(self._unwritable)
                    if error and (error.hopeless or in_a_row >= _MOST_FAILURES):
                        raise _judge_error(order, error)
                done += len(finished)
                if self._progress:
                    self._progress(done, len(orders))
                under_way |= self._start(pool, left, self._jobs - len(under_way))
        return failures

    def _start(
        self, pool: ThreadPoolExecutor, left: Iterator[Order], number: int
    ) -> dict[Future[str], Order]:
        """Begin the next calls; only as many as can run at once, so that Ctrl-C leaves no queue behind."""
        started = {}
        for order in islice(left, number):
            client = self._clients[_client_key(order.call.judge)]
            started[pool.submit(client.ask, order.call.prompt)] = order
        return started

    def _keep(self, interaction: Json) -> None:
        exchange = cassette_file.exchange(interaction)
        order = self._orders.get(exchange.key)
        if order is None:
            return  # not asked by this recorder
        try:
            self._journal.keep(order.file, interaction)
        except OSError as error:  # raised here it would look like a broken connection to the SDK, which would ask again
            self._unwritable = error
            return
        with self._lock:
            self._kept[order.key] = Recorded(order.key, exchange.text, order.file, -1)

    def _outcome(self, order: Order, failures: Mapping[str, str]) -> Outcome:
        recorded = self._kept.get(order.key)
        why = failures.get(
            order.key,
            "the reply holds no choice, or the SDK sent another request than its settings describe",
        )
        return Outcome(order, recorded, "" if recorded else why)


def _client_key(judge: JudgeSettings) -> str:
    """A judge may be asked with several settings, each over its own client."""
    return f"{judge.name} {canonical(judge.settings).decode()}"


def _error_of(future: Future[str]) -> CallError | None:
    error = future.exception()
    if error is None or isinstance(error, CallError):
        return error
    raise error


def _unwritable_error(error: OSError) -> FilesError:
    what = f"cannot be written: {error.strerror or error}"
    return FilesError(
        Problem(SHOWN, what, "make room or mend its permissions; what was kept before stays kept")
    )


def _judge_error(order: Order, error: CallError) -> JudgeError:
    fix = "check its model, its address and its key; what was answered so far is kept"
    return JudgeError(
        Problem("leaderboard.toml", str(error), fix, at=f"judges.{order.call.judge.name}")
    )
