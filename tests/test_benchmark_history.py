"""The history of ratios: what counts as worse, and the picture that belongs to it."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import orjson

from tests.conftest import PROJECT


def loaded() -> ModuleType:
    """The script, which is not part of a package."""
    path = PROJECT / "benchmarks" / "history.py"
    spec = spec_from_file_location("benchmark_history", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


HISTORY = loaded()


def entry(ratio: float, responses: int = 1000) -> dict[str, object]:
    return {
        "date": "2026-01-31",
        "responses": responses,
        "ratios": dict.fromkeys(HISTORY.LINES, ratio),
    }


def test_a_ratio_is_compared_with_the_latest_of_its_size() -> None:
    """Older entries, and those of another number of responses, say nothing."""
    history = [entry(9.0), *[entry(1.0)] * HISTORY.LATEST, entry(9.0, responses=10)]
    assert HISTORY.worse(history, entry(1.49)) == []
    assert HISTORY.worse(history, entry(1.5)) == [
        f"{name}: 1.50, before 1.00" for name in HISTORY.LINES
    ]
    assert HISTORY.worse([], entry(9.0)) == []


def test_the_picture_shows_the_history() -> None:
    """It is drawn again with every new entry."""
    history = orjson.loads(HISTORY.HISTORY.read_bytes())
    assert HISTORY.PICTURE.read_text(encoding="utf-8") == HISTORY.drawn(history)
