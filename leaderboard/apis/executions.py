"""Executions as StableToolBench and its wrapper write them: nodes with role, message and next.

The message of a tool's node holds its name, arguments and response, in one of four encodings:
JSON text, a JSON object with the arguments as JSON text, the Python spelling of that object cut at
100 characters, or lines `Step 1: ...` in that spelling. Lists are flat or nested by `next`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from leaderboard.apis.api_names import FINISH
from leaderboard.files.python_literals import read_literal
from leaderboard.responses.calls import UnreadableCallError, read_call
from leaderboard.types import Call, Json

GIVE_UP: Final = "give_up_and_restart"
RETURN_TYPES: Final = (GIVE_UP, "give_answer")

_STEP: Final = re.compile(r"^(?:Step \d+|Final step):[ ]?", re.MULTILINE)
_NAME: Final = re.compile(r"""['"]name['"]\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
_RESPONSE: Final = re.compile(r"""['"]response['"]\s*:\s*['"]?""")
_ANSWER: Final = re.compile(r"""['"]final_answer['"]\s*:\s*(['"])(.*)""", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
# A reply that was cut. If nothing follows this, nobody knows whether it is an error.
_NO_ERROR_YET: Final = '{"error":"'
_CUT_ERROR: Final = re.compile(r"""\s*\{\s*['"]error['"]\s*:\s*(?:'[^']|"[^"])""")


class ToolNode(NamedTuple):
    """A call of an execution. `truncated`: only the beginning of its text is left."""

    call: Call
    truncated: bool


def tool_nodes(details: Json) -> tuple[ToolNode, ...]:
    """The calls of an execution, each node before its children. Never raises.

    `details` is a list of nodes, one node, JSON text of these, or text of steps. Nodes that name no
    tool are skipped.
    """
    if isinstance(details, str):
        steps = _STEP.split(details)[1:]
        if steps:
            return tuple(filter(None, (_read_message(step.strip()) for step in steps)))
        try:
            details = read_literal(details)
        except ValueError:
            return ()
        if isinstance(details, str):
            return ()
    messages = (node.get("message") for node in walk_nodes(details) if node.get("role") == "tool")
    return tuple(filter(None, map(_read_message, messages)))


def walk_nodes(details: Json) -> Iterator[Mapping[str, Json]]:
    """Yields the nodes of an execution, each before its children."""
    left = _nodes(details)[::-1]
    while left:
        node = left.pop()
        yield node
        left += _nodes(node.get("next"))[::-1]


def _nodes(value: Json) -> list[Mapping[str, Json]]:
    nodes = value if isinstance(value, list | tuple) else [value]
    return [node for node in nodes if isinstance(node, Mapping)]


def _read_message(message: Json) -> ToolNode | None:
    if isinstance(message, str):
        try:
            message = read_literal(message)
        except ValueError:
            return _read_cut_message(message)
    if not isinstance(message, Mapping):
        return None
    reply, error = tool_reply(message.get("response")), message.get("error")
    if error not in (None, "", False):  # some write it beside the response instead of inside
        reply = {"error": error, "response": reply}
    try:
        call = read_call(message, reply, bare_arguments=True)
    except UnreadableCallError:
        return None
    text = call.arguments.get("input")
    if call.name == FINISH and isinstance(text, str):
        call = replace(call, arguments=finish_arguments(text) or call.arguments)
    return ToolNode(call, truncated=False)


def _read_cut_message(text: str) -> ToolNode | None:
    """Reads the name, what is left of the response and, for Finish, how it ended."""
    found = _NAME.search(text)
    name = _ESCAPED.sub(r"\1", found[1] or found[2] or "") if found else ""
    if found is None or not name:
        return None
    response = _RESPONSE.search(text, found.end())
    arguments = finish_arguments(text[found.end() :]) if name == FINISH else {}
    left = text[response.end() :] if response else ""
    return ToolNode(Call(name, arguments, left or None), truncated=True)


def finish_arguments(text: str) -> dict[str, Json]:
    """Reads Finish's arguments from broken text: how it ended, and what is left of the answer."""
    named = (kind for kind in RETURN_TYPES if re.search(rf"return_type\W+{kind}\b", text))
    kind = next(named, None)
    if kind is None:
        return {}
    arguments: dict[str, Json] = {"return_type": kind}
    answer = _ANSWER.search(text)
    if answer:
        quote, rest = answer[1], answer[2]
        text = rest.rstrip().rstrip("}").rstrip()
        closed = text.endswith(quote) and not text.endswith(f"\\{quote}")
        arguments["final_answer"] = text[:-1] if closed else rest
    return arguments


def tool_reply(response: Json) -> Json:
    """A tool's reply, unwrapped from `{"error": "", "response": ...}` if necessary."""
    value = response
    if isinstance(response, str) and response.lstrip().startswith("{"):
        try:
            value = read_literal(response)
        except ValueError:
            return response
    if not isinstance(value, Mapping) or not {"error", "response"} >= value.keys() >= {"response"}:
        return response
    return value["response"] if value.get("error") in (None, "") else value


def reply_failed(reply: Json) -> bool | None:
    """Whether a reply is an error or empty; None without a reply to look at."""
    if reply is None:
        return None
    if isinstance(reply, Mapping) and reply.get("error") not in (None, "", False):
        return True
    if isinstance(reply, str):
        compact = "".join(reply.split())
        if compact and _NO_ERROR_YET.startswith(compact):
            return None
        is_error = reply.lstrip().startswith("Error:") or _CUT_ERROR.match(reply)
        return not compact or bool(is_error)
    return not reply and isinstance(reply, Mapping | Sequence)
