"""Calls that were carried out, and the answers in StableToolBench's form that record them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.apis.api_names import FINISH, Pair
from leaderboard.mappings import without_none
from leaderboard.types import Json
from runners.apis.api_client import ApiOutcome


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """One call that was carried out. The arguments have the names that the API gives them."""

    tool: ToolDefinition
    arguments: Mapping[str, Json]
    outcome: ApiOutcome

    @property
    def pair(self) -> Pair:
        return self.tool.name.pair


@dataclass(frozen=True, slots=True)
class AgentOutput:
    """What an agent said. `text` is the final answer, or None if the agent was stopped before.

    `remarks` are texts that came with calls, each with the number of calls before it.
    """

    text: str | None
    remarks: Sequence[tuple[int, str]] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None


def make_answer(output: AgentOutput, calls: Sequence[ExecutedCall]) -> dict[str, Json]:
    """The fields of a record. An agent that was stopped has no Finish."""
    details = []
    for number in range(len(calls) + 1):
        for place, text in output.remarks:
            if min(place, len(calls)) == number and text.strip():
                details.append(_node("assistant", text))
        if number < len(calls):
            details.append(call_node(calls[number]))
    if output.text is not None:
        details.append(finish_node(output.text))
    answer: dict[str, Json] = {
        "answer": {"final_answer": output.text or "", "answer_details": details},
        "called_apis": called_apis(calls),
    }
    usage = {"input_tokens": output.input_tokens, "output_tokens": output.output_tokens}
    known = without_none(usage)
    return {**answer, "usage": known} if known else answer


def called_apis(calls: Sequence[ExecutedCall]) -> list[Json]:
    """The calls as `[tool, api, "ok" | "error"]`, in order and with repeats."""
    return [[*call.pair, "ok" if call.outcome.ok else "error"] for call in calls]


def call_node(call: ExecutedCall) -> Json:
    """The node of a call: its wrapper name, the arguments, the reply as the model read it."""
    message: dict[str, Json] = {
        "name": call.tool.name.wrapper,
        "arguments": call.arguments,
        "response": call.outcome.text,
        "tool_name": call.pair[0],
        "api_name": call.pair[1],
    }
    if not call.outcome.ok:
        message["error"] = call.outcome.error
    return _node("tool", json.dumps(message, ensure_ascii=False))


def finish_node(final_answer: str) -> Json:
    """The node which records that the agent ended by itself."""
    arguments = {"return_type": "give_answer", "final_answer": final_answer}
    message = {"name": FINISH, "arguments": arguments, "response": ""}
    return _node("tool", json.dumps(message, ensure_ascii=False))


def _node(role: str, message: str) -> Json:
    return {"role": role, "message": message, "next": []}
