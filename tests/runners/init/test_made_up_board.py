"""The demo: a small complete board."""

from __future__ import annotations

import json

from runners.init.made_up_board import PROGRAMS, demo_board


def test_the_programs_are_named_as_what_they_are() -> None:
    """They are baselines, listed as such, and every text about them says that they are made up."""
    files = demo_board("Demo")
    cards = [json.loads(files[f"submissions/{name}/submission.json"]) for name in PROGRAMS]

    assert {card["kind"] for card in cards} == {"baseline"}
    assert all("made-up program" in card["name"] for card in cards)
    assert all("made-up program" in card["model"] for card in cards)
    assert all(b"not a model" in files[f"submissions/{name}/README.md"] for name in PROGRAMS)
    assert all(name in files["leaderboard.toml"].decode() for name in PROGRAMS)


def test_the_answers_are_what_the_programs_give() -> None:
    """Each answers every question by its rule, and the same files are made every time."""
    files = demo_board("Demo")
    records = {
        name: {
            record["id"]: record["model_text"]
            for record in json.loads(files[f"submissions/{name}/sums.json"])["test_results"]
        }
        for name in PROGRAMS
    }

    assert {len(answers) for answers in records.values()} == {24}
    # "A bus has 14 passengers. At the next stop 9 get on. How many are there now?"
    assert records["program-sum"]["bus"] == "Answer: 23"
    assert records["program-largest"]["bus"] == "Answer: 14"
    assert demo_board("Demo") == files
