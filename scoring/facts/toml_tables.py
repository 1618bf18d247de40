"""Reads word lists: TOML files beside the modules that use them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from leaderboard.texts.short_text import single_spaced


def read_table(name: str, folder: Path = Path(__file__).parent) -> Mapping[str, Any]:
    """Reads a TOML file. `name` is its path below the folder, by default `scoring/facts/`."""
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))


def phrases(text: str) -> list[str]:
    """The phrases of a list in a table. A phrase may be broken over two lines."""
    return [single_spaced(phrase) for phrase in text.split(",") if phrase.strip()]
