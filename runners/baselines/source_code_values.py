"""Writing an accepted value as Java or JavaScript source, as the answers to such cases give it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from leaderboard.types import Json

_JAVA_ITEMS: Final[Mapping[str, str]] = {"integer": "int", "any": "Object"}
_JAVA_CLASSES: Final[Mapping[str, str]] = {"integer": "Integer", "long": "Long", "any": "Object"}
# What Java and JavaScript write after a number of these types.
_SUFFIXES: Final[Mapping[str, str]] = {"long": "L", "float": "f"}


def written_value(value: Json, declared: str, items: str | None, language: str) -> str:
    """The source of a value. A text is the source of a variable, or the text of a String itself."""
    if isinstance(value, str):
        return value
    if language == "javascript":
        return _javascript(value) + ("n" if declared == "Bigint" else "")
    kind = items or "any"
    if isinstance(value, list) and declared == "Array":
        return f"new {_JAVA_ITEMS.get(kind, kind)}[]{{{_java_items(value, kind)}}}"
    if isinstance(value, list):
        listed = f"Arrays.asList({_java_items(value, kind)})" if value else ""
        return f"new ArrayList<{_JAVA_CLASSES.get(kind, kind)}>({listed})"
    if isinstance(value, dict):
        entries = (f"put({json.dumps(key)}, {_java(one, 'any')});" for key, one in value.items())
        body = " ".join(entries)
        return f"new HashMap<String, Object>() {{{{ {body} }}}}" if body else "new HashMap<>()"
    return _java(value, declared)


def _java_items(values: list[Json], kind: str) -> str:
    return ", ".join(_java(value, kind) for value in values)


def _java(value: Json, declared: str) -> str:
    if isinstance(value, list):
        return f"new Object[]{{{_java_items(value, 'any')}}}"
    suffix = "" if isinstance(value, bool | str) else _SUFFIXES.get(declared, "")
    return json.dumps(value, ensure_ascii=False) + suffix


def _javascript(value: Json) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_javascript, value))}]"
    if isinstance(value, dict):
        members = (f"{json.dumps(key)}: {_javascript(one)}" for key, one in value.items())
        return f"{{{', '.join(members)}}}"
    return json.dumps(value, ensure_ascii=False)
