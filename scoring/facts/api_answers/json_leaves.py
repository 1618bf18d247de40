"""The values at the ends of JSON, and the objects in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from leaderboard.types import Json


def leaves(value: Json) -> Iterator[Json]:
    """The texts, numbers and truth values in a value, in order. Keys and null are none."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner)
    elif value is not None:
        yield value


def objects(value: Json) -> Iterator[Mapping[str, Json]]:
    """Every object in a value. One that holds others comes before them."""
    if isinstance(value, Mapping):
        yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from objects(inner)
