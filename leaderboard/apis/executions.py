"""The nodes of an execution, as StableToolBench and its wrapper write them: `{"role", "message", "next": [...]}`.

A tool's message holds its name, its arguments and its response. Four encodings occur: JSON text (E1), a JSON object with the
arguments as JSON text (E2), the Python spelling of that object cut at 100 characters (E3), and lines `Step 1: ...` in that
spelling (E4). Lists are flat or nested by `next`.
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

RETURN_TYPES: Final = ("give_up_and_restart", "give_answer")

_STEP: Final = re.compile(r"^(?:Step \d+|Final step):[ ]?", re.MULTILINE)
_NAME: Final = re.compile(r"""['"]name['"]\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
_RESPONSE: Final = re.compile(r"""['"]response['"]\s*:\s*['"]?""")
_ANSWER: Final = re.compile(r"""['"]final_answer['"]\s*:\s*(['"])(.*)""", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class ToolNode(NamedTuple):
    """A call that an execution holds, and whether its text was cut so that only the beginning is left."""

    call: Call
    truncated: bool


def tool_nodes(details: Json) -> tuple[ToolNode, ...]:
    """The calls of an execution, each node before its children. What names no tool is no call; nothing raises.

    `details` is a list of nodes, one node alone, the same as JSON text, or text of steps.
    """
    if isinstance(details, str):
        return _from_text(details)
    return tuple(found for node in _walk(details) if (found := _of_node(node)) is not None)


def _from_text(text: str) -> tuple[ToolNode, ...]:
    steps = _STEP.split(text)[1:]
    if steps:
        return tuple(found for step in steps if (found := _of_message(step.strip())) is not None)
    try:
        details = read_literal(text)
    except ValueError:
        return ()
    return () if isinstance(details, str) else tool_nodes(details)


def _walk(details: Json) -> Iterator[Mapping[str, Json]]:
    left = _nodes(details)[::-1]
    while left:
        node = left.pop()
        yield node
        left += _nodes(node.get("next"))[::-1]


def _nodes(value: Json) -> list[Mapping[str, Json]]:
    given = value if isinstance(value, list | tuple) else [value]
    return [node for node in given if isinstance(node, Mapping)]


def _of_node(node: Mapping[str, Json]) -> ToolNode | None:
    return _of_message(node.get("message")) if node.get("role") == "tool" else None


def _of_message(message: Json) -> ToolNode | None:
    if isinstance(message, str):
        try:
            message = read_literal(message)
        except ValueError:
            return _of_remains(message)
    if not isinstance(message, Mapping):
        return None
    reply, error = tool_reply(message.get("response")), message.get("error")
    if error not in (None, "", False):  # beside the response instead of in it
        reply = {"error": error, "response": reply}
    try:
        call = read_call(message, reply, bare_arguments=True)
    except UnreadableCallError:
        return None
    text = call.arguments.get("input")
    if call.name == FINISH and isinstance(text, str):
        call = replace(call, arguments=finish_arguments(text) or call.arguments)
    return ToolNode(call, truncated=False)


def _of_remains(text: str) -> ToolNode | None:
    """The call in a text that was cut: its name, what is left of the response, and of Finish how it ended."""
    found = _NAME.search(text)
    if found is None:
        return None
    name = _ESCAPED.sub(r"\1", found[1] or found[2] or "")
    if not name:
        return None
    response = _RESPONSE.search(text, found.end())
    arguments = finish_arguments(text[found.end() :]) if name == FINISH else {}
    left = text[response.end() :] if response else ""
    return ToolNode(Call(name, arguments, left or None), truncated=True)


def finish_arguments(text: str) -> dict[str, Json]:
    """What is left of Finish's arguments in a text that cannot be read: how it ended, and as much of the answer as there is."""
    kind = next(
        (word for word in RETURN_TYPES if re.search(rf"""return_type\W+{word}\b""", text)), None
    )
    said = _ANSWER.search(text)
    found: dict[str, Json] = {} if kind is None else {"return_type": kind}
    if kind and said:
        mark, rest = said[1], said[2]
        ends = re.search(rf"(?<!\\){mark}\s*[}}]*\s*$", rest)
        found["final_answer"] = rest[: ends.start()] if ends else rest
    return found


def tool_reply(response: Json) -> Json:
    """What a tool said. `{"error": "", "response": ...}`, as an object or as text, is its response alone."""
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
    """Whether a tool's reply is an error or says nothing at all; None where there is no reply to look at."""
    if reply is None:
        return None
    if isinstance(reply, Mapping) and reply.get("error") not in (None, "", False):
        return True
    if isinstance(reply, str):
        if reply.strip() and _NO_ERROR_YET.startswith("".join(reply.split())):
            return None
        return (
            not reply.strip()
            or reply.lstrip().startswith("Error:")
            or bool(_CUT_ERROR.match(reply))
        )
    return not reply and isinstance(reply, Mapping | Sequence)


# A reply that was cut: up to here nothing says whether it is an error, behind it something does.
_NO_ERROR_YET: Final = '{"error":"'
_CUT_ERROR: Final = re.compile(r"""\s*\{\s*['"]error['"]\s*:\s*(?:'[^']|"[^"])""")
