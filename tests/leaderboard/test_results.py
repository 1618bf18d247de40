"""The folder of results, and what it holds about answers that are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.wiring import score_offline
from leaderboard.errors import FilesError
from leaderboard.load import load_contents
from leaderboard.results import MissingAnswers, read_results
from leaderboard.workspace import Workspace
from scoring.rules import KINDS
from tests.cli.records import answers
from tests.conftest import Folder


def test_a_missing_file_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other results than the board's own may be named with --results, such as `.`."""
    monkeypatch.chdir(tmp_path)
    for folder, shown in ((".", "manifest.json: "), ("old/results", "old/results/manifest.json: ")):
        with pytest.raises(FilesError) as refused:
            read_results(Path(folder))
        assert str(refused.value).startswith(shown)


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
