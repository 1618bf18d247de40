"""A check of responses that finds nothing wrong, for tests of what comes after it."""

from __future__ import annotations

from leaderboard.types import Case, Response, Suite


def as_reported(_suite: Suite, _case: Case, response: Response) -> Response:
    return response
