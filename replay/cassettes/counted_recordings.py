"""Which recorded replies count, and which are pending until a maintainer records them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from leaderboard.files.cassette_paths import cassette_path
from leaderboard.types import JudgeSettings
from leaderboard.workspace import Workspace
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.maintainers_recordings import digest_of_reply, read_recordings


class CountedRecordings:
    """Decides whether a recorded reply counts, by the list of recordings of a workspace.

    Replies of a judge that can be recomputed count, and so do all others if submitters may record.
    Otherwise the list of recordings by maintainers has to hold the reply. Files are read when first
    needed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def _listed(self) -> Mapping[str, str]:
        return read_recordings(self._root)

    @cached_property
    def _judges(self) -> Mapping[str, JudgeSettings]:
        # Imported late, because pydantic is slow to import and nearly no board needs this.
        from leaderboard.files.board_settings import load_leaderboard  # noqa: PLC0415

        return load_leaderboard(Workspace(self._root)).judges

    def count_by_path(self, recorded: Recorded) -> bool:
        """Returns whether a reply counts as one of the judge that its cassette's path names.

        A reply of an unknown judge does. Raises FilesError for a broken list or leaderboard.toml.
        """
        path = cassette_path(recorded.file)
        judge = self._judges.get(path.judge) if path else None
        return judge is None or self.count(recorded, judge)

    def count(self, recorded: Recorded, judge: JudgeSettings) -> bool:
        """Returns whether a reply counts. Raises FilesError for a broken list."""
        if not judge.needs_maintainer or recorded.is_new:
            return True
        return self._listed.get(recorded.key) == digest_of_reply(recorded.text)
