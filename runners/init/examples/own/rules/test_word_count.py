"""The rule beside this file, on answers with a known score: `python -m pytest rules`."""

from __future__ import annotations

import runpy
from pathlib import Path

HERE = Path(__file__)
score = runpy.run_path(str(HERE.with_name(HERE.name.removeprefix("test_"))))["score"]
CASE = {"id": "1", "user_query": "Say hello in two words.", "ground_truth": 2}


def test_the_right_number_of_words_passes() -> None:
    """Two words were asked for, and two are given."""
    assert score(CASE, {"text": "Hello there", "calls": []})["score"] == 1


def test_other_numbers_fail_with_a_reason() -> None:
    """Too few, too many, and no answer at all."""
    found = [score(CASE, {"text": text, "calls": []}) for text in ("Hello", "a b c", "", None)]
    assert [one["score"] for one in found] == [0, 0, 0, 0]
    fewer = "fewer_words"
    assert [one["reason"] for one in found] == [fewer, "more_words", fewer, fewer]
