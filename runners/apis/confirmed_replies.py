"""Compares the tool replies that answers report with the suite's own replies to those calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from leaderboard.apis.api_names import FINISH, NameRegistry
from leaderboard.apis.called_apis import names_known_to
from leaderboard.apis.executions import reply_failed, tool_reply
from leaderboard.types import Call, Case, Confirm, Json, Response, Suite
from leaderboard.workspace import Workspace
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.api_client import as_text, outcome_of
from runners.apis.virtual_apis import VirtualApis, replaying
from runners.normalised_replies import beginning, is_same, one_line


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
    """A response without the calls whose reply the APIs do not give, or that report no reply.

    The others have the reply of the APIs: a reported one could hold a comment, or more than was
    compared. Of one that was cut off, they have the beginning.

    A list of called APIs is only a claim, so it is dropped, unless it says that nothing was called.
    `steps_told` is False if a list has APIs and the execution has no call. So it is if a call was
    cut off: its arguments are lost, so that its reply cannot be checked.
    """
    known = NameRegistry(names_known_to(case, response))
    made: list[Call] = []
    cut: list[int] = []
    invented: list[Call] = []
    called = [call for call in response.calls if call.name != FINISH]
    told = response.steps_told and bool(called or not response.declared)
    for place, call in enumerate(response.calls):
        if place in response.truncated:
            cut.append(len(made))
        if call.name == FINISH:
            made.append(call)
        elif place in response.truncated:
            made.append(replace(call, result=None))
            told = False
        elif (true := _true_call(apis, known, call)) is not None:
            made.append(true)
        else:
            invented.append(call)
    return replace(
        response,
        calls=tuple(made),
        truncated=tuple(cut),
        declared=() if response.declared == () and not called else None,
        steps_told=told,
        unconfirmed=tuple(invented),
    )


def _true_call(apis: VirtualApis, known: NameRegistry, call: Call) -> Call | None:
    """A call with what scoring may read of its reply; None if the APIs give another one."""
    registry = apis.catalogue.registry
    resolved = known.resolve(call.name)
    name = registry.find(*resolved.pair) if resolved else registry.resolve(call.name)
    if name is None:
        return None
    reply = apis.answer(ApiCall(name, call.arguments)).reply
    if not same_reply(reply, call.result):
        return None
    reported = tool_reply(call.result)
    if not reply.error and (shown := beginning(as_text(reply.response), reported)):
        return replace(call, result=shown)
    if reply.error and not isinstance(reported, str):
        return replace(call, result={"error": reply.error, "response": reply.response})
    is_text = isinstance(reported, str)
    return replace(call, result=outcome_of(reply, "").text if is_text else reply.response)


def same_reply(reply: ApiReply, reported: Json) -> bool:
    """Whether a reported reply is this one, as JSON or as text, whole or cut off.

    Agents also report it as they got it: `{"error": "", "response": ...}`.
    """
    reported = tool_reply(reported)
    if reply.error:
        return reply_failed(reported) is True and _error_of(reported) == one_line(reply.error)
    if beginning(as_text(reply.response), reported):
        return True
    return is_same(reply.response, reported)


def _error_of(reported: Json) -> str:
    """The error in a reply, which agents also write as the text that their model read."""
    if isinstance(reported, Mapping):
        return one_line(str(reported["error"])) if "error" in reported else ""
    text = str(reported).partition("\nResponse: ")[0]
    return one_line(text).removeprefix("Error: ")
