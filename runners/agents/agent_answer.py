"""Lets an agent answer one case, checks its answer and makes the fields of a record."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from leaderboard.apis.api_answers import unreadable_apis
from leaderboard.apis.api_names import FINISH
from leaderboard.apis.executions import tool_nodes, walk_nodes
from leaderboard.responses.answer_text import answer_text
from leaderboard.texts.short_text import cut
from leaderboard.types import Json
from runners.agents.agent_loading import call_with_accepted
from runners.agents.api_tool import ApiTool
from runners.agents.base import STOPPED, error_line
from runners.agents.call_log import CallLog
from runners.agents.tool_selector import Selection
from runners.apis.executed_calls import (
    AgentOutput,
    ExecutedCall,
    call_node,
    called_apis,
    finish_node,
    make_answer,
)

MAX_ERROR: Final = 500  # characters
# Optional fields of an answer: the tokens of its model, and why the agent was stopped.
_OPTIONAL: Final[Mapping[str, type]] = {"usage": Mapping, "stopped": str}


class BadAnswerError(Exception):
    """An agent returned something that is not an answer."""


@dataclass(frozen=True, slots=True)
class AgentAnswer:
    """The fields of a record. `ok` is False if the agent failed, so that a retry may help.

    `unreached`: no server answered one of the calls.
    """

    fields: Mapping[str, Json]
    ok: bool
    unreached: bool = False


def answer_case(
    agent: Any, query: str, selection: Selection, server_url: str, log: CallLog
) -> AgentAnswer:
    """Lets an agent answer a query with the tools selected for it. They note their calls in `log`.

    An agent without `bind_tools` gets no tools and may call the server by itself. An exception
    of the agent becomes the record's `error`, and the calls before it are kept. An agent that the
    log has stopped gives no final answer, as in `FrameworkAgent`.
    """
    tools = [ApiTool(definition, server_url, log) for definition in selection.tools]
    takes_tools = hasattr(agent, "bind_tools")
    start = time.monotonic()
    try:
        if takes_tools:
            call_with_accepted(agent.bind_tools, {"tools": tools, "server_url": server_url})
        fields = check_answer(agent.answer(query))
    except Exception as error:  # noqa: BLE001 - foreign code may raise anything
        fields = make_answer(AgentOutput(None), log.calls)
        # A framework may raise an error of its own in place of the log's.
        if log.has_stopped:
            fields["stopped"] = STOPPED
        else:
            fields["error"] = cut(error_line(error), MAX_ERROR)
    else:
        # The calls that the tools carried out count, not those that the agent reports. An agent
        # may also have called the server by itself: then only its report says so.
        if log.calls:
            fields["called_apis"] = called_apis(log.calls)
        if takes_tools:
            answer = fields["answer"]
            ending = "" if "stopped" in fields else answer["final_answer"]
            answer["answer_details"] = observed(answer["answer_details"], log.calls, ending)
    ok = "error" not in fields
    fields["latency_s"] = round(time.monotonic() - start, 3)
    fields["tools"] = len(tools) if takes_tools else None
    if takes_tools:
        fields["selected_by"] = selection.source
    unreached = any(not call.outcome.replied and not call.outcome.status for call in log.calls)
    return AgentAnswer(fields, ok, unreached)


def _is_finish(node: Json) -> bool:
    return any(item.call.name == FINISH for item in tool_nodes([node]))


def observed(nodes: Sequence[Json], calls: Sequence[ExecutedCall], ending: str) -> list[Json]:
    """An agent's nodes, with the calls that were carried out, and with a Finish.

    Nodes that show exactly these calls stay as they are. Else the calls replace those that the
    agent shows, after its other nodes. An agent without a Finish gets one with its `ending`, the
    final answer; none if that is empty.
    """
    flat = [{**node, "next": []} for node in walk_nodes(list(nodes))]
    finishes = [node for node in flat if _is_finish(node)]
    made = [call_node(call) for call in calls]
    shown = [node for node in flat if node.get("role") == "tool" and node not in finishes]
    kept = list(nodes)
    if made and shown != made:
        kept = [node for node in flat if node.get("role") != "tool"] + made + finishes[-1:]
    return [*kept, finish_node(ending)] if ending and not finishes else kept


def check_answer(given: object) -> dict[str, Json]:
    """An agent's return value as the fields of a record, or BadAnswerError with what is wrong.

    A final answer in parts becomes one text, and a single node a list. A `called_apis` of None is
    left out. Nodes whose message has no call are kept.
    """
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise BadAnswerError(f"answer() returned a {kind}, not a dict with the key answer")
    answer = given.get("answer")
    if not isinstance(answer, Mapping):
        raise BadAnswerError("answer() returned a dict without an object under answer")
    details = answer.get("answer_details")
    nodes = [details] if isinstance(details, Mapping) else details
    if not isinstance(nodes, list | tuple):
        raise BadAnswerError("answer() returned no answer_details, which is a list of nodes")
    for node in nodes:
        if not isinstance(node, Mapping):
            raise BadAnswerError(f"answer_details has a {type(node).__name__}, which is not a node")
    text = answer_text(answer.get("final_answer")) or ""
    fields: dict[str, Json] = {
        "answer": {**answer, "final_answer": text, "answer_details": list(nodes)}
    }
    if given.get("called_apis") is not None:
        fields["called_apis"] = _check_pairs(given["called_apis"])
    for name, kind_of_value in _OPTIONAL.items():
        if isinstance(given.get(name), kind_of_value):
            fields[name] = given[name]
    try:
        # Tuples become lists, as in the file.
        read: dict[str, Json] = json.loads(json.dumps(fields, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadAnswerError(f"answer() returned what JSON cannot represent: {error}") from error
    return read


def _check_pairs(given: object) -> list[Json]:
    if not isinstance(given, list | tuple):
        raise BadAnswerError(f"called_apis is a {type(given).__name__}, not a list of [tool, api]")
    pairs = [list(entry) if isinstance(entry, tuple) else entry for entry in given]
    if odd := unreadable_apis({"called_apis": pairs}):
        entry = str(pairs[odd[0]])[:80]
        raise BadAnswerError(f"called_apis has {entry!r}, which is not [tool, api]")
    return pairs
