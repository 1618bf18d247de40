"""The journal: recorded calls before they are filed."""

from __future__ import annotations

import errno
import multiprocessing
import os
import subprocess
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from leaderboard.errors import FilesError, JudgeError
from replay.cassettes import cassette_file
from replay.recording import journal
from tests.replay.cassette_files import interaction

A, B = "cassettes/j/s/a.json", "cassettes/j/s/b.json"


def prompts(root: Path, file: str) -> list[str]:
    return sorted(cassette_file.exchange(item).prompt for item in cassette_file.read(root, file))


def test_what_is_kept_is_filed_at_the_end(tmp_path: Path) -> None:
    """Each exchange is added to its cassette, and the journal is removed."""
    cassette_file.write(tmp_path, A, [interaction("1")])
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("2"))
        kept.keep(B, interaction("3"))
        assert not (tmp_path / B).exists()
    assert (["1", "2"], ["3"], False) == (
        prompts(tmp_path, A),
        prompts(tmp_path, B),
        journal.path_of(tmp_path).exists(),
    )


def test_a_later_reply_replaces_an_earlier_one(tmp_path: Path) -> None:
    """A request that is recorded again keeps its newest reply, once."""
    cassette_file.write(tmp_path, A, [interaction("1", "different"), interaction("2", "different")])
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1", "hm"))
        kept.keep(A, interaction("1", "equivalent"))
    assert ["different", "equivalent"] == sorted(
        cassette_file.exchange(item).text for item in cassette_file.read(tmp_path, A)
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_whatever_ends_a_recording_the_calls_are_kept(
    tmp_path: Path, error: type[BaseException]
) -> None:
    """Ctrl-C or a crash files what was complete."""

    def record() -> None:
        with journal.open_journal(tmp_path) as kept:
            kept.keep(A, interaction("1"))
            raise error

    with pytest.raises(error):
        record()
    assert prompts(tmp_path, A) == ["1"]


@pytest.mark.parametrize("cut", range(1, 40, 6))
def test_a_leftover_journal_is_filed_without_its_cut_off_line(tmp_path: Path, cut: int) -> None:
    """Every whole line of a killed writer's journal counts. A cut-off last line does not."""
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1"))
        kept.keep(A, interaction("2"))
        data = journal.path_of(tmp_path).read_bytes()
    (tmp_path / A).unlink()
    journal.path_of(tmp_path).write_bytes(data[:-cut])
    # With only the line break missing the second call is whole.
    assert (2 if cut == 1 else 1) == journal.file_leftover(tmp_path)
    assert (["1", "2"] if cut == 1 else ["1"]) == prompts(tmp_path, A)
    assert (0, False) == (journal.file_leftover(tmp_path), journal.path_of(tmp_path).exists())


def test_a_new_recording_files_the_leftover_first(tmp_path: Path) -> None:
    """An earlier recording's journal is filed before anything is written after its cut-off end."""
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1"))
        data = journal.path_of(tmp_path).read_bytes()
    (tmp_path / A).unlink()
    journal.path_of(tmp_path).write_bytes(data + data[:50])
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("2"))
    assert prompts(tmp_path, A) == ["1", "2"]


def test_a_damaged_line_in_the_middle_is_reported(tmp_path: Path) -> None:
    """Other damage is a problem with its line, and nothing is discarded."""
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1"))
        data = journal.path_of(tmp_path).read_bytes()
    journal.path_of(tmp_path).write_bytes(b"nonsense\n" + data)
    with pytest.raises(FilesError, match=r"recordings\.journal:1: .*not a recorded call"):
        journal.file_leftover(tmp_path)
    assert journal.path_of(tmp_path).read_bytes() == b"nonsense\n" + data


def test_a_broken_cassette_is_not_recorded_over(tmp_path: Path) -> None:
    """A broken cassette is not changed, and the journal keeps its calls."""
    (tmp_path / A).parent.mkdir(parents=True)
    (tmp_path / A).write_bytes(b"{ broken")
    with pytest.raises(FilesError), journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1"))
    assert b"{ broken" == (tmp_path / A).read_bytes()
    assert b'"interaction"' in journal.path_of(tmp_path).read_bytes()


def _hold(root: Path, ready: Event, done: Event) -> None:
    with journal.open_journal(root) as kept:
        kept.keep(A, interaction("1"))
        ready.set()
        done.wait(10)


@pytest.mark.large
def test_two_recordings_do_not_mix(tmp_path: Path) -> None:
    """While one process records, no other can record or file its journal."""
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(tmp_path, ready, done))
    other.start()
    assert ready.wait(10)
    with pytest.raises(JudgeError, match="another recording"), journal.open_journal(tmp_path):
        pass
    assert (0, True) == (journal.file_leftover(tmp_path), journal.path_of(tmp_path).exists())
    found = journal.journal_problem(tmp_path)
    assert ("warning", "is in use") == (found.severity, found.what[:9])
    done.set()
    other.join()
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("2"))
    assert prompts(tmp_path, A) == ["1", "2"]


def test_a_journal_that_somebody_removes_loses_nothing(tmp_path: Path) -> None:
    """The running recording has it open, and files its calls as usual."""
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1"))
        journal.path_of(tmp_path).unlink()
        kept.keep(A, interaction("2"))
    assert prompts(tmp_path, A) == ["1", "2"]


def test_a_reply_that_a_full_disk_cut_off_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal then holds whole lines only, and the next reply is kept."""
    with journal.open_journal(tmp_path) as kept:
        kept.keep(A, interaction("1"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", _refuse)
            with pytest.raises(OSError, match="No space left"):
                kept.keep(A, interaction("2"))
        kept.keep(A, interaction("3"))
        assert journal.path_of(tmp_path).read_bytes().count(b"\n") == 2
    assert prompts(tmp_path, A) == ["1", "3"]


def test_a_full_disk_while_filing_names_the_journal_that_keeps_the_replies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the file that cannot be written, and the command that files the rest."""
    write = cassette_file.write

    def record() -> None:
        with journal.open_journal(tmp_path) as kept:
            kept.keep(A, interaction("1"))
            monkeypatch.setattr(cassette_file, "write", _refuse)

    with pytest.raises(FilesError) as raised:
        record()
    for part in (
        "recordings.journal: keeps the replies so far (1)",
        f"{A} cannot be written: No space left on device",
        "move them into cassettes/ with lb rescore",
    ):
        assert part in str(raised.value)
    monkeypatch.setattr(cassette_file, "write", write)
    assert (1, ["1"]) == (journal.file_leftover(tmp_path), prompts(tmp_path, A))


@pytest.mark.parametrize(
    ("limit", "what"), [("CASSETTE_CALLS", "3 judge calls"), ("FILE_BYTES", "0 MB")]
)
def test_a_cassette_that_nobody_could_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, what: str
) -> None:
    """The message names it, and the journal keeps its calls until there is room for them."""

    def record() -> None:
        with journal.open_journal(tmp_path) as kept:
            for number in "123":
                kept.keep(A, interaction(number))

    with monkeypatch.context() as patched:
        patched.setattr(cassette_file, limit, 1)
        with pytest.raises(FilesError, match=f"{A}: would have {what}; the limit is") as raised:
            record()
    assert "recordings.journal: keeps the replies so far (3)" in str(raised.value)
    assert not (tmp_path / A).exists()
    assert (3, ["1", "2", "3"]) == (journal.file_leftover(tmp_path), prompts(tmp_path, A))


def _refuse(*path: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/".join(map(str, path[:2])))


def test_t5_a_link_is_no_journal(tmp_path: Path) -> None:
    """Filing it would empty the file that it leads to, and recording would write there."""
    secret = tmp_path / "secret"
    secret.write_text("one line")
    root = tmp_path / "board"
    root.mkdir()
    journal.path_of(root).symlink_to(secret)
    for use in (journal.file_leftover, lambda root: journal.open_journal(root).__enter__()):
        with pytest.raises(FilesError, match=r"recordings\.journal: is a link"):
            use(root)

    assert secret.read_text() == "one line"


def test_t1_a_committed_journal_is_not_filed(tmp_path: Path) -> None:
    """Its replies may be forged, and would be listed as recordings of a maintainer."""
    entry = {"file": A, "interaction": interaction("1"), "listed": True}
    journal.path_of(tmp_path).write_bytes(cassette_file.line_of(entry) + b"\n")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    for use in (journal.file_leftover, lambda root: journal.open_journal(root).__enter__()):
        with pytest.raises(FilesError, match="is committed to git"):
            use(tmp_path)
    found = journal.journal_problem(tmp_path)
    assert found.what.startswith("is committed to git")
    assert "git rm --cached" in found.fix
    assert not (tmp_path / "recordings.json").exists()
    assert not (tmp_path / A).exists()


def test_t1_a_journal_writes_nothing_but_cassettes(tmp_path: Path) -> None:
    """A journal that somebody made up cannot write to another file of the workspace."""
    for file in ("../x.json", "leaderboard.toml", "cassettes/x.json", "cassettes/j/s/../../x.json"):
        entry = {"file": file, "interaction": interaction("1"), "listed": True}
        journal.path_of(tmp_path).write_bytes(cassette_file.line_of(entry) + b"\nend")
        with pytest.raises(FilesError, match="is not the path of a cassette"):
            journal.file_leftover(tmp_path)
        assert [journal.path_of(tmp_path)] == list(tmp_path.iterdir())
