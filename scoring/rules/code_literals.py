"""The values of arguments that are written as Java or JavaScript source.

The forms and types are those of the Berkeley Function Calling Leaderboard. Anything that is not a
literal of its declared type stays text: the name of a variable, or a call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.texts.code_text import quoted_text, split_code
from leaderboard.types import Json, Language

_INTEGER: Final = re.compile(r"-?[0-9]+")
_DECIMAL: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_FLOAT: Final = re.compile(rf"({_NUMBER.pattern})[fF]")
_LONG: Final = re.compile(rf"({_INTEGER.pattern})[lL]")
_BIGINT: Final = re.compile(rf"({_INTEGER.pattern})n")
_BOOLEANS: Final = {"true": True, "false": False}

_JAVA_ARRAY: Final = re.compile(r"new\s+[\w.]+\s*\[\s*\]\s*\{(.*)\}", re.DOTALL)
_JAVA_AS_LIST: Final = re.compile(
    r"new\s+ArrayList\s*<[^()]*>\s*\(\s*Arrays\.asList\s*\((.*)\)\s*\)", re.DOTALL
)
_JAVA_LISTS: Final = MappingProxyType({"Array": _JAVA_ARRAY, "ArrayList": _JAVA_AS_LIST})
_JAVA_NEW: Final = r"new\s+{}\s*<[^()]*>\s*\(\s*\)\s*(?:\{{\s*\{{(.*)\}}\s*\}}|\{{\s*\}})?"
_JAVA_LIST: Final = re.compile(_JAVA_NEW.format("ArrayList"), re.DOTALL)
_JAVA_MAP: Final = re.compile(_JAVA_NEW.format("HashMap"), re.DOTALL)
_JAVA_ADD: Final = re.compile(r"add\s*\((.*)\)", re.DOTALL)
_JAVA_PUT: Final = re.compile(r"put\s*\((.*)\)", re.DOTALL)
_JS_ARRAY: Final = re.compile(r"\[(.*)\]|new\s+Array\s*\((.*)\)", re.DOTALL)
_JS_OBJECT: Final = re.compile(r"\{(.*)\}", re.DOTALL)
_JS_KEY: Final = re.compile(r"[\w$-]+")

_LONGEST_NUMBER: Final = 400  # characters: Python refuses to read integers of very many digits

# Reads a text as a value of one type. Text that is no such literal stays text.
_Read = Callable[[str], Json]


def source_value(language: Language, text: str, declared: str, items: str | None) -> Json:
    """The value of `text` as an argument of the declared type, whose items have the type `items`.

    Lists and objects become those of JSON, characters become text.
    """
    try:
        if language == "java":
            return _java(text, declared, items)
        return _javascript(text, declared, items)
    except ValueError:  # unbalanced brackets or quotes
        return text


# ---------------------------------------------------------------- single values


def _number(pattern: re.Pattern[str], kind: type, group: int = 0) -> _Read:
    def read(text: str) -> Json:
        found = pattern.fullmatch(text)
        return kind(found[group]) if found and len(text) < _LONGEST_NUMBER else text

    return read


def _boolean(text: str) -> Json:
    return _BOOLEANS.get(text, text)


def _unquoted(text: str) -> Json:
    inner = quoted_text(text)
    return text if inner is None else inner


_JAVA: Final[Mapping[str, _Read]] = MappingProxyType(
    {
        **dict.fromkeys(("byte", "short", "integer"), _number(_INTEGER, int)),
        "long": _number(_LONG, int, 1),
        "float": _number(_FLOAT, float, 1),
        "double": _number(_NUMBER, float),
        "boolean": _boolean,
    }
)
_JAVASCRIPT: Final[Mapping[str, _Read]] = MappingProxyType(
    {
        "integer": _number(_INTEGER, int),
        "float": _number(_DECIMAL, float),
        "Bigint": _number(_BIGINT, int, 1),
        "Boolean": _boolean,
        "String": _unquoted,
    }
)


def _literal(text: str) -> Json:
    """A value whose type nobody declared: text in quotes, a boolean, a number, or its source."""
    if (inner := quoted_text(text)) is not None:
        return inner
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    for pattern, kind, group in ((_INTEGER, int, 0), (_LONG, int, 1), (_FLOAT, float, 1)):
        if (value := _number(pattern, kind, group)(text)) is not text:
            return value
    return _number(_NUMBER, float)(text)


def _item(readers: Mapping[str, _Read], text: str, items: str | None) -> Json:
    """An item of a list."""
    if (inner := quoted_text(text)) is not None:
        return inner
    if items is None:
        return _literal(text)
    return readers[items](text) if items in readers else text


# ---------------------------------------------------------------- Java


def _java(text: str, declared: str, items: str | None) -> Json:
    if declared in _JAVA:
        return _JAVA[declared](text)
    text = text if declared in ("String", "any", "char") else text.strip()
    if found := _JAVA_LISTS[declared].fullmatch(text) if declared in _JAVA_LISTS else None:
        written = split_code(found[1], ",")
    elif declared == "ArrayList" and (found := _JAVA_LIST.fullmatch(text)):
        written = _arguments_of(_JAVA_ADD, found[1])
    elif declared == "HashMap" and (found := _JAVA_MAP.fullmatch(text)):
        return _java_map(found[1])
    else:
        return text
    return [_item(_JAVA, item, items) for item in written]


def _java_map(body: str | None) -> Json:
    entries = {}
    for arguments in _arguments_of(_JAVA_PUT, body):
        key, value = split_code(arguments, ",")
        entries[str(_unquoted(key))] = _literal(value)
    return entries


def _arguments_of(method: re.Pattern[str], body: str | None) -> list[str]:
    """What is between the brackets of each statement, which calls a method: `add(1); add(2);`."""
    arguments = []
    for statement in split_code(body or "", ";"):
        if statement:
            match = method.fullmatch(statement)
            if match is None:
                raise ValueError("a statement that is not such a call")
            arguments.append(match[1].strip())
    return arguments


# ---------------------------------------------------------------- JavaScript


def _javascript(text: str, declared: str, items: str | None) -> Json:
    if declared in _JAVASCRIPT:
        return _JAVASCRIPT[declared](text)
    text = text if declared == "any" else text.strip()
    if declared == "array" and (found := _JS_ARRAY.fullmatch(text)):
        written = split_code(found[1] or found[2] or "", ",")
        if any(_JS_ARRAY.fullmatch(item) for item in written):
            items = None
        return [
            _js_literal(item) if items is None else _item(_JAVASCRIPT, item, items)
            for item in written
        ]
    return _js_object(text) if declared == "dict" else text


def _js_object(text: str) -> Json:
    found = _JS_OBJECT.fullmatch(text)
    if found is None:
        return text
    entries = {}
    for member in split_code(found[1], ","):
        key, *value = split_code(member, ":")
        name = quoted_text(key)
        if len(value) != 1 or (name is None and not _JS_KEY.fullmatch(key)):
            raise ValueError("a member that is not a name with a value")
        entries[key if name is None else name] = _js_literal(value[0])
    return entries


def _js_literal(text: str) -> Json:
    if found := _JS_ARRAY.fullmatch(text):
        return [_js_literal(item) for item in split_code(found[1] or found[2] or "", ",")]
    return _js_object(text) if _JS_OBJECT.fullmatch(text) else _literal(text)
