"""The journal of a run: interrupted runs continue from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from runners.early_ends import RunInterrupted
from runners.models.model_settings import (
    ModelError,
)
from runners.models.run_journal import JournalEntry, open_journal, path_of, read_journal
from runners.models.spending import Tokens
from tests.runners.model_board import (
    DATE,
    Bench,
    interrupt,
)
from tests.runners.scripted_server import (
    Answer,
    Seen,
    always,
    echo,
    refused,
    serving,
)
from tests.write_faults import full_disk


@pytest.mark.large
def test_an_interrupted_run_can_be_resumed(bench: Bench) -> None:
    """Ctrl-C keeps the answers, and the resumed run equals an undisturbed one byte for byte."""
    stopped = interrupt(bench, 2)
    assert (stopped.suite, stopped.kept, stopped.total) == ("small", 2, 5)
    assert not (bench.folder.root / "submissions").exists()
    report, server = bench.run(echo, resume=True, concurrency=1)
    assert server.queries == ["5 metres in miles?", "question of B001?", "question of B002?"]
    assert (report.answers, report.asked) == (5, 3)
    bench.run(echo, submission="whole")
    assert bench.folder.tree("submissions/m") == bench.folder.tree("submissions/whole")


def test_a_journal_keeps_all_of_an_entry(tmp_path: Path) -> None:
    """What is read is what was kept. An entry that replaces one adds its tokens to its own."""
    record = {"id": "A", "trial": 1, "model_text": "Yes."}
    first = JournalEntry({**record, "error": "busy"}, answered=False, counted=Tokens(1, 2))
    second = JournalEntry(
        record,
        answered=True,
        models=("m-1", "m-2"),
        counted=Tokens(3, 4),
        marks=frozenset({"cut_off", "unreadable", "thoughts", "unclosed", "tokens"}),
    )
    with open_journal(tmp_path, "m", "small", {}, DATE) as journal:
        journal.keep(first)
        journal.keep(second)
    found = read_journal(tmp_path, "m", "small")
    assert found.entries == {("A", 1): replace(second, counted=Tokens(4, 6))}
    assert found.counted == Tokens(4, 6)


def test_a_line_that_was_cut_off_is_asked_again(bench: Bench) -> None:
    """A kill in the middle of writing loses one answer only."""
    interrupt(bench, 3)
    journal = bench.folder.root / ".cache/runs/m/small.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    _, server = bench.run(echo, resume=True, concurrency=1)
    assert server.queries == ["5 metres in miles?", "question of B001?", "question of B002?"]
    assert [entry["record"]["id"] for entry in bench.lines(journal)[1:]] == [
        "A001",
        "A002",
        "A003",
        "B001",
        "B002",
    ]


@pytest.mark.large
def test_a_run_without_answers_can_be_repeated(bench: Bench) -> None:
    """A wrong address or name can be fixed and tried again at once, with or without --resume."""
    for change in ({"model": {"name": "typo"}}, {"resume": True, "model": {"temperature": 1}}):
        with serving(always(refused(404, "no such model"))) as server, pytest.raises(ModelError):
            bench.against(server, **change)
    assert bench.run(echo)[0].answers == 5
    assert (
        bench.lines(".cache/runs/m/small.jsonl")[0]["run"]["asked"]["run"]
        == f"{bench.provider}:scripted-1"
    )


def test_a_file_that_is_no_journal_is_refused(bench: Bench) -> None:
    """A file of another kind in a journal's place is reported, and not changed."""
    bench.folder.write(".cache/runs/m/small.jsonl", b'{"other": 1}\n{"things": 2}\n')
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"small\.jsonl:1: is not the journal of a run"),
    ):
        bench.against(server, resume=True)
    assert server.seen == []


def test_a_full_disk_ends_the_run_with_its_own_error(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When an answer cannot be kept, the run ends with the system's error, not with a group.

    The end of the run carries it, to say what is kept.
    """

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device", "journal")

    monkeypatch.setattr("os.fsync", full)
    with serving(echo) as server, pytest.raises(RunInterrupted) as stopped:
        bench.against(server)
    with pytest.raises(OSError, match="No space left"):
        raise stopped.value.fault or AssertionError("no fault ended the run")


def test_an_entry_that_a_full_disk_cut_off_leaves_no_part_in_the_journal(tmp_path: Path) -> None:
    """Shorter answers under way still fit: they start a line of their own, and stay readable."""

    def entry(case_id: str, text: str) -> JournalEntry:
        return JournalEntry({"id": case_id, "trial": 1, "model_text": text}, answered=True)

    path = path_of(tmp_path, "m", "small")
    with open_journal(tmp_path, "m", "small", {}, DATE) as journal:
        journal.keep(entry("A", "short"))
        with full_disk(15_000), pytest.raises(OSError, match="too large") as fault:
            journal.keep(entry("B", "x" * 20_000))
        assert str(path) == fault.value.filename
        journal.keep(entry("C", "short"))
    assert {("A", 1), ("C", 1)} == read_journal(tmp_path, "m", "small").entries.keys()


def test_a_damaged_journal_is_reported_with_its_line(bench: Bench) -> None:
    """The message has the number of the damaged line; nothing is asked or overwritten."""
    interrupt(bench, 3)
    journal = bench.folder.root / ".cache/runs/m/small.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], b'{"record": 1}\n', *lines[2:]]))
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"small.jsonl:2: contains a line that is not an answer"),
    ):
        bench.against(server, resume=True)
    assert server.seen == []


def test_two_runs_do_not_write_to_one_journal(bench: Bench) -> None:
    """During a run, a second run of the same id is refused."""
    refusals: list[str] = []

    def script(seen: Seen) -> Answer:
        if not refusals:
            refusals.append("asked")
            try:
                Bench(bench.folder, bench.provider).against(server, resume=True)
            except FilesError as error:
                refusals.append(error.problems[0].what)
        return echo(seen)

    with serving(script) as server:
        bench.against(server, limit=1)
    assert refusals == ["asked", "is being written by another lb run"]


@pytest.mark.parametrize("link", [".cache/runs", ".cache/runs/m/small.jsonl", ".cache/runs/m/raw"])
def test_t5_a_link_is_no_journal(bench: Bench, link: str) -> None:
    """What came with a proposal leads no run to other files: nothing is asked or written."""
    target = bench.folder.root.parent / "elsewhere"
    target.mkdir()
    path = bench.folder.root / link
    path.parent.mkdir(parents=True)
    path.symlink_to(target / "new.jsonl" if link.endswith(".jsonl") else target)
    raw = bench.folder.root / ".cache/runs/m/raw"
    with serving(echo) as server, pytest.raises(FilesError, match="is a link, or below one"):
        bench.against(server, keep_raw=raw)

    assert server.seen == []
    assert not list(target.iterdir())
