"""Reads values and texts that are nothing but tool calls, in the syntaxes that models write.

- JSON: `{"name": "f", "arguments": {"a": 1}}`, a list of these, or `{"tool_calls": [...]}`
- Python: `[f(a=1), g(b="x")]`, as Llama 4 and Gemma write calls
- tags: `<function=f>{"a": 1}</function>` of Llama 3.1, and Qwen3-Coder's
  `<function=f><parameter=a>1</parameter></function>`
- between the tags of other models: a name, and arguments as JSON or in tags
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.files.python_literals import literal_value, python_expression, read_literal
from leaderboard.responses.calls import ARGUMENT_KEYS, unread_keys
from leaderboard.responses.forms.model_reply import ToolCall, member, tool_call
from leaderboard.types import Json, Tool

# Llama writes arguments as `parameters`. A responses file does not.
_ARGUMENT_KEYS: Final = (*ARGUMENT_KEYS, "parameters")
# How JSON of an object or list starts, and JSON of that text.
_ENCODED: Final = ("{", "[", '"{', '"[')
# What Llama writes before calls.
_MARK: Final = re.compile(r"\s*(?:<\|python_tag\|>|<\|python_start\|>)")
_PYTHON: Final = re.compile(r"\[?\s*[A-Za-z_][\w.]*\(")
_FUNCTION: Final = re.compile(r"\s*<function=([^<>\s]+)>(.*?)</function>\s*", re.DOTALL)
# Of Qwen3-Coder, Claude and GLM.
_PARAMETER: Final = re.compile(
    r"\s*<(?:parameter=|parameter name=\"|arg_key>)([^<>\"]+)"
    r"(?:\"?>|</arg_key>\s*<arg_value>)(.*?)</(?:parameter|arg_value)>\s*",
    re.DOTALL,
)
# A name, what DeepSeek, Mistral, Claude or gpt-oss write after it, and the arguments.
_NAMED: Final = re.compile(
    r"(?:function<｜tool▁sep｜>)?(?P<name>[^\s<>\[\]{}()\"]+)\s*"
    r"(?:<｜tool▁sep｜>|(?:\[CALL_ID\]\w+)?\[ARGS\]|\">|[^{}]{0,80}?<\|message\|>)?"
    r"(?P<inside>.*)",
    re.DOTALL,
)


def decoded(value: Json) -> Json:
    """The value of a text that is JSON of an object or list, as tables keep them; else itself.

    Some programs write JSON of that JSON once more, as a text in quotes.
    """
    if not isinstance(value, str) or not value.lstrip().startswith(_ENCODED):
        return value
    try:
        inner = parse(value.strip().encode("utf-8", "replace"), "")
    except FilesError:
        return value
    found = decoded(inner)
    return value if isinstance(found, str) else found


def listed_calls(value: Json) -> tuple[ToolCall, ...] | None:
    """The calls in a value that is a call or a list of calls; None for any other value.

    A name without arguments beside other keys is no call: one of them may hold the arguments.
    """
    items = value if isinstance(value, list) else [value]
    calls = []
    for item in items:
        inner = member(item, "functionCall", "function_call") or item
        call = member(inner, "kwargs", "function") or inner
        name = member(call, "tool", "name", "toolName")
        if not isinstance(name, str) or unread_keys(inner, _ARGUMENT_KEYS):
            return None
        calls.append(tool_call("", name, member(call, *_ARGUMENT_KEYS)))
    return tuple(calls) or None


def calls_of(text: str, tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    """The calls that a text consists of, if all of them name one of these tools; else none."""
    text = without_mark(text).strip()
    calls = _json_calls(text) or _tagged_calls(text, tools) or _python_calls(text, tools)
    return calls if all(call.name in tools for call in calls) else ()


def tagged_calls_of(text: str, tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    """The calls of a text that a model wrote between tags, where a name and arguments are one."""
    named = _NAMED.fullmatch(text.strip())
    if named and named["name"] in tools:
        inside = named["inside"].strip().removeprefix("```json").removesuffix("```")
        arguments = _arguments(inside, tools[named["name"]])
        if arguments is not None:
            return (ToolCall("", named["name"], arguments),)
    return calls_of(text, tools)


def without_mark(text: str) -> str:
    """The text without the mark of a model that calls follow."""
    mark = _MARK.match(text)
    return text[mark.end() :].removesuffix("<|python_end|>") if mark else text


def _json_calls(text: str) -> tuple[ToolCall, ...]:
    value = decoded(text)
    if isinstance(value, Mapping) and value.keys() == {"tool_calls"}:
        value = value["tool_calls"]
    return () if isinstance(value, str) else listed_calls(value) or ()


def _python_calls(text: str, tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    """Calls of functions with literals as arguments. Nothing in the text is ever run."""
    if not _PYTHON.match(text):
        return ()
    try:
        body = python_expression(text)
        nodes = body.elts if isinstance(body, ast.List) else [body]
        return tuple(_python_call(node, tools) for node in nodes)
    except (ValueError, TypeError, RecursionError):
        return ()


def _python_call(node: ast.expr, tools: Mapping[str, Tool]) -> ToolCall:
    """Arguments without a name are in the order of the tool's parameters.

    Raises ValueError or TypeError for anything else.
    """
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    name = ast.unparse(node.func)
    parameters = tools[name].parameters if name in tools else ()
    if len(node.args) > len(parameters):
        raise ValueError("more arguments than parameters")
    arguments: dict[str, Json] = {
        parameter.name: literal_value(value)
        for parameter, value in zip(parameters, node.args, strict=False)
    }
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise ValueError("an argument without a name, or a second time")
        arguments[keyword.arg] = literal_value(keyword.value)
    return ToolCall("", name, arguments)


def _tagged_calls(text: str, tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    calls, place = [], 0
    while found := _FUNCTION.match(text, place):
        name, inside = found.groups()
        arguments = _arguments(inside, tools.get(name))
        if arguments is None:
            return ()
        calls.append(ToolCall("", name, arguments))
        place = found.end()
    return tuple(calls) if place == len(text) else ()


def _arguments(text: str, tool: Tool | None) -> Mapping[str, Json] | None:
    """Arguments as JSON or in tags; None for anything else."""
    arguments = decoded(text)
    if isinstance(arguments, str):
        return _parameters(text, tool)
    return arguments if isinstance(arguments, Mapping) else None


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
