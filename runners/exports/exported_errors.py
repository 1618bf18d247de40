"""The error of an answer, as formats with one place for all errors have it."""

from __future__ import annotations

from leaderboard.types import Response


def error_of(response: Response) -> str | None:
    """The error of a response. A call that cannot be read is one: it would be lost otherwise."""
    if response.error is not None or response.malformed is None:
        return response.error
    return f"a call cannot be read: {response.malformed}"
