"""Carries out the calls that answers report: only the state and the replies of that run count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from operator import not_

from leaderboard.types import Call, Case, Json, Response, Suite, Tool
from runners.environments import task_in
from runners.environments.environment import Environment
from runners.environments.tasks import ToolUsageTask
from runners.reply_spelling import spelling_of


def confirmed_steps(suite: Suite, case: Case, response: Response) -> Response:
    """A response without the steps that a new environment of its category does not confirm.

    If cases have a state, it is the one that all calls lead to; without calls, the one in which
    every case starts. `reported_state` keeps a reported state that differs, and `not_replayed` says
    why calls cannot be carried out. A category that names no environment confirms everything.
    """
    trajectory = case.ground_truth.trajectory
    category = suite.category(case.category)
    name = category.environment
    if trajectory is None or name is None or response.error:
        return response
    task = task_in(category)
    if task is None and trajectory.has_state:
        return replace(response, not_replayed=f"no environment is named {name!r} here")
    if task is None:
        return response
    if trajectory.has_state:
        response = _with_state(task, response)
    environment = task.create_environment()
    confirmed = [_is_confirmed(environment, call) for call in response.calls]
    return replace(
        response,
        calls=tuple(compress(response.calls, confirmed)),
        unconfirmed=tuple(compress(response.calls, map(not_, confirmed))),
    )


def _is_confirmed(environment: Environment, call: Call) -> bool:
    """Whether the environment carries a step out, and shows it by its state or by its reply.

    The step that a framework notes for a reply without a call is none of the environment's.
    """
    if call.name not in environment.by_name:
        return True
    tool = environment.by_name[call.name].tool
    if environment.has_state:
        return not _lacks_arguments(call, tool)
    reported = spelling_of(call.result)
    return any(
        spelling_of(environment.call(call.name, arguments)) == reported
        for arguments in (call.arguments, _logged_arguments(call, tool))
    )


def _with_state(task: ToolUsageTask, response: Response) -> Response:
    """A response with the state that its calls lead to."""
    state = _state_after(task, response, logged=False)
    if not response.has_state or response.state == state:
        return replace(response, state=state, has_state=True)
    if _state_after(task, response, logged=True) == response.state:
        return response
    tools = task.create_environment().by_name
    lost = sum(
        call.name in tools and _lacks_arguments(call, tools[call.name].tool)
        for call in response.calls
    )
    why = f"{lost} of the steps have no arguments" if lost else None
    return replace(response, state=state, reported_state=response.state, not_replayed=why)


def _state_after(task: ToolUsageTask, response: Response, *, logged: bool) -> Json:
    """The state after all calls. `logged`: bare arguments are read as logs of agents have them."""
    environment = task.create_environment()
    for call in response.calls:
        arguments = call.arguments
        if logged and call.name in environment.by_name:
            arguments = _logged_arguments(call, environment.by_name[call.name].tool)
        environment.call(call.name, arguments)
    return environment.read_state()


def _logged_arguments(call: Call, tool: Tool) -> Mapping[str, Json]:
    """The arguments of a call whose only one is logged as a bare text, here under `input`."""
    if call.arguments.keys() != {"input"} or len(tool.parameters) > 1:
        return call.arguments
    return {parameter.name: call.arguments["input"] for parameter in tool.parameters}


def _lacks_arguments(call: Call, tool: Tool) -> bool:
    """Whether the record has only the name of a call that takes arguments."""
    return bool(tool.parameters) and not call.arguments
