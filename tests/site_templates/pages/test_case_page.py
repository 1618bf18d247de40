"""The page of a case over simulated APIs: the calls with their replies, and the reference run."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from leaderboard.apis.reference_runs import ABOUT, ReferenceRun
from leaderboard.types import (
    Call,
    ExpectedArgument,
    ExpectedCall,
    GroundTruth,
    Record,
    Records,
    Suite,
)
from site_templates.board import Board
from site_templates.links import paths
from site_templates.pages.case_page import difficulty
from tests.site_templates import site_board
from tests.site_templates.data.data_formats import validate
from tests.site_templates.rendered import file_of
from tests.site_templates.site_hostile import EVIL, LONG
from tests.site_templates.site_html import Html, pages, parse

CALLS = (
    Call("TramLine_next departures", {"stop": "Main Street"}, {"departures": ["18:04"]}),
    Call("TramLine_line status", {"line": ""}, {"error": "no such line", "response": ""}),
)
RUN = ReferenceRun(CALLS, '{"departures": ["18:04"]}')
FINISH = Call("Finish", {"return_type": "give_answer", "final_answer": "At 18:04."})


QUERY = GroundTruth(apis=(("TramLine", "next departures"),))


def with_truth(suite: Suite, case_id: str, truth: GroundTruth = QUERY) -> Suite:
    """The suite with one of its cases turned into another: a query over simulated APIs."""
    categories = tuple(
        dataclasses.replace(
            category,
            cases=tuple(
                dataclasses.replace(c, ground_truth=truth) if c.id == case_id else c
                for c in category.cases
            ),
        )
        for category in suite.categories
    )
    return dataclasses.replace(
        suite,
        categories=categories,
        by_id={case.id: case for category in categories for case in category.cases},
    )


@cache
def first() -> str:
    """The first case of the suite `tools`."""
    return site_board.tool_suite().cases[0].id


def board(run: ReferenceRun | None = RUN, *calls: Call, steps_told: bool = True) -> Board:
    """The small board. Its first case is over simulated APIs, and all made these calls in it."""
    given = site_board.board(suites=[with_truth(site_board.tool_suite(), first())])
    records = {
        key: Records.of(_turned(record, calls, steps_told=steps_told) for record in sent)
        for key, sent in given.records.items()
    }
    references = {} if run is None else {("tools", first()): run}
    return dataclasses.replace(given, records=records, references=references)


def _turned(record: Record, calls: tuple[Call, ...], *, steps_told: bool) -> Record:
    if record.response.case_id != first():
        return record
    text = "At 18:04."
    return record._replace(
        response=dataclasses.replace(record.response, calls=calls, text=text, steps_told=steps_told)
    )


def page(given: Board) -> Html:
    return parse(file_of(given, paths(given).case("tools", first())))


def rows(found: Html) -> list[str]:
    return [" ".join(row.text.split()) for row in found.all("tr")]


@pytest.mark.large
def test_a_reference_run_is_labelled_as_what_it_is() -> None:
    """The section has its explanation and, in a fold, every call with its reply."""
    found = page(board())
    text = " ".join(found.text.split())
    assert ["Reference run"] == [heading.text for heading in found.all("h2", id="ref")]
    assert f"Reference run {ABOUT}" in text
    assert "2 calls with example values, and the replies" in text
    assert [
        'TramLine_next departures(stop="Main Street")→ {"departures": ["18:04"]}',
        'TramLine_line status(line="")→ {"error": "no such line", "response": ""}',
    ] == [row[1:] for row in rows(found) if "TramLine_" in row]
    assert [] == found.faults


@pytest.mark.large
def test_without_a_reference_run_there_is_no_section() -> None:
    """No heading, no word; nor where it called nothing."""
    for run in (None, ReferenceRun((), "No response received")):
        assert "eference run" not in page(board(run)).text


@pytest.mark.large
def test_the_data_beside_the_page_says_the_same() -> None:
    """The JSON of the case has the run with the same explanation, if there is a run."""
    path = paths(board()).case_data("tools", first())
    data = file_of(board(), path)
    validate("case", data)
    found = json.loads(data)["reference_run"]
    assert (ABOUT, RUN.final_answer, 2) == (
        found["about"],
        found["final_answer"],
        len(found["calls"]),
    )
    assert b"reference_run" not in file_of(board(None), path)


@pytest.mark.large
def test_hostile_reference_runs_are_text() -> None:
    """Replies come from anywhere: markup, hidden characters and very long words stay text."""
    path = paths(board()).case("tools", first())
    plain, hostile = (
        file_of(board(run), path).decode()
        for run in (
            RUN,
            ReferenceRun((Call(LONG, {EVIL: LONG}, LONG), Call(EVIL, {}, {EVIL: [EVIL]})), LONG),
        )
    )
    found = pages({path: hostile.encode()})[path]
    assert ([], []) == (
        found.faults,
        [e for e in found.elements if any(name.startswith("on") for name in e.attributes)],
    )
    assert (plain.count("<script"), True) == (
        hostile.count("<script"),
        "&lt;script&gt;window.pwned" in hostile,
    )
    assert [False] * 4 == [mark in hostile for mark in ("<img", "<iframe", "\u202e", "\x1b")]
    assert len(hostile) < 2 * len(plain)


@pytest.mark.large
def test_a_calculation_is_shown_with_its_result() -> None:
    """A reader sees why another formula passed."""
    problem = ExpectedArgument("problem", ("17% of 2340",), False, False, result=397.8)
    truth = GroundTruth((ExpectedCall("solve", (problem,)),))
    given = site_board.board(suites=[with_truth(site_board.tool_suite(), first(), truth)])
    text = " ".join(page(given).text.split())
    assert '"17% of 2340" or another formula with the result 397.8' in text


@pytest.mark.large
def test_many_calls_are_cut() -> None:
    """Sixty are shown, the others are counted."""
    run = ReferenceRun((CALLS[0],) * 75, "x")
    found = page(board(run))
    assert 60 == sum("TramLine_" in row for row in rows(found))
    assert "75 calls with example values" in found.text
    assert "15 more calls: see this page’s JSON." in " ".join(found.text.split())


# ---------------------------------------------------------------- answers


@pytest.mark.large
def test_calls_of_an_answer_have_their_replies() -> None:
    """Gold APIs are not marked as unexpected, and Finish is the answer, not a call."""
    found = page(board(None, *CALLS, FINISH))
    shown = [row for row in rows(found) if "TramLine_" in row]
    assert {'1TramLine_next departures(stop="Main Street")→ {"departures": ["18:04"]}'} <= set(
        shown
    )
    text = " ".join(found.text.split())
    assert ("not expected" in text, "Finish" in text) == (False, False)
    assert "At 18:04." in [
        " ".join(said.text.split()) for said in found.all("blockquote", class_="said-it")
    ]


@pytest.mark.large
@pytest.mark.parametrize(("steps_told", "said"), [(True, True), (False, False)])
def test_an_answer_without_calls_says_so(steps_told: bool, said: bool) -> None:
    """Unless the record does not tell what was called at all."""
    assert said == ("No API was called." in page(board(None, steps_told=steps_told)).text)


@pytest.mark.large
def test_a_metric_without_merit_is_shown_in_words() -> None:
    """The metric has no sign of a fail, and no count of who passed."""
    given = board()
    mine = (pl.col("submission") == "model-a") & (pl.col("suite") == "tools")
    without = given.results.verdicts.filter(mine, metric="correct").with_columns(
        metric=pl.lit("solved_without_tools"),
        outcome=pl.lit("fail"),
        score=pl.lit(0.0),
        detail=pl.lit("It called a tool."),
    )
    also = given.results.scores.filter(mine, metric="correct").with_columns(
        metric=pl.lit("solved_without_tools")
    )
    verdicts, scores = (
        pl.concat([given.results.verdicts, without]),
        pl.concat([given.results.scores, also]),
    )
    suites = [
        dataclasses.replace(s, kind=site_board.OVER_APIS) if s.id == "tools" else s
        for s in given.suites
    ]
    found = page(site_board.changed(given, verdicts=verdicts, scores=scores, suites=tuple(suites)))
    words = " ".join(found.text.split())
    assert "solved from memoryno It called a tool." in words
    assert "Solved from memory passed by" not in words


@pytest.mark.parametrize(
    ("passed", "of_this", "said"),
    [
        ((1, 1, 1), 1, "as hard as all other cases of Calls"),
        ((0, 0, 2), 0, "among the hardest of Calls"),
        ((0, 2, 2), 2, "among the easiest of Calls"),
        ((0, 1, 2), 1, "harder than 50 % of Calls"),
    ],
)
def test_difficulty_counts_ties(passed: tuple[int, ...], of_this: int, said: str) -> None:
    """Of equally hard cases none is among the easiest."""
    assert said == difficulty("Calls", passed, of_this).replace("\u202f", " ")


def test_difficulty_is_the_share_of_those_asked(in_part: Path) -> None:
    """A case that 3 of 3 pass is as easy as one that 5 of 5 pass, and easier than 4 of 5."""
    said = {}
    for name in ("easy-0", "easy-1", "easy-5", "easy-9"):
        text = " ".join(parse((in_part / f"cases/quiz/{name}.html").read_bytes()).text.split())
        said[name] = text.partition("Difficulty")[2].partition("Easy")[0].strip()

    assert said["easy-9"] == "among the hardest of"
    assert said["easy-0"].startswith("harder than 78")
    assert said["easy-1"] == said["easy-5"] == "among the easiest of"


@pytest.mark.large
def test_difficulty_is_not_measured_with_baselines() -> None:
    """They pass and fail by their nature. Models and agents measure it."""
    path = "cases/tools/A002.html"

    assert "Difficulty" in parse(file_of(site_board.board(), path)).text
    assert "Difficulty" not in parse(file_of(site_board.board(baselines_only=True), path)).text


@pytest.mark.large
def test_a_case_in_an_environment_says_what_the_environment_is_like() -> None:
    """The category's description is below the question. Other cases need none."""
    acting, other = (
        parse(file_of(site_board.board(), f"cases/{case}.html"))
        for case in ("acting/desk_1", "tools/A002")
    )

    tasks = [task.text.strip() for task in acting.all("div", class_="task")]
    assert tasks == ["The final text counts."]
    assert not other.all("div", class_="task")
