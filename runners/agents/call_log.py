"""The calls of an agent: how many are carried out, and the log of them.

It has calls that failed, with their error. It does not have calls that never ran, because the
arguments were not an object or the tool does not exist.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.types import Json
from runners.apis.api_client import call_api
from runners.apis.executed_calls import ExecutedCall
from runners.run_defaults import STEP_LIMIT, TIMEOUT

_USED_UP: Final = "Error: no more calls are allowed. Answer with what you have."
# So many calls are refused with a text. Frameworks stop a model that calls once per turn sooner.
_REFUSALS: Final = 10


class NoCallsLeftError(Exception):
    """The model goes on calling tools after it was told to answer. It ends the agent's answer."""


class CallLog:
    """The calls of one answer, in order.

    At most `most` are carried out, and each waits at most `timeout` seconds for its reply.
    """

    def __init__(self, most: int = STEP_LIMIT, timeout: float = TIMEOUT) -> None:
        self._most = most
        self._timeout = timeout
        self._lock = threading.RLock()
        self._calls: list[ExecutedCall] = []
        self._refused = 0

    @property
    def has_stopped(self) -> bool:
        """Whether a call was refused for good."""
        with self._lock:
            return self._refused > _REFUSALS

    @property
    def calls(self) -> tuple[ExecutedCall, ...]:
        with self._lock:
            return tuple(self._calls)

    def clear(self) -> None:
        with self._lock:
            self._calls.clear()
            self._refused = 0

    def carry_out(
        self, tool: ToolDefinition, server_url: str, arguments: Mapping[str, Json]
    ) -> str:
        """Calls the API, records the call and returns the text for the model.

        Runs one call at a time, in the order in which they arrive. Raises NoCallsLeftError after
        too many calls beyond the limit.
        """
        with self._lock:
            if len(self._calls) >= self._most:
                self._refused += 1
                if self.has_stopped:
                    raise NoCallsLeftError(f"stopped: the limit is {self._most} calls")
                return _USED_UP
            outcome = call_api(server_url, tool.name, arguments, timeout=self._timeout)
            self._calls.append(ExecutedCall(tool, arguments, outcome))
        return outcome.text
