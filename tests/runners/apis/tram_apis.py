"""Virtual APIs of one tram line, and a scripted model that plays them."""

from __future__ import annotations

from pathlib import Path

from leaderboard.apis.api_definitions import ApiParameter, definition
from leaderboard.apis.api_names import ApiName
from leaderboard.network.retries import CallError
from runners.apis.api_call import ApiCall
from runners.apis.catalogue import Catalogue
from runners.apis.played_by_model import Simulator
from runners.apis.real_apis import RealEndpoint
from runners.apis.reply_cache import ApiCache
from runners.apis.reply_files import place_of
from runners.apis.virtual_apis import Mode, VirtualApis

TRAM = definition(
    ApiName("Transportation", "TramLine", "next departures"),
    "Trams",
    "Departures at a stop",
    (ApiParameter("stop", "string", "stop name", True, "Main Street"),),
)


CALL = ApiCall(
    ApiName("Transportation", "TramLine", "next departures"), {"stop": "Harbour Square"}, "EMPTY"
)


PLACE = place_of(CALL.name)


GOOD = '{"error": "", "response": "18:04 line 3"}'


class Model:
    """A scripted model. It gives its replies in order, repeats the last, and keeps the prompts.

    None stands for no reply.
    """

    def __init__(self, *replies: str | None) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if reply is None:
            raise CallError("connection refused")
        return reply


def virtual(
    root: Path, mode: Mode, model: Model | None = None, endpoint: RealEndpoint | None = None
) -> VirtualApis:
    simulator = Simulator(model, "m-1") if model else None
    return VirtualApis(
        ApiCache(root),
        Catalogue((TRAM,)),
        mode,
        endpoint,
        simulator,
        lambda: "2031-05-16T00:00:00+00:00",
    )
