"""The providers of judges: their names and descriptions, and the settings that identify no call.

Also the one name that no judge may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

# The "judge" of the rows about rules, facts and judges together.
DECISION: Final = "decision"

# Whose recordings of a judge's replies count.
Recordings = Literal["maintainers", "submitters"]

# A new provider is one name and one description here, its address and keys in
# `network/endpoints.py`, and one module in `replay/providers/`.
Provider = Literal["openai", "google", "anthropic", "embedded"]

# Judges that are code of this project: their replies are computed again, and so cannot be forged.
RECOMPUTED: Final[frozenset[Provider]] = frozenset({"embedded"})

# The only model of the embedded judge. No other judge has it.
EMBEDDED_MODEL: Final = "embedded-1"

# Settings of a judge that name the person who asks. They are sent, but neither recorded nor shown,
# and are no part of a call's identity.
PERSONAL_FIELDS: Final = frozenset({"user", "safety_identifier", "prompt_cache_key", "metadata"})

# What the sentence begins with that replaces the text of a reply without any.
NO_TEXT: Final = "[no text in the judge's reply: "

PROVIDER_DESCRIPTIONS: Final[Mapping[Provider, str]] = {
    "openai": "an OpenAI-compatible chat endpoint",
    "google": "Google's Gemini API",
    "anthropic": "Anthropic's Messages API",
    "embedded": "Toolboard itself",
}
