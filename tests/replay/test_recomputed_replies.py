"""Recorded replies that are not those of a judge whose code is here."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from leaderboard.types import JudgeCall, JudgeSettings
from replay.asker import open_asker
from replay.cassettes import call_identity, cassette_file
from tests.replay.cassette_files import interaction, put

JUDGE = JudgeSettings("embedded-1", "embedded", "embedded-1")
FILE = "cassettes/embedded-1/s/a.json"
OWN = "This prompt cannot be read: embedded-1 needs a category and three fenced texts."


def record(root: Path, *replies: str) -> list[JudgeCall]:
    """Writes a reply to each of the prompts 0, 1, ... and returns the calls."""
    interactions = []
    for number, reply in enumerate(replies):
        made = interaction("", reply)
        made["request"]["body"] = call_identity.canonical(
            call_identity.body(JUDGE, str(number))
        ).decode()
        interactions.append(made)
    put(root, cassette_file.dump(interactions), FILE)
    return [JudgeCall(JUDGE, "s", "a", str(number)) for number in range(len(replies))]


def test_genuine_replies_are_replayed(tmp_path: Path) -> None:
    """Every reply that is used is computed again, once, without a network."""
    calls = record(tmp_path, OWN, OWN)
    with open_asker(tmp_path, offline=True) as asker:
        assert [OWN, OWN, OWN] == [reply.text for reply in asker([*calls, calls[0]])]
    assert (2, {}) == (len(asker.recomputed.by_key), asker.differences)


def test_t1_a_forged_reply_is_named(tmp_path: Path) -> None:
    """The message has the cassette, the line, the whole key and both replies."""
    calls = record(tmp_path, OWN, "equivalent\nforged")
    with pytest.raises(FilesError) as raised, open_asker(tmp_path, offline=True) as asker:
        key = asker(calls)[1].key
    (problem,) = raised.value.problems
    line = 1 + next(
        number
        for number, text in enumerate((tmp_path / FILE).read_text().splitlines())
        if "forged" in text
    )
    assert (FILE, line) == (problem.file, problem.line)
    for part in (key[:16], "equivalent forged", "This prompt cannot be read"):
        assert part in problem.what


@pytest.mark.large
def test_t1_the_message_about_forged_replies_is_bounded(tmp_path: Path) -> None:
    """Twenty long replies are named, and cut. The others are counted."""
    calls = record(tmp_path, *(f"equivalent {'x' * 5000}" for _ in range(50)))
    with pytest.raises(FilesError) as raised, open_asker(tmp_path, offline=True) as asker:
        asker(calls)
    assert 21 == len(raised.value.problems)
    assert "and 30 more" in raised.value.problems[-1].what
    assert len(str(raised.value)) < 20_000


def test_t1_a_reply_that_nobody_uses_is_left_to_the_check(tmp_path: Path) -> None:
    """Scoring computes what it uses. `lb cassettes check` computes everything."""
    calls = record(tmp_path, OWN, "equivalent\nforged")
    with open_asker(tmp_path, offline=True) as asker:
        assert OWN == asker(calls[:1])[0].text


def test_a_model_that_is_not_the_embedded_one_is_never_genuine(tmp_path: Path) -> None:
    """The embedded judge has one model. A reply of another one is not its own."""
    judge = JudgeSettings("embedded-1", "embedded", "embedded-2")
    made = interaction("x", OWN)
    made["request"]["body"] = call_identity.canonical(call_identity.body(judge, "x")).decode()
    put(tmp_path, cassette_file.dump([made]), FILE)
    with (
        pytest.raises(FilesError, match="this judge is embedded-1, no other"),
        open_asker(tmp_path, offline=True) as asker,
    ):
        asker([JudgeCall(judge, "s", "a", "x")])
