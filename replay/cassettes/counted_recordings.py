"""Which recorded replies count, and which are pending until a maintainer records them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from leaderboard.types import JudgeSettings
from replay.cassettes.cassette_index import Recorded
from replay.cassettes.maintainers_recordings import digest_of_reply, read_recordings


class CountedRecordings:
    """Decides whether a recorded reply counts, by the list of recordings of a workspace.

    Replies of a judge that can be recomputed count, and so do all others if submitters may record.
    Otherwise the list of recordings by maintainers has to hold the reply. It is read when first
    needed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def _listed(self) -> Mapping[str, str]:
        return read_recordings(self._root)

    def count(self, recorded: Recorded, judge: JudgeSettings) -> bool:
        """Returns whether a reply counts. Raises FilesError for a broken list."""
        if not judge.needs_maintainer or recorded.is_new:
            return True
        return self._listed.get(recorded.key) == digest_of_reply(recorded.text)
