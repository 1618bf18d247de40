"""Which judge calls the answers of each submission need."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.files.cassette_paths import CassettePath
from leaderboard.types import JudgeCall, JudgeReply
from scoring.judging.needed_judge_calls import needed_judge_calls
from tests.conftest import SETTINGS, Folder
from tests.leaderboard.workspaces import load

OTHER = '[judges.other]\nprovider = "openai"\nmodel = "other"\n'
LABELS = [{"id": "L1", "case_id": "B002", "got": "1969", "label": "equivalent", "why": "The year."}]


def test_calls_are_listed_with_everybody_who_needs_them(folder: Folder) -> None:
    """Equal answers need one call. Labelled pairs and judges outside the panel count too."""
    folder.write("leaderboard.toml", SETTINGS + OTHER)
    folder.write("prompts/small/labels/no_tool.json", LABELS)
    folder.submission("m1", [{"id": "B001", "model_text": "The answer is Paris."}])
    folder.submission("m2", [{"id": "B001", "model_text": "The answer is Paris."}])
    contents = load(folder)

    def ask(calls: Sequence[JudgeCall]) -> list[JudgeReply]:
        about = ["labels" if "1969" in call.prompt else "paris" for call in calls]
        return [
            JudgeReply(f"{call.judge.name}:{what}", "equivalent")
            for call, what in zip(calls, about, strict=True)
        ]

    assert {
        f"{judge}:{what}": tuple(CassettePath(judge, "small", owner) for owner in owners)
        for judge in ("embedded-1", "other")
        for what, owners in (("paris", ("m1", "m2")), ("labels", ("_labels",)))
    } == needed_judge_calls(contents, ask)
