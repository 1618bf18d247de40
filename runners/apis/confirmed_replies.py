"""Compares the tool replies that answers report with the suite's own replies to those calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from leaderboard.apis.api_names import FINISH, NameRegistry, Pair
from leaderboard.apis.called_apis import names_known_to
from leaderboard.apis.executions import reply_failed, tool_reply
from leaderboard.files.python_literals import read_literal
from leaderboard.types import Call, Case, Confirm, DeclaredApi, Json, Response, Suite
from leaderboard.workspace import Workspace
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.api_client import as_text, outcome_of
from runners.apis.reply_cache import key_of
from runners.apis.virtual_apis import VirtualApis, replaying

# How StableToolBench and agents mark a long reply that they cut off.
_CUT_MARKS: Final = ("...", "…")
_SHORTEST_CUT: Final = 100  # characters that must be left of a reply that was cut


def confirming_replies(workspace: Workspace) -> Confirm:
    """Checks the answers to suites of simulated APIs. Opens the APIs of each suite once."""
    opened: dict[str, VirtualApis] = {}

    def confirm(suite: Suite, case: Case, response: Response) -> Response:
        if suite.replies_unchecked:
            return response
        if suite.id not in opened:
            opened[suite.id] = replaying(workspace, suite)
        return confirmed(opened[suite.id], case, response)

    return confirm


def confirmed(apis: VirtualApis, case: Case, response: Response) -> Response:
    """A response without the calls whose reported reply the APIs do not give.

    The others have the reply of the APIs: a reported one could hold a comment, or more than was
    compared. One that was cut off is kept as it was reported.
    The reply to a call that was cut off cannot be checked, because its arguments are lost. Such a
    reply is not believed, and neither is the success that a list of called APIs reports.
    """
    known = NameRegistry(names_known_to(case, response))
    made: list[Call] = []
    cut: list[int] = []
    invented: list[Call] = []
    invented_pairs: set[Pair] = set()
    for place, call in enumerate(response.calls):
        if place in response.truncated and call.name != FINISH:
            cut.append(len(made))
            made.append(replace(call, result=None))
        elif call.name == FINISH or call.result is None:
            if place in response.truncated:
                cut.append(len(made))
            made.append(call)
        elif (true := _true_result(apis, known, call)) is not None:
            made.append(replace(call, result=true))
        else:
            invented.append(call)
            resolved = known.resolve(call.name)
            invented_pairs |= {resolved.pair} if resolved else set()
    made_pairs = {found.pair for call in made if (found := known.resolve(call.name))}
    return replace(
        response,
        calls=tuple(made),
        truncated=tuple(cut),
        declared=_believed(response.declared, invented_pairs - made_pairs),
        unconfirmed=tuple(invented),
    )


def _believed(
    declared: tuple[DeclaredApi, ...] | None, invented: set[Pair]
) -> tuple[DeclaredApi, ...] | None:
    """The listed APIs without those whose only replies are invented. No success is believed."""
    if declared is None:
        return None
    return tuple(
        replace(api, failed=api.failed or None) for api in declared if api.pair not in invented
    )


def _true_result(apis: VirtualApis, known: NameRegistry, call: Call) -> Json:
    """What scoring may read of the reply to a call; None if the APIs give another one."""
    registry = apis.catalogue.registry
    resolved = known.resolve(call.name)
    name = registry.find(*resolved.pair) if resolved else registry.resolve(call.name)
    if name is None:
        return None
    reply = apis.answer(ApiCall(name, call.arguments)).reply
    if not same_reply(reply, call.result):
        return None
    reported = tool_reply(call.result)
    if _is_beginning(reported, reply):
        return reported
    if reply.error and not isinstance(reported, str):
        return {"error": reply.error, "response": reply.response}
    return outcome_of(reply, "").text if isinstance(reported, str) else reply.response


def same_reply(reply: ApiReply, reported: Json) -> bool:
    """Whether a reported reply is this one, as JSON or as text, whole or cut off.

    Agents also report it as they got it: `{"error": "", "response": ...}`.
    """
    reported = tool_reply(reported)
    if reply.error:
        return reply_failed(reported) is True and _error_of(reported) == _one_line(reply.error)
    if _is_beginning(reported, reply):
        return True
    return _canonical(reply.response) == _canonical(reported)


def _is_beginning(reported: Json, reply: ApiReply) -> bool:
    """Whether a reported reply is the beginning of this one, and says that it was cut off."""
    if not isinstance(reported, str) or not reported.rstrip().endswith(_CUT_MARKS):
        return False
    left = _one_line(reported.rstrip().rstrip(".…"))
    return len(left) >= _SHORTEST_CUT and _one_line(as_text(reply.response)).startswith(left)


def _error_of(reported: Json) -> str:
    """The error in a reply, which agents also write as the text that their model read."""
    if isinstance(reported, Mapping):
        return _one_line(str(reported["error"])) if "error" in reported else ""
    text = str(reported).partition("\nResponse: ")[0]
    return _one_line(text).removeprefix("Error: ")


def _canonical(value: Json) -> str:
    """One spelling of a reply: JSON text is read, and blanks in other text count once."""
    if isinstance(value, str):
        try:
            value = read_literal(value)
        except (ValueError, RecursionError):
            return _one_line(value)
    return value if isinstance(value, str) else key_of({"reply": value})


def _one_line(text: str) -> str:
    return " ".join(text.split())
