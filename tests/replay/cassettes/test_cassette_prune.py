"""What `lb cassettes prune` takes out, and what it leaves."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError, JudgeError
from leaderboard.files.cassette_paths import CassettePath, cassette_files
from replay.cassettes import cassette_file
from replay.cassettes.cassette_check import check
from replay.cassettes.cassette_index import Index
from replay.cassettes.cassette_prune import prune
from replay.cassettes.maintainers_recordings import add_recordings
from replay.recording import journal
from tests.replay.cassette_files import FILE, clean, interaction, put, put_clean
from tests.replay.cassette_files import judges as judges_of


def said(root: Path, **options: Any) -> list[str]:
    return [f"{problem.severity} {problem.what}" for problem in check(root, **options)]


def test_t18_pruning_removes_keys_from_replies(tmp_path: Path) -> None:
    """A key in a reply is replaced. It is never shown, also before that."""
    secret = "sk-" + "a1" * 20
    data = cassette_file.dump([clean("x", "different\nNot KEY.")])
    put(tmp_path, data.replace(b"KEY", secret.encode()))
    (found,) = cassette_file.read(tmp_path, FILE)
    assert cassette_file.exchange(found).text == "different\nNot [redacted]."
    prune(tmp_path)
    assert secret.encode() not in (tmp_path / FILE).read_bytes()
    assert check(tmp_path) == ()


def test_a_call_that_only_others_need_moves_to_them(tmp_path: Path) -> None:
    """Pruning files a merged call with the submission that needs it, and records it once."""
    put_clean(tmp_path, clean("1"), clean("2"))
    places = [CassettePath("j", "s", "b"), CassettePath("j", "s", "c")]
    needed = {str(cassette_file.key_of(clean("1"))): places}
    assert (1, ("cassettes/j/s/b.json",)) == (prune(tmp_path, needed), cassette_files(tmp_path))
    assert check(tmp_path, needed) == ()


@pytest.mark.parametrize("writes", [1, 2])
def test_a_full_disk_loses_no_call_that_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """Two cassettes that each hold the other's call: wherever pruning stops, both are recorded."""
    places = {"1": CassettePath("j", "s", "a"), "2": CassettePath("j", "s", "b")}
    put_clean(tmp_path, clean("2"))
    put_clean(tmp_path, clean("1"), file="cassettes/j/s/b.json")
    needed = {str(cassette_file.key_of(clean(prompt))): [at] for prompt, at in places.items()}
    write = cassette_file.write
    written: list[str] = []

    def fill(root: Path, file: str, calls: Any) -> None:
        if len(written) == writes:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(file)
        write(root, file, calls)

    monkeypatch.setattr(cassette_file, "write", fill)
    with pytest.raises(OSError, match="No space left"):
        prune(tmp_path, needed)
    assert needed.keys() == {call.key for call in Index.load(tmp_path)}


def test_a_call_never_moves_through_a_link(tmp_path: Path) -> None:
    """A linked folder may lead out of the board. Nothing is written there, and all calls stay."""
    board, outside = tmp_path / "board", tmp_path / "outside"
    put_clean(board, clean("1"))
    outside.mkdir()
    (board / "cassettes/j/t").symlink_to(outside)
    needed = {str(cassette_file.key_of(clean("1"))): [CassettePath("j", "t", "a")]}
    with pytest.raises(FilesError, match=r"j/t/a\.json.*is a link"):
        prune(board, needed)
    assert ([], (FILE,)) == (list(outside.iterdir()), cassette_files(board))


def test_pruning_is_refused_during_a_recording(tmp_path: Path) -> None:
    """A recording files its calls at its end. Pruning would write over them."""
    put_clean(tmp_path, clean("1"))
    with (
        journal.open_journal(tmp_path),
        pytest.raises(FilesError, match="another recording"),
    ):
        prune(tmp_path, {})
    assert cassette_files(tmp_path) == (FILE,)


def test_no_recording_begins_while_files_are_pruned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its replies would be lost: pruning writes what it read at its beginning."""
    put_clean(tmp_path, clean("1"), clean("1"))
    load = Index.load

    def record_meanwhile(root: Path) -> Index:
        with pytest.raises(JudgeError, match="lb cassettes prune"), journal.open_journal(root):
            pass
        return load(root)

    monkeypatch.setattr(Index, "load", record_meanwhile)
    assert (1, False) == (prune(tmp_path), journal.path_of(tmp_path).exists())


def test_pruning_leaves_what_an_interrupted_recording_left(tmp_path: Path) -> None:
    """The next recording files it."""
    journal.path_of(tmp_path).write_bytes(b"a call")
    assert (0, b"a call") == (prune(tmp_path), journal.path_of(tmp_path).read_bytes())


def test_calls_of_a_judge_at_an_ipv6_address_stay(tmp_path: Path) -> None:
    """They are clean as they are recorded."""
    recorded = clean("x")
    recorded["request"]["uri"] = "http://[2001:db8::1]:8000/v1/chat/completions"
    put_clean(tmp_path, recorded)
    assert ([], 0) == (said(tmp_path), prune(tmp_path))


def test_pruning_changes_nothing_that_is_clean(tmp_path: Path) -> None:
    """A clean file is not written again."""
    put_clean(tmp_path, clean("1"), clean("2"))
    before = (tmp_path / FILE).stat().st_mtime_ns
    assert (0, before) == (prune(tmp_path), (tmp_path / FILE).stat().st_mtime_ns)


def test_t3_pruning_never_chooses_between_two_replies(tmp_path: Path) -> None:
    """Two replies to one request stop pruning. Both places are named, and nothing is written.

    Unless no answer needs the call: then pruning removes both.
    """
    judges_of(tmp_path, "submitters")
    put_clean(tmp_path, clean("1", "equivalent"))
    put_clean(tmp_path, clean("1", "different"), file="cassettes/j/s/b.json")
    before = {file: (tmp_path / file).read_bytes() for file in cassette_files(tmp_path)}
    with pytest.raises(
        FilesError, match=r"b\.json:2 .* differs from that in cassettes/j/s/a\.json"
    ):
        prune(tmp_path)
    assert before == {file: (tmp_path / file).read_bytes() for file in cassette_files(tmp_path)}
    assert (2, ()) == (prune(tmp_path, {}), cassette_files(tmp_path))


def test_pruning_removes_replies_that_do_not_count(tmp_path: Path) -> None:
    """Beside a maintainer's reply, others go, also in the same file. If none counts, all stay."""
    judges_of(tmp_path, "maintainers")
    put_clean(tmp_path, clean("1", "equivalent"), clean("1", "different"))
    put_clean(tmp_path, clean("1", "hm"), file="cassettes/j/s/b.json")
    assert ["warning its reply to the request"] * 2 == [text[:32] for text in said(tmp_path)]

    add_recordings(tmp_path, {str(cassette_file.key_of(clean("1"))): "different"})
    assert ["warning its reply to the request"] * 2 == [text[:32] for text in said(tmp_path)]
    assert (2, []) == (prune(tmp_path), said(tmp_path))
    assert [["different"]] == [
        [cassette_file.exchange(item).text for item in cassette_file.read(tmp_path, file)]
        for file in cassette_files(tmp_path)
    ]


def test_pruning_keeps_equal_replies_of_several_submissions(tmp_path: Path) -> None:
    """The same reply to the same request may be in the cassettes of two submissions."""
    put_clean(tmp_path, clean("1"))
    put_clean(tmp_path, clean("1"), file="cassettes/j/s/b.json")
    assert (0, 2) == (prune(tmp_path), len(cassette_files(tmp_path)))


def test_pruning_writes_nothing_when_a_file_is_broken(tmp_path: Path) -> None:
    """A broken cassette stops pruning before the first file is touched."""
    put_clean(tmp_path, interaction("1", status=500))
    put(tmp_path, b"{", "cassettes/j/s/b.json")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(FilesError):
        prune(tmp_path)
    assert before == (tmp_path / FILE).read_bytes()
