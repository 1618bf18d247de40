"""Replies without the values that an agent itself put into the call.

An API that repeats its arguments would otherwise support whatever an agent likes: a conversion of
432 km to km replies 432.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Call, Json
from scoring.facts.api_answers.json_leaves import leaves


def without_echoes(query: str, calls: Sequence[Call], named: Callable[[str], bool]) -> list[Json]:
    """The replies to these calls. Those of APIs that the query names, by `named`, stay whole.

    In the others, values that the query or another reply has stay, too.
    """
    asked = _spelled(query)
    sent = [frozenset(map(_spelled, leaves(call.arguments))) for call in calls]
    learned: set[str] = set()
    for call, own in zip(calls, sent, strict=True):
        learned.update({_spelled(value) for value in leaves(call.result)} - own)
    replies = []
    for call, own in zip(calls, sent, strict=True):
        echoes = {value for value in own if value not in asked and value not in learned}
        replies.append(call.result if named(call.name) else _kept(call.result, echoes))
    return replies


def _kept(value: Json, echoes: set[str]) -> Json:
    """A value without the leaves that only repeat an argument."""
    if isinstance(value, Mapping):
        return {
            key: _kept(inner, echoes) for key, inner in value.items() if not _is_echo(inner, echoes)
        }
    if isinstance(value, list | tuple):
        return [_kept(inner, echoes) for inner in value if not _is_echo(inner, echoes)]
    return value


def _is_echo(value: Json, echoes: set[str]) -> bool:
    return not isinstance(value, Mapping | list | tuple) and _spelled(value) in echoes


def _spelled(value: Json) -> str:
    """One spelling of a value. Numbers are compared by value: 5.0 and "5" are the same."""
    text = single_spaced(str(value).casefold())
    try:
        return repr(float(text)).removesuffix(".0")
    except ValueError:
        return text
