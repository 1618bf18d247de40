"""The nearest recorded call to one that is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from leaderboard.types import JudgeCall, JudgeSettings
from replay.cassettes import call_identity, cassette_file, nearest_call
from replay.cassettes.cassette_index import Index
from replay.cassettes.nearest_call import Nearest, Request, difference
from tests.each_row import each_row

JUDGE = JudgeSettings("j", "openai", "m", settings={"temperature": 0})
PROMPT = "Compare.\n<<<{fence}\n{question}\n{fence}>>>\n<<<{fence}\n{got}\n{fence}>>>\nAnswer."


def prompt(question: str, got: str) -> str:
    return PROMPT.format(question=question, got=got, fence=f"f{len(question)}{len(got)}")


def record(root: Path, file: str, judge: JudgeSettings, *prompts: str) -> None:
    reply = {"choices": [{"message": {"content": "equivalent"}}]}
    cassette_file.write(
        root,
        file,
        [
            {
                "request": {
                    "method": "POST",
                    "uri": "https://h" + call_identity.path(judge),
                    "headers": {},
                    "body": call_identity.canonical(call_identity.body(judge, text)).decode(),
                },
                "response": {
                    "status": {"code": 200},
                    "headers": {},
                    "body": {"string": call_identity.canonical(reply).decode()},
                },
            }
            for text in prompts
        ],
    )


def test_the_nearest_call_shares_the_most_lines(tmp_path: Path) -> None:
    """The call with the same question is named, and the first line that differs, fences aside."""
    record(
        tmp_path,
        "cassettes/j/s/a.json",
        JUDGE,
        prompt("Where?", "Rome"),
        prompt("When?", "Bostn"),
        prompt("Who?", "Kim"),
    )
    found = Nearest(Index.load(tmp_path)).to(
        "asked", JudgeCall(JUDGE, "s", "a", prompt("When?", "Boston"))
    )
    assert found is not None
    assert found.key == call_identity.key(
        "POST", call_identity.path(JUDGE), call_identity.body(JUDGE, prompt("When?", "Bostn"))
    )
    assert found.difference == 'messages[0].content, line 6: recorded "Bostn", asked "Boston"'


def test_a_changed_setting_is_named(tmp_path: Path) -> None:
    """The same prompt under other settings is nearest, and the setting is what differs."""
    record(tmp_path, "cassettes/j/s/other.json", JUDGE, prompt("Where?", "Rome"))
    warmer = JudgeSettings("j", "openai", "m", settings={"temperature": 0.5, "seed": 7})
    found = Nearest(Index.load(tmp_path)).to(
        "asked", JudgeCall(warmer, "s", "a", prompt("Where?", "Rome"))
    )
    seed = "seed: 7 in the new request, absent in the recorded one"
    assert found is not None
    assert found.difference == f"{seed}; temperature: recorded 0, asked 0.5"


def test_without_cassettes_there_is_no_nearest_call(tmp_path: Path) -> None:
    """Without any cassette there is no nearest call."""
    assert Nearest(Index.load(tmp_path)).to("asked", JudgeCall(JUDGE, "s", "a", "x")) is None


def test_the_cost_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many misses are explained, each against only so many recorded calls."""
    monkeypatch.setattr(nearest_call, "MOST_MISSES", 2)
    monkeypatch.setattr(nearest_call, "MOST_CANDIDATES", 3)
    record(tmp_path, "cassettes/j/s/a.json", JUDGE, *(f"{number}\nx" for number in range(20)))
    near = Nearest(Index.load(tmp_path))
    found = [near.to(str(n), JudgeCall(JUDGE, "s", "a", "x")) for n in range(4)]
    assert [True, True, False, False] == [explained is not None for explained in found]


@each_row(
    ("recorded", "asked", "expected"),
    [
        (("/a", {"m": 1}), ("/b", {"m": 1}), "path: recorded /a, asked /b"),
        (("/a", {"m": "x"}), ("/a", {"m": "y"}), 'm: recorded "x", asked "y"'),
        (("/a", {"m": [1, {"n": 2}]}), ("/a", {"m": [1, {"n": 3}]}), "m[1].n: recorded 2, asked 3"),
        (("/a", {"m": [1]}), ("/a", {"m": [1, 2]}), "m: recorded [1], asked [1, 2]"),
        (
            ("/a", {"m": 1}),
            ("/a", {}),
            "m: 1 in the recorded request, absent in the new one",
        ),
        (("/a", {"m": 1}), ("/a", {"m": True}), "m: recorded 1, asked True"),
        (("/a", {"m": "x\ny"}), ("/a", {"m": "x\ny\nz"}), "m: recorded 2 lines, asked 3"),
        (
            ("/a", dict.fromkeys("abcde", 1)),
            ("/a", dict.fromkeys("abcde", 2)),
            "a: recorded 1, asked 2; b: recorded 1, asked 2; c: recorded 1, asked 2; and 2 more",
        ),
        (("/a", {"m": "x" * 200}), ("/a", {"m": 1}), f'm: recorded "{"x" * 78}…, asked 1'),
    ],
)
def test_differences_are_described(recorded: Any, asked: Any, expected: str) -> None:
    """Differences are named by their place, briefly, and at most three of them."""
    assert expected == difference(Request(*recorded), Request(*asked))
