"""The providers of judges: their names in leaderboard.toml, and how pages describe them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

# A new provider is one name and one description here, and one module in `replay/providers/`.
Provider = Literal["openai", "google", "embedded"]

PROVIDER_DESCRIPTIONS: Final[Mapping[Provider, str]] = {
    "openai": "an OpenAI-compatible chat endpoint",
    "google": "Google's Gemini API",
    "embedded": "this repository itself, over loopback",
}
