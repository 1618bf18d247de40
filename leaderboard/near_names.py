"""The known name that a misspelt one probably means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

# How similar two names must be: "any_cal" is "any_call", but "kind" is not "id".
_ALIKE = 0.86


def nearest(name: str, known: Iterable[str], alike: float = _ALIKE) -> str | None:
    """Returns the known name nearest to `name`, without letter case; None if none is near."""
    by_folded = {word.casefold(): word for word in known}
    found = difflib.get_close_matches(name.casefold(), by_folded, 1, alike)
    return by_folded[found[0]] if found else None


def misspelt(names: Iterable[str], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yields each unknown name that is near a known one, and the known one."""
    known = frozenset(known)
    for name in names:
        if name not in known and (near := nearest(name, known)):
            yield name, near
