"""The values at the ends of JSON."""

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
