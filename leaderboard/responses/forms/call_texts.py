"""Texts that are nothing but tool calls, in the forms that models write them.

- JSON: `{"name": "f", "arguments": {"a": 1}}`, a list of these, or `{"tool_calls": [...]}`
- Python: `[f(a=1), g(b="x")]`, as Llama 4 and Gemma write calls
- tags: `<function=f>{"a": 1}</function>` of Llama 3.1, and Qwen3-Coder's
  `<function=f><parameter=a>1</parameter></function>`
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from leaderboard.files.python_literals import literal_value, python_expression, read_literal
from leaderboard.responses.forms.model_reply import ToolCall
from leaderboard.responses.forms.plain_records import decoded, listed_calls
from leaderboard.types import Json, Tool

# What Mistral and Llama write before calls.
_MARK: Final = re.compile(r"\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>|<\|python_start\|>)")
_PYTHON: Final = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\(")
_FUNCTION: Final = re.compile(r"\s*<function=([^<>\s]+)>(.*?)</function>\s*", re.DOTALL)
_PARAMETER: Final = re.compile(r"\s*<parameter=([^<>\s]+)>(.*?)</parameter>\s*", re.DOTALL)


def calls_of(text: str, tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    """The calls that a text consists of, if all of them name one of these tools; else none."""
    text = without_mark(text)
    calls = _json_calls(text) or _tagged_calls(text, tools) or _python_calls(text)
    return calls if all(call.name in tools for call in calls) else ()


def without_mark(text: str) -> str:
    """The text without the mark of a model that calls follow."""
    mark = _MARK.match(text)
    return text[mark.end() :].removesuffix("<|python_end|>") if mark else text


def _json_calls(text: str) -> tuple[ToolCall, ...]:
    value = decoded(text)
    if isinstance(value, Mapping) and value.keys() == {"tool_calls"}:
        value = value["tool_calls"]
    return () if isinstance(value, str) else listed_calls(value) or ()


def _python_calls(text: str) -> tuple[ToolCall, ...]:
    """Calls with a name for each argument. Nothing in the text is ever run."""
    if not _PYTHON.match(text):
        return ()
    try:
        body = python_expression(text)
        return tuple(map(_python_call, body.elts if isinstance(body, ast.List) else [body]))
    except (ValueError, TypeError, RecursionError):
        return ()


def _python_call(node: ast.expr) -> ToolCall:
    """Raises ValueError or TypeError for anything else."""
    if not isinstance(node, ast.Call) or node.args:
        raise ValueError("not a call with named arguments")
    arguments: dict[str, Json] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("an argument without a name")
        arguments[keyword.arg] = literal_value(keyword.value)
    return ToolCall("", ast.unparse(node.func), arguments)


def _tagged_calls(text: str, tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    calls, place = [], 0
    while found := _FUNCTION.match(text, place):
        name, inside = found.groups()
        arguments = decoded(inside)
        if isinstance(arguments, str):
            arguments = _parameters(inside, tools.get(name))
        if not isinstance(arguments, Mapping):
            return ()
        calls.append(ToolCall("", name, arguments))
        place = found.end()
    return tuple(calls) if place == len(text) else ()


def _parameters(text: str, tool: Tool | None) -> dict[str, Json] | None:
    """The arguments in tags of their own; None if there is anything else."""
    types = {parameter.name: parameter.type for parameter in tool.parameters} if tool else {}
    arguments: dict[str, Json] = {}
    text, place = text.strip(), 0
    while found := _PARAMETER.match(text, place):
        name, value = found.groups()
        value = value.removeprefix("\n").removesuffix("\n")
        arguments[name] = value if types.get(name) == "string" else _literal(value)
        place = found.end()
    return arguments if place == len(text) else None


def _literal(text: str) -> Json:
    try:
        return read_literal(text)
    except ValueError:
        return text
