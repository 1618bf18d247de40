"""Python's garbage collector: paused where millions of objects are made that all stay, and not where a client leaves some."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Parsing makes millions of objects and no garbage; the collector would look at all of them again and again."""
    with _collector(runs=False):
        yield


@contextmanager
def running_collector() -> Iterator[None]:
    """Clients leave cycles behind with every request; hours of recording would fill the memory with them."""
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
