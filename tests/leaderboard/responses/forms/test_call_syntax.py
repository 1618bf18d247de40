"""Texts that are calls, in the forms that models write them."""

from __future__ import annotations

import time

import pytest

from leaderboard.responses.forms.call_syntax import calls_of, tagged_calls_of
from leaderboard.types import Json, Parameter, Tool
from tests.each_row import each_row

TOOLS = {
    "add": Tool("add", "", (Parameter("note", "string", "", True, {"type": "string"}),)),
    "clock.now": Tool("clock.now", "", ()),
}


def calls(text: str) -> list[tuple[str, Json]]:
    return [(call.name, call.arguments) for call in calls_of(text, TOOLS)]


def parameter(name: str, value: str) -> str:
    return f"<parameter={name}>\n{value}\n</parameter>\n"


@each_row(
    ("text", "found"),
    [
        ("[add(a=1)]", [("add", {"a": 1})]),
        ("add(a=-1.5, b=[True, None])", [("add", {"a": -1.5, "b": [True, None]})]),
        ("[add(a='x'),\n add(b={'c': 2})]", [("add", {"a": "x"}), ("add", {"b": {"c": 2}})]),
        ("<|python_start|>[add(a=1)]<|python_end|>", [("add", {"a": 1})]),
        ("<|python_tag|>clock.now()", [("clock.now", {})]),
        ("[add('x')]", [("add", {"note": "x"})]),
        ("add(1, 2)", []),
        ("add(1, note=2)", []),
        ("add(*a)", []),
        ("other(1)", []),
        ("add(**a)", []),
        ("add(a=b)", []),
        ("[add(a=1), other(a=1)]", []),
        ("add(a=1) is the call", []),
        ("add(a=1", []),
        ("(add)(a=1)", []),
    ],
)
def test_python_calls_with_literals_are_read(text: str, found: list[tuple[str, Json]]) -> None:
    """One call or a list. Arguments without a name are in the order of the tool's parameters.

    Variables, too many arguments and other tools are no calls.
    """
    assert calls(text) == found


@each_row(
    ("text", "found"),
    [
        ('<function=add>{"a": 1}</function>', [("add", {"a": 1})]),
        ("<function=clock.now></function>", [("clock.now", {})]),
        (
            f"\n<function=add>\n{parameter('a', '1')}{parameter('note', '1')}</function>\n",
            [("add", {"a": 1, "note": "1"})],
        ),
        (f"<function=add>{parameter('a', 'two words')}</function>", [("add", {"a": "two words"})]),
        (
            f"<function=add>{parameter('note', ' x' + chr(10))}</function>",
            [("add", {"note": " x\n"})],
        ),
        (
            '<function=add>{"a": 1}</function>\n<function=add>{"a": 2}</function>',
            [("add", {"a": 1}), ("add", {"a": 2})],
        ),
        (f"<function=add>words {parameter('a', '1')}</function>", []),
        ("<function=add>[1]</function>", []),
        ("<function=add>{</function>", []),
        ('<function=other>{"a": 1}</function>', []),
        ('<function=add>{"a": 1}', []),
    ],
)
def test_calls_in_tags_are_read(text: str, found: list[tuple[str, Json]]) -> None:
    """Values of text parameters stay as they are. Others are JSON or Python, or else text."""
    assert calls(text) == found


GLM = "add\n<arg_key>note</arg_key>\n<arg_value>1</arg_value>\n<arg_key>a</arg_key>"
CLAUDE = '<parameter name="note">1</parameter>\n<parameter name="a">[2]</parameter>\n'


@each_row(
    ("text", "arguments"),
    [
        (f"{GLM}\n<arg_value>[2]</arg_value>\n", {"note": "1", "a": [2]}),
        (f'add">\n{CLAUDE}', {"note": "1", "a": [2]}),
        ('add[ARGS]{"a": 1}', {"a": 1}),
        ('add[CALL_ID]9fB3[ARGS]{"a": 1}', {"a": 1}),
        ('add{"a": 1}', {"a": 1}),
        ('function<｜tool▁sep｜>add\n```json\n{"a": 1}\n```', {"a": 1}),
        ('add<｜tool▁sep｜>{"a": 1}', {"a": 1}),
        ('add <|constrain|>json<|message|>{"a": 1}', {"a": 1}),
        ('add<|channel|>commentary json<|message|>{"a": 1}', {"a": 1}),
        ('[{"name": "add", "arguments": {"a": 1}}]', {"a": 1}),
        ("add(a=1)", {"a": 1}),
        ("add\n", {}),
        (GLM, None),
        ("other{}", None),
        ("add to it", None),
        ("add[ARGS][1]", None),
        ("add[ARGS]{", None),
    ],
)
def test_a_name_before_arguments_is_a_call_between_tags(text: str, arguments: Json) -> None:
    """As GLM, Claude, Mistral, DeepSeek and gpt-oss write calls. Without tags it is text."""
    found = [(call.name, call.arguments) for call in tagged_calls_of(text, TOOLS)]

    assert found == ([] if arguments is None else [("add", arguments)])


@each_row(
    "text",
    [
        "<function=add>" * 20_000,
        "\n" * 100_000 + "add",
        "add" + "\n" * 100_000 + "x",
        "add" + "<arg_key>a" * 20_000,
        f"<function=add>{'<parameter=a>' * 20_000}</function>",
        f"add(a={'[' * 50_000})",
        f"[{'add(a=1),' * 9_000}]",
        f"add(a{chr(0x0316) * 20_000}{chr(0x0301) * 20_000}=1)",
    ],
)
@pytest.mark.large
def test_long_texts_take_little_time(text: str) -> None:
    """Tags that do not end, brackets in brackets, many calls, and letters with piles of marks."""
    start = time.process_time()
    tagged_calls_of(text, TOOLS)

    assert time.process_time() - start < 2
