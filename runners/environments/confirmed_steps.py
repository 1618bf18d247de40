"""Carries out the calls that answers report, so that the state they lead to counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from leaderboard.types import Call, Case, Json, Response, Suite, Tool
from runners.environments import task_in
from runners.environments.tasks import ToolUsageTask


def confirmed_steps(suite: Suite, case: Case, response: Response) -> Response:
    """A response with the state that its calls lead to in a new environment of its category.

    Without calls that is the state in which every case starts. `reported_state` keeps a reported
    state that differs, and `not_replayed` says why calls cannot be carried out. Cases without a
    state, and those of a category that names no environment, are returned as they are.
    """
    trajectory = case.ground_truth.trajectory
    category = suite.category(case.category)
    name = category.environment
    if trajectory is None or not trajectory.has_state or name is None or response.error:
        return response
    task = task_in(category)
    if task is None:
        return replace(response, not_replayed=f"no environment is named {name!r} here")
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
