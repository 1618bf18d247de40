"""Whose recordings count."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from leaderboard.types import JudgeSettings
from replay.cassettes.cassette_index import Recorded
from replay.cassettes.counted_recordings import CountedRecordings
from replay.cassettes.maintainers_recordings import add_recordings
from tests.each_row import each_row

KEY = "a" * 64
FILE = "cassettes/j/s/a.json"
SERVED = JudgeSettings("j", "openai", "m")
OPEN = JudgeSettings("j", "openai", "m", recordings="submitters")
EMBEDDED = JudgeSettings("embedded-1", "embedded", "embedded-1")


def test_a_reply_counts_if_a_maintainer_recorded_it(tmp_path: Path) -> None:
    """The list has to hold this very reply, unless it was recorded just now."""
    add_recordings(tmp_path, {KEY: "equivalent"})
    replies = [
        Recorded(KEY, "equivalent", FILE, 0),
        Recorded(KEY, "different", FILE, 0),
        Recorded(KEY, "different", FILE, -1),
        Recorded("b" * 64, "equivalent", FILE, 0),
    ]
    counted = CountedRecordings(tmp_path)
    assert [True, False, True, False] == [counted.count(reply, SERVED) for reply in replies]


def test_the_list_is_only_read_for_judges_that_need_it(tmp_path: Path) -> None:
    """Submitters may record some judges, and replies of others are computed again."""
    (tmp_path / "recordings.json").write_text("[]")
    reply = Recorded(KEY, "equivalent", FILE, 0)
    counted = CountedRecordings(tmp_path)
    assert counted.count(reply, OPEN)
    assert counted.count(reply, EMBEDDED)
    with pytest.raises(FilesError, match="is not a list of recordings"):
        counted.count(reply, SERVED)


@each_row(
    ("settings", "text", "file", "pending"),
    [
        ("", "different", FILE, True),
        ("", "equivalent", FILE, False),
        ('recordings = "submitters"\n', "different", FILE, False),
        ("", "different", "cassettes/other/s/a.json", False),
        ("", "different", "cassettes/a.json", False),
        (None, "different", FILE, False),
    ],
)
def test_the_judge_of_a_cassette_says_whether_its_replies_wait(
    tmp_path: Path, settings: str | None, text: str, file: str, pending: bool
) -> None:
    """Without settings, or for a judge that they do not have, none does."""
    judge = 'panel = ["j"]\n\n[judges.j]\nprovider = "openai"\nmodel = "m"\n'
    place = tmp_path / "leaderboard.toml"
    place.unlink(missing_ok=True)
    if settings is not None:
        place.write_text(f"schema = 1\n{settings}{judge}")
    add_recordings(tmp_path, {KEY: "equivalent"})
    assert pending is CountedRecordings(tmp_path).is_pending(Recorded(KEY, text, file, 0))
