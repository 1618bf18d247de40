"""One case, put to a model: a single turn with tools, or a conversation that goes on until the model stops calling them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from leaderboard.kinds import Interaction
from leaderboard.types import Json
from runners.environments.environment import Environment
from runners.models.conversation import Conversation, Exchange, Reply, ToolCall

# Asks for the next turn of a conversation.
Ask = Callable[[Conversation], Awaitable[Reply]]

# The step of a call that names no tool, as LangChain's agents note it: no tool has run.
NAMELESS: Final = "invalid_tool"


@dataclass(slots=True)
class Meter:
    """What the replies of one case cost so far: tokens where a reply tells them, and seconds waited for replies."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    latency: float = 0.0
    models: set[str] = field(default_factory=set)

    def count(self, reply: Reply, seconds: float) -> None:
        self.latency += seconds
        self.input_tokens = _sum(self.input_tokens, reply.input_tokens)
        self.output_tokens = _sum(self.output_tokens, reply.output_tokens)
        if reply.model:
            self.models.add(reply.model)

    def fields(self) -> dict[str, Json]:
        """`usage` and `latency_s` of a record, the latter to the millisecond."""
        counts = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        told = {name: count for name, count in counts.items() if count is not None}
        return {**({"usage": told} if told else {}), "latency_s": round(self.latency, 3)}


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


async def answer_once(ask: Ask, conversation: Conversation) -> dict[str, Json]:
    """The fields of a record: every call and the text of the model's one reply, and why there is none where it failed."""
    reply = await ask(conversation)
    calls = [{"name": call.name, "arguments": call.arguments} for call in reply.calls]
    return _with_failure(
        {
            "model_function_call": calls[0] if len(calls) == 1 else calls or None,
            "model_text": reply.text,
        },
        reply,
    )


async def act(
    ask: Ask, system: str, query: str, environment: Environment, step_limit: int
) -> dict[str, Json]:
    """The fields of a record: what a model did in an environment, and what it said at the end.

    Every call is a step, those that came to an error too; the error is what the model is told. A model that would take more
    than `step_limit` steps is stopped there, without a final answer, and `stopped` says so.
    """
    conversation = Conversation(system, query, tuple(tool.tool for tool in environment.tools))
    steps: list[Json] = []
    while True:
        reply = await ask(conversation)
        if not reply.calls:
            return _with_failure(acted(steps, environment, reply.text), reply)
        allowed = reply.calls[: step_limit - len(steps)]
        observations = tuple(_take(call, environment, steps) for call in allowed)
        if len(allowed) < len(reply.calls):
            return {**acted(steps, environment, None), "stopped": f"after {step_limit} steps"}
        conversation = conversation.followed_by(Exchange(reply, observations))


def _take(call: ToolCall, environment: Environment, steps: list[Json]) -> Json:
    """Carries out one call and adds it to the steps; what it came to."""
    observation = (
        environment.call(call.name, call.arguments)
        if call.problem is None
        else f"ERROR: {call.problem}"
    )
    steps.append(step(call.name or NAMELESS, call.arguments, observation))
    return observation


def step(tool: str, arguments: Json, observation: Json) -> Json:
    """A step as a record carries it."""
    return {"action": {"tool": tool, "tool_input": arguments}, "observation": observation}


def acted(steps: list[Json], environment: Environment, output: str | None) -> dict[str, Json]:
    """The fields of a record of kind tool_usage: the final answer, the steps, and the state where the environment has one."""
    fields: dict[str, Json] = {"output": output, "intermediate_steps": steps}
    return {**fields, "state": environment.read_state()} if environment.has_state else fields


def unanswered(interaction: Interaction, error: str) -> dict[str, Json]:
    """The fields of a record where no reply came."""
    nothing: dict[str, Json] = {"model_function_call": None, "model_text": None}
    return {
        **({"output": None, "intermediate_steps": []} if interaction == "environment" else nothing),
        "error": error,
    }


def _with_failure(fields: dict[str, Json], reply: Reply) -> dict[str, Json]:
    return fields if reply.failure is None else {**fields, "error": reply.failure}
