"""The end of a run: the card of its submission, and the report."""

from __future__ import annotations

import pytest

from leaderboard.errors import FilesError
from runners.models.run_journal import JournalEntry
from runners.run_outcome import CardChoice, RunReport
from tests.runners.model_board import (
    DATE,
    Bench,
)
from tests.runners.scripted_server import (
    echo,
    serving,
)


def test_the_card_says_what_was_asked_and_how(bench: Bench) -> None:
    """The settings name the model, its address without the port, temperature, texts and version."""
    bench.run(echo, limit=1, card=CardChoice("My model", "My lab", DATE))
    card = bench.card()
    settings = card.pop("settings")
    assert card == {
        "schema": 1,
        "name": "My model",
        "kind": "model",
        "organization": "My lab",
        "model": "scripted-1",
        "date": DATE,
        "partial": ["small"],
    }
    assert settings["run"] == f"{bench.provider}:scripted-1"
    assert settings["endpoint"] == (
        "http://localhost/v1" if bench.provider == "openai" else "http://localhost"
    )
    assert (settings["temperature"], settings["answered_by"]) == (0, ["scripted-1-2026"])
    assert "You may use the tools" in settings["suites"]["small"]["system"]


@pytest.mark.large
def test_a_second_suite_joins_the_submission(bench: Bench) -> None:
    """A later suite keeps the card, and refuses settings that differ."""
    bench.run(echo, limit=1, card=CardChoice("My model", "My lab", DATE))
    bench.run(echo, "match", card=CardChoice())
    assert (bench.card()["name"], list(bench.card()["settings"]["suites"])) == (
        "My model",
        ["small", "match"],
    )
    assert {"small.json", "match.json", "submission.json", "README.md"} == set(
        bench.folder.tree("submissions/m")
    )
    with (
        serving(echo) as server,
        pytest.raises(
            FilesError, match=r"submission.json \$.settings.temperature: says temperature 0"
        ),
    ):
        bench.against(server, "acts", model={"temperature": 1})
    assert server.seen == []


def test_reports_of_suites_add_up() -> None:
    """Answers and errors of all suites are counted, and one written suite is enough."""
    entries = [
        JournalEntry({"id": "A", "trial": 1, "error": "blocked"}, answered=True),
        JournalEntry({"id": "B", "trial": 1, "error": "busy"}, answered=False),
        JournalEntry({"id": "C", "trial": 1}, answered=True),
    ]
    one = RunReport.of("m", "unchanged", entries, 2)
    assert one == RunReport("m", "unchanged", 3, 2, ("A: blocked", "B: busy"), 1)
    both = RunReport("m", "written", 6, 2, ("A: blocked", "B: busy"), 1)
    assert one + RunReport("m", "written", 3) == both


def test_a_card_prefers_the_choice_to_what_exists() -> None:
    """A chosen field replaces an existing one, which replaces the default."""
    default = {"name": "default", "organization": "unknown", "date": "2026-01-01"}
    existing = {"name": "existing", "organization": "Lab", "settings": {"old": 1}}
    assert CardChoice(name="chosen").fields(default, existing, {"new": 2}, ()) == {
        "schema": 1,
        "name": "chosen",
        "organization": "Lab",
        "date": "2026-01-01",
        "settings": {"new": 2},
    }
