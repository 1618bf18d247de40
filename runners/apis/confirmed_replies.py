"""Compares the tool replies that answers report with the suite's own replies to those calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from leaderboard.apis.api_names import FINISH, NameRegistry
from leaderboard.apis.called_apis import names_known_to
from leaderboard.apis.executions import reply_failed, tool_reply
from leaderboard.errors import FilesError
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Call, Case, Confirm, Json, Response, Suite
from leaderboard.workspace import Workspace
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.api_client import as_text, outcome_of
from runners.apis.reply_cache import CacheFileError
from runners.apis.virtual_apis import VirtualApis, replaying
from runners.normalised_replies import beginning, spelling_of, unwrapped_forms


def confirming_replies(workspace: Workspace) -> Confirm:
    """Checks the answers to suites of simulated APIs. Opens the APIs of each suite once.

    The check raises FilesError for a file of the cache that cannot be read, or has an entry of the
    wrong shape: calls would count as invented.
    """
    opened: dict[str, VirtualApis] = {}

    def confirm(suite: Suite, case: Case, response: Response) -> Response:
        if suite.replies_unchecked:
            return response
        if suite.id not in opened:
            opened[suite.id] = replaying(workspace, suite, strict=True)
        apis = opened[suite.id]
        try:
            return confirmed(apis, case, response)
        except CacheFileError as error:
            root = workspace.shown(apis.cache.root)
            found = [replace(problem, file=f"{root}/{problem.file}") for problem in error.problems]
            raise FilesError(found) from error

    return confirm


def confirmed(apis: VirtualApis, case: Case, response: Response) -> Response:
    """A response without the calls whose reply the APIs do not give, or that report no reply.

    The others have the reply of the APIs: a reported one could hold a comment, or more than was
    compared. Of one that was cut off, they have the beginning.

    A list of called APIs is only a claim, so it is dropped, unless it says that nothing was called.
    `steps_told` is False if a list has APIs and the execution has no call. So it is if a call was
    cut off: its arguments are lost, so that its reply cannot be checked. Raises CacheFileError.
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
    answered = apis.answer(ApiCall(name, call.arguments))
    if answered.problem is not None:
        raise CacheFileError(answered.problem)
    reply = answered.reply
    if not same_reply(reply, call.result):
        return None
    if not reply.error and (shown := _shown_part(reply, call.result)):
        return replace(call, result=shown)
    is_text = isinstance(tool_reply(call.result), str)
    if reply.error and not is_text:
        return replace(call, result={"error": reply.error, "response": reply.response})
    return replace(call, result=outcome_of(reply, "").text if is_text else reply.response)


def same_reply(reply: ApiReply, reported: Json) -> bool:
    """Whether a reported reply is this one, as JSON or as text, whole or cut off.

    Agents also report it as they got it: `{"error": "", "response": ...}`.
    """
    if reply.error:
        error = single_spaced(reply.error)
        failed = (form for form in _forms(reported) if reply_failed(form) is True)
        return any(_error_of(form) == error for form in failed)
    if _shown_part(reply, reported):
        return True
    wanted = spelling_of(reply.response)
    return any(spelling_of(form) == wanted for form in _forms(reported))


def _shown_part(reply: ApiReply, reported: Json) -> str | None:
    """The beginning of a reply, if a reported one says that it was cut off."""
    whole = as_text(reply.response)
    shown = (beginning(whole, form) for form in _forms(reported))
    return next(filter(None, shown), None)


def _forms(reported: Json) -> Iterator[Json]:
    """A reported reply without what agents and frameworks write around it, layer by layer."""
    return map(tool_reply, unwrapped_forms(tool_reply(reported)))


def _error_of(reported: Json) -> str:
    """The error in a reply, which agents also write as the text that their model read."""
    if isinstance(reported, Mapping):
        return single_spaced(str(reported["error"])) if "error" in reported else ""
    text = str(reported).partition("\nResponse: ")[0]
    return single_spaced(text).removeprefix("Error: ")
