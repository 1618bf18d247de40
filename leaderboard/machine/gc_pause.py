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
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()


@contextmanager
def running_collector() -> Iterator[None]:
    """Runs the collector while recording.

    HTTP clients leave reference cycles with every request, which fill the memory in long runs.
    """
    was_running = gc.isenabled()
    gc.enable()
    try:
        yield
    finally:
        if not was_running:
            gc.disable()
