"""Pausing Python's garbage collector while millions of objects are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pauses the collector while parsing.

    Parsing leaves no garbage, and the collector would look at all objects again and again.
    """
    with _collector(runs=False):
        yield


@contextmanager
def running_collector() -> Iterator[None]:
    """Runs the collector while recording.

    HTTP clients leave reference cycles with every request, which fill the memory in long runs.
    """
    with _collector(runs=True):
        yield


@contextmanager
def _collector(*, runs: bool) -> Iterator[None]:
    before = gc.isenabled()
    (gc.enable if runs else gc.disable)()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()
