"""The fence around quoted texts in a prompt."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def fence_for(texts: Iterable[str]) -> str:
    """A word that none of the texts holds. The same texts always get the same word.

    So none of them can end its quotation and speak as the prompt. Recorded calls contain the
    fence: another one for the same texts would lose their recordings.
    """
    quoted = "\0".join(texts)
    digest = sha256(quoted.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:8] in quoted:
        digest = sha256(digest.encode()).hexdigest()
    return digest[:8]
