"""Carries out the calls that answers report: only the state and the replies of that run count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Call, Case, Json, Response, Suite, Tool
from runners.environments import task_in
from runners.environments.environment import Environment
from runners.environments.tasks import ToolUsageTask
from runners.normalised_replies import is_same, unwrapped


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
    environment = task.create_environment()
    confirmed: list[Call] = []
    unconfirmed: list[Call] = []
    for call in response.calls:
        if _is_confirmed(environment, call):
            confirmed.append(call)
        else:
            unconfirmed.append(call)
    if trajectory.has_state:
        response = _with_state(task, response, len(unconfirmed))
    return replace(response, calls=tuple(confirmed), unconfirmed=tuple(unconfirmed))


def _is_confirmed(environment: Environment, call: Call) -> bool:
    """Whether the environment carries a step out, and shows it by its reply or by its state.

    The step that a framework notes for a reply without a call is none of the environment's. A call
    with wrong arguments is a step too: most frameworks refuse it in words of their own.
    """
    if call.name not in environment.by_name:
        return True
    tool = environment.by_name[call.name].tool
    if is_same(environment.call(call.name, call.arguments), call.result):
        return True
    if environment.refuses(call.name, call.arguments) and _is_error(call.result):
        return True
    if environment.has_state:
        return bool(call.arguments) or not tool.parameters
    return is_same(environment.call(call.name, _logged_arguments(call, tool)), call.result)


def _is_error(reply: Json) -> bool:
    """Whether a reported reply is text that speaks of an error, and no value of a tool."""
    text = unwrapped(reply)
    return isinstance(text, str) and "error" in text.casefold()


def _with_state(task: ToolUsageTask, response: Response, lost: int) -> Response:
    """A response with the state that its calls lead to. `lost` calls have only a name."""
    state = _state_after(task, response, logged=False)
    if not response.has_state or response.state == state:
        return replace(response, state=state, has_state=True)
    if _state_after(task, response, logged=True) == response.state:
        return response
    why = f"{counted(lost, 'step has', 'steps have')} no arguments" if lost else None
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
