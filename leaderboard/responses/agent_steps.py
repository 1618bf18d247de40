"""The steps an agent took, in every form that agent frameworks write them out, as Calls.

A step is what was called and what came back. Files hold it as a plain name, as an object with `tool` (or `name`), as a pair
`[call, observation]`, or as `{"action": call, "observation": ...}`; LangChain's serialised actions wrap the call in `kwargs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.digest import canonical
from leaderboard.errors import FilesError
from leaderboard.files.document import parse
from leaderboard.types import Call, Json

STEP_KEYS: Final = ("intermediate_steps", "actual_steps")

# What LangChain's agents note as a step when a reply could not be parsed, or named a tool that is not offered. No tool has run.
PSEUDO_TOOLS: Final = frozenset({"_Exception", "invalid_tool"})

_ARGUMENT_KEYS: Final = ("tool_input", "arguments", "args", "input")
_TEXT_BLOCKS: Final = (None, "text", "output_text")


def steps_given(record: Mapping[str, Json]) -> Sequence[Json] | None:
    """The list of steps in a record or in a run's outputs: `intermediate_steps`, else `actual_steps`, else None."""
    lists = (given for key in STEP_KEYS if isinstance(given := record.get(key), list | tuple))
    return next(lists, None)


def read_steps(steps: Sequence[Json]) -> tuple[tuple[Call, ...], str | None]:
    """The steps in order, each with its observation as `result`; and, when one names no tool, which (no later one is read)."""
    calls: list[Call] = []
    for number, step in enumerate(steps, start=1):
        call = _step(step)
        if call is None:
            return tuple(calls), f"step {number} names no tool"
        calls.append(call)
    return tuple(calls), None


def _step(step: Json) -> Call | None:
    if isinstance(step, list | tuple):
        if not 1 <= len(step) <= 2:
            return None
        return _call(step[0], step[1] if len(step) == 2 else None)
    if not isinstance(step, Mapping):
        return _call(step, None)
    return _call(step.get("action", step), step.get("observation", step.get("result")))


def _call(action: Json, observation: Json) -> Call | None:
    if isinstance(action, str):
        return Call(action, {}, observation) if action else None
    for wrapper in ("kwargs", "function"):
        if isinstance(action, Mapping) and isinstance(action.get(wrapper), Mapping):
            action = action[wrapper]
    if not isinstance(action, Mapping):
        return None
    name = action.get("tool", action.get("name"))
    if not isinstance(name, str) or not name:
        return None
    given = next((action[key] for key in _ARGUMENT_KEYS if key in action), None)
    return Call(name, _arguments(given), observation)


def _arguments(given: Json) -> Mapping[str, Json]:
    """The arguments as an object; what is none (a tool of one text argument may get that text alone) stands under `input`."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            given = parse(given.encode(), "arguments")
        except FilesError:
            return {"input": given}
    if isinstance(given, dict):
        return given
    return {} if given in (None, "") else {"input": given}


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
