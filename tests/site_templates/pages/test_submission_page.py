"""The page of a submission: its scores and its mistakes in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.site_templates.site_html import parse
from tests.site_templates.site_in_part import with_missing_trials


def words(site: Path, path: str) -> str:
    return " ".join(parse((site / path).read_bytes()).text.split())


def test_a_weighted_score_is_not_called_a_share_of_cases(in_part: Path) -> None:
    """m4 passes 10 of 20 cases: 80 % of the category that counts three times, 20 % of the other."""
    found = words(in_part, "submissions/m4.html")

    assert "Scores 65.0 % on Quiz (" in found
    assert "Passes" not in found


def test_missing_answers_are_not_counted_as_answers(in_part: Path) -> None:
    """A case without a record is a fail, but no answer that failed."""
    assert "2 answers failed, 2 are missing." in words(in_part, "submissions/m2.html")
    assert "10 answers failed. " in words(in_part, "submissions/m4.html")


def test_the_list_of_answers_counts_verdicts(in_part: Path) -> None:
    """The list has the cases without an answer, too."""
    assert "20 verdicts, by category and reason." in words(in_part, "answers/m2.html")


@pytest.mark.large
def test_a_missing_trial_is_not_an_unanswered_case(tmp_path: Path) -> None:
    """It fails all the same. Both rows are incomplete, but one of them answered every case."""
    site = with_missing_trials(tmp_path)
    first, second = (words(site, f"submissions/{name}.html") for name in ("m0", "m1"))
    ranking = parse((site / "index.html").read_bytes())
    in_part = [row.text for row in ranking.all("tr", class_="a-part")]

    assert "0 answers failed, 1 is missing." in first
    assert "1 trial missing" in first
    assert ("trial not answered" in first, "case not answered" in first) == (True, False)
    assert ("trial not answered" in second, "case not answered" in second) == (True, True)
    assert b'href="../cases/quiz/hard-9.html#by-m1"' in (site / "submissions/m1.html").read_bytes()
    assert "answers this case in other trials, but not" in words(site, "cases/quiz/easy-0.html")
    assert "does not answer this case." in words(site, "cases/quiz/hard-9.html")
    assert "some cases were not asked, or lack an answer in at least one trial" in ranking.text
    assert "every case1" in " ".join(ranking.text.split())
    assert ["m1" in text for text in in_part] == [True]
