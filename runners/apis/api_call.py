"""One API call in StableToolBench's protocol: the request and the reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.apis.api_names import ApiName
from leaderboard.types import Json

# What clients send where the protocol has a key. Only a real endpoint needs one.
EMPTY_KEY: Final = "EMPTY"


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request for an API. A client may spell its names in its own way. `key` is the client's."""

    name: ApiName
    arguments: Mapping[str, Json]
    key: str = EMPTY_KEY

    def as_json(self) -> dict[str, Json]:
        """The request's body. The protocol requires `strip`, which has no effect."""
        return {
            "category": self.name.category,
            "tool_name": self.name.tool,
            "api_name": self.name.api,
            "tool_input": dict(self.arguments),
            "strip": "",
            "toolbench_key": self.key,
        }


@dataclass(frozen=True, slots=True)
class ApiReply:
    """The reply of an API. `error` is empty if the call succeeded."""

    error: str
    response: Json

    @property
    def is_empty(self) -> bool:
        """Whether the response contains nothing. Zero and false are content."""
        if isinstance(self.response, str):
            return not self.response.strip()
        return self.response is None or self.response in ([], {})

    @property
    def is_usable(self) -> bool:
        """Whether the reply is worth keeping: no error, and not empty."""
        return not self.error and not self.is_empty

    def as_json(self) -> dict[str, Json]:
        """The reply as a server sends it."""
        return {"error": self.error, "response": self.response}


def reply_of(value: Json) -> ApiReply | None:
    """A reply from its JSON; None unless it has a text `error` and a `response`."""
    if isinstance(value, dict) and isinstance(value.get("error"), str) and "response" in value:
        return ApiReply(value["error"], value["response"])
    return None
