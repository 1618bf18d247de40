"""Which judge calls are recorded. Most is tested with the asker, in tests/replay/test_asker.py."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from leaderboard.errors import FilesError
from leaderboard.types import JudgeCall, JudgeSettings
from replay.asker import RecordMode, open_asker
from replay.cassettes import cassette_file
from tests.replay.judge_server import judge_server


def calls(judge: JudgeSettings, *prompts: str) -> list[JudgeCall]:
    return [JudgeCall(judge, "s", "a", prompt) for prompt in prompts]


def test_a_cassette_that_would_be_too_large_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size is known before the first request: nothing is asked, and nothing is written."""
    monkeypatch.setattr(cassette_file, "FILE_BYTES", 4 * 1024 * 1024)
    long = [str(number) + "x" * 1_250_000 for number in range(4)]
    with (
        judge_server() as server,
        open_asker(tmp_path, record_mode="new_episodes") as asker,
    ):
        asked = calls(server.openai(), *long)
        with pytest.raises(FilesError, match="would have at least 5 MB; the limit is 4 MB"):
            asker(asked)
        assert server.asked == []
        asker(asked[:2])
        with pytest.raises(FilesError, match="would have at least 5 MB; the limit is 4 MB"):
            asker(asked[2:])
        assert len(server.asked) == 2


def test_calls_that_are_recorded_already_add_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit counts the calls of the cassette and those that are new to it."""
    with judge_server() as server:
        judge = server.openai()
        monkeypatch.setattr(cassette_file, "CASSETTE_CALLS", 2)
        for mode in get_args(RecordMode):
            with open_asker(tmp_path, record_mode=mode) as asker:
                asker(calls(judge, "a", "b"))
        with (
            open_asker(tmp_path, record_mode="new_episodes") as asker,
            pytest.raises(FilesError, match="would have at least 3 judge calls"),
        ):
            asker(calls(judge, "a", "b", "c"))
        assert len(server.asked) == 4
