"""The steps of an agent, in every form that agent frameworks write them, as Calls.

A step is a call and its observation. Files have a plain name, an object with `tool` (or `name`), a
pair `[call, observation]`, or `{"action": call, "observation": ...}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.responses.calls import UnreadableCallError, read_call
from leaderboard.types import Call, Json

STEP_KEYS: Final = ("intermediate_steps", "actual_steps")

# LangChain's agents note these as steps when a reply could not be parsed, or when it named a tool
# that is not offered. No tool has run.
PSEUDO_TOOLS: Final = frozenset({"_Exception", "invalid_tool"})


def steps_given(record: Mapping[str, Json]) -> Sequence[Json] | None:
    """The list of steps of a record or a run: the first of STEP_KEYS that is a list."""
    for key in STEP_KEYS:
        steps = record.get(key)
        if isinstance(steps, list | tuple):
            return steps
    return None


def read_steps(steps: Sequence[Json]) -> tuple[tuple[Call, ...], str | None]:
    """The steps in order, each with its observation as `result`, and what is wrong.

    Reading stops at the first step that names no tool.
    """
    calls: list[Call] = []
    for number, step in enumerate(steps, start=1):
        try:
            calls.append(_read_step(step))
        except UnreadableCallError:
            return tuple(calls), f"step {number} names no tool"
    return tuple(calls), None


def _read_step(step: Json) -> Call:
    """Reads one step. Raises UnreadableCallError."""
    action, observation = step, None
    if isinstance(step, list | tuple) and 1 <= len(step) <= 2:
        action = step[0]
        observation = step[1] if len(step) == 2 else None
    elif isinstance(step, Mapping):
        action = step.get("action", step)
        observation = step.get("observation", step.get("result"))
    if isinstance(action, str) and action:
        return Call(action, {}, observation)
    return read_call(action, observation, bare_arguments=True)
