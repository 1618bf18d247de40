"""The steps an agent took, in every form that agent frameworks write them out, as Calls.

A step is what was called and what came back. Files hold it as a plain name, as an object with `tool` (or `name`), as a pair
`[call, observation]`, or as `{"action": call, "observation": ...}`; LangChain's serialised actions wrap the call in `kwargs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.digest import canonical
from leaderboard.responses.calls import UnreadableCallError, read_call
from leaderboard.types import Call, Json

STEP_KEYS: Final = ("intermediate_steps", "actual_steps")

# What LangChain's agents note as a step when a reply could not be parsed, or named a tool that is not offered. No tool has run.
PSEUDO_TOOLS: Final = frozenset({"_Exception", "invalid_tool"})

_TEXT_BLOCKS: Final = (None, "text", "output_text")


def steps_given(record: Mapping[str, Json]) -> Sequence[Json] | None:
    """The list of steps in a record or in a run's outputs: `intermediate_steps`, else `actual_steps`, else None."""
    lists = (given for key in STEP_KEYS if isinstance(given := record.get(key), list | tuple))
    return next(lists, None)


def read_steps(steps: Sequence[Json]) -> tuple[tuple[Call, ...], str | None]:
    """The steps in order, each with its observation as `result`; and, when one names no tool, which (no later one is read)."""
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


def answer_text(output: Json) -> str | None:
    """A final answer as text: of content blocks the text ones, joined; anything else that is no text as JSON; null is None."""
    if output is None or isinstance(output, str):
        return output
    blocks = output if isinstance(output, list | tuple) else [output]
    if all(isinstance(block, str) or _is_block(block) for block in blocks):
        return "".join(map(_block_text, blocks))
    return canonical(output).decode()


def _is_block(block: Json) -> bool:
    return isinstance(block, Mapping) and ("type" in block or "text" in block)


def _block_text(block: Json) -> str:
    """The text of a content block; tool calls, reasoning and images have none."""
    if isinstance(block, str):
        return block
    text = block.get("text")
    return text if isinstance(text, str) and block.get("type") in _TEXT_BLOCKS else ""
