"""The judge calls that a proposal brings, beside those that the base has recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from replay.cassettes.cassette_index import Index


class NewCall(NamedTuple):
    """A call that the base does not have. `contradicts`: the base has another reply to it."""

    key: str
    file: str
    contradicts: bool


def new_calls(base: Path, proposed: Path) -> Iterator[NewCall]:
    """Yields the recorded calls of `proposed` that `base` lacks, by file. Raises FilesError."""
    known = Index.load(base)
    for call in Index.load(proposed):
        recorded = known.find(call.key)
        if recorded is None or recorded.text != call.text:
            yield NewCall(call.key, call.file, recorded is not None)
