"""vcrpy as the recorder uses it: every successful exchange is cleaned and passed on at once.

vcrpy's own cassette scans linearly, keeps everything in memory until the end and saves in one
piece. This one replays nothing and saves nothing, so nothing can fail while vcrpy's patches are
removed, and they never stay.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from vcr.cassette import Cassette  # type: ignore[import-untyped]
from vcr.filters import decode_response  # type: ignore[import-untyped]
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]

from leaderboard.types import Json
from replay.cassettes import redaction

# Only the HTTP library of the SDKs is patched; the rest of the process is left alone.
_UNUSED: Final = ("httplib", "requests", "boto3", "urllib3", "httplib2", "tornado", "aiohttp")


class _PassingCassette(Cassette):  # type: ignore[misc]
    """A vcrpy cassette that replays nothing and passes every completed exchange to `keep`."""

    def __init__(self, keep: Callable[[Json], None], **settings: Any) -> None:
        super().__init__(**settings)
        self._keep = keep

    def _load(self) -> None:
        self.rewound = True

    def _save(self, force: bool = False) -> None:
        """Saves nothing: the journal has it all."""

    def can_play_response_for(self, request: Any) -> bool:  # noqa: ARG002
        return False

    def append(self, request: Any, response: Any) -> None:
        sent = {
            "method": request.method,
            "uri": request.uri,
            "headers": request.headers,
            "body": request.body,
        }
        got = decode_response(copy.deepcopy(response))
        try:
            interaction = redaction.clean({"request": sent, "response": got})
        except redaction.UnrecordableError:
            return  # an error, or no call to a judge
        self._keep(interaction)


@contextmanager
def intercepted(keep: Callable[[Json], None]) -> Iterator[None]:
    """Passes every successful JSON exchange, cleaned, to `keep` while the context lasts."""
    with _PassingCassette.use(
        path="(journal)",
        keep=keep,
        record_mode=RecordMode.ALL,
        skip_patchers=_UNUSED,
    ):
        yield
