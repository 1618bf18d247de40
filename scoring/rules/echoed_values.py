"""Replies without the values that an agent itself put into the call.

An API that repeats its arguments would otherwise support whatever an agent likes: a conversion of
432 km to km replies 432, and "unknown line: 'minor delays'" names a delay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from leaderboard.apis.executions import reply_failed
from leaderboard.types import Call, Json
from scoring.facts.canonical_text.canonical import canonical


class Support(NamedTuple):
    """What replies bear out, and the errors that tell more than the arguments of their calls."""

    replies: list[Json]
    errors: list[Json]


def without_echoes(query: str, calls: Sequence[Call]) -> Support:
    """What the replies to these calls tell beyond their arguments.

    Of a reply, values with digits that only repeat an argument are left out. Names stay: an API may
    confirm a guess. An error with an argument from nowhere is left out, because any text could be
    in it. Values that the query or another reply has are no echoes.
    """
    asked = f" {_spelled(query)} "
    sent = [{_spelled(value) for value in _leaves(call.arguments)} for call in calls]
    learned: set[str] = set()
    for call, own in zip(calls, sent, strict=True):
        if not reply_failed(call.result):
            learned.update({_spelled(value) for value in _leaves(call.result)} - own)
    support = Support([], [])
    for call, own in zip(calls, sent, strict=True):
        echoes = {value for value in own - learned if f" {value} " not in asked}
        if not reply_failed(call.result):
            support.replies.append(_kept(call.result, {*filter(_has_digit, echoes)}))
        elif not echoes:
            support.errors.append(call.result)
    return support


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


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield value


def _spelled(value: Json) -> str:
    """One spelling of a value: 5.0, "5" and "five" are the same, and so are two forms of a date."""
    return _canonical_words(str(value))


@lru_cache(maxsize=4096)
def _canonical_words(text: str) -> str:
    return " ".join(canonical(text).words)
