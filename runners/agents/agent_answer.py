"""One case, answered by an agent of any make: bound to its tools, asked, its answer looked through and made a record."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from leaderboard.apis.api_answers import odd_entries
from leaderboard.responses.agent_steps import answer_text
from leaderboard.types import Json
from runners.agents.base import Said, answer_of, called_apis
from runners.agents.tool_tracking import ApiTool, CallLog
from runners.apis.selector import Selection

LONGEST_ERROR: Final = 500  # characters
# What else an agent may tell: the tokens that its model took, and that it was stopped before it came to an end.
_FURTHER: Final[Mapping[str, type]] = MappingProxyType({"usage": Mapping, "stopped": str})


class BadAnswerError(Exception):
    """What an agent gave back is no answer."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The fields of a record, and whether the agent came through: where it did not, asking again is worth while."""

    fields: Mapping[str, Json]
    ok: bool


def answer_case(
    agent: Any, query: str, selection: Selection, server_url: str, step_limit: int
) -> Answered:
    """Lets an agent answer a query with the tools selected for it.

    An agent without `bind_tools` gets none and calls the server by itself. Whatever an agent raises is the record's `error`;
    the calls that its tools had carried out by then are kept.
    """
    log = CallLog(step_limit)
    tools = [ApiTool(definition, server_url, log) for definition in selection.tools]
    begun = time.monotonic()
    try:
        if hasattr(agent, "bind_tools"):
            agent.bind_tools(tools=tools, server_url=server_url)
        fields = {**checked(agent.answer(query))}
    except Exception as error:  # noqa: BLE001 - the code is not ours: whatever it raises is what came of the case
        fields = {**answer_of(Said(None), log.calls), "error": _told(error)}
    else:
        fields = _tracked(fields, log)
    seconds = round(time.monotonic() - begun, 3)
    return Answered(
        {**fields, "latency_s": seconds, **_about(selection, tools, agent)}, "error" not in fields
    )


def _about(selection: Selection, tools: Sequence[ApiTool], agent: Any) -> dict[str, Json]:
    if not hasattr(agent, "bind_tools"):
        return {"tools": None}
    return {"tools": len(tools), "selected_by": selection.source}


def _tracked(fields: dict[str, Json], log: CallLog) -> dict[str, Json]:
    """What the tools carried out goes before what an agent says that it called; without any, the agent's word stands.

    An agent that says nothing of its calls is not taken to have made none: then there is no `called_apis`.
    """
    if log.calls:
        return {**fields, "called_apis": called_apis(log.calls)}
    return fields


def _told(error: Exception) -> str:
    said = " ".join(str(error).split())
    told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return told if len(told) <= LONGEST_ERROR else f"{told[: LONGEST_ERROR - 1]}…"


# ---------------------------------------------------------------- what an agent gives back


def checked(given: object) -> dict[str, Json]:
    """An agent's return value as the fields of a record. Raises BadAnswerError, which says what is wrong with it.

    A final answer in parts is flattened to text, a single node is a list of one, `called_apis` None is left out. A node whose
    message holds no call is kept as it is.
    """
    if not isinstance(given, Mapping):
        raise BadAnswerError(
            f"answer() gave a {type(given).__name__}, not a dict with the key answer"
        )
    answer = given.get("answer")
    if not isinstance(answer, Mapping):
        raise BadAnswerError("answer() gave a dict without an object under answer")
    fields: dict[str, Json] = {
        "answer": {**answer, "final_answer": _text(answer), "answer_details": _details(answer)}
    }
    if given.get("called_apis") is not None:
        fields["called_apis"] = _pairs(given["called_apis"])
    fields |= {
        name: given[name] for name, kind in _FURTHER.items() if isinstance(given.get(name), kind)
    }
    return _as_json(fields)


def _text(answer: Mapping[str, Json]) -> str:
    return answer_text(answer.get("final_answer")) or ""


def _details(answer: Mapping[str, Json]) -> list[Json]:
    details = answer.get("answer_details")
    nodes = [details] if isinstance(details, Mapping) else details
    if not isinstance(nodes, list | tuple):
        raise BadAnswerError("answer() gave no answer_details, which is a list of nodes")
    if wrong := [node for node in nodes if not isinstance(node, Mapping)]:
        raise BadAnswerError(f"answer_details holds a {type(wrong[0]).__name__}, which is no node")
    return list(nodes)


def _pairs(given: object) -> list[Json]:
    if not isinstance(given, list | tuple):
        raise BadAnswerError(f"called_apis is a {type(given).__name__}, not a list of [tool, api]")
    pairs = [list(entry) if isinstance(entry, tuple) else entry for entry in given]
    if odd := odd_entries({"called_apis": pairs}):
        raise BadAnswerError(
            f"called_apis holds {str(pairs[odd[0]])[:80]!r}, which is no [tool, api]"
        )
    return pairs


def _as_json(fields: dict[str, Json]) -> dict[str, Json]:
    """The fields as a file will hold them."""
    try:
        read: dict[str, Json] = json.loads(json.dumps(fields, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadAnswerError(f"answer() gave what JSON cannot hold: {error}") from error
    return read
