"""Raw replies: what is kept, in which order, and that no key is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.network.retries import RetryPolicy
from runners.models.model_settings import ModelError
from runners.models.raw_replies import open_raw_replies
from tests.runners.model_board import (
    KEY,
    Bench,
)
from tests.runners.scripted_server import (
    Answer,
    Seen,
    always,
    calling,
    echo,
    for_query,
    refused,
    said,
    scripted_turns,
    serving,
)
from tests.write_faults import full_disk


def test_raw_replies_are_kept_without_headers_or_keys(bench: Bench, tmp_path: Any) -> None:
    """One line per reply holds the provider's whole body; a repeated key is hidden."""

    def script(seen: Seen) -> Answer:
        answer = echo(seen)
        return Answer(
            {**answer.body, "novelty": {"key": KEY}},
            headers={"x-secret": "s3cret", "set-cookie": "c=1"},
        )

    bench.run(script, limit=2, keep_raw=tmp_path / "raw")
    text = (tmp_path / "raw/small.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["id"], line["trial"], line["turn"]) for line in lines] == [
        ("A001", 1, 0),
        ("A002", 1, 0),
    ]
    assert [line["reply"]["novelty"] for line in lines] == [{"key": "[key]"}] * 2
    assert ("s3cret" in text, "cookie" in text) == (False, False)


@pytest.mark.large
def test_the_key_is_written_nowhere(bench: Bench, tmp_path: Any) -> None:
    """Submission, journal, raw replies and errors hide the key, even where a server repeats it."""
    leaking = for_query(
        "B001",
        always(refused(400, f"bad key {KEY}")),
        lambda seen: said(seen, f"Your key is {KEY}."),
    )
    bench.run(leaking, keep_raw=tmp_path / "raw")
    files = [*bench.folder.root.rglob("*"), *tmp_path.rglob("*")]
    assert [path for path in files if path.is_file() and KEY.encode() in path.read_bytes()] == []
    assert "bad key [redacted]" in bench.record("B001")["error"]
    assert bench.record("A001")["model_text"] == "Your key is [key]."


def test_a_reply_that_a_full_disk_cut_off_leaves_no_part(tmp_path: Path) -> None:
    """The next reply starts a line of its own, so that sorting does not drop it."""
    path = tmp_path / "raw/small.jsonl"
    with open_raw_replies(path) as raw:
        raw.keep("A001", 1, 0, "short")
        with full_disk(15_000), pytest.raises(OSError, match="too large") as fault:
            raw.keep("A002", 1, 0, "x" * 20_000)
        assert str(path) == fault.value.filename
        raw.keep("A003", 1, 0, "short")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert ["A001", "A003"] == [line["id"] for line in lines]


@pytest.mark.large
def test_raw_replies_of_a_conversation_are_in_order(bench: Bench, tmp_path: Any) -> None:
    """Every turn is a line, and a second attempt replaces the turns of a broken one."""
    broken = scripted_turns(calling(("type_letter", {"letter": "h"})), always(refused(500, "oops")))
    with pytest.raises(ModelError, match="nothing was answered"):
        bench.run(
            broken,
            "acts",
            limit=1,
            keep_raw=tmp_path,
            retry_policy=RetryPolicy(attempts=1, timeout=5),
        )
    assert [line["turn"] for line in bench.lines(tmp_path / "acts.jsonl")] == [0]
    turns = scripted_turns(calling(("type_letter", {"letter": "z"})), lambda seen: said(seen, "ok"))
    bench.run(turns, "acts", limit=1, keep_raw=tmp_path, resume=True)
    lines = bench.lines(tmp_path / "acts.jsonl")
    assert [line["turn"] for line in lines] == [0, 1]
    assert re.search(r"letter\W+z", json.dumps(lines[0]["reply"]))
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"acts\.jsonl: contains raw replies of another run"),
    ):
        bench.against(server, "acts", submission="other", keep_raw=tmp_path)
