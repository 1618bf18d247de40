"""What the folder of results holds about answers that are missing."""

from __future__ import annotations

import pytest

from cli.wiring import score_offline
from leaderboard.load import load_contents
from leaderboard.results import MissingAnswers
from leaderboard.workspace import Workspace
from scoring.rules import KINDS
from tests.cli.records import answers
from tests.conftest import Folder


@pytest.mark.large
def test_a_missing_trial_is_no_unanswered_case(folder: Folder) -> None:
    """Cases without any record are counted, and the missing trials of the others apart."""
    first, second = answers("A001")[:2]
    folder.submission("m1", [{**first, "trial": 1}, {**first, "trial": 2}, {**second, "trial": 1}])
    contents = load_contents(Workspace(folder.root), KINDS)
    results = score_offline(Workspace(folder.root), contents)

    assert results.missing_answers() == {("m1", "small"): MissingAnswers(cases=3, trials=1)}


def test_what_is_answered_in_words() -> None:
    """Without gaps there is nothing to say."""
    assert MissingAnswers().words(5) == ""
    assert MissingAnswers(2, 0).words(5) == "3 of 5 answered"
    assert MissingAnswers(0, 1).words(5) == "1 trial missing"
    assert MissingAnswers(2, 1200).words(5) == "3 of 5 answered, 1,200 trials missing"
