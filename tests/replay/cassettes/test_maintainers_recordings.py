"""The list of recordings by maintainers, and which recordings count."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from leaderboard.types import JudgeSettings
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.maintainers_recordings import (
    CountedRecordings,
    add_recordings,
    digest_of_reply,
    read_recordings,
)

KEYS = ("a" * 64, "b" * 64)
FILE = "cassettes/j/s/a.json"
SERVED = JudgeSettings("j", "openai", "m")
OPEN = JudgeSettings("j", "openai", "m", recordings="submitters")
EMBEDDED = JudgeSettings("embedded-1", "embedded", "embedded-1")


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Recordings are added, sorted by key, one per line. A later reply replaces an earlier one."""
    assert {} == read_recordings(tmp_path)
    add_recordings(tmp_path, {KEYS[1]: "different"})
    add_recordings(tmp_path, {KEYS[0]: "equivalent", KEYS[1]: "equivalent\nyes"})
    assert {
        KEYS[0]: digest_of_reply("equivalent"),
        KEYS[1]: digest_of_reply("equivalent\nyes"),
    } == read_recordings(tmp_path)
    lines = (tmp_path / "recordings.json").read_text().splitlines()
    assert (4, True, True) == (len(lines), KEYS[0] in lines[1], KEYS[1] in lines[2])


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "is empty"),
        ("[]", "is not a list of recordings"),
        ('{"schema": 2, "recorded": {}}', "is not a list of recordings"),
        ('{"schema": 1, "recorded": {}, "x": 1}', "is not a list of recordings"),
        ('{"schema": 1, "recorded": {"a": "b"}}', "not a key with a digest"),
        (f'{{"schema": 1, "recorded": {{"{KEYS[0]}": 1}}}}', "not a key with a digest"),
        (f'{{"schema": 1, "recorded": {{"{KEYS[0]}": "1", "{KEYS[0]}": "2"}}}}', "repeats the key"),
    ],
)
def test_a_broken_list_is_a_problem(tmp_path: Path, content: str, what: str) -> None:
    """A list that cannot be read never counts as empty, and is never overwritten."""
    path = tmp_path / "recordings.json"
    path.write_text(content)
    for attempt in (
        lambda: read_recordings(tmp_path),
        lambda: add_recordings(tmp_path, {KEYS[0]: "x"}),
    ):
        with pytest.raises(FilesError, match=what):
            attempt()
    assert content == path.read_text()


def test_a_merge_conflict_is_resolved_by_the_lines_of_both_sides(tmp_path: Path) -> None:
    """docs/hosting.md says how. Before that, the message names the conflict."""
    sides = {"base": "", "ours": "ab", "theirs": "cd"}
    for name, calls in sides.items():
        root = tmp_path / name
        root.mkdir()
        add_recordings(root, {key * 64: key for key in f"0{calls}"})
    files = [str(tmp_path / name / "recordings.json") for name in ("ours", "base", "theirs")]
    merged = subprocess.run(["git", "merge-file", *files], check=False)
    assert merged.returncode == 1
    with pytest.raises(FilesError, match=r"recordings\.json:\d: holds a merge conflict of git"):
        read_recordings(tmp_path / "ours")

    path = Path(files[0])
    first, *between, last = path.read_text().splitlines()
    entries = [line.rstrip(",") for line in between if line.startswith('"')]
    path.write_text("\n".join([first, ",\n".join(entries), last]))
    assert sorted(read_recordings(tmp_path / "ours")) == [key * 64 for key in "0abcd"]


def test_a_reply_counts_if_a_maintainer_recorded_it(tmp_path: Path) -> None:
    """The list has to hold this very reply, unless it was recorded just now."""
    add_recordings(tmp_path, {KEYS[0]: "equivalent"})
    replies = [
        Recorded(KEYS[0], "equivalent", FILE, 0),
        Recorded(KEYS[0], "different", FILE, 0),
        Recorded(KEYS[0], "different", FILE, -1),
        Recorded(KEYS[1], "equivalent", FILE, 0),
    ]
    counted = CountedRecordings(tmp_path)
    assert [True, False, True, False] == [counted.counts(reply, SERVED) for reply in replies]


def test_the_list_is_only_read_for_judges_that_need_it(tmp_path: Path) -> None:
    """Submitters may record some judges, and replies of others are computed again."""
    (tmp_path / "recordings.json").write_text("[]")
    reply = Recorded(KEYS[0], "equivalent", FILE, 0)
    counted = CountedRecordings(tmp_path)
    assert counted.counts(reply, OPEN)
    assert counted.counts(reply, EMBEDDED)
    with pytest.raises(FilesError, match="is not a list of recordings"):
        counted.counts(reply, SERVED)
