"""The known name that a misspelt one probably means, and the hint for an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from leaderboard.texts.short_text import and_more

# How similar two names must be, of 1, so that one is a slip for the other: "any_cal" is
# "any_call", but "kind" is not "id".
SLIP: Final = 0.86
# The same for a name that nothing reads: "categroy" probably means "category".
MEANT: Final = 0.8


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name nearest to `name`, without letter case; None if none is near."""
    by_folded = {word.casefold(): word for word in known}
    found = difflib.get_close_matches(name.casefold(), by_folded, 1, alike)
    return by_folded[found[0]] if found else None


def suggestion(name: str, names: Iterable[str]) -> str:
    """The hint for an unknown name: the nearest known one, or the first few of them."""
    choices = sorted(names)
    if near := nearest(name, choices):
        return f"did you mean {near}?"
    if not choices:
        return "none exists yet"
    return f"choose one of: {', '.join(choices[:10])}{and_more(len(choices) - 10)}"
