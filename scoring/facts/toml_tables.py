"""Reads the word lists of this package: TOML files beside the modules that use them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_table(name: str) -> Mapping[str, Any]:
    """Reads a TOML file. `name` is its path below `scoring/facts/`."""
    return tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))


def phrases(text: str) -> list[str]:
    """The phrases of a list in a table. A phrase may be broken over two lines."""
    return [" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()]
