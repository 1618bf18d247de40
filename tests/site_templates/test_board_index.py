"""Equal answers are counted alike on every page."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import cache

import polars as pl
import pytest

from leaderboard.responses.response_records import read_message
from leaderboard.types import Record, Records, Tool
from scoring.tables.case_health import health
from scoring.tables.equal_answers import answers
from scoring.tables.scores import case_scores
from site_templates.board import Board
from site_templates.board_index import index_board
from tests.site_templates import site_board
from tests.site_templates.rendered import render
from tests.site_templates.site_html import Html, parse

# The same wrong call, written by three models: another order, another setting, a text beside it.
WRITTEN = {
    "model-a": ({"name": "alarm.set", "arguments": {"time": "9", "label": "x"}}, "", False),
    "model-b": ({"name": "alarm.set", "arguments": {"label": "x", "time": "9"}}, "Set.", False),
    "model-c": ({"name": "alarm_set", "arguments": {"time": "9", "label": "x"}}, "", True),
}


@cache
def board() -> Board:
    """A suite of one case, which three models fail with the same answer."""
    suite = site_board.tool_suite()
    case = dataclasses.replace(suite.cases[0], tools=(Tool("alarm.set", "", ()),))
    category = dataclasses.replace(suite.category(case.category), cases=(case,))
    suite = dataclasses.replace(suite, categories=(category,), by_id={case.id: case})
    given = site_board.board(suites=[suite], sent_in=[*WRITTEN])
    records = {}
    for name, (call, text, underscored) in WRITTEN.items():
        row = {"id": case.id, "model_function_call": call, "model_text": text}
        response = read_message(row, underscored=underscored)
        records[name, suite.id] = Records.of([Record(response, 1)])
    verdicts = given.results.verdicts.filter(metric="correct").with_columns(
        outcome=pl.lit("fail"),
        score=pl.lit(0.0),
        reason=pl.lit("wrong_value"),
        detail=pl.lit("Wrong."),
        decided_by=pl.lit("rule"),
    )
    sums = case_scores(verdicts)
    told = answers([suite], records)
    sick = health(verdicts, [suite], given.submissions, told, cases=sums)
    compared = {suite.id: site_board.compared(verdicts, suite)}
    return site_board.changed(
        given, records=records, verdicts=verdicts, health=sick, comparisons=compared
    )


@cache
def files() -> dict[str, bytes]:
    return render(board())


def page(path: str) -> Html:
    return parse(files()[path])


def words(path: str) -> str:
    return " ".join(page(path).text.split())


@pytest.mark.large
def test_b1_equal_answers_are_one_block_with_the_number_that_gave_them() -> None:
    """The order of arguments, a setting of the card and a text beside a call change nothing."""
    said = words("cases/tools/A001.html")

    assert "3 submissions gave the same answer." in said
    assert ["3 submissions"] == [h.text for h in page("cases/tools/A001.html").all("h3")]
    assert "3 gave this same answer" in said
    assert "Text beside the call of Model BSet." in said


@pytest.mark.large
def test_b2_a_comparison_counts_equal_answers() -> None:
    """On the page of a pair, in its JSON, and in what the script reads."""
    pairs = [path for path in files() if re.match(r"compare/tools/.+\.html", path)]
    script = b"".join(files().values()).decode("utf-8", "ignore")
    numbers = re.findall(r'"answers":"(.{3})"', script)

    assert pairs
    assert all("Identical answers, where both answered1 of 1" in words(path) for path in pairs)
    assert [1, 3] == [len(set(numbers)), len(numbers)]


def test_b3_case_health_the_case_and_its_category_count_alike() -> None:
    """All three pages say that three gave one wrong answer."""
    rows = json.loads(files()["data/health/tools.json"])["cases"]

    assert [3] == [row["same_answer"] for row in rows]
    assert "All 3 submissions fail it, all with the same answer" in words("health/tools.html")
    assert "same wrong answer from 3" in words("suites/tools/tool_selection.html")
    assert "3 gave this same answer" in words("cases/tools/A001.html")


@pytest.mark.large
def test_a_missing_trial_is_no_unanswered_case() -> None:
    """It is counted apart from the cases without any record."""
    given = site_board.board()
    here = (pl.col("submission") == "model-a") & (pl.col("suite") == "acting")
    lost = here & (pl.col("case_id") == "desk_1") & (pl.col("trial") == 3)
    reason = pl.when(lost).then(pl.lit("missing_response")).otherwise("reason")
    verdicts = given.results.verdicts.with_columns(reason=reason)
    score = index_board(site_board.changed(given, verdicts=verdicts)).score("model-a", "acting")

    assert score is not None
    assert (score.missing, score.missing_trials) == (0, 1)
    assert score.answered == "1 trial missing"
