"""How runs end early. After a full disk, --resume makes the undisturbed submission."""

from __future__ import annotations

from pathlib import Path

import pytest

from runners.early_ends import FirstFailures, RunInterrupted, empty_run
from runners.models.run_journal import JournalEntry, read_journal
from tests.runners.model_board import Bench
from tests.runners.scripted_server import Answer, Seen, echo, said, serving
from tests.write_faults import counted_writes, full_disk


def wordy(seen: Seen) -> Answer:
    """An answer whose raw reply is much longer than its record."""
    answer = said(seen, f"About {seen.query}")
    return Answer({**answer.body, "padding": "x" * 20_000})


def stopped_by(bench: Bench, size: int, **plan: object) -> tuple[RunInterrupted, int]:
    """How a run ends if no file can be longer than `size` bytes, and how many requests it sent."""
    with serving(echo) as server, full_disk(size), pytest.raises(RunInterrupted) as stopped:
        bench.against(server, **plan)  # type: ignore[arg-type]
    return stopped.value, len(server.seen)


@pytest.mark.parametrize(
    "size", [0, 700, *(pytest.param(size, marks=pytest.mark.large) for size in (1_000, 1_300))]
)
def test_a_full_disk_keeps_the_answers_in_the_journal(openai_bench: Bench, size: int) -> None:
    """The run stops after the cases under way, and asks no kept one again."""
    bench = openai_bench
    stopped, _ = stopped_by(bench, size, concurrency=1)
    path = bench.folder.root / ".cache/runs/m/small.jsonl"
    assert stopped.fault is not None
    assert str(path) == stopped.fault.filename
    assert ("small", 5) == (stopped.suite, stopped.total)
    kept = read_journal(bench.folder.root, "m", "small").entries
    assert stopped.kept == len(kept) < 5
    assert not (bench.folder.root / "submissions/m").exists()
    _, server = bench.run(echo, resume=True)
    assert 5 - stopped.kept == len(server.seen)
    bench.run(echo, submission="whole")
    assert bench.folder.tree("submissions/m") == bench.folder.tree("submissions/whole")


def test_answers_under_way_are_kept_when_the_raw_replies_fill_their_disk(
    openai_bench: Bench, tmp_path: Path
) -> None:
    """The journal may have space on another disk. The fault names the file of raw replies."""
    bench, raw = openai_bench, tmp_path / "raw"
    with serving(wordy) as server, full_disk(10_000), pytest.raises(RunInterrupted) as stopped:
        bench.against(server, keep_raw=raw, concurrency=3)
    assert stopped.value.fault is not None
    assert str(raw / "small.jsonl") == stopped.value.fault.filename
    assert 1 <= len(server.seen) == stopped.value.kept <= 3
    _, again = bench.run(echo, keep_raw=raw, resume=True)
    assert 5 - stopped.value.kept == len(again.seen)


@pytest.mark.large
def test_a_full_disk_at_any_write_of_a_run(openai_bench: Bench) -> None:
    """Every failing write is named, and the next run makes the undisturbed submission."""
    bench = openai_bench
    with counted_writes(bench.folder.root) as writes:
        bench.run(echo, submission="whole")
    undisturbed = bench.folder.tree("submissions/whole")
    named = set()
    for place in range(1, writes.number + 1):
        submission = f"m{place}"
        with counted_writes(bench.folder.root, place):
            named.add(_fault_of(bench, submission))
        bench.run(echo, submission=submission, resume=True)
        assert undisturbed == bench.folder.tree(f"submissions/{submission}"), place
    files = {"small.jsonl", "small.json", "README.md", "submission.json"}
    assert files == {name for name in named if "." in name}


def _fault_of(bench: Bench, submission: str) -> str:
    """The name of the file that ended the run; empty for a fault that did not matter."""
    fault: OSError | None = None
    try:
        bench.run(echo, submission=submission)
    except RunInterrupted as stopped:
        fault = stopped.fault
    return "" if fault is None else Path(fault.filename).name


def test_a_run_gives_up_if_its_first_cases_all_fail() -> None:
    """The last failure that is allowed says so. After an answer no number of failures does."""
    failures = FirstFailures(2)
    assert [failures.count(answered=False) for _ in range(3)] == [False, True, True]
    failures = FirstFailures(2)
    assert [failures.count(answered=answered) for answered in (False, True, False, False)] == [
        False
    ] * 4
    assert not FirstFailures(1, answered=True).count(answered=False)


def test_a_run_without_answers_ends_with_what_was_wrong() -> None:
    """The message has the first error, the cut-off thoughts, and how to run it again."""
    entries = [
        JournalEntry({"id": "A", "trial": 1}, answered=True, marks=frozenset({"unclosed"})),
        JournalEntry({"id": "B", "trial": 1, "error": "busy"}, answered=False),
        JournalEntry({"id": "C", "trial": 1, "error": "blocked"}, answered=True),
    ]
    error = empty_run("m", "gave nothing", "check the model", "m/small.jsonl", entries)
    assert (
        "m: gave nothing, the first error: busy; 1 cut off during the thoughts: --max-tokens may"
        " be too low (check the model; then delete m/small.jsonl and run the same command again)"
    ) == str(error)


def test_a_run_that_the_token_limit_emptied_names_the_option() -> None:
    """A reply may also be cut off before any text or thought."""
    said = "the reply was cut off before it said anything: length"
    record = {"id": "A", "trial": 1, "error": said}
    entry = JournalEntry(record, answered=True, marks=frozenset({"cut_off"}))
    error = empty_run("m", "gave nothing", "check the model", "m/small.jsonl", [entry, entry])
    assert f"first error: {said}; 2 cut off at the token limit: --max-tokens may be" in str(error)
