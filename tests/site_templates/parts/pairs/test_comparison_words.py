"""A comparison in words."""

from __future__ import annotations

import polars as pl

from leaderboard.board.comparison import Paired
from scoring.tables.one_pair import comparer
from site_templates.parts.pairs.comparison_words import verdict_in_words
from tests.scoring.verdict_tables import suite, verdicts


def words(first: str, second: str, **categories: tuple[int, float]) -> str:
    """Two submissions that agree in the category easy. The marks are those in the category hard."""
    easy = "+" * categories["easy"][0]
    made = suite("s", **categories)
    answers = [verdicts("a", easy=easy, hard=first), verdicts("b", easy=easy, hard=second)]
    found = comparer(pl.concat(answers), made, "correct").compare("a", "b")
    return verdict_in_words(found.whole)


def test_no_difference_is_called_hard_to_detect_that_the_interval_contains() -> None:
    """Where two never differ in the category of most weight, the interval is wide, the gap not."""
    marks = "+" * 40, "-" * 8 + "+" * 28 + "-" * 4

    wide = words(*marks, easy=(20, 3), hard=(40, 1))
    narrow = words("+-" * 20, "-+" * 20, easy=(20, 1), hard=(40, 2))

    assert "hard to detect" not in wide
    assert "On these 60 cases, a difference under" in narrow


def test_a_significant_difference_says_that_its_interval_includes_0() -> None:
    """Otherwise readers take the interval for the test, which ranks use."""
    line = Paired("*", 50, 50, 0, 30, 3, 15, 2, difference=-0.22, low=-0.55, high=0.11, p=0.006)

    assert verdict_in_words(line, "one", "two") == (
        "two is ahead by 22.0 points (−11.0 to 55.0), p = 0.006, "
        "although its approximate 95 % interval includes 0"
    )
