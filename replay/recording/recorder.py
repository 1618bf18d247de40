"""Records judge calls: they are asked live, and every completed one is on the disk at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from leaderboard.digest import canonical
from leaderboard.errors import FilesError
from leaderboard.files.cassette_paths import JOURNAL
from leaderboard.network.retries import CallError
from leaderboard.types import Json, JudgeCall, JudgeSettings
from replay.asking_judges import LiveCall, ask_judges
from replay.cassettes import cassette_file
from replay.cassettes.cassette_file import Recorded
from replay.providers import open_client
from replay.providers.interface import Client
from replay.recording.journal import Journal

_NOT_KEPT: Final = (
    "its reply cannot be kept: it holds an error, a lone surrogate or bytes that are not "
    "UTF-8, or it answers another request than that of the settings. Check the judge's "
    "base_url and what its server sends"
)


@dataclass(frozen=True, slots=True)
class Order:
    """A call to record: its key, and the cassettes that it belongs to."""

    key: str
    call: JudgeCall
    files: tuple[str, ...]


@dataclass(slots=True)
class Recorder:
    """Asks judges and keeps their replies in the journal, `jobs` calls at a time.

    Clients are opened when first needed and closed with `stack`. vcrpy's patches are in place
    only while calls are running.
    """

    journal: Journal
    stack: ExitStack
    jobs: int
    _clients: dict[str, Client] = field(default_factory=dict)
    _orders: Mapping[str, Order] = field(default_factory=dict)
    _kept: dict[str, Recorded] = field(default_factory=dict)
    _write_error: OSError | None = None

    def record(self, orders: Sequence[Order]) -> list[Recorded | str]:
        """Asks the call of every order once and keeps the reply.

        Returns for each order the recorded call, or the reason why there is none. Raises JudgeError
        when a judge cannot be asked at all. Completed calls are kept, also after Ctrl-C.
        """
        # Imported late, because vcrpy is slow to import and replaying does not need it.
        from replay.recording.interception import intercepted  # noqa: PLC0415

        self._orders = {order.key: order for order in orders}
        calls = []
        for order in orders:
            judge = order.call.judge
            ask = partial(self._ask, order.key, self._client(judge))
            calls.append(LiveCall(judge, ask, order.call.prompt))
        with intercepted(self._keep):
            replies = ask_judges(calls, self.jobs, self._raise_write_error)
        # A reply without a text fails in the client, but it was paid for, and stays recorded.
        return [
            self._kept.get(order.key, str(reply))
            for order, reply in zip(orders, replies, strict=True)
        ]

    def _client(self, judge: JudgeSettings) -> Client:
        """A judge may be asked with several settings, each over a client of its own."""
        name = f"{judge.name} {canonical(judge.settings).decode()}"
        if name not in self._clients:
            self._clients[name] = open_client(judge)
            self.stack.callback(self._clients[name].close)
        return self._clients[name]

    def _ask(self, key: str, client: Client, prompt: str, pause: Callable[[float], None]) -> str:
        """Asks one call. A reply that was not kept is an error: many of them end the asking."""
        reply = client.ask(prompt, pause)
        if key not in self._kept:
            raise CallError(_NOT_KEPT)
        return reply

    def _keep(self, interaction: Json) -> None:
        exchange = cassette_file.exchange(interaction)
        order = self._orders.get(exchange.key)
        if order is None:
            return  # another part of the process sent this request
        try:
            for file in order.files:
                self.journal.keep(file, interaction, listed=order.call.judge.needs_maintainer)
        except OSError as error:
            # Raised here, it would look like a broken connection to the SDK.
            self._write_error = error
            return
        self._kept[order.key] = Recorded(order.key, exchange.text, order.files[0], -1)

    def _raise_write_error(self) -> None:
        if self._write_error:
            what = f"cannot be written: {self._write_error.strerror or self._write_error}"
            fix = "free some space or correct its permissions; the calls recorded so far are kept"
            raise FilesError.about(JOURNAL, what, fix) from self._write_error
