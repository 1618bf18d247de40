"""The card of a run: what the user wants, what the card says already, and the defaults."""

from __future__ import annotations

import orjson
import pytest

from leaderboard.errors import FilesError
from runners.run_card import CardChoice, RunCard, write_answers
from tests.runners.model_board import (
    DATE,
    Bench,
    suite,
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
            FilesError, match=r"submission.json \$.settings.temperature: has temperature 0"
        ),
    ):
        bench.against(server, "acts", model={"temperature": 1})
    assert server.seen == []


def test_a_card_prefers_the_choice_to_what_exists(bench: Bench) -> None:
    """A chosen field replaces an existing one, which replaces the default."""
    small = suite(bench.folder, "small")
    default = {"name": "default", "kind": "model", "organization": "unknown", "date": "2026-01-01"}
    existing = {"name": "existing", "organization": "Lab", "settings": {"run": "x", "old": 1}}
    bench.folder.write("submissions/m/submission.json", orjson.dumps(existing))
    card = RunCard("run", default, {"run": "x", "new": 2}, {"system": "Go."}, "Not written.")
    write_answers(bench.folder.root, "m", small, [], card=card, choice=CardChoice(name="chosen"))
    assert bench.card() == {
        "schema": 1,
        "name": "chosen",
        "kind": "model",
        "organization": "Lab",
        "date": "2026-01-01",
        "settings": {"run": "x", "old": 1, "new": 2, "suites": {small.id: {"system": "Go."}}},
        "partial": [small.id],
    }
    assert not (bench.folder.root / "submissions/m/README.md").exists()
