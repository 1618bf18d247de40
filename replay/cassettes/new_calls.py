"""Finds the recorded calls of a proposal that the base does not have, or has with another reply."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from replay.cassettes.cassette_index import Index


class NewCall(NamedTuple):
    """A call that the base does not have. `contradicts`: it has the call, with another reply."""

    key: str
    file: str
    contradicts: bool


def new_calls(base: Path, proposed: Path) -> Iterator[NewCall]:
    """Yields the recorded calls of `proposed` that `base` lacks. Raises FilesError.

    A reply that counts in the base may be contradicted in any cassette. One that does not count
    stays there, whatever `proposed` has, so that another one is neither new nor a contradiction.
    """
    known, index = Index.load(base), Index.load(proposed)
    for call in index:
        recorded = known.find(call.key)
        if recorded is None:
            yield NewCall(call.key, call.file, contradicts=False)
        elif known.counts_by_path(recorded):
            others = (one for one in index.replies(call.key) if one.text != recorded.text)
            if other := next(others, None):
                yield NewCall(call.key, other.file, contradicts=True)
