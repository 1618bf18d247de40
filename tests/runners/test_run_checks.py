"""Checks before the first request: other settings, other questions, existing answers."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.run_card import CardChoice
from tests.runners.model_board import (
    ACTS,
    Bench,
    interrupt,
    match_case,
)
from tests.runners.scripted_server import (
    echo,
    serving,
)

TABLES = """\
{
 "users": [{"id": 1, "name": "Ada", "email": "", "location": 2, "favorite_color": "orange",
            "favorite_foods": []}],
 "locations": [{"id": 2, "city": "Porto", "current_time": "09:00", "current_weather": "rain"}],
 "foods": [],
 "current_user": 1
}
"""


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"model": {"temperature": 0.7}}, "temperature"),
        ({"model": {"name": "scripted-2"}}, "run"),
        ({"system": "Be brief."}, "system"),
        ({"tools": False}, "tools"),
    ],
)
def test_resume_refuses_other_settings(bench: Bench, change: dict[str, Any], named: str) -> None:
    """The message names the setting that differs, and nothing is asked."""
    interrupt(bench, 2)
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=rf"\$\.run\.asked\.{named}: was started with {named}"),
    ):
        bench.against(server, resume=True, **change)
    assert server.seen == []


@pytest.mark.large
def test_resume_refuses_changed_questions(bench: Bench) -> None:
    """A changed question or tool makes another suite; a changed ground truth does not."""
    interrupt(bench, 2)
    path = bench.folder.root / "datasets/small/no_tool.json"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("question of B002?", "another?"), encoding="utf-8")
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match="was started with other cases or other tools"),
    ):
        bench.against(server, resume=True)
    assert server.seen == []
    path.write_text(before.replace("In 1969.", "It was in 1969."), encoding="utf-8")
    assert bench.run(echo, resume=True)[0].answers == 5


@pytest.mark.large
def test_resume_refuses_changed_tables(bench: Bench) -> None:
    """Tables that the tools of an environment read are part of what is asked."""
    root = bench.folder.root / "datasets/acts"
    changed = ACTS.replace("Multiverse Math", "Tool Usage - Relational Data")
    (root / "suite.toml").write_text(changed + 'tables = "tables.json"\n', encoding="utf-8")
    (root / "tables.json").write_text(TABLES, encoding="utf-8")
    bench.run(echo, "acts")
    assert bench.run(echo, "acts", resume=True)[0].asked == 0
    (root / "tables.json").write_text(TABLES.replace("orange", "blue"), encoding="utf-8")
    with pytest.raises(FilesError, match="was started with other environments or other tables"):
        bench.run(echo, "acts", resume=True)


def test_tools_that_cannot_be_sent_are_named_before_the_first_request(bench: Bench) -> None:
    """Two tools of one sent name would be the same tool to a model."""
    case = match_case("simple_0", "a.b")
    case["tools"] += match_case("simple_1", "a_b")["tools"]
    bench.folder.write("datasets/match/simple.json", [case])
    with (
        serving(echo) as server,
        pytest.raises(FilesError, match=r"sent as 'a_b': 'a\.b', 'a_b'"),
    ):
        bench.against(server, "match")
    assert server.seen == []
    assert bench.run(echo, "match", tools=False)[0].answers == 1


def test_answers_are_never_overwritten_unasked(bench: Bench) -> None:
    """Without --resume, existing journals and answers of that id prevent a run."""
    interrupt(bench, 2)
    with serving(echo) as server:
        with pytest.raises(
            FilesError,
            match=r"\.cache/runs/m/small\.jsonl: contains answers of an earlier run .*--resume",
        ):
            bench.against(server)
        bench.folder.submission("other", [], settings={"run": f"{bench.provider}:scripted-1"})
        with pytest.raises(FilesError, match=r"submissions/other/small\.json: exists already"):
            bench.against(server, submission="other")
        bench.folder.submission("foreign", [])
        with pytest.raises(FilesError, match="choose another id"):
            bench.against(server, submission="foreign")
        with pytest.raises(FilesError, match="is not a valid id"):
            bench.against(server, submission="../up")
        with pytest.raises(FilesError, match="'tomorrow' is not a date"):
            bench.against(server, submission="new", card=CardChoice(date="tomorrow"))
    assert server.seen == []
